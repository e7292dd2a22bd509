"""Vehicles that were cut too short, and those that hardly stand out from the ground.

A cab may be of another colour than the box behind it: what was found is the box alone, and the cab is a thing before
it. And a vehicle may be of the ground's colour: only its arrow or its windows are seen as things.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import product
from typing import NamedTuple

from pipeline.extract.bar_lattice import BarLattice, cells_of
from pipeline.extract.colour import Lab
from pipeline.extract.truck_escape_floor import Cell, Floor, things_left
from pipeline.extract.truck_escape_fronts import OBVIOUS, Kin, own_cues
from pipeline.extract.truck_escape_vehicles import KIN, THERE, Found, Place, best_windows, judged

LIKELIER = 0.1
"""How much more like the other vehicles one must be with a further cell to be taken to be so long."""

LONGEST = 3
"""Cells up to which a vehicle is lengthened."""

MAYBE, PLAIN = 0.6, 2 * OBVIOUS
"""Likeness to known vehicles from which a window is asked about; and log-odds of a front that two cues make plain."""

ENDS_SEEN = 0.93
"""Probability of a lengthened vehicle with lamps at both ends, however little it is like shorter ones."""

LENGTHS = (2, 3)


class Revealed(NamedTuple):
    """All vehicles, and where another may stand (first cell of each)."""

    found: list[Found]
    doubtful: list[Cell]


def reveal(lab: Lab, fit: BarLattice, floor: Floor, found: Sequence[Found]) -> Revealed:
    """The vehicles of a lattice, each as long as it is, with those that hardly stand out from the ground."""
    if len(found) < 2:
        return Revealed(list(found), [])
    references = Kin.like([f.patch for f in found])
    whole = list(found)
    for index, known in enumerate(found):
        whole[index] = _lengthened(lab, fit, floor, known, whole, references)
    return _with_hidden(lab, fit, floor, whole, references)


def _lengthened(
    lab: Lab, fit: BarLattice, floor: Floor, known: Found, found: Sequence[Found], references: Kin
) -> Found:
    """A vehicle with the cell before or behind it, where it is more like the others with that."""
    placed = known.placed
    if placed.length >= LONGEST:
        return known
    down, right = (0, 1) if placed.level else (1, 0)
    first, last = placed.cells()[0], placed.cells()[-1]
    before, behind = (first[0] - down, first[1] - right), (last[0] + down, last[1] + right)
    free = [c for c in (before, behind) if _is_free(c, fit, found) and floor.share([c]) >= THERE]
    places: list[Place] = [(min(first, c), placed.length + 1, placed.level) for c in free]
    longer = max(best_windows(lab, fit, places, references), key=lambda f: f.sure, default=None)
    own = float(references.affinity([known.patch])[0])
    if longer is None or longer.sure <= own + LIKELIER:
        return known
    least = ENDS_SEEN if own_cues(longer.patch).shows_both_ends else 0.0
    return replace(judged(longer), sure=max(judged(longer).sure, least))


def _with_hidden(lab: Lab, fit: BarLattice, floor: Floor, found: Sequence[Found], references: Kin) -> Revealed:
    """With further vehicles of which only parts are seen as things: they look like the others and show a front."""
    block = (0, 0, fit.lattice.rows, fit.lattice.cols)
    things = {t.cell for t in things_left(floor, [f.placed for f in found], block)}
    windows = best_windows(lab, fit, list(_places(things, fit, found)), references)
    shown = [w for w in windows if w.sure > MAYBE and abs(own_cues(w.patch).odds) > PLAIN]
    everything, doubtful = list(found), list[Cell]()
    taken = {cell for f in found for cell in f.placed.cells()}
    for window in sorted(shown, key=lambda w: -w.sure):
        cells = window.placed.cells()
        if taken.isdisjoint(cells):
            taken.update(cells)
            if window.sure >= KIN:
                everything.append(judged(window))
            else:
                doubtful.append(cells[0])
    return Revealed(everything, doubtful)


def _places(things: set[Cell], fit: BarLattice, found: Sequence[Found]) -> Iterator[Place]:
    """Where a vehicle could stand on free cells, one of which holds a thing."""
    for (row, col), length, level in product(sorted(things), LENGTHS, (True, False)):
        for back in range(length):
            start = (row, col - back) if level else (row - back, col)
            cells = cells_of(*start, length, level=level)
            # Of several things in one window the first alone gives it.
            if all(_is_free(c, fit, found) for c in cells) and things.isdisjoint(cells[:back]):
                yield start, length, level


def _is_free(cell: Cell, fit: BarLattice, found: Sequence[Found]) -> bool:
    inside = 0 <= cell[0] < fit.lattice.rows and 0 <= cell[1] < fit.lattice.cols
    return inside and all(cell not in f.placed.cells() for f in found)
