"""Bolt Unscrew: exact for `pinned`; for `hinged` a beam search that is shortened, and A* for bounds and small proofs.

Every `hinged` solution is replayed twice from its start, step by step equal, before it is reported.
"""

from collections.abc import Iterator

from pipeline.core.canonical import Json
from pipeline.core.outcome import Budget, Clock, Outcome, Proof, Solved, Unknown, Unsolvable
from pipeline.games.bolt_unscrew import GAME, Board, Move, State
from pipeline.games.bolt_unscrew_physics import settle
from pipeline.games.bolt_unscrew_rig import rig_of
from pipeline.games.contract import replay
from pipeline.solve import bolt_unscrew_pinned as pinned
from pipeline.solve.bolt_unscrew_beam import Beam, Effort, Taste, run
from pipeline.solve.bolt_unscrew_exact import prove
from pipeline.solve.bolt_unscrew_look import look_at
from pipeline.solve.bolt_unscrew_shorten import shortened
from pipeline.solve.contract import Solver

PINNED_STATES = 2_000_000
DEAD_END_STATES = 50_000
PROOF_MOVES = 3_000
"""Simulated moves of the first A*, which decides small boards."""
FIRST_MOVES = 4_000_000
"""Simulated moves until a first solution must be found, else Unknown."""
IMPROVE_MOVES = 60_000
"""Simulated moves spent on a shorter solution after the first."""
LONGEST = 400
"""Moves after which a beam gives up."""

_TASTES = (Taste(2.0, 0.0, 1.0, 0.0, 1.2), Taste(2.0, 0.0, 1.0, 0.5, 1.2))
_WIDTHS = (10, 30, 100, 300, 1000, 3000)


class BoltUnscrewSolver(Solver[Board, State, Move]):
    """See the module."""

    game = "bolt_unscrew"
    version = "1"

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
    limit = PINNED_STATES if budget.states is None else min(PINNED_STATES, budget.states)
    found = pinned.shortest(reduced, clock, limit)
    if found.moves is not None:
        moves = pinned.placed(board, start, found.moves)
        lost = pinned.can_be_lost(reduced, clock, DEAD_END_STATES)
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
    rig, clock = rig_of(board), Clock(budget)
    bound = look_at(rig, start).bound
    small = Effort(clock, PROOF_MOVES)
    proved = prove(board, start, None, small)
    if proved.won is not None:
        return _solved(board, start, proved.won, proved.lower_bound or 0, bound, small)
    if proved.lower_bound is None:
        facts: dict[str, Json] = {"can_dead_end": True}
        return Unsolvable(Proof("exhausted", {"states": proved.states}), small.moves, facts)
    effort = Effort(clock, FIRST_MOVES if budget.states is None else min(FIRST_MOVES, budget.states))
    effort.moves = small.moves
    best: State | None = None
    for beam in _beams():
        below = LONGEST if best is None else len(best.moves) - len(start.moves)
        if effort.spent() or below <= proved.lower_bound:
            break
        won = run(rig, start, beam, below, effort)
        if won is not None:
            if best is None:
                effort.limit = min(effort.limit, effort.moves + IMPROVE_MOVES)
            moves = shortened(rig, start, won.moves[len(start.moves) :], effort)
            best = replay(GAME, board, moves, start)
    if best is None:
        reason = f"no solution found in {effort.moves:,} simulated moves"
        return Unknown(proved.lower_bound, effort.moves, reason, _facts(board, effort))
    return _solved(board, start, best, proved.lower_bound, bound, effort)


def _beams() -> Iterator[Beam]:
    for width in _WIDTHS:
        for taste in _TASTES:
            yield Beam(width, taste, alike=2, same_gone=max(3, width // 3))


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


def _solved(board: Board, start: State, won: State, lower: int, bound: int, effort: Effort) -> Outcome[Move]:
    if not _replays_alike(board, start, won):
        return Unknown(lower, effort.moves, "a solution was found, but its replays differ", _facts(board, effort))
    moves = won.moves[len(start.moves) :]
    proven = len(moves) == lower
    if len(moves) == bound:
        proof = Proof("bound", {"holding": bound})
    else:
        proof = Proof("exhausted" if proven else "replayed", {"below": lower})
    return Solved(moves, lower, proven, proof, effort.moves, _facts(board, effort))


def _facts(board: Board, effort: Effort) -> dict[str, Json]:
    """`can_dead_end` is true where a state without a free hole was met; nothing is said otherwise."""
    if effort.dead_end is None:
        return {}
    return {"can_dead_end": True, "dead_end": GAME.state_text(board, effort.dead_end)}


SOLVER = BoltUnscrewSolver()
