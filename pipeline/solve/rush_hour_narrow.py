"""The compiled expansion for boards of up to 64 cells whose keys fit one word: nearly all boards there are.

It does what `rush_hour_kernel.expand_wide` does for boards of any size, with scalars in registers where that one walks
arrays, at about twice the speed. Both are checked against the rules state by state.
"""

from typing import Any

import numpy as np
from numba import njit

from pipeline.solve.rush_hour_layout import EXHAUSTED, FULL, MAX_SUCCESSORS, MORE, PLACES, WON

ONE, TWO, THREE = np.uint64(1), np.uint64(2), np.uint64(3)


@njit(cache=True, inline="always")
def _slot(key: Any, last_slot: Any) -> Any:
    """Fibonacci hashing; the good bits are the high ones, so they are folded down. The same as the wide kernel's."""
    h = key * np.uint64(0x9E3779B97F4A7C15)
    h ^= h >> np.uint64(32)
    return h & last_slot


@njit(cache=True)
def _lookup(layout: Any) -> Any:
    """Three words for each vehicle and place: its cells, the cell before its tail, the cell after its head.

    Where its range ends, "all cells" stand for that cell: they meet any taken one, so a slide needs no other limit.
    """
    everywhere = ~np.uint64(0)
    look = np.empty(layout.tail.size * PLACES * 3, np.uint64)
    for v in range(layout.tail.size):
        for place in range(layout.last[v] + 1):
            at, moved = (v * PLACES + place) * 3, place * layout.stride[v]
            before, after = layout.tail[v] + moved - layout.stride[v], layout.head[v] + moved + layout.stride[v]
            look[at] = layout.body[v * PLACES + place]
            look[at + 1] = ONE << np.uint64(before) if place > 0 else everywhere
            look[at + 2] = ONE << np.uint64(after) if place < layout.last[v] else everywhere
    return look


@njit(cache=True, inline="always")
def _row(layout: Any, v: Any, key: Any) -> Any:
    """Where in the lookup the vehicle's place in `key` stands; unsigned, so that no index is checked for its sign."""
    place = (key >> np.uint64(layout.shift[v])) & np.uint64(layout.mask[v])
    return (np.uint64(v * PLACES) + place) * THREE


@njit(cache=True)
def _slides(layout: Any, look: Any, key: Any, moved: Any, before: Any, rows: Any, made: Any, mover: Any) -> Any:
    """Write the keys of the slides worth making, and who moves; returns how many.

    `before` is the parent's key and `moved` the vehicle that made this state of it. See `rush_hour_kernel` for the two
    kinds of slides that are left out, and why no state is lost or made deeper by that.
    """
    taken = layout.walls[0]
    for v in range(layout.tail.size):
        row = _row(layout, v, key)
        rows[v] = row
        taken |= look[row]
    swept = taken
    if moved >= 0:
        old = _row(layout, moved, before)
        for at in range(min(old, rows[moved]), max(old, rows[moved]) + ONE, THREE):
            swept |= look[at]
    found = 0
    for v in range(layout.tail.size):
        if v == moved:
            continue
        unit = ONE << np.uint64(layout.shift[v])
        for side, step, change in ((ONE, -THREE, -unit), (TWO, THREE, unit)):  # unsigned: adding -n wraps to less
            at, after, clear = rows[v], key, v < moved
            while not taken & look[at + side]:
                after += change
                clear = clear and not swept & look[at + side]
                at += step
                if not clear:
                    made[found], mover[found] = after, v
                    found += 1
    return found


@njit(cache=True)
def expand_narrow(layout: Any, frontier: Any, count: Any, first: Any, stop: Any) -> Any:
    """See `rush_hour_kernel.expand`."""
    keys, parent, moved, table = frontier.keys, frontier.parent, frontier.moved, frontier.table
    look, rows, mover = _lookup(layout), np.empty(layout.tail.size, np.uint64), np.empty(MAX_SUCCESSORS, np.int64)
    made, slot_of = np.empty(MAX_SUCCESSORS, np.uint64), np.empty(MAX_SUCCESSORS, np.uint64)
    shift, mask = np.uint64(layout.shift[layout.target]), layout.mask[layout.target]
    last_slot, touched = np.uint64(table.size - 1), np.uint64(0)
    for index in range(first, stop):
        if index == count:
            return EXHAUSTED, count, index
        if count + MAX_SUCCESSORS > parent.size:
            return FULL, count, index
        before = keys[parent[index]] if index else keys[0]
        found = _slides(layout, look, keys[index], moved[index], before, rows, made, mover)
        for i in range(found):
            slot_of[i] = _slot(made[i], last_slot)
            touched ^= table[slot_of[i]]  # issue every probe before the first is needed: cache misses overlap
        for i in range(found):
            key, slot = made[i], slot_of[i]
            while table[slot] != 0 and table[slot] != key:
                slot = (slot + ONE) & last_slot
            if table[slot] == key:
                continue
            table[slot] = keys[count] = key
            parent[count], moved[count] = index, mover[i]
            count += 1
            if mover[i] == layout.target and np.int64(key >> shift) & mask == layout.goal:
                return WON, count, index
    # A use of `touched` that changes nothing: without one the early probes are optimised away.
    return MORE + np.int64(touched & np.uint64(0)), count, stop
