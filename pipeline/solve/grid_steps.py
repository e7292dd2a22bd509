"""Breadth-first distances over the free cells of a grid."""

import numpy as np
from numba import njit
from numpy.typing import NDArray


@njit(cache=True)
def steps_from(free: NDArray[np.bool_], start: int, far: int) -> NDArray[np.int32]:
    """Steps from cell `start` through free cells (whether it is free itself or not).

    `free` is (rows, cols), cells are numbered row by row; the result is (rows · cols,), `far` where there is no way.
    """
    rows, cols = free.shape
    steps = np.full(rows * cols, far, np.int32)
    queue = np.empty(rows * cols, np.int32)
    steps[start], queue[0] = 0, start
    done, known = 0, 1
    while done < known:
        cell = queue[done]
        done += 1
        row, col = cell // cols, cell % cols
        for down, right in ((-1, 0), (0, -1), (0, 1), (1, 0)):
            r, c = row + down, col + right
            beside = r * cols + c
            if 0 <= r < rows and 0 <= c < cols and free[r, c] and steps[beside] == far:
                steps[beside] = steps[cell] + 1
                queue[known] = beside
                known += 1
    return steps


@njit(cache=True)
def steps_between(free: NDArray[np.bool_], far: int) -> NDArray[np.int32]:
    """Steps between any two free cells: (cells, cells), `far` where there is no way or a cell is not free."""
    cells = free.size
    steps = np.full((cells, cells), far, np.int32)
    for cell in range(cells):
        if free.flat[cell]:
            steps[cell] = steps_from(free, cell, far)
    return steps
