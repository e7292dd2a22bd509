"""Whether a player can lose a level: is any state reachable from which no win can be reached?

A witness is looked for first: pseudo-random walks that like to fill empty bolts, each ending in a state without a move
that changes anything (lost without further search) or, when it runs too long, in one whose own reachable states are
exhausted. Without a witness, all reachable states of a small level are swept and marked backwards from the wins.
Larger levels without a witness stay undecided. All limits count states, so the answer is the same everywhere.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numba import njit

from pipeline.core.outcome import Budget
from pipeline.games import nut_and_bolt as rules
from pipeline.games.contract import replay
from pipeline.solve import nut_and_bolt_kernel as kernel
from pipeline.solve.nut_and_bolt_codes import Coding, lower_bound
from pipeline.solve.nut_and_bolt_search import WasteSearch, real_moves

WALKS = 32
STEPS = 250
PROBED_WALKS = 8
PROBE_STATES = 2_000
SWEPT_STATES = 1 << 13


@dataclass(frozen=True)
class DeadEnds:
    """`possible` is None when undecided; `witness` leads to a lost state; `states` were exhausted to know."""

    possible: bool | None
    witness: tuple[rules.Move, ...] = ()
    states: int = 0


def find_dead_ends(board: rules.Board, state: rules.State) -> DeadEnds:
    """Decide whether play from a solvable `state` can be lost."""
    coding = Coding(state, board.capacity)
    walked = _walked_into(board, state, coding)
    return _swept(board, state, coding) if walked is None else walked


def _walked_into(board: rules.Board, state: rules.State, coding: Coding) -> DeadEnds | None:
    path = np.empty((STEPS, 2), np.uint16)
    probes: list[tuple[rules.Move, ...]] = []
    for number in range(WALKS):
        steps, stuck = wander(coding.codes, coding.start, lower_bound(state, board.capacity), number, path)
        if not stuck and (steps < STEPS or len(probes) == PROBED_WALKS):
            continue
        moves = real_moves(board, state, coding, [(int(a), int(b)) for a, b in path[:steps]])
        if stuck:
            return DeadEnds(True, moves, 1)
        probes.append(moves)
    for moves in probes:
        search = WasteSearch(board, replay(rules.GAME, board, moves, state))
        if search.run(Budget(states=PROBE_STATES)) is False:
            return DeadEnds(True, moves, search.explored)
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
def wander(codes: Any, start: Any, phi: Any, seed: Any, path: Any) -> Any:
    """(steps, whether no move is left in an unfinished state) of one walk; writes the codes of its moves to `path`."""
    bolts = start.size
    row, child = start.copy(), start.copy()
    missing = np.empty(codes.need.size, np.int64)
    word = np.uint64(2 * seed + 1) * np.uint64(0x9E3779B97F4A7C15)
    for step in range(path.shape[0]):
        if phi == 0:
            return step, False
        kernel.count_missing(codes, row, missing)
        total, best_i, best_j, best_a, best_b, best_fall = 0, -1, -1, 0, 0, 0
        for j in range(bolts):
            if codes.room[row[j]] == 0:
                continue
            for i in range(bolts):
                if kernel.is_repeat(row, i, j):
                    continue
                legal, a, b, fall = kernel.poured(codes, row, missing, i, j)
                if not legal:
                    continue
                weight = 8 if row[j] == 0 else 1
                total += weight
                word ^= word << np.uint64(13)
                word ^= word >> np.uint64(7)
                word ^= word << np.uint64(17)
                if np.int64(word >> np.uint64(33)) % total < weight:  # reservoir sampling by weight
                    best_i, best_j, best_a, best_b, best_fall = i, j, a, b, fall
        if best_i < 0:
            return step, True
        path[step, 0], path[step, 1] = row[best_i], row[best_j]
        kernel.write_child(row, best_i, best_j, best_a, best_b, child)
        row, child = child, row
        phi -= best_fall
    return path.shape[0], False


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
