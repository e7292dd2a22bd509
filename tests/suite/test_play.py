"""A player's way: levels open one after another, and no order of restart, undo, next and menu leads elsewhere."""

import hypothesis.strategies as st
import pytest
from hypothesis import settings
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from pipeline.core.errors import PipelineError
from pipeline.suite.gestures import Arrow, Cancel, Key, Pointer
from pipeline.suite.messages import Command
from pipeline.suite.play import Play, Spot
from tests.suite.toys import CONTROLS, LEVELS, TOY, UNDO, toy_shelf
from tests.toy.controls_stepping_stones import point

STEP: dict[Arrow, int] = {"ArrowRight": 1, "ArrowUp": 2}


def at(game: str, difficulty: str = "easy", number: int = 1) -> Play:
    play = Play(toy_shelf(), 0, CONTROLS)
    play.enter(Spot(game, difficulty, number))
    return play


def press(play: Play, *names: str) -> None:
    for name in names:
        play.command(Command(name=name))  # type: ignore[arg-type]


class WayThroughALevel(RuleBasedStateMachine):
    """The model: places walked since the last restart, and the greatest level that is open."""

    @initialize(game=st.sampled_from([TOY, UNDO]))
    def begin(self, game: str) -> None:
        self.play, self.undoable = Play(toy_shelf(), 0, CONTROLS), game == UNDO
        self.play.command(Command(name="game", game=game))
        self.play.command(Command(name="difficulty", difficulty="easy"))
        self.number: int | None = None
        self.walked = [0]
        self.won: set[int] = set()

    @property
    def stones(self) -> str:
        assert self.number is not None
        return LEVELS["easy"][self.number - 1]

    @property
    def finished(self) -> bool:
        return self.number is not None and self.walked[-1] == len(self.stones) - 1

    @rule(number=st.integers(1, 4))
    def choose(self, number: int) -> None:
        self.play.command(Command(name="level", number=number))
        if number <= 3 and (number == 1 or number - 1 in self.won):
            self.number, self.walked = number, [0]

    @precondition(lambda self: self.number is not None)
    @rule(key=st.sampled_from(sorted(STEP)))
    def walk(self, key: Arrow) -> None:
        assert self.number is not None
        self.play.touch(Key(key))
        there = self.walked[-1] + STEP[key]
        if not self.finished and self.stones[there : there + 1] == "o":
            self.walked.append(there)
            if self.finished:
                self.won.add(self.number)

    @precondition(lambda self: self.number is not None)
    @rule(away=st.integers(-1, 3))
    def drag(self, away: int) -> None:
        assert self.number is not None
        here = self.walked[-1]
        for event in (Pointer("down", point(here)), Pointer("move", point(9)), Pointer("up", point(here + away))):
            self.play.touch(event)
        if not self.finished and away in (1, 2) and self.stones[here + away : here + away + 1] == "o":
            self.walked.append(here + away)
            if self.finished:
                self.won.add(self.number)

    @rule()
    def restart(self) -> None:
        press(self.play, "restart")
        self.walked = [0]

    @rule()
    def undo(self) -> None:
        press(self.play, "undo")
        if self.undoable and not self.finished and len(self.walked) > 1:
            self.walked.pop()

    @rule()
    def go_on(self) -> None:
        press(self.play, "next")
        if self.finished and self.number is not None and self.number < 3:
            self.number, self.walked = self.number + 1, [0]

    @rule()
    def leave(self) -> None:
        if self.number is not None:
            press(self.play, "menu")
            self.number, self.walked = None, [0]

    @invariant()
    def agrees(self) -> None:
        screen = self.play.screen()
        if self.number is None:
            assert screen["name"] == "levels"
            expected = [
                "won" if n in self.won else "open" if n == 1 or n - 1 in self.won else "locked" for n in (1, 2, 3)
            ]
            assert [level["status"] for level in screen["levels"]] == expected
        else:
            assert (screen["name"], screen["number"], screen["of"]) == ("level", self.number, 3)
            assert screen["view"] == {"stones": self.stones, "at": self.walked[-1]}
            assert (screen["won"], screen["last"], screen["undo"]) == (self.finished, self.number == 3, self.undoable)
            assert screen["hand"] is None
            assert self.play.attempt is not None
            assert self.play.attempt.moves == len(self.walked) - 1


WayThroughALevel.TestCase.settings = settings(max_examples=150, stateful_step_count=40)
TestWayThroughALevel = WayThroughALevel.TestCase


def test_screens_from_home_to_a_level_and_back() -> None:
    play = Play(toy_shelf(), 0, CONTROLS)
    assert play.screen() == {"name": "home", "games": [{"game": TOY, "levels": 4}, {"game": UNDO, "levels": 4}]}
    play.command(Command(name="game", game=TOY))
    assert play.screen()["difficulties"] == [
        {"difficulty": "easy", "levels": 3, "won": 0},
        {"difficulty": "hard", "levels": 1, "won": 0},
    ]
    play.command(Command(name="difficulty", difficulty="hard"))
    play.command(Command(name="level", number=1))
    assert play.screen()["layout"] == {"pitch": 60}
    for name in ("levels", "difficulties", "home", "home"):
        press(play, "menu")
        assert play.screen()["name"] == name


@pytest.mark.parametrize(
    "command",
    [
        Command(name="game", game="no_such_game"),
        Command(name="difficulty", difficulty="easy"),
        Command(name="level", number=1),
        Command(name="restart"),
        Command(name="undo"),
        Command(name="next"),
    ],
)
def test_buttons_that_are_not_there_do_nothing(command: Command) -> None:
    play = Play(toy_shelf(), 0, CONTROLS)
    before = play.screen()
    play.command(command)
    assert play.screen() == before


def test_undo_never_leads_behind_a_restart() -> None:
    play = at(UNDO, number=2)
    for key in ("ArrowRight", "ArrowUp"):
        play.touch(Key(key))
    press(play, "restart", "undo", "undo")
    assert play.screen()["view"]["at"] == 0


@pytest.mark.parametrize("name", ["restart", "undo", "menu", "home"])
def test_what_is_held_is_dropped_by_every_button(name: str) -> None:
    play = at(UNDO)
    play.touch(Pointer("down", point(0)))
    assert play.screen()["hand"] == {"held": 0}
    press(play, name)
    play.enter(play.spot) if play.spot.number is None else None
    play.touch(Pointer("up", point(1)))
    assert play.attempts[Spot(UNDO, "easy", 1)].moves == 0


def test_cancelling_moves_nothing_and_a_refused_step_shakes() -> None:
    play = at(TOY, number=2)
    play.touch(Pointer("down", point(0)))
    assert play.touch(Cancel()).move is None
    play.touch(Key("ArrowRight"))
    assert play.touch(Key("ArrowRight")).effect == {"kind": "refused", "what": {"step": 1}}


def test_a_launch_opens_its_level_and_no_other() -> None:
    play = at(TOY, number=2)
    press(play, "menu")
    assert [level["status"] for level in play.screen()["levels"]] == ["open", "open", "locked"]


def test_entering_a_state_is_exact_and_leaves_nothing_to_undo() -> None:
    play = at(UNDO, number=2)
    play.enter(Spot(UNDO, "easy", 2), "1")
    press(play, "undo")
    assert play.attempt is not None
    assert (play.attempt.state_text, play.attempt.moves) == ("1", 0)


@pytest.mark.parametrize(
    ("spot", "state"),
    [(Spot(TOY, "easy", 4), None), (Spot(TOY, "mild", 1), None), (Spot("chess"), None), (Spot(TOY, "easy", 1), "99")],
)
def test_entering_what_is_not_there_changes_nothing(spot: Spot, state: str | None) -> None:
    play = at(TOY)
    play.touch(Pointer("down", point(0)))
    before = play.screen()
    with pytest.raises(PipelineError):
        play.enter(spot, state)
    assert play.screen() == before
