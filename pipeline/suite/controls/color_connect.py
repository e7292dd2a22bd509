"""Color Connect by hand: a path is drawn from one end by dragging along cells, or by clicking them one by one.

The pointer offers its cells to the path in the order it crosses them. The path takes a free cell beside its tip; the
cell before the tip, offered again, takes the last step back; any other cell is passed over and the tip waits. A path
that reaches its other end is finished at once. A drag let go before is taken back; a click (a press let go in the
same cell) leaves the path as it is, to be continued by the next click or drag.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from pipeline.core.canonical import Json
from pipeline.games.color_connect import GAME, Board, Move, State
from pipeline.games.color_connect_paths import Path, neighbours
from pipeline.suite.controls.contract import Controls, Touch
from pipeline.suite.gestures import Cancel, Click, Drag, Event, Gesture, Point, Pointer
from pipeline.suite.placing import Cell, Grid, fit


@dataclass(frozen=True)
class Stroke:
    """The unfinished path of a pair, from the end it began at to its tip.

    While the pointer is down it is at `at`; `dragged` says whether it has left the cell where it was pressed, `kept`
    is what stays when the drag is let go, and `stays` whether the path does when it was a click.
    """

    pair: int
    path: Path
    at: Point | None = None
    dragged: bool = False
    kept: Path = ()
    stays: bool = True


class ColorConnectControls(Controls[Board, State, Move, Stroke]):
    """Acts when the path reaches its other end, and when an end of a finished path is pressed."""

    game = GAME

    def layout(self, board: Board) -> Json:
        return _grid(board).layout()

    def touch(self, board: Board, state: State, hand: Stroke | None, event: Event) -> Touch[Move, Stroke]:
        match event:
            case Pointer("down", at):
                return _pressed(board, state, _taken_back(hand), at)
            case Pointer("move", at) if hand is not None and hand.at is not None:
                return _followed(board, state, hand, hand.at, at)
            case Pointer("up", at) if hand is not None and hand.at is not None:
                touch = _followed(board, state, hand, hand.at, at)
                return touch if touch.move is not None else Touch(_let_go(touch.hand))
            case Cancel():
                return Touch(_taken_back(hand))
        return Touch(hand)

    def shown(self, board: Board, state: State, hand: Stroke | None) -> Json:
        if hand is None:
            return None
        path = [list(cell) for cell in hand.path]
        return {"color": board.pairs[hand.pair].color, "path": path, "held": hand.at is not None}

    def perform(self, board: Board, state: State, move: Move) -> tuple[Gesture, ...]:
        """A drag through the middles of the path's cells, or a click on the first end of a path to be removed."""
        grid = _grid(board)
        if move.path:
            return (Drag(tuple(grid.center(cell) for cell in move.path)),)
        return (Click(next(grid.center(pair.ends[0]) for pair in board.pairs if pair.color == move.color)),)


def _grid(board: Board) -> Grid:
    return fit(board.rows, board.cols)


# -- the path -----------------------------------------------------------------------------------
def _offered(board: Board, state: State, stroke: Stroke, cells: Iterable[Cell]) -> Path:
    """The path after some cells are offered to it; it ends at the pair's other end when it reaches that."""
    ends = board.pairs[stroke.pair].ends
    closed = {*board.walls, *(cell for path in state.paths for cell in path)}
    closed.update(end for i, pair in enumerate(board.pairs) if i != stroke.pair for end in pair.ends)
    path = list(stroke.path)
    for cell in cells:
        if cell in path[-2:-1]:
            path.pop()
        elif cell in neighbours(path[-1]) and cell not in closed and cell not in path:
            path.append(cell)
            if cell in ends:
                break
    return tuple(path)


def _drawn(board: Board, stroke: Stroke) -> Touch[Move, Stroke]:
    """The stroke goes on, or makes its move when the path is finished."""
    pair = board.pairs[stroke.pair]
    if len(stroke.path) > 1 and stroke.path[-1] in pair.ends:
        return Touch(None, Move(pair.color, stroke.path))
    return Touch(stroke)


# -- what the pointer does ----------------------------------------------------------------------
def _pressed(board: Board, state: State, hand: Stroke | None, at: Point) -> Touch[Move, Stroke]:
    """A press on the tip takes hold of it, one beside it is a step, one on an end begins there."""
    grid = _grid(board)
    owner = {end: i for i, pair in enumerate(board.pairs) for end in pair.ends}
    if hand is None:
        end = grid.near(at, owner)
        return Touch(None) if end is None else _begun(board, state, (owner[end], end), at)
    cell = grid.cell_at(at)
    if cell is None:
        return Touch(hand)
    kept = hand.path if len(hand.path) > 1 else ()
    if cell == hand.path[-1]:
        return Touch(replace(hand, at=at, kept=kept, stays=bool(kept)))
    path = _offered(board, state, hand, [cell])
    if path != hand.path:
        return _drawn(board, replace(hand, path=path, at=at, kept=kept))
    if cell in owner:
        return _begun(board, state, (owner[cell], cell), at)
    return Touch(hand, refused={"cell": list(cell)})


def _begun(board: Board, state: State, end: tuple[int, Cell], at: Point) -> Touch[Move, Stroke]:
    """A new path begins at an end; a finished one of that colour is gone."""
    pair, cell = end
    if state.paths[pair]:
        return Touch(Stroke(pair, (cell,), at, stays=False), Move(board.pairs[pair].color, ()))
    return Touch(Stroke(pair, (cell,), at))


def _followed(board: Board, state: State, hand: Stroke, before: Point, at: Point) -> Touch[Move, Stroke]:
    """The pointer moves straight on to a point. While it stays in its cell nothing is offered to the path."""
    grid = _grid(board)
    cells = grid.trail(before, at)
    if not cells or cells == [grid.cell_at(before)]:
        return Touch(replace(hand, at=at))
    return _drawn(board, replace(hand, path=_offered(board, state, hand, cells), at=at, dragged=True))


def _let_go(hand: Stroke | None) -> Stroke | None:
    if hand is None or hand.dragged:
        return _taken_back(hand)
    return Stroke(hand.pair, hand.path) if hand.stays else None


def _taken_back(hand: Stroke | None) -> Stroke | None:
    """What is left when a drag is not finished: what clicks had drawn before it."""
    if hand is None or hand.at is None:
        return hand
    return Stroke(hand.pair, hand.kept) if hand.kept else None


CONTROLS = ColorConnectControls()
