"""A server that is killed in the middle of play: its pages go on where they were, with all that was acknowledged."""

import random
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest
from websockets.exceptions import WebSocketException

from pipeline.suite.journal import read_journal
from pipeline.suite.stage import id_of
from tests.suite.serving import PageClient
from tests.suite.toys import UNDO

ROOT = Path(__file__).resolve().parents[2]
SESSIONS, KILLS = 6, 3


@contextmanager
def server(folder: Path, port: int = 0) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """A server process and its address; killed, never asked to stop."""
    command = [sys.executable, "-m", "tests.suite.toy_server", str(folder), str(port)]
    process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    try:
        yield process, process.stdout.readline().strip()
    finally:
        process.kill()
        process.wait()
        process.stdout.close()


class Player(threading.Thread):
    """Walks, takes back and begins again until the server is gone; knows which inputs were answered."""

    def __init__(self, client: PageClient, seed: float) -> None:
        super().__init__()
        self._client, self._chance = client, random.Random(seed)
        self.answered: list[str] = []
        self.asked: list[str] = []

    def run(self) -> None:
        try:
            while True:
                choice = self._chance.choice(["ArrowRight", "ArrowUp", "restart", "undo", "undo"])
                self.asked.append(choice)
                if choice.startswith("Arrow"):
                    self._client.say(type="key", key=choice)
                else:
                    self._client.command(choice)
                self.answered.append(choice)
        except (WebSocketException, OSError):
            return


@pytest.mark.slow
def test_nothing_acknowledged_is_lost_when_the_server_is_killed(tmp_path: Path) -> None:
    chance = random.Random(5)
    with server(tmp_path) as (_, url):
        keys = [_launched(url) for _ in range(SESSIONS)]
    rounds = []
    for _ in range(KILLS):
        with server(tmp_path, int(url.rpartition(":")[2])) as (process, _):
            players = [Player(PageClient(url, key), chance.random()) for key in keys]
            for player in players:
                player.start()
            threading.Timer(0.2 + chance.random() / 2, process.kill).start()
            for player in players:
                player.join()
        rounds.append(players)
    for number, key in enumerate(keys):
        written = _inputs_of(tmp_path / "state" / "sessions" / f"{id_of(key)}.jsonl")
        assert written.pop(0) == []
        for players, inputs in zip(rounds, written, strict=True):
            player = players[number]
            # What was being written when the server died may stand in the journal without having been answered.
            assert inputs in (player.answered, player.asked)
            assert len(player.answered) > 0


def _launched(url: str) -> str:
    answer = httpx.get(f"{url}/?game={UNDO}&difficulty=hard&level=1", trust_env=False)
    return answer.headers["location"].removeprefix("/play/")


def _inputs_of(journal: Path) -> list[list[str]]:
    """The inputs a journal holds, from one start of the server to the next."""
    runs: list[list[str]] = [[]]
    for entry in read_journal(journal.read_bytes(), journal.name).entries:
        if entry["kind"] == "resumed":
            runs.append([])
        elif entry["kind"] == "gesture":
            runs[-1].append(entry["events"][0][1])
        elif entry["kind"] == "command":
            runs[-1].append(entry["command"]["name"])
    return runs
