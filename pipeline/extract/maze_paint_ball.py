"""Where the ball is: the one cell of the floor that looks like no other.

Nothing is assumed of its looks. It may stand on bare or painted floor, cover its cell or half of it. Cells inside the
maze that are neither flat floor nor wall are floor too if they are the ball's, or all of one colour (a little paint).
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pipeline.extract.maze_paint_cells import RIM, SIDE, Cells, oddness
from pipeline.extract.maze_paint_floor import ALIKE

Mask = NDArray[np.bool_]
Floats = NDArray[np.float64]

LEAST_ODD = 3.5
"""Mean ΔE from every typical cell below which nothing stands in a cell."""
LEAST_RATIO = 1.8
"""How much odder the ball's cell must be than any other."""
MOST_SECOND = 9.0
"""ΔE from which on a second cell is unlike the floor however odd the first one is; next to it a ball may reach over."""
MOST_ODD = 4
"""Cells unlike the floor that may be a ball between two cells and a trace of what it does."""
LEAST_SIZE, MOST_OFFSET = 0.1, 0.24
"""Smallest share of its cell that a ball covers; farthest its middle may lie from the cell's, in cells."""


@dataclass(frozen=True)
class Ball:
    """The oddest cell and the next one (row, col), how many times as odd it is, and doubts in words."""

    cell: tuple[int, int]
    second: tuple[int, int] | None
    ratio: float
    doubts: tuple[str, ...]


@dataclass(frozen=True)
class Maze:
    """Floor cells (the ball's and a little paint included), the ball if one is seen, and what covers the maze;
    `unexplained` are cells around it that meet the floor with something that is no wall."""

    floor: Mask
    ball: Ball | None
    covered: tuple[tuple[int, int], ...]
    unexplained: tuple[tuple[int, int], ...]


def find_ball(cells: Cells) -> Maze:
    """Complete the floor by the cells that are no wall, and find the ball on it."""
    extra = cells.strange & ~cells.ring
    if not extra.any() and int(cells.strange.sum()) == 1:
        extra = cells.strange.copy()
    odd = oddness(cells, cells.floor | extra)
    extra &= odd > LEAST_ODD
    floor = cells.floor | extra
    covered = _covered(cells, extra, odd) or _littered(np.where(floor, odd, 0))
    left = tuple((int(r), int(c)) for r, c in np.argwhere(cells.strange & ~floor))
    return Maze(floor, _ball(cells, np.where(floor, odd, 0)), covered, left)


def _covered(cells: Cells, extra: Mask, odd: Floats) -> tuple[tuple[int, int], ...]:
    """The extra cells when they are neither one ball nor paint of one colour."""
    places = np.argwhere(extra)
    if len(places) < 2:
        return ()
    oddest = places[int(odd[extra].argmax())]
    rest = np.array([cells.colour[r, c] for r, c in places if (r, c) != tuple(oddest)])
    if (np.linalg.norm(rest - np.median(rest, axis=0), axis=1) < ALIKE).all() and len(places) != 2:
        return ()
    return tuple((int(r), int(c)) for r, c in places)


def _littered(odd: Floats) -> tuple[tuple[int, int], ...]:
    """The cells that are unlike the floor when they are too many for a ball and what it reaches over: a dialog's."""
    places = np.argwhere(odd > MOST_SECOND)
    return tuple((int(r), int(c)) for r, c in places) if len(places) > MOST_ODD else ()


def _ball(cells: Cells, odd: Floats) -> Ball | None:
    order = np.argsort(-odd, axis=None, kind="stable")[:3]
    first, second, third = (divmod(int(flat), odd.shape[1]) for flat in order)
    if odd[first] < LEAST_ODD:
        return None
    if _is_paint(cells, first, second):
        first, second = second, third
    elif _is_paint(cells, second, first):
        second = third
    ratio = float(odd[first] / max(odd[second], 1.0))
    offset, size = _shape(cells, first)
    doubts = []
    apart = abs(first[0] - second[0]) + abs(first[1] - second[1]) > 1
    if ratio < LEAST_RATIO or (apart and odd[second] > MOST_SECOND):
        doubts.append("two cells are unlike the rest of the floor, and only one can hold the ball")
    if offset > MOST_OFFSET:
        doubts.append("the ball is between two cells")
    if cells.flat[first] and np.linalg.norm(cells.walls - cells.colour[first], axis=1).min(initial=np.inf) < ALIKE:
        doubts.append("what stands in the start cell is of the walls' own colour")
    if size < LEAST_SIZE:
        doubts.append("what stands in the start cell is small for a ball")
    return Ball(first, second if odd[second] >= LEAST_ODD else None, ratio, tuple(doubts))


def _is_paint(cells: Cells, cell: tuple[int, int], ball: tuple[int, int]) -> bool:
    """Whether a cell is flat to its edges and of the colour that shows in the corners of the ball's cell."""
    patch, other = cells.patch[cell][RIM:-RIM, RIM:-RIM], cells.patch[ball][RIM:-RIM, RIM:-RIM]
    if (np.linalg.norm(patch - cells.colour[cell], axis=2) > ALIKE).mean() > 0.05:
        return False
    corners = np.median(cells.patch[ball][[0, 0, -1, -1], [0, -1, 0, -1]], axis=0)  # outside of a ball in full size
    same = float(np.linalg.norm(corners - cells.colour[cell])) < ALIKE
    return same and bool((np.linalg.norm(other - corners, axis=2) > LEAST_ODD).mean() > LEAST_SIZE)


def _shape(cells: Cells, cell: tuple[int, int]) -> tuple[float, float]:
    """How far the middle of what stands in a cell is from the cell's, in cells, and its share of the cell."""
    patch = cells.patch[cell].reshape(SIDE, SIDE, 3)
    rim = np.concatenate([patch[0], patch[-1], patch[:, 0], patch[:, -1]])
    differs = np.linalg.norm(patch - np.median(rim, axis=0), axis=2) > 6
    if not differs.any():
        return 0.0, 0.0
    at = (np.argwhere(differs).mean(axis=0) + 0.5) / SIDE - 0.5
    return float(np.hypot(*at)), float(differs.mean())
