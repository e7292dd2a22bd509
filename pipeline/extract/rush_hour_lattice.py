"""The lattice under a set of boxes: blocks 1 × n cells, single tiles and empty cells all span whole cells less a gap.

The gap between pieces may differ along x and y (shadows, bevels), so one block alone does not tell the pitch. A lying
and a standing block do: their widths differ by whole cells, and so do their heights. A block within a frame does, too:
the frame holds a whole number of cells.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from pipeline.extract.lattice import Lattice
from pipeline.extract.regions import Boxes

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

TIGHT = 0.13
"""How far, in cells, a box may lie off the lattice and still support it."""

MOST_CELLS = 18
"""More cells than this on a side are no board (16 is the format's limit)."""

FEW_CELLS, FEW_BLOCKS = 4, 2
"""Two vehicles drawn as one piece a cell have four of them; of so few blocks all may point the same way by chance."""

LEAST_SCORE, LEAST_SHARE = 100.0, 0.12
"""Least score of a lattice, and least share of the best one's."""

ALIKE = 0.05
"""Difference of the logarithms of two boxes' sides below which the boxes are of one kind."""

WIDEST_GAP = 0.42
"""Widest gap between pieces, in cells."""


OFF_EDGE = 0.25
"""How far, in cells, the edge of a frame may lie off the lattice of its board."""


@dataclass(frozen=True)
class Support:
    """A lattice around the boxes that lie on it.

    `score` grows with the number of cells the supporting boxes cover (each counted once a threshold it shows up in),
    with the size of a cell, and with how densely they fill the lattice. `counts` is rows × cols: in how many boxes a
    cell lies. `shapes` are the numbers of lying blocks, of standing ones and of single cells among the places where
    boxes lie; `places` holds those, n × 4: column and row from the lattice's first cell on, columns, rows.
    """

    lattice: Lattice
    score: float
    counts: NDArray[np.float32]
    shapes: tuple[int, int, int]
    places: Ints

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


@dataclass(frozen=True)
class _Grid:
    """A guess: pitch and gap along x and y in pixels, and how much speaks for it."""

    pitch: tuple[float, float]
    gap: tuple[float, float]
    votes: float

    @property
    def plausible(self) -> bool:
        """Whether cells are not far from square and gaps are neither negative nor wide."""
        pairs = list(zip(self.pitch, self.gap, strict=True))
        if any(p < 7 or not -0.04 * p <= g <= WIDEST_GAP * p for p, g in pairs):
            return False
        return 0.77 < self.pitch[0] / self.pitch[1] < 1.3

    def like(self, other: "_Grid") -> bool:
        """Whether two guesses would find the same boxes."""
        pitches = zip(self.pitch, other.pitch, strict=True)
        gaps = zip(self.gap, other.gap, self.pitch, strict=True)
        return all(abs(p / q - 1) < 0.03 for p, q in pitches) and all(abs(g - h) < 0.06 * p for g, h, p in gaps)


def fit_lattices(views: Sequence[Boxes], frames: Boxes, most: int = 4) -> list[Support]:
    """Lattices that explain many boxes of any view and could hold vehicles, the best first.

    `frames` are boxes that may hold the board.
    """
    boxes = np.concatenate([v for v in views if len(v)] or [np.empty((0, 4))])
    if not len(boxes):
        return []
    found: list[Support] = []
    for guess in _guesses(boxes, frames):
        support = _supported(boxes, guess)
        if support is not None and not any(_same(support, other) for other in found):
            found.append(support)
    found = sorted(found, key=lambda s: -s.score)[:most]
    least = max([LEAST_SCORE, *(LEAST_SHARE * s.score for s in found)])
    return [s for s in found if s.score >= least and s.could_hold_vehicles and (s.wide or _framed(s.lattice, frames))]


def _framed(core: Lattice, frames: Boxes) -> bool:
    """Whether the cells stand in a frame as on a board: of its edges three, at least, lie on the lattice.

    The fourth may lead out of an exit.
    """
    left, top = (frames[:, :2] - core.origin).T / np.array([[core.pitch_x], [core.pitch_y]])
    right, bottom = (frames[:, 2:] - core.origin).T / np.array([[core.pitch_x], [core.pitch_y]])
    around = (left < OFF_EDGE) & (top < OFF_EDGE) & (right > core.cols - OFF_EDGE) & (bottom > core.rows - OFF_EDGE)
    edges = np.stack([left, top, right, bottom])
    on_lattice = (np.abs(edges - np.rint(edges)) < OFF_EDGE).sum(axis=0)
    large = np.minimum(right - left, bottom - top) > 3 - OFF_EDGE
    return bool((around & large & (on_lattice >= 3)).any())


def _same(a: Support, b: Support) -> bool:
    return abs(a.lattice.pitch_x / b.lattice.pitch_x - 1) < 0.02 and a.counts.shape == b.counts.shape


@dataclass(frozen=True)
class _Kind:
    """Boxes of one size: their width and height, the area they cover together, and where one of them stands."""

    width: float
    height: float
    area: float
    centre: tuple[float, float]


def _kinds(boxes: Boxes, most: int = 14) -> list[_Kind]:
    """The sizes of box that cover most area."""
    sides = boxes[:, 2:] - boxes[:, :2]
    logs = np.log(sides.astype(np.float32))
    apart = np.maximum(*(np.abs(log[:, None] - log) for log in logs.T))
    near = apart < ALIKE
    area = sides.prod(axis=1)
    votes = near @ area
    left = np.ones(len(boxes), np.bool_)
    kinds: list[_Kind] = []
    for i in np.argsort(-votes, kind="stable"):
        if not left[i]:
            continue
        left &= apart[i] >= ALIKE / 2  # boxes of about the same size have about the same neighbours
        wide, high = (float(v) for v in np.median(sides[near[i]], axis=0))
        if all(abs(math.log(wide / k.width)) > ALIKE or abs(math.log(high / k.height)) > ALIKE for k in kinds):
            centre = (float(boxes[i, [0, 2]].mean()), float(boxes[i, [1, 3]].mean()))
            kinds.append(_Kind(wide, high, float(votes[i]), centre))
        if len(kinds) == most:
            break
    return kinds


def _guesses(boxes: Boxes, frames: Boxes, most: int = 16) -> list[_Grid]:
    kinds = _kinds(boxes)
    guesses = [*_from_pairs(kinds), *_from_single(kinds), *_from_squares(boxes, kinds), *_from_frames(frames, kinds)]
    chosen: list[_Grid] = []
    for guess in sorted((g for g in guesses if g.plausible), key=lambda g: -g.votes):
        if not any(guess.like(other) for other in chosen):
            chosen.append(guess)
        if len(chosen) == most:
            break
    return chosen


def _from_pairs(kinds: Sequence[_Kind]) -> Iterator[_Grid]:
    """A lying block n × 1 and a standing one 1 × m (or a tile, n or m being 1) differ by whole cells on both axes."""
    for lying in kinds:
        for standing in kinds:
            wider, taller = lying.width - standing.width, standing.height - lying.height
            if wider <= 0 or taller <= 0:
                continue
            for n in (2, 3, 4):
                for m in (2, 3, 4):
                    pitch = (wider / (n - 1), taller / (m - 1))
                    gap = (pitch[0] - standing.width, pitch[1] - lying.height)
                    yield _Grid(pitch, gap, 2 * (lying.area + standing.area))


def _from_single(kinds: Sequence[_Kind]) -> Iterator[_Grid]:
    """A block alone tells the pitch when the gap is the same along both axes."""
    for kind in kinds:
        short, long = sorted((kind.width, kind.height))
        for n in (2, 3, 4):
            pitch = (long - short) / (n - 1)
            yield _Grid((pitch, pitch), (pitch - short, pitch - short), kind.area)


def _from_squares(boxes: Boxes, kinds: Sequence[_Kind]) -> Iterator[_Grid]:
    """Equal tiles beside one another tell the pitch by their distance."""
    sides = boxes[:, 2:] - boxes[:, :2]
    for kind in kinds:
        if max(kind.width, kind.height) > 1.15 * min(kind.width, kind.height):
            continue
        alike = boxes[(np.abs(np.log(sides / (kind.width, kind.height))) < 0.08).all(axis=1)]
        pitch = []
        for axis, side in ((0, kind.width), (1, kind.height)):
            away = np.abs(alike[:, None, axis] - alike[None, :, axis])
            beside = np.abs(alike[:, None, 1 - axis] - alike[None, :, 1 - axis]) < 0.2 * side
            away = away[beside & (away > 0.95 * side) & (away < 2.2 * side)]
            pitch.append(float(np.median(away[away < 1.2 * away.min()])) if len(away) else 0.0)
        pitch = [p or max(pitch) for p in pitch]
        yield _Grid((pitch[0], pitch[1]), (pitch[0] - kind.width, pitch[1] - kind.height), kind.area)


def _from_frames(frames: Boxes, kinds: Sequence[_Kind]) -> Iterator[_Grid]:
    """A frame holds a whole number of cells, and the block in it stands on them."""
    for left, top, right, bottom in frames:
        for kind in kinds[:8]:
            across = list(_divisions(right - left, kind.centre[0] - left, kind.width))
            down = list(_divisions(bottom - top, kind.centre[1] - top, kind.height))
            for px, gx, nx in across:
                for py, gy, ny in down:
                    if min(nx, ny) == 1 and max(nx, ny) in (2, 3) and abs(px / py - 1) < 0.06:
                        yield _Grid((px, py), (gx, gy), kind.area)


def _divisions(whole: float, centre: float, side: float) -> Iterator[tuple[float, float, int]]:
    """(pitch, gap, cells) for which a block of this side stands on the cells of a frame of this length."""
    for cells in range(3, MOST_CELLS - 1):
        pitch = whole / cells
        span = int(np.ceil(side / pitch - 0.05))
        place = centre / pitch - span / 2
        if 1 <= span <= 3 and abs(place - round(place)) < 0.8 * TIGHT and span * pitch - side < WIDEST_GAP * pitch:
            yield pitch, span * pitch - side, span


def _spans(boxes: Boxes, pitch: Floats, gap: Floats) -> tuple[Ints, NDArray[np.bool_]]:
    """How many cells (x, y) each box spans, and whether it is a block of whole cells one cell wide."""
    sides = (boxes[:, 2:] - boxes[:, :2] + gap) / pitch
    cells = np.rint(sides).astype(np.int64)
    whole = (np.abs(sides - cells) < 1.3 * TIGHT).all(axis=1)
    return cells, whole & (cells.min(axis=1) == 1) & (cells.max(axis=1) <= 6)


def _supported(boxes: Boxes, guess: _Grid) -> Support | None:
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
    counts = np.zeros((extent[1], extent[0]), np.float32)
    for (x, y), (w, h) in zip(place - low, cells, strict=True):
        counts[y : y + h, x : x + w] += 1
    near = cv2.dilate((counts > 0).astype(np.uint8), np.ones((3, 3), np.uint8))
    number, labels = cv2.connectedComponents(near, connectivity=4)
    sums = [float(counts[labels == n].sum()) for n in range(1, number)]
    inside = (labels == 1 + int(np.argmax(sums))) & (counts > 0)
    ys, xs = np.nonzero(inside)
    rows, cols = int(np.ptp(ys)) + 1, int(np.ptp(xs)) + 1
    if max(rows, cols) > MOST_CELLS:
        return None
    x, y = origin + (low + np.array([xs.min(), ys.min()])) * pitch
    kept = np.where(inside, counts, 0)[ys.min() : ys.min() + rows, xs.min() : xs.min() + cols]
    places = np.unique(np.column_stack([place - low - (xs.min(), ys.min()), cells]), axis=0)
    wide, high = places[:, 2:].T
    shapes = (int((wide > 1).sum()), int((high > 1).sum()), int(((wide == 1) & (high == 1)).sum()))
    share = float(inside.sum()) / (rows * cols)
    score = max(sums) * float(np.sqrt(pitch.prod())) * float(np.sqrt(share))
    return Support(
        Lattice((float(x), float(y)), float(pitch[0]), float(pitch[1]), rows, cols), score, kept, shapes, places
    )
