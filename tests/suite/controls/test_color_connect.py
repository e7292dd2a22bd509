"""Color Connect by hand."""

import random
from collections.abc import Sequence

import pytest

from pipeline.games.color_connect import GAME, Move, State
from pipeline.suite.controls.color_connect import CONTROLS, Stroke
from pipeline.suite.gestures import Cancel, Click, Drag, Gesture, Point, Pointer, events
from tests.games.color_connect_boards import color_boards, drawn_board
from tests.suite.controls.laws import check_events, check_performing

BOARD = drawn_board(["A...", ".#..", "A.BB"])
START = GAME.start(BOARD)
ROUND = Move("a", ((0, 0), (0, 1), (0, 2), (1, 2), (1, 3)))
CELL = 205


def center(row: float, col: float) -> Point:
    """Of a cell of a board four cells wide and three high."""
    return 40 + (col + 0.5) * CELL, 142 + (row + 0.5) * CELL


def drag(*cells: tuple[float, float]) -> Drag:
    return Drag(tuple(center(*cell) for cell in cells))


def clicks(*cells: tuple[float, float]) -> list[Gesture]:
    return [Click(center(*cell)) for cell in cells]


def after(gestures: Sequence[Gesture | Pointer], state: State = START) -> Stroke | None:
    """What is in the hand after clicks, drags and single events; none of them makes a move."""
    hand = None
    for gesture in gestures:
        for event in [gesture] if isinstance(gesture, Pointer) else events(gesture):
            touch = CONTROLS.touch(BOARD, state, hand, event)
            assert touch.move is None
            hand = touch.hand
    return hand


def path_of(stroke: Stroke | None) -> tuple[tuple[int, int], ...]:
    assert stroke is not None
    return stroke.path


@pytest.mark.parametrize("seed", range(4))
def test_every_path_and_removal_is_what_its_gestures_make(seed: int) -> None:
    for board in color_boards(seed, 12):
        check_performing(CONTROLS, board, random.Random(seed), jitter=0.3 * CONTROLS.layout(board)["cell"])


def test_paths_drawn_from_the_other_end_are_the_same() -> None:
    board = drawn_board(["A..", "#..", "A.."])
    for path in (((0, 0), (0, 1), (1, 1), (2, 1), (2, 0)), ((2, 0), (2, 1), (1, 1), (0, 1), (0, 0))):
        move = Move("a", path)
        assert CONTROLS.interpret(board, GAME.start(board), CONTROLS.perform(board, GAME.start(board), move)) == [move]


def test_random_events_make_legal_moves_only() -> None:
    made = [check_events(CONTROLS, board, random.Random(3), 700) for board in [BOARD, *color_boards(9, 15)]]
    assert sum(made) > 200


def test_one_jump_of_the_pointer_draws_the_cells_between() -> None:
    assert CONTROLS.interpret(BOARD, START, [drag((0, 0), (2, 0))]) == [Move("a", ((0, 0), (1, 0), (2, 0)))]


def test_going_back_over_the_path_undoes_it_step_by_step() -> None:
    held = after([Pointer("down", center(0, 0)), Pointer("move", center(0, 3))])
    assert path_of(held) == ((0, 0), (0, 1), (0, 2), (0, 3))
    back = CONTROLS.touch(BOARD, START, held, Pointer("move", center(0, 1))).hand
    assert path_of(back) == ((0, 0), (0, 1))
    assert CONTROLS.shown(BOARD, START, back) == {"color": "a", "path": [[0, 0], [0, 1]], "held": True}


def test_blocked_cells_do_not_stop_the_hand_and_the_tip_waits() -> None:
    """Over the wall and an end of the other colour; the tip goes on when the pointer is beside it again."""
    held = after([Pointer("down", center(0, 0)), Pointer("move", center(0, 1)), Pointer("move", center(2, 1))])
    assert path_of(held) == ((0, 0), (0, 1))
    held = CONTROLS.touch(BOARD, START, held, Pointer("move", center(2, 3))).hand
    held = CONTROLS.touch(BOARD, START, held, Pointer("move", center(0, 3))).hand
    assert path_of(held) == ((0, 0), (0, 1))
    held = CONTROLS.touch(BOARD, START, held, Pointer("move", center(0, 2))).hand
    assert path_of(held) == ((0, 0), (0, 1), (0, 2))


def test_the_other_end_finishes_the_path_at_once_and_the_rest_of_the_drag_is_nothing() -> None:
    held = after([Pointer("down", center(2, 0)), Pointer("move", center(1, 0))])
    touch = CONTROLS.touch(BOARD, START, held, Pointer("move", center(0, 0)))
    assert (touch.hand, touch.move) == (None, Move("a", ((2, 0), (1, 0), (0, 0))))
    assert CONTROLS.interpret(BOARD, START, [drag((2, 3), (2, 2), (1, 2), (1, 3))]) == [Move("b", ((2, 3), (2, 2)))]


@pytest.mark.parametrize("last", [(0, 2), (1, 1), (-0.9, 2), (40, 40)])
def test_an_unfinished_drag_is_taken_back_wherever_it_is_let_go(last: tuple[float, float]) -> None:
    assert after([drag((0, 0), (0, 2), last)]) is None
    assert after([drag((0, 0), (0, 1), (0, 0))]) is None


def test_a_drag_may_leave_the_grid_and_come_back() -> None:
    gestures = [drag((0, 0), (0, -2), (1, -2), (1, 0), (2, 0))]
    assert CONTROLS.interpret(BOARD, START, gestures) == [Move("a", ((0, 0), (1, 0), (2, 0)))]


def test_a_path_is_drawn_by_clicks_too() -> None:
    assert path_of(after(clicks((0, 0), (0, 1), (0, 2)))) == ((0, 0), (0, 1), (0, 2))
    assert path_of(after(clicks((0, 0), (0, 1), (0, 2), (0, 1)))) == ((0, 0), (0, 1))
    assert CONTROLS.interpret(BOARD, START, clicks((0, 0), (1, 0), (2, 0))) == [Move("a", ((0, 0), (1, 0), (2, 0)))]
    assert CONTROLS.interpret(BOARD, START, [*clicks((0, 0)), drag((0, 0), (2, 0))]) == [
        Move("a", ((0, 0), (1, 0), (2, 0)))
    ]


def test_clicks_that_are_no_step() -> None:
    clicked = after(clicks((0, 0), (0, 1)))
    refused = CONTROLS.touch(BOARD, START, clicked, Pointer("down", center(1, 1)))
    assert (refused.hand, refused.refused) == (clicked, {"cell": [1, 1]})
    assert CONTROLS.touch(BOARD, START, clicked, Pointer("down", (450.0, 5.0))).hand == clicked
    assert after(clicks((0, 0), (0, 0))) is None
    assert path_of(after(clicks((0, 0), (0, 1), (0, 1)))) == ((0, 0), (0, 1))
    assert path_of(after(clicks((0, 0), (0, 1), (2, 0)))) == ((2, 0),)
    assert path_of(after(clicks((0, 0), (0, 1), (2, 2)))) == ((2, 2),)
    assert after(clicks((0, 2))) is None


def test_a_drag_from_a_clicked_path_that_is_let_go_leaves_what_was_clicked() -> None:
    assert path_of(after([*clicks((0, 0), (0, 1)), drag((0, 1), (0, 3))])) == ((0, 0), (0, 1))
    assert after([*clicks((0, 0)), drag((0, 0), (0, 3))]) is None


def test_a_cancel_takes_back_what_is_held_and_keeps_what_was_clicked() -> None:
    held = after([Pointer("down", center(0, 0)), Pointer("move", center(0, 2))])
    assert CONTROLS.touch(BOARD, START, held, Cancel()).hand is None
    clicked = after(clicks((0, 0), (0, 1)))
    assert CONTROLS.touch(BOARD, START, clicked, Cancel()).hand == clicked
    held = after([*clicks((0, 0), (0, 1)), Pointer("down", center(0, 1)), Pointer("move", center(0, 3))])
    assert CONTROLS.touch(BOARD, START, held, Cancel()).hand == clicked
    assert CONTROLS.touch(BOARD, START, held, Pointer("down", (450.0, 5.0))).hand == clicked  # a release was missed


def test_pressing_an_end_of_a_finished_path_removes_it_and_the_drag_draws_anew() -> None:
    path = ((0, 0), (1, 0), (2, 0))
    drawn = GAME.apply(BOARD, START, Move("a", path))
    assert CONTROLS.interpret(BOARD, drawn, clicks((2, 0))) == [Move("a", ())]
    touch = CONTROLS.touch(BOARD, drawn, None, Pointer("down", center(2, 0)))
    assert touch.move == Move("a", ()) and path_of(touch.hand) == ((2, 0),)
    assert CONTROLS.touch(BOARD, START, touch.hand, Pointer("up", center(2, 0))).hand is None
    assert CONTROLS.interpret(BOARD, drawn, [drag((2, 0), (0, 0))]) == [Move("a", ()), Move("a", path[::-1])]
    assert CONTROLS.interpret(BOARD, drawn, clicks((1, 0))) == []


def test_a_press_may_miss_its_end_by_a_little() -> None:
    assert path_of(after([Pointer("down", center(0, 0.7))])) == ((0, 0),)
    assert CONTROLS.interpret(BOARD, START, [drag((0.7, 0), (2, 0))]) == [Move("a", ((0, 0), (1, 0), (2, 0)))]
    assert after([Pointer("down", center(0, 1))]) is None
