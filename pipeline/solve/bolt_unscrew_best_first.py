"""Bolt Unscrew, `hinged`: best-first search over simulated moves.

A guide weighs the moves made against what still holds. The guide `PROOF` is A*: the bound "every screw that holds a
plank must move" falls by at most one a move (only the screw that moves can stop holding without its planks having
exited), so the first win it takes from the queue is a shortest one. States are told apart by their exact poses, which
at rest lie on a grid, and every legal move is tried: an exhausted search is a proof, because the rules of `hinged` are
the simulation itself. Other guides hurry towards some win.

A search is ended by a count of simulated moves or of states kept, the same on every machine, and by the clock only as
a last resort.
"""

import heapq
from dataclasses import dataclass

from pipeline.core.outcome import Clock
from pipeline.games.bolt_unscrew import GAME, Board, Move, State, successor
from pipeline.games.bolt_unscrew_rig import rig_of
from pipeline.solve.bolt_unscrew_look import Look, holes_of, look_at


@dataclass(frozen=True)
class Guide:
    """Priority: moves made + `bound`·(screws that hold) + `tightness`·(see `Look`) − `free`·(free holes)."""

    bound: float
    tightness: float = 0.0
    free: float = 0.0

    def priority(self, depth: int, look: Look) -> tuple[float, float]:
        """What is taken from the queue first: the least; among equals the loosest."""
        free = look.free.bit_count()
        main = depth + self.bound * look.bound + self.tightness * look.tightness - self.free * free
        return main, look.tightness - 0.3 * free


PROOF = Guide(1.0)
"""A*."""


class Effort:
    """Simulated moves of all searches of one board, counted against a limit; the clock; and the states one may keep."""

    def __init__(self, clock: Clock, limit: int, states: int | None = None) -> None:
        self.clock = clock
        self.limit = limit
        self.states = states
        self.moves = 0
        self.full = False
        """Whether some search ended because it kept as many states as it may."""
        self.dead_end: State | None = None
        """A state met on the way that is lost at sight, if any was."""

    def spent(self) -> bool:
        """Whether everything must stop."""
        return self.moves >= self.limit or self.clock.left <= 0

    def holds(self, states: int) -> bool:
        """Whether a search may keep so many states."""
        if self.states is None or states <= self.states:
            return True
        self.full = True
        return False


@dataclass(frozen=True)
class Ending:
    """A won state, if one was found; else whether every state that could lead to one was seen."""

    won: State | None
    exhausted: bool
    lower_bound: int
    """Moves a solution needs at least, as far as this search can tell (see `search`)."""
    states: int


def search(board: Board, start: State, guide: Guide, below: int | None, effort: Effort, quota: int) -> Ending:
    """Search for a win in fewer than `below` moves, by at most `quota` simulated ones.

    `lower_bound` is the least (moves made + bound) of a state not yet expanded when the search ended; when it is
    exhausted, no solution of fewer than `below` moves exists (none at all where `below` is None).
    """
    rig, last = rig_of(board), effort.moves + quota
    first = look_at(rig, start)
    best = {GAME.key(board, start): 0}
    queue = [(guide.priority(0, first), 0, first.bound, start)]
    order = 0
    while queue:
        if effort.spent() or effort.moves >= last or not effort.holds(len(best)):
            return Ending(None, False, min(total for _, _, total, _ in queue), len(best))
        _, _, total, state = heapq.heappop(queue)
        depth = len(state.moves) - len(start.moves)
        if depth > best[GAME.key(board, state)] or (below is not None and total >= below):
            continue
        look = look_at(rig, state)
        if not look.remaining:
            return Ending(state, False, depth if guide is PROOF else first.bound, len(best))
        for source in state.screws:
            for target in holes_of(look.free):
                effort.moves += 1
                after = successor(rig, state, Move(source, target))
                key = GAME.key(board, after)
                if depth + 1 >= best.get(key, depth + 2):
                    continue
                seen = look_at(rig, after)
                if seen.remaining and not seen.free:
                    effort.dead_end = effort.dead_end or after
                    continue
                total = depth + 1 + seen.bound
                if below is not None and total >= below:
                    continue
                best[key] = depth + 1
                order += 1
                heapq.heappush(queue, (guide.priority(depth + 1, seen), order, total, after))
    return Ending(None, True, first.bound if below is None else below, len(best))
