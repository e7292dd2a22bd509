"""Which block of a field of cells is the board: where edges are drawn, and whether cells go on beyond them."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from pipeline.extract.colour import median
from pipeline.extract.rush_hour_cells import FREE, SIDE, Bools, Cells, Floats, Floor, Places

Sides = tuple[bool, bool, bool, bool]
"""Something about left, top, right and bottom."""

SIDES = ("left", "top", "right", "bottom")

FULL = 0.6
"""Share of a cell's middle unlike the floor beyond which something stands in it; see `FREE`."""


MOSTLY, STRETCH = 0.75, 4
"""Share of a line beyond which something else begins, for an edge to be drawn there; pixels that are one of it."""


class FieldTooSmall(Exception):
    """The board may go on beyond the cells that were cut out of the picture."""


@dataclass(frozen=True)
class Span:
    """A block of field cells: first column and row, and one past the last ones."""

    left: int
    top: int
    right: int
    bottom: int

    def widened(self, lines: int, shape: tuple[int, int]) -> "Span":
        """Grown on all sides, within the field less its outermost lines."""
        left, top = max(1, self.left - lines), max(1, self.top - lines)
        return Span(left, top, min(shape[1] - 1, self.right + lines), min(shape[0] - 1, self.bottom + lines))

    @property
    def rows(self) -> slice:
        return slice(self.top, self.bottom)

    @property
    def columns(self) -> slice:
        return slice(self.left, self.right)


@dataclass(frozen=True, eq=False)
class Field:
    """The cells around a rough board; their outermost lines lie beyond the last ones that may be the board's.

    `core` is the block of cells that regions support; `covered` marks cells in which a region lies on the lattice,
    `in_blocks` those in regions of several cells; `places` are where those lie.
    `ends` says on which sides the picture ends where the outermost line begins, `more` on which ones the picture holds
    cells that were not cut out.
    """

    cells: Cells
    core: Span
    covered: Bools
    in_blocks: Bools
    places: Places
    ends: Sequence[bool]
    more: Sequence[bool]


def extent(field: Field, floor: Floor, span: Span, counts: Floats) -> tuple[Span, Sides]:
    """The board's block of cells: cut back by lines that are none of it, then grown over empty cells and vehicles.

    FieldTooSmall when it would grow beyond the cells that were cut out.
    """
    free = floor.occupied < FREE
    weights = (counts.sum(axis=1), counts.sum(axis=0))
    top, bottom = _cut_back(free[:, span.columns], weights[0], span.top, span.bottom)
    left, right = _cut_back(free[top:bottom].T, weights[1], span.left, span.right)
    for _ in range(2):  # what bounds one axis decides how far the other can grow
        before_it = (left, top, right, bottom)
        rows = _rows(field, floor, slice(left, right))
        top, above = rows.grown(top, bottom, -1)
        bottom, below = rows.grown(top, bottom, 1)
        columns = _columns(field, floor, slice(top, bottom))
        left, before = columns.grown(left, right, -1)
        right, after = columns.grown(left, right, 1)
        if (left, top, right, bottom) == before_it:
            break
    span = _without_panels(field, floor, Span(left, top, right, bottom))
    return span, (before, above, after, below)


def _without_panels(field: Field, floor: Floor, span: Span) -> Span:
    """The block without outer lines that are panels beside the board."""
    rows, columns = _rows(field, floor, span.columns), _columns(field, floor, span.rows)
    left, top, right, bottom = span.left, span.top, span.right, span.bottom
    if bottom - top > 3:
        top, bottom = top + rows.apart(top, 1), bottom - rows.apart(bottom - 1, -1)
    if right - left > 3:
        left, right = left + columns.apart(left, 1), right - columns.apart(right - 1, -1)
    return Span(left, top, right, bottom)


def _cut_back(free: Bools, weight: Floats, first: int, last: int) -> tuple[int, int]:
    """Drop what is none of the board: outer lines (first axis of `free`) without an empty cell that few boxes support.

    And what lies beyond lines without an empty cell that no box supports at all.
    """
    full, low, high = ~free[first:last].any(axis=1), 0, last - first
    bare = [-1, *np.flatnonzero(full & (weight == 0)).tolist(), high]
    parts = [(float(weight[i + 1 : j].sum()), i + 1, j) for i, j in pairwise(bare) if j - i > 3]
    if parts:
        _, low, high = max(parts)
    weak = full & (weight < 0.25 * float(np.median(weight[low:high])))
    while high - low > 3 and weak[low]:
        low += 1
    while high - low > 3 and weak[high - 1]:
        high -= 1
    return first + low, first + high


@dataclass(frozen=True, eq=False)
class _Lines:
    """Lines of cells along one axis, across the board's block on the other axis.

    `free`: cells (across × along) that look empty; `known`: those, and the ones in which a region was seen;
    `seams`: (across × along-1); `mask`: pixels unlike the floor.
    The first and the last line are none of the board; `ends` and `more` are those of the field at either of them.
    """

    free: Bools
    known: Bools
    seams: Floats
    mask: Bools
    ends: Sequence[bool]
    more: Sequence[bool]

    def grown(self, first: int, last: int, step: int) -> tuple[int, bool]:
        """The new bound of the block in direction `step`, and whether an edge is drawn there.

        The block grows over lines of empty cells, and such as vehicles stand in that were seen, only when that leads
        to a drawn edge: on a plain page there is none, and the block stays as the vehicles have it.
        """
        usual = self.usual(first, last)
        start = line = first if step < 0 else last - 1
        drawn = self.edge(line, step, usual)
        while not drawn and self._known(line + step):
            line += step
            drawn = self.edge(line, step, usual)
        if not drawn and self._outside(line + step) and self.more[step > 0]:
            raise FieldTooSmall
        line = line if drawn else start
        return (line if step < 0 else line + 1), drawn

    def apart(self, line: int, step: int) -> bool:
        """Whether an outer line is a panel beside the board: mostly free, beyond an edge along a line without a gap.

        Such a panel has the floor's colour and the board's width, and holds a title or a score.
        """
        inner = line + step
        mostly_free = int(np.count_nonzero(self.free[:, line])) >= len(self.free) - 2
        return mostly_free and not bool(self.free[:, inner].any()) and self.edge(inner, -step, 0.0)

    def _outside(self, line: int) -> bool:
        return not 1 <= line < self.free.shape[1] - 1

    def _known(self, line: int) -> bool:
        return not self._outside(line) and bool(self.known[:, line].all() and self.free[:, line].any())

    def usual(self, first: int, last: int) -> float:
        """The usual seam between empty cells."""
        both = self.free[:, first : last - 1] & self.free[:, first + 1 : last]
        return median(self.seams[:, first : last - 1][both]) if both.any() else 0.0

    def edge(self, line: int, step: int, usual: float) -> bool:
        """Whether a seam unlike those of the floor runs along the line, or something else begins beyond it."""
        if self._outside(line + step) and self.ends[step > 0]:
            return True
        beyond, both = line + step, self.free[:, line] & self.free[:, line + step]
        border = self.seams[:, line if step > 0 else line - 1]
        if both.any() and median(border[both]) > usual + 8:
            return True
        strip = SIDE * 2 // 5
        near = self.mask[:, beyond, :, :strip] if step > 0 else self.mask[:, beyond, :, SIDE - strip :]
        inner = self.free[:, line]
        count = int(np.count_nonzero(inner))
        if count and _steady(near[inner]).any(axis=2).mean() <= MOSTLY:
            return False
        if count == len(inner):
            return True
        # A vehicle in the line may throw a shadow there, empty cells throw none.
        depth = int(np.argmax(near.sum(axis=(0, 1))))
        return float(near[~inner, :, depth].mean()) > MOSTLY


def _steady(near: Bools) -> Bools:
    """Pixels beyond a line, put together by STRETCH along it: most of them differ where an edge is, few in noise."""
    lines, _, depth = near.shape
    return np.asarray(near.reshape(lines, -1, STRETCH, depth).mean(axis=2) > 0.5)


def _rows(field: Field, floor: Floor, columns: slice) -> _Lines:
    """The rows of some columns."""
    mask = floor.mask.transpose(1, 0, 3, 2)[columns]
    free, seams = floor.occupied[:, columns].T < FREE, field.cells.seams[1][:, columns].T
    return _Lines(free, free | field.covered[:, columns].T, seams, mask, field.ends[1::2], field.more[1::2])


def _columns(field: Field, floor: Floor, rows: slice) -> _Lines:
    """The columns of some rows."""
    free, seams = floor.occupied[rows] < FREE, field.cells.seams[0][rows]
    return _Lines(free, free | field.covered[rows], seams, floor.mask[rows], field.ends[::2], field.more[::2])


def goes_on(field: Field, floor: Floor, span: Span, bounded: Sides) -> tuple[str, ...]:
    """Sides beyond which the board may go on.

    Either there is no edge and the next line holds empty cells and more occupied ones than an exit sign covers, or
    the next line is all empty while the last one is all full, so that its shadow may pass for an edge, and the edges
    drawn at the other two sides do not end with the last line.
    """
    beyond = ((span.left - 1, span.left), (span.top - 1, span.top), (span.right, span.right - 1))
    found = []
    for i, (line, last) in enumerate((*beyond, (span.bottom, span.bottom - 1))):
        across = i % 2 == 0
        lines = _columns(field, floor, span.rows) if across else _rows(field, floor, span.columns)
        if line in (0, lines.free.shape[1] - 1) and not field.more[i]:
            continue  # those cells lie outside the picture
        free, full = lines.free[:, line], not lines.free[:, last].any()
        taken = floor.occupied[span.rows, line] if across else floor.occupied[line, span.columns]
        mixed = not bounded[i] and free.any() and (taken > FULL).sum() >= 2
        ended = all(bounded[1 - i % 2 :: 2]) and not _edged(field, floor, span, line, across=across)
        if mixed or (full and free.all() and not ended):
            found.append(SIDES[i])
    return tuple(found)


def _edged(field: Field, floor: Floor, span: Span, line: int, *, across: bool) -> bool:
    """Whether an edge is drawn at either end of a column (`across`) or row beside the board."""
    some = slice(line, line + 1)
    own = _rows(field, floor, span.columns) if across else _columns(field, floor, span.rows)
    ends = _rows(field, floor, some) if across else _columns(field, floor, some)
    first, last = (span.top, span.bottom) if across else (span.left, span.right)
    usual = own.usual(first, last)
    return ends.edge(first, -1, usual) or ends.edge(last - 1, 1, usual)
