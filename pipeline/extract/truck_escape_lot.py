"""The lot: a lattice, the vehicles on it with their fronts, its floor, and what seems to go on beyond them."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from pipeline.extract.bar_lattice import BarLattice, Placed, extended
from pipeline.extract.bars import Bar
from pipeline.extract.colour import Lab
from pipeline.extract.lattice import Lattice
from pipeline.extract.truck_escape_beside import far_away
from pipeline.extract.truck_escape_extent import Extent, look_for_edges
from pipeline.extract.truck_escape_floor import SAME_PAINT, Block, Cell, Floor, Thing, look_at_floor, things_left
from pipeline.extract.truck_escape_fronts import LAMPLIKE, OBVIOUS, RELATED, Cues, Kin, front_odds, own_cues
from pipeline.extract.truck_escape_hidden import reveal
from pipeline.extract.truck_escape_vehicles import LOT, Found, find_vehicles, paints
from pipeline.games.truck_escape import Heading

ADJOINING = 0.5
"""A thing less than this many cells off the lattice is part of the board whatever its paint."""

NEARBY = 2
"""Cells around the lattice in which a vehicle may be that the picture's edge cuts off."""

SHOWN = 0.5
"""Log-odds from which a vehicle shows something by itself."""

FRONTS = 0.7
"""Least share of the pieces of a board whose front must be plain, and of those that show lamps or an arrow."""

FEWEST = 3
"""Vehicles of a board."""


@dataclass(frozen=True, eq=False)
class Piece:
    """A vehicle as it was read: `odds` are the log-odds that its front is to the right or down."""

    found: Found
    odds: float
    cues: Cues

    @property
    def shows_rear(self) -> bool:
        """Whether red lamps show at the end that is not its front, and the front is plain."""
        return self.cues.red * math.copysign(1, self.odds) > LAMPLIKE and abs(self.odds) > OBVIOUS

    @property
    def heading(self) -> Heading:
        """Where it leaves."""
        if self.found.placed.level:
            return "right" if self.odds > 0 else "left"
        return "down" if self.odds > 0 else "up"


@dataclass(frozen=True, eq=False)
class Lot:
    """What stands on a lattice; at `doubtful` cells there may be the top-left ends of further vehicles."""

    fit: BarLattice
    floor: Floor
    pieces: tuple[Piece, ...]
    extent: Extent
    doubtful: tuple[Cell, ...]

    @classmethod
    def seen(cls, lab: Lab, bars: Sequence[Bar], fit: BarLattice) -> "Lot":
        """Look at the cells of a lattice, enlarged to the lot's edges and by vehicles far from the others."""
        floor = look_at_floor(lab, fit.lattice, fit.placed)
        if more := far_away(lab, bars, fit, floor):
            fit = extended(fit, more)
            floor = look_at_floor(lab, fit.lattice, fit.placed)
        extent = look_for_edges(floor, fit.placed, (fit.lattice.rows, fit.lattice.cols))
        if any(extent.lines):
            fit = extent.widened(fit)
            floor = look_at_floor(lab, fit.lattice, fit.placed)
        found, doubtful = reveal(lab, fit, floor, find_vehicles(lab, fit, floor))
        pieces = _with_fronts(found)
        if extent.is_seen:
            pieces = tuple(p for p in pieces if abs(p.odds) > OBVIOUS or not _is_outside(p.found.placed, fit.lattice))
        return cls(fit, floor, pieces, extent, tuple(doubtful))

    @property
    def found(self) -> list[Found]:
        """The vehicles."""
        return [p.found for p in self.pieces]

    @property
    def block(self) -> Block:
        """The cells of the board: those of all vehicles, up to the edges that are seen."""
        cells = [cell for f in self.found for cell in f.placed.cells()]
        return self.extent.block(cells, (self.fit.lattice.rows, self.fit.lattice.cols))

    def may_hold_buttons(self) -> bool:
        """Whether a vehicle shows no front by itself, or a bar of the lattice is no vehicle at all."""
        taken = {cell for p in self.placed for cell in p.cells()}
        plain = all(abs(p.cues.odds) > OBVIOUS for p in self.pieces)
        return not plain or any(taken.isdisjoint(p.cells()) for p in self.fit.placed)

    def is_beyond_edge(self, bar: Bar) -> bool:
        """Whether the lot's edge is seen on all sides and a bar's middle lies beyond it."""
        row, col = self.fit.lattice.place(bar.x, bar.y)
        return self.extent.is_seen and not (0 <= row < self.fit.lattice.rows and 0 <= col < self.fit.lattice.cols)

    def is_about_to_leave(self) -> bool:
        """Whether these are vehicles, most of which show where they go, along rows and along columns."""
        plain = sum(abs(p.odds) > OBVIOUS for p in self.pieces)
        shown = sum(abs(p.cues.odds) > SHOWN for p in self.pieces)
        both = len({f.placed.level for f in self.found}) == 2
        return len(self.pieces) >= FEWEST and both and min(plain, shown) >= FRONTS * len(self.pieces)

    def shows_arrows(self) -> bool:
        """Whether arrows say where most vehicles go: fronts alone do not say that they go that way only."""
        return sum(p.cues.arrow != 0 for p in self.pieces) >= FRONTS * len(self.pieces)

    def is_one_way(self) -> bool:
        """Whether all vehicles along rows point one way, and all along columns."""
        return len({p.heading for p in self.pieces}) <= 2

    def is_cut_off(self, size: tuple[int, ...]) -> bool:
        """Whether the edge of the picture, (height, width), cuts off what seems to be a vehicle of this lot."""
        cut = [t for t in self._things_nearby() if _cut_off(t, self.fit, size)]
        return any(_beyond(t, self.fit.lattice) < ADJOINING or self._has_paint(t) for t in cut)

    def goes_on(self) -> list[str]:
        """Questions about things beyond the vehicles, on the same ground and as broad or of their paint."""
        found = [f"Is there one more vehicle about row {row}, column {col}?" for row, col in self.doubtful]
        for thing in self._things_nearby():
            low, high = sorted((thing.height, thing.width))
            box = (thing.row - thing.height / 2, thing.col - thing.width / 2, thing.height, thing.width)
            across = thing.row if thing.width > thing.height else thing.col
            in_line = abs(across % 1 - 0.5) < 0.15 and 0.8 < low / self.fit.breadth < 1.2
            if not 0 <= _beyond(thing, self.fit.lattice) < ADJOINING or low < 0.5 or high < 1.2:
                continue
            if (in_line or self._has_paint(thing)) and self.floor.beside(box, self.floor.ground_and()) > LOT:
                place = f"row {thing.row:.0f}, column {thing.col:.0f}"
                found.append(f"What stands about {place}, beyond the other vehicles?")
        return found

    def may_be_longer(self) -> list[str]:
        """Questions about vehicles at whose end something as broad goes on: a cab that stands off from its box.

        Where that is so with few of them, those that end as the others do are whole.
        """
        open_ended = [piece for piece in self.pieces if self._goes_on_ahead(piece)]
        if open_ended and 2 * len(open_ended) < len(self.pieces):
            patches = [p.found.patch for p in open_ended]
            likeness = Kin.like([f.patch for f in self.found]).affinity(patches)
            open_ended = [p for p, kin in zip(open_ended, likeness, strict=True) if kin < RELATED]
        where = [p.found.placed for p in open_ended]
        return [f"Is the vehicle at row {p.row}, column {p.col} a cell longer?" for p in where]

    def _goes_on_ahead(self, piece: Piece) -> bool:
        """Whether something as broad goes on at an end of a vehicle; behind rear lamps none does."""
        placed, (down, right) = piece.found.placed, (0, 1) if piece.found.placed.level else (1, 0)
        for (row, col), sign in ((placed.cells()[0], -1), (placed.cells()[-1], 1)):
            ahead = (sign * down, sign * right)
            cell = (row + ahead[0], col + ahead[1])
            ended = piece.shows_rear and sign * piece.odds < 0
            if not ended and not any(cell in p.cells() for p in self.placed) and self.floor.is_broad(cell, ahead):
                return True
        return False

    @property
    def placed(self) -> list[Placed]:
        """Where the vehicles stand."""
        return [f.placed for f in self.found]

    def _things_nearby(self) -> list[Thing]:
        rows, cols = self.fit.lattice.rows, self.fit.lattice.cols
        nearby = (-NEARBY, -NEARBY, rows + 2 * NEARBY, cols + 2 * NEARBY)
        return things_left(self.floor, self.placed, nearby)

    def _has_paint(self, thing: Thing) -> bool:
        return self.floor.paint_of(thing, paints(self.found)) < SAME_PAINT


def _with_fronts(found: Sequence[Found]) -> tuple[Piece, ...]:
    """The vehicles in reading order, with their fronts."""
    found = sorted(found, key=lambda f: (f.placed.row, f.placed.col))
    cues = [own_cues(f.patch) for f in found]
    odds = front_odds([f.patch for f in found], cues)
    return tuple(Piece(*parts) for parts in zip(found, odds, cues, strict=True))


def _is_outside(placed: Placed, lattice: Lattice) -> bool:
    """Whether a cell of a vehicle lies beyond the lattice."""
    return any(not (0 <= row < lattice.rows and 0 <= col < lattice.cols) for row, col in placed.cells())


def _beyond(thing: Thing, lattice: Lattice) -> float:
    """How far a thing lies beyond the lattice, in cells; negative within it."""
    down = max(-thing.row, thing.row - lattice.rows) - thing.height / 2
    right = max(-thing.col, thing.col - lattice.cols) - thing.width / 2
    return max(down, right)


def _cut_off(thing: Thing, fit: BarLattice, size: tuple[int, ...]) -> bool:
    """Whether a thing as broad as a vehicle, in line with the lattice, is cut off by the edge of the picture.

    `size` is the picture's (height, width) in pixels.
    """
    # Vehicles beside it may hide a part of one that stands on the lattice.
    tight = (0.15, 0.8) if _beyond(thing, fit.lattice) > ADJOINING else (0.25, 0.5)
    for across, along, level in ((thing.row, thing.col, True), (thing.col, thing.row, False)):
        broad, long = (thing.height, thing.width) if level else (thing.width, thing.height)
        in_line = abs(across % 1 - 0.5) < tight[0] and tight[1] < broad / fit.breadth < 1.2 and long > 0.4
        for end in (along - long / 2 - 0.15, along + long / 2 + 0.15):
            x, y = fit.lattice.point(across, end) if level else fit.lattice.point(end, across)
            if in_line and thing.fill > tight[1] and not (0 <= x < size[1] and 0 <= y < size[0]):
                return True
    return False
