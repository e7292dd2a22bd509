"""Rush Hour by hand."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.games.rush_hour import GAME, Board, Move
from pipeline.suite.controls.rush_hour import CONTROLS, Lift
from pipeline.suite.gestures import Cancel, Drag, Point, Pointer
from tests.boards import CARD, rush_board, rush_boards
from tests.suite.controls.laws import check_events, check_performing

BOARD = rush_board(CARD)
START = GAME.start(BOARD)
CELL = 120


def center(row: float, col: float) -> Point:
    """Of a cell of a 6 × 6 board."""
    return 90 + (col + 0.5) * CELL, 90 + (row + 0.5) * CELL


@given(rush_boards(), st.integers(0, 2**32))
@settings(max_examples=40)
def test_every_slide_is_what_its_gestures_make(board: Board, seed: int) -> None:
    cell = CONTROLS.layout(board)["cell"]
    check_performing(CONTROLS, board, random.Random(seed), jitter=0.24 * cell)


@pytest.mark.parametrize("board", [BOARD, rush_board(". X .\n. X .\n# . .", "bottom")])
def test_random_events_make_legal_slides_only(board: Board) -> None:
    assert check_events(CONTROLS, board, random.Random(5), 5000) > 20


def test_the_layout_leaves_room_for_the_exit() -> None:
    place = {"side": "right", "left": 810, "top": 330, "width": 70, "height": 120}
    assert CONTROLS.layout(BOARD) == {"left": 90, "top": 90, "cell": 120, "exit": place}
    above = CONTROLS.layout(rush_board(". X .\n. X .\n# . .", "top"))
    assert (above["left"], above["top"], above["cell"]) == (90, 90, 240)
    assert above["exit"] == {"side": "top", "left": 330, "top": 20, "width": 240, "height": 70}


def test_the_lifted_vehicle_follows_the_pointer_as_far_as_it_can() -> None:
    """C, in row 3, can go one cell to the right and two to the left."""
    lift = CONTROLS.touch(BOARD, START, None, Pointer("down", center(3, 4))).hand
    assert lift == Lift("C", center(3, 4), center(3, 4))
    for col, shift in ((4.1, 12.0), (4.5, 60.0), (9.0, 120.0), (3.25, -90.0), (-5.0, -240.0)):
        touch = CONTROLS.touch(BOARD, START, lift, Pointer("move", center(0, col)))
        assert touch.move is None
        assert CONTROLS.shown(BOARD, START, touch.hand) == {"vehicle": "C", "shift": shift}


@pytest.mark.parametrize(
    ("points", "moves"),
    [
        ((center(3, 3), center(3, 1)), [Move("C", -2)]),
        ((center(3, 3), center(3, 0), center(3, 3)), []),
        ((center(3, 3), center(3, 2.6)), []),
        ((center(3, 3), center(3, 2.4)), [Move("C", -1)]),
        ((center(3, 3), (-4000.0, 5000.0)), [Move("C", -2)]),
        ((center(4, 3), center(4, 0)), []),
    ],
)
def test_a_release_snaps_to_the_nearest_cell(points: tuple[Point, ...], moves: list[Move]) -> None:
    assert CONTROLS.interpret(BOARD, START, [Drag(points)]) == moves


def test_a_vehicle_that_cannot_move_that_way_is_refused() -> None:
    lift = CONTROLS.touch(BOARD, START, None, Pointer("down", center(2, 0))).hand
    assert CONTROLS.touch(BOARD, START, lift, Pointer("up", center(2, 2))).refused is None  # it moves by one
    held = CONTROLS.touch(BOARD, START, None, Pointer("down", center(0, 0))).hand
    let_go = CONTROLS.touch(BOARD, START, held, Pointer("up", center(3, 0)))
    assert (let_go.hand, let_go.move, let_go.refused) == (None, None, {"vehicle": "A"})
    assert CONTROLS.touch(BOARD, START, held, Pointer("up", center(0, 3))).refused is None  # across its axis


def test_a_cancelled_drag_leaves_everything_as_it_was() -> None:
    lift = CONTROLS.touch(BOARD, START, None, Pointer("down", center(3, 3))).hand
    moved = CONTROLS.touch(BOARD, START, lift, Pointer("move", center(3, 1))).hand
    touch = CONTROLS.touch(BOARD, START, moved, Cancel())
    assert (touch.hand, touch.move) == (None, None)
    assert CONTROLS.touch(BOARD, START, None, Pointer("up", center(3, 1))).move is None


def test_a_press_may_miss_its_vehicle_by_a_little() -> None:
    assert CONTROLS.touch(BOARD, START, None, Pointer("down", center(4, 0.9))).hand is None
    near = CONTROLS.touch(BOARD, START, None, Pointer("down", center(4.3, 0.9))).hand
    assert near is not None and near.vehicle == "E"
    beside = CONTROLS.touch(BOARD, START, None, Pointer("down", center(0.5, -0.7))).hand
    assert beside is not None and beside.vehicle == "A"
