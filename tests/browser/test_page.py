"""The page in a real browser: what it shows of every screen, what it reports of hands, when it is settled."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser

from pipeline.games.table import GAMES
from tests.browser.staged import Staged, frame, level_screen

pytestmark = pytest.mark.browser

OpenPage = Callable[..., Staged]
RUSH = level_screen("rush_hour")
MOVED = level_screen("rush_hour", moves=1)
MOVE = {"kind": "move", "motion": None}
HOME = {"name": "home", "games": [{"game": game, "levels": 10} for game in GAMES]}
DIFFICULTIES = {
    "name": "difficulties",
    "game": "nut_and_bolt",
    "difficulties": [
        {"difficulty": name, "levels": 3, "won": won}
        for name, won in (("easy", 3), ("medium", 1), ("hard", 0), ("extreme", 0), ("nightmare", 0))
    ],
}
LEVELS = {
    "name": "levels",
    "game": "rush_hour",
    "difficulty": "hard",
    "levels": [
        {"number": n, "status": status} for n, status in enumerate(["won", "won", "open", *["locked"] * 7], start=1)
    ],
}
WON = {**MOVED, "won": True}
SCREENS = [HOME, DIFFICULTIES, LEVELS, WON, {**WON, "last": True}, *(level_screen(game) for game in GAMES)]


@pytest.fixture
def staged(browser: Browser) -> Iterator[OpenPage]:
    """Opens pages, which are closed after the test; an error on any of them fails it."""
    pages: list[Staged] = []

    def one(**how: Any) -> Staged:
        pages.append(Staged(browser, **how))
        return pages[-1]

    yield one
    for page in pages:
        page.close()


# -- what it shows ---------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("lang", ["zh", "en"])
def test_at_its_own_size_nothing_scrolls_and_no_button_is_cut_off(lang: str, staged: OpenPage) -> None:
    page = staged(lang=lang).open()
    for revision, screen in enumerate(SCREENS, start=1):
        page.show(frame(revision, screen))
        cut = page.page.evaluate(
            """() => [...document.querySelectorAll("button, p, h1, h2, li, canvas")].filter((element) => {
                const {left, top, right, bottom} = element.getBoundingClientRect();
                const hidden = element.hidden || element.scrollWidth > element.clientWidth + 1;
                return right > left && (left < 0 || top < 0 || right > 1280 || bottom > 900 || hidden);
            }).map((element) => element.className + element.textContent)"""
        )
        root = page.page.evaluate(
            "() => [document.scrollingElement.scrollWidth, document.scrollingElement.scrollHeight]"
        )
        assert (cut, root) == ([], [1280, 900])


def test_the_square_is_900_pixels_at_the_left_and_scales_on_a_phone(staged: OpenPage) -> None:
    box = staged().open(frame(1, RUSH)).page.locator("canvas").bounding_box()
    assert box == {"x": 0, "y": 0, "width": 900, "height": 900}
    phone = staged(viewport={"width": 390, "height": 844}, device_scale_factor=2).open(frame(1, RUSH))
    canvas = phone.page.locator("canvas")
    assert canvas.bounding_box() == pytest.approx({"x": 0, "y": 0, "width": 390, "height": 390}, abs=0.01)
    assert canvas.evaluate("(canvas) => [canvas.width, canvas.height]") == [780, 780]


BUTTONS: list[tuple[Any, str, dict[str, Any]]] = [
    (HOME, "[data-game=rush_hour]", {"name": "game", "game": "rush_hour"}),
    (DIFFICULTIES, "[data-difficulty=hard]", {"name": "difficulty", "difficulty": "hard"}),
    (DIFFICULTIES, "footer button", {"name": "home"}),
    (LEVELS, ".open", {"name": "level", "number": 3}),
    (LEVELS, "footer button:has-text('返回')", {"name": "game", "game": "rush_hour"}),
    (RUSH, "aside button:has-text('重新开始')", {"name": "restart"}),
    (RUSH, "aside button:has-text('菜单')", {"name": "menu"}),
    (level_screen("nut_and_bolt"), "aside button:has-text('撤销')", {"name": "undo"}),
    (WON, ".win button.main", {"name": "next"}),
    ({**WON, "last": True}, ".win button.main", {"name": "menu"}),
]


def test_buttons_send_their_command(staged: OpenPage) -> None:
    page = staged().open()
    for revision, (screen, button, command) in enumerate(BUTTONS, start=1):
        page.show(frame(revision, screen)).page.locator(button).first.click()
        assert page.heard("command")[-1] == {"type": "command", **command}
    assert len(page.heard("command")) == len(BUTTONS)


def test_locked_levels_cannot_be_chosen(staged: OpenPage) -> None:
    page = staged().open(frame(1, LEVELS))
    assert [tile.is_disabled() for tile in page.page.locator(".tile").all()] == [False] * 3 + [True] * 7


def test_the_end_of_an_objective_does_not_look_like_the_end_of_a_level(staged: OpenPage) -> None:
    page = staged(lang="en").open(frame(1, WON))
    panel = page.page.locator(".win")
    assert "Next level" in panel.inner_text()
    page.show(frame(2, {**WON, "last": True, "number": 10}))
    assert "Objective complete" in panel.inner_text()
    assert "all 10 levels" in panel.inner_text()
    assert "Next" not in panel.inner_text()


def test_a_button_pressed_leaves_no_trace_on_the_picture(staged: OpenPage) -> None:
    page = staged().open(frame(1, RUSH))
    before = page.page.screenshot()
    page.page.locator("aside button").first.click()
    page.show(frame(2, RUSH, {"kind": "restart"}))
    assert page.page.screenshot() == before


# -- when it is settled ----------------------------------------------------------------------------------------------
def test_of_frames_in_a_row_the_last_is_drawn_and_reported(staged: OpenPage) -> None:
    page = staged().open(frame(1, HOME))
    page.show(frame(2, RUSH), frame(3, LEVELS), frame(4, MOVED, MOVE), frame(5, RUSH, MOVE), frame(6, MOVED, MOVE))
    reported = [message["revision"] for message in page.heard("settled")]
    assert (reported, reported[-1]) == (sorted(set(reported)), 6)
    assert page.page.screenshot() == staged().open(frame(1, MOVED)).page.screenshot()


def moving(page: Staged) -> Staged:
    """Open a page that shows a board, stop its clock, and send it a move."""
    page.page.clock.install()
    page.open(frame(1, RUSH))
    page.page.clock.pause_at(page.page.evaluate("() => Date.now() + 1000"))
    page.send(frame(2, MOVED, MOVE))
    return page


def test_a_running_animation_is_cut_short_by_a_newer_frame(staged: OpenPage) -> None:
    page = moving(staged(reduced_motion="no-preference"))
    page.page.clock.run_for(60)
    page.send(frame(3, RUSH, MOVE))
    page.page.clock.run_for(60)
    assert [message["revision"] for message in page.said if message["type"] == "settled"] == [1]
    run_until_settled(page, [1, 3])


def run_until_settled(page: Staged, revisions: list[int], step: int = 20) -> None:
    """Let the page's stopped clock run on by `step` ms at a time until these revisions have been reported."""

    def done() -> bool:
        page.page.clock.run_for(step)
        return [message["revision"] for message in page.said if message["type"] == "settled"] == revisions

    page.until(done)


def test_a_frame_without_news_cuts_no_animation_short(staged: OpenPage) -> None:
    """A click that acts when it is pressed is answered once more when it is let go."""
    page = moving(staged(reduced_motion="no-preference"))
    page.page.clock.run_for(60)
    page.send(frame(2, MOVED))
    page.page.clock.run_for(60)
    assert [message["revision"] for message in page.said if message["type"] == "settled"] == [1]
    run_until_settled(page, [1, 2])
    page.send(frame(2, MOVED))
    run_until_settled(page, [1, 2, 2])


def test_who_wants_no_motion_sees_none(staged: OpenPage) -> None:
    page = moving(staged())
    started = page.page.evaluate("Date.now()")
    run_until_settled(page, [1, 2], step=2)
    assert page.page.evaluate("Date.now()") - started < 120


def test_a_lost_line_is_told_and_taken_up_again(staged: OpenPage) -> None:
    page = staged().open(frame(7, RUSH))
    picture = page.page.screenshot()
    page.sockets[0].close(code=1011, reason="gone")
    page.until(lambda: page.page.locator(".trouble").is_visible())
    page.until(lambda: len(page.sockets) == 2)
    page.show(frame(3, RUSH))
    assert page.page.screenshot() == picture


@pytest.mark.parametrize("code", [4001, 4400, 4404])
def test_a_line_that_was_closed_for_good_is_not_taken_up_again(code: int, staged: OpenPage) -> None:
    page = staged().open(frame(1, RUSH))
    page.page.clock.install()
    page.sockets[0].close(code=code, reason="final")
    page.until(lambda: page.page.locator(".trouble").is_visible())
    page.page.clock.run_for(60_000)
    assert len(page.sockets) == 1


# -- what it reports of hands ----------------------------------------------------------------------------------------
HAND = ("down", "move", "up", "cancel", "key")


def test_a_drag_is_reported_in_pixels_of_the_square_even_outside_it(staged: OpenPage) -> None:
    page = staged().open(frame(1, RUSH))
    mouse = page.page.mouse
    mouse.move(300, 400)
    mouse.down()
    mouse.move(1100, 450)
    assert page.heard(*HAND)[-1] == {"type": "move", "x": 1100, "y": 450}
    mouse.up()
    said = page.heard(*HAND)
    assert said[0] == {"type": "down", "x": 300, "y": 400}
    assert said[-1] == {"type": "up", "x": 1100, "y": 450}
    assert {message["type"] for message in said[1:-1]} == {"move"}


def test_on_a_phone_points_are_pixels_of_the_square_too(staged: OpenPage) -> None:
    page = staged(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True).open(frame(1, RUSH))
    page.page.touchscreen.tap(195, 39)
    assert page.heard(*HAND) == [{"type": "down", "x": 450, "y": 90}, {"type": "up", "x": 450, "y": 90}]


def test_a_pointer_that_is_not_held_and_other_buttons_are_not_reported(staged: OpenPage) -> None:
    page = staged().open(frame(1, RUSH))
    page.page.mouse.move(200, 200)
    page.page.mouse.click(300, 300, button="right")
    page.page.mouse.move(400, 400)
    assert page.heard(*HAND) == []


def test_moves_between_two_pictures_are_reported_once_and_before_the_release(staged: OpenPage) -> None:
    page = staged().open(frame(1, RUSH))
    page.page.mouse.move(100, 100)
    page.page.mouse.down()
    page.page.evaluate(
        """() => {
            const canvas = document.querySelector("canvas");
            const tell = (type, clientX) =>
                canvas.dispatchEvent(new PointerEvent(type, {pointerId: 1, clientX, clientY: 50}));
            for (let x = 101; x <= 150; x++) tell("pointermove", x);
            tell("pointerup", 151);
        }"""
    )
    assert page.heard(*HAND)[1:] == [{"type": "move", "x": 150, "y": 50}, {"type": "up", "x": 151, "y": 50}]


@pytest.mark.parametrize(
    "loss",
    [
        "window.dispatchEvent(new Event('blur'))",
        "document.querySelector('canvas').releasePointerCapture(1)",
        "document.querySelector('canvas').dispatchEvent(new PointerEvent('pointercancel', {pointerId: 1}))",
    ],
)
def test_a_pointer_that_is_lost_is_cancelled_once(loss: str, staged: OpenPage) -> None:
    page = staged().open(frame(1, RUSH))
    mouse = page.page.mouse
    mouse.move(100, 100)
    mouse.down()
    mouse.move(110, 100)
    page.heard()
    page.page.evaluate(loss)
    mouse.move(120, 100)
    mouse.up()
    assert [message["type"] for message in page.heard(*HAND)] == ["down", "move", "cancel"]
    mouse.down()
    assert page.heard(*HAND)[-1]["type"] == "down"


def test_a_second_finger_is_ignored(staged: OpenPage) -> None:
    page = staged(has_touch=True).open(frame(1, RUSH))
    touch = page.context.new_cdp_session(page.page)

    def fingers(kind: str, *points: tuple[int, int]) -> None:
        at = [{"x": x, "y": y, "id": i} for i, (x, y) in enumerate(points)]
        touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": at})

    fingers("touchStart", (100, 100))
    fingers("touchStart", (100, 100), (500, 500))
    fingers("touchMove", (100, 100), (600, 600))
    fingers("touchMove", (140, 100), (600, 600))
    fingers("touchEnd")
    said = page.heard(*HAND)
    assert said[0] == {"type": "down", "x": 100, "y": 100}
    assert said[-1] == {"type": "up", "x": 140, "y": 100}
    assert all(message["x"] <= 140 for message in said)


def test_arrow_keys_are_reported_while_a_board_waits_for_moves(staged: OpenPage) -> None:
    page = staged().open(frame(1, LEVELS))
    keyboard = page.page.keyboard
    keyboard.press("ArrowLeft")
    page.show(frame(2, RUSH))
    for key in ("ArrowUp", "a", "Control+ArrowUp", "ArrowRight"):
        keyboard.press(key)
    keyboard.down("ArrowDown")
    keyboard.down("ArrowDown")
    page.show(frame(3, WON))
    keyboard.press("ArrowLeft")
    assert [message["key"] for message in page.heard(*HAND)] == ["ArrowUp", "ArrowRight", "ArrowDown"]
