"""All vehicles of a board: the bars on its lattice, and those that touch others of their paint or have none.

What looks like the vehicles that are known, on cells where things stand, is a vehicle as well; so is a thing that is
exactly as large as one.
"""

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import product

import numpy as np

from pipeline.extract.arrows import cut_patch
from pipeline.extract.bar_lattice import LENGTHS, BarLattice, Placed, cells_of
from pipeline.extract.bars import Bar
from pipeline.extract.colour import Lab, distance, median_colour
from pipeline.extract.truck_escape_floor import Floor, things_left
from pipeline.extract.truck_escape_fronts import OBVIOUS, Kin, own_cues

THERE = 0.5
"""Least share of the middle of a vehicle's cells that things cover."""

KIN, TWIN = 0.8, 0.9
"""Least likeness to known vehicles of a further one; and of one of another paint beyond the lattice."""

LOT, OPEN, PAINTED = 0.35, 0.65, 0.1
"""Beyond the lattice's border other things are drawn: there floor must be on a share of `OPEN` of what surrounds a
vehicle that shows its front, or on one of `LOT` if a share of `PAINTED` of each cell is of a known vehicle's paint."""

MISCUT = 0.12
"""Cells that a vehicle is longer or shorter than usual when it was cut wrongly: it touches others of its paint."""

MOSTLY = 0.6
"""Share of a cell that a vehicle's paint covers where a plain part of it stands there."""

BLANK, DRAWN = 8.0, 0.97
"""ΔE from its usual colour that a bar stays below, on all but the rest of this share, when nothing is drawn on it."""

Place = tuple[tuple[int, int], int, bool]
"""Top-left cell, length, and whether it lies along a row."""


@dataclass(frozen=True, eq=False)
class Found:
    """A vehicle, its patch and the probability that one stands just there."""

    placed: Placed
    patch: Lab
    sure: float


def is_blank(lab: Lab, bar: Bar) -> bool:
    """Whether nothing is drawn on a bar: what lies between the lines of a floor is such a bar, and no vehicle is."""
    inner = cut_patch(lab, bar, level=True)[3:-3, 3:-3]
    return float(np.quantile(distance(inner, median_colour(inner)), DRAWN)) < BLANK


def find_vehicles(lab: Lab, fit: BarLattice, floor: Floor) -> list[Found]:
    """The vehicles of a lattice, in no order; their rows and columns may lie up to `MARGIN` beyond it."""
    known = _standing(lab, fit.placed, floor)
    if len(known) < 2:
        return known
    references = Kin.like([f.patch for f in known])
    known = _cut_anew(lab, fit, floor, known, references)
    found = [part for f in known for part in _halved(lab, fit, f, references)]
    found += _alike(lab, fit, floor, found, references)
    return found + _as_large(lab, fit, floor, found, references)


def _standing(lab: Lab, placed: Sequence[Placed], floor: Floor) -> list[Found]:
    """The bars that stand on the floor, the one most like the others where several overlap."""
    there = [p for p in placed if floor.share(p.cells()) >= THERE]
    patches = [cut_patch(lab, p.bar, level=p.level) for p in there]
    if len(there) < 2:
        return []
    ranked = np.argsort(-Kin.like(patches).affinity(patches), kind="stable")
    kept: list[Found] = []
    taken: set[tuple[int, int]] = set()
    for i in ranked:
        if taken.isdisjoint(there[i].cells()):
            taken.update(there[i].cells())
            kept.append(Found(there[i], patches[i], _sure(there[i])))
    return kept


def _cut_anew(lab: Lab, fit: BarLattice, floor: Floor, known: Sequence[Found], references: Kin) -> list[Found]:
    """With vehicles that were cut wrongly cut as the others are, a cell shorter too, where that is more like others.

    A bar of an odd length is one that touches another of its paint: it may hold a part of that. A long one that is
    unlike the others may hold a cell of the floor, unless its paint shows at both of its ends.
    """
    surplus = np.array([f.placed.bar.long / fit.lattice.pitch_x - f.placed.length for f in known])
    likeness = references.affinity([f.patch for f in known])
    odd = np.abs(surplus - np.median(surplus)) > MISCUT
    unlike = likeness < KIN
    unlike &= [f.placed.length > LENGTHS[0] and not _is_painted(f, floor) for f in known]
    result = []
    for found, before, doubtful in zip(known, likeness, odd | unlike, strict=True):
        cuts = best_windows(lab, fit, _cuts(found.placed), references) if doubtful else []
        best = max(cuts, key=lambda f: f.sure, default=found)
        if best is found or best.sure <= before:
            result.append(found)
        else:
            result.append(judged(best) if best.placed.length < found.placed.length else replace(best, sure=found.sure))
    return result


def _is_painted(found: Found, floor: Floor) -> bool:
    """Whether a vehicle's paint covers most of its first and of its last cell."""
    cells = found.placed.cells()
    return min(floor.painted(*cell, paints([found])) for cell in (cells[0], cells[-1])) > MOSTLY


def _cuts(placed: Placed) -> list[Place]:
    """A bar's own place, and those of vehicles a cell shorter that it may hold."""
    cells, shorter = placed.cells(), placed.length - 1
    starts = cells[:2] if shorter >= LENGTHS[0] else []
    return [(cells[0], placed.length, placed.level), *((cell, shorter, placed.level) for cell in starts)]


def _sure(placed: Placed) -> float:
    return 0.995 - 0.5 * max(0.0, abs(placed.off) - 0.2)


def _halved(lab: Lab, fit: BarLattice, found: Found, references: Kin) -> Iterator[Found]:
    """Four cells of one paint may be two vehicles nose to tail: two when both halves look like vehicles."""
    placed = found.placed
    if placed.length != 4:
        yield found
        return
    halves = [(cell, 2, placed.level) for cell in placed.cells()[::2]]
    first, second = best_windows(lab, fit, halves, references)
    if min(first.sure, second.sure) >= KIN:
        yield from (judged(first), judged(second))
    else:
        yield replace(found, sure=min(found.sure, 1.2 - min(first.sure, second.sure)))


def _window(fit: BarLattice, cell: tuple[int, int], length: int, off: float, *, level: bool) -> Placed:
    """A vehicle of the usual size at a place."""
    surplus = float(np.median([p.bar.long / fit.lattice.pitch_x - p.length for p in fit.placed]))
    half = (0.5, length / 2 + off) if level else (length / 2 + off, 0.5)
    x, y = fit.lattice.point(cell[0] + half[0], cell[1] + half[1])
    pitch, angle = fit.lattice.pitch_x, fit.lattice.angle + (0 if level else math.pi / 2)
    bar = Bar(x, y, (length + surplus) * pitch, fit.breadth * pitch, angle, 1.0)
    return Placed(cell[0], cell[1], length, level, off, bar)


def best_windows(lab: Lab, fit: BarLattice, places: Sequence[Place], references: Kin) -> list[Found]:
    """The window at each place, moved along as the known vehicles are; `sure` is its likeness to them for now."""
    usual = float(np.median([abs(p.off) for p in fit.placed]))
    offs = (0.0,) if usual < 0.04 else (-usual, 0.0, usual)
    windows = [_window(fit, cell, length, off, level=level) for cell, length, level in places for off in offs]
    if not windows:
        return []
    patches = [cut_patch(lab, w.bar, level=w.level) for w in windows]
    likeness = references.affinity(patches).reshape(-1, len(offs))
    picks = likeness.argmax(axis=1) + np.arange(len(likeness)) * len(offs)
    return [Found(windows[i], patches[i], float(likeness.flat[i])) for i in picks]


def judged(found: Found) -> Found:
    """With likeness turned into the probability that a vehicle stands there."""
    return replace(found, sure=float(np.clip(0.9 + (found.sure - KIN) / 2, 0, 0.99)))


def _alike(lab: Lab, fit: BarLattice, floor: Floor, known: Sequence[Found], references: Kin) -> list[Found]:
    """Further windows that look like known vehicles, the most alike first, none on another."""
    taken = {cell for f in known for cell in f.placed.cells()}
    open_cells = floor.open_cells(THERE) - taken
    lengths = sorted({2, 3} | {f.placed.length for f in known})
    ground = floor.ground_and([f.placed for f in known])
    around = {
        (cell, length, level): floor.beside(_box(cell, length, level=level), ground)
        for cell, length, level in product(sorted(open_cells), lengths, (True, False))
        if open_cells.issuperset(_cells((cell, length, level)))
    }
    colours = paints(known)
    painted = {cell for cell in open_cells if floor.painted(*cell, colours) > PAINTED}
    sure = {p: _within(p, fit) or (share > LOT and painted.issuperset(_cells(p))) for p, share in around.items()}
    places = [p for p, share in around.items() if sure[p] or share > OPEN]
    ranked = []
    for place, found in zip(places, best_windows(lab, fit, places, references), strict=True):
        if found.sure >= KIN if sure[place] else found.sure > TWIN and abs(own_cues(found.patch).odds) > OBVIOUS:
            # A window that is too short or stands askew has more of the vehicle around it.
            ranked.append((found.sure + around[place] / 2, found))
    chosen: list[Found] = []
    for _, found in sorted(ranked, key=lambda pair: -pair[0]):
        if taken.isdisjoint(found.placed.cells()):
            taken.update(found.placed.cells())
            chosen.append(judged(found))
    return chosen


def _box(cell: tuple[int, int], length: int, *, level: bool) -> tuple[float, float, float, float]:
    high, wide = (1, length) if level else (length, 1)
    return *cell, high, wide


def _cells(place: Place) -> list[tuple[int, int]]:
    return cells_of(*place[0], place[1], level=place[2])


def _within(place: Place, fit: BarLattice) -> bool:
    cells = _cells(place)
    return all(0 <= row < fit.lattice.rows and 0 <= col < fit.lattice.cols for row, col in (cells[0], cells[-1]))


def paints(found: Iterable[Found]) -> Lab:
    """The usual colour of each vehicle, n × 3."""
    return np.array([median_colour(f.patch[::2, ::2]) for f in found], np.float32)


def _as_large(lab: Lab, fit: BarLattice, floor: Floor, known: Sequence[Found], references: Kin) -> list[Found]:
    """Things as broad and as long as vehicles that stand on free cells of the lattice."""
    taken = {cell for f in known for cell in f.placed.cells()}
    found = []
    for thing in things_left(floor, [f.placed for f in known]):
        level = thing.width > thing.height
        long, broad = max(thing.width, thing.height), min(thing.width, thing.height)
        length = round(long)
        if length not in (2, 3) or abs(long - length) > 0.35 or thing.fill < 0.75:
            continue
        if not 0.85 * fit.breadth <= broad <= 1.2 * fit.breadth:
            continue
        row = thing.row - (0.5 if level else length / 2)
        col = thing.col - (length / 2 if level else 0.5)
        placed = _window(fit, (round(row), round(col)), length, 0.0, level=level)
        inside = all(0 <= r < fit.lattice.rows and 0 <= c < fit.lattice.cols for r, c in placed.cells())
        if inside and taken.isdisjoint(placed.cells()):
            (best,) = best_windows(lab, fit, [((placed.row, placed.col), length, level)], references)
            found.append(replace(best, sure=0.93))
    return found
