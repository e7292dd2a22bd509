"""Truck Escape by hand: a click asks a vehicle to leave; one that is blocked bumps and stays."""

from pipeline.core.canonical import Json
from pipeline.games.truck_escape import GAME, Board, Move, State, Vehicle, lane
from pipeline.suite.controls.contract import Controls, Touch
from pipeline.suite.gestures import Click, Event, Gesture, Point, Pointer
from pipeline.suite.placing import Cell, Grid, fit


class TruckEscapeControls(Controls[Board, State, Move, None]):
    """Acts when the pointer goes down. Nothing is ever held."""

    game = GAME

    def layout(self, board: Board) -> Json:
        return _grid(board).layout()

    def touch(self, board: Board, state: State, hand: None, event: Event) -> Touch[Move, None]:
        match event:
            case Pointer("down", at):
                return _pressed(board, state, at)
        return Touch(None)

    def shown(self, board: Board, state: State, hand: None) -> Json:
        return None

    def perform(self, board: Board, state: State, move: Move) -> tuple[Gesture, ...]:
        cells = next(vehicle.cells() for vehicle in board.vehicles if vehicle.id == move)
        return (Click(_grid(board).middle(cells[0], cells[-1])),)


def _grid(board: Board) -> Grid:
    return fit(board.rows, board.cols)


def _pressed(board: Board, state: State, at: Point) -> Touch[Move, None]:
    left = set(state)
    owner = {cell: vehicle for vehicle in board.vehicles if vehicle.id in left for cell in vehicle.cells()}
    cell = _grid(board).near(at, owner)
    if cell is None:
        return Touch(None)
    vehicle = owner[cell]
    if vehicle.id in GAME.moves(board, state):
        return Touch(None, vehicle.id)
    return Touch(None, refused={"vehicle": vehicle.id, "free": _free_ahead(board, vehicle, owner)})


def _free_ahead(board: Board, vehicle: Vehicle, owner: dict[Cell, Vehicle]) -> int:
    """The cells a blocked vehicle can go before it bumps into something."""
    taken = owner.keys() | set(board.obstacles)
    return next(i for i, cell in enumerate(lane(board, vehicle)) if cell in taken)


CONTROLS = TruckEscapeControls()
