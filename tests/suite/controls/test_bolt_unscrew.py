"""Bolt Unscrew by hand."""

import random
from typing import Literal

import pytest

from pipeline.games.bolt_unscrew import GAME, Move
from pipeline.suite.controls.bolt_unscrew import CONTROLS, Selected
from pipeline.suite.gestures import Cancel, Click, Drag, Key, Pointer
from tests.games.bolt_unscrew_boards import disc, panel, random_boards, strip
from tests.suite.controls.laws import check_events, check_performing

HOLES = [(100, 200), (300, 200), (60, 60), (340, 60), (200, 200), (200, 250)]
"""Two under the screws of the shelf, two free, one wholly under it and one of which the lower half shows."""
SHELF = panel(HOLES, [0, 1], [strip("shelf", (100, 200), (300, 200), [0, 1], width=100)])
START = GAME.start(SHELF)
FREE, HIDDEN, HALF = 2, 4, 5


def pressed(hand: Selected | None, x: float, y: float) -> tuple[Selected | None, Move | None, object]:
    """What a press at a point of the panel leads to."""
    layout = CONTROLS.layout(SHELF)
    at = (layout["left"] + layout["scale"] * x, layout["top"] + layout["scale"] * y)
    touch = CONTROLS.touch(SHELF, START, hand, Pointer("down", at))
    return touch.hand, touch.move, touch.refused


@pytest.mark.parametrize("physics", ["hinged", "pinned"])
@pytest.mark.parametrize("seed", range(2))
def test_every_move_is_what_its_clicks_make(seed: int, physics: Literal["hinged", "pinned"]) -> None:
    for board in random_boards(20 + seed, 5, physics):
        check_performing(CONTROLS, board, random.Random(seed), jitter=20, steps=4)


def test_random_events_make_legal_moves_only() -> None:
    boards = [SHELF, *random_boards(31, 5, "hinged"), *random_boards(32, 4, "pinned")]
    assert sum(check_events(CONTROLS, board, random.Random(3), 1000) for board in boards) > 100


def test_the_panel_fills_the_square_but_its_margin() -> None:
    layout = CONTROLS.layout(SHELF)
    assert layout == {"left": 176, "top": 40, "width": 547, "height": 820, "scale": pytest.approx(820 / 600)}
    wide = CONTROLS.layout(SHELF.model_copy(update={"width": 1000.0}))
    assert (wide["left"], wide["top"], wide["width"], wide["height"]) == (40, 204, 820, 492)


def test_a_click_selects_again_deselects_another_switches() -> None:
    assert pressed(None, 100, 200) == (Selected(0), None, None)
    assert pressed(Selected(0), 100, 200) == (None, None, None)
    assert pressed(Selected(0), 300, 200) == (Selected(1), None, None)
    assert CONTROLS.shown(SHELF, START, Selected(1)) == {"screw": 1}
    assert GAME.view(SHELF, START)["screws"][1] == [300.0, 200.0]


def test_a_click_on_a_free_hole_moves_the_selected_screw() -> None:
    assert pressed(Selected(0), 60, 60) == (None, Move(0, FREE), None)
    assert pressed(Selected(0), 72, 68) == (None, Move(0, FREE), None)
    assert pressed(None, 60, 60) == (None, None, None)


def test_a_covered_hole_refuses_the_screw_and_keeps_the_selection() -> None:
    visible = GAME.view(SHELF, START)["holes"]
    assert pressed(Selected(0), 200, 258) == (Selected(0), None, {"hole": visible.index([200.0, 250.0])})
    assert pressed(None, 200, 258) == (None, None, None)


def test_a_hole_that_cannot_be_seen_is_like_any_other_place_of_its_plank() -> None:
    assert pressed(Selected(0), 200, 200) == pressed(Selected(0), 160, 200) == (Selected(0), None, None)


def test_a_press_on_nothing_and_all_other_events_keep_the_selection() -> None:
    assert pressed(Selected(0), 200, 500) == (Selected(0), None, None)
    for event in (Cancel(), Key("ArrowLeft"), Pointer("up", (450.0, 450.0)), Pointer("move", (450.0, 450.0))):
        assert CONTROLS.touch(SHELF, START, Selected(0), event).hand == Selected(0)
    assert CONTROLS.interpret(SHELF, START, [Drag((CONTROLS._pixel(SHELF, 0), CONTROLS._pixel(SHELF, 2)))]) == []


def test_of_places_close_together_the_nearest_is_meant() -> None:
    """Screws and holes six units apart, eight pixels of the square."""
    holes = [(100.0 + 6 * k, 200.0) for k in range(8)]
    board = panel([*holes, (300, 400)], [0, 2, 4, 8], [disc("d", (300, 400), 40, [8])], "pinned")
    check_performing(CONTROLS, board, random.Random(1), jitter=2.8)
    first, second = (Click((176 + 820 / 600 * x, 40 + 820 / 600 * 200)) for x in (102.9, 108.9))
    assert CONTROLS.interpret(board, GAME.start(board), [first, second]) == [Move(0, 1)]
