"""From a rough lattice to a board: its extent, its empty cells, its vehicles."""

from collections.abc import Sequence
from dataclasses import astuple, dataclass, replace
from functools import cached_property

import numpy as np

from pipeline.extract.image import Pixels
from pipeline.extract.rush_hour_borders import View, best_cut, views
from pipeline.extract.rush_hour_cells import SIDE, Bools, Cells, Floats, Floor, alike_groups, floor_of
from pipeline.extract.rush_hour_lattice import Support
from pipeline.extract.rush_hour_tiling import LONE, Cell, Cut, Piece, cut_pieces

_SIDES = ("left", "top", "right", "bottom")

BEYOND = 13
"""How many lines of cells beyond the supported ones are looked at, at most, on each side."""

COSTLY = 0.35
"""Cost per cell from which the occupied cells are no set of vehicles."""

OVER = 0.12
"""How far, in cells, the outermost cells of a board may reach beyond the picture."""


@dataclass(frozen=True, eq=False)
class Parse:
    """One reading of a picture as a board.

    `ring` holds the board's cells and one line of cells around it. `bounded` says for left, top, right, bottom whether
    an edge is drawn where the board ends. `goes_on` names sides beyond which cells seem to go on.
    `view` is the reading of the borders that gave the cut, `others` are those it was preferred to.
    """

    cells: Cells
    ring: Cells
    floor: Floor
    cut: Cut
    bounded: tuple[bool, bool, bool, bool]
    view: "View"
    occupied: frozenset[Cell]
    others: tuple["View", ...]
    goes_on: tuple[str, ...]

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
        cuts = [(cut_pieces(self.occupied, view.odds), view) for view in self.others]
        paid = self.cut.cost + self.view.penalty
        rivals = [(cut.pieces, cut.cost + view.penalty - paid) for cut, view in cuts]
        return {
            piece: min([own, *(more for pieces, more in rivals if piece not in pieces)])
            for piece, own in zip(self.cut.pieces, self.cut.margins, strict=True)
        }

    @property
    def area(self) -> float:
        """Square pixels."""
        rows, cols = self.cells.shape
        return rows * cols * self.cells.lattice.pitch_x * self.cells.lattice.pitch_y

    @cached_property
    def cost_of_cut(self) -> float:
        """As `cost`, but lone cells are free: how badly the cells fit any set of vehicles and fixed blocks."""
        return self.cost - LONE * len(self.walls) / max(1, len(self.occupied))

    @cached_property
    def cost(self) -> float:
        """Cost per occupied cell: how badly the cells fit any set of vehicles."""
        return (self.cut.cost + _floor_unrest(self.floor, self.cells)) / max(1, len(self.occupied))


def parses(bgr: Pixels, support: Support) -> list[Parse]:
    """Every reading of the picture with this lattice: one for each group of cells that could be the empty ones."""
    core = support.lattice
    height, width = bgr.shape[:2]
    x, y = core.origin
    room = (
        x / core.pitch_x,
        y / core.pitch_y,
        (width - x) / core.pitch_x - core.cols,
        (height - y) / core.pitch_y - core.rows,
    )
    left, top, right, bottom = (min(BEYOND, int(np.floor(cells + OVER))) for cells in room)
    if min(left, top, right, bottom) < 0:
        return []
    ends = [cells - lines < 0.3 for cells, lines in zip(room, (left, top, right, bottom), strict=True)]
    field = Cells.cut(bgr, core.block(-top - 1, -left - 1, core.rows + top + bottom + 2, core.cols + left + right + 2))
    found = []
    span = _Span(left + 1, top + 1, left + 1 + core.cols, top + 1 + core.rows)
    seen = span if min(core.rows, core.cols) >= 3 else span.widened(3, field.shape)
    rows, cols = seen.bottom - seen.top, seen.right - seen.left
    for members in alike_groups(field.block(seen.top, seen.left, rows, cols))[:3]:
        wide = np.zeros(field.shape, np.bool_)
        wide[seen.rows, seen.columns] = members
        parse = _parse(field, floor_of(field, wide), span, support.counts, ends)
        if parse is not None:
            found.append(parse)
    return found


@dataclass(frozen=True)
class _Span:
    """A block of field cells: first column and row, and one past the last ones."""

    left: int
    top: int
    right: int
    bottom: int

    def widened(self, lines: int, shape: tuple[int, int]) -> "_Span":
        """Grown on all sides, within the field less its outermost lines."""
        left, top = max(1, self.left - lines), max(1, self.top - lines)
        return _Span(left, top, min(shape[1] - 1, self.right + lines), min(shape[0] - 1, self.bottom + lines))

    @property
    def rows(self) -> slice:
        return slice(self.top, self.bottom)

    @property
    def columns(self) -> slice:
        return slice(self.left, self.right)


def _parse(field: Cells, floor: Floor, span: _Span, counts: Floats, ends: Sequence[bool]) -> Parse | None:
    """The reading of the block that `span` grows or shrinks to."""
    whole, bounded = _extent(field, floor, span, counts, ends)
    span = whole
    best = _parse_block(field, floor, span, bounded)
    while best is not None and best.cost > 0.05:
        choices = [(less, _parse_block(field, floor, less, bounded)) for less in _without_full_lines(span, best)]
        better = [(p.cost, i) for i, (_, p) in enumerate(choices) if p is not None and p.cost < best.cost]
        if not better:
            break
        span, best = choices[min(better)[1]]
    if best is None:
        return None
    changed = [a != b for a, b in zip(astuple(whole), astuple(span), strict=True)]
    within = [side for side, drawn, cut in zip(_SIDES, bounded, changed, strict=True) if drawn and cut]
    return replace(best, goes_on=(*best.goes_on, *(side for side in within if side not in best.goes_on)))


def _without_full_lines(span: _Span, parse: Parse) -> list[_Span]:
    """The block without one of its outer lines, for each outer line that holds no empty cell.

    A line within a drawn edge is given up only when the block is no set of vehicles at all with it.
    """
    taken = np.zeros(parse.cells.shape, np.bool_)
    taken[tuple(np.transpose(sorted(parse.occupied)))] = True
    choices = (
        (taken[:, 0], replace(span, left=span.left + 1)),
        (taken[0], replace(span, top=span.top + 1)),
        (taken[:, -1], replace(span, right=span.right - 1)),
        (taken[-1], replace(span, bottom=span.bottom - 1)),
    )
    hopeless = parse.cost_of_cut > COSTLY
    return [
        less
        for drawn, (line, less) in zip(parse.bounded, choices, strict=True)
        if line.all() and (hopeless or not drawn)
    ]


def _parse_block(field: Cells, floor: Floor, span: _Span, bounded: tuple[bool, bool, bool, bool]) -> Parse | None:
    """The likeliest vehicles in a block of the field; None when it is no board at sight."""
    rows, cols = span.bottom - span.top, span.right - span.left
    if not (3 <= rows <= 16 and 3 <= cols <= 16):
        return None
    cells = field.block(span.top, span.left, rows, cols)
    own = floor.block(span.rows, span.columns)
    taken = own.occupied > 0.45
    if not taken.any() or taken.all():
        return None
    occupied = frozenset((int(r), int(c)) for r, c in np.argwhere(taken))
    best, view, others = best_cut(occupied, views(cells, own, taken))
    ring = field.block(span.top - 1, span.left - 1, rows + 2, cols + 2)
    return Parse(
        cells,
        ring,
        own,
        best,
        bounded,
        view,
        occupied,
        others,
        _goes_on(field, floor, span, bounded),
    )


def _extent(
    field: Cells, floor: Floor, span: _Span, counts: Floats, ends: Sequence[bool]
) -> tuple[_Span, tuple[bool, bool, bool, bool]]:
    """The board's block of cells: cut back by lines that are none of it, then grown over lines of empty cells."""
    free = floor.occupied < 0.25
    weights = (counts.sum(axis=1), counts.sum(axis=0))
    top, bottom = _cut_back(free[:, span.columns], weights[0], span.top, span.bottom)
    left, right = _cut_back(free[top:bottom].T, weights[1], span.left, span.right)
    for _ in range(2):  # what bounds one axis decides how far the other can grow
        rows = _Lines(
            free[:, left:right].T,
            field.seams[1][:, left:right].T,
            floor.mask.transpose(1, 0, 3, 2)[left:right],
            ends[1::2],
        )
        top, above = rows.grown(top, bottom, -1)
        bottom, below = rows.grown(top, bottom, 1)
        columns = _Lines(free[top:bottom], field.seams[0][top:bottom], floor.mask[top:bottom], ends[::2])
        left, before = columns.grown(left, right, -1)
        right, after = columns.grown(left, right, 1)
    return _Span(left, top, right, bottom), (before, above, after, below)


def _cut_back(free: Bools, weight: Floats, first: int, last: int) -> tuple[int, int]:
    """Drop outer lines (first axis of `free`) without an empty cell that few boxes support."""
    typical, low, high = 0.25 * float(np.median(weight)), first, last
    while high - low > 3 and not free[low].any() and weight[low - first] < typical:
        low += 1
    while high - low > 3 and not free[high - 1].any() and weight[high - 1 - first] < typical:
        high -= 1
    return low, high


@dataclass(frozen=True, eq=False)
class _Lines:
    """Lines of cells along one axis, across the board's block on the other axis.

    `free`: cells (across × along) that look empty; `seams`: (across × along-1); `mask`: pixels unlike the floor.
    The first and the last line lie outside the picture, at least in part; `ends` says whether the picture ends where
    they begin.
    """

    free: Bools
    seams: Floats
    mask: Bools
    ends: Sequence[bool]

    def grown(self, first: int, last: int, step: int) -> tuple[int, bool]:
        """The new bound of the block in direction `step`, and whether an edge is drawn there.

        The block grows over lines of empty cells only when that leads to a drawn edge: on a plain page there is none,
        and the block stays as the vehicles have it.
        """
        usual = self._usual(first, last)
        start = line = first if step < 0 else last - 1
        while not self._edge(line, step, usual) and self._empty(line + step):
            line += step
        drawn = self._edge(line, step, usual)
        line = line if drawn else start
        return (line if step < 0 else line + 1), drawn

    def _outside(self, line: int) -> bool:
        return not 1 <= line < self.free.shape[1] - 1

    def _empty(self, line: int) -> bool:
        return not self._outside(line) and bool(self.free[:, line].all())

    def _usual(self, first: int, last: int) -> float:
        """The usual seam between empty cells."""
        both = self.free[:, first : last - 1] & self.free[:, first + 1 : last]
        return float(np.median(self.seams[:, first : last - 1][both])) if both.any() else 0.0

    def _edge(self, line: int, step: int, usual: float) -> bool:
        """Whether a seam unlike those of the floor runs along the line, or something else begins beyond it."""
        if self._outside(line + step) and self.ends[step > 0]:
            return True
        beyond, both = line + step, self.free[:, line] & self.free[:, line + step]
        border = self.seams[:, line if step > 0 else line - 1]
        if both.any() and float(np.median(border[both])) > usual + 8:
            return True
        strip = SIDE * 2 // 5
        near = self.mask[:, beyond, :, :strip] if step > 0 else self.mask[:, beyond, :, SIDE - strip :]
        inner = self.free[:, line]
        depth = int(np.argmax(near.mean(axis=(0, 1))))
        drawn = near[:, :, depth].mean(axis=1)  # a vehicle in the line may throw a shadow there, empty cells throw none
        begins = near.any(axis=2).mean(axis=1)
        return all(float(part.mean()) > 0.75 for part in (begins[inner], drawn[~inner]) if len(part))


def _goes_on(field: Cells, floor: Floor, span: _Span, bounded: tuple[bool, bool, bool, bool]) -> tuple[str, ...]:
    """Sides beyond which the board may go on.

    Either there is no edge and the next line holds empty cells and more occupied ones than an exit sign covers, or
    the next line is all empty while the last one is all full, so that its shadow may pass for an edge.
    """
    rows, columns = floor.occupied[span.rows], floor.occupied[:, span.columns]
    beyond = {
        "left": (span.left - 1, rows[:, span.left - 1], rows[:, span.left]),
        "top": (span.top - 1, columns[span.top - 1], columns[span.top]),
        "right": (span.right - field.shape[1], rows[:, span.right], rows[:, span.right - 1]),
        "bottom": (span.bottom - field.shape[0], columns[span.bottom], columns[span.bottom - 1]),
    }
    found = []
    for drawn, (side, (outermost, line, last)) in zip(bounded, beyond.items(), strict=True):
        outside = outermost in (0, -1)  # those cells lie outside the picture
        full = not (last < 0.25).any()
        mixed = not drawn and (line < 0.25).any() and (line > 0.6).sum() >= 2
        if not outside and (mixed or (full and (line < 0.25).all())):
            found.append(side)
    return tuple(found)


def _floor_unrest(floor: Floor, cells: Cells) -> float:
    """Cost of borders between empty cells that look unlike the others of their kind: the floor of a board is one."""
    free = floor.occupied < 0.25
    cost = 0.0
    pairs = ((cells.seams[0], free[:, 1:] & free[:, :-1]), (cells.seams[1], free[1:] & free[:-1]))
    values = np.concatenate([seams[both] for seams, both in pairs])
    if len(values) >= 3:
        cost = 2.0 * float((np.abs(values - np.median(values)) > 8 + 0.5 * np.median(values)).sum())
    return cost
