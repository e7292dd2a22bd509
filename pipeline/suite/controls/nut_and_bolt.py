"""Nut and Bolt by hand: the first click lifts the top run of a bolt, the second puts it onto another.

Clicking the same bolt again puts the run back. A bolt that cannot take the nuts refuses them and, as is the custom of
such games, is the selected one from then on: it holds nuts, since an empty bolt takes any.
"""

import math
from dataclasses import dataclass
from itertools import takewhile

from pipeline.core.canonical import Json
from pipeline.games.nut_and_bolt import GAME, Board, Move, State
from pipeline.suite.controls.contract import Controls, Touch
from pipeline.suite.gestures import BOARD, Click, Event, Gesture, Point, Pointer
from pipeline.suite.placing import MARGIN

_WIDEST = 110
"""Pixels a nut is wide at most."""
_SHARE = 0.78
"""How much of its column a bolt fills."""
_MOST_ROWS = 8
_FLAT, _FLATTEST = 0.6, 0.25
"""Greatest and least height of a nut, as a share of its width."""
_LIFT, _TIP, _BASE, _GAP = 0.6, 0.35, 0.3, 0.35
"""Room above the box, bare rod on top, foot, and distance to the next row, in heights of a nut."""


@dataclass(frozen=True)
class Selected:
    """The top run of this bolt is lifted."""

    bolt: int


@dataclass(frozen=True)
class _Rack:
    """Bolts in rows: (left, top) of their boxes, the size of a box and its parts, and the size of a column."""

    places: tuple[tuple[int, int], ...]
    width: int
    height: int
    base: int
    nut: int
    lift: int
    column: int
    row: int

    def center(self, bolt: int) -> Point:
        """The middle of a bolt's box."""
        left, top = self.places[bolt]
        return left + self.width / 2, top + self.height / 2

    def bolt_at(self, point: Point) -> int | None:
        """The bolt within whose part of the rack, its box and half the gaps around it, a point lies."""
        for bolt in range(len(self.places)):
            x, y = self.center(bolt)
            if abs(point[0] - x) <= self.column / 2 and abs(point[1] + self.lift / 2 - y) <= self.row / 2:
                return bolt
        return None


class NutAndBoltControls(Controls[Board, State, Move, Selected]):
    """Acts when the pointer goes down; a press beside the bolts changes nothing."""

    game = GAME

    def layout(self, board: Board) -> Json:
        rack = _rack(board)
        sizes = {"width": rack.width, "height": rack.height, "base": rack.base, "nut": rack.nut, "lift": rack.lift}
        return sizes | {"bolts": [list(place) for place in rack.places]}

    def touch(self, board: Board, state: State, hand: Selected | None, event: Event) -> Touch[Move, Selected]:
        match event:
            case Pointer("down", at):
                bolt = _rack(board).bolt_at(at)
                return Touch(hand) if bolt is None else _pressed(board, state, hand, bolt)
        return Touch(hand)

    def shown(self, board: Board, state: State, hand: Selected | None) -> Json:
        if hand is None:
            return None
        nuts = state[hand.bolt]
        run = takewhile(lambda nut: nut == nuts[-1], reversed(nuts))
        return {"bolt": hand.bolt, "lifted": len(list(run))}

    def perform(self, board: Board, state: State, move: Move) -> tuple[Gesture, ...]:
        rack = _rack(board)
        return Click(rack.center(move.source)), Click(rack.center(move.target))


def _pressed(board: Board, state: State, hand: Selected | None, bolt: int) -> Touch[Move, Selected]:
    if hand is None:
        return Touch(Selected(bolt) if state[bolt] else None)
    if hand.bolt == bolt:
        return Touch(None)
    move = Move(hand.bolt, bolt)
    if move in GAME.moves(board, state):
        return Touch(None, move)
    return Touch(Selected(bolt), refused={"bolt": bolt})


def _rack(board: Board) -> _Rack:
    """Large nuts in few rows: a second row must make them half as large again (about two from eight bolts on)."""
    racks = {rows: _in_rows(board, rows) for rows in range(1, min(_MOST_ROWS, len(board.bolts)) + 1)}
    rows = max(racks, key=lambda rows: racks[rows].nut * racks[rows].width / math.sqrt(rows))
    return racks[rows]


def _in_rows(board: Board, rows: int) -> _Rack:
    """The bolts in rows, each centred; where they do not come out even the first rows hold one more."""
    room = BOARD - 2 * MARGIN
    least, longer = divmod(len(board.bolts), rows)
    widest = min(_WIDEST, _SHARE * (room // (least + (longer > 0))))
    nut = max(1, int(min(widest * _FLAT, room // rows / (board.capacity + _LIFT + _TIP + _BASE + _GAP))))
    width = int(min(widest, nut / _FLATTEST))
    column = int(width / _SHARE)
    base, lift = max(1, round(_BASE * nut)), int(_LIFT * nut)
    height = base + board.capacity * nut + int(_TIP * nut)
    row = min(room // rows, height + lift + nut)
    places = []
    for k in range(rows):
        bolts = least + (k < longer)
        left = (BOARD - bolts * column + column - width) // 2
        top = (BOARD - rows * row + row - height + lift) // 2 + k * row
        places += [(left + i * column, top) for i in range(bolts)]
    return _Rack(tuple(places), width, height, base, nut, lift, column, row)


CONTROLS = NutAndBoltControls()
