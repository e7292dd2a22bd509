"""Exact Nut and Bolt: least moves by the waste search of `nut_and_bolt_kernel`, or proof that no win can be reached."""

from dataclasses import replace

from pipeline.core.canonical import Json
from pipeline.core.outcome import Budget, Outcome, Proof, Solved, Unknown, Unsolvable
from pipeline.games import nut_and_bolt as rules
from pipeline.solve.contract import Solver
from pipeline.solve.nut_and_bolt_dead_ends import DeadEnds, find_dead_ends
from pipeline.solve.nut_and_bolt_search import WasteSearch

DIVE_STATES = 100_000
"""Most states spent on finding any solution once the budget for the least one is used up."""


class NutAndBoltSolver(Solver[rules.Board, rules.State, rules.Move]):
    """Least moves, or proof that the state is lost; and whether play from here can be lost."""

    game = "nut_and_bolt"
    version = "1"

    def solve(self, board: rules.Board, budget: Budget, state: rules.State | None = None) -> Outcome[rules.Move]:
        start = rules.GAME.start(board) if state is None else state
        if rules.GAME.won(board, start):
            ends = find_dead_ends(board, start)
            return Solved((), 0, True, _proof("bound", {"bound": 0}, ends), 1, _facts(ends))
        search = WasteSearch(board, start)
        won = search.run(budget)
        if won is False:
            return _unsolvable(search.explored)
        if won is True:
            moves, ends = search.solution(), find_dead_ends(board, start)
            return Solved(moves, len(moves), True, _least(search, ends), search.explored, _facts(ends))
        return _any_solution(board, start, search, budget, won)

    def warm_up(self) -> None:
        board = rules.Board(capacity=2, bolts=(("red", "blue"), ("blue", "red"), (), ()))
        self.solve(board, Budget())


def _any_solution(
    board: rules.Board, start: rules.State, search: WasteSearch, budget: Budget, stopped: str
) -> Outcome[rules.Move]:
    """What can still be said when the least solution is out of reach: bounds, and a solution if a dive finds one."""
    dive = WasteSearch(board, start, greedy=True)
    most = DIVE_STATES if budget.states is None else min(DIVE_STATES, budget.states)
    won = dive.run(replace(budget, states=most))
    explored, bound = search.explored + dive.explored, search.bound + search.waste
    if won is False:
        return _unsolvable(dive.explored)
    ends = find_dead_ends(board, start)
    if won is True:
        moves = dive.solution()
        return Solved(moves, bound, len(moves) == bound, _least(search, ends), explored, _facts(ends))
    return Unknown(bound, explored, stopped, _facts(ends))


def _unsolvable(states: int) -> Unsolvable:
    return Unsolvable(Proof("exhausted", {"states": states}), states, {"can_dead_end": True})


def _least(search: WasteSearch, ends: DeadEnds) -> Proof:
    """Why no solution is shorter than bound + waste: the bound alone, or with it the exhausted layers of less waste."""
    if search.waste == 0:
        return _proof("bound", {"bound": search.bound}, ends)
    return _proof("exhausted", {"bound": search.bound, "waste": search.waste, "states": search.explored}, ends)


def _proof(kind: str, record: dict[str, Json], ends: DeadEnds) -> Proof:
    """The record of a solution's bound, with the reason for `can_dead_end` where that is decided."""
    if ends.possible is None:
        return Proof(kind, record)
    witness = [rules.GAME.move_document(move) for move in ends.witness] if ends.possible else None
    return Proof(kind, record | {"dead_end": {"after": witness, "states": ends.states}})


def _facts(ends: DeadEnds) -> dict[str, Json]:
    return {} if ends.possible is None else {"can_dead_end": ends.possible}


SOLVER = NutAndBoltSolver()
