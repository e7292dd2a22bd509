"""The compiled search over Nut and Bolt states, an optimisation of `games.nut_and_bolt` and checked against it.

PHI (see `nut_and_bolt_codes.lower_bound`) never rises and never falls by more than one. A move that lowers it is free,
any other wastes one move, so every solution has PHI(start) + waste moves. Layer w holds the states reached with w
wasted moves and no fewer. It is closed under free moves depth-first, and only when no win lies in it are the wasted
moves of its states taken: the first win has the least waste. When a layer stays empty, every reachable state was seen.

One prune, safe for the minimum: when all nuts of a colour that fills one bolt are the top run of one bolt and the
whole content of another, joining them is the only move tried. In any solution the colour's nuts can
never leave the bolts they are in all at once (together they fill a bolt), so some bolt always has them at its
bottom; dropping their moves from the solution, with the joined bolt in that role, leaves a shorter one.
"""

from typing import Any, NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from pipeline.solve.nut_and_bolt_codes import Codes, Row

WON, EXHAUSTED, PAUSED, FULL = 0, 1, 2, 3
"""Why `search` came back: won (state `WINNER`), nothing left, `stop_at` states reached, or the arrays are full."""

COUNT, STACKED, SOURCES, POSITION, LAYER_END, LAYER, WINNER = range(7)
"""Entries of the cursor: everything the search remembers between two calls besides the arrays."""


class Store(NamedTuple):
    """States in the order they were found, and a hash table of their indexes + 1 (open addressing, 0 is free)."""

    rows: Any
    """(room, bolts) codes in ascending order."""
    sums: NDArray[np.uint64]
    phi: NDArray[np.int16]
    parent: NDArray[np.int32]
    taken: NDArray[np.uint16]
    """(room, 2) codes of the source and the target bolt of the move that led here."""
    stack: NDArray[np.int32]
    """States whose free moves are still to be tried."""
    sources: NDArray[np.int32]
    """States whose wasted moves are to be tried, layer after layer."""
    table: NDArray[np.int32]


def allocate(room: int, bolts: int) -> Store:
    """Empty arrays for `room` states (a power of two)."""
    return Store(
        rows=np.empty((room, bolts), np.uint16),
        sums=np.empty(room, np.uint64),
        phi=np.empty(room, np.int16),
        parent=np.empty(room, np.int32),
        taken=np.empty((room, 2), np.uint16),
        stack=np.empty(room, np.int32),
        sources=np.empty(room, np.int32),
        table=np.zeros(2 * room, np.int32),
    )


def bytes_of(room: int, bolts: int) -> int:
    """Memory of `allocate`."""
    return room * (2 * bolts + 8 + 2 + 4 + 4 + 4 + 4 + 8)


def begin(codes: Codes, start: Row, phi: int, room: int) -> tuple[Store, NDArray[np.int64]]:
    """A store and a cursor that hold the start only."""
    store, cursor = allocate(room, start.size), np.zeros(7, np.int64)
    store.rows[0], store.phi[0], store.parent[0] = start, phi, -1
    store.sums[0] = hash_of(codes, start)
    store.stack[0] = 0
    cursor[COUNT] = cursor[STACKED] = 1
    rehash(store, 1)
    return store, cursor


def grown(store: Store, count: int, factor: int) -> Store:
    """The same states in arrays `factor` times as large."""
    larger = allocate(factor * store.sums.size, store.rows.shape[1])
    for new, old in zip(larger[:-1], store[:-1], strict=True):
        new[: old.shape[0]] = old
    rehash(larger, count)
    return larger


def path_to(store: Store, state: int) -> list[tuple[int, int]]:
    """The moves from the start to a state, as codes of source and target."""
    taken = []
    while state:
        taken.append((int(store.taken[state, 0]), int(store.taken[state, 1])))
        state = int(store.parent[state])
    return taken[::-1]


@njit(cache=True)
def rehash(store: Any, count: Any) -> None:
    """Fill an empty table with the first `count` states."""
    slots = store.table.size - 1
    for state in range(count):
        at = np.int64(store.sums[state] >> np.uint64(20)) & slots
        while store.table[at] != 0:
            at = (at + 1) & slots
        store.table[at] = state + 1


@njit(cache=True)
def poured(codes: Any, row: Any, missing: Any, i: Any, j: Any) -> Any:
    """(legal and not idle, source code after, target code after, fall of PHI) of the move from row[i] to row[j].

    Idle moves (a bolt of one run to an empty bolt) give the same state and are left out. `missing` is k_c − b_c.
    """
    a, b = np.int64(row[i]), np.int64(row[j])
    color = codes.color[a]
    if color < 0:
        return False, a, b, 0
    run = codes.run[a]
    if b == 0:
        if codes.uniform[a]:
            return False, a, b, 0
        return True, codes.under[a], codes.alone[color] + run - 1, 1 if missing[color] > 0 else 0
    room = codes.room[b]
    if codes.color[b] != color or room == 0:
        return False, a, b, 0
    if run > room:
        return True, a - room, b + room, 0
    fall = 0 if codes.uniform[a] and missing[color] >= 0 else 1
    return True, codes.under[a], b + run, fall


@njit(cache=True)
def count_missing(codes: Any, row: Any, missing: Any) -> None:
    """Write k_c − b_c of every colour."""
    missing[:] = codes.need
    for code in row:
        if code:
            missing[codes.bottom[code]] -= 1


@njit(cache=True)
def is_repeat(row: Any, i: Any, j: Any) -> Any:
    """Whether an equal source or target was tried before (equal bolts stand side by side in a row)."""
    if i == j or (i > 0 and row[i] == row[i - 1]):
        return True
    return j > 0 and row[j] == row[j - 1] and j - 1 != i


@njit(cache=True)
def write_child(row: Any, i: Any, j: Any, a: Any, b: Any, child: Any) -> None:
    """Write the row with entries i and j replaced, in order again."""
    size, at = row.size, 0
    low, high = min(a, b), max(a, b)
    for place in range(size):
        if place in (i, j):
            continue
        code = row[place]
        while at < size and low <= code:
            child[at] = low
            at += 1
            low, high = high, 70_000
        child[at] = code
        at += 1
    while at < size:
        child[at] = low
        at += 1
        low, high = high, 70_000


@njit(cache=True)
def _same(one: Any, other: Any) -> Any:
    for k in range(one.size):  # noqa: SIM110 - plain loops are what numba compiles best
        if one[k] != other[k]:
            return False
    return True


@njit(cache=True)
def hash_of(codes: Any, row: Any) -> Any:
    """Sum of the salts, the same for every bolt order."""
    total = np.uint64(0)
    for code in row:
        total += codes.salt[code]
    return total


@njit(cache=True)
def find(store: Any, row: Any, total: Any) -> Any:
    """(index of the state or −1, slot where it is or belongs)."""
    slots = store.table.size - 1
    at = np.int64(total >> np.uint64(20)) & slots
    while store.table[at] != 0:
        state = store.table[at] - 1
        if store.sums[state] == total and _same(store.rows[state], row):
            return state, at
        at = (at + 1) & slots
    return -1, at


@njit(cache=True)
def _add(codes: Any, store: Any, cursor: Any, parent: Any, move: Any, child: Any) -> None:
    """Store the child of a move if it is new and push it; move = (i, j, codes of both after it, fall of PHI)."""
    row = store.rows[parent]
    i, j, a, b, fall = move
    source, target = row[i], row[j]
    total = store.sums[parent] - codes.salt[source] - codes.salt[target] + codes.salt[a] + codes.salt[b]
    write_child(row, i, j, a, b, child)
    known, slot = find(store, child, total)
    if known >= 0:
        return
    state = cursor[COUNT]
    cursor[COUNT] += 1
    store.table[slot] = state + 1
    store.rows[state] = child
    store.sums[state] = total
    store.phi[state] = store.phi[parent] - fall
    store.parent[state] = parent
    store.taken[state, 0], store.taken[state, 1] = source, target
    store.stack[cursor[STACKED]] = state
    cursor[STACKED] += 1
    if store.phi[state] == 0:
        cursor[WINNER] = state


@njit(cache=True)
def spread(codes: Any, store: Any, cursor: Any, state: Any, wasted: Any, scratch: Any) -> None:
    """Add the children by free or by wasted moves. Moves to empty bolts are pushed first, so they are tried last."""
    missing, child = scratch
    row = store.rows[state]
    count_missing(codes, row, missing)
    for j in range(row.size):
        if codes.room[row[j]] == 0:
            continue
        color = codes.color[row[j]]
        for i in range(row.size):
            if (color >= 0 and codes.color[row[i]] != color) or is_repeat(row, i, j):
                continue
            legal, a, b, fall = poured(codes, row, missing, i, j)
            if legal and (fall == 0) == wasted:
                _add(codes, store, cursor, state, (i, j, a, b, fall), child)


@njit(cache=True)
def _completing(codes: Any, row: Any) -> Any:
    """(source, target) of a move that completes the only bolt of its colour, (−1, −1) if there is none."""
    for j in range(row.size):
        b = row[j]
        if not codes.uniform[b] or codes.room[b] == 0 or codes.need[codes.color[b]] != 1:
            continue
        for i in range(row.size):
            if i != j and codes.color[row[i]] == codes.color[b] and codes.run[row[i]] == codes.room[b]:
                return i, j
    return -1, -1


@njit(cache=True)
def _expand(codes: Any, store: Any, cursor: Any, state: Any, greedy: Any, scratch: Any) -> None:
    """Try the free moves of a state (or the one that completes a colour) and note it for its wasted moves."""
    row = store.rows[state]
    i, j = _completing(codes, row)
    if i >= 0:
        joined = np.int64(row[j]) + codes.run[row[i]]
        _add(codes, store, cursor, state, (i, j, codes.under[row[i]], joined, 1), scratch[1])
        return
    if greedy:
        spread(codes, store, cursor, state, True, scratch)
    else:
        store.sources[cursor[SOURCES]] = state
        cursor[SOURCES] += 1
    spread(codes, store, cursor, state, False, scratch)


@njit(cache=True)
def search(codes: Any, store: Any, cursor: Any, stop_at: Any, greedy: Any) -> Any:
    """Go on until a win, exhaustion, `stop_at` states or full arrays; `greedy` dives without regard to waste."""
    bolts = store.rows.shape[1]
    scratch = (np.empty(codes.need.size, np.int64), np.empty(bolts, np.uint16))
    while cursor[WINNER] == 0:
        if cursor[COUNT] >= stop_at:
            return PAUSED
        if cursor[COUNT] + bolts * bolts > store.sums.size:
            return FULL
        if cursor[STACKED] > 0:
            cursor[STACKED] -= 1
            _expand(codes, store, cursor, np.int64(store.stack[cursor[STACKED]]), greedy, scratch)
            continue
        if cursor[POSITION] == cursor[LAYER_END]:
            if cursor[SOURCES] == cursor[LAYER_END]:
                return EXHAUSTED
            cursor[LAYER_END] = cursor[SOURCES]
            cursor[LAYER] += 1
        state = np.int64(store.sources[cursor[POSITION]])
        cursor[POSITION] += 1
        spread(codes, store, cursor, state, True, scratch)
    return WON
