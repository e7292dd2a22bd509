"""The page with a server made of a script: the test sends the frames and reads what the page says."""

import json
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from jinja2 import Environment, FileSystemLoader
from playwright.sync_api import Browser, Page, Route, WebSocketRoute

from pipeline.core.canonical import Json
from pipeline.core.resources import resource
from pipeline.games.table import GAMES
from pipeline.suite.controls.table import CONTROLS
from pipeline.suite.guard import CONTENT_POLICY
from tests.samples import sample_level

SUITE = resource("templates") / "suite"
WINDOW = {"width": 1280, "height": 900}
_PATIENCE = 10_000
"""Milliseconds after which the page is thought never to do what is waited for."""


class Staged:
    """A page of a session whose server is the test."""

    def __init__(self, browser: Browser, *, lang: str = "zh", theme: str = "classic", **context: Any) -> None:
        self.said: list[dict[str, Any]] = []
        self.troubles: list[str] = []
        self.sockets: list[WebSocketRoute] = []
        self.context = browser.new_context(**({"viewport": WINDOW, "reduced_motion": "reduce"} | context))
        self.page: Page = self.context.new_page()
        self.page.on("console", lambda message: self.troubles.append(message.text))
        self.page.on("pageerror", lambda error: self.troubles.append(str(error)))
        templates = Environment(loader=FileSystemLoader(SUITE), autoescape=True)
        self._html = templates.get_template("page.html").render(key="k", lang=lang, theme=theme)
        self.page.route("**/*", self._serve)
        self.page.route_web_socket("**/play/k/socket", self._connect)

    def open(self, *frames: dict[str, Any]) -> "Staged":
        """Load the page, connect, and wait until the last of the frames has been drawn."""
        self.page.goto("http://suite.invalid/play/k")
        self.until(lambda: len(self.sockets) == 1)
        return self.show(*frames)

    def show(self, *frames: dict[str, Any]) -> "Staged":
        """Send frames in a row and wait until the last has been drawn."""
        self.send(*frames)
        if frames:
            self.until(lambda: {"type": "settled", "revision": frames[-1]["revision"]} in self.said)
        return self

    def send(self, *frames: dict[str, Any]) -> None:
        """Send frames in a row."""
        for frame in frames:
            self.sockets[-1].send(json.dumps(frame))

    def until(self, done: Any) -> None:
        """Wait for what the page does."""
        for _ in range(_PATIENCE // 10):
            if done():
                return
            self.page.wait_for_timeout(10)
        raise AssertionError(f"waited in vain; the page said {self.said[-5:]}, troubles {self.troubles}")

    def heard(self, *kinds: str) -> list[dict[str, Any]]:
        """What the page has said of some kinds, in order, once it has had the time to say it."""
        self.page.evaluate("() => new Promise((done) => requestAnimationFrame(() => setTimeout(done)))")
        self.page.wait_for_timeout(1)
        return [message for message in self.said if message["type"] in kinds]

    def close(self) -> None:
        """Close the page; fails on any error or message of its console."""
        self.context.close()
        assert self.troubles == []

    def _serve(self, route: Route) -> None:
        path: Path = SUITE / urlsplit(route.request.url).path.removeprefix("/static/").lstrip("/")
        if path.is_file():
            route.fulfill(path=path)
        else:
            headers = {"Content-Security-Policy": CONTENT_POLICY}
            route.fulfill(body=self._html, content_type="text/html", headers=headers)

    def _connect(self, socket: WebSocketRoute) -> None:
        socket.on_message(lambda message: self.said.append(json.loads(message)))
        self.sockets.append(socket)


def frame(revision: int, screen: Json, effect: Json = None) -> dict[str, Any]:
    """A frame as the server sends it."""
    return {"type": "frame", "revision": revision, "screen": screen, "effect": effect}


def level_screen(game: str, moves: int = 0, **others: Any) -> dict[str, Any]:
    """The sample level of a game after its first legal moves, number 3 of 10 unless told otherwise."""
    board, rules, controls = sample_level(game).board, GAMES[game], CONTROLS[game]
    state = rules.start(board)
    for _ in range(moves):
        state = rules.apply(board, state, rules.moves(board, state)[0])
    scene = {"layout": controls.layout(board), "view": rules.view(board, state), "hand": None}
    place = {"name": "level", "game": game, "difficulty": "easy", "number": 3, "of": 10}
    return place | scene | {"won": False, "last": False, "undo": game == "nut_and_bolt"} | others
