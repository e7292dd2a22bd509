"""`explain`: the verdict for a level, or for the state after some moves, in words and as a drawing."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pipeline.commands.validate import outcome_sentence
from pipeline.core.canonical import Json
from pipeline.core.outcome import Budget, Solved, Unknown, Unsolvable
from pipeline.games.contract import replay
from pipeline.games.level import read_level
from pipeline.solve.table import SOLVERS, warm_up


@dataclass(frozen=True)
class Explanation:
    """A state, what is proved of it, and the moves that remain when it can be won."""

    game: str
    state: str
    sketch: str
    won: bool
    lost_at_sight: bool
    outcome: Solved[Any] | Unsolvable | Unknown
    remaining: tuple[str, ...] | None
    progress: float

    @property
    def lost(self) -> bool | None:
        """Whether no won state can be reached; None when undecided."""
        return None if isinstance(self.outcome, Unknown) else isinstance(self.outcome, Unsolvable)

    def document(self) -> Json:
        """The machine output of `--json`."""
        bound = None if isinstance(self.outcome, Unsolvable) else self.outcome.lower_bound
        return {
            "game": self.game,
            "state": self.state,
            "won": self.won,
            "lost": self.lost,
            "lost_at_sight": self.lost_at_sight,
            "verdict": self.sentence,
            "remaining": None if self.remaining is None else list(self.remaining),
            "min_moves": len(self.remaining) if self.remaining is not None else None,
            "proven": not isinstance(self.outcome, Unknown) and getattr(self.outcome, "proven", True),
            "lower_bound": bound,
            "progress": self.progress,
            "explored": self.outcome.explored,
        }

    @property
    def sentence(self) -> str:
        """The verdict in words."""
        seen = " (seen without search: no move is left that helps)" if self.lost_at_sight else ""
        return ("won" if self.won else outcome_sentence(self.outcome)) + seen


def explain(path: Path, moves: Sequence[str] = (), budget: Budget | None = None) -> Explanation:
    """Judge a level after some moves, given in the game's text form (`X+3`, `0-3`, `left`).

    InvalidDocument for a bad level, PipelineError or IllegalMove for a bad move.
    """
    level = read_level(path)
    game, board = level.game, level.board
    state = replay(game, board, [game.parse_move(text) for text in moves])
    warm_up([game.name])  # compiling never counts against the time limit
    outcome = SOLVERS[game.name].solve(board, budget or Budget(), state)
    return Explanation(
        game=game.name,
        state=game.state_text(board, state),
        sketch=game.sketch(board, state),
        won=game.won(board, state),
        lost_at_sight=game.lost_at_sight(board, state),
        outcome=outcome,
        remaining=tuple(map(game.move_text, outcome.moves)) if isinstance(outcome, Solved) else None,
        progress=game.progress(board, state),
    )
