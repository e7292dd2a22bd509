"""Progress that needs exact distances: told exactly where a solver can, and never waited for without end."""

import asyncio
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from pipeline.core.outcome import Budget, Solved
from pipeline.games.contract import Distance
from pipeline.games.rush_hour import GAME, Board, Move, State
from pipeline.solve.table import SOLVERS
from pipeline.suite.controls.table import CONTROLS
from pipeline.suite.play import Spot
from pipeline.suite.report import Distances, Standing
from pipeline.suite.shelf import make_shelf
from pipeline.suite.variant import variant_of
from tests.samples import sample_level
from tests.suite.serving import serving
from tests.suite.toys import Measured, toy_level

BOARD = sample_level("rush_hour").board


@pytest.fixture(scope="module")
def distances() -> Iterator[Distances]:
    made = Distances()
    yield made
    made.close()


def standing(*moves: str) -> Standing:
    state = GAME.start(BOARD)
    for move in moves:
        state = GAME.apply(BOARD, state, GAME.parse_move(move))
    return Standing(Spot("rush_hour", "easy", 1), GAME, BOARD, state, len(moves), won=False)


def test_the_distance_of_a_state_and_of_its_start(distances: Distances) -> None:
    at_start = asyncio.run(distances.distance(standing()))
    assert at_start is not None
    least = at_start.at_start
    assert at_start == Distance(least, least)
    away = asyncio.run(distances.distance(standing("A+1")))
    assert away is not None
    assert abs(away.remaining - least) <= 1


def test_a_solver_that_dies_leaves_the_distance_unknown_and_the_next_question_answered(distances: Distances) -> None:
    level = toy_level("ooo")
    unknown = Standing(
        Spot("measured_stones", "easy", 1), Measured(), level.board, Measured().start(level.board), 0, False
    )
    assert asyncio.run(distances.distance(unknown)) is None
    assert asyncio.run(distances.distance(replace(standing("B-1"), moves=0))) is not None


def test_the_evaluator_is_told_progress_by_the_exact_distance(tmp_path: Path) -> None:
    level = sample_level("rush_hour")
    shelf = make_shelf([("rush_hour/easy/01", level)], "sha256:" + "1" * 64)
    with serving(tmp_path, shelf, CONTROLS) as suite:
        made = suite.ask("POST", "/sessions", {"game": "rush_hour", "difficulty": "easy", "level": 1, "seed": 4}).json()
        variant = variant_of(level, shelf.digest, 4)
        nearer = variant.state(standing("B-1").state)
        place = {"game": "rush_hour", "difficulty": "easy", "level": 1}
        suite.ask("POST", f"/sessions/{made['id']}/restore", {**place, "state": GAME.state_text(variant.board, nearer)})
        told = suite.state_of(made["id"])
    least = len(solved(BOARD).moves)
    away = len(solved(BOARD, standing("B-1").state).moves)
    assert told["progress"] == GAME.progress(variant.board, nearer, Distance(away, least))
    assert (told["progress_exact"], told["levels"][0]["progress"]) == (True, told["progress"])
    assert told["progress"] != GAME.progress(variant.board, nearer)


def solved(board: Board, state: State | None = None) -> Solved[Move]:
    outcome = SOLVERS["rush_hour"].solve(board, Budget(), state)
    assert isinstance(outcome, Solved)
    return outcome
