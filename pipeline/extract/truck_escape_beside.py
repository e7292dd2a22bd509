"""Which bars belong to the board: what stands far off on its lot does, buttons and what waits beside it do not."""

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from pipeline.extract.arrows import cut_patch
from pipeline.extract.bar_lattice import ALIKE, FEWEST, BarLattice, Placed, extended, place_bar
from pipeline.extract.bars import Bar
from pipeline.extract.colour import Lab
from pipeline.extract.lattice import Lattice
from pipeline.extract.truck_escape_floor import Floor
from pipeline.extract.truck_escape_fronts import OBVIOUS, Kin, own_cues
from pipeline.extract.truck_escape_vehicles import KIN, THERE, Found

RIM, FARTHEST = 0.35, 8
"""How much larger than a vehicle its surroundings are, and how far off the lattice it may stand, in cells."""


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
