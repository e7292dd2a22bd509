"""The compiled expansion for boards of up to 64 cells whose keys fit one word: nearly all boards there are.

It does what `rush_hour_kernel.expand_wide` does for boards of any size, with scalars in registers where that one walks
arrays, at about twice the speed. Both are checked against the rules state by state.
"""

from typing import Any

import numpy as np
from numba import njit

from pipeline.solve.rush_hour_layout import EXHAUSTED, FULL, MAX_SUCCESSORS, MORE, PLACES, WON

ONE = np.uint64(1)


@njit(cache=True, inline="always")
def _slot(key: Any, slots: Any) -> Any:
    """Fibonacci hashing; the good bits are the high ones, so they are folded down. The same as the wide kernel's."""
    h = key * np.uint64(0x9E3779B97F4A7C15)
    h ^= h >> np.uint64(32)
    return np.int64(h & np.uint64(slots - 1))


@njit(cache=True)
def _slides(layout: Any, key: Any, moved: Any, before: Any, places: Any, made: Any, mover: Any) -> Any:
    """Write the keys of the slides worth making, and who moves; returns how many.

    `before` is the parent's key and `moved` the vehicle that made this state of it. See `rush_hour_kernel` for the two
    kinds of slides that are left out, and why no state is lost or made deeper by that.
    """
    taken = layout.walls[0]
    for v in range(layout.tail.size):
        places[v] = np.int64(key >> np.uint64(layout.shift[v])) & layout.mask[v]
        taken |= layout.body[v * PLACES + places[v]]
    swept = taken
    if moved >= 0:
        old = np.int64(before >> np.uint64(layout.shift[moved])) & layout.mask[moved]
        for place in range(min(old, places[moved]), max(old, places[moved]) + 1):
            swept |= layout.body[moved * PLACES + place]
    found = 0
    for v in range(layout.tail.size):
        if v == moved:
            continue
        for step, end, run in (
            (-layout.stride[v], layout.tail[v], places[v]),
            (layout.stride[v], layout.head[v], layout.last[v] - places[v]),
        ):
            cell, after, clear = end + places[v] * layout.stride[v], key, v < moved
            for _ in range(run):
                cell += step
                if (taken >> np.uint64(cell)) & ONE:
                    break
                unit = ONE << np.uint64(layout.shift[v])
                after = after + unit if step > 0 else after - unit
                clear = clear and not (swept >> np.uint64(cell)) & ONE
                if not clear:
                    made[found], mover[found] = after, v
                    found += 1
    return found


@njit(cache=True)
def expand_narrow(layout: Any, frontier: Any, count: Any, first: Any, stop: Any) -> Any:
    """See `rush_hour_kernel.expand`."""
    keys, parent, moved, table = frontier.keys, frontier.parent, frontier.moved, frontier.table
    places, mover = np.empty(layout.tail.size, np.int64), np.empty(MAX_SUCCESSORS, np.int64)
    made, slot_of = np.empty(MAX_SUCCESSORS, np.uint64), np.empty(MAX_SUCCESSORS, np.int64)
    shift, mask = np.uint64(layout.shift[layout.target]), layout.mask[layout.target]
    touched = np.uint64(0)
    for index in range(first, stop):
        if index == count:
            return EXHAUSTED, count, index
        if count + MAX_SUCCESSORS > parent.size:
            return FULL, count, index
        before = keys[parent[index]] if index else keys[0]
        found = _slides(layout, keys[index], moved[index], before, places, made, mover)
        for i in range(found):
            slot_of[i] = _slot(made[i], table.size)
            touched ^= table[slot_of[i]]  # issue every probe before the first is needed: cache misses overlap
        for i in range(found):
            key, slot = made[i], slot_of[i]
            while table[slot] != 0 and table[slot] != key:
                slot = (slot + 1) & (table.size - 1)
            if table[slot] == key:
                continue
            table[slot] = keys[count] = key
            parent[count], moved[count] = index, mover[i]
            count += 1
            if mover[i] == layout.target and np.int64(key >> shift) & mask == layout.goal:
                return WON, count, index
    # A use of `touched` that changes nothing: without one the early probes are optimised away.
    return MORE + np.int64(touched & np.uint64(0)), count, stop
