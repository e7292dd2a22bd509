"""A suite that really serves, in a thread of this process, and clients for both of its ports."""

import asyncio
import json
import threading
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
from websockets.sync.client import ClientConnection, connect
from websockets.typing import Origin

from pipeline.core.errors import PipelineError
from pipeline.suite.controls.contract import AnyControls
from pipeline.suite.gestures import Gesture, events
from pipeline.suite.hosting import Addresses, Running, host
from pipeline.suite.messages import message_of
from pipeline.suite.shelf import Shelf
from tests.suite.toys import CONTROLS, toy_assets, toy_shelf

PATIENCE = 20.0
"""Seconds after which an answer that does not come fails the test."""


@dataclass(frozen=True)
class Suite:
    """A running suite; `state` is its folder."""

    running: Running
    state: Path
    client: httpx.Client

    def get(self, path: str, **headers: str) -> httpx.Response:
        """Ask the browsers' port."""
        return self.client.get(f"{self.running.url}{path}", headers=headers)

    def open(self, query: str = "") -> str:
        """Launch a session; its key."""
        answer = self.get(f"/{query}")
        assert answer.status_code == 303, answer.text
        return answer.headers["location"].removeprefix("/play/")

    def ask(self, method: str, path: str, body: Any = None, **headers: str) -> httpx.Response:
        """Ask the evaluator's port, with the token."""
        given = {"Authorization": f"Bearer {self.running.token}", **headers}
        url = f"{self.running.evaluator_url}{path}"
        return self.client.request(method, url, json=body, headers=given)

    def state_of(self, ident: str) -> Any:
        """The evaluator's view of a session."""
        answer = self.ask("GET", f"/sessions/{ident}")
        assert answer.status_code == 200, answer.text
        return answer.json()

    def page(self, key: str) -> "PageClient":
        """Connect as the page of a session does."""
        return PageClient(self.running.url, key)


class PageClient:
    """The page's side of the socket: sends what a page sends, waits for the answering frame."""

    def __init__(self, url: str, key: str) -> None:
        address = f"{url.replace('http', 'ws', 1)}/play/{key}/socket"
        self._stack = ExitStack()
        self.socket: ClientConnection = self._stack.enter_context(connect(address, origin=Origin(url)))
        self.bytes = ""
        """Everything received so far."""
        self.frame = self.receive()

    def __enter__(self) -> "PageClient":
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def close(self) -> None:
        """Leave, as a closed window does."""
        self._stack.close()

    def receive(self) -> Any:
        """The next frame."""
        text = self.socket.recv(timeout=PATIENCE)
        assert isinstance(text, str)
        self.bytes += text
        self.frame = json.loads(text)
        return self.frame

    def say(self, **message: Any) -> Any:
        """Send a message; the frame that answers it."""
        self.socket.send(json.dumps(message))
        return self.receive()

    def command(self, name: str, **argument: Any) -> Any:
        """Press a button."""
        return self.say(type="command", name=name, **argument)

    def settle(self) -> None:
        """Say that the last frame is drawn; no answer."""
        self.socket.send(json.dumps({"type": "settled", "revision": self.frame["revision"]}))

    def perform(self, *gestures: Gesture) -> Any:
        """Report the events of gestures one by one; the last frame."""
        for gesture in gestures:
            for event in events(gesture):
                self.say(**message_of(event))
        return self.frame


@contextmanager
def serving(
    folder: Path, shelf: Shelf | None = None, controls: Mapping[str, AnyControls] | None = None
) -> Iterator[Suite]:
    """A suite in `folder`, by default of the toy levels, that stops when the block is left."""
    started: list[Running] = []
    ready, failed = threading.Event(), list[PipelineError]()

    def note(running: Running) -> None:
        started.append(running)
        ready.set()

    def run() -> None:
        try:
            asyncio.run(host(shelf or toy_shelf(), controls or CONTROLS, assets, state, Addresses(port=0), note))
        except PipelineError as error:
            failed.append(error)
        finally:
            ready.set()

    assets, state = toy_assets(folder / "assets"), folder / "state"
    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    assert ready.wait(PATIENCE)
    if failed:
        raise failed[0]
    try:
        with httpx.Client(timeout=PATIENCE, trust_env=False) as client:
            yield Suite(started[0], state, client)
    finally:
        started[0].stop()
        thread.join(PATIENCE)
        assert not thread.is_alive()
