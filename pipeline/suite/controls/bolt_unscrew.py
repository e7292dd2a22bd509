"""Bolt Unscrew by hand: a click on a screw selects it, one on a free hole moves it there.

A click means the nearest screw or hole whose middle is not too far. Covered holes count only where something of them
is in sight: a click must not tell what lies under a plank.
"""

import math
from dataclasses import dataclass

from pipeline.core.canonical import Json
from pipeline.games.bolt_unscrew import GAME, Board, Move, Point, State, free_holes
from pipeline.games.bolt_unscrew_rig import rig_of
from pipeline.games.bolt_unscrew_view import holes_in_sight
from pipeline.suite.controls.bolt_unscrew_motion import motion_of
from pipeline.suite.controls.contract import Controls, Touch
from pipeline.suite.gestures import BOARD, Click, Event, Gesture, Pointer
from pipeline.suite.placing import MARGIN

_REACH = 1.6
"""Hole radii from the middle of a screw or hole within which a press means it …"""
_FINGER = 24.0
"""… but no fewer pixels than this."""


@dataclass(frozen=True)
class Selected:
    """The screw in this hole is selected."""

    screw: int


class BoltUnscrewControls(Controls[Board, State, Move, Selected]):
    """Acts when the pointer goes down; a press on nothing, or on a covered hole, keeps the selection."""

    game = GAME

    def layout(self, board: Board) -> Json:
        scale = _scale(board)
        width, height = round(board.width * scale), round(board.height * scale)
        left, top = (BOARD - width) // 2, (BOARD - height) // 2
        return {"left": left, "top": top, "width": width, "height": height, "scale": scale}

    def touch(self, board: Board, state: State, hand: Selected | None, event: Event) -> Touch[Move, Selected]:
        match event:
            case Pointer("down", at):
                return self._pressed(board, state, hand, at)
        return Touch(hand)

    def shown(self, board: Board, state: State, hand: Selected | None) -> Json:
        return None if hand is None else {"screw": state.screws.index(hand.screw)}

    def perform(self, board: Board, state: State, move: Move) -> tuple[Gesture, ...]:
        return Click(self._pixel(board, move.source)), Click(self._pixel(board, move.target))

    def motion(self, board: Board, state: State, move: Move) -> Json:
        return motion_of(board, state, GAME.apply(board, state, move))

    def _pixel(self, board: Board, hole: int) -> Point:
        """The middle of a hole in the square."""
        layout, (x, y) = self.layout(board), board.holes[hole]
        return layout["left"] + layout["scale"] * x, layout["top"] + layout["scale"] * y

    def _pressed(self, board: Board, state: State, hand: Selected | None, at: Point) -> Touch[Move, Selected]:
        free, visible = free_holes(rig_of(board), state), holes_in_sight(board, state)
        gaps = {hole: math.dist(at, self._pixel(board, hole)) for hole in sorted({*state.screws, *free, *visible})}
        hole = min(gaps, key=lambda hole: gaps[hole], default=None)
        if hole is None or gaps[hole] > max(_FINGER, _REACH * board.hole_radius * _scale(board)):
            return Touch(hand)
        if hole in state.screws:
            return Touch(None if hand == Selected(hole) else Selected(hole))
        if hand is None:
            return Touch(None)
        if hole in free:
            return Touch(None, Move(hand.screw, hole))
        return Touch(hand, refused={"hole": visible.index(hole)})


def _scale(board: Board) -> float:
    """Pixels of a unit: the panel fills the square but its margin."""
    return (BOARD - 2 * MARGIN) / max(board.width, board.height)


CONTROLS = BoltUnscrewControls()
