"""The toy's solver is the plain reference search."""

from dataclasses import replace

from pipeline.core.outcome import Budget, Outcome, Solved
from pipeline.solve.contract import Solver
from pipeline.solve.search import breadth_first
from tests.toy import game_stepping_stones as rules


class SteppingStonesSolver(Solver[rules.Board, rules.State, rules.Move]):
    game = "stepping_stones"
    version = "1"

    def solve(self, board: rules.Board, budget: Budget, state: rules.State | None = None) -> Outcome[rules.Move]:
        outcome = breadth_first(rules.GAME, board, budget, state)
        return (
            replace(outcome, facts={"can_dead_end": "..o" in board.stones}) if isinstance(outcome, Solved) else outcome
        )


SOLVER = SteppingStonesSolver()
