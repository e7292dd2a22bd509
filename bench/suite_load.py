"""How long twenty players wait when they play at once: `python -m bench.suite_load [CATALOGUE]`, JSON lines.

The server runs in a process of its own. Every player walks through the catalogue's levels with the solvers' moves as
gestures over a real socket; a gesture is timed from its first event to the frame that answers its last. Every frame is
compared with the view the rules give for that level and move: another player's would show.
"""

import asyncio
import json
import random
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple
from urllib.request import Request, urlopen

import numpy as np
from websockets.asyncio.client import connect
from websockets.typing import Origin

from bench.figures import report
from pipeline.core.canonical import Json
from pipeline.core.outcome import Budget, Solved
from pipeline.games.level import Level, read_level
from pipeline.solve.table import SOLVERS
from pipeline.store.catalogue import catalogue_levels
from pipeline.suite.attempt import Attempt
from pipeline.suite.controls.table import CONTROLS
from pipeline.suite.gestures import Gesture, events
from pipeline.suite.messages import message_of
from tests.browser.catalogue import CATALOGUE
from tests.browser.driver import Server

PLAYERS = 20
GESTURES = 60
"""Gestures of every player."""


class Step(NamedTuple):
    """A gesture as messages, and the view that the rules give after it."""

    messages: tuple[str, ...]
    view: Json


class Script(NamedTuple):
    """A level and how it is won."""

    query: str
    steps: tuple[Step, ...]


def script(place: str, level: Level) -> Script | None:
    """How the solver plays a level; None where it finds no solution in time."""
    outcome = SOLVERS[level.game.name].solve(level.board, Budget(seconds=20))
    if not isinstance(outcome, Solved):
        return None
    controls, attempt, steps = CONTROLS[level.game.name], Attempt(CONTROLS[level.game.name], level.board), []
    for move in outcome.moves:
        for gesture in controls.perform(level.board, attempt.state, move):
            for event in events(gesture):
                attempt.touch(event)
            steps.append(Step(messages(gesture), attempt.scene()["view"]))
    game, difficulty, number = place.split("/")
    return Script(f"game={game}&difficulty={difficulty}&level={int(number)}", tuple(steps))


def messages(gesture: Gesture) -> tuple[str, ...]:
    """A gesture as a page reports it."""
    return tuple(json.dumps(message_of(event)) for event in events(gesture))


def launched(url: str, query: str) -> str:
    """Open a session; its key."""
    with urlopen(Request(f"{url}/?{query}")) as page:
        return str(page.url).rpartition("/")[2]


async def play(url: str, scripts: list[Script], pauses: Iterator[float], waits: list[float]) -> int:
    """One player: play scripts until enough gestures are made; the number of frames that were not as the rules say."""
    wrong = made = 0
    for number in range(len(scripts)):
        key = await asyncio.to_thread(launched, url, scripts[number].query)
        async with connect(f"{url.replace('http', 'ws', 1)}/play/{key}/socket", origin=Origin(url)) as socket:
            await socket.recv()
            for step in scripts[number].steps:
                began = time.perf_counter()
                for message in step.messages:
                    await socket.send(message)
                answers = [await socket.recv() for _ in step.messages]
                waits.append(1000 * (time.perf_counter() - began))
                wrong += json.loads(answers[-1])["screen"]["view"] != step.view
                made += 1
                await asyncio.sleep(next(pauses))
        if made >= GESTURES:
            break
    return wrong


def uneven(mean: float, seed: int) -> Iterator[float]:
    """Pauses of a player, seconds: players do not act in step."""
    chance = random.Random(seed)
    while True:
        yield chance.uniform(0.5, 1.5) * mean


async def measure(name: str, url: str, scripts: list[Script], pause: float) -> None:
    """Let all play at once and report what they waited for."""
    waits: list[float] = []
    turned = [scripts[n % len(scripts) :] + scripts[: n % len(scripts)] for n in range(PLAYERS)]
    wrong = await asyncio.gather(*(play(url, own, uneven(pause, n), waits) for n, own in enumerate(turned)))
    for share in (50, 95, 99):
        report(
            f"suite {PLAYERS} players, {name}, gesture to answer, p{share}", float(np.percentile(waits, share)), "ms"
        )
    report(f"suite {PLAYERS} players, {name}, frames of another's level", sum(wrong), "frames")


def main() -> None:
    catalogue = Path(sys.argv[1]) if len(sys.argv) > 1 else CATALOGUE
    places = [(entry.place, read_level(entry.path)) for entry in catalogue_levels(catalogue)]
    found = [script(place, level) for place, level in places if level.game.name in CONTROLS]
    scripts = [one for one in found if one is not None and one.steps]
    with tempfile.TemporaryDirectory() as state, Server(Path(state), catalogue) as server:
        asyncio.run(measure("200 ms between gestures", server.url, scripts, 0.2))
        asyncio.run(measure("no pause", server.url, scripts, 0.0))


if __name__ == "__main__":
    main()
