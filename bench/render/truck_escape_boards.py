"""Random Truck Escape boards that can be solved."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from pipeline.games.truck_escape import GAME, Board, Heading, Vehicle, lane


def random_board(rng: np.random.Generator) -> Board:
    """A solvable board of 5 to 16 vehicles and up to 3 obstacles on a rectangular, cross-shaped or diamond lot.

    Each vehicle is added where it could leave at once; taking them away in reverse order is a solution.
    """
    rows, cols = int(rng.integers(6, 11)), int(rng.integers(6, 10))
    paved = _form(rows, cols, int(rng.integers(3)))
    free = [(r, c) for r in range(rows) for c in range(cols) if paved[r, c]]
    obstacles = tuple(sorted(free[i] for i in rng.permutation(len(free))[: int(rng.integers(4))]))
    vehicles: list[Vehicle] = []
    wanted = int(rng.integers(5, 17))
    for _ in range(300):
        if len(vehicles) < wanted:
            vehicle = _try(Board.model_construct(rows=rows, cols=cols, obstacles=obstacles), vehicles, paved, rng)
            vehicles += [vehicle] if vehicle else []
    headings = {v.heading for v in vehicles}
    # Vehicles that all point right and up, say, could as well be cars that slide to and fro: nobody could tell.
    if {h in ("left", "right") for h in headings} != {True, False} or len(headings) < 3 or len(vehicles) < 5:
        return random_board(rng)
    return _trimmed(obstacles, vehicles)


def _form(rows: int, cols: int, kind: int) -> NDArray[np.bool_]:
    """A whole lot, a cross, a diamond."""
    r, c = np.mgrid[0:rows, 0:cols]
    off_row, off_col = np.abs(r - (rows - 1) / 2) / (rows / 2), np.abs(c - (cols - 1) / 2) / (cols / 2)
    forms = (np.ones((rows, cols), bool), (off_row < 0.5) | (off_col < 0.5), off_row + off_col < 1.25)
    return np.asarray(forms[kind])


def _try(
    board: Board, vehicles: Sequence[Vehicle], paved: NDArray[np.bool_], rng: np.random.Generator
) -> Vehicle | None:
    """A further vehicle that could leave at once, at a random place; None when it finds none there."""
    heading: Heading = ("up", "down", "left", "right")[int(rng.integers(4))]
    length = int(rng.choice([2, 2, 2, 3]))
    row, col = int(rng.integers(board.rows)), int(rng.integers(board.cols))
    vehicle = Vehicle(id=f"v{len(vehicles)}", row=row, col=col, length=length, heading=heading)
    taken = {*board.obstacles, *(cell for v in vehicles for cell in v.cells())}
    fits = all(r < board.rows and c < board.cols and paved[r, c] and (r, c) not in taken for r, c in vehicle.cells())
    return vehicle if fits and taken.isdisjoint(lane(board, vehicle)) else None


def _trimmed(obstacles: Sequence[tuple[int, int]], vehicles: Sequence[Vehicle]) -> Board:
    """The block of cells that holds all vehicles, named A, B, C … in reading order."""
    cells = np.array([cell for v in vehicles for cell in v.cells()])
    low = [int(n) for n in cells.min(axis=0)]
    rows, cols = (int(n) for n in cells.max(axis=0) - low + 1)
    ordered = sorted(vehicles, key=lambda v: (v.row, v.col))
    named = tuple(
        v.model_copy(update={"id": chr(65 + i), "row": v.row - low[0], "col": v.col - low[1]})
        for i, v in enumerate(ordered)
    )
    moved = [(r - low[0], c - low[1]) for r, c in obstacles]
    inside = tuple(cell for cell in moved if 0 <= cell[0] < rows and 0 <= cell[1] < cols)
    board = Board(rows=rows, cols=cols, obstacles=inside, vehicles=named)
    assert not GAME.defects(board)
    return board
