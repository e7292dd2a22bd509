"""The lattice under a set of boxes: blocks 1 × n cells, single tiles and empty cells all span whole cells less a gap.

Pitches and gaps are guessed (`rush_hour_pitch`), and each guess is fitted to the boxes that agree with it.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from pipeline.extract.lattice import Lattice
from pipeline.extract.regions import Boxes
from pipeline.extract.rush_hour_pitch import MOST_CELLS, TIGHT, Grid, guesses

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

FEW_CELLS, FEW_BLOCKS = 4, 2
"""Two vehicles drawn as one piece a cell have four of them; of so few blocks all may point the same way by chance."""

LEAST_SCORE, LEAST_SHARE = 100.0, 0.12
"""Least score of a lattice, and least share of the best one's."""


OFF_EDGE = 0.25
"""How far, in cells, the edge of a frame may lie off the lattice of its board."""


@dataclass(frozen=True)
class Support:
    """A lattice around the boxes that lie on it.

    `score` grows with the number of cells the supporting boxes cover (each counted once a threshold it shows up in),
    with the size of a cell, and with how densely they fill the lattice. `counts` is rows × cols: in how many boxes a
    cell lies. `shapes` are the numbers of lying blocks, of standing ones and of single cells among the places where
    boxes lie; `places` holds those, n × 4: column and row from the lattice's first cell on, columns, rows. `blocks` are
    where the board may be: the lattice itself or, where that is too small for one, frames that it stands in.
    """

    lattice: Lattice
    score: float
    counts: NDArray[np.float32]
    shapes: tuple[int, int, int]
    places: Ints
    blocks: tuple[Lattice, ...] = ()

    @property
    def could_hold_vehicles(self) -> bool:
        """Whether some blocks cross others, or single cells may be parts of vehicles, or there are hardly any blocks.

        Half of the vehicles of a board, at least, are seen as boxes.
        """
        lying, standing, single = self.shapes
        return single >= FEW_CELLS or min(lying, standing) > 0 or lying + standing <= FEW_BLOCKS

    @property
    def wide(self) -> bool:
        """Whether the boxes alone span a board."""
        return min(self.lattice.rows, self.lattice.cols) >= 3

    def without(self, left: int, top: int, right: int, bottom: int) -> "Support":
        """The same with some lines of cells fewer on its sides."""
        rows, cols = self.lattice.rows - top - bottom, self.lattice.cols - left - right
        counts = self.counts[top : top + rows, left : left + cols]
        places = self.places - np.array([left, top, 0, 0])
        return replace(self, lattice=self.lattice.block(top, left, rows, cols), counts=counts, places=places)


def within(places: Ints, row: int, col: int, rows: int, cols: int) -> Ints:
    """The places (as in `Support`) that lie in a block of the cells, seen from the block's first cell."""
    moved = places - np.array([col, row, 0, 0])
    first, last = moved[:, :2], moved[:, :2] + moved[:, 2:]
    return moved[(first >= 0).all(axis=1) & (last <= (cols, rows)).all(axis=1)]


def fit_lattices(views: Sequence[Boxes], frames: Boxes, outlines: Boxes, most: int = 4) -> list[Support]:
    """Lattices that explain many boxes of any view and could hold vehicles, the best first.

    `frames` are boxes that may hold the board, and so are `outlines`; only the former may tell the lattice by
    themselves.
    """
    boxes = np.concatenate([v for v in views if len(v)] or [np.empty((0, 4))])
    if not len(boxes):
        return []
    found: list[Support] = []
    for guess in guesses(boxes, frames):
        support = _supported(boxes, guess)
        if support is not None and not any(_same(support, other) for other in found):
            found.append(support)
    found = sorted(found, key=lambda s: -s.score)[:most]
    least = max([LEAST_SCORE, *(LEAST_SHARE * s.score for s in found)])
    fit = [s for s in found if s.score >= least and s.could_hold_vehicles]
    holding = np.concatenate([frames, outlines])
    placed = [replace(s, blocks=(s.lattice,) if s.wide else _framed(s.lattice, holding)) for s in fit]
    return [s for s in placed if s.blocks]


def _framed(core: Lattice, frames: Boxes) -> tuple[Lattice, ...]:
    """The blocks of cells around these that a frame holds as on a board: three of its edges, at least, on the lattice.

    The fourth may lead out of an exit.
    """
    left, top = (frames[:, :2] - core.origin).T / np.array([[core.pitch_x], [core.pitch_y]])
    right, bottom = (frames[:, 2:] - core.origin).T / np.array([[core.pitch_x], [core.pitch_y]])
    around = (left < OFF_EDGE) & (top < OFF_EDGE) & (right > core.cols - OFF_EDGE) & (bottom > core.rows - OFF_EDGE)
    edges = np.stack([left, top, right, bottom])
    on_lattice = (np.abs(edges - np.rint(edges)) < OFF_EDGE).sum(axis=0)
    large = np.minimum(right - left, bottom - top) > 3 - OFF_EDGE
    holding = np.unique(np.rint(edges[:, around & large & (on_lattice >= 3)]).astype(np.int64), axis=1).T.tolist()
    whole = [core.block(top, left, bottom - top, right - left) for left, top, right, bottom in holding]
    return tuple(block for block in whole if max(block.rows, block.cols) <= MOST_CELLS)


def _same(a: Support, b: Support) -> bool:
    return abs(a.lattice.pitch_x / b.lattice.pitch_x - 1) < 0.02 and a.counts.shape == b.counts.shape


def _spans(boxes: Boxes, pitch: Floats, gap: Floats) -> tuple[Ints, NDArray[np.bool_]]:
    """How many cells (x, y) each box spans, and whether it is a block of whole cells one cell wide."""
    sides = (boxes[:, 2:] - boxes[:, :2] + gap) / pitch
    cells = np.rint(sides).astype(np.int64)
    whole = (np.abs(sides - cells) < 1.3 * TIGHT).all(axis=1)
    return cells, whole & (cells.min(axis=1) == 1) & (cells.max(axis=1) <= 6)


def _supported(boxes: Boxes, guess: Grid) -> Support | None:
    """The guess fitted to the boxes that agree with it and with one another."""
    pitch, gap = np.array(guess.pitch), np.array(guess.gap)
    cells, whole = _spans(boxes, pitch, gap)
    boxes, cells = boxes[whole], cells[whole]
    if not len(boxes):
        return None
    middle = (boxes[:, :2] + boxes[:, 2:]) / 2
    corner = middle - cells * pitch / 2
    across, down = (corner / pitch).T.astype(np.float32)
    agree = _on_lattice(across[:, None] - across) & _on_lattice(down[:, None] - down)
    origin = corner[int(np.argmax(agree @ cells.prod(axis=1)))].copy()
    for _ in range(3):
        offset = (middle - cells * pitch / 2 - origin) / pitch
        place = np.rint(offset)
        keep = (np.abs(offset - place) < TIGHT).all(axis=1)
        if not keep.any():
            return None
        for axis in (0, 1):
            along, at = (place + cells / 2)[keep, axis], middle[keep, axis]
            slope, base = _line(along, at)
            if abs(slope / guess.pitch[axis] - 1) < 0.1:
                pitch[axis], origin[axis] = slope, base
    return _densest(cells[keep], place[keep].astype(np.int64), origin, pitch)


def _line(x: Floats, y: Floats) -> tuple[float, float]:
    """Slope and value at zero of the least-squares line; slope 0 when all x are equal."""
    away = x - x.mean()
    spread = float(away @ away)
    slope = float(away @ y) / spread if spread > 0 else 0.0
    return slope, float(y.mean() - slope * x.mean())


def _on_lattice(cells: NDArray[np.float32]) -> NDArray[np.bool_]:
    """Whether lengths in cells are whole numbers of them."""
    return np.abs(cells - np.rint(cells)) < TIGHT


def _densest(cells: Ints, place: Ints, origin: Floats, pitch: Floats) -> Support | None:
    """The support of the heaviest cluster of boxes that lie within a cell of one another."""
    low = place.min(axis=0)
    extent = (place + cells).max(axis=0) - low
    if extent.max() > 200:
        return None
    counts = _covered(place - low, cells, extent)
    near = cv2.dilate((counts > 0).astype(np.uint8), np.ones((3, 3), np.uint8))
    number, labels = cv2.connectedComponents(near, connectivity=4)
    sums = np.bincount(labels.ravel(), counts.ravel(), number)[1:]
    inside = (labels == 1 + int(np.argmax(sums))) & (counts > 0)
    ys, xs = np.nonzero(inside)
    rows, cols = int(np.ptp(ys)) + 1, int(np.ptp(xs)) + 1
    if max(rows, cols) > MOST_CELLS:
        return None
    x, y = origin + (low + np.array([xs.min(), ys.min()])) * pitch
    kept = np.where(inside, counts, 0)[ys.min() : ys.min() + rows, xs.min() : xs.min() + cols]
    places = _distinct(np.column_stack([place - low - (xs.min(), ys.min()), cells]))
    wide, high = places[:, 2:].T
    shapes = (int((wide > 1).sum()), int((high > 1).sum()), int(((wide == 1) & (high == 1)).sum()))
    share = float(inside.sum()) / (rows * cols)
    score = float(sums.max()) * float(np.sqrt(pitch.prod())) * float(np.sqrt(share))
    return Support(
        Lattice((float(x), float(y)), float(pitch[0]), float(pitch[1]), rows, cols), score, kept, shapes, places
    )


def _covered(place: Ints, cells: Ints, extent: Ints) -> NDArray[np.float32]:
    """How many boxes cover each cell: every box adds one at its corner and takes it back beyond its sides."""
    steps = np.zeros((extent[1] + 1, extent[0] + 1), np.float32)
    (left, top), (right, bottom) = place.T, (place + cells).T
    for rows, columns, step in ((top, left, 1), (top, right, -1), (bottom, left, -1), (bottom, right, 1)):
        np.add.at(steps, (rows, columns), step)
    return np.ascontiguousarray(steps.cumsum(axis=0).cumsum(axis=1)[:-1, :-1])


def _distinct(rows: Ints) -> Ints:
    """The distinct rows of small numbers in order: as `np.unique`, several times faster."""
    low = rows.min(axis=0)
    shape = tuple(int(n) for n in rows.max(axis=0) - low + 1)
    keys = np.unique(np.ravel_multi_index(tuple((rows - low).T), shape))
    return np.column_stack(np.unravel_index(keys, shape)) + low
