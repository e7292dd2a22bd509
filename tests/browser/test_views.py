"""The canvas views, drawn by a real browser: what each module offers, and that equal scenes give equal pixels."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, Page, Route

from pipeline.core.resources import resource
from pipeline.games.level import Level
from pipeline.games.table import GAMES
from pipeline.suite.controls.table import CONTROLS
from pipeline.suite.gestures import BOARD, Click, Key, events
from tests.browser.catalogue import level_at, outcome_at
from tests.samples import sample_level

SUITE = resource("templates") / "suite"
THEMES = json.loads((SUITE / "themes.json").read_text(encoding="utf-8"))
LONGEST = 2_300
"""Milliseconds an animation may take: boards swing for up to 2 s, after a screw's flight."""

STRAYS = (Key("ArrowUp"), Key("ArrowLeft"), Click((450, 650)), Click((700, 650)), Click((250, 450)))
"""Gestures without a purpose: some do nothing, some are refused."""

pytestmark = pytest.mark.browser


@dataclass
class Screen:
    """An empty page with the suite's static files, and what went wrong in it."""

    page: Page
    troubles: list[str] = field(default_factory=list)

    def run(self, script: str, argument: dict[str, Any]) -> Any:
        """What the script makes of its argument; fails on any error or message of the page."""
        result = self.page.evaluate(script, argument)
        assert self.troubles == []
        return result


def _serve(route: Route) -> None:
    path = SUITE / urlsplit(route.request.url).path.removeprefix("/static/").lstrip("/")
    if path.is_file():
        route.fulfill(path=path)
    else:
        route.fulfill(body="<!doctype html><title>views</title>", content_type="text/html")


@pytest.fixture(scope="module")
def screen(browser: Browser) -> Iterator[Screen]:
    made = Screen(browser.new_page(viewport={"width": BOARD, "height": BOARD}))
    made.page.on("console", lambda message: made.troubles.append(message.text))
    made.page.on("pageerror", lambda error: made.troubles.append(str(error)))
    made.page.route("**/*", _serve)
    made.page.goto("http://suite.invalid/")
    yield made
    made.page.close()


def frames(level: Level, moves: Sequence[Any]) -> Iterator[dict[str, Any]]:
    """The scenes and effects that the page is sent while the moves are made, event by event, and after stray events."""
    board, rules, controls = level.board, level.game, CONTROLS[level.game.name]
    state, hand, layout = rules.start(board), None, controls.layout(board)

    def frame(effect: Any) -> dict[str, Any]:
        hand_shown = controls.shown(board, state, hand)
        return {"scene": {"layout": layout, "view": rules.view(board, state), "hand": hand_shown}, "effect": effect}

    yield frame(None)
    for move in (*moves, None):
        for gesture in STRAYS if move is None else controls.perform(board, state, move):
            for event in events(gesture):
                touch = controls.touch(board, state, hand, event)
                effect, hand = None, touch.hand
                if touch.refused is not None:
                    effect = {"kind": "refused", "what": touch.refused}
                if touch.move is not None:
                    effect = {"kind": "move", "motion": controls.motion(board, state, touch.move)}
                    state = rules.apply(board, state, touch.move)
                yield frame(effect)


PREPARE = """
const view = await import(`/static/views/${game}.js`);
const canvas = Object.assign(document.createElement("canvas"), {width: 900, height: 900});
const ctx = canvas.getContext("2d", {willReadFrequently: true});
const picture = (scene, theme) => {
    ctx.reset();
    if (scene) view.draw(ctx, scene, view.themes[theme]);
    const pixels = new Uint32Array(ctx.getImageData(0, 0, 900, 900).data.buffer);
    return pixels.reduce((hash, pixel) => Math.imul(hash ^ pixel, 16777619), 2166136261);
};
"""


@pytest.mark.parametrize("game", GAMES)
def test_every_view_offers_what_the_page_needs(screen: Screen, game: str) -> None:
    found = screen.run(
        "async ({game}) => {" + PREPARE + "return [typeof view.draw, typeof view.tween, Object.keys(view.themes)]; }",
        {"game": game},
    )
    assert found[:2] == ["function", "function"]
    assert len(found[2]) >= 3
    assert set(THEMES[:3]) <= set(found[2])


@pytest.mark.parametrize("game", GAMES)
def test_equal_scenes_give_equal_pixels_and_themes_differ(screen: Screen, game: str) -> None:
    script = """async ({game, scenes}) => {%s
        const themes = Object.keys(view.themes);
        return [picture(null), ...scenes.map((scene) => themes.map((theme) => picture(scene, theme)))];
    }"""
    level = sample_level(game)
    shown = [
        frame["scene"] for frame in frames(level, level.game.moves(level.board, level.game.start(level.board))[:1])
    ]
    scenes = list({json.dumps(scene): scene for scene in shown}.values())
    blank, *first = screen.run(script % PREPARE, {"game": game, "scenes": scenes})
    screen.page.reload()  # what modules remember is gone
    _, *again = screen.run(script % PREPARE, {"game": game, "scenes": scenes[::-1]})
    assert first == again[::-1]
    assert len({pictures[0] for pictures in first}) > 1
    assert all(len({blank, *pictures}) == len(pictures) + 1 for pictures in first)


@pytest.mark.parametrize("game", GAMES)
def test_animations_lead_from_scene_to_scene_and_end(screen: Screen, game: str) -> None:
    script = """async ({game, frames}) => {%s
        const theme = Object.keys(view.themes)[0];
        const told = JSON.stringify(frames);
        const tweens = frames.map(({scene, effect}, i) => effect && view.tween(frames[i - 1].scene, scene, effect));
        for (const tween of tweens) for (const t of tween ? [0, 0.4, 0.999] : []) picture(tween.at(t), theme);
        return {unchanged: JSON.stringify(frames) === told, lengths: tweens.map((tween) => tween && tween.ms)};
    }"""
    place = f"{game}/easy/03"
    shown = list(frames(level_at(place), outcome_at(place).moves[:3]))
    found = screen.run(script % PREPARE, {"game": game, "frames": shown})
    assert found["unchanged"]
    assert any(found["lengths"])
    assert all(ms is None or 0 < ms <= LONGEST for ms in found["lengths"])
