"""What the evaluator is told of a session: where the player is, which levels were reached and won, and how far."""

import asyncio
from dataclasses import dataclass
from typing import Any

from pipeline.core.canonical import Json
from pipeline.core.outcome import Budget, Solved
from pipeline.core.workers import Aide, Lost
from pipeline.games.contract import AnyGame, Distance
from pipeline.games.level import board_digest, board_document
from pipeline.suite.live import Live
from pipeline.suite.play import Spot
from pipeline.suite.session import Session, spot_document

_BUDGET = Budget(seconds=5.0, memory_bytes=1 << 30)
_SECONDS_FOR_ALL = 30.0
_REMEMBERED = 20_000


@dataclass(frozen=True)
class Standing:
    """A level that was reached, and how the last attempt at it stands. `won`: in this or any earlier attempt."""

    spot: Spot
    game: AnyGame
    board: Any
    state: Any
    moves: int
    won: bool


@dataclass(frozen=True)
class _Job:
    """A question to the solver, as it travels to another process; without a state it is about the start."""

    game: str
    board: Any
    state: Any


class Distances:
    """Exact remaining moves, asked of the solvers in a process of their own: here they would hold up every session."""

    def __init__(self) -> None:
        self._aide = Aide(_remaining, _SECONDS_FOR_ALL)
        self._known: dict[tuple[str, str], int | None] = {}

    async def distance(self, standing: Standing) -> Distance | None:
        """The distance of a state and of its start; None when one of them is not known for certain."""
        remaining = await self._ask(standing, standing.state)
        at_start = await self._ask(standing, standing.game.start(standing.board))
        return None if remaining is None or at_start is None else Distance(remaining, at_start)

    async def _ask(self, standing: Standing, state: Any) -> int | None:
        game, board = standing.game, standing.board
        key = board_digest(game, board), game.state_text(board, state)
        if key not in self._known:
            answer = await asyncio.to_thread(self._aide.ask, _Job(game.name, board, state))
            if len(self._known) >= _REMEMBERED:
                del self._known[next(iter(self._known))]
            self._known[key] = None if isinstance(answer, Lost) else answer
        return self._known[key]

    def close(self) -> None:
        """End the process."""
        self._aide.stop()


def _remaining(job: _Job) -> int | None:
    from pipeline.solve.table import SOLVERS  # here, in the process that solves: the server starts without it

    outcome = SOLVERS[job.game].solve(job.board, _BUDGET, job.state)
    return len(outcome.moves) if isinstance(outcome, Solved) and outcome.proven else None


class Reporter:
    """Makes reports of sessions."""

    def __init__(self, distances: Distances) -> None:
        self._distances = distances

    async def report(self, live: Live, *, with_board: bool = False) -> Json:
        """Everything about a session now. The rows of `levels` are in the order the levels were last entered."""
        document, standings = await live.do(lambda session: _look(session, with_board))
        settled = live.is_settled and live.session.revision == document["revision"]
        document |= {"connected": live.page is not None, "settled": settled}
        rows = document["levels"]
        for row, standing in zip(rows, standings, strict=True):
            if not row["progress_exact"]:
                distance = await self._distances.distance(standing)
                progress = standing.game.progress(standing.board, standing.state, distance)
                row |= {"progress": progress, "progress_exact": distance is not None}
        if document["level"] is not None:  # the level on the screen is the one entered last
            document |= {key: rows[-1][key] for key in ("state", "moves", "progress", "progress_exact")}
        return document


def _look(session: Session, with_board: bool) -> tuple[dict[str, Json], list[Standing]]:
    """All that can be told without asking a solver."""
    play, launch = session.play, session.opening.launch
    standings = [
        Standing(spot, a.controls.game, a.board, a.state, a.moves, spot in play.won)
        for spot, a in play.attempts.items()
    ]
    document = {
        **spot_document(play.spot),
        "seed": launch.seed,
        "theme": launch.theme,
        "lang": launch.lang,
        "bound": session.opening.bound,
        "revision": session.revision,
        "inputs": session.inputs,
        "journal": session.journal_head,
        "levels": [_row(standing) for standing in standings],
    }
    if play.attempt is not None:
        game, board, state = play.attempt.controls.game, play.attempt.board, play.attempt.state
        document |= {"won": play.attempt.won, "lost_at_sight": game.lost_at_sight(board, state)}
        document |= {"board": board_document(board)} if with_board else {}
    return document, standings


def _row(standing: Standing) -> dict[str, Json]:
    game, board, state = standing.game, standing.board, standing.state
    return {
        "game": standing.spot.game,
        "difficulty": standing.spot.difficulty,
        "level": standing.spot.number,
        "won": standing.won,
        "state": game.state_text(board, state),
        "moves": standing.moves,
        "progress": game.progress(board, state),
        "progress_exact": not game.progress_needs_distance or game.won(board, state),
    }
