"""The browsers' side: launches, pages, files, the socket, and all that is refused."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect

from pipeline.suite.gestures import Click, Drag, Key
from pipeline.suite.stage import Stage, StageFull, id_of
from tests.suite.serving import Suite, serving
from tests.suite.toys import TOY, UNDO
from tests.toy.controls_stepping_stones import point

LEVEL_2 = f"?game={TOY}&difficulty=easy&level=2"


@pytest.fixture(scope="module")
def suite(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Suite]:
    with serving(tmp_path_factory.mktemp("suite")) as running:
        yield running


def test_a_launch_makes_a_session_and_shows_its_page(suite: Suite) -> None:
    key = suite.open("?theme=loud&lang=zh")
    page = suite.get(f"/play/{key}")
    assert page.text == f'<html lang="zh"><body data-key="{key}" data-theme="loud"></body></html>'
    assert len(key) == 22
    with suite.page(key) as client:
        assert client.frame["screen"]["name"] == "home"
        assert client.command("game", game=TOY)["screen"]["name"] == "difficulties"


def test_every_launch_is_another_session(suite: Suite) -> None:
    assert len({suite.open() for _ in range(5)}) == 5


@pytest.mark.parametrize(
    ("query", "sentence"),
    [
        ("game=chess", "there is no game"),
        (f"game={TOY}&difficulty=mild", "there is no difficulty"),
        (f"game={TOY}&difficulty=easy&level=4", "there is no level 4"),
        (f"game={TOY}&difficulty=easy&level=two", "'level' is wrong"),
        (f"game={TOY}&level=1", "a level needs its difficulty"),
        ("difficulty=easy", "needs its game"),
        ("seed=-1", "'seed' is wrong"),
        ("seed=4294967296", "'seed' is wrong"),
        ("seed=1&seed=2", "given twice"),
        ("theme=<script>", "there is no theme &#39;&lt;script&gt;&#39;"),
        ("lang=tlh", "there is no lang"),
        ("solution=1", "there is no parameter"),
    ],
)
def test_a_wrong_launch_is_told_in_one_sentence(suite: Suite, query: str, sentence: str) -> None:
    answer = suite.get(f"/?{query}")
    assert answer.status_code == 400
    assert sentence in answer.text.replace("&#39;", "'") or sentence in answer.text


def test_a_level_is_won_by_gestures_and_the_next_opens(suite: Suite) -> None:
    with suite.page(suite.open(f"?game={TOY}&difficulty=easy")) as client:
        assert client.command("level", number=2)["screen"]["name"] == "levels"
        client.command("level", number=1)
        held = client.say(type="down", x=point(0)[0], y=5)
        assert held["screen"]["hand"] == {"held": 0}
        moved = client.say(type="up", x=point(2)[0], y=5)
        assert moved["effect"] == {"kind": "move", "motion": None}
        assert moved["screen"]["won"]
        assert client.perform(Key("ArrowRight"))["screen"] == moved["screen"]
        assert client.command("next")["screen"]["number"] == 2


def test_the_revision_grows_exactly_when_the_picture_may_differ(suite: Suite) -> None:
    with suite.page(suite.open(LEVEL_2)) as client:
        first = client.frame["revision"]
        assert client.perform(Click(point(4)))["revision"] == first  # nothing is there to take hold of
        assert client.say(type="up", x=0, y=0)["revision"] == first
        assert client.perform(Key("ArrowRight"))["revision"] == first + 1
        refused = client.perform(Key("ArrowRight"))
        assert (refused["revision"], refused["effect"]["kind"]) == (first + 2, "refused")


def test_a_second_window_takes_over_and_a_held_piece_is_dropped(suite: Suite) -> None:
    key = suite.open(LEVEL_2)
    first = suite.page(key)
    assert first.say(type="down", x=point(0)[0], y=9)["screen"]["hand"] == {"held": 0}
    with suite.page(key) as second:
        assert second.frame["screen"]["hand"] is None
        with pytest.raises(ConnectionClosed) as closed:
            first.receive()
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == 4001
        assert second.perform(Drag((point(0), point(1))))["screen"]["view"]["at"] == 1


def test_a_window_that_still_talks_does_not_trouble_the_one_that_took_over(suite: Suite) -> None:
    key = suite.open(LEVEL_2)
    with suite.page(key) as first:
        for _ in range(500):
            first.socket.send('{"type":"cancel"}')  # still being answered when the second comes
        with suite.page(key) as second:
            for _ in range(20):
                assert second.command("restart")["screen"]["view"]["at"] == 0
            assert suite.state_of(id_of(key))["connected"]


def test_sessions_never_meet(suite: Suite) -> None:
    keys = [suite.open(f"?game={UNDO}&difficulty=easy&level=2") for _ in range(4)]
    clients = [suite.page(key) for key in keys]
    for count, client in enumerate(clients):
        if count % 2:
            client.perform(Key("ArrowRight"))
    assert [client.command("undo")["effect"] is not None for client in clients] == [False, True, False, True]
    for client in clients:
        client.close()


@pytest.mark.parametrize(
    "message",
    [
        "",
        "{",
        "null",
        "[]",
        '{"type":"down","x":1}',
        '{"type":"down","x":NaN,"y":1}',
        '{"type":"down","x":1e300,"y":1}',
        '{"type":"down","x":"1","y":1}',
        '{"type":"key","key":"Enter"}',
        '{"type":"command","name":"win"}',
        '{"type":"command","name":"level"}',
        '{"type":"command","name":"undo","number":1}',
        '{"type":"settled","revision":1,"revision":2}',
        '{"type":"settled","revision":' + "9" * 400 + "}",
        "[" * 900,
        '{"type":"\ud800"}'.encode("utf-8", "surrogatepass"),
        b"\xff\xfe",
        "x" * 5000,
    ],
)
def test_a_message_that_is_none_ends_the_conversation_and_nothing_else(suite: Suite, message: str | bytes) -> None:
    key = suite.open()
    with suite.page(key) as client, pytest.raises(ConnectionClosed):
        client.socket.send(message)
        client.receive()
    with suite.page(key) as again:
        assert again.frame["screen"]["name"] == "home"


@pytest.mark.parametrize(
    "path",
    [
        "/static/../suite.py",
        "/static/%2e%2e/%2e%2e/pyproject.toml",
        "/static/..%2f..%2fpyproject.toml",
        "/static//etc/passwd",
        "/static/%2fetc%2fpasswd",
        "/static/page.html",
        "/static/main.js.map",
        "/static/.hidden.js",
        "/static/link.js",
        "/static/main.js%00.html",
        "/static/text/",
        "/static/",
        "/catalogue",
        "/sessions",
        "/objectives",
        "/evaluator.json",
        "/state/evaluator.json",
        "/play/",
        "/play/aaaaaaaaaaaaaaaaaaaaaa",
        "/play/../sessions",
        "/docs",
        "/openapi.json",
        "/favicon.ico",
    ],
)
def test_only_files_of_the_page_are_served(suite: Suite, path: str) -> None:
    answer = suite.get(path)
    assert answer.status_code == 404
    assert len(answer.content) < 200


def test_files_are_served_with_their_type_and_not_twice(suite: Suite) -> None:
    answer = suite.get("/static/main.js")
    assert (answer.status_code, answer.text) == (200, "export {};")
    assert answer.headers["content-type"].startswith("text/javascript")
    again = suite.get("/static/main.js", **{"If-None-Match": answer.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")


@pytest.mark.parametrize("path", ["/", "/?game=chess", "/static/main.js", "/nothing", "/play/aaaaaaaaaaaaaaaaaaaaaa"])
def test_every_answer_carries_the_security_headers(suite: Suite, path: str) -> None:
    headers = suite.get(path).headers
    policy = headers["content-security-policy"]
    assert policy.startswith("default-src 'none'; script-src 'self';")
    assert "unsafe" not in policy
    assert "frame-ancestors 'none'" in policy
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "no-referrer"
    assert headers["cache-control"] in ("no-store", "no-cache")
    assert "server" not in headers
    assert "access-control-allow-origin" not in headers


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "OPTIONS", "TRACE"])
def test_nothing_can_be_sent_to_a_page(suite: Suite, method: str) -> None:
    assert suite.client.request(method, suite.running.url + "/").status_code == 405


@pytest.mark.parametrize(
    "name", ["evil.example", "evil.example:{port}", "127.0.0.1", "localhost:1", "", "127.0.0.1:{port}x"]
)
def test_other_names_for_this_machine_are_refused(suite: Suite, name: str) -> None:
    port = suite.running.url.rpartition(":")[2]
    assert suite.get("/", Host=name.format(port=port)).status_code == 421
    assert suite.get("/", Host=f"localhost:{port}").status_code == 303


@pytest.mark.parametrize(
    "origin", [None, "null", "http://evil.example", "https://127.0.0.1:{port}", "http://127.0.0.1:1"]
)
def test_only_the_pages_own_socket_is_opened(suite: Suite, origin: str | None) -> None:
    port, key = suite.running.url.rpartition(":")[2], suite.open()
    given = origin.format(port=port) if origin else None
    address = f"ws://127.0.0.1:{port}/play/{key}/socket"
    with pytest.raises(InvalidStatus) as refused, connect(address, origin=given):  # type: ignore[arg-type]
        pass
    assert refused.value.response.status_code == 403


@pytest.mark.parametrize("key", ["aaaaaaaaaaaaaaaaaaaaaa", "..", "%2e%2e%2fx", "a" * 3000, "é"])
def test_an_unknown_key_opens_no_session(suite: Suite, key: str) -> None:
    with pytest.raises((ConnectionClosed, InvalidStatus)) as closed:
        suite.page(key)
    if isinstance(closed.value, ConnectionClosed):
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == 4404


def test_the_evaluators_name_of_a_session_is_no_key(suite: Suite) -> None:
    made = suite.ask("POST", "/sessions", {}).json()
    assert suite.get(f"/play/{made['id']}").status_code == 404
    assert made["id"] not in suite.get(made["url"].removeprefix(suite.running.url)).text


def test_journals_are_private_and_hold_no_key(suite: Suite) -> None:
    key = suite.open(LEVEL_2)
    for path in (suite.state / "sessions").glob("*.jsonl"):
        assert path.stat().st_mode & 0o077 == 0
        assert key not in path.read_text()
    assert json.loads((suite.state / "evaluator.json").read_text())["token"] == suite.running.token
    assert (suite.state / "evaluator.json").stat().st_mode & 0o077 == 0


def test_a_page_hears_when_there_is_no_room_for_its_session(suite: Suite, monkeypatch: pytest.MonkeyPatch) -> None:
    async def full(stage: Stage, ident: str) -> None:
        raise StageFull("too many.")

    key = suite.open()
    monkeypatch.setattr(Stage, "find", full)
    assert suite.get(f"/play/{key}").status_code == 503
    with pytest.raises(ConnectionClosed, match="1011"):
        suite.page(key)


def test_a_lock_that_is_a_link_spoils_nothing(tmp_path: Path) -> None:
    precious = tmp_path / "precious"
    precious.write_text("mine", encoding="utf-8")
    (tmp_path / "state").mkdir()
    (tmp_path / "state" / ".lock").symlink_to(precious)
    with serving(tmp_path):
        assert precious.read_text(encoding="utf-8") == "mine"


def test_the_state_folder_belongs_to_one_server(suite: Suite, tmp_path: Path) -> None:
    with pytest.raises(Exception, match="another server uses"), serving(suite.state.parent):
        pass
