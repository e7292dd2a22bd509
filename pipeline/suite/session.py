"""A session: one player and the journal of everything that player did. Plain code; the stage calls it in threads.

Whatever changes the state is on the disk before the page hears of it, so that a server which is killed goes on from the
journal with nothing acknowledged lost.
"""

import time
from collections.abc import Mapping
from pathlib import Path

from pydantic import TypeAdapter, ValidationError

from pipeline.core.canonical import Json
from pipeline.core.errors import PipelineError
from pipeline.suite.attempt import NOTHING, Change
from pipeline.suite.controls.contract import AnyControls
from pipeline.suite.gestures import Cancel, Event, Key, Pointer
from pipeline.suite.journal import DamagedJournal, Journal
from pipeline.suite.launch import Opening, opening_of
from pipeline.suite.messages import Command, EventMessage
from pipeline.suite.play import Play, Spot
from pipeline.suite.shelf import Shelf

MAX_EVENTS = 10_000
"""Events of one gesture; a pointer held longer is taken away."""


class Session:
    """One player's session. Not safe for threads at the same time: the stage sees to that."""

    def __init__(self, opening: Opening, shelf: Shelf, controls: Mapping[str, AnyControls], journal: Journal) -> None:
        launch = opening.launch
        self.opening = opening
        self.play = Play(opening.offered(shelf), launch.seed, controls)
        self.play.enter(launch.spot)
        self.inputs = 0
        """Finished gestures, keys and commands so far: what a driver can count on its side too."""
        self.revision = 0
        self._screen: Json = None
        self._journal = journal
        self._gesture: list[Json] | None = None

    @classmethod
    def begin(cls, path: Path, opening: Opening, shelf: Shelf, controls: Mapping[str, AnyControls]) -> "Session":
        """A new session with a new journal at `path`."""
        session = cls(opening, shelf, controls, Journal.create(path))
        try:
            session._write([{"kind": "opened", "opening": opening.model_dump(mode="json"), **session._place()}])
        except OSError:
            session.close()
            path.unlink()
            raise
        return session

    @classmethod
    def resume(cls, path: Path, shelf: Shelf, controls: Mapping[str, AnyControls]) -> "Session":
        """The session of a journal as it stood; PipelineError when that is damaged, closed or of another shelf."""
        journal, text = Journal.reopen(path)
        try:
            opening = opening_of(text.entries[0] if text.entries else None, path.name)
            if opening.shelf != shelf.digest:
                raise PipelineError(f"{path.name}: the session was played on another set of levels.")
            if any(entry.get("kind") == "closed" for entry in text.entries):
                raise PipelineError(f"{path.name}: the session is closed.")
            session = cls(opening, shelf, controls, journal)
            for entry in text.entries:
                session._replay(entry, path.name)
            session._write([{"kind": "resumed", "torn": text.torn, **session._place()}])
        except BaseException:
            journal.close()
            raise
        return session

    @property
    def journal_head(self) -> Json:
        """How many entries the journal has and the digest of the last."""
        return {"entries": self._journal.count, "head": self._journal.head}

    @property
    def untouched(self) -> bool:
        """Whether the player has done nothing yet."""
        return self.inputs == 0

    # -- what happens ---------------------------------------------------------------------------
    def receive(self, message: EventMessage | Command) -> Json:
        """Do what the page asks for; the answering frame."""
        if isinstance(message, Command):
            return self._frame(self._command(message).effect)
        return self._frame(self._event(message.event()).effect)

    def attach(self) -> Json:
        """A page connects: what was held is let go; the first frame."""
        self._drop_gesture()
        self.play.release()
        return self._frame(None)

    def restore(self, spot: Spot, state: str) -> Json:
        """Put the player into a state of a level; PipelineError, and nothing changed, when there is no such state."""
        won = set(self.play.won)
        self.play.enter(spot, state)
        self._drop_gesture()
        self._write([{"kind": "restored", **self._place()}, *self._wins(won)])
        return self._frame(None)

    def close(self, *, for_good: bool = False) -> None:
        """Give the journal back; a session that is closed for good is never resumed."""
        try:
            if for_good:
                self._write([{"kind": "closed"}])
        finally:
            self._journal.close()

    def _command(self, command: Command) -> Change:
        self._drop_gesture()
        won = set(self.play.won)
        change = self.play.command(command)
        self.inputs += 1
        said = command.model_dump(mode="json", exclude={"type"}, exclude_none=True)
        self._write([{"kind": "command", "command": said, **self._place()}, *self._wins(won)])
        return change

    def _event(self, event: Event) -> Change:
        """A pointer moves and is let go only after it went down: the rest of a dropped gesture is nothing."""
        if isinstance(event, Key):
            return self._touch(event, [_recorded(event)])
        if isinstance(event, Pointer) and event.kind == "down":
            if self._gesture is not None:
                self._event(Cancel())  # the end of the gesture before was lost
            self._gesture = []
        gesture = self._gesture
        if gesture is None:
            return NOTHING
        if len(gesture) >= MAX_EVENTS:
            event = Cancel()
        gesture.append(_recorded(event))
        if isinstance(event, Pointer) and event.kind != "up":
            return self._touch(event, None)
        self._gesture = None
        return self._touch(event, gesture)

    def _touch(self, event: Event, finished: list[Json] | None) -> Change:
        """Touch the board; write down the gesture that the event finishes, and any move at once."""
        won = set(self.play.won)
        change = self.play.touch(event)
        entries: list[dict[str, Json]] = []
        if finished is not None:
            self.inputs += 1
            entries.append({"kind": "gesture", "events": finished})
        if change.move is not None:
            entries.append({"kind": "move", "move": change.move, **self._place()})
        self._write([*entries, *self._wins(won)])
        return change

    def _drop_gesture(self) -> None:
        """A gesture that never ended is written down as far as it came."""
        if self._gesture:
            self._write([{"kind": "gesture", "events": self._gesture, "unfinished": True}])
        self._gesture = None

    # -- writing --------------------------------------------------------------------------------
    def _write(self, entries: list[dict[str, Json]]) -> None:
        if entries:
            now = {"monotonic_us": time.monotonic_ns() // 1000, "wall_us": time.time_ns() // 1000}
            self._journal.append([{**entry, **now} for entry in entries])

    def _wins(self, before: set[Spot]) -> list[dict[str, Json]]:
        return [{"kind": "won", **spot_document(spot)} for spot in self.play.won - before]

    def _place(self) -> dict[str, Json]:
        """Where the player is: on a level, which one and in which state."""
        attempt = self.play.attempt
        where = spot_document(self.play.spot)
        if attempt is None:
            return where
        return {**where, "level_digest": self.play.board_digest(), "state": attempt.state_text}

    def _frame(self, effect: Json) -> Json:
        screen = self.play.screen()
        if effect is not None or screen != self._screen:
            self.revision += 1
            self._screen = screen
        return {"type": "frame", "revision": self.revision, "screen": screen, "effect": effect}

    # -- reading back ---------------------------------------------------------------------------
    def _replay(self, entry: dict[str, Json], name: str) -> None:
        """Do again what an entry tells, and compare where that leads with where it led."""
        try:
            match entry["kind"]:
                case "command":
                    self.play.command(TypeAdapter(Command).validate_python(entry["command"], strict=True))
                case "move":
                    self.play.replay(entry["move"])
                case "restored":
                    spot = Spot(entry["game"], entry["difficulty"], entry["level"])
                    self.play.enter(spot, entry["state"])
            if "state" in entry and not self._place().items() <= entry.items():
                raise PipelineError("it led to another state then")
        except (PipelineError, ValidationError, KeyError, TypeError, AttributeError) as error:
            raise DamagedJournal(name, entry["n"], f"cannot be played again ({error})") from None
        self.inputs += entry["kind"] in ("gesture", "command") and "unfinished" not in entry


def spot_document(spot: Spot) -> dict[str, Json]:
    """A screen's place as the evaluator and the journal write it."""
    return {"screen": spot.screen, "game": spot.game, "difficulty": spot.difficulty, "level": spot.number}


def _recorded(event: Event) -> Json:
    """An event in the journal: kind, then point or key, then the time in microseconds."""
    now = time.monotonic_ns() // 1000
    match event:
        case Pointer(kind, (x, y)):
            return [kind, x, y, now]
        case Key(name):
            return ["key", name, now]
        case Cancel():
            return ["cancel", now]
