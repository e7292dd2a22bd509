"""A lattice from bars that are one cell broad and several long: where bars stand across tells the rows and columns.

Across its long axis a bar stands in the middle of its cells. Along it there is play: vehicles are drawn a little longer
or shorter than their cells and ahead of or behind their middle. So places across are fitted, places along only checked.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from pipeline.extract.bars import Bar
from pipeline.extract.lattice import Lattice

Floats = NDArray[np.float64]

ALIKE = 0.12
"""Bars of one lattice are equally broad within this share."""

PARALLEL = math.radians(3.5)
"""Bars of one lattice are parallel or square to one another within this angle."""

PITCH = (1.06, 1.7)
"""Pitch of the lattice ÷ breadth of its bars."""

ACROSS, ALONG = 0.12, 0.3
"""Farthest that a bar stands from the middle of its cells, across and along, in cells."""

OVERHANG, GAP = 0.3, 0.45
"""How much longer and shorter than its cells a bar may be, in cells."""

LENGTHS = (2, 4)
"""Cells."""

STIFF = 5.0
"""Uncertainty of a bar's place across (cells) ÷ that of the common direction of all bars (radians)."""

MOST_FAMILIES = 6
"""Sets of equally broad bars that are tried."""

FEWEST = 4
"""Bars that make a lattice."""


@dataclass(frozen=True)
class Placed:
    """A bar on a lattice: its top-left cell, its length in cells, whether it lies across (along a row).

    `off` is how far the bar's middle lies beyond the middle of its cells to the right or down, in cells.
    """

    row: int
    col: int
    length: int
    level: bool
    off: float
    bar: Bar

    def cells(self) -> list[tuple[int, int]]:
        """Its cells, top-left first."""
        return cells_of(self.row, self.col, self.length, level=self.level)


def cells_of(row: int, col: int, length: int, *, level: bool) -> list[tuple[int, int]]:
    """The cells of something `length` long from its top-left one on."""
    return [(row, col + i) if level else (row + i, col) for i in range(length)]


@dataclass(frozen=True, eq=False)
class BarLattice:
    """A lattice just large enough for its bars; `breadth` is theirs in cells, `error` RMS across in cells."""

    lattice: Lattice
    placed: tuple[Placed, ...]
    breadth: float
    error: float

    @property
    def weight(self) -> float:
        """Cells covered, more when the bars stand on many rows and columns and in both directions."""
        lines = {("row", p.row) if p.level else ("col", p.col) for p in self.placed}
        return sum(p.length for p in self.placed) * math.sqrt(len(lines)) * (1 - 4 * self.error)


def fit_bar_lattice(bars: Sequence[Bar]) -> BarLattice | None:
    """The lattice that most cells of bars agree on; None when there is no lattice of at least `FEWEST` bars."""
    best: BarLattice | None = None
    for group in _families(bars):
        found = _fitted(group)
        if found is not None and (best is None or found.weight > best.weight):
            best = found
    return best


def _families(bars: Sequence[Bar]) -> Iterator[list[Bar]]:
    """Sets of bars of one breadth that are parallel or square to one another, the largest first."""
    broad = np.array([b.short for b in bars])
    angle = np.array([b.angle for b in bars])
    if not len(bars):
        return
    alike = np.abs(np.log(broad[:, None] / broad[None])) < ALIKE
    turn = np.mod(angle[:, None] - angle[None] + np.pi / 4, np.pi / 2) - np.pi / 4
    alike &= np.abs(turn) < PARALLEL
    seen: list[NDArray[np.bool_]] = []
    for i in np.argsort(-alike.sum(axis=1), kind="stable"):
        members = alike[i]
        if members.sum() < FEWEST or len(seen) == MOST_FAMILIES:
            return
        if not any((members & other).sum() > 0.8 * members.sum() for other in seen):
            seen.append(members)
            yield [bars[int(j)] for j in np.flatnonzero(members)]


def _fitted(bars: Sequence[Bar]) -> BarLattice | None:
    quarter = np.array([np.exp(4j * b.angle) for b in bars])
    angle = float(np.angle(quarter.mean()) / 4)
    level = np.array([abs(math.cos(b.angle - angle)) > 0.7 for b in bars])
    middles = np.array([(b.x, b.y) for b in bars])
    long, broad = np.array([b.long for b in bars]), float(np.median([b.short for b in bars]))
    upright = _turned(middles, -angle)
    pitch, origin = _best_pitch(upright, long, level, broad * np.linspace(*PITCH, 73))
    start = _turned(np.array([origin]), angle)[0]
    lattice = Lattice((float(start[0]), float(start[1])), pitch, pitch, 1, 1, angle)
    placed: list[Placed] = []
    for _ in range(3):
        placed = _together([p for p in (place_bar(lattice, b) for b in bars) if p is not None])
        if len(placed) < FEWEST:
            return None
        lattice = _refined(lattice, placed)
    return _trimmed(lattice, placed, broad)


def _turned(points: Floats, angle: float) -> Floats:
    cos, sin = math.cos(angle), math.sin(angle)
    return np.column_stack([points[:, 0] * cos - points[:, 1] * sin, points[:, 0] * sin + points[:, 1] * cos])


def _best_pitch(
    middles: Floats, long: Floats, level: NDArray[np.bool_], pitches: Floats
) -> tuple[float, tuple[float, float]]:
    """The pitch and origin of the upright lattice on which bars agree along most pixels, the coarser of two equals.

    What is computed for all pitches (m) and bars (n) at once has shape m × n.
    """
    cells = np.maximum(1, np.rint(long / pitches[:, None] - 0.02))
    surplus = long / pitches[:, None] - cells
    whole = (cells >= LENGTHS[0]) & (cells <= LENGTHS[1]) & (surplus < OVERHANG) & (-surplus < GAP)
    off, origin = [], []
    for axis in (0, 1):
        along = level if axis == 0 else ~level
        spot = middles[:, axis] / pitches[:, None] - np.where(along, cells / 2, 0.5)
        phase = _phases(spot, np.where(along, 0.15, 1.0) * whole)
        off.append(np.abs(np.mod(spot - phase[:, None] + 0.5, 1) - 0.5))
        origin.append(phase * pitches)
    across, on = np.where(level, off[1], off[0]) / ACROSS, np.where(level, off[0], off[1]) / ALONG
    agree = whole & (across < 1) & (on < 1)
    covered = (agree * cells * (1 - 0.5 * across**2)).sum(axis=1) * pitches
    best = int(np.lexsort((-pitches, -np.round(covered / pitches[0], 2)))[0])
    return float(pitches[best]), (float(origin[0][best]), float(origin[1][best]))


def _phases(spot: Floats, weight: Floats) -> Floats:
    """The phase (m) of places modulo 1 (m × n) that most weight agrees on; no mean, which strays would pull."""
    first = np.argsort(-weight, axis=1, kind="stable")[:, :24]
    trials = np.take_along_axis(spot, first, axis=1)
    off = np.abs(np.mod(spot[:, None] - trials[:, :, None] + 0.5, 1) - 0.5)
    score = (weight[:, None] * np.exp(-((off / 0.06) ** 2))).sum(axis=2)
    seed = np.take_along_axis(trials, score.argmax(axis=1)[:, None], axis=1)
    away = np.mod(spot - seed + 0.5, 1) - 0.5
    near = (np.abs(away) < ACROSS) * weight
    mean: Floats = seed[:, 0] + (away * near).sum(axis=1) / np.maximum(1e-9, near.sum(axis=1))
    return mean


def place_bar(lattice: Lattice, bar: Bar) -> Placed | None:
    """The bar on the lattice (rows and columns may be negative); None when it does not stand on it."""
    pitch = (lattice.pitch_x + lattice.pitch_y) / 2
    level = abs(math.cos(bar.angle - lattice.angle)) > 0.7
    turn = math.remainder(bar.angle - lattice.angle, math.pi / 2)
    length = round(bar.long / pitch - 0.02)
    surplus = bar.long / pitch - length
    if abs(turn) > PARALLEL or not LENGTHS[0] <= length <= LENGTHS[1] or not -GAP < surplus < OVERHANG:
        return None
    down, right = lattice.place(bar.x, bar.y)
    row, col = down - (0.5 if level else length / 2), right - (length / 2 if level else 0.5)
    off = (col - round(col), row - round(row)) if level else (row - round(row), col - round(col))
    if abs(off[0]) > ALONG or abs(off[1]) > ACROSS:
        return None
    return Placed(round(row), round(col), length, level, off[0], bar)


def _refined(lattice: Lattice, placed: Sequence[Placed]) -> Lattice:
    """Least squares over the places across: a small turn, one pitch, an origin.

    The bars' own directions count as well, so that a few bars do not turn the lattice.
    """
    middles = _turned(np.array([(p.bar.x, p.bar.y) for p in placed]), -lattice.angle)
    level = np.array([p.level for p in placed])
    if level.all() or not level.any():
        return lattice
    cell = np.array([p.row if p.level else p.col for p in placed]) + 0.5
    turn = np.where(level, middles[:, 0], -middles[:, 1])
    design = np.column_stack([turn, cell, ~level, level]).astype(np.float64)
    design = np.vstack([design, [STIFF * lattice.pitch_x, 0, 0, 0]])
    want = np.append(np.where(level, middles[:, 1], middles[:, 0]), 0.0)
    if np.ptp(cell[level]) == 0 and np.ptp(cell[~level]) == 0:
        return lattice
    (slope, pitch, x, y), *_ = np.linalg.lstsq(design, want, rcond=None)
    angle = lattice.angle + math.atan(float(slope))
    if abs(pitch / lattice.pitch_x - 1) > 0.08 or abs(slope) > math.tan(PARALLEL):
        return lattice
    origin = _turned(np.array([[x, y]]), angle)[0]
    moved = replace(lattice, pitch_x=float(pitch), pitch_y=float(pitch), angle=angle)
    return replace(moved, origin=(float(origin[0]), float(origin[1])))


def _trimmed(lattice: Lattice, placed: Sequence[Placed], broad: float) -> BarLattice | None:
    """The lattice of the largest neighbourhood of bars, just large enough for them."""
    placed = [p for p in (place_bar(lattice, p.bar) for p in placed) if p is not None]
    together = _together(placed)
    return _around(lattice, together, broad / lattice.pitch_x) if len(together) >= FEWEST else None


def extended(fit: BarLattice, more: Sequence[Placed], *, alone: bool = False) -> BarLattice:
    """With further bars, placed on its lattice; or with these alone."""
    return _around(fit.lattice, list(more) if alone else [*fit.placed, *more], fit.breadth)


def _around(lattice: Lattice, placed: Sequence[Placed], breadth: float) -> BarLattice:
    """The lattice moved and cut so that it is just large enough for some bars."""
    cells = np.array([cell for p in placed for cell in p.cells()])
    low, high = cells.min(axis=0), cells.max(axis=0)
    rows, cols = (int(n) for n in high - low + 1)
    moved = lattice.block(int(low[0]), int(low[1]), rows, cols)
    own = tuple(replace(p, row=p.row - int(low[0]), col=p.col - int(low[1])) for p in placed)
    across = []
    for p in own:
        down, right = moved.place(p.bar.x, p.bar.y)
        across.append(down - p.row - 0.5 if p.level else right - p.col - 0.5)
    return BarLattice(moved, own, breadth, float(np.sqrt(np.mean(np.square(across)))))


REACH = 4
"""Cells between a bar and the nearest other one of its neighbourhood, at most."""


def _together(placed: Sequence[Placed]) -> list[Placed]:
    """The largest set of bars that are linked by at most `REACH` cells."""
    boxes = np.array([(*p.cells()[0], *p.cells()[-1]) for p in placed])
    if not len(boxes):
        return []
    gap_rows = np.maximum(boxes[:, None, 0] - boxes[None, :, 2], boxes[None, :, 0] - boxes[:, None, 2])
    gap_cols = np.maximum(boxes[:, None, 1] - boxes[None, :, 3], boxes[None, :, 1] - boxes[:, None, 3])
    near = np.maximum(gap_rows, gap_cols) <= REACH
    for _ in range(len(placed).bit_length()):
        near = (near.astype(np.int64) @ near.astype(np.int64)) > 0
    largest = near[int(np.argmax(near.sum(axis=1)))]
    return [p for p, kept in zip(placed, largest, strict=True) if kept]
