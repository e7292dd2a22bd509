"""Rush Hour by hand: a pressed vehicle follows the pointer along its own axis and snaps to a cell when let go."""

import math
from dataclasses import dataclass

from pipeline.core.canonical import Json
from pipeline.games.rush_hour import GAME, Board, Move, State, Vehicle
from pipeline.suite.controls.contract import Controls, Touch
from pipeline.suite.gestures import Cancel, Drag, Event, Gesture, Point, Pointer
from pipeline.suite.placing import Grid, fit

_MARGIN = 90
"""Pixels around the grid: the exit and its sign stand outside it."""
_EXIT_DEPTH = 70


@dataclass(frozen=True)
class Lift:
    """A vehicle is held: where it was pressed, and where the pointer is now."""

    vehicle: str
    press: Point
    at: Point


class RushHourControls(Controls[Board, State, Move, Lift]):
    """One drag is one slide; one that comes back is none."""

    game = GAME

    def layout(self, board: Board) -> Json:
        return _grid(board).layout() | {"exit": _exit(board)}

    def touch(self, board: Board, state: State, hand: Lift | None, event: Event) -> Touch[Move, Lift]:
        match event:
            case Pointer("down", at):
                return Touch(_lifted(board, state, at))
            case Pointer("move", at) if hand is not None:
                return Touch(Lift(hand.vehicle, hand.press, at))
            case Pointer("up", at) if hand is not None:
                return _let_go(board, state, Lift(hand.vehicle, hand.press, at))
            case Cancel():
                return Touch(None)
        return Touch(hand)

    def shown(self, board: Board, state: State, hand: Lift | None) -> Json:
        if hand is None:
            return None
        return {"vehicle": hand.vehicle, "shift": round(_shift(board, state, hand), 1)}

    def perform(self, board: Board, state: State, move: Move) -> tuple[Gesture, ...]:
        index, vehicle = _vehicle(board, move.vehicle)
        places = (vehicle.cells(offset) for offset in (state.offsets[index], state.offsets[index] + move.by))
        return (Drag(tuple(_grid(board).middle(cells[0], cells[-1]) for cells in places)),)


def _grid(board: Board) -> Grid:
    return fit(board.rows, board.cols, _MARGIN)


def _exit(board: Board) -> dict[str, Json]:
    """The place outside the grid through which the target leaves."""
    grid, (_, target) = _grid(board), _vehicle(board, board.target)
    left, top = grid.left + target.col * grid.cell, grid.top + target.row * grid.cell
    width, height = (_EXIT_DEPTH, grid.cell) if board.exit in ("left", "right") else (grid.cell, _EXIT_DEPTH)
    match board.exit:
        case "left":
            left = grid.left - _EXIT_DEPTH
        case "right":
            left = grid.left + grid.cols * grid.cell
        case "top":
            top = grid.top - _EXIT_DEPTH
        case "bottom":
            top = grid.top + grid.rows * grid.cell
    return {"side": board.exit, "left": left, "top": top, "width": width, "height": height}


def _vehicle(board: Board, name: str) -> tuple[int, Vehicle]:
    return next((i, vehicle) for i, vehicle in enumerate(board.vehicles) if vehicle.id == name)


def _lifted(board: Board, state: State, at: Point) -> Lift | None:
    """The vehicle that a press takes hold of."""
    placed = zip(board.vehicles, state.offsets, strict=True)
    owner = {cell: vehicle.id for vehicle, offset in placed for cell in vehicle.cells(offset)}
    cell = _grid(board).near(at, owner)
    return None if cell is None else Lift(owner[cell], at, at)


def _pulled(board: Board, hand: Lift) -> float:
    """Pixels the pointer has gone along the axis of the held vehicle."""
    axis = 0 if _vehicle(board, hand.vehicle)[1].axis == "horizontal" else 1
    return hand.at[axis] - hand.press[axis]


def _shift(board: Board, state: State, hand: Lift) -> float:
    """Pixels the held vehicle stands from its place: it follows the pointer as far as it can slide."""
    slides = [0, *(move.by for move in GAME.moves(board, state) if move.vehicle == hand.vehicle)]
    cell = _grid(board).cell
    return max(float(min(slides) * cell), min(float(max(slides) * cell), _pulled(board, hand)))


def _let_go(board: Board, state: State, hand: Lift) -> Touch[Move, Lift]:
    cell = _grid(board).cell
    by = math.floor(_shift(board, state, hand) / cell + 0.5)
    if by:
        return Touch(None, Move(hand.vehicle, by))
    return Touch(None, refused={"vehicle": hand.vehicle} if abs(_pulled(board, hand)) > cell / 2 else None)


CONTROLS = RushHourControls()
