"""Bolt Unscrew, `hinged`: a short look for a state without a free hole, to show that play can be lost."""

import heapq

from pipeline.games.bolt_unscrew import GAME, Board, Move, State, successor
from pipeline.games.bolt_unscrew_rig import rig_of
from pipeline.solve.bolt_unscrew_best_first import Effort
from pipeline.solve.bolt_unscrew_look import holes_of, look_at

QUOTA = 400
"""Simulated moves of the look."""


def dead_end(board: Board, start: State, effort: Effort) -> State | None:
    """A reachable state that is lost at sight, or None when none was met: always towards fewer free holes."""
    rig, last = rig_of(board), effort.moves + QUOTA
    seen, order = {GAME.key(board, start)}, 0
    queue = [(0, 0, start)]
    while queue and effort.moves < last and not effort.spent():
        _, _, state = heapq.heappop(queue)
        for target in holes_of(look_at(rig, state).free):
            for source in state.screws:
                effort.moves += 1
                after = successor(rig, state, Move(source, target))
                look, key = look_at(rig, after), GAME.key(board, after)
                if look.remaining and not look.free:
                    return after
                if look.remaining and key not in seen:
                    seen.add(key)
                    order += 1
                    heapq.heappush(queue, (look.free.bit_count(), order, after))
    return None
