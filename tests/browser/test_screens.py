"""Every control can be seen, reached and read, in both languages, on a wide window and on a phone."""

from typing import Any

import pytest
from playwright.sync_api import Browser, CDPSession, Locator

from pipeline.games.table import GAMES
from pipeline.suite.controls.table import CONTROLS
from pipeline.suite.gestures import Click, Drag, Key, Point
from tests.browser.catalogue import launch_of, level_at, solution
from tests.browser.conftest import OpenPlayer
from tests.browser.driver import WINDOW, Player

pytestmark = pytest.mark.browser

PHONE = {"width": 390, "height": 844}
LEAST_SIDE = {1280: 32, 390: 24}
"""The shorter side of a control, pixels of the window."""

INSIDE = """(parts) => parts.every((part) => {
    const { left, top, right, bottom } = part.getBoundingClientRect();
    return left >= 0 && top >= 0 && right <= innerWidth + 0.5 && bottom <= innerHeight + 0.5;
})"""


def assert_reachable(player: Player, control: Locator) -> None:
    """Scrolled to where need be, it lies in the window, is large enough, says something, and nothing covers it."""
    control.scroll_into_view_if_needed()
    box, window = control.bounding_box(), player.page.viewport_size
    assert box is not None
    assert window is not None
    assert box["x"] >= 0
    assert box["y"] >= 0
    assert box["x"] + box["width"] <= window["width"] + 0.5
    assert box["y"] + box["height"] <= window["height"] + 0.5
    assert min(box["width"], box["height"]) >= LEAST_SIDE[window["width"]]
    assert control.inner_text().strip() or control.get_attribute("aria-label")
    on_top = """(control) => {
        const { x, y, width, height } = control.getBoundingClientRect();
        return control.contains(document.elementFromPoint(x + width / 2, y + height / 2));
    }"""
    assert control.evaluate(on_top)
    assert control.evaluate("(control) => control.scrollWidth <= control.clientWidth + 1"), "its text does not fit"


def assert_all_reachable(player: Player) -> None:
    buttons = player.page.locator("button")
    assert buttons.count() > 0
    for control in buttons.all():
        assert_reachable(player, control)


@pytest.mark.parametrize("window", [WINDOW, PHONE], ids=["wide", "phone"])
@pytest.mark.parametrize("lang", ["zh", "en"])
def test_from_home_to_a_level_and_back(lang: str, window: dict[str, int], open_player: OpenPlayer) -> None:
    player = open_player(window=window, lang=lang)
    page = player.page
    for path in (".card >> nth=1", ".row >> nth=0", ".tile >> nth=0"):
        assert_all_reachable(player)
        assert page.locator("html").get_attribute("lang") == lang
        player.press(page.locator(path))
    assert player.evaluator.state(player.id)["screen"] == "level"
    for screen in ("levels", "difficulties", "home"):
        player.press(page.locator("aside nav button, footer button").last if screen == "levels" else back(player))
        assert player.evaluator.state(player.id)["screen"] == screen


def back(player: Player) -> Locator:
    """The first button below a list: one screen back."""
    return player.page.locator("footer button").first


@pytest.mark.parametrize("window", [WINDOW, PHONE], ids=["wide", "phone"])
@pytest.mark.parametrize("lang", ["zh", "en"])
@pytest.mark.parametrize("game", GAMES)
def test_the_controls_of_a_level(game: str, lang: str, window: dict[str, int], open_player: OpenPlayer) -> None:
    player = open_player(window=window, lang=lang, **launch_of(f"{game}/easy/05"))
    assert_all_reachable(player)
    board = player.page.locator("canvas").bounding_box()
    assert board is not None
    assert board["x"] >= 0
    assert board["y"] >= 0
    assert board["x"] + board["width"] <= window["width"]
    assert board["y"] + board["height"] <= window["height"]
    assert player.page.locator("aside *").evaluate_all(INSIDE)
    assert player.page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_a_finger_on_a_phone_wins(game: str, browser: Browser, open_player: OpenPlayer) -> None:
    place = f"{game}/easy/01"
    level = level_at(place)
    player = open_player(window=PHONE, **launch_of(place))
    finger = player.context.new_cdp_session(player.page)
    player.page.evaluate("addEventListener('click', () => window.clicked = true, true)")
    for state, move, _ in solution(place):
        for gesture in CONTROLS[game].perform(level.board, state, move):
            match gesture:
                case Click(at):
                    touch(player, finger, [at])
                case Drag(points):
                    touch(player, finger, list(points))
                case Key():
                    pytest.fail("a phone has no keys")
            player.inputs += 1
            player.settle()
    assert not player.page.evaluate("window.clicked"), "a tap on the board clicks what a win lays over it"
    assert player.evaluator.state(player.id)["won"]
    assert_all_reachable(player)


def touch(player: Player, finger: CDPSession, points: list[Point]) -> None:
    """Put a finger down at the first point, draw it through the others, lift it."""

    def send(kind: str, at: list[dict[str, Any]]) -> None:
        finger.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": at})

    for number, point in enumerate(points):
        x, y = player.in_window(point)
        send("touchMove" if number else "touchStart", [{"x": x, "y": y}])
    send("touchEnd", [])
