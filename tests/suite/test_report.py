"""Progress that needs exact distances: told exactly where a solver can, and never waited for without end."""

import asyncio
from collections.abc import Iterator
from dataclasses import replace

import pytest

from pipeline.games.contract import Distance
from pipeline.games.rush_hour import GAME
from pipeline.suite.play import Spot
from pipeline.suite.report import Distances, Standing
from tests.samples import sample_level
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
