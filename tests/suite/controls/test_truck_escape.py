"""Truck Escape by hand."""

import random

import pytest

from pipeline.games.truck_escape import GAME, Board, Vehicle
from pipeline.suite.controls.truck_escape import CONTROLS
from pipeline.suite.gestures import Click, Drag, Pointer
from tests.games.boards import truck_boards
from tests.suite.controls.laws import check_events, check_performing

YARD = Board(
    rows=4,
    cols=4,
    obstacles=((3, 3),),
    vehicles=(
        Vehicle(id="A", row=0, col=0, length=1, heading="right"),
        Vehicle(id="B", row=0, col=3, length=2, heading="up"),
        Vehicle(id="C", row=3, col=1, length=2, heading="right"),
    ),
)
CELL = 205


@pytest.mark.parametrize("seed", range(4))
def test_every_departure_is_what_its_click_makes(seed: int) -> None:
    for board in truck_boards(seed, 15):
        check_performing(CONTROLS, board, random.Random(seed), jitter=0.3 * CONTROLS.layout(board)["cell"])


def test_random_events_make_legal_moves_only() -> None:
    made = [check_events(CONTROLS, board, random.Random(3), 700) for board in [YARD, *truck_boards(9, 15)]]
    assert sum(made) > 50


def test_the_grid_stands_in_the_middle() -> None:
    assert CONTROLS.layout(YARD) == {"left": 40, "top": 40, "cell": CELL}
    wide = Board(rows=2, cols=40, vehicles=YARD.vehicles[:1])
    assert CONTROLS.layout(wide) == {"left": 50, "top": 430, "cell": 20}


def test_a_blocked_vehicle_says_how_far_it_can_go() -> None:
    start = GAME.start(YARD)
    touch = CONTROLS.touch(YARD, start, None, Pointer("down", (100.0, 100.0)))
    assert (touch.move, touch.refused) == (None, {"vehicle": "A", "free": 2})
    touch = CONTROLS.touch(YARD, start, None, Pointer("down", (400.0, 800.0)))
    assert (touch.move, touch.refused) == (None, {"vehicle": "C", "free": 0})
    assert CONTROLS.interpret(YARD, start, [Click((750.0, 300.0)), Click((100.0, 100.0))]) == ["B", "A"]


def test_only_the_press_counts_and_a_vehicle_that_has_left_is_no_longer_there() -> None:
    gone = GAME.apply(YARD, GAME.start(YARD), "B")
    assert CONTROLS.interpret(YARD, gone, [Click((750.0, 300.0))]) == []
    assert CONTROLS.interpret(YARD, gone, [Drag(((450.0, 450.0), (100.0, 100.0)))]) == []
    assert CONTROLS.interpret(YARD, gone, [Drag(((100.0, 100.0), (450.0, 450.0)))]) == ["A"]
