"""Maze Paint by hand: a swipe anywhere on the square, or an arrow key, rolls the ball.

A swipe goes where the pointer was let go from where it was pressed, along the longer side of that way; how it went
there does not matter. One that is too short or exactly diagonal is none.
"""

from dataclasses import dataclass

from pipeline.core.canonical import Json
from pipeline.games.grid import STEPS, Direction
from pipeline.games.maze_paint import GAME, Board, Move, State, crossed
from pipeline.suite.controls.contract import Controls, Touch
from pipeline.suite.gestures import Arrow, Cancel, Drag, Event, Gesture, Key, Point, Pointer
from pipeline.suite.placing import Grid, fit

_SHORTEST = 20
"""Pixels of the shortest swipe."""
_PERFORMED = 80
"""Pixels of the shortest swipe that `perform` makes."""
_ARROWS: dict[Arrow, Direction] = {
    "ArrowLeft": "left",
    "ArrowRight": "right",
    "ArrowUp": "up",
    "ArrowDown": "down",
}


@dataclass(frozen=True)
class Swipe:
    """The pointer is down since it was pressed here."""

    press: Point


class MazePaintControls(Controls[Board, State, Move, Swipe]):
    """A swipe acts when the pointer is let go, a key when it is pressed."""

    game = GAME

    def layout(self, board: Board) -> Json:
        return _grid(board).layout()

    def touch(self, board: Board, state: State, hand: Swipe | None, event: Event) -> Touch[Move, Swipe]:
        match event:
            case Pointer("down", at):
                return Touch(Swipe(at))
            case Pointer("up", at) if hand is not None:
                return _slid(board, state, None, _direction(hand.press, at))
            case Key(name):
                return _slid(board, state, hand, _ARROWS[name])
            case Cancel():
                return Touch(None)
        return Touch(hand)

    def shown(self, board: Board, state: State, hand: Swipe | None) -> Json:
        return None

    def perform(self, board: Board, state: State, move: Move) -> tuple[Gesture, ...]:
        """A swipe along the ball's way, from the ball on."""
        grid, (down, right) = _grid(board), STEPS[move.slide]
        length = max(_PERFORMED, grid.cell * len(crossed(board, state.ball, move.slide)))
        x, y = grid.center(state.ball)
        return (Drag(((x, y), (x + right * length, y + down * length))),)


def _grid(board: Board) -> Grid:
    return fit(len(board.grid), len(board.grid[0]))


def _direction(press: Point, at: Point) -> Direction | None:
    right, down = at[0] - press[0], at[1] - press[1]
    if abs(right) == abs(down) or max(abs(right), abs(down)) < _SHORTEST:
        return None
    if abs(right) > abs(down):
        return "right" if right > 0 else "left"
    return "down" if down > 0 else "up"


def _slid(board: Board, state: State, hand: Swipe | None, direction: Direction | None) -> Touch[Move, Swipe]:
    if direction is None:
        return Touch(hand)
    if crossed(board, state.ball, direction):
        return Touch(hand, Move(direction))
    return Touch(hand, refused={"slide": direction})


CONTROLS = MazePaintControls()
