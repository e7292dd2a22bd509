"""The toy's controls: press the walker and let go on a stone, or press an arrow key.

x = 60 · place + 30, anywhere in the square's height; a stone that cannot be reached shakes.
"""

from pipeline.core.canonical import Json
from pipeline.suite.controls.contract import Controls, Touch
from pipeline.suite.gestures import Drag, Event, Gesture, Key, Pointer
from tests.toy.game_stepping_stones import GAME, Board, Move, State, SteppingStones

PITCH = 60
STEPS = {"ArrowRight": 1, "ArrowUp": 2}


class SteppingStonesControls(Controls[Board, State, Move, int]):
    """The hand holds the walker at the place it was pressed."""

    def __init__(self, game: SteppingStones = GAME) -> None:
        self.game = game

    def layout(self, board: Board) -> Json:
        return {"pitch": PITCH}

    def touch(self, board: Board, state: State, hand: int | None, event: Event) -> Touch[Move, int]:
        match event:
            case Key(name) if name in STEPS:
                return self._step(board, state, STEPS[name])
            case Pointer("down", (x, _)):
                return Touch(state.at if x // PITCH == state.at else None)
            case Pointer("move", _):
                return Touch(hand)
            case Pointer("up", (x, _)) if hand is not None:
                return self._step(board, state, int(x // PITCH) - hand)
        return Touch(None)

    def _step(self, board: Board, state: State, step: int) -> Touch[Move, int]:
        move = Move(step)
        if move in self.game.moves(board, state):
            return Touch(None, move)
        return Touch(None, refused=None if step == 0 else {"step": step})

    def shown(self, board: Board, state: State, hand: int | None) -> Json:
        return None if hand is None else {"held": hand}

    def perform(self, board: Board, state: State, move: Move) -> tuple[Gesture, ...]:
        return (Drag((point(state.at), point(state.at + move.step))),)


def point(place: int) -> tuple[float, float]:
    """The middle of a place, pixels."""
    return PITCH * place + PITCH / 2, 450.0
