"""Masks over the cells of a lattice: neighbours and connected parts."""

import numpy as np
from numpy.typing import NDArray

Cell = tuple[int, int]
"""(row, column)."""

Mask = NDArray[np.bool_]

STEPS: tuple[tuple[int, int, int], ...] = ((0, -1, 0), (0, 1, 1), (-1, 0, 2), (1, 0, 3))
"""(row step, column step, index of that side in `Edges.sides`)."""


def shifted(cells: Mask, dr: int, dc: int) -> Mask:
    """The mask as seen from the neighbour: element [r, c] is that of cell (r + dr, c + dc), False outside."""
    wide = np.pad(cells, 1)
    return wide[1 + dr : len(wide) - 1 + dr, 1 + dc : wide.shape[1] - 1 + dc]


def connected_parts(cells: Mask, walls: Mask | None = None) -> list[list[Cell]]:
    """The cells by connected parts, in reading order; `walls` (rows × cols × 4) are sides that part neighbours."""
    left = cells.copy()
    parts = []
    for r0, c0 in np.argwhere(cells):
        if not left[r0, c0]:
            continue
        left[r0, c0] = False
        part = [(int(r0), int(c0))]
        for r, c in part:  # grows while it is walked
            for dr, dc, side in STEPS:
                i, j = r + dr, c + dc
                apart = walls is not None and bool(walls[r, c, side])
                if 0 <= i < cells.shape[0] and 0 <= j < cells.shape[1] and left[i, j] and not apart:
                    left[i, j] = False
                    part.append((i, j))
        parts.append(sorted(part))
    return parts
