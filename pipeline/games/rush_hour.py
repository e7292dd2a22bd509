"""Rush Hour.

Vehicles slide along their own axis through empty cells; one move is one slide of one vehicle by any number of cells.
The level is won when the target stands against the exit side of its own line (it then drives out).

    . . B .        exit on the right: `X` wins by sliding 1 to the right once `B` has moved up or down;
    X X B .  ->    sliding `B` by +2 (down) counts as one move, whatever the distance.
    . . . .

Moves are reversible, so no state reachable from a solvable start is ever lost.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Annotated, Literal

from pydantic import Field

from pipeline.core.canonical import Json, canonical_bytes
from pipeline.core.errors import IllegalMove, PipelineError, Problem
from pipeline.core.model import Cell, Document, Name
from pipeline.games.contract import Distance, Game, Variant
from pipeline.games.grid import GRID_TURNS, Direction, Turn, turn_box
from pipeline.games.placement import placement_defects

Axis = Literal["horizontal", "vertical"]
Side = Literal["left", "right", "top", "bottom"]
Size = Annotated[int, Field(ge=3, le=16)]
Place = Annotated[int, Field(ge=0, le=15)]


TOWARDS: dict[Side, Direction] = {"left": "left", "right": "right", "top": "up", "bottom": "down"}
"""The direction the target leaves in, for each side of the board."""
_SIDES: dict[Direction, Side] = {direction: side for side, direction in TOWARDS.items()}


class Vehicle(Document):
    """A vehicle; `row`, `col` is its top-left cell."""

    id: Name
    row: Place
    col: Place
    length: Annotated[int, Field(ge=2, le=16)]
    axis: Axis

    def cells(self, offset: int = 0) -> list[tuple[int, int]]:
        """Its cells after sliding by `offset` from where it stands, top-left first."""
        if self.axis == "horizontal":
            return [(self.row, self.col + offset + i) for i in range(self.length)]
        return [(self.row + offset + i, self.col) for i in range(self.length)]


class Board(Document):
    """A Rush Hour board; the exit is on side `exit`, on the target's own line."""

    rows: Size
    cols: Size
    walls: tuple[Cell, ...] = ()
    vehicles: Annotated[tuple[Vehicle, ...], Field(min_length=1, max_length=128)]
    target: Name
    exit: Side


@dataclass(frozen=True)
class State:
    """For each vehicle, in the board's order, how far it has slid from its place in the document."""

    offsets: tuple[int, ...]


@dataclass(frozen=True)
class Move:
    """Slide a vehicle by a number of cells, positive to the right or down, never 0."""

    vehicle: str
    by: int


class RushHour(Game[Board, State, Move]):
    """The rules."""

    name = "rush_hour"
    board_type = Board
    progress_needs_distance = True

    def defects(self, board: Board) -> list[Problem]:
        found = placement_defects((board.rows, board.cols), ("walls", board.walls), board.vehicles)
        return found + list(_target_defects(board))

    def symmetries(self, board: Board) -> tuple[Variant[Board, State, Move], ...]:
        return tuple(_turned(board, turn) for turn in GRID_TURNS)

    def labels(self, board: Board) -> int:
        return len(board.vehicles)

    def relabel(self, board: Board, order: Sequence[int]) -> Variant[Board, State, Move]:
        old = [v.id for v in board.vehicles]
        new = {old[i]: old[order[i]] for i in range(len(old))}
        vehicles = tuple(v.model_copy(update={"id": new[v.id]}) for v in board.vehicles)
        renamed = board.model_copy(update={"vehicles": vehicles, "target": new[board.target]})
        return Variant(renamed, lambda m: Move(new[m.vehicle], m.by), lambda s: s)

    def canonical(self, board: Board) -> Board:
        forms = (_sorted_and_renamed(v.board) for v in self.symmetries(board))
        return min(forms, key=lambda b: canonical_bytes(b.model_dump(mode="json")))

    def start(self, board: Board) -> State:
        return State((0,) * len(board.vehicles))

    def moves(self, board: Board, state: State) -> list[Move]:
        taken = _occupied(board, state)
        found = []
        for i, vehicle in enumerate(board.vehicles):
            for step in (-1, 1):
                by = step
                while _free(board, taken, _front(vehicle, state.offsets[i] + by, step)):
                    found.append(Move(vehicle.id, by))
                    by += step
        return found

    def apply(self, board: Board, state: State, move: Move) -> State:
        index = next((i for i, v in enumerate(board.vehicles) if v.id == move.vehicle), None)
        if index is None:
            raise IllegalMove(f"there is no vehicle {move.vehicle!r}.")
        if move.by == 0:
            raise IllegalMove("a slide by 0 cells is no move.")
        vehicle, taken = board.vehicles[index], _occupied(board, state)
        step = 1 if move.by > 0 else -1
        for by in range(step, move.by + step, step):
            cell = _front(vehicle, state.offsets[index] + by, step)
            if not _free(board, taken, cell):
                raise IllegalMove(f"vehicle {move.vehicle!r} is blocked at cell {list(cell)}.")
        offsets = list(state.offsets)
        offsets[index] += move.by
        return State(tuple(offsets))

    def won(self, board: Board, state: State) -> bool:
        return self._left_to_exit(board, state) == 0

    def progress(self, board: Board, state: State, distance: Distance | None = None) -> float:
        if self.won(board, state):
            return 1.0
        at_start = _lane_blockers(board, self.start(board))
        cleared = 1.0 if not at_start else len(at_start - _lane_blockers(board, state)) / len(at_start)
        if distance is not None and distance.at_start > 0:
            nearer = max(0.0, 1 - distance.remaining / distance.at_start)
            return min(0.99, 0.8 * nearer + 0.2 * cleared)
        whole = self._left_to_exit(board, self.start(board))
        advance = max(0.0, 1 - self._left_to_exit(board, state) / whole) if whole else 0.0
        return min(0.99, 0.7 * cleared + 0.3 * advance)

    def lost_at_sight(self, board: Board, state: State) -> bool:
        return False

    def view(self, board: Board, state: State) -> Json:
        vehicles = []
        for vehicle, offset in zip(board.vehicles, state.offsets, strict=True):
            row, col = vehicle.cells(offset)[0]
            vehicles.append({"id": vehicle.id, "row": row, "col": col, "length": vehicle.length, "axis": vehicle.axis})
        walls = [list(cell) for cell in board.walls]
        shown = {"rows": board.rows, "cols": board.cols, "walls": walls, "vehicles": vehicles}
        return shown | {"target": board.target, "exit": board.exit}

    def state_text(self, board: Board, state: State) -> str:
        return ",".join(str(offset) for offset in state.offsets)

    def parse_state(self, board: Board, text: str) -> State:
        if not re.fullmatch(r"(0|-?[1-9]\d?)(,(0|-?[1-9]\d?))*", text, re.ASCII):
            raise PipelineError(f"{text[:40]!r} is not a list of offsets like 0,-1,2.")
        state = State(tuple(int(part) for part in text.split(",")))
        if len(state.offsets) != len(board.vehicles):
            message = f"offsets in the state: {len(state.offsets)}, vehicles on the board: {len(board.vehicles)}."
            raise PipelineError(message)
        cells = [c for v, o in zip(board.vehicles, state.offsets, strict=True) for c in v.cells(o)]
        inside = all(0 <= r < board.rows and 0 <= c < board.cols for r, c in cells)
        if not inside or len(set(cells) | set(board.walls)) != len(cells) + len(set(board.walls)):
            raise PipelineError("in that state vehicles overlap or leave the board.")
        return state

    def move_text(self, move: Move) -> str:
        return f"{move.vehicle}{move.by:+d}"

    def parse_move(self, text: str) -> Move:
        match = re.fullmatch(r"([A-Za-z0-9_-]{1,40}?)([+-][1-9]\d?)", text, re.ASCII)
        if not match:
            raise PipelineError(f"{text[:40]!r} is not a slide like X+3 or B-1.")
        return Move(match[1], int(match[2]))

    def move_document(self, move: Move) -> Json:
        return {"vehicle": move.vehicle, "by": move.by}

    def parse_move_document(self, document: Json) -> Move:
        match document:
            case {"vehicle": str(vehicle), "by": int(by)} if len(document) == 2 and type(by) is int:
                return Move(vehicle, by)
        raise PipelineError('a Rush Hour move looks like {"vehicle": "X", "by": 3}.')

    def sketch(self, board: Board, state: State) -> str:
        grid = [["." for _ in range(board.cols)] for _ in range(board.rows)]
        for row, col in board.walls:
            grid[row][col] = "#"
        for vehicle, offset in zip(board.vehicles, state.offsets, strict=True):
            for row, col in vehicle.cells(offset):
                grid[row][col] = vehicle.id
        width = max(len(text) for line in grid for text in line)
        lines = [" ".join(text.ljust(width) for text in line).rstrip() for line in grid]
        return "\n".join([*lines, f"target {board.target}, exit {board.exit}"])

    def _left_to_exit(self, board: Board, state: State) -> int:
        """Cells between the target and the exit side; 0 when the level is won."""
        target, offset = _target(board, state)
        cells = target.cells(offset)
        match board.exit:
            case "left":
                return cells[0][1]
            case "right":
                return board.cols - 1 - cells[-1][1]
            case "top":
                return cells[0][0]
            case "bottom":
                return board.rows - 1 - cells[-1][0]


def _target_defects(board: Board) -> Iterator[Problem]:
    target = next((v for v in board.vehicles if v.id == board.target), None)
    if target is None:
        yield Problem("no_target", f"no vehicle has the target's id {board.target!r}.", "$.board.target")
    elif (target.axis == "horizontal") != (board.exit in ("left", "right")):
        message = f"the exit is on the {board.exit}, but the target moves {target.axis}ly."
        yield Problem("exit_off_axis", message, "$.board.exit")


def _target(board: Board, state: State) -> tuple[Vehicle, int]:
    index = next(i for i, v in enumerate(board.vehicles) if v.id == board.target)
    return board.vehicles[index], state.offsets[index]


def _occupied(board: Board, state: State) -> set[tuple[int, int]]:
    taken = set(board.walls)
    for vehicle, offset in zip(board.vehicles, state.offsets, strict=True):
        taken.update(vehicle.cells(offset))
    return taken


def _front(vehicle: Vehicle, offset: int, step: int) -> tuple[int, int]:
    """The leading cell of a vehicle that slides in direction `step` and has reached `offset`."""
    return vehicle.cells(offset)[-1 if step > 0 else 0]


def _free(board: Board, taken: set[tuple[int, int]], cell: tuple[int, int]) -> bool:
    return 0 <= cell[0] < board.rows and 0 <= cell[1] < board.cols and cell not in taken


def _lane_blockers(board: Board, state: State) -> frozenset[str]:
    """Vehicles that stand between the target and the exit, on the target's line."""
    target, offset = _target(board, state)
    ahead = target.cells(offset)
    if board.exit in ("right", "bottom"):
        row, col = ahead[-1]
        lane = {(row, c) for c in range(col + 1, board.cols)} if board.exit == "right" else set()
        lane |= {(r, col) for r in range(row + 1, board.rows)} if board.exit == "bottom" else set()
    else:
        row, col = ahead[0]
        lane = {(row, c) for c in range(col)} if board.exit == "left" else set()
        lane |= {(r, col) for r in range(row)} if board.exit == "top" else set()
    pairs = zip(board.vehicles, state.offsets, strict=True)
    return frozenset(v.id for v, o in pairs if lane.intersection(v.cells(o)))


def _turned(board: Board, turn: Turn) -> Variant[Board, State, Move]:
    """The board mirrored or rotated. A slide keeps its sign unless the turn reverses the vehicle's axis."""
    vehicles, reverses = [], {}
    for vehicle in board.vehicles:
        cells = vehicle.cells()
        row, col, height, width = turn_box(turn, (board.rows, board.cols), cells[0], cells[-1])
        axis: Axis = "horizontal" if width > height else "vertical"
        vehicles.append(Vehicle(id=vehicle.id, row=row, col=col, length=vehicle.length, axis=axis))
        reverses[vehicle.id] = turn.reverses_rows if vehicle.axis == "vertical" else turn.reverses_cols
    rows, cols = turn.size(board.rows, board.cols)
    image = Board(
        rows=rows,
        cols=cols,
        walls=tuple(turn.cell(board.rows, board.cols, cell) for cell in board.walls),
        vehicles=tuple(vehicles),
        target=board.target,
        exit=_SIDES[turn.direction(TOWARDS[board.exit])],
    )
    signs = [-1 if reverses[v.id] else 1 for v in board.vehicles]
    return Variant(
        image,
        lambda m: Move(m.vehicle, -m.by if reverses[m.vehicle] else m.by),
        lambda s: State(tuple(sign * o for sign, o in zip(signs, s.offsets, strict=True))),
    )


def _sorted_and_renamed(board: Board) -> Board:
    vehicles = sorted(board.vehicles, key=lambda v: (v.row, v.col))
    names = {v.id: f"v{i}" for i, v in enumerate(vehicles)}
    renamed = tuple(v.model_copy(update={"id": names[v.id]}) for v in vehicles)
    update = {"vehicles": renamed, "target": names[board.target], "walls": tuple(sorted(board.walls))}
    return board.model_copy(update=update)


GAME = RushHour()
