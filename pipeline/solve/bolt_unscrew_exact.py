"""Bolt Unscrew, `hinged`: A* over all moves, for proofs.

States are told apart by their exact poses (which at rest lie on a grid), and every legal move is tried, so an
exhausted search is a proof as good as the simulation is deterministic: the rules are the simulation.
"""

import heapq
from dataclasses import dataclass

from pipeline.games.bolt_unscrew import GAME, Board, Move, State, successor
from pipeline.games.bolt_unscrew_rig import rig_of
from pipeline.solve.bolt_unscrew_beam import Effort
from pipeline.solve.bolt_unscrew_look import holes_of, look_at


@dataclass(frozen=True)
class Proved:
    """What A* came to: a won state within `below` moves, or the least length a solution can still have.

    `lower_bound` None means that no solution of fewer than `below` moves exists (none at all without that limit).
    """

    won: State | None
    lower_bound: int | None
    states: int


def prove(board: Board, start: State, below: int | None, effort: Effort) -> Proved:
    """A*: the bound falls by at most one a move (only the moved screw can stop holding), so it is consistent."""
    rig = rig_of(board)
    distance = {GAME.key(board, start): 0}
    first = look_at(rig, start).bound
    heap = [(first, 0, 0, start)]
    pushed = 0
    while heap:
        estimate, _, _, state = heapq.heappop(heap)
        depth = len(state.moves) - len(start.moves)
        if depth > distance[GAME.key(board, state)]:
            continue
        look = look_at(rig, state)
        if not look.remaining:
            return Proved(state, depth, len(distance))
        if effort.spent():
            return Proved(None, estimate, len(distance))
        for source in state.screws:
            for target in holes_of(look.free):
                effort.moves += 1
                after = successor(rig, state, Move(source, target))
                total = depth + 1 + look_at(rig, after).bound
                key = GAME.key(board, after)
                if (below is None or total < below) and depth + 1 < distance.get(key, 1 << 30):
                    distance[key] = depth + 1
                    pushed += 1
                    heapq.heappush(heap, (total, -depth, pushed, after))
    return Proved(None, None, len(distance))
