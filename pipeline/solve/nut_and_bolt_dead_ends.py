"""Whether a player can lose a level: is any state reachable from which no win can be reached?

A witness is looked for first: pseudo-random walks that like to fill empty bolts, each ending in a state without a move
that changes anything (lost without further search) or in one that made no headway for a while, whose own reachable
states are then exhausted if they are few. Without a witness, all reachable states of a small level are swept and marked
backwards from the wins. Larger levels without a witness stay undecided. All limits count steps and states, so the
answer is the same everywhere.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numba import njit

from pipeline.games import nut_and_bolt as rules
from pipeline.solve import nut_and_bolt_kernel as kernel
from pipeline.solve.nut_and_bolt_codes import Coding, coding_of, lower_bound
from pipeline.solve.nut_and_bolt_search import real_moves

WALKS = 48
STEPS = 250
PATIENCE = 8
"""Moves in a row that waste before a walk counts as stalled."""
EMPTY_WEIGHT = 8
"""How much likelier a walk is to fill an empty bolt than to make any one other move."""
PROBE_STATES = 300
PROBE_ROOM = 1 << 13
"""Room for them and for what one more state may add (64 bolts: 4,096)."""
SWEPT_STATES = 1 << 15


@dataclass(frozen=True)
class DeadEnds:
    """`possible` is None when undecided; `witness` leads to a lost state; `states` were exhausted to know."""

    possible: bool | None
    witness: tuple[rules.Move, ...] = ()
    states: int = 0


def find_dead_ends(board: rules.Board, state: rules.State) -> DeadEnds:
    """Decide whether play from a solvable `state` can be lost."""
    coding = coding_of(state, board.capacity)
    walked = _walked_into(board, state, coding)
    return _swept(board, state, coding) if walked is None else walked


def _walked_into(board: rules.Board, state: rules.State, coding: Coding) -> DeadEnds | None:
    path, row = np.empty((STEPS, 2), np.uint16), coding.start.copy()
    bound = lower_bound(state, board.capacity)
    for number in range(WALKS):
        row[:] = coding.start
        steps, phi = wander(coding.codes, row, bound, number, path)
        if phi == 0:
            continue
        store, cursor = kernel.begin(coding.codes, row, phi, PROBE_ROOM)
        if kernel.search(coding.codes, store, cursor, PROBE_STATES, False) == kernel.EXHAUSTED:
            taken = [(int(source), int(target)) for source, target in path[:steps]]
            return DeadEnds(True, real_moves(board, state, coding, taken), int(cursor[kernel.COUNT]))
    return None


def _swept(board: rules.Board, state: rules.State, coding: Coding) -> DeadEnds:
    store, cursor = kernel.begin(coding.codes, coding.start, lower_bound(state, board.capacity), SWEPT_STATES)
    if not sweep(coding.codes, store, cursor):
        return DeadEnds(None)
    count = int(cursor[kernel.COUNT])
    lost = first_lost(coding.codes, store, count)
    if lost < 0:
        return DeadEnds(False, (), count)
    return DeadEnds(True, real_moves(board, state, coding, kernel.path_to(store, lost)), count)


@njit(cache=True)
def wander(codes: Any, row: Any, phi: Any, seed: Any, path: Any) -> Any:
    """(steps, PHI at the end) of one walk; leaves its end in `row` and the codes of its moves in `path`."""
    child = row.copy()
    missing = np.empty(codes.need.size, np.int64)
    word = np.uint64(2 * seed + 1) * np.uint64(0x9E3779B97F4A7C15)
    stalled = 0
    for step in range(path.shape[0]):
        if phi == 0 or stalled == PATIENCE:
            return step, phi
        kernel.count_missing(codes, row, missing)
        i, j, a, b, fall, word = _any_move(codes, row, missing, word)
        if i < 0:
            return step, phi
        path[step, 0], path[step, 1] = row[i], row[j]
        kernel.write_child(row, i, j, a, b, child)
        row[:] = child
        phi -= fall
        stalled = 0 if fall else stalled + 1
    return path.shape[0], phi


@njit(cache=True)
def _any_move(codes: Any, row: Any, missing: Any, word: Any) -> Any:
    """(i, j, both codes after, fall of PHI, next random word): a move drawn by weight in one pass; i < 0 for none."""
    total, chosen = 0, (-1, -1, 0, 0, 0)
    for j in range(row.size):
        if codes.room[row[j]] == 0:
            continue
        weight = EMPTY_WEIGHT if row[j] == 0 else 1
        for i in range(row.size):
            if kernel.is_repeat(row, i, j):
                continue
            legal, a, b, fall = kernel.poured(codes, row, missing, i, j)
            if not legal:
                continue
            total += weight
            word ^= word << np.uint64(13)  # xorshift64 (Marsaglia 2003)
            word ^= word >> np.uint64(7)
            word ^= word << np.uint64(17)
            if np.int64(word >> np.uint64(33)) % total < weight:
                chosen = (i, j, a, b, fall)
    return chosen[0], chosen[1], chosen[2], chosen[3], chosen[4], word


@njit(cache=True)
def sweep(codes: Any, store: Any, cursor: Any) -> Any:
    """Find every state reachable by any move; False if the store is too small."""
    bolts = store.rows.shape[1]
    scratch = (np.empty(codes.need.size, np.int64), np.empty(bolts, np.uint16))
    state = 0
    while state < cursor[kernel.COUNT]:
        if cursor[kernel.COUNT] + bolts * bolts > store.sums.size:
            return False
        for wasted in (False, True):
            kernel.spread(codes, store, cursor, state, wasted, scratch)
        state += 1
    return True


@njit(cache=True)
def first_lost(codes: Any, store: Any, count: Any) -> Any:
    """The first of the swept states from which no won one can be reached, −1 if there is none."""
    alive = store.phi[:count] == 0
    changed = True
    while changed:
        changed = False
        for state in range(count - 1, -1, -1):
            if not alive[state] and _has_living_child(codes, store, state, alive):
                alive[state] = changed = True
    for state in range(count):
        if not alive[state]:
            return state
    return -1


@njit(cache=True)
def _has_living_child(codes: Any, store: Any, state: Any, alive: Any) -> Any:
    row = store.rows[state]
    child = np.empty_like(row)
    missing = np.zeros(codes.need.size, np.int64)
    for j in range(row.size):
        if codes.room[row[j]] == 0:
            continue
        for i in range(row.size):
            if kernel.is_repeat(row, i, j):
                continue
            legal, a, b, _ = kernel.poured(codes, row, missing, i, j)
            if not legal:
                continue
            kernel.write_child(row, i, j, a, b, child)
            found, _ = kernel.find(store, child, kernel.hash_of(codes, child))
            if alive[found]:
                return True
    return False
