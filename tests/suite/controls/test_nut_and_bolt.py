"""Nut and Bolt by hand."""

import random
from itertools import combinations

import pytest

from pipeline.games.nut_and_bolt import GAME, Board, Move
from pipeline.suite.controls.nut_and_bolt import CONTROLS, Selected
from pipeline.suite.gestures import BOARD, Cancel, Click, Point, Pointer
from tests.games.boards import nut_boards
from tests.suite.controls.laws import check_events, check_performing

RACK = Board(capacity=3, bolts=(("red", "blue", "blue"), ("blue", "red"), (), ("red",)))
START = GAME.start(RACK)


def on_bolt(bolt: int, board: Board = RACK) -> Point:
    layout = CONTROLS.layout(board)
    left, top = layout["bolts"][bolt]
    return left + layout["width"] / 2, top + layout["height"] / 2


def pressed(hand: Selected | None, bolt: int) -> tuple[Selected | None, Move | None, object]:
    touch = CONTROLS.touch(RACK, START, hand, Pointer("down", on_bolt(bolt)))
    return touch.hand, touch.move, touch.refused


@pytest.mark.parametrize("seed", range(4))
def test_every_move_is_what_its_clicks_make(seed: int) -> None:
    for board in nut_boards(seed, 15):
        check_performing(CONTROLS, board, random.Random(seed), jitter=0.3 * CONTROLS.layout(board)["width"])


def test_random_events_make_legal_moves_only() -> None:
    made = [check_events(CONTROLS, board, random.Random(3), 700) for board in [RACK, *nut_boards(9, 15)]]
    assert sum(made) > 50


def test_the_first_click_lifts_the_top_run_and_the_second_puts_it_down() -> None:
    hand, move, refused = pressed(None, 0)
    assert (hand, move, refused) == (Selected(0), None, None)
    assert CONTROLS.shown(RACK, START, hand) == {"bolt": 0, "lifted": 2}
    assert pressed(hand, 0) == (None, None, None)
    assert pressed(hand, 2) == (None, Move(0, 2), None)
    assert pressed(None, 2) == (None, None, None)  # nothing to lift


def test_a_bolt_that_cannot_take_the_nuts_refuses_them_and_is_selected() -> None:
    assert pressed(Selected(0), 1) == (Selected(1), None, {"bolt": 1})
    assert pressed(Selected(1), 0) == (Selected(0), None, {"bolt": 0})


def test_a_press_beside_the_bolts_and_a_cancel_keep_the_selection() -> None:
    for event in (Pointer("down", (450.0, 2.0)), Pointer("up", on_bolt(2)), Cancel()):
        assert CONTROLS.touch(RACK, START, Selected(0), event).hand == Selected(0)


@pytest.mark.parametrize(("bolts", "capacity"), [(1, 1), (2, 32), (5, 4), (14, 4), (30, 6), (64, 1), (64, 32)])
def test_bolts_stand_apart_inside_the_square(bolts: int, capacity: int) -> None:
    board = Board(capacity=capacity, bolts=((),) * bolts)
    layout = CONTROLS.layout(board)
    width, height, lift = layout["width"], layout["height"], layout["lift"]
    assert layout["base"] + capacity * layout["nut"] <= height
    for left, top in layout["bolts"]:
        assert min(left, top - lift, BOARD - left - width, BOARD - top - height) >= 40
    for (ax, ay), (bx, by) in combinations(layout["bolts"], 2):
        assert abs(ax - bx) > width or abs(ay - by) >= height + lift
    for bolt in range(bolts):
        x, y = on_bolt(bolt, board)
        ends = (y, y - height / 2 - lift + 1, y + height / 2)
        for point in ((x + aside, end) for aside in (-width / 2, width / 2) for end in ends):
            assert CONTROLS.interpret(board, (("a",),) * bolts, [Click(point)]) == []
            touch = CONTROLS.touch(board, (("a",),) * bolts, None, Pointer("down", point))
            assert touch.hand == Selected(bolt)
