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
from pipeline.extract.bar_lattice import ALIKE, FEWEST, LENGTHS, BarLattice, Placed, cells_of, extended, place_bar
from pipeline.extract.bars import Bar
from pipeline.extract.colour import Lab, distance, median_colour
from pipeline.extract.lattice import Lattice
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

BLANK, DRAWN = 8.0, 0.97
"""ΔE from its usual colour that a bar stays below, on all but the rest of this share, when nothing is drawn on it."""

Place = tuple[tuple[int, int], int, bool]
"""Top-left cell, length, and whether it lies along a row."""

RIM, FARTHEST = 0.35, 8
"""How much larger than a vehicle its surroundings are, and how far off the lattice it may stand, in cells."""


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
    known = _cut_anew(lab, fit, known, references)
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


def _cut_anew(lab: Lab, fit: BarLattice, known: Sequence[Found], references: Kin) -> list[Found]:
    """With vehicles that were cut wrongly cut as the others are, a cell shorter too, where that is more like others.

    A bar of an odd length is one that touches another of its paint: it may hold a part of that. A long one that is
    unlike the others may hold a cell of the floor.
    """
    surplus = np.array([f.placed.bar.long / fit.lattice.pitch_x - f.placed.length for f in known])
    likeness = references.affinity([f.patch for f in known])
    odd = np.abs(surplus - np.median(surplus)) > MISCUT
    unlike = (likeness < KIN) & (np.array([f.placed.length for f in known]) > LENGTHS[0])
    result = []
    for found, before, doubtful in zip(known, likeness, odd | unlike, strict=True):
        cuts = best_windows(lab, fit, _cuts(found.placed), references) if doubtful else []
        best = max(cuts, key=lambda f: f.sure, default=found)
        if best is found or best.sure <= before:
            result.append(found)
        else:
            result.append(judged(best) if best.placed.length < found.placed.length else replace(best, sure=found.sure))
    return result


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


def without_buttons(lab: Lab, fit: BarLattice) -> tuple[BarLattice, list[Bar]]:
    """The lattice of the bars that show a front or look like one that does, and of those among them; and the others.

    Buttons are bars too, and may stand on the lattice by chance.
    """
    patches = [cut_patch(lab, p.bar, level=p.level) for p in fit.placed]
    fronts = [abs(own_cues(patch).odds) > OBVIOUS for patch in patches]
    if sum(fronts) < FEWEST:
        return fit, []
    likeness = Kin.like([patch for patch, front in zip(patches, fronts, strict=True) if front]).affinity(patches)
    shown = [p for p, front, kin in zip(fit.placed, fronts, likeness, strict=True) if front or kin >= KIN]
    core = extended(fit, shown, alone=True)
    moved = [place_bar(core.lattice, p.bar) for p in fit.placed]
    near = [p for p in moved if p is not None and _gap(p, core.lattice) <= 0]
    apart = [p.bar for p in fit.placed if all(p.bar is not q.bar for q in near)]
    return (extended(core, near, alone=True), apart) if apart else (fit, [])


def far_away(lab: Lab, bars: Sequence[Bar], fit: BarLattice, floor: Floor) -> list[Placed]:
    """Bars on the lattice but too far off to count for it, that stand on the lot's floor and show a front."""
    found = []
    taken = {cell for p in fit.placed for cell in p.cells()}
    for bar in bars:
        placed = place_bar(fit.lattice, bar) if _as_broad(bar, fit) else None
        if placed is None or not taken.isdisjoint(placed.cells()) or _gap(placed, fit.lattice) > FARTHEST:
            continue
        shown = own_cues(cut_patch(lab, bar, level=placed.level)).odds
        if abs(shown) > OBVIOUS and on_ground(lab, bar, fit, floor):
            found.append(placed)
            taken.update(placed.cells())
    return found


def on_ground(lab: Lab, bar: Bar, fit: BarLattice, floor: Floor) -> bool:
    """Whether what surrounds a bar is the lot's floor."""
    rim = RIM * fit.lattice.pitch_x
    level = abs(math.cos(bar.angle - fit.lattice.angle)) > 0.7
    around = cut_patch(lab, replace(bar, long=bar.long + rim, short=bar.short + rim), level=level)
    edge = np.concatenate([around[[0, 1, -2, -1]].reshape(-1, 3), around[2:-2, [0, 1, -2, -1]].reshape(-1, 3)])
    return floor.ground(edge) >= THERE


def _as_broad(bar: Bar, fit: BarLattice) -> bool:
    return abs(math.log(bar.short / fit.lattice.pitch_x / fit.breadth)) < ALIKE


def _gap(placed: Placed, lattice: Lattice) -> int:
    """How many cells there are between a vehicle and the lattice; below 0 when they overlap."""
    top, left, bottom, right = *placed.cells()[0], *placed.cells()[-1]
    return max(top - lattice.rows, -bottom - 1, left - lattice.cols, -right - 1)


def strays(lab: Lab, bars: Sequence[Bar], fit: BarLattice, found: Sequence[Found]) -> list[Bar]:
    """Bars that look like vehicles of the board and are none of them, nor two that touch."""
    taken = {cell for f in found for cell in f.placed.cells()}
    alike = [b for b in bars if _as_broad(b, fit) and not taken.issuperset(_cells_along(b, fit.lattice))]
    alike = [b for b in alike if all(_apart(b, f.placed.bar) for f in found)]
    if not alike or len(found) < 2:
        return []
    patches = [cut_patch(lab, b, level=abs(math.cos(b.angle - fit.lattice.angle)) > 0.7) for b in alike]
    likeness = Kin.like([f.patch for f in found]).affinity(patches)
    return [b for b, value in zip(alike, likeness, strict=True) if value >= KIN]


def _apart(one: Bar, other: Bar) -> bool:
    return math.hypot(one.x - other.x, one.y - other.y) > 0.6 * other.short


def _cells_along(bar: Bar, lattice: Lattice) -> list[tuple[int, int]]:
    """The cells that the middle line of a bar crosses."""
    along = np.linspace(-0.4, 0.4, 7) * bar.long
    places = [lattice.place(bar.x + a * math.cos(bar.angle), bar.y + a * math.sin(bar.angle)) for a in along]
    return [(math.floor(row), math.floor(col)) for row, col in places]
