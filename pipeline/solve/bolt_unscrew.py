"""Bolt Unscrew: exact for `pinned`; for `hinged` A* on simulated moves, and hurried searches where A* is too slow.

Every `hinged` solution is replayed twice from its start, step by step equal, before it is reported.
"""

from pipeline.core.canonical import Json
from pipeline.core.outcome import Budget, Clock, Outcome, Proof, Solved, Unknown, Unsolvable
from pipeline.games.bolt_unscrew import GAME, Board, Move, State
from pipeline.games.bolt_unscrew_physics import settle
from pipeline.games.bolt_unscrew_rig import rig_of
from pipeline.solve import bolt_unscrew_pinned as pinned
from pipeline.solve.bolt_unscrew_best_first import Effort
from pipeline.solve.bolt_unscrew_hinged import Hunt
from pipeline.solve.bolt_unscrew_look import look_at
from pipeline.solve.contract import Solver

PINNED_STATES = 2_000_000
DEAD_END_STATES = 50_000
HINGED_MOVES = 20_000_000
"""Limits of a search where the budget sets none lower: states, states, simulated moves."""

PINNED_BYTES, DEAD_END_BYTES, HINGED_BYTES = 500, 2_000, 2_000
"""What one state kept takes of the budget's memory, queue and way back included (measured, rounded up)."""


class BoltUnscrewSolver(Solver[Board, State, Move]):
    """See the module."""

    game = "bolt_unscrew"
    version = "2"

    def solve(self, board: Board, budget: Budget, state: State | None = None) -> Outcome[Move]:
        start = GAME.start(board) if state is None else state
        if GAME.won(board, start):
            return Solved((), 0, True, Proof("bound", {"holding": 0}), 1)
        if board.physics == "pinned":
            return _solve_pinned(board, budget, start)
        return _solve_hinged(board, budget, start)


def _solve_pinned(board: Board, budget: Budget, start: State) -> Outcome[Move]:
    clock = Clock(budget)
    reduced = pinned.Reduced(board, start)
    limit = _least(PINNED_STATES, budget.states, _states_in(budget, PINNED_BYTES))
    found = pinned.shortest(reduced, clock, limit)
    if found.moves is not None:
        moves = pinned.placed(board, start, found.moves)
        lost = pinned.can_be_lost(reduced, clock, _least(DEAD_END_STATES, _states_in(budget, DEAD_END_BYTES)))
        facts: dict[str, Json] = {} if lost is None else {"can_dead_end": lost}
        holding = look_at(rig_of(board), start).bound
        proof = Proof("bound", {"holding": holding})
        if len(moves) > holding:
            proof = Proof("exhausted", {"states": found.explored, "below": len(moves)})
        return Solved(moves, len(moves), True, proof, found.explored, facts)
    if found.exhausted:
        return Unsolvable(Proof("exhausted", {"states": found.explored}), found.explored, {"can_dead_end": True})
    return Unknown(found.lower_bound, found.explored, f"stopped after {found.explored:,} states")


def _solve_hinged(board: Board, budget: Budget, start: State) -> Outcome[Move]:
    effort = Effort(Clock(budget), _least(HINGED_MOVES, budget.states), _states_in(budget, HINGED_BYTES))
    hunt = Hunt(board, start, effort)
    found, spent = hunt.run(), hunt.effort.moves
    facts = _facts(board, hunt)
    if found.best is None and found.exhausted:
        return Unsolvable(Proof("exhausted", {"simulated": spent}), spent, {"can_dead_end": True})
    if found.best is None:
        within = f" with {effort.states:,} states kept" if effort.full else ""
        return Unknown(found.lower_bound, spent, f"no solution found in {spent:,} simulated moves{within}", facts)
    if not _replays_alike(board, start, found.best):
        return Unknown(found.lower_bound, spent, "a solution was found, but its replays differ", facts)
    moves = found.best.moves[len(start.moves) :]
    proven = len(moves) == found.lower_bound
    holding = look_at(rig_of(board), start).bound
    proof = Proof("exhausted" if proven else "replayed", {"below": found.lower_bound})
    if found.lower_bound == holding:
        proof = Proof("bound", {"holding": holding})
    return Solved(moves, found.lower_bound, proven, proof, spent, facts)


def _states_in(budget: Budget, each: int) -> int | None:
    """How many states of `each` bytes the budget's memory holds; None without a limit."""
    return None if budget.memory_bytes is None else budget.memory_bytes // each


def _least(limit: int, *others: int | None) -> int:
    """The least of some limits, of which None is none."""
    return min(limit, *(other for other in others if other is not None))


def _replays_alike(board: Board, start: State, won: State) -> bool:
    """Whether the rules, twice and with physics simulated afresh, lead step by step to the state the search found."""
    runs = []
    for _ in range(2):
        settle.cache_clear()
        states = [start]
        for move in won.moves[len(start.moves) :]:
            states.append(GAME.apply(board, states[-1], move))
        runs.append(states)
    return runs[0] == runs[1] and runs[0][-1] == won


def _facts(board: Board, hunt: Hunt) -> dict[str, Json]:
    """`can_dead_end` is true where a state without a free hole was met, with the moves to it; else nothing is said."""
    met = hunt.effort.dead_end
    return {} if met is None else {"can_dead_end": True, "dead_end": GAME.state_text(board, met)}


SOLVER = BoltUnscrewSolver()
