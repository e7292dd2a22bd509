"""Plays the suite as a person does: a real server process, a real browser, a real mouse.

Nothing here waits for a time: the evaluator's channel says when the page shows the answer to the last input.
"""

import json
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import httpx
from playwright.sync_api import Browser, Locator, Page, Playwright

from pipeline.core.chromium import find_chromium, launch_flags
from pipeline.suite.controls.table import CONTROLS
from pipeline.suite.gestures import BOARD, Click, Drag, Gesture, Key, Point
from tests.browser.catalogue import CATALOGUE, level_at, solution

WINDOW = {"width": 1280, "height": 900}
_SECONDS = 60.0
"""After this the server does not start, or the page does not settle: a failure. Idle machines need a fraction."""


class Server:
    """`lpb-pipeline serve` in a process of its own; `state` is where its journals are."""

    def __init__(self, state: Path, catalogue: Path = CATALOGUE, port: int = 0) -> None:
        self._state = state
        command = [sys.executable, "-m", "pipeline.cli", "serve", str(catalogue), "--state", str(state)]
        self._process = subprocess.Popen([*command, "--port", str(port)], stdout=subprocess.DEVNULL)
        found = self._evaluator_file()
        self.url: str = found["suite"]
        self.evaluator = Evaluator(found["url"], found["token"])

    @property
    def port(self) -> int:
        """Where browsers find it."""
        return int(self.url.rpartition(":")[2])

    def kill(self) -> None:
        """End it as a power cut does."""
        self._end(signal.SIGKILL)

    def stop(self) -> None:
        """End it in peace."""
        self._end(signal.SIGTERM)

    def _end(self, number: signal.Signals) -> None:
        self.evaluator.close()
        self._process.send_signal(number)
        self._process.wait(_SECONDS)

    def _evaluator_file(self) -> dict[str, Any]:
        """What the server tells the evaluator once it answers."""
        path, end = self._state / "evaluator.json", time.monotonic() + _SECONDS
        while time.monotonic() < end and self._process.poll() is None:
            text = path.read_text() if path.exists() else ""
            if text.endswith("}\n") and json.loads(text)["pid"] == self._process.pid:
                return dict(json.loads(text))
            time.sleep(0.02)
        self._process.kill()
        raise RuntimeError("the server did not start")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        if self._process.poll() is None:
            self.stop()


class Evaluator:
    """A client of the evaluator's channel."""

    def __init__(self, url: str, token: str) -> None:
        self.url, self.token = url, token
        self._client = httpx.Client(
            base_url=url, headers={"Authorization": f"Bearer {token}"}, timeout=_SECONDS + 10, trust_env=False
        )

    def open(self, **launch: Any) -> tuple[str, str]:
        """A new session: its id and the address of its page."""
        made = self._answer(self._client.post("/sessions", json=launch))
        return made["id"], made["url"]

    def state(self, ident: str) -> dict[str, Any]:
        """Everything about a session now."""
        return dict(self._answer(self._client.get(f"/sessions/{ident}")))

    def sessions(self) -> list[dict[str, Any]]:
        """All sessions there are."""
        return list(self._answer(self._client.get("/sessions"))["sessions"])

    def settled(self, ident: str, inputs: int) -> None:
        """Wait until the page has made so many inputs and shows what they led to."""
        wanted = {"inputs": inputs, "quiet": 0, "timeout": _SECONDS}
        if not self._answer(self._client.get(f"/sessions/{ident}/settled", params=wanted))["settled"]:
            raise RuntimeError(f"the page did not settle after {inputs} inputs")

    def restore(self, ident: str, place: str, state: str) -> None:
        """Put the player into a state of the level at a place of the catalogue."""
        game, difficulty, number = place.split("/")
        wanted = {"game": game, "difficulty": difficulty, "level": int(number), "state": state}
        self._answer(self._client.post(f"/sessions/{ident}/restore", json=wanted))

    def journal(self, ident: str) -> list[dict[str, Any]]:
        """The entries of a session's journal."""
        response = self._client.get(f"/sessions/{ident}/journal").raise_for_status()
        return [json.loads(line) for line in response.text.splitlines()]

    def close(self) -> None:
        """Give back the connection."""
        self._client.close()

    def _answer(self, response: httpx.Response) -> Any:
        if response.is_error:
            raise RuntimeError(f"{response.request.url}: {response.status_code} {response.text}")
        return response.json()


def launch_browser(playwright: Playwright) -> Browser:
    """The browser of the pinned runtime, with its flags."""
    return playwright.chromium.launch(executable_path=find_chromium(), args=list(launch_flags()))


class Player:
    """One session on one page, in a context of its own."""

    def __init__(
        self, browser: Browser, evaluator: Evaluator, *, still: bool = True, window: Any = WINDOW, **launch: Any
    ) -> None:
        """Open a session's page; `still` asks for no animations, as a person may, for speed."""
        self.evaluator, self.inputs = evaluator, 0
        self.id, self.url = evaluator.open(**launch)
        self.context = browser.new_context(viewport=window, reduced_motion="reduce" if still else "no-preference")
        self.page: Page = self.context.new_page()
        self.errors: list[str] = []
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.page.on("console", lambda said: self.errors.append(said.text) if said.type == "error" else None)
        self.page.goto(self.url)
        self.settle()

    # -- what the player does -------------------------------------------------------------------
    def perform(self, gesture: Gesture) -> None:
        """Make a gesture with the mouse or the keyboard and wait for what comes of it."""
        match gesture:
            case Click(at):
                self.drag([at])
            case Drag(points):
                self.drag(points)
            case Key(name):
                self.page.keyboard.press(name)
                self.inputs += 1
        self.settle()

    def drag(self, points: Sequence[Point]) -> None:
        """Press at the first point, move through the others, let go at the last."""
        self.move(points[0])
        self.page.mouse.down()
        for point in points[1:]:
            self.move(point)
        self.page.mouse.up()
        self.inputs += 1

    def move(self, point: Point) -> None:
        """Move the mouse to a point of the board's square."""
        self.page.mouse.move(*self.in_window(point))

    def press(self, button: Locator) -> None:
        """Click a button that a player sees, and wait for what comes of it."""
        button.click()
        self.inputs += 1
        self.settle()

    def in_window(self, point: Point) -> Point:
        """Where a point of the board's square is in the window."""
        box = self.page.locator("canvas").bounding_box()
        assert box is not None
        scale = box["width"] / BOARD
        return box["x"] + scale * point[0], box["y"] + scale * point[1]

    # -- what comes of it -----------------------------------------------------------------------
    def settle(self) -> None:
        """Wait until the page shows the answer to everything done so far."""
        self.evaluator.settled(self.id, self.inputs)

    @property
    def state(self) -> str:
        """The state text of the level on the screen, as the evaluator sees it."""
        return str(self.evaluator.state(self.id)["state"])

    def picture(self) -> bytes:
        """PNG of the window."""
        return self.page.screenshot(animations="allow", caret="initial")

    def leave(self) -> None:
        """Close the page."""
        self.context.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.leave()


def play_solution(player: Player, place: str) -> list[str]:
    """Perform the solver's moves; the state texts the server went through, each the same as the rules' own."""
    level = level_at(place)
    controls, text = CONTROLS[level.game.name], level.game.state_text
    seen = [player.state]
    for state, move, after in solution(place):
        for gesture in controls.perform(level.board, state, move):
            assert player.state == text(level.board, state), f"{place}: not the rules' state before {move}"
            player.perform(gesture)
        seen.append(player.state)
        assert seen[-1] == text(level.board, after), f"{place}: not the rules' state after {move}"
    return seen
