"""What a page can get hold of: nothing beyond what its player sees.

Two ways of asking: every byte that is served must be accounted for, and a hostile script tries what comes to mind.
"""

import json
import socket
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Response, WebSocket

from pipeline.core.resources import resource
from pipeline.games.table import GAMES
from pipeline.suite.controls.table import CONTROLS
from tests.browser.catalogue import PLACES, launch_of, level_at, solution
from tests.browser.conftest import OpenPlayer
from tests.browser.driver import Player, Server, play_solution

pytestmark = pytest.mark.browser

PROBES = (Path(__file__).parent / "probes.js").read_text()
LEVEL_SCREEN = {"name", "game", "difficulty", "number", "of", "won", "last", "undo", "layout", "view", "hand"}


class Served:
    """Everything a page is served: bodies by address, and what comes through its socket."""

    def __init__(self, page: Page) -> None:
        self.responses: list[Response] = []
        self.frames: list[str] = []
        page.on("response", lambda response: self.responses.append(response))
        page.on("websocket", self._listen)

    def _listen(self, line: WebSocket) -> None:
        line.on("framereceived", lambda data: self.frames.append(str(data)))


@pytest.mark.parametrize("game", GAMES)
def test_every_byte_is_the_pages_or_in_sight(game: str, server: Server, open_player: OpenPlayer) -> None:
    """Files are those of the page, whatever the level; frames are what rules and controls call visible, and no more."""
    place = f"{game}/easy/02"
    player = open_player(**launch_of(place))
    served = Served(player.page)
    player.page.reload()
    player.settle()
    play_solution(player, place)
    assert served.responses
    for response in served.responses:
        assert_known_file(response, server, player)
    level, controls = level_at(place), CONTROLS[game]
    states = [level.game.start(level.board), *(after for _, _, after in solution(place))]
    views = [level.game.view(level.board, state) for state in states]
    shown = [json.loads(frame) for frame in served.frames]
    assert len(shown) > len(views)
    for frame in shown:
        assert frame.keys() == {"type", "revision", "screen", "effect"}
        assert frame["screen"].keys() == LEVEL_SCREEN
        assert frame["screen"]["layout"] == as_json(controls.layout(level.board))
        assert frame["screen"]["view"] in as_json(views)
        assert (frame["effect"] or {}).keys() <= {"kind", "motion", "what"}
    assert leaked("\n".join(served.frames), secrets_of(server, player)) == []


def as_json(value: Any) -> Any:
    return json.loads(json.dumps(value))


def assert_known_file(response: Response, server: Server, player: Player) -> None:
    """A file of the page, or the page itself, in which nothing but key, language and theme changes."""
    assert response.url.startswith(server.url + "/")
    path = response.url.removeprefix(server.url)
    folder = resource("templates") / "suite"
    if path.startswith("/static/"):
        assert response.status == 304 or response.body() == (folder / path.removeprefix("/static/")).read_bytes()
    else:
        key = path.removeprefix("/play/")
        page = (folder / "page.html").read_text()
        told = player.evaluator.state(player.id)
        for name, value in {"key": key, "lang": told["lang"], "theme": told["theme"]}.items():
            page = page.replace("{{ " + name + " }}", value)
        assert response.text().strip() == page.strip()


def secrets_of(server: Server, player: Player) -> list[str]:
    """What no page may hear: digests, solutions in every spelling, the evaluator's token and names, words of proofs."""
    found = [server.evaluator.token, "min_moves", "lower_bound", "lost_at_sight", "can_dead_end", "provenance"]
    found += [other["id"] for other in server.evaluator.sessions()]
    for place in PLACES:
        level = level_at(place)
        moves = [move for _, move, _ in solution(place)]
        words = [level.game.move_text(move) for move in moves]
        found += [level.digest.removeprefix("sha256:"), level.canonical_digest.removeprefix("sha256:")]
        found += [mark.join(words) for mark in (",", ", ", " ", ";", '","', '", "')]
        found.append(json.dumps([level.game.move_document(move) for move in moves], separators=(",", ":")))
    return found


def leaked(haul: str, secrets: Sequence[str]) -> list[str]:
    return [secret for secret in secrets if secret in haul or json.dumps(secret)[1:-1] in haul]


def test_a_hostile_script_learns_nothing(browser: Browser, server: Server) -> None:
    neighbour = Player(browser, server.evaluator, **launch_of("maze_paint/easy/03"))
    with neighbour, Player(browser, server.evaluator, **launch_of("rush_hour/easy/03")) as player:
        before = server.evaluator.state(player.id)
        secrets = [*secrets_of(server, player), neighbour.url.rpartition("/")[2]]
        given = {"evaluator": server.evaluator.url, "id": player.id}
        names = player.page.evaluate(PROBES, {"name": None, "given": given})
        assert len(names) >= 25
        for name in names:
            haul = player.page.evaluate(PROBES, {"name": name, "given": given})
            assert leaked(haul, secrets) == [], name
            assert "inline script ran" not in haul, name
            assert '"ran"' not in haul, name
        after = server.evaluator.state(player.id)
        assert {k: before[k] for k in ("state", "moves", "level")} == {k: after[k] for k in ("state", "moves", "level")}


def test_keys_of_developers_do_nothing(open_player: OpenPlayer) -> None:
    player = open_player(**launch_of("truck_escape/easy/02"))
    before, pages = player.state, len(player.context.pages)
    for keys in ("F12", "Control+Shift+I", "Control+Shift+J", "Control+U", "Control+S", "F1"):
        player.page.keyboard.press(keys)
    player.settle()
    assert (player.state, player.page.url, len(player.context.pages)) == (before, player.url, pages)


@pytest.mark.parametrize(
    "target",
    [
        "/static/../page.html",
        "/static/../../../pyproject.toml",
        "/static/..%2f..%2f..%2fpyproject.toml",
        "/static/..\\..\\pyproject.toml",
        "//static//main.js/../../../pyproject.toml",
        "/play/../sessions",
        "/static/main.js%00",
        "http://127.0.0.1/sessions",
    ],
)
def test_raw_requests_lead_nowhere(target: str, server: Server) -> None:
    """Browsers tidy paths before they send them; an attacker's own client does not."""
    host = f"127.0.0.1:{server.port}"
    with socket.create_connection(("127.0.0.1", server.port), timeout=10) as line:
        line.sendall(f"GET {target} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n".encode())
        answer = b"".join(iter(lambda: line.recv(65536), b""))
    assert answer.split(b" ")[1] in (b"400", b"404"), answer[:200]
    assert b"[project]" not in answer
    assert b"{{ key }}" not in answer
