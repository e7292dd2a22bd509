"""Lattices of equal cells in a picture: where each cell lies, how to look at it, how to fit one to evidence.

A lattice may have cells that are not square and may be turned by a few degrees. Evidence is of two kinds, which fail
in different pictures: lines (drawn edges, gaps between tiles) and points (centres of pieces that stand in cells).
"""

import math
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from pipeline.extract.contract import Box, Mark

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Lattice:
    """`rows` × `cols` cells; all lengths in pixels.

    `origin` is the outer corner of cell (0, 0). Columns advance by `pitch_x` along (cos angle, sin angle), rows by
    `pitch_y` along (−sin angle, cos angle), y down: a positive `angle` (radians) turns the lattice clockwise as seen.
    """

    origin: tuple[float, float]
    pitch_x: float
    pitch_y: float
    rows: int
    cols: int
    angle: float = 0.0

    def point(self, row: float, col: float) -> tuple[float, float]:
        """The pixel of a place in lattice units: (0, 0) is the outer corner, (0.5, 0.5) the centre of cell (0, 0)."""
        along, down = col * self.pitch_x, row * self.pitch_y
        cos, sin = math.cos(self.angle), math.sin(self.angle)
        return self.origin[0] + along * cos - down * sin, self.origin[1] + along * sin + down * cos

    def points(
        self, rows: NDArray[np.floating], cols: NDArray[np.floating]
    ) -> tuple[NDArray[np.floating], NDArray[np.floating]]:
        """`point` for arrays of places: their x and their y."""
        along, down = cols * self.pitch_x, rows * self.pitch_y
        cos, sin = math.cos(self.angle), math.sin(self.angle)
        return self.origin[0] + along * cos - down * sin, self.origin[1] + along * sin + down * cos

    def place(self, x: float, y: float) -> tuple[float, float]:
        """The (row, col) of a pixel in lattice units: the inverse of `point`."""
        dx, dy = x - self.origin[0], y - self.origin[1]
        cos, sin = math.cos(self.angle), math.sin(self.angle)
        return (-dx * sin + dy * cos) / self.pitch_y, (dx * cos + dy * sin) / self.pitch_x

    def places(self, pixels: Floats) -> Floats:
        """`place` for pixels (n × 2: x, y): n × 2 (row, col)."""
        (x, y), (cos, sin) = (pixels - np.array(self.origin)).T, (math.cos(self.angle), math.sin(self.angle))
        return np.column_stack([(y * cos - x * sin) / self.pitch_y, (x * cos + y * sin) / self.pitch_x])

    def cell_center(self, row: int, col: int) -> tuple[float, float]:
        """The pixel at the middle of a cell."""
        return self.point(row + 0.5, col + 0.5)

    def cell_box(self, row: int, col: int, height: int = 1, width: int = 1) -> Box:
        """The upright box around a block of cells whose top-left cell is (row, col)."""
        corners = [self.point(row + i, col + j) for i in (0, height) for j in (0, width)]
        xs, ys = [x for x, _ in corners], [y for _, y in corners]
        return min(xs), min(ys), max(xs) - min(xs), max(ys) - min(ys)

    def cell_of(self, x: float, y: float) -> tuple[int, int] | None:
        """The cell a pixel lies in; None outside the lattice."""
        row, col = (math.floor(v) for v in self.place(x, y))
        return (row, col) if 0 <= row < self.rows and 0 <= col < self.cols else None

    def block(self, row: float, col: float, rows: int, cols: int) -> "Lattice":
        """The lattice of a block of cells whose outer corner is at (row, col); it may reach beyond this one."""
        return replace(self, origin=self.point(row, col), rows=rows, cols=cols)

    def scaled(self, factor: float) -> "Lattice":
        """The same lattice in a picture resized by `factor` (cv2 convention: pixel centres at integers)."""
        x, y = ((v + 0.5) * factor - 0.5 for v in self.origin)
        return replace(self, origin=(x, y), pitch_x=self.pitch_x * factor, pitch_y=self.pitch_y * factor)

    def turned(self, angle: float, size: tuple[int, int]) -> "Lattice":
        """The same lattice in a picture of this width and height that is turned clockwise around its middle."""
        x, y = ((side - 1) / 2 for side in size)
        corner = Lattice((x, y), 1.0, 1.0, 1, 1, angle).point(self.origin[1] - y, self.origin[0] - x)
        return replace(self, origin=corner, angle=self.angle + angle)

    def marks(self) -> tuple[Mark, ...]:
        """Its lines, for an overlay."""
        across = [((r, 0), (r, self.cols)) for r in range(self.rows + 1)]
        down = [((0, c), (self.rows, c)) for c in range(self.cols + 1)]
        return tuple(Mark("lattice", (self.point(*a), self.point(*b))) for a, b in across + down)

    def rectified(self, image: NDArray[np.generic], side: int) -> NDArray[np.generic]:
        """The cells of `image` (height × width × channels) upright, as rows × cols × side × side × channels.

        What lies outside the image repeats its border. The image should be reduced beforehand so that a cell is not
        much larger than `side` pixels, else thin lines alias.
        """
        cos, sin = math.cos(self.angle) / side, math.sin(self.angle) / side
        step = np.array([[cos * self.pitch_x, -sin * self.pitch_y], [sin * self.pitch_x, cos * self.pitch_y]])
        corner = np.array(self.origin) + step @ (0.5, 0.5)
        size = (self.cols * side, self.rows * side)
        warp = np.column_stack([step, corner])
        flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
        flat = cv2.warpAffine(image, warp, size, flags=flags, borderMode=cv2.BORDER_REPLICATE)
        return flat.reshape(self.rows, side, self.cols, side, -1).swapaxes(1, 2)


def refined(lattice: Lattice, points: Floats, cells: Floats) -> tuple[Lattice, float]:
    """The lattice least-squares fitted to pixels (n × 2: x, y) of cell centres (n × 2: row, col), and the RMS error.

    The error is in pixels. Rotation and both pitches are free; too few points to tell a pitch keep the old one.
    """
    rows, cols = cells[:, 0] + 0.5, cells[:, 1] + 0.5
    old = np.column_stack(lattice.points(rows, cols))
    if np.ptp(rows) == 0 or np.ptp(cols) == 0:
        shift = (points - old).mean(axis=0)
        x, y = lattice.origin[0] + float(shift[0]), lattice.origin[1] + float(shift[1])
        return replace(lattice, origin=(x, y)), float(np.sqrt(((points - old - shift) ** 2).sum(axis=1).mean()))
    design = np.column_stack([cols, rows, np.ones(len(rows))])
    (ax, ay), (bx, by), (x, y) = np.linalg.lstsq(design, points, rcond=None)[0]
    angle = math.atan2(ay - bx, ax + by)
    pitch_x, pitch_y = math.hypot(ax, ay), math.hypot(bx, by)
    new = Lattice((float(x), float(y)), float(pitch_x), float(pitch_y), lattice.rows, lattice.cols, angle)
    left = points - np.column_stack(new.points(rows, cols))
    left -= left.mean(axis=0)
    return new, float(np.sqrt((left**2).sum(axis=1).mean()))
