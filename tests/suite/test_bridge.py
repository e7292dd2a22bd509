"""The evaluator's channel: what it tells, what it can do, and whom it refuses."""

import json
import threading
import time
from collections.abc import Iterator
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed

from pipeline.suite.gestures import Drag, Key
from pipeline.suite.journal import read_journal
from tests.suite.serving import Suite, serving
from tests.suite.toys import DIGEST, TOY, UNDO
from tests.toy.controls_stepping_stones import point

EASY = {"game": UNDO, "difficulty": "easy", "level": 2}


@pytest.fixture(scope="module")
def suite(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Suite]:
    with serving(tmp_path_factory.mktemp("suite")) as running:
        yield running


def create(suite: Suite, **given: Any) -> tuple[str, str]:
    """A session made by the evaluator: its id and its page's key."""
    answer = suite.ask("POST", "/sessions", given or EASY)
    assert answer.status_code == 201, answer.text
    made = answer.json()
    return made["id"], made["url"].rpartition("/")[2]


def test_the_state_of_a_level_in_play(suite: Suite) -> None:
    ident, key = create(suite, **EASY, seed=3, theme="loud", lang="zh")
    with suite.page(key) as client:
        client.perform(Key("ArrowRight"))
        state = suite.state_of(ident)
    assert {name: state[name] for name in ("screen", "game", "difficulty", "level", "seed", "theme", "lang")} == {
        "screen": "level",
        **EASY,
        "seed": 3,
        "theme": "loud",
        "lang": "zh",
    }
    told = {name: state[name] for name in ("state", "moves", "won", "lost_at_sight", "progress", "progress_exact")}
    assert told == {
        "state": "1",
        "moves": 1,
        "won": False,
        "lost_at_sight": False,
        "progress": 0.25,
        "progress_exact": True,
    }
    assert (state["connected"], state["settled"], state["inputs"]) == (True, False, 1)
    assert state["revision"] == client.frame["revision"]


def test_levels_reached_and_won_stay_told_after_the_player_left(suite: Suite) -> None:
    ident, key = create(suite, game=TOY, difficulty="easy", level=1)
    with suite.page(key) as client:
        client.perform(Key("ArrowUp"))
        client.command("next")
        client.perform(Key("ArrowRight"))
        client.command("home")
    state = suite.state_of(ident)
    assert (state["screen"], state["level"], "state" in state) == ("home", None, False)
    rows = [(row["level"], row["won"], row["state"], row["progress"]) for row in state["levels"]]
    assert rows == [(1, True, "2", 1.0), (2, False, "1", 0.25)]


def test_the_board_is_told_when_asked_for(suite: Suite) -> None:
    ident, _ = create(suite)
    assert suite.ask("GET", f"/sessions/{ident}?board=1").json()["board"] == {"stones": "oo.oo"}
    assert "board" not in suite.state_of(ident)


def test_settled_is_what_the_page_has_drawn(suite: Suite) -> None:
    ident, key = create(suite)
    url = f"/sessions/{ident}/settled"
    assert not suite.ask("GET", f"{url}?timeout=0").json()["settled"]
    with suite.page(key) as client:
        assert not suite.ask("GET", f"{url}?timeout=0.05").json()["settled"]
        client.settle()
        assert suite.ask("GET", url).json()["settled"]
        client.perform(Key("ArrowRight"))
        assert not suite.ask("GET", f"{url}?timeout=0.05").json()["settled"]
        client.settle()
        assert suite.ask("GET", f"{url}?inputs=1").json() == {
            "settled": True,
            "inputs": 1,
            "revision": client.frame["revision"],
        }
        assert not suite.ask("GET", f"{url}?inputs=2&timeout=0.05").json()["settled"]
    assert not suite.ask("GET", f"{url}?timeout=0.05").json()["settled"]


def test_waiting_ends_when_the_page_settles(suite: Suite) -> None:
    ident, key = create(suite)
    with suite.page(key) as client:
        timer = threading.Timer(0.2, client.settle)
        timer.start()
        begun = time.monotonic()
        assert suite.ask("GET", f"/sessions/{ident}/settled?timeout=15").json()["settled"]
        assert time.monotonic() - begun < 15
        timer.join()


def test_a_restored_state_is_shown_at_once_and_equals_the_played_one(suite: Suite) -> None:
    ident, key = create(suite)
    with suite.page(key) as client:
        played = client.perform(Drag((point(0), point(1))))["screen"]
        client.command("restart")
        answer = suite.ask("POST", f"/sessions/{ident}/restore", {**EASY, "state": "1"})
        assert client.receive()["screen"] == played
        assert (answer.json()["revision"], client.frame["effect"]) == (client.frame["revision"], None)
        assert client.command("undo")["screen"] == played


@pytest.mark.parametrize(
    ("body", "sentence"),
    [
        ({**EASY, "state": "17"}, "is no place"),
        ({**EASY, "level": 9, "state": "0"}, "there is no level 9"),
        ({**EASY, "game": "chess", "state": "0"}, "there is no level"),
        ({**EASY, "state": 1}, "state:"),
        ({**EASY, "level": True, "state": "0"}, "level:"),
        (EASY, "state:"),
        ([], "request:"),
    ],
)
def test_a_state_that_cannot_be_restored_is_told(suite: Suite, body: Any, sentence: str) -> None:
    ident, _ = create(suite)
    before = suite.state_of(ident)
    answer = suite.ask("POST", f"/sessions/{ident}/restore", body)
    assert answer.status_code == 400
    assert sentence in answer.json()["error"]
    assert suite.state_of(ident) == before


@pytest.mark.parametrize(
    "body",
    [{"game": "chess"}, {"seed": "1"}, {"bound": True}, {"bound": True, "game": TOY}, {"level": 1}, {"answer": 1}, 3],
)
def test_a_session_that_cannot_be_is_told(suite: Suite, body: Any) -> None:
    answer = suite.ask("POST", "/sessions", body)
    assert (answer.status_code, list(answer.json())) == (400, ["error"])


def test_the_index_lists_every_session(suite: Suite) -> None:
    ident, _ = create(suite, game=TOY, difficulty="hard", bound=True)
    rows = {row["id"]: row for row in suite.ask("GET", "/sessions").json()["sessions"]}
    row = rows[ident]
    assert (row["game"], row["difficulty"], row["bound"], row["anonymous"]) == (TOY, "hard", True, False)


def test_objectives_are_told_with_the_digests_of_their_levels(suite: Suite) -> None:
    shelf = suite.ask("GET", "/objectives").json()
    assert shelf["digest"] == DIGEST
    assert [(o["game"], o["difficulty"], len(o["levels"])) for o in shelf["objectives"]][:2] == [
        (TOY, "easy", 3),
        (TOY, "hard", 1),
    ]


def test_the_journal_is_handed_out_as_it_is(suite: Suite) -> None:
    ident, key = create(suite)
    with suite.page(key) as client:
        client.perform(Key("ArrowRight"))
    data = suite.ask("GET", f"/sessions/{ident}/journal").content
    text = read_journal(data, "journal")
    assert [entry["kind"] for entry in text.entries] == ["opened", "gesture", "move"]
    assert suite.state_of(ident)["journal"] == {"entries": 3, "head": text.head}


def test_a_deleted_session_is_over_for_good_and_its_journal_stays(suite: Suite) -> None:
    ident, key = create(suite)
    with suite.page(key) as client:
        assert suite.ask("DELETE", f"/sessions/{ident}").status_code == 204
        with pytest.raises(ConnectionClosed) as closed:
            client.receive()
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == 4404
    assert suite.get(f"/play/{key}").status_code == 404
    assert suite.ask("GET", f"/sessions/{ident}").status_code == 404
    assert b'"kind":"closed"' in suite.ask("GET", f"/sessions/{ident}/journal").content


@pytest.mark.parametrize("ident", ["0" * 32, "..", "%2e%2e%2fevaluator", "x"])
@pytest.mark.parametrize("path", ["", "/settled", "/journal"])
def test_there_are_no_other_sessions(suite: Suite, ident: str, path: str) -> None:
    assert suite.ask("GET", f"/sessions/{ident}{path}").status_code == 404


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "http://127.0.0.1:8000"},
        {"Origin": "null"},
        {"Cookie": "a=b"},
        {"Referer": "http://127.0.0.1:8000/play/x"},
        {"Sec-Fetch-Site": "none"},
        {"Sec-Fetch-Mode": "navigate"},
        {"Sec-CH-UA": '"Chromium"'},
        {"Sec-WebSocket-Key": "x"},
    ],
)
def test_no_browser_is_answered_even_with_the_token(suite: Suite, headers: dict[str, str]) -> None:
    answer = suite.ask("GET", "/sessions", **headers)
    assert answer.status_code == 403
    assert "access-control-allow-origin" not in answer.headers


@pytest.mark.parametrize(
    "given", ["", "Bearer", "Bearer x", "Basic {token}", "bearer {token}", "Bearer {token}x", "{token}"]
)
def test_nobody_is_answered_without_the_token(suite: Suite, given: str) -> None:
    value = given.format(token=suite.running.token)
    for path in ("/sessions", "/objectives", "/", "/nothing"):
        assert suite.ask("GET", path, Authorization=value).status_code == 401


def test_other_names_for_the_channel_are_refused(suite: Suite) -> None:
    assert suite.ask("GET", "/sessions", Host="evil.example").status_code == 421


def test_a_key_is_worth_nothing_on_the_channel_nor_the_token_on_a_page(suite: Suite) -> None:
    ident, key = create(suite)
    for bearer in (key, ident):
        assert suite.ask("GET", f"/sessions/{ident}", Authorization=f"Bearer {bearer}").status_code == 401
    token = {"Authorization": f"Bearer {suite.running.token}"}
    assert suite.get(f"/sessions/{ident}", **token).status_code == 404


@pytest.mark.parametrize(("method", "path", "status"), [("PUT", "/sessions", 405), ("GET", "/nothing", 404)])
def test_what_cannot_be_asked_is_told_as_every_error_is(suite: Suite, method: str, path: str, status: int) -> None:
    answer = suite.ask(method, path)
    assert (answer.status_code, list(answer.json())) == (status, ["error"])


def test_a_journal_that_cannot_be_written_is_told(suite: Suite, monkeypatch: pytest.MonkeyPatch) -> None:
    ident = suite.ask("POST", "/sessions", {"game": TOY, "difficulty": "easy", "level": 2}).json()["id"]
    monkeypatch.setattr("pipeline.suite.journal.MAX_BYTES", 0)
    body = {"game": TOY, "difficulty": "easy", "level": 2, "state": "1"}
    answer = suite.ask("POST", f"/sessions/{ident}/restore", body)
    assert answer.status_code == 503
    assert "the journal of the session is full" in answer.json()["error"]
    monkeypatch.undo()
    assert suite.state_of(ident)["state"] == "0"


def test_a_request_too_long_is_refused(suite: Suite) -> None:
    answer = suite.ask("POST", "/sessions", {"game": "x" * 100_000})
    assert (answer.status_code, "bytes" in answer.json()["error"]) == (400, True)


def test_twice_the_same_key_in_a_request_is_refused(suite: Suite) -> None:
    url, token = f"{suite.running.evaluator_url}/sessions", f"Bearer {suite.running.token}"
    answer = suite.client.post(url, content=b'{"seed":1,"seed":2}', headers={"Authorization": token})
    assert (answer.status_code, json.loads(answer.text)["error"].count("twice")) == (400, 1)
