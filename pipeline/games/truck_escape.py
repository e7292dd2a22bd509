"""Truck Escape.

Vehicles stand on a grid with obstacles and point in one of four headings. One move asks a vehicle to leave: if every
cell ahead of it, to the border, is free of vehicles and obstacles, it leaves for good. The level is won when none is
left.

    .  A  A> .      Arrows stand at the front. A can leave at once, B once A has left.
    .  B^ .  .      C never can: an obstacle is ahead of it, so this board is not solvable.
    .  B  C> #

Leaving only frees space, so play never loses a level that could be won.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Annotated, Literal

from pydantic import Field

from pipeline.core.canonical import Json, canonical_bytes
from pipeline.core.errors import IllegalMove, PipelineError, Problem
from pipeline.core.model import Cell, Document, Name
from pipeline.games.contract import Distance, Game, Variant
from pipeline.games.grid import GRID_TURNS, STEPS, Turn, turn_box
from pipeline.games.placement import placement_defects

Size = Annotated[int, Field(ge=1, le=40)]
Place = Annotated[int, Field(ge=0, le=39)]
Heading = Literal["up", "down", "left", "right"]

State = tuple[str, ...]
"""The ids of the vehicles still there, in the board's order."""

Move = str
"""The id of the vehicle that leaves."""

ARROWS: dict[Heading, str] = {"up": "^", "down": "v", "left": "<", "right": ">"}


class Vehicle(Document):
    """A vehicle; `row`, `col` is its top-left cell and its body lies along the heading's axis."""

    id: Name
    row: Place
    col: Place
    length: Annotated[int, Field(ge=1, le=40)]
    heading: Heading

    def cells(self) -> list[tuple[int, int]]:
        """Its cells, top-left first."""
        if self.heading in ("left", "right"):
            return [(self.row, self.col + i) for i in range(self.length)]
        return [(self.row + i, self.col) for i in range(self.length)]

    @property
    def front(self) -> tuple[int, int]:
        """The cell at its heading's end."""
        return self.cells()[-1 if self.heading in ("right", "down") else 0]


class Board(Document):
    """A grid with obstacles and vehicles."""

    rows: Size
    cols: Size
    obstacles: tuple[Cell, ...] = ()
    vehicles: Annotated[tuple[Vehicle, ...], Field(min_length=1, max_length=200)]


class TruckEscape(Game[Board, State, Move]):
    """The rules."""

    name = "truck_escape"
    board_type = Board

    def defects(self, board: Board) -> list[Problem]:
        return placement_defects((board.rows, board.cols), ("obstacles", board.obstacles), board.vehicles)

    def symmetries(self, board: Board) -> tuple[Variant[Board, State, Move], ...]:
        return tuple(Variant(_turned(board, turn), lambda m: m, lambda s: s) for turn in GRID_TURNS)

    def labels(self, board: Board) -> int:
        return len(board.vehicles)

    def relabel(self, board: Board, order: Sequence[int]) -> Variant[Board, State, Move]:
        old = [v.id for v in board.vehicles]
        new = {old[i]: old[order[i]] for i in range(len(old))}
        vehicles = tuple(v.model_copy(update={"id": new[v.id]}) for v in board.vehicles)
        renamed = board.model_copy(update={"vehicles": vehicles})
        return Variant(renamed, lambda m: new.get(m, m), lambda s: tuple(new[name] for name in s))

    def canonical(self, board: Board) -> Board:
        forms = (_sorted_and_renamed(_turned(board, turn)) for turn in GRID_TURNS)
        return min(forms, key=lambda b: canonical_bytes(b.model_dump(mode="json")))

    def start(self, board: Board) -> State:
        return tuple(v.id for v in board.vehicles)

    def moves(self, board: Board, state: State) -> list[Move]:
        taken = _occupied(board, state)
        left = set(state)
        return [v.id for v in board.vehicles if v.id in left and not any(c in taken for c in lane(board, v))]

    def apply(self, board: Board, state: State, move: Move) -> State:
        vehicle = next((v for v in board.vehicles if v.id == move), None)
        if vehicle is None:
            raise IllegalMove(f"there is no vehicle {move!r}.")
        if move not in state:
            raise IllegalMove(f"vehicle {move!r} has left already.")
        taken = _occupied(board, state)
        for cell in lane(board, vehicle):
            if cell in taken:
                raise IllegalMove(f"vehicle {move!r} is blocked at cell {list(cell)} by {taken[cell]}.")
        return tuple(name for name in state if name != move)

    def won(self, board: Board, state: State) -> bool:
        return not state

    def progress(self, board: Board, state: State, distance: Distance | None = None) -> float:
        """The share of the vehicles that have left."""
        return 1 - len(state) / len(board.vehicles)

    def lost_at_sight(self, board: Board, state: State) -> bool:
        """Vehicles are left and none can leave: nothing will ever change."""
        return bool(state) and not self.moves(board, state)

    def view(self, board: Board, state: State) -> Json:
        left = set(state)
        return {
            "rows": board.rows,
            "cols": board.cols,
            "obstacles": [list(cell) for cell in board.obstacles],
            "vehicles": [v.model_dump(mode="json") for v in board.vehicles if v.id in left],
        }

    def state_text(self, board: Board, state: State) -> str:
        return ",".join(state) or "."

    def parse_state(self, board: Board, text: str) -> State:
        state: State = () if text == "." else tuple(text.split(","))
        if state != tuple(v.id for v in board.vehicles if v.id in set(state)):
            message = (
                f"{text[:40]!r} does not list vehicles of the board in its order, like A,C (or . when none is left)."
            )
            raise PipelineError(message)
        return state

    def move_text(self, move: Move) -> str:
        return move

    def parse_move(self, text: str) -> Move:
        if not re.fullmatch(r"[A-Za-z0-9_-]{1,40}", text):
            raise PipelineError(f"{text[:40]!r} is not the id of a vehicle.")
        return text

    def move_document(self, move: Move) -> Json:
        return {"vehicle": move}

    def parse_move_document(self, document: Json) -> Move:
        match document:
            case {"vehicle": str(vehicle)} if len(document) == 1:
                return self.parse_move(vehicle)
        raise PipelineError('a Truck Escape move looks like {"vehicle": "A"}.')

    def sketch(self, board: Board, state: State) -> str:
        grid = [["." for _ in range(board.cols)] for _ in range(board.rows)]
        for row, col in board.obstacles:
            grid[row][col] = "#"
        left = set(state)
        for vehicle in board.vehicles:
            for row, col in vehicle.cells() if vehicle.id in left else []:
                grid[row][col] = vehicle.id + (ARROWS[vehicle.heading] if (row, col) == vehicle.front else "")
        width = max(len(text) for line in grid for text in line)
        return "\n".join(" ".join(text.ljust(width) for text in line).rstrip() for line in grid)


def lane(board: Board, vehicle: Vehicle) -> Iterator[tuple[int, int]]:
    """The cells ahead of a vehicle, nearest first, to the border."""
    step, (row, col) = STEPS[vehicle.heading], vehicle.front
    row, col = row + step[0], col + step[1]
    while 0 <= row < board.rows and 0 <= col < board.cols:
        yield row, col
        row, col = row + step[0], col + step[1]


def _occupied(board: Board, state: State) -> dict[tuple[int, int], str]:
    """What stands on each taken cell, in words."""
    taken = dict.fromkeys(board.obstacles, "an obstacle")
    left = set(state)
    for vehicle in board.vehicles:
        if vehicle.id in left:
            taken.update(dict.fromkeys(vehicle.cells(), f"vehicle {vehicle.id!r}"))
    return taken


def _turned(board: Board, turn: Turn) -> Board:
    vehicles = []
    for vehicle in board.vehicles:
        cells = vehicle.cells()
        row, col, _, _ = turn_box(turn, (board.rows, board.cols), cells[0], cells[-1])
        update = {"row": row, "col": col, "heading": turn.direction(vehicle.heading)}
        vehicles.append(vehicle.model_copy(update=update))
    rows, cols = turn.size(board.rows, board.cols)
    obstacles = tuple(turn.cell(board.rows, board.cols, cell) for cell in board.obstacles)
    return Board(rows=rows, cols=cols, obstacles=obstacles, vehicles=tuple(vehicles))


def _sorted_and_renamed(board: Board) -> Board:
    vehicles = sorted(board.vehicles, key=lambda v: (v.row, v.col))
    renamed = tuple(v.model_copy(update={"id": f"v{i}"}) for i, v in enumerate(vehicles))
    return board.model_copy(update={"vehicles": renamed, "obstacles": tuple(sorted(board.obstacles))})


GAME = TruckEscape()
