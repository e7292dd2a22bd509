"""From a floor plan to a maze document, its overlay, and what may be asked about it."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from pipeline.extract.contract import Mark
from pipeline.extract.plan_lattice import PlanLattice
from pipeline.games.maze_paint import FLOOR, GAME, START, WALL, Board, crossed, floor_cells


def no_ball(start: tuple[int, int]) -> str:
    """The question of a maze without a ball."""
    return f"no ball is visible, so the start is unknown; row {start[0]}, column {start[1]} is a guess."


def likely_start(floor: NDArray[np.bool_]) -> tuple[int, int]:
    """The lowest floor cell of the first column: where most of these games put the ball."""
    col = int(np.flatnonzero(floor.any(axis=0))[0])
    return int(np.flatnonzero(floor[:, col])[-1]), col


def board_of(floor: NDArray[np.bool_], start: tuple[int, int]) -> Board:
    """The document of a floor plan."""
    marks = [[FLOOR if cell else WALL for cell in line] for line in floor]
    marks[start[0]][start[1]] = START
    return Board(grid=tuple("".join(line) for line in marks))


def never_crossed(board: Board) -> list[tuple[int, int]]:
    """Floor that no slide from any stop in reach crosses: levels have none, misread ones often do."""
    stops = [GAME.start(board).ball]
    crossed_cells = set(stops)
    for stop in stops:  # grows while it is walked
        for direction in ("left", "right", "up", "down"):
            cells = crossed(board, stop, direction)
            crossed_cells.update(cells)
            if cells and cells[-1] not in stops:
                stops.append(cells[-1])
    return [cell for cell in floor_cells(board) if cell not in crossed_cells]


def marks_of(lattice: PlanLattice, board: Board) -> tuple[Mark, ...]:
    """The lattice, the outline of the floor, and the start."""
    marks: list[Mark] = list(lattice.marks())
    cells = set(floor_cells(board))
    for row, col in sorted(cells):
        for (down, right), ends in _SIDES.items():
            if (row + down, col + right) not in cells:
                marks.append(Mark("piece", tuple(lattice.point(row + r, col + c) for r, c in ends)))
    row, col = GAME.start(board).ball
    centre = lattice.point(row + 0.5, col + 0.5)
    marks.append(Mark("circle", (centre,), radius=0.3 * min(lattice.pitch)))
    marks.append(Mark("label", (centre,), text=START))
    return tuple(marks)


_SIDES: dict[tuple[int, int], Sequence[tuple[int, int]]] = {
    (-1, 0): ((0, 0), (0, 1)),
    (1, 0): ((1, 0), (1, 1)),
    (0, -1): ((0, 0), (1, 0)),
    (0, 1): ((0, 1), (1, 1)),
}
"""For each neighbour (row, col) the two corners of the side shared with it."""
