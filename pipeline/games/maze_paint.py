"""Maze Paint.

The ball slides until a wall or the border stops it and paints every cell it crosses; the start cell is painted from
the beginning. One move is one slide; a swipe into a wall is no move. The level is won when every floor cell is painted.

    # # # # #        `right` paints two cells and stops at the wall;
    # @ . . #   ->   `down` then paints the last one: won after 2 slides.
    # # # . #
    # # # # #

A slide can be one-way, so a maze can be lost: see `pipeline.solve.maze_paint` for the exact verdict.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Annotated

from pydantic import Field

from pipeline.core.canonical import Json
from pipeline.core.errors import IllegalMove, PipelineError, Problem
from pipeline.core.model import Document
from pipeline.games.contract import Distance, Game, Variant
from pipeline.games.grid import GRID_TURNS, STEPS, Direction, Turn

Place = tuple[int, int]
"""(row, col), 0-based from the top-left."""

WALL, FLOOR, START = "#.@"
Row = Annotated[str, Field(min_length=1, max_length=40, pattern=r"^[#.@]+$")]


class Board(Document):
    """Rows of `#` wall, `.` floor, `@` start (floor)."""

    grid: Annotated[tuple[Row, ...], Field(min_length=1, max_length=40)]


@dataclass(frozen=True)
class State:
    """Where the ball rests, and which cells are painted: bit i is the i-th floor cell in reading order."""

    ball: Place
    painted: int


@dataclass(frozen=True)
class Move:
    """Slide the ball in a direction until something stops it."""

    slide: Direction


@lru_cache(maxsize=256)
def floor_cells(board: Board) -> tuple[Place, ...]:
    """Every cell that is no wall, the start included, in reading order."""
    lines = enumerate(board.grid)
    return tuple((row, col) for row, line in lines for col, character in enumerate(line) if character != WALL)


@lru_cache(maxsize=256)
def _bits(board: Board) -> dict[Place, int]:
    """The bit of `State.painted` that stands for each floor cell."""
    return {cell: 1 << index for index, cell in enumerate(floor_cells(board))}


def cells_of(board: Board, mask: int) -> list[Place]:
    """The floor cells whose bits are set in a mask such as `State.painted`, in reading order."""
    return [cell for index, cell in enumerate(floor_cells(board)) if mask >> index & 1]


def whole_floor(board: Board) -> int:
    """The mask of all floor cells: `State.painted` of a won state."""
    return (1 << len(floor_cells(board))) - 1


def crossed(board: Board, ball: Place, direction: Direction) -> list[Place]:
    """The cells a slide enters, in order; the last is where the ball stops. Empty when it is blocked at once."""
    bits, (down, right) = _bits(board), STEPS[direction]
    row, col = ball
    entered = []
    while (row + down, col + right) in bits:
        row, col = row + down, col + right
        entered.append((row, col))
    return entered


class MazePaint(Game[Board, State, Move]):
    """The rules."""

    name = "maze_paint"
    board_type = Board
    must_be_safe = True

    def defects(self, board: Board) -> list[Problem]:
        width = len(board.grid[0])
        found = [
            Problem("ragged_rows", f"row {i} has {len(line)} cells, row 0 has {width}.", f"$.board.grid[{i}]")
            for i, line in enumerate(board.grid)
            if len(line) != width
        ]
        starts = sum(line.count(START) for line in board.grid)
        if starts != 1:
            said = "no start '@'" if starts == 0 else f"{starts} starts '@'"
            found.append(Problem("start_count", f"the maze has {said}, it needs exactly one.", "$.board.grid"))
        return found

    def symmetries(self, board: Board) -> tuple[Variant[Board, State, Move], ...]:
        return tuple(_turned(board, turn) for turn in GRID_TURNS)

    def labels(self, board: Board) -> int:
        return 0

    def relabel(self, board: Board, order: Sequence[int]) -> Variant[Board, State, Move]:
        return Variant(board, lambda m: m, lambda s: s)

    def canonical(self, board: Board) -> Board:
        """The least of eight turns, without border rows and columns of nothing but wall (they change nothing)."""
        trimmed = Board(grid=_trimmed(board.grid))
        return min((v.board for v in self.symmetries(trimmed)), key=lambda b: b.grid)

    def start(self, board: Board) -> State:
        row = next(i for i, line in enumerate(board.grid) if START in line)
        ball = (row, board.grid[row].index(START))
        return State(ball, _bits(board)[ball])

    def moves(self, board: Board, state: State) -> list[Move]:
        return [Move(direction) for direction in STEPS if crossed(board, state.ball, direction)]

    def apply(self, board: Board, state: State, move: Move) -> State:
        if move.slide not in STEPS:
            raise IllegalMove(f"{move.slide!r} is not a direction.")
        entered = crossed(board, state.ball, move.slide)
        if not entered:
            raise IllegalMove(f"the ball at {list(state.ball)} cannot slide {move.slide}.")
        bits, painted = _bits(board), state.painted
        for cell in entered:
            painted |= bits[cell]
        return State(entered[-1], painted)

    def won(self, board: Board, state: State) -> bool:
        return state.painted == whole_floor(board)

    def progress(self, board: Board, state: State, distance: Distance | None = None) -> float:
        cells = len(floor_cells(board))
        return 1.0 if cells == 1 else (state.painted.bit_count() - 1) / (cells - 1)

    def lost_at_sight(self, board: Board, state: State) -> bool:
        """Only where the ball cannot move at all: whether a corridor can be left again takes a search."""
        return not self.won(board, state) and not self.moves(board, state)

    def view(self, board: Board, state: State) -> Json:
        return {"grid": _drawn(board, state.painted), "ball": list(state.ball)}

    def state_text(self, board: Board, state: State) -> str:
        return f"{state.ball[0]},{state.ball[1]}:{state.painted:x}"

    def parse_state(self, board: Board, text: str) -> State:
        match = re.fullmatch(r"(0|[1-9]\d?),(0|[1-9]\d?):([1-9a-f][0-9a-f]{0,399})", text, re.ASCII)
        if not match:
            raise PipelineError(f"{text[:40]!r} is not a ball and its painted cells like 3,0:1f.")
        state = State((int(match[1]), int(match[2])), int(match[3], 16))
        bit = _bits(board).get(state.ball, 0)
        if not bit:
            raise PipelineError(f"there is no floor at {list(state.ball)} for the ball.")
        if state.painted > whole_floor(board) or not state.painted & bit:
            raise PipelineError("in that state the ball's cell is not painted, or more cells are than there are.")
        return state

    def move_text(self, move: Move) -> str:
        return move.slide

    def parse_move(self, text: str) -> Move:
        for direction in STEPS:
            if text == direction:
                return Move(direction)
        raise PipelineError(f"{text[:40]!r} is not a slide: left, right, up or down.")

    def move_document(self, move: Move) -> Json:
        return {"slide": move.slide}

    def parse_move_document(self, document: Json) -> Move:
        match document:
            case {"slide": str(text)} if len(document) == 1:
                return self.parse_move(text)
        raise PipelineError('a Maze Paint move looks like {"slide": "left"}.')

    def sketch(self, board: Board, state: State) -> str:
        rows = [list(line) for line in _drawn(board, state.painted)]
        rows[state.ball[0]][state.ball[1]] = START
        return "\n".join(" ".join(line) for line in rows)


def _drawn(board: Board, painted: int) -> list[str]:
    """The maze as rows of `#` wall, `.` bare floor and `o` painted floor."""
    bits = _bits(board)
    sizes = range(len(board.grid)), range(len(board.grid[0]))
    marks = [
        [WALL if (r, c) not in bits else "o" if painted & bits[r, c] else FLOOR for c in sizes[1]] for r in sizes[0]
    ]
    return ["".join(line) for line in marks]


def _trimmed(grid: Sequence[str]) -> tuple[str, ...]:
    rows = [i for i, line in enumerate(grid) if line.strip(WALL)]
    cols = [j for j in range(len(grid[0])) if any(line[j] != WALL for line in grid)]
    return tuple(line[cols[0] : cols[-1] + 1] for line in grid[rows[0] : rows[-1] + 1])


def _turned(board: Board, turn: Turn) -> Variant[Board, State, Move]:
    size = (len(board.grid), len(board.grid[0]))
    rows, cols = turn.size(*size)
    drawn = [[WALL] * cols for _ in range(rows)]
    for r, line in enumerate(board.grid):
        for c, character in enumerate(line):
            row, col = turn.cell(*size, (r, c))
            drawn[row][col] = character
    image = Board(grid=tuple("".join(line) for line in drawn))

    def state_of(state: State) -> State:
        bits = _bits(image)
        painted = sum(bits[turn.cell(*size, cell)] for cell in cells_of(board, state.painted))
        return State(turn.cell(*size, state.ball), painted)

    return Variant(image, lambda m: Move(turn.direction(m.slide)), state_of)


GAME = MazePaint()
