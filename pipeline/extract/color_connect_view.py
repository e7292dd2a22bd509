"""How the cells of a lattice are looked at: upright, as far as the picture reaches, and which of them it shows."""

from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from pipeline.extract.colour import Lab
from pipeline.extract.lattice import Lattice

FINEST_CELL, COARSEST_CELL = 48, 30
"""Bounds of a cell's side in the upright copy, in pixels."""

MARGIN = 4
"""Pixels around a lattice that are cut out with it: what lies beside a cell's edge is compared with what is in it."""

BEYOND = 10
"""The board is looked for up to this many cells around the discs that agree on the lattice."""


def over_picture(lattice: Lattice, lab: Lab) -> Lattice:
    """The lattice continued towards the picture's border, one cell further than that at most."""
    height, width = lab.shape[:2]
    corners = [lattice.place(x, y) for x in (0, width) for y in (0, height)]
    low = np.maximum(np.floor(np.min(corners, axis=0)) - 1, -BEYOND)
    high = np.minimum(np.ceil(np.max(corners, axis=0)) + 1, (lattice.rows + BEYOND, lattice.cols + BEYOND))
    low, high = np.minimum(low, 0), np.maximum(high, (lattice.rows, lattice.cols))
    rows, cols = (int(v) for v in high - low)
    return lattice.block(float(low[0]), float(low[1]), rows, cols)


def shown_share(lattice: Lattice, lab: Lab) -> NDArray[np.float64]:
    """Which share of each cell lies in the picture."""
    places = (np.arange(10) + 0.5) / 10
    rows = (np.arange(lattice.rows)[:, None] + places).reshape(-1, 1)
    cols = (np.arange(lattice.cols)[:, None] + places).reshape(1, -1)
    x, y = lattice.points(rows, cols)
    inside = (x >= -0.5) & (y >= -0.5) & (x <= lab.shape[1] - 0.5) & (y <= lab.shape[0] - 0.5)
    return np.asarray(inside.reshape(lattice.rows, 10, lattice.cols, 10).mean(axis=(1, 3)))


def upright_cells(lab: Lab, lattice: Lattice) -> Lab:
    """rows × cols × side × side × 3, at about the resolution of the copy; large cells from a smaller one."""
    pitch = min(lattice.pitch_x, lattice.pitch_y)
    if pitch > FINEST_CELL:
        lab, lattice = _cut(lab, lattice)
        factor = FINEST_CELL / pitch
        size = (round(lab.shape[1] * factor), round(lab.shape[0] * factor))
        lab, lattice = cv2.resize(lab, size, interpolation=cv2.INTER_AREA), lattice.scaled(factor)
    side = int(np.clip(pitch, COARSEST_CELL, FINEST_CELL))
    return np.asarray(lattice.rectified(lab, side), np.float32)


def _cut(lab: Lab, lattice: Lattice) -> tuple[Lab, Lattice]:
    """The part of a picture that a lattice covers, with a margin, and the lattice in it."""
    corners = np.array([lattice.point(row, col) for row in (0, lattice.rows) for col in (0, lattice.cols)])
    size = lab.shape[1::-1]
    left, top = np.clip(np.floor(corners.min(axis=0)) - MARGIN, 0, np.subtract(size, 1)).astype(int)
    right, bottom = np.clip(np.ceil(corners.max(axis=0)) + MARGIN, 1, size).astype(int)
    x, y = lattice.origin
    return lab[top:bottom, left:right], replace(lattice, origin=(x - float(left), y - float(top)))
