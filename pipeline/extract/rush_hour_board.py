"""From a rough lattice to a board: its extent, its empty cells, its vehicles."""

import math
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import astuple, dataclass, replace
from functools import cached_property

import numpy as np

from pipeline.extract.image import Pixels
from pipeline.extract.lattice import Lattice
from pipeline.extract.rush_hour_borders import LONE, View, best_cut, costs_alone, seen_borders, views
from pipeline.extract.rush_hour_cells import FREE, Bools, Cells, Floor, alike_groups, floor_of, with_outlined
from pipeline.extract.rush_hour_extent import SIDES, Field, FieldTooSmall, Sides, Span, extent, goes_on
from pipeline.extract.rush_hour_glance import could_be_vehicles
from pipeline.extract.rush_hour_lattice import Support, within
from pipeline.extract.rush_hour_tiling import Cell, Cut, Piece, cut_pieces

AROUND = 3
"""How many lines of cells around few supported ones are searched for the empty cells."""

BEYOND = (1, AROUND, 6)
"""How many lines of cells beyond the supported ones are looked at on each side: at first, and while cells go on."""

FLOORS = 3
"""How many groups of cells may be the empty ones."""

TAKEN = 0.45
"""Share of a cell's middle unlike the floor from which on it is occupied."""

COSTLY = 0.35
"""Cost per cell from which the occupied cells are no set of vehicles."""

OVER = 0.12
"""How far, in cells, the outermost cells of a board may reach beyond the picture."""


@dataclass(frozen=True, eq=False)
class Parse:
    """One reading of a picture as a board.

    `ring` holds the board's cells and one line of cells around it. `bounded` says for left, top, right, bottom whether
    an edge is drawn where the board ends. `goes_on` names sides beyond which cells seem to go on.
    `gaps` tells for the borders between columns and between rows whether floor shows there.
    `unrest` is what the floor costs for not being the same everywhere.
    `unclear` cells are neither like the floor nor much unlike it.
    `alone` gives for each occupied cell what it costs if it belongs to no vehicle.
    `contested`: with other cells as the empty ones there is a board as well.
    `view` is the reading of the borders that gave the cut, `others` are those it was preferred to.
    """

    cells: Cells
    ring: Cells
    cut: Cut
    gaps: tuple[Bools, Bools]
    unrest: float
    bounded: Sides
    view: "View"
    alone: dict[Cell, float]
    unclear: tuple[Cell, ...]
    others: tuple["View", ...]
    goes_on: tuple[str, ...]
    contested: bool = False

    @property
    def occupied(self) -> frozenset[Cell]:
        """Cells in which something stands."""
        return frozenset(self.alone)

    @property
    def vehicles(self) -> tuple[Piece, ...]:
        """The pieces of two and more cells, in reading order."""
        return tuple(piece for piece in self.cut.pieces if piece.length > 1)

    @property
    def walls(self) -> tuple[Cell, ...]:
        """Occupied cells that belong to no vehicle: fixed blocks, if they are any such thing."""
        return tuple(piece.cells[0] for piece in self.blocks)

    @property
    def blocks(self) -> tuple[Piece, ...]:
        """The pieces of one cell, in reading order."""
        return tuple(piece for piece in self.cut.pieces if piece.length == 1)

    @property
    def pieces_apart(self) -> bool:
        """Whether vehicles are drawn as one piece a cell."""
        return self.view.apart

    @cached_property
    def margins(self) -> dict[Piece, float]:
        """The log-odds of each piece: against other cuts, and against other views of the borders."""
        cuts = [(cut_pieces(self.alone, view.odds), view) for view in self.others]
        paid = self.cut.cost + self.view.penalty
        rivals = [(cut.pieces, cut.cost + view.penalty - paid) for cut, view in cuts if cut is not None]
        return {
            piece: min([own, *(more for pieces, more in rivals if piece not in pieces)])
            for piece, own in zip(self.cut.pieces, self.cut.margins, strict=True)
        }

    @property
    def crossing(self) -> bool:
        """Whether vehicles point both ways, so that one can block another; of a single one nothing is asked."""
        return len(self.vehicles) < 2 or len({piece.down for piece in self.vehicles}) == 2

    @property
    def area(self) -> float:
        """Square pixels."""
        rows, cols = self.cells.shape
        return rows * cols * self.cells.lattice.pitch_x * self.cells.lattice.pitch_y

    @cached_property
    def cost_of_cut(self) -> float:
        """As `cost`, but lone cells are free: how badly the cells fit any set of vehicles and fixed blocks."""
        return self.cost - sum(self.alone[cell] for cell in self.walls) / max(1, len(self.occupied))

    @cached_property
    def cost(self) -> float:
        """Cost per occupied cell: how badly the cells fit any set of vehicles."""
        return (self.cut.cost + self.unrest) / max(1, len(self.occupied))


def most_blocks(occupied: int) -> int:
    """How many of the occupied cells may be fixed blocks, at most."""
    return 2 + occupied // 12


def parses(bgr: Pixels, support: Support) -> Iterator[Parse]:
    """Readings of the picture with this lattice: one for each group of cells that could be the empty ones.

    Where boxes span a board, enough of the other cells must lie in blocks that were seen. Those groups come first that
    were seen in no block, then those seen as single cells; of equal ones the larger group.
    """
    room = _room(support.lattice, bgr)
    if min(room) + OVER < 0:  # an exit sign that the picture's edge cuts off passes for a line of cells
        left, top, right, bottom = (max(0, math.ceil(-cells - OVER)) for cells in room)
        if left + right >= support.lattice.cols or top + bottom >= support.lattice.rows:
            return
        support = support.without(left, top, right, bottom)
        room = _room(support.lattice, bgr)
    around = BEYOND if support.wide else BEYOND[1:]
    fields = [_field(bgr, support, room, around[0])]
    seen = _seen(fields[0], support)
    cells = fields[0].cells.block(seen.top, seen.left, seen.bottom - seen.top, seen.right - seen.left)
    unseen, single = (marks[seen.rows, seen.columns] for marks in (~fields[0].in_blocks, _single(fields[0])))
    groups = sorted(alike_groups(cells), key=lambda group: (-int((group & unseen).sum()), -int((group & single).sum())))
    places = within(fields[0].places, seen.top, seen.left, *cells.shape)
    for members in groups[:FLOORS]:
        if support.wide and not could_be_vehicles(~members, cells.colour, places):
            continue
        for i, most in enumerate(around):
            if i == len(fields):
                fields.append(_field(bgr, support, room, most))
            with suppress(FieldTooSmall):
                parse = _parse(fields[i], members, support)
                if parse is not None:
                    yield parse
                break


def _single(field: Field) -> Bools:
    """Cells that were seen as regions of their own."""
    found = np.zeros(field.cells.shape, np.bool_)
    alone = field.places[field.places[:, 2:].max(axis=1) == 1]
    found[alone[:, 1], alone[:, 0]] = True
    return found


def _room(core: Lattice, bgr: Pixels) -> tuple[float, float, float, float]:
    """How many cells the picture goes on beyond the left, top, right and bottom of a lattice."""
    (x, y), (height, width) = core.origin, bgr.shape[:2]
    across, down = (width - x) / core.pitch_x - core.cols, (height - y) / core.pitch_y - core.rows
    return x / core.pitch_x, y / core.pitch_y, across, down


def _field(bgr: Pixels, support: Support, room: Sequence[float], most: int) -> Field:
    """The supported cells with up to `most` lines of cells around them, and one more that is none of the board."""
    core = support.lattice
    whole = [int(np.floor(cells + OVER)) for cells in room]
    left, top, right, bottom = (min(most, lines) for lines in whole)
    ends = [cells - min(most, lines) < 0.3 for cells, lines in zip(room, whole, strict=True)]
    more = [most < min(BEYOND[-1], lines) for lines in whole]
    around = core.block(-top - 1, -left - 1, core.rows + top + bottom + 2, core.cols + left + right + 2)
    covered, in_blocks = np.zeros((2, around.rows, around.cols), np.bool_)
    places = within(support.places, -top - 1, -left - 1, around.rows, around.cols)
    for x, y, wide, high in places:
        place = np.s_[y : y + high, x : x + wide]
        covered[place] = True
        in_blocks[place] |= max(wide, high) > 1
    span = Span(left + 1, top + 1, left + 1 + core.cols, top + 1 + core.rows)
    return Field(Cells.cut(bgr, around), span, covered, in_blocks, places, ends, more)


def _seen(field: Field, support: Support) -> Span:
    """Where the empty cells are looked for: in the supported block, and around it where that is a line or two."""
    return field.core if support.wide else field.core.widened(AROUND, field.cells.shape)


def _parse(field: Field, members: Bools, support: Support) -> Parse | None:
    """The reading of the block that the supported one grows or shrinks to, with some of the cells seen as empty."""
    seen = _seen(field, support)
    empty = np.zeros(field.cells.shape, np.bool_)
    empty[seen.rows, seen.columns] = members
    floor = with_outlined(floor_of(field.cells, empty), field.places)
    whole, bounded = extent(field, floor, field.core, support.counts)
    span = whole
    best = _parse_block(field, floor, span, bounded)
    while best is None or best.cost > 0.05:
        hopeless = best is None or best.cost_of_cut > COSTLY
        choices = [
            (less, _parse_block(field, floor, less, bounded))
            for less in _without_full_lines(floor, span, bounded, hopeless=hopeless)
        ]
        dearest = math.inf if best is None else best.cost
        better = [(p.cost, i) for i, (_, p) in enumerate(choices) if p is not None and p.cost < dearest]
        if not better:
            break
        span, best = choices[min(better)[1]]
    if best is None:
        return None
    changed = [a != b for a, b in zip(astuple(whole), astuple(span), strict=True)]
    within = [side for side, drawn, cut in zip(SIDES, bounded, changed, strict=True) if drawn and cut]
    return replace(best, goes_on=(*best.goes_on, *(side for side in within if side not in best.goes_on)))


def _without_full_lines(floor: Floor, span: Span, bounded: Sides, *, hopeless: bool) -> list[Span]:
    """The block without one of its outer lines, for each outer line that holds no empty cell.

    A line within a drawn edge is given up only when the block is no set of vehicles at all with it.
    """
    taken = floor.occupied[span.rows, span.columns] > TAKEN
    choices = (
        (taken[:, 0], replace(span, left=span.left + 1)),
        (taken[0], replace(span, top=span.top + 1)),
        (taken[:, -1], replace(span, right=span.right - 1)),
        (taken[-1], replace(span, bottom=span.bottom - 1)),
    )
    open_to = [hopeless or not drawn for drawn in bounded]
    return [less for free, (line, less) in zip(open_to, choices, strict=True) if free and line.all()]


def _parse_block(field: Field, floor: Floor, span: Span, bounded: Sides) -> Parse | None:
    """The likeliest vehicles in a block of the field; None when there are none that a board could have."""
    rows, cols = span.bottom - span.top, span.right - span.left
    if not (3 <= rows <= 16 and 3 <= cols <= 16):
        return None
    taken = floor.occupied[span.rows, span.columns] > TAKEN
    if not taken.any() or taken.all():
        return None
    cells = field.cells.block(span.top, span.left, rows, cols)
    own = floor.block(span.rows, span.columns)
    occupied = tuple(_cells_where(taken))
    unclear = tuple(_cells_where((own.occupied > FREE) & ~taken))
    unrest = _floor_unrest(own, cells)
    most = COSTLY * len(occupied) + LONE * most_blocks(len(occupied)) - unrest
    places = within(field.places, span.top, span.left, rows, cols)
    ways = views(cells, own, taken, seen_borders(places, (rows, cols)))
    alone = costs_alone(occupied, places, apart=any(view.apart for view in ways))
    found = best_cut(alone, ways, most)
    if found is None:
        return None
    best, view, others = found
    ring = field.cells.block(span.top - 1, span.left - 1, rows + 2, cols + 2)
    return Parse(
        cells,
        ring,
        best,
        own.gaps,
        unrest,
        bounded,
        view,
        alone,
        unclear,
        others,
        goes_on(field, floor, span, bounded),
    )


def _cells_where(chosen: Bools) -> Iterator[Cell]:
    return ((int(r), int(c)) for r, c in np.argwhere(chosen))


def _floor_unrest(floor: Floor, cells: Cells) -> float:
    """Cost of borders between empty cells that look unlike the others of their kind: the floor of a board is one."""
    free = floor.occupied < FREE
    cost = 0.0
    pairs = ((cells.seams[0], free[:, 1:] & free[:, :-1]), (cells.seams[1], free[1:] & free[:-1]))
    values = np.concatenate([seams[both] for seams, both in pairs])
    if len(values) >= 3:
        cost = 2.0 * float((np.abs(values - np.median(values)) > 8 + 0.5 * np.median(values)).sum())
    return cost
