"""What every solver offers."""

from abc import ABC, abstractmethod
from typing import Any, Generic, TypeVar

from pipeline.core.model import Document
from pipeline.core.outcome import Budget, Outcome

B = TypeVar("B", bound=Document)
S = TypeVar("S")
M = TypeVar("M")


class Solver(ABC, Generic[B, S, M]):
    """The exact solver of one game.

    `version` changes whenever the answer, the proof or the explored count of any board may change: certificates made
    under another version are stale.
    """

    game: str
    version: str

    @abstractmethod
    def solve(self, board: B, budget: Budget, state: S | None = None) -> Outcome[M]:
        """Decide the board from its start, or from `state`; never claims more than it has proved.

        `facts` of the outcome are answers beside the number of moves, reported as they are. In every game
        `can_dead_end`: whether some reachable state is lost, so true of every unsolvable level; absent when not
        decided. Others belong to a game (a least number of cells, uniqueness) and are described by its solver.
        """

    def warm_up(self) -> None:
        """Compile or load what the first call would otherwise wait for; called once in the parent process."""


AnySolver = Solver[Any, Any, Any]
