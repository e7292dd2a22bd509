"""Sessions: what is journalled, and that a session goes on from its journal exactly as it stood."""

import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.core.canonical import Json
from pipeline.core.errors import PipelineError
from pipeline.suite import journal
from pipeline.suite import session as sessions
from pipeline.suite.journal import DamagedJournal, read_journal
from pipeline.suite.messages import CancelMessage, Command, KeyMessage, PointerMessage
from pipeline.suite.play import Spot
from pipeline.suite.session import Session
from pipeline.suite.shelf import Shelf
from tests.suite.toys import CONTROLS, TOY, UNDO, opening, toy_shelf
from tests.toy.controls_stepping_stones import point

SHELF = toy_shelf()
EASY = {"game": UNDO, "difficulty": "easy", "level": 2}
COMMANDS = st.sampled_from(["home", "restart", "undo", "next", "menu"]).map(lambda name: Command(name=name))
CHOICES = st.one_of(
    st.sampled_from([TOY, UNDO]).map(lambda game: Command(name="game", game=game)),
    st.sampled_from(["easy", "hard"]).map(lambda difficulty: Command(name="difficulty", difficulty=difficulty)),
    st.integers(1, 3).map(lambda number: Command(name="level", number=number)),
)
KEYS = st.sampled_from(["ArrowRight", "ArrowUp", "ArrowLeft"]).map(lambda key: KeyMessage(type="key", key=key))
POINTERS = st.builds(
    lambda kind, place: PointerMessage(type=kind, x=point(place)[0], y=9.0),
    st.sampled_from(["down", "move", "up"]),
    st.integers(-1, 5),
)
MESSAGES = st.lists(KEYS | COMMANDS | CHOICES | POINTERS | st.just(CancelMessage(type="cancel")), max_size=40)


def begin(folder: Path, **launch: Any) -> Session:
    return Session.begin(folder / "a.jsonl", opening(**(launch or EASY)), SHELF, CONTROLS)


def resume(folder: Path) -> Session:
    return Session.resume(folder / "a.jsonl", SHELF, CONTROLS)


def entries(folder: Path) -> list[dict[str, Any]]:
    return list(read_journal((folder / "a.jsonl").read_bytes(), "a").entries)


def key(name: str) -> KeyMessage:
    return KeyMessage(type="key", key=name)  # type: ignore[arg-type]


@settings(max_examples=60)
@given(messages=MESSAGES)
def test_a_session_goes_on_from_its_journal_as_it_stood(
    tmp_path_factory: pytest.TempPathFactory, messages: list[Any]
) -> None:
    folder = tmp_path_factory.mktemp("session")
    session = begin(folder)
    for message in messages:
        session.receive(message)
    held_no_more = session.attach()["screen"]
    again = resume(folder)
    assert again.attach()["screen"] == held_no_more
    assert (again.play.won, again.play.attempts.keys()) == (session.play.won, session.play.attempts.keys())
    for spot, attempt in session.play.attempts.items():
        other = again.play.attempts[spot]
        assert (other.state_text, other.moves) == (attempt.state_text, attempt.moves)
    assert again.inputs == session.inputs
    session.close()
    again.close()


def test_a_session_cut_off_in_the_middle_of_a_write_goes_on_with_all_that_was_acknowledged(tmp_path: Path) -> None:
    session = begin(tmp_path)
    session.receive(key("ArrowRight"))
    path = tmp_path / "a.jsonl"
    acknowledged = path.stat().st_size
    session.receive(key("ArrowUp"))
    session.close()
    whole = path.read_bytes()
    for cut in range(acknowledged, len(whole), 7):
        path.write_bytes(whole[:cut])
        again = resume(tmp_path)
        assert again.play.attempt is not None
        assert again.play.attempt.state_text == "1"
        again.close()


def test_what_a_gesture_leaves_in_the_journal(tmp_path: Path) -> None:
    session = begin(tmp_path, game=TOY, difficulty="easy", level=1)
    session.receive(PointerMessage(type="down", x=30, y=9))
    session.receive(PointerMessage(type="up", x=150, y=9))
    opened, gesture, move, won = entries(tmp_path)
    assert opened["opening"]["launch"]["game"] == TOY
    assert [event[:3] for event in gesture["events"]] == [["down", 30, 9], ["up", 150, 9]]
    assert (move["move"], move["state"], move["level"]) == ("+2", "2", 1)
    assert move["level_digest"] == SHELF.objectives[0].levels[0].digest
    assert (won["kind"], won["level"]) == ("won", 1)
    times = [entry["monotonic_us"] for entry in (opened, gesture, move, won)]
    assert times == sorted(times)
    assert opened["monotonic_us"] <= gesture["events"][0][3] <= gesture["events"][1][3] <= times[1]


def test_moving_a_held_pointer_writes_nothing_until_it_is_let_go(tmp_path: Path) -> None:
    session = begin(tmp_path)
    session.receive(PointerMessage(type="down", x=30, y=9))
    for x in range(40):
        session.receive(PointerMessage(type="move", x=x, y=9))
    assert len(entries(tmp_path)) == 1
    session.receive(CancelMessage(type="cancel"))
    assert len(entries(tmp_path)[1]["events"]) == 42


def test_a_pointer_held_without_end_is_taken_away(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sessions, "MAX_EVENTS", 10)
    session = begin(tmp_path)
    session.receive(PointerMessage(type="down", x=30, y=9))
    for _ in range(30):
        frame = session.receive(PointerMessage(type="move", x=90, y=9))
    assert frame["screen"]["hand"] is None
    assert [len(entry["events"]) for entry in entries(tmp_path)[1:]] == [11]
    assert entries(tmp_path)[1]["events"][-1][0] == "cancel"


def test_a_press_without_a_release_before_it_ends_the_old_gesture(tmp_path: Path) -> None:
    session = begin(tmp_path)
    for _ in range(2):
        session.receive(PointerMessage(type="down", x=30, y=9))
    session.receive(PointerMessage(type="up", x=90, y=9))
    kinds = [[event[0] for event in entry["events"]] for entry in entries(tmp_path) if entry["kind"] == "gesture"]
    assert kinds == [["down", "cancel"], ["down", "up"]]


@pytest.mark.parametrize("way", ["button", "page", "restore"])
def test_an_unfinished_gesture_is_written_down_and_its_rest_ignored(tmp_path: Path, way: str) -> None:
    session = begin(tmp_path)
    session.receive(PointerMessage(type="down", x=30, y=9))
    if way == "button":
        session.receive(Command(name="restart"))
    elif way == "page":
        session.attach()
    else:
        session.restore(Spot(UNDO, "easy", 2), "0")
    session.receive(PointerMessage(type="up", x=90, y=9))
    assert [entry["kind"] for entry in entries(tmp_path)][1:2] == ["gesture"]
    assert entries(tmp_path)[1]["unfinished"]
    assert session.play.attempt is not None
    assert session.play.attempt.state_text == "0"


def test_a_restored_state_is_resumed_too(tmp_path: Path) -> None:
    session = begin(tmp_path)
    assert session.restore(Spot(TOY, "hard", 1), "3")["screen"]["view"]["at"] == 3
    session.receive(key("ArrowUp"))
    session.close()
    assert resume(tmp_path).attach()["screen"]["view"]["at"] == 5


def test_a_restored_win_is_written_down_as_the_report_tells_it(tmp_path: Path) -> None:
    session = begin(tmp_path)
    session.restore(Spot(UNDO, "easy", 2), "4")
    assert Spot(UNDO, "easy", 2) in session.play.won
    assert [entry["kind"] for entry in entries(tmp_path)] == ["opened", "restored", "won"]
    session.close()
    assert resume(tmp_path).play.won == session.play.won


def test_a_state_that_is_none_changes_nothing(tmp_path: Path) -> None:
    session = begin(tmp_path)
    with pytest.raises(PipelineError):
        session.restore(Spot(TOY, "hard", 1), "99")
    assert len(entries(tmp_path)) == 1


def test_a_bound_session_offers_its_objective_alone(tmp_path: Path) -> None:
    bound = opening(game=TOY, difficulty="hard").model_copy(update={"bound": True})
    session = Session.begin(tmp_path / "a.jsonl", bound, SHELF, CONTROLS)
    home = session.receive(Command(name="home"))["screen"]
    assert home["games"] == [{"game": TOY, "levels": 1}]
    assert session.receive(Command(name="game", game=UNDO))["screen"] == home
    with pytest.raises(PipelineError):
        session.restore(Spot(TOY, "easy", 1), "0")


def test_journals_that_cannot_go_on_are_told_apart(tmp_path: Path) -> None:
    session = begin(tmp_path)
    session.receive(key("ArrowRight"))
    session.close()
    with pytest.raises(PipelineError, match="another set of levels"):
        Session.resume(tmp_path / "a.jsonl", Shelf(SHELF.objectives, "sha256:" + "0" * 64), CONTROLS)
    resumed = resume(tmp_path)
    resumed.close(for_good=True)
    with pytest.raises(PipelineError, match="is closed"):
        resume(tmp_path)


@pytest.mark.parametrize(
    "entry",
    [
        {"kind": "move", "move": "+2", "state": "2"},
        {"kind": "move", "move": 2},
        {"kind": "move", "move": []},
        {"kind": "restored", "game": [], "difficulty": {}, "level": "1", "state": 0},
        {"kind": "command", "command": {"name": "restart"}, "state": "1"},
        {"move": "+1"},
    ],
)
def test_a_journal_under_sound_digests_must_still_be_playable(tmp_path: Path, entry: dict[str, Json]) -> None:
    """Someone who can compute digests can write any journal; the rules have the last word."""
    session = begin(tmp_path)
    session._journal.append([entry])
    session.close()
    with pytest.raises(DamagedJournal, match="entry 1 cannot be played again"):
        resume(tmp_path)


def test_a_full_disk_ends_the_session_and_loses_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    session = begin(tmp_path)
    session.receive(key("ArrowRight"))
    write = os.write

    def half(handle: int, data: bytes) -> int:
        write(handle, data[: len(data) // 2])
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch, pytest.raises(OSError, match="No space"):
        patch.setattr(os, "write", half)
        session.receive(key("ArrowUp"))
    again = resume(tmp_path)
    assert again.play.attempt is not None
    assert again.play.attempt.state_text == "1"
    assert entries(tmp_path)[-1]["torn"] > 0


def test_a_disk_that_is_full_from_the_start_leaves_no_journal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(handle: int, data: bytes) -> int:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch, pytest.raises(OSError, match="No space"):
        patch.setattr(os, "write", full)
        begin(tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_a_journal_does_not_grow_without_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(journal, "MAX_BYTES", 3000)
    session = begin(tmp_path)
    with pytest.raises(OSError, match="full"):
        for _ in range(100):
            session.receive(key("ArrowLeft"))
    session.close()
    with pytest.raises(OSError, match="full"):
        resume(tmp_path)
