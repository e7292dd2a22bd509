"""One level being played: events become moves, moves become states; undo and restart. No clock, no files, no chance."""

from dataclasses import dataclass
from typing import Any

from pipeline.core.canonical import Json
from pipeline.suite.controls.contract import AnyControls
from pipeline.suite.gestures import Event


@dataclass(frozen=True)
class Change:
    """What an input led to: what the page animates, and the move that was made, in text form."""

    effect: Json = None
    move: str | None = None


NOTHING = Change()


class Attempt:
    """A board in play. Whatever an event asks for, the state changes by legal moves only; a won board stays."""

    def __init__(self, controls: AnyControls, board: Any, state: Any = None) -> None:
        self.controls, self.board = controls, board
        self.state = controls.game.start(board) if state is None else state
        self._hand: Any = None
        self._past: list[Any] = []
        self._layout = controls.layout(board)

    @property
    def won(self) -> bool:
        """Whether the board is finished."""
        return self.controls.game.won(self.board, self.state)

    @property
    def state_text(self) -> str:
        """The state in its text form."""
        return self.controls.game.state_text(self.board, self.state)

    @property
    def moves(self) -> int:
        """Moves made since the start, the last restart or a restored state; those taken back do not count."""
        return len(self._past)

    def touch(self, event: Event) -> Change:
        """Let the controls say what an event does."""
        if self.won:
            return NOTHING
        touch = self.controls.touch(self.board, self.state, self._hand, event)
        self._hand = touch.hand
        if touch.move is None:
            return NOTHING if touch.refused is None else Change({"kind": "refused", "what": touch.refused})
        before = self.state
        self._make(touch.move)
        motion = self.controls.motion(self.board, before, touch.move)
        return Change({"kind": "move", "motion": motion}, self.controls.game.move_text(touch.move))

    def replay(self, move: str) -> None:
        """Make a move that was made before; PipelineError when it cannot be made here."""
        self._make(self.controls.game.parse_move(move))
        self._hand = None

    def _make(self, move: Any) -> None:
        before = self.state
        self.state = self.controls.game.apply(self.board, before, move)
        self._past.append(before)

    def release(self) -> None:
        """Let go of whatever is held or selected."""
        self._hand = None

    def restart(self) -> Change:
        """Back to the start for good: what was done before cannot be brought back by undo."""
        self.state = self.controls.game.start(self.board)
        self._hand, self._past = None, []
        return Change({"kind": "restart"})

    def undo(self) -> Change:
        """Take the last move back; nothing where the game has no undo, at the start, and after a win."""
        self._hand = None
        if not self.controls.game.has_undo or not self._past or self.won:
            return NOTHING
        self.state = self._past.pop()
        return Change({"kind": "undo"})

    def scene(self) -> dict[str, Json]:
        """What the page draws, all of it visible to a player."""
        game, board, state = self.controls.game, self.board, self.state
        shown = {"layout": self._layout, "view": game.view(board, state)}
        return {**shown, "hand": self.controls.shown(board, state, self._hand)}
