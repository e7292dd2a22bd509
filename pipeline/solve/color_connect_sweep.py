"""The Color Connect frontier sweep: from the states before a cell to the states after it.

Every layout of paths is one way through the sweep, and layouts that ask the same of the unswept cells share a state,
which keeps the least number of cells (with `must_fill`: whether there are no, one or more ways).

Without `must_fill` the sweep looks only for *straightened* layouts; every solvable board has one with the least cells:
take, among the layouts with least cells, one whose cells have the largest sum of 2·row − col. In it

  * no path touches itself, for a short cut across the touch would save cells;
  * no corner can be folded downwards over a free cell, for that would keep the number of cells and raise the sum:

        a a        a .            . a        . .
        a .   ->   a a  (+1)      a a   ->   a a      and the mirror image (+3)

    so a corner that opens downwards demands that the cell it folds over is used.
"""

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from pipeline.solve.color_connect_plugs import (
    BLOCKED,
    CLOSE,
    COLOR,
    FAR,
    FREE,
    MUST_BOTH,
    MUST_LEFT,
    MUST_RIGHT,
    OPEN,
    Grid,
    Words,
    cells_to_come,
    get_plug,
    is_plug,
    mate_slot,
    with_plug,
)

NOWHERE, DOWN, RIGHT, CORNER = 0, 1, 2, 3
"""Where the path through a cell goes on: bit 0 down, bit 1 right; CORNER begins a new stretch both ways."""


class Layer(NamedTuple):
    """The states after one cell, in the order they were found."""

    lo: NDArray[np.uint64]
    hi: NDArray[np.uint64]
    value: NDArray[np.int16]
    """Least cells used so far; with `must_fill` the number of ways, 2 standing for more."""
    estimate: NDArray[np.int16]
    """A lower bound on the cells of a whole layout through the state."""
    link: NDArray[np.uint32]
    """4 × the state before + where the path went on."""


class Here(NamedTuple):
    """The cell being swept and the kinds of those it touches."""

    row: int
    col: int
    kind: int
    down: int
    right: int
    down_left: int
    unmet: int
    """Least cells of all pairs without a swept end."""
    bound: int
    """Layouts with more cells are of no interest."""


class Choice(NamedTuple):
    """A state with the plugs of this cell taken out, and how its path may go on."""

    lo: np.uint64
    hi: np.uint64
    options: int
    """Bit set over NOWHERE … CORNER."""
    plug: int
    """What goes on down or right."""
    left: int
    up: int
    must: int
    """The demand on this cell, 0 when there is none."""


Swept = tuple[int, Layer, NDArray[np.uint32], NDArray[np.int64], bool, bool]
Entry = tuple[np.uint64, np.uint64, int, int, int]


@njit(cache=True)
def sweep(grid: Grid, bound: int, keep: int, quota: int, cell: int, layer: Layer) -> Swept:
    """Sweep on from `cell` until the end, an empty layer or `quota` new states.

    At most `keep` states, those of the least estimates, survive a cell. Returns (next cell, layer, links of all cells
    swept, their numbers, whether the bound cut anything, whether states were dropped).
    """
    width = grid.kind.shape[1] - 2
    cells = (grid.kind.shape[0] - 2) * width
    links = np.empty(1024, np.uint32)
    counts = np.zeros(cells, np.int64)
    begun, used, cut, dropped = cell, 0, False, False
    while cell < cells and used < quota and layer.lo.size > 0:
        layer, cut_here = _swept(grid, _here(grid, cell, bound), layer)
        cut = cut or cut_here
        if layer.lo.size > keep:
            layer = _best(layer, keep)
            dropped = True
        if used + layer.lo.size > links.size:
            longer = np.empty(2 * (used + layer.lo.size), np.uint32)
            longer[:used] = links[:used]
            links = longer
        links[used : used + layer.lo.size] = layer.link
        counts[cell] = layer.lo.size
        used += layer.lo.size
        cell += 1
    return cell, layer, links[:used].copy(), counts[begun:cell], cut, dropped


@njit(cache=True)
def _here(grid: Grid, cell: int, bound: int) -> Here:
    width = grid.kind.shape[1] - 2
    row, col = cell // width, cell % width
    unmet = 0
    for pair in range(grid.first.size):
        if grid.first[pair] > cell:
            unmet += grid.to_last[pair, grid.first[pair]] + 1
    kind = grid.kind
    down, right, down_left = kind[row + 2, col + 1], kind[row + 1, col + 2], kind[row + 2, col]
    return Here(row, col, kind[row + 1, col + 1], down, right, down_left, unmet, bound)


@njit(cache=True)
def _best(layer: Layer, keep: int) -> Layer:
    order = np.sort(np.argsort(layer.estimate, kind="mergesort")[:keep])
    return Layer(layer.lo[order], layer.hi[order], layer.value[order], layer.estimate[order], layer.link[order])


@njit(cache=True)
def _swept(grid: Grid, here: Here, layer: Layer) -> tuple[Layer, bool]:
    """The states after a cell and whether the bound cut any; no state has more than two successors."""
    room = 2 * layer.lo.size
    slots = 4
    while slots < 2 * room:
        slots *= 2
    table = np.full(slots, -1, np.int32)
    after = Layer(
        np.empty(room, np.uint64),
        np.empty(room, np.uint64),
        np.empty(room, np.int16),
        np.empty(room, np.int16),
        np.empty(room, np.uint32),
    )
    scratch = np.empty((2, grid.first.size + grid.kind.shape[1]), np.int32)
    count, cut = 0, False
    for i in range(layer.lo.size):
        choice = _choices(grid, here, layer.lo[i], layer.hi[i])
        for option in range(4):
            if not (choice.options >> option) & 1:
                continue
            fits, lo, hi = _gone_on(grid, here, choice, option)
            if not fits:
                continue
            value = np.int64(layer.value[i])
            to_come = cells_to_come(grid, lo, hi, here.row, here.col, scratch)
            if not grid.must_fill:
                value += _is_used(here, choice, option)
                to_come += value + here.unmet
            if to_come > here.bound:
                cut = cut or to_come < FAR // 2
                continue
            count = _put(grid.must_fill, table, after, count, (lo, hi, value, to_come, 4 * i + option))
    return (
        Layer(after.lo[:count], after.hi[:count], after.value[:count], after.estimate[:count], after.link[:count]),
        cut,
    )


@njit(cache=True)
def _put(must_fill: bool, table: NDArray[np.int32], layer: Layer, count: int, entry: Entry) -> int:
    """Add a state to the layer, or merge it with its equal; the number of states."""
    lo, hi, value, estimate, link = entry
    mixed = (lo * np.uint64(0x9E3779B97F4A7C15)) ^ (hi * np.uint64(0xC2B2AE3D27D4EB4F))
    mixed = (mixed ^ (mixed >> np.uint64(29))) * np.uint64(0xBF58476D1CE4E5B9)
    mask = table.size - 1
    at = np.int64((mixed ^ (mixed >> np.uint64(32))) & np.uint64(mask))
    while table[at] >= 0 and (layer.lo[table[at]] != lo or layer.hi[table[at]] != hi):
        at = (at + 1) & mask
    known = table[at]
    if known >= 0 and must_fill:
        layer.value[known] = min(2, layer.value[known] + value)
        return count
    if known >= 0 and layer.value[known] <= value:
        return count
    if known < 0:
        known = count
        count += 1
        table[at] = known
        layer.lo[known], layer.hi[known] = lo, hi
    layer.value[known], layer.estimate[known], layer.link[known] = value, estimate, link
    return count


@njit(cache=True)
def _is_used(here: Here, choice: Choice, option: int) -> int:
    """1 when the cell is used, else 0."""
    empty = choice.left == 0 and choice.up == 0 and option == NOWHERE
    return 0 if here.kind == BLOCKED or (here.kind == FREE and empty) else 1


@njit(cache=True)
def _choices(grid: Grid, here: Here, lo: np.uint64, hi: np.uint64) -> Choice:
    """Take the plugs out that enter the cell, join what meets in it, and say how it may go on."""
    left = get_plug(grid, lo, hi, 0)
    up = get_plug(grid, lo, hi, here.col + 1)
    must = 0
    if up != 0 and not is_plug(up):
        must, up = up, 0
    lo, hi = with_plug(grid, lo, hi, 0, 0)
    lo, hi = with_plug(grid, lo, hi, here.col + 1, 0)
    options = 0
    plug = left + up  # the only one, where there is one
    if here.kind == BLOCKED:
        options = 1 << NOWHERE if plug == 0 else 0
    elif here.kind == FREE and left != 0 and up != 0:
        joined, lo, hi = _joined(grid, here.col, (lo, hi), left, up)
        options = 1 << NOWHERE if joined else 0
    elif here.kind == FREE and plug == 0:
        options = 1 << CORNER
        if must == 0 and not grid.must_fill:
            options |= 1 << NOWHERE
    elif here.kind == FREE:
        options = 1 << DOWN | 1 << RIGHT
    elif plug == 0:
        options, plug = 1 << DOWN | 1 << RIGHT, here.kind
    elif left == 0 or up == 0:
        joined, lo, hi = _joined(grid, here.col, (lo, hi), plug, here.kind)
        options = 1 << NOWHERE if joined else 0
    return Choice(lo, hi, options, plug, left, up, must)


@njit(cache=True)
def _joined(grid: Grid, col: int, words: Words, one: int, other: int) -> tuple[bool, np.uint64, np.uint64]:
    """Join two plugs in this cell: (whether that is allowed, the words with the far ends renamed)."""
    lo, hi = words
    if one >= COLOR and other >= COLOR:
        return one == other, lo, hi
    if one >= COLOR or other >= COLOR:
        slot = mate_slot(grid, lo, hi, col, min(one, other))
        lo, hi = with_plug(grid, lo, hi, slot, max(one, other))
    elif one == OPEN and other == CLOSE:
        return False, lo, hi  # the two ends of one stretch: a ring
    elif one == other:  # (( or )): the nearer far end now faces the further one
        slot = mate_slot(grid, lo, hi, col, one)
        lo, hi = with_plug(grid, lo, hi, slot, one)
    return True, lo, hi


@njit(cache=True)
def _gone_on(grid: Grid, here: Here, choice: Choice, option: int) -> tuple[bool, np.uint64, np.uint64]:
    """Write the plugs of an option: (whether it fits what lies below and to the right, the two words)."""
    lo, hi = choice.lo, choice.hi
    down = right = 0
    if option == CORNER:
        down, right = OPEN, CLOSE
    elif option == DOWN:
        down = choice.plug
    elif option == RIGHT:
        right = choice.plug
    if not (_can_enter(here.down, down) and _can_enter(here.right, right)):
        return False, lo, hi
    if not grid.must_fill:
        straight, lo, hi, down = _straightened(grid, here, choice, down, right)
        if not straight:
            return False, lo, hi
    lo, hi = with_plug(grid, lo, hi, here.col + 1, down)
    lo, hi = with_plug(grid, lo, hi, 0, right)
    return True, lo, hi


@njit(cache=True)
def _can_enter(kind: int, plug: int) -> bool:
    """Whether a plug (0 for none) may lead into a cell of this kind."""
    return plug == 0 or (kind != BLOCKED and not (kind >= COLOR and plug >= COLOR and plug != kind))


@njit(cache=True)
def _straightened(
    grid: Grid, here: Here, choice: Choice, down: int, right: int
) -> tuple[bool, np.uint64, np.uint64, int]:
    """Refuse what no straightened layout has, note new demands: (whether it may be one, the words, the down slot)."""
    lo, hi = choice.lo, choice.hi
    beside = get_plug(grid, lo, hi, here.col) if here.col > 0 else 0
    if choice.left != 0 and is_plug(beside):  # the cell to the left is a corner that folds over the cell below
        if down != 0:
            return False, lo, hi, down  # the path would come back beside itself
        if here.down == FREE:
            down = MUST_LEFT
    elif choice.left != 0 and down != 0 and here.down_left == FREE:  # a corner that folds over the cell below left
        if beside == 0:
            lo, hi = with_plug(grid, lo, hi, here.col, MUST_RIGHT)
        elif beside == MUST_LEFT:
            lo, hi = with_plug(grid, lo, hi, here.col, MUST_BOTH)
    if right != 0:  # the path of the demanding corner must not meet its own demand: it would touch itself
        ahead = get_plug(grid, lo, hi, here.col + 2)
        if choice.must in (MUST_RIGHT, MUST_BOTH):
            return False, lo, hi, down
        if choice.up != 0 and ahead in (MUST_LEFT, MUST_BOTH):
            return False, lo, hi, down
    return True, lo, hi, down
