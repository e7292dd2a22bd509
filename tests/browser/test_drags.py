"""Drags that go wrong or are cut short, and drags reported in one jump or in many points."""

from itertools import pairwise
from typing import Any

import pytest

from pipeline.suite.controls.table import CONTROLS
from pipeline.suite.gestures import Drag, Point
from tests.browser.catalogue import launch_of, level_at, solution
from tests.browser.conftest import OpenPlayer
from tests.browser.driver import Player

pytestmark = pytest.mark.browser

DRAGGED = ("rush_hour/easy/02", "color_connect/easy/02", "maze_paint/easy/02")


def first_drag(place: str) -> tuple[Drag, str]:
    """The drag that makes the first move of the solution, and the state text after it."""
    level = level_at(place)
    state, move, after = next(solution(place))
    gestures = [g for g in CONTROLS[level.game.name].perform(level.board, state, move) if isinstance(g, Drag)]
    assert len(gestures) == 1
    return gestures[0], level.game.state_text(level.board, after)


def dense(points: tuple[Point, ...], steps: int) -> list[Point]:
    """The same way with `steps` points on each of its legs."""
    legs = pairwise(points)
    shares = [k / steps for k in range(1, steps + 1)]
    return [points[0], *((a[0] + s * (b[0] - a[0]), a[1] + s * (b[1] - a[1])) for a, b in legs for s in shares)]


@pytest.mark.parametrize("place", DRAGGED)
def test_one_jump_is_as_good_as_many_points(place: str, open_player: OpenPlayer) -> None:
    drag, expected = first_drag(place)
    for points in (list(drag.points), dense(drag.points, 20)):
        player = open_player(**launch_of(place))
        player.drag(points)
        player.settle()
        assert player.state == expected


@pytest.mark.parametrize("place", DRAGGED)
@pytest.mark.parametrize("lost", ["blur", "hidden", "outside"])
def test_a_drag_that_is_cut_short_leaves_nothing_in_the_hand(place: str, lost: str, open_player: OpenPlayer) -> None:
    """Whether the window is left, covered, or the button let go outside: what follows is no part of the drag."""
    drag, after = first_drag(place)
    player = open_player(**launch_of(place))
    before, at_start = player.state, player.picture()
    player.move(drag.points[0])
    player.page.mouse.down()
    player.move(dense(drag.points[:2], 4)[1])
    let_go(player, lost)
    player.settle()
    if lost != "outside":
        assert player.state == before
        assert player.picture() == at_start
    reached, shown = player.state, player.picture()
    for point in dense(drag.points, 3):
        player.move(point)
    assert player.state == reached
    assert player.picture() == shown
    player.press(player.page.locator("aside nav button").first)
    player.perform(drag)
    assert player.state == after


def let_go(player: Player, how: str) -> None:
    """End a drag by something other than letting go on the board; the server counts that as its end."""
    if how == "outside":
        player.page.mouse.move(1500, -40)
    elif how == "blur":
        player.page.evaluate("window.dispatchEvent(new Event('blur'))")
    else:
        cover(player.page)
    player.page.mouse.up()
    player.inputs += 1


def cover(page: Any) -> None:
    """Bring another tab to the front and back again, as far as the page can tell."""
    page.evaluate(
        """() => {
            for (const hidden of [true, false]) {
                Object.defineProperty(document, "hidden", {configurable: true, value: hidden});
                document.dispatchEvent(new Event("visibilitychange"));
            }
            delete document.hidden;
        }"""
    )
