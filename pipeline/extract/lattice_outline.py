"""The lattice of a region whose outline runs along lattice lines: a floor plan, a union of equal cells.

The outline's upright and level pieces vote for pitch and phase by circular statistics. Opposite sides vote apart: where
raised walls hide a strip of the floor behind them, all left edges agree with one another and all right edges do, but
not the ones with the others. The lattice then settles by least squares with room for a vanishing point, so
that rows may grow towards the viewer.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from pipeline.extract.plan_lattice import PlanLattice

Floats = NDArray[np.float64]
Mask = NDArray[np.bool_]

MOST_CELLS = 42
APART_COUNTS = 0.88
"""What agreement counts when opposite sides agree among themselves only: more freedom, less proof."""
FINENESS = 10
"""Frequencies tried for each additional cell."""
LARGEST_SKEW, SKEW_COSTS = 0.36, 0.4
"""Largest |log(width / height)| of a cell, and the agreement it costs: cells are nearly square."""
RIVAL_WITHIN, MULTIPLE_WITHIN = 0.05, 0.05
"""Differences of agreement that decide nothing, between other lattices and between a pitch and its multiple."""
BLUR = 0.5
"""Pixels that a side may be off its line though nothing is wrong."""
MOST_OFF = 0.3
"""How far the region's ends may be from a line, in cells, for the number of cells between to be certain."""
STRAIGHT = 5
"""Pixels of a straight run from which on it counts as a side of a cell and not as a curve or noise."""


@dataclass(frozen=True)
class _Sides:
    """Outline pieces of one axis: the line each lies on, its middle across, its length, and which side is inside."""

    at: Floats
    across: Floats
    length: Floats
    opens: NDArray[np.bool_]


@dataclass(frozen=True)
class PlanFit:
    """A lattice and how well the outline agrees: 1 when every piece lies on its line, near 0 for chance.

    `clear` says that no other number of rows or columns agrees nearly as well.
    """

    lattice: PlanLattice
    fit: float
    clear: bool


def straightness(mask: Mask) -> float:
    """The share of a region's outline that runs straight along the axes."""
    whole = straight = 0
    for part in (mask, mask.T):
        edges = part[:, 1:] != part[:, :-1]
        whole += int(edges.sum())
        straight += int(_runs(edges).sum())
    # A slanted line has steps along both axes, a straight one along one only.
    return straight / whole if whole else 0.0


def fit_plan(mask: Mask, least_pitch: float = 7.0) -> PlanFit | None:
    """The lattice of a region's bounding box; None when its outline has too few straight pieces."""
    upright, level = _sides(mask), _sides(mask.T)
    if len(upright.at) < 2 or len(level.at) < 2:
        return None
    ys, xs = np.flatnonzero(mask.any(axis=1)), np.flatnonzero(mask.any(axis=0))
    box = (float(xs[0]), float(xs[-1] + 1)), (float(ys[0]), float(ys[-1] + 1))
    chosen = _pitches(upright, level, [high - low for low, high in box], least_pitch)
    if chosen is None:
        return None
    fit, pitches, clear = chosen
    first, count = [], []
    for sides, pitch, (low, high) in zip((upright, level), pitches, box, strict=True):
        phase = _phase(sides, pitch)
        start = round((low - phase) / pitch)
        first.append(phase + start * pitch)
        count.append(round((high - phase) / pitch) - start)
        off = max(abs((end - phase) / pitch - round((end - phase) / pitch)) for end in (low, high))
        clear &= off < MOST_OFF
    if min(count) < 1 or max(count) > MOST_CELLS:
        return None
    x = (first[0], pitches[0], 0.0, 0.0)
    y = (first[1], 0.0, pitches[1], 0.0)
    return PlanFit(_settled(PlanLattice(x, y, count[1], count[0]), upright, level), fit, clear)


def _runs(edges: Mask) -> Mask:
    """The part of a map of upright edge pixels that lies in runs of at least `STRAIGHT`."""
    kernel = np.ones((STRAIGHT, 1), np.uint8)
    return cv2.morphologyEx(edges.astype(np.uint8), cv2.MORPH_OPEN, kernel, borderValue=0).astype(bool)


def _sides(mask: Mask) -> _Sides:
    """The straight upright pieces of an outline."""
    parts = []
    padded = np.pad(mask, 1)
    for opens in (True, False):
        edges = (padded[:, 1:] > padded[:, :-1]) if opens else (padded[:, 1:] < padded[:, :-1])
        along = np.ascontiguousarray(np.pad(_runs(edges), ((1, 1), (0, 0))).T)
        changes = np.flatnonzero(along[:, 1:] != along[:, :-1])  # a run's start and its end by turns
        column, start = np.divmod(changes[::2], along.shape[1] - 1)
        end = changes[1::2] - column * (along.shape[1] - 1)
        parts.append((column, (start + end) / 2 - 1, end - start, np.full(len(column), opens)))
    at, across, length, side = (np.concatenate(values) for values in zip(*parts, strict=True))
    return _Sides(at.astype(np.float64), across.astype(np.float64), length.astype(np.float64), side)


def _pitches(
    upright: _Sides, level: _Sides, extents: Sequence[float], least: float
) -> tuple[float, tuple[float, float], bool] | None:
    """The agreement of the best pair of pitches, the pair, and whether no other number of cells comes close."""
    tables, misfits = [], []
    for sides, extent in zip((upright, level), extents, strict=True):
        if extent < 2 * least:
            return None
        steps = int(FINENESS * extent)
        chosen = np.arange(int(FINENESS / 1.02), min(int(steps / least), FINENESS * MOST_CELLS) + 1)
        agreement, misfit = _agreement(sides, steps)
        tables.append((chosen / steps, agreement[chosen]))
        misfits.append(misfit[chosen])
    (fx, ax), (fy, ay) = tables
    skew = np.log(fy)[:, None] - np.log(fx)
    np.abs(skew, out=skew)
    joint = (ax + ay[:, None]) / 2
    joint -= SKEW_COSTS * skew
    joint[skew >= LARGEST_SKEW] = 0
    row, col = divmod(int(joint.argmax()), joint.shape[1])
    if joint[row, col] <= 0:
        return None
    row, col = _coarsest(joint, (fy, fx), row, col)
    # Misfit grows with the square of the spread: a rival is one whose sides are not even twice as far off their lines.
    blur = (2 * np.pi * BLUR) ** 2 * (fx[col] ** 2 + fy[row] ** 2) / 4
    misfit = sum(table[where] for table, where in zip(misfits, (col, row), strict=True)) / 2
    rivals = joint > joint[row, col] - min(RIVAL_WITHIN, 3 * max(float(misfit), float(blur)))
    clear = not any(
        _other_count(frequencies[where], frequencies[best] * extent, extent).any()
        for frequencies, where, best, extent in (
            (fy, rivals.any(axis=1), row, extents[1]),
            (fx, rivals.any(axis=0), col, extents[0]),
        )
    )
    return float(ax[col] + ay[row]) / 2, (float(1 / fx[col]), float(1 / fy[row])), clear


def _other_count(frequencies: Floats, count: float, extent: float) -> Mask:
    """Which frequencies mean a number of cells that is clearly another one, but no finer cut of the same cells."""
    counts = frequencies * extent
    return np.asarray((np.abs(counts - count) > 0.75) & (counts < 1.8 * count))


def _coarsest(joint: Floats, frequencies: tuple[Floats, Floats], row: int, col: int) -> tuple[int, int]:
    """The largest multiple of the best pitches that fits within a hair: every fraction of a fitting pitch fits too."""
    fy, fx = frequencies
    best, found = joint[row, col], (row, col)
    for times in range(2, 9):
        near = np.ix_(np.abs(fy / fy[row] * times - 1) < 0.04, np.abs(fx / fx[col] * times - 1) < 0.04)
        part = joint[near]
        if part.size and part.max() >= best - MULTIPLE_WITHIN:
            up, over = divmod(int(part.argmax()), part.shape[1])
            found = int(near[0][up, 0]), int(near[1][0, over])
    return found


def _agreement(sides: _Sides, steps: int) -> tuple[Floats, Floats]:
    """Mean resultant length of the phases at frequencies k / `steps` per pixel, k = 0, 1 …, and what it lacks to 1.

    That of all sides, or a little less of opposite sides apart (which lacks nothing for being less).
    """
    waves = []
    for opens in (True, False):
        chosen = sides.opens == opens
        waves.append(np.fft.rfft(np.bincount(sides.at[chosen].astype(np.intp), sides.length[chosen], 1), steps))
    together, apart = np.abs(waves[0] + waves[1]), np.abs(waves[0]) + np.abs(waves[1])
    length = sides.length.sum()
    joined, split = together / length, APART_COUNTS * apart / length
    return np.maximum(joined, split), np.where(joined >= split, 1 - joined, APART_COUNTS - split)


def _phase(sides: _Sides, pitch: float) -> float:
    """Where the lines are: halfway between where one side puts them and where the other does."""
    turns = [
        np.exp(2j * np.pi * sides.at[sides.opens == opens] / pitch) @ sides.length[sides.opens == opens]
        for opens in (True, False)
    ]
    units = [turn / abs(turn) if abs(turn) > 1e-9 else 0 for turn in turns]
    return float(np.angle(sum(units))) * pitch / (2 * np.pi)


def _settled(rough: PlanLattice, upright: _Sides, level: _Sides) -> PlanLattice:
    """Least squares over the line that each piece lies on; opposite sides may be off by a constant each."""
    lattice = rough
    for _ in range(2):
        wide, high = lattice.pitch
        fitted = []
        for axis, sides in enumerate((upright, level)):
            own, other = (lattice.x, lattice.y) if axis == 0 else (lattice.y, lattice.x)
            along, across = (own[1], other[2]) if axis == 0 else (own[2], other[1])
            place = (sides.across - other[0]) / across
            skew = own[2] if axis == 0 else own[1]
            line = np.rint((sides.at - own[0] - skew * place) / (along + own[3] * place))
            fitted.append(_line_fit(sides, line, place, own if axis == 0 else (own[0], own[2], own[1], own[3])))
        x, y = fitted
        lattice = PlanLattice(x, (y[0], y[2], y[1], y[3]), rough.rows, rough.cols)
        if not (0.7 < lattice.pitch[0] / wide < 1.43 and 0.7 < lattice.pitch[1] / high < 1.43):
            return rough
    return lattice


def _line_fit(
    sides: _Sides, line: Floats, place: Floats, old: tuple[float, float, float, float]
) -> tuple[float, float, float, float]:
    """Coefficients of 1, line, place, line · place; the old ones where there are too few pieces to tell."""
    if len(line) < 8 or np.ptp(line) == 0 or len(set(sides.opens.tolist())) < 2:
        return old
    opens = np.where(sides.opens, 0.5, -0.5)
    span = max(1.0, float(np.ptp(line)))
    design = np.column_stack([np.ones(len(line)), line, place, line * place, opens])
    # A little prior keeps skew and taper at zero unless several pieces speak for them.
    prior = np.diag([0.0, 0.0, span, span, 0.0]) * 3
    weight = np.sqrt(sides.length)[:, None]
    left = np.vstack([design * weight, prior])
    right = np.concatenate([sides.at * weight[:, 0], np.zeros(5)])
    a, b, c, d, _ = np.linalg.lstsq(left, right, rcond=None)[0]
    return float(a), float(b), float(c), float(d)
