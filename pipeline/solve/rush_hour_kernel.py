"""Breadth-first search over packed Rush Hour positions, compiled.

An optimisation of `games.rush_hour`, checked against it state by state in the tests; not a second rule book. How a
state is packed is told in `rush_hour_layout`.
"""

from typing import Any, NamedTuple

import numpy as np
from numba import njit

from pipeline.solve.rush_hour_layout import (
    EXHAUSTED,
    FULL,
    MAX_SUCCESSORS,
    MORE,
    PLACES,
    WON,
    Frontier,
    Integers,
    Layout,
    Words,
)
from pipeline.solve.rush_hour_narrow import expand_narrow


class Scratch(NamedTuple):
    """Working arrays of one call: places and cells of the state at hand, and its slides."""

    places: Integers
    taken: Words
    swept: Words
    vehicle: Integers
    by: Integers


@njit(cache=True, inline="always")
def _hash(key: Any, at: Any, words: Any) -> Any:
    """Fibonacci hashing, word by word; the good bits are the high ones, so they are folded down."""
    h = np.uint64(0)
    for w in range(words):
        h = (h ^ key[at + w]) * np.uint64(0x9E3779B97F4A7C15)
        h ^= h >> np.uint64(32)
    return np.int64(h & np.uint64(0x7FFFFFFFFFFFFFFF))


@njit(cache=True, inline="always")
def _insert(words: Any, table: Any, start: Any, key: Any, at: Any) -> Any:
    """Put the key at key[at …] into the table, probing from slot `start`; False if it was there."""
    slots = table.size // words
    slot = start
    while table[slot * words] != 0:
        same = True
        for w in range(words):
            same &= table[slot * words + w] == key[at + w]
        if same:
            return False
        slot = (slot + 1) & (slots - 1)
    for w in range(words):
        table[slot * words + w] = key[at + w]
    return True


@njit(cache=True)
def rehash(words: Any, keys: Any, count: Any, table: Any) -> None:
    """Fill an empty table with the first `count` keys."""
    slots = table.size // words
    for i in range(count):
        _insert(words, table, _hash(keys, i * words, words) & (slots - 1), keys, i * words)


@njit(cache=True, inline="always")
def _occupy(planes: Any, layout: Any, key: Any, at: Any, places: Any, taken: Any) -> None:
    """Read each vehicle's place from the key and mark all occupied cells."""
    for plane in range(planes):
        taken[plane] = layout.walls[plane]
    for v in range(layout.tail.size):
        field = np.int64(key[at + layout.word[v]] >> np.uint64(layout.shift[v]))
        places[v] = field & layout.mask[v]
        for plane in range(planes):
            taken[plane] |= layout.body[(v * PLACES + places[v]) * planes + plane]


@njit(cache=True, inline="always")
def _free_run(taken: Any, cell: Any, step: Any, limit: Any) -> Any:
    """How many of the `limit` cells after `cell` in steps of `step` are free before the first taken one."""
    for run in range(limit):
        cell += step
        if (taken[cell >> 6] >> np.uint64(cell & 63)) & np.uint64(1):
            return run
    return limit


@njit(cache=True, inline="always")
def _mark_sweep(planes: Any, layout: Any, frontier: Any, index: Any, place: Any, taken: Any, swept: Any) -> Any:
    """Mark the occupied cells and those the last move swept, old and new body included; returns the vehicle moved."""
    vehicle = np.int64(frontier.moved[index])
    for plane in range(planes):
        swept[plane] = taken[plane]
    if vehicle < 0:
        return vehicle
    before = np.int64(frontier.parent[index]) * layout.words + layout.word[vehicle]
    old = np.int64(frontier.keys[before] >> np.uint64(layout.shift[vehicle])) & layout.mask[vehicle]
    for between in range(min(old, place[vehicle]), max(old, place[vehicle]) + 1):
        for plane in range(planes):
            swept[plane] |= layout.body[(vehicle * PLACES + between) * planes + plane]
    return vehicle


@njit(cache=True, inline="always")
def _list_slides(planes: Any, layout: Any, frontier: Any, key: Any, index: Any, out: Any) -> Any:
    """Write the slides of a state worth making as (vehicle, distance) pairs; returns how many.

    Two kinds are left out, and every state keeps its true depth all the same. Let the state be p·a, made from its
    parent p by moving vehicle a.
    * Slides of a: wherever a could go now it could have gone directly from p.
    * Slides of a vehicle b < a that stay clear of a's sweep: then p·a·b = p·b·a, and p·b is no deeper than p·a.
      If p·b was itself made from another parent by moving c, it leaves out a only when a < c; the labels left out
      grow along such a chain (b < a < c < …), so it ends at a state that makes p·a·b.
    """
    places, taken, swept = out.places, out.taken, out.swept
    _occupy(planes, layout, frontier.keys, key, places, taken)
    moved = _mark_sweep(planes, layout, frontier, index, places, taken, swept)
    found = 0
    for v in range(layout.tail.size):
        if v == moved:
            continue
        step, place = layout.stride[v], places[v]
        tail, head = layout.tail[v] + place * step, layout.head[v] + place * step
        down = _free_run(taken, tail, -step, place)
        up = _free_run(taken, head, step, layout.last[v] - place)
        clear_down = _free_run(swept, tail, -step, down) if v < moved else 0
        clear_up = _free_run(swept, head, step, up) if v < moved else 0
        for by in range(clear_down + 1, down + 1):
            out.vehicle[found], out.by[found] = v, -by
            found += 1
        for by in range(clear_up + 1, up + 1):
            out.vehicle[found], out.by[found] = v, by
            found += 1
    return found


@njit(cache=True)
def expand_wide(layout: Any, frontier: Any, count: Any, first: Any, stop: Any) -> Any:
    """See `expand`: for boards of any size."""
    words, planes = layout.words, layout.planes
    keys, parent, moved, table = frontier.keys, frontier.parent, frontier.moved, frontier.table
    scratch = Scratch(
        np.empty(layout.tail.size, np.int64),
        np.empty(planes, np.uint64),
        np.empty(planes, np.uint64),
        np.empty(MAX_SUCCESSORS, np.int64),
        np.empty(MAX_SUCCESSORS, np.int64),
    )
    made, slot_of = np.empty(MAX_SUCCESSORS * words, np.uint64), np.empty(MAX_SUCCESSORS, np.int64)
    slots, touched = table.size // words, np.uint64(0)
    for index in range(first, stop):
        if index == count:
            return EXHAUSTED, count, index
        if count + MAX_SUCCESSORS > parent.size:
            return FULL, count, index
        found = _list_slides(planes, layout, frontier, index * words, index, scratch)
        for i in range(found):
            v = scratch.vehicle[i]
            for w in range(words):
                made[i * words + w] = keys[index * words + w]
            made[i * words + layout.word[v]] += np.uint64(scratch.by[i]) << np.uint64(layout.shift[v])
            slot_of[i] = _hash(made, i * words, words) & (slots - 1)
            touched ^= table[slot_of[i] * words]  # issue every probe before the first is needed
        for i in range(found):
            if not _insert(words, table, slot_of[i], made, i * words):
                continue
            for w in range(words):
                keys[count * words + w] = made[i * words + w]
            v = scratch.vehicle[i]
            parent[count], moved[count] = index, v
            count += 1
            field = np.int64(made[i * words + layout.word[v]] >> np.uint64(layout.shift[v]))
            if v == layout.target and field & layout.mask[v] == layout.goal:
                return WON, count, index
    # A use of `touched` that changes nothing: without one the early probes are optimised away.
    return MORE + np.int64(touched & np.uint64(0)), count, stop


def expand(layout: Layout, frontier: Frontier, count: int, first: int, stop: int) -> tuple[int, int, int]:
    """Expand states first … stop−1 in order, found ones included; returns (why, states known, next to expand)."""
    narrow = layout.words == 1 and layout.planes == 1
    return (expand_narrow if narrow else expand_wide)(layout, frontier, count, first, stop)
