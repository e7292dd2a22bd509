"""States of the Color Connect frontier: what the cells swept so far ask of the cells still to come.

Cells are swept row by row. Where a path crosses from swept to unswept cells it leaves a *plug*; a state is the row of
plugs, one down-plug a column and one right-plug of the cell swept last:

    r . ┌ ─>        column plugs:  r  0  (     right plug:  )
    v . v           `r` leads to red's end; `(` and `)` are the two ends of one stretch that has met no end yet.

Stretches never cross, so their ends nest like brackets; no other record of who belongs to whom is needed. A column
without a plug may carry a demand: the cell below must be used (see `color_connect_sweep`, which says why).

Each plug takes `bits` bits of two 64-bit words; slot 0 is the right plug, slot c + 1 the plug of column c.
"""

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

OPEN, CLOSE = 1, 2
MUST_LEFT, MUST_RIGHT, MUST_BOTH = 3, 4, 5
"""No plug, but a corner above to the left, to the right, or on both sides demands that the cell below is used."""
COLOR = 6
"""The plug of pair i is COLOR + i."""
FREE, BLOCKED = 0, 1
"""Kinds of cells; an end of pair i is of kind COLOR + i."""
Words = tuple[np.uint64, np.uint64]
FAR = 20_000
"""More cells than any board has: there is no way."""


class Grid(NamedTuple):
    """A board as the sweep sees it; cells are numbered row by row."""

    kind: NDArray[np.int64]
    """(rows + 2, width + 2): the kinds of cells inside a blocked border."""
    first: NDArray[np.int64]
    """(pairs,): the end that is swept first."""
    last: NDArray[np.int64]
    """(pairs,): the end that is swept last."""
    to_last: NDArray[np.int32]
    """(pairs, cells): steps to the last end through free cells, FAR where there is no way."""
    apart: NDArray[np.int32]
    """(cells, cells): steps between free cells through free cells, FAR where there is no way."""
    bits: int
    per_word: int
    must_fill: bool


@njit(cache=True)
def get_plug(grid: Grid, lo: np.uint64, hi: np.uint64, slot: int) -> int:
    """The plug in a slot."""
    shift = slot * grid.bits
    word = lo
    if slot >= grid.per_word:
        shift = (slot - grid.per_word) * grid.bits
        word = hi
    return int(np.int64((word >> np.uint64(shift)) & np.uint64((1 << grid.bits) - 1)))


@njit(cache=True)
def with_plug(grid: Grid, lo: np.uint64, hi: np.uint64, slot: int, plug: int) -> Words:
    """The two words after writing a slot."""
    mask = np.uint64((1 << grid.bits) - 1)
    if slot < grid.per_word:
        shift = np.uint64(slot * grid.bits)
        return (lo & ~(mask << shift)) | (np.uint64(plug) << shift), hi
    shift = np.uint64((slot - grid.per_word) * grid.bits)
    return lo, (hi & ~(mask << shift)) | (np.uint64(plug) << shift)


@njit(cache=True)
def is_plug(value: int) -> bool:
    """Whether a slot holds a plug, not nothing and not a demand."""
    return value in (OPEN, CLOSE) or value >= COLOR


@njit(cache=True)
def mate_slot(grid: Grid, lo: np.uint64, hi: np.uint64, col: int, plug: int) -> int:
    """The slot of the other end of a stretch whose end `plug` enters the cell swept now, in column `col`."""
    step = 1 if plug == OPEN else -1
    other = CLOSE if plug == OPEN else OPEN
    depth = 0
    slot = col + 1 + step
    while True:
        value = get_plug(grid, lo, hi, slot)
        if value == plug:
            depth += 1
        elif value == other:
            if depth == 0:
                return slot
            depth -= 1
        slot += step


@njit(cache=True)
def cells_to_come(grid: Grid, lo: np.uint64, hi: np.uint64, row: int, col: int, scratch: NDArray[np.int32]) -> int:
    """A lower bound on the unswept cells that pairs with a swept end will use, once (row, col) is swept.

    A red plug and red's unswept end, or two red plugs, need at least a shortest path. A stretch may serve as a bridge
    on that way, but by the triangle inequality it saves no more than its ends are apart; both ends need a cell of
    their own, hence the − 1. FAR when some way is cut off, or when the state cannot lead to a straightened layout.
    `scratch` is int32 (2, at least pairs and width + 2): first plugs of pairs, cells of open brackets.
    """
    width = grid.kind.shape[1] - 2
    scratch[0, : grid.first.size] = -1
    total = 0
    depth = 0
    before = 0
    for place in range(width + 1):  # in the order of the frontier: columns up to col, the right plug, columns after it
        if place <= col:
            value = get_plug(grid, lo, hi, place + 1)
            cell = (row + 1) * width + place
        else:
            value = get_plug(grid, lo, hi, 0 if place == col + 1 else place)
            cell = row * width + place - (0 if place == col + 1 else 1)
            if place <= col + 2:
                before = 0
        if not grid.must_fill and side_by_side(before, value):
            return FAR
        if value == OPEN:
            scratch[1, depth] = cell
            depth += 1
        elif value == CLOSE:
            depth -= 1
            total -= grid.apart[scratch[1, depth], cell] - 1
        elif value >= COLOR:
            total += _cells_of_pair(grid, value - COLOR, row * width + col, cell, scratch)
        before = value
    return total


@njit(cache=True)
def side_by_side(left: int, right: int) -> bool:
    """Whether down-plugs of neighbouring columns belong to one path for sure: it would touch itself."""
    return (left == OPEN and right == CLOSE) or (left >= COLOR and left == right)


@njit(cache=True)
def _cells_of_pair(grid: Grid, pair: int, swept: int, cell: int, scratch: NDArray[np.int32]) -> int:
    """The share in the bound of a plug of this pair that enters `cell`."""
    if grid.last[pair] > swept:
        return grid.to_last[pair, cell] + 1
    if scratch[0, pair] < 0:
        scratch[0, pair] = cell
        return 0
    return grid.apart[scratch[0, pair], cell] + 1
