"""A lattice of equal cells as a floor plan has it: rows may grow towards the viewer, lines may lean a little."""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from pipeline.extract.contract import Box, Mark

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class PlanLattice:
    """`rows` × `cols` cells; `x` and `y` are the coefficients of 1, col, row, row · col of a place's pixel."""

    x: tuple[float, float, float, float]
    y: tuple[float, float, float, float]
    rows: int
    cols: int

    def points(self, rows: Floats, cols: Floats) -> tuple[Floats, Floats]:
        """Pixels (x, y) of places in lattice units: (0, 0) is the outer corner of the first cell; arrays broadcast."""
        x, y = (a + b * cols + c * rows + d * rows * cols for a, b, c, d in (self.x, self.y))
        return x, y

    def point(self, row: float, col: float) -> tuple[float, float]:
        """The pixel of one place."""
        x, y = (a + b * col + c * row + d * row * col for a, b, c, d in (self.x, self.y))
        return x, y

    @property
    def pitch(self) -> tuple[float, float]:
        """Width and height of a cell in the middle, pixels."""
        return self.x[1] + self.x[3] * self.rows / 2, self.y[2] + self.y[3] * self.cols / 2

    def block(self, row: int, col: int, rows: int, cols: int) -> "PlanLattice":
        """The lattice whose first cell is (row, col) of this one."""
        x, y = ((a + b * col + c * row + d * row * col, b + d * row, c + d * col, d) for a, b, c, d in (self.x, self.y))
        return PlanLattice(x, y, rows, cols)

    def moved(self, dx: float, dy: float) -> "PlanLattice":
        """The same lattice elsewhere."""
        return PlanLattice((self.x[0] + dx, *self.x[1:]), (self.y[0] + dy, *self.y[1:]), self.rows, self.cols)

    def scaled(self, factor: float) -> "PlanLattice":
        """The same lattice in a picture resized by `factor`."""
        x, y = ((a * factor, b * factor, c * factor, d * factor) for a, b, c, d in (self.x, self.y))
        return PlanLattice(x, y, self.rows, self.cols)

    def cell_box(self, row: int, col: int) -> Box:
        """The upright box around a cell."""
        corners = [self.point(row + i, col + j) for i in (0, 1) for j in (0, 1)]
        xs, ys = [p[0] for p in corners], [p[1] for p in corners]
        return min(xs), min(ys), max(xs) - min(xs), max(ys) - min(ys)

    def marks(self) -> tuple[Mark, ...]:
        """Its lines, for an overlay."""
        across = [((r, 0), (r, self.cols)) for r in range(self.rows + 1)]
        down = [((0, c), (self.rows, c)) for c in range(self.cols + 1)]
        return tuple(Mark("lattice", (self.point(*a), self.point(*b))) for a, b in across + down)

    def sampled(self, image: NDArray[np.generic], side: int, margin: float) -> NDArray[np.generic]:
        """`side` × `side` samples a cell, a margin left out all around: rows × cols × side × side (× channels)."""
        inside = margin + (np.arange(side) + 0.5) / side * (1 - 2 * margin)
        r = (np.arange(self.rows)[:, None] + inside).reshape(-1, 1)
        c = (np.arange(self.cols)[:, None] + inside).reshape(1, -1)
        x, y = self.points(r, c)
        # Pixel k of an image covers k … k + 1 in outline coordinates, so its centre is at k + 0.5.
        flat = cv2.remap(
            image,
            (np.broadcast_to(x, (len(r), c.shape[1])) - 0.5).astype(np.float32),
            (np.broadcast_to(y, (len(r), c.shape[1])) - 0.5).astype(np.float32),
            cv2.INTER_NEAREST,
            borderMode=cv2.BORDER_REPLICATE,
        )
        return flat.reshape(self.rows, side, self.cols, side, *image.shape[2:]).swapaxes(1, 2)
