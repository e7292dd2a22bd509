"""Many sessions: room for a limited number in memory, none in another's hands, broken ones set aside."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from pipeline.core.canonical import Json
from pipeline.suite.controls.contract import Touch
from pipeline.suite.gestures import Event
from pipeline.suite.journal import read_journal
from pipeline.suite.live import GONE, Broken, Live, Page
from pipeline.suite.messages import Command, KeyMessage
from pipeline.suite.stage import Stage, StageFull, id_of
from tests.suite.serving import PageClient, serving
from tests.suite.toys import CONTROLS, TOY, UNDO, opening, toy_shelf
from tests.toy.controls_stepping_stones import SteppingStonesControls
from tests.toy.game_stepping_stones import Board, Move, State

RIGHT = KeyMessage(type="key", key="ArrowRight")
EASY = {"game": UNDO, "difficulty": "easy", "level": 2}


def staged(folder: Path, limit: int, work: Callable[[Stage], Awaitable[None]]) -> None:
    """Do something with a stage that holds `limit` sessions in memory."""

    async def run() -> None:
        stage = Stage(toy_shelf(), CONTROLS, folder, limit)
        try:
            await work(stage)
        finally:
            await stage.shut()

    asyncio.run(run())


def page() -> tuple[Page, list[Json]]:
    """A page that keeps what it is sent."""
    got: list[Json] = []

    async def send(frame: Json) -> None:
        got.append(frame)

    async def hang(code: int) -> None:
        got.append(code)

    return Page(send, hang), got


def test_a_session_that_had_to_rest_goes_on_where_it_was(tmp_path: Path) -> None:
    async def work(stage: Stage) -> None:
        key = await stage.open(opening(**EASY))
        live = await stage.find_by_key(key)
        assert live is not None
        await live.receive(RIGHT)
        for _ in range(3):
            await stage.open(opening())
        again = await stage.find_by_key(key)
        assert again is not None
        assert again is not live
        assert await again.do(lambda session: session.play.attempt and session.play.attempt.state_text) == "1"

    staged(tmp_path, 2, work)


def test_launches_in_which_nothing_is_done_leave_nothing_behind(tmp_path: Path) -> None:
    async def work(stage: Stage) -> None:
        for _ in range(20):
            await stage.open(opening())
        assert len(stage.known()) == 3

    staged(tmp_path, 3, work)


def test_sessions_with_a_page_are_never_pushed_out(tmp_path: Path) -> None:
    async def work(stage: Stage) -> None:
        key = await stage.open(opening())
        live = await stage.find_by_key(key)
        assert live is not None
        connected, got = page()
        await live.attach(connected)
        with pytest.raises(StageFull):
            await stage.open(opening())
        live.detach(connected)
        other = await stage.open(opening())
        assert stage.known() == [id_of(other)]
        assert [frame["screen"]["name"] for frame in got] == ["home"]

    staged(tmp_path, 1, work)


def test_pages_that_anybody_opens_leave_room_for_the_evaluators_own(tmp_path: Path) -> None:
    async def work(stage: Stage) -> None:
        for _ in range(7):
            live = await stage.find_by_key(await stage.open(opening()))
            assert live is not None
            await live.attach(page()[0])
        with pytest.raises(StageFull):
            await stage.open(opening())
        await stage.open(opening().model_copy(update={"anonymous": False}))

    staged(tmp_path, 8, work)


def test_a_page_that_left_does_not_take_its_successor_along(tmp_path: Path) -> None:
    async def work(stage: Stage) -> None:
        live = await stage.find_by_key(await stage.open(opening()))
        assert live is not None
        (first, heard), (second, _) = page(), page()
        await live.attach(first)
        await live.attach(second)
        live.detach(first)
        assert (live.page, heard[-1]) == (second, 4001)
        live.settle(live.session.revision, first)
        await live.receive(Command(name="game", game=TOY), first)
        assert (live.is_settled, live.session.inputs) == (False, 0)

    staged(tmp_path, 1, work)


class Brittle(SteppingStonesControls):
    """Controls with a fault: the second stone breaks them."""

    def touch(self, board: Board, state: State, hand: int | None, event: Event) -> Touch[Move, int]:
        if state.at == 1:
            raise ZeroDivisionError
        return super().touch(board, state, hand, event)


def test_a_fault_in_one_session_stops_no_other_and_loses_nothing(tmp_path: Path) -> None:
    controls: dict[str, Any] = {TOY: Brittle(), UNDO: CONTROLS[UNDO]}
    with serving(tmp_path, controls=controls) as suite:
        keys = [suite.open(f"?game={game}&difficulty=easy&level=2") for game in (TOY, UNDO)]
        with suite.page(keys[0]) as broken, suite.page(keys[1]) as sound:
            for client in (broken, sound):
                client.say(type="key", key="ArrowRight")
            broken.socket.send('{"type":"key","key":"ArrowUp"}')
            assert sound.say(type="key", key="ArrowLeft")["screen"]["view"]["at"] == 1
            with pytest.raises(Exception, match="1011"):
                broken.receive()
        with suite.page(keys[0]) as again:
            assert again.frame["screen"]["view"]["at"] == 1
            assert again.command("restart")["screen"]["view"]["at"] == 0


def test_twenty_at_once_each_see_their_own_level(tmp_path: Path) -> None:
    async def play(client: PageClient, number: int) -> None:
        at = (0, 2, 3)[number % 3]
        for key in ("ArrowUp", "ArrowRight")[: number % 3]:
            await asyncio.to_thread(client.say, type="key", key=key)
        for y in range(5):
            frame = await asyncio.to_thread(client.say, type="down", x=60 * at + 1, y=y)
            assert (frame["screen"]["view"]["at"], frame["screen"]["hand"]) == (at, {"held": at})

    async def all_play(clients: list[PageClient]) -> None:
        await asyncio.gather(*(play(client, number) for number, client in enumerate(clients)))

    with serving(tmp_path) as suite:
        keys = [suite.open(f"?game={UNDO}&difficulty=hard&level=1") for _ in range(20)]
        clients = [suite.page(key) for key in keys]
        asyncio.run(all_play(clients))
        for client in clients:
            client.close()


def test_a_page_that_connects_to_a_session_just_put_to_rest_has_to_ask_again(tmp_path: Path) -> None:
    async def work(stage: Stage) -> None:
        live = await stage.find_by_key(await stage.open(opening(**EASY)))
        assert live is not None
        await stage.open(opening())
        with pytest.raises(Broken):
            await live.attach(page()[0])

    staged(tmp_path, 1, work)


def test_a_session_that_is_being_ended_is_not_read_back_meanwhile(tmp_path: Path) -> None:
    """Two sessions that write to one journal would break its chain."""

    async def work(stage: Stage) -> None:
        key = await stage.open(opening(**EASY))
        live = await stage.find_by_key(key)
        assert live is not None
        hanging, go = asyncio.Event(), asyncio.Event()

        async def hang(code: int) -> None:
            hanging.set()
            await go.wait()

        await live.attach(Page(page()[0].send, hang))
        ending = asyncio.create_task(stage.drop(id_of(key), GONE, for_good=True))
        await hanging.wait()
        late, got = page()
        await live.attach(late)
        assert await stage.find_by_key(key) is live
        go.set()
        await ending
        assert got[-1] == GONE
        assert await stage.find_by_key(key) is None
        path = stage.journal_path(id_of(key))
        kinds = [entry["kind"] for entry in read_journal(path.read_bytes(), path.name).entries]
        assert kinds == ["opened", "closed"]

    staged(tmp_path, 2, work)


def test_a_session_at_rest_is_not_called_over_when_there_is_no_room_to_wake_it(tmp_path: Path) -> None:
    async def work(stage: Stage) -> None:
        resting = await stage.open(opening(**EASY))
        (await found(stage, resting)).session.receive(RIGHT)
        live = await found(stage, await stage.open(opening()))
        connected, _ = page()
        await live.attach(connected)
        with pytest.raises(StageFull):
            await stage.find_by_key(resting)
        live.detach(connected)
        assert await stage.find_by_key(resting) is not None

    staged(tmp_path, 1, work)


async def found(stage: Stage, key: str) -> Live:
    """The session of a key that is there."""
    live = await stage.find_by_key(key)
    assert live is not None
    return live


def test_only_journals_are_known(tmp_path: Path) -> None:
    (tmp_path / "notes.jsonl").write_text("mine", encoding="utf-8")
    (tmp_path / f"{'0' * 32}.jsonl").mkdir()
    (tmp_path / f"{'1' * 32}.jsonl").symlink_to(tmp_path / "notes.jsonl")

    async def work(stage: Stage) -> None:
        assert stage.known() == []

    staged(tmp_path, 2, work)


def test_a_session_whose_memory_is_in_doubt_is_read_back_from_its_journal(tmp_path: Path) -> None:
    async def work(stage: Stage) -> None:
        ident = id_of(await stage.open(opening(**EASY)))
        live = await stage.find(ident)
        assert live is not None
        await live.receive(RIGHT)
        with pytest.raises(ZeroDivisionError):
            await live.do(lambda session: 1 // 0)
        with pytest.raises(Broken):
            await live.receive(RIGHT)
        with pytest.raises(Broken):
            await stage.drop(ident, GONE, for_good=True)
        again = await stage.find(ident)
        assert again is not None
        assert await again.do(lambda session: session.play.attempt and session.play.attempt.state_text) == "1"

    staged(tmp_path, 2, work)
