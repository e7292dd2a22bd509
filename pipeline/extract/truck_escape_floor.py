"""What stands on the cells that no vehicle covers: nothing, an obstacle, or something that must be looked at.

The floor is whatever many free cells show; shadows are floor that is darker and no stronger in colour. The rest of a
free cell is a *thing*. Cells are looked at as `SIDE` × `SIDE` pixels.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from pipeline.extract.bar_lattice import Placed
from pipeline.extract.colour import Lab, distance
from pipeline.extract.lattice import Lattice

SIDE = 16
"""Pixels of a cell."""

MARGIN = 2
"""Cells around the lattice that are looked at as well."""

COMMON = 0.15
"""Least share of the free cells that show a colour of the floor."""

TINT, LIGHT = 9.0, 11.0
"""Least difference in a*b*, or in lightness upwards, between a thing and the floor."""

DARK = 38.0
"""Least difference in lightness downwards: deeper than a shadow."""

SPECK = 0.05
"""Things below this share of a cell are left out."""

Cell = tuple[int, int]
Bools = NDArray[np.bool_]


@dataclass(frozen=True)
class Thing:
    """A connected thing: its middle and its size (rows, cols) in cells, and the share of its box that it covers."""

    row: float
    col: float
    height: float
    width: float
    fill: float

    @property
    def cell(self) -> Cell:
        """The cell its middle lies on."""
        return int(np.floor(self.row)), int(np.floor(self.col))

    @property
    def centred(self) -> bool:
        """Whether it stands within one cell, about its middle."""
        off = max(abs(self.row % 1 - 0.5), abs(self.col % 1 - 0.5))
        return max(self.height, self.width) < 1.15 and off < 0.3


@dataclass(frozen=True, eq=False)
class Floor:
    """Things on the cells of a lattice and of `MARGIN` cells around it.

    `things` is the flat mask of all pixels that are no floor, (rows + 2·MARGIN)·SIDE high; `flat` the same in L*a*b*;
    `inside` marks its pixels that lie in the picture.
    """

    things: Bools
    flat: Lab
    inside: Bools

    def cell(self, row: int, col: int) -> Bools:
        """The things on one cell; rows and columns from −MARGIN."""
        top, left = (row + MARGIN) * SIDE, (col + MARGIN) * SIDE
        return self.things[top : top + SIDE, left : left + SIDE]

    def share(self, cells: Iterable[Cell]) -> float:
        """The share of the middle of some cells that things cover."""
        a, b = SIDE // 5, SIDE - SIDE // 5
        return float(np.mean([self.cell(*cell)[a:b, a:b].mean() for cell in cells]))

    def paint_near(self, row: int, col: int, paints: Lab) -> float:
        """ΔE between the usual colour of a cell and the nearest of some paints (n × 3); infinite off the picture."""
        area = np.s_[
            (row + MARGIN) * SIDE : (row + MARGIN + 1) * SIDE, (col + MARGIN) * SIDE : (col + MARGIN + 1) * SIDE
        ]
        if not self.inside[area].all():
            return float("inf")
        usual = np.median(self.flat[area].reshape(-1, 3), axis=0).astype(np.float32)
        return float(distance(usual, paints).min())

    def paint_of(self, thing: Thing, paints: Lab) -> float:
        """ΔE between the usual colour of a thing and the nearest of some paints."""
        top, left = (round((v + MARGIN) * SIDE) for v in (thing.row - thing.height / 2, thing.col - thing.width / 2))
        area = np.s_[top : top + round(thing.height * SIDE), left : left + round(thing.width * SIDE)]
        usual = np.median(self.flat[area][self.things[area]], axis=0).astype(np.float32)
        return float(distance(usual, paints).min())

    def reaches_edge(self, reach: float = 0.8) -> bool:
        """Whether floor lies along the picture's edge within `reach` cells of the lattice."""
        edge = self.inside & ~cv2.erode(self.inside.astype(np.uint8), np.ones((3, 3), np.uint8)).astype(bool)
        cut = round((MARGIN - reach) * SIDE)
        near = edge[cut:-cut, cut:-cut]
        near[[0, -1]] = near[:, [0, -1]] = False  # the border of what is looked at, not of the picture
        return bool(near.sum() > SIDE and np.mean(~self.things[cut:-cut, cut:-cut][near]) > 0.3)


def look_at_floor(lab: Lab, lattice: Lattice, placed: Sequence[Placed]) -> Floor:
    """The floor of a lattice, learned from the cells that no bar covers."""
    around = lattice.block(-MARGIN, -MARGIN, lattice.rows + 2 * MARGIN, lattice.cols + 2 * MARGIN)
    shrink = min(1.0, 1.25 * SIDE / lattice.pitch_x)
    small = lab if shrink == 1 else cv2.resize(lab, None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA)
    cells = around.scaled(shrink).rectified(small, SIDE)
    flat = _flat(cells)
    covered = {cell for p in placed for cell in p.cells()}
    free = [(r, c) for r in range(lattice.rows) for c in range(lattice.cols) if (r, c) not in covered]
    return Floor(_unlike(flat, _colours(cells, free)), flat, _inside(around, lab.shape[:2]))


def _flat(cells: NDArray[np.generic]) -> Lab:
    rows, cols = cells.shape[:2]
    return np.ascontiguousarray(cells.swapaxes(1, 2).reshape(rows * SIDE, cols * SIDE, 3), np.float32)


def _inside(around: Lattice, size: tuple[int, int]) -> Bools:
    rows = (np.arange(around.rows * SIDE) + 0.5) / SIDE
    cols = (np.arange(around.cols * SIDE) + 0.5) / SIDE
    x, y = around.points(*np.meshgrid(rows, cols, indexing="ij"))
    return np.asarray((x >= 0) & (y >= 0) & (x <= size[1] - 1) & (y <= size[0] - 1))


def _colours(cells: NDArray[np.generic], free: Sequence[Cell]) -> list[Lab]:
    """Median colours that many free cells have."""
    medians = np.array([np.median(cells[r + MARGIN, c + MARGIN].reshape(-1, 3), axis=0) for r, c in free], np.float32)
    found: list[Lab] = []
    left = np.ones(len(medians), np.bool_)
    while left.any():
        near = (distance(medians[:, None], medians[None]) < 7) & left[None]
        pick = int(np.argmax(near.sum(axis=1) * left))
        group = near[pick]
        if found and group.sum() < COMMON * len(medians):
            break
        found.append(np.median(medians[group], axis=0).astype(np.float32))
        left &= ~group
    return found


def _unlike(flat: Lab, colours: Sequence[Lab]) -> Bools:
    things = np.ones(flat.shape[:2], np.bool_)
    for colour in colours:
        tint = np.hypot(flat[..., 1] - colour[1], flat[..., 2] - colour[2])
        lighter = flat[..., 0] - colour[0]
        things &= (tint > TINT) | (lighter > LIGHT) | (lighter < -DARK)
    return things


def things_left(floor: Floor, placed: Sequence[Placed], margin: float = MARGIN) -> list[Thing]:
    """The things that are no part of placed vehicles, up to `margin` cells off the lattice, in reading order.

    Specks are left out.
    """
    mask = floor.things & floor.inside
    cut = round((MARGIN - margin) * SIDE)
    if cut:
        mask[:cut] = mask[-cut:] = mask[:, :cut] = mask[:, -cut:] = False
    for p in placed:
        mask &= ~_footprint(p, mask.shape)
    opened = cv2.morphologyEx(_filled(mask.astype(np.uint8)), cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))
    _, _, stats, _ = cv2.connectedComponentsWithStats(opened, connectivity=8)
    found = []
    for x, y, width, height, size in stats[1:]:
        if size >= SPECK * SIDE**2:
            row, col = (y + height / 2) / SIDE - MARGIN, (x + width / 2) / SIDE - MARGIN
            found.append(Thing(row, col, height / SIDE, width / SIDE, size / (width * height)))
    return found


def _filled(mask: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """With the hollows of things no larger than a cell filled: their dull sides may look like shadow."""
    outlines: Sequence[Any]
    outlines, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    small = [cv2.convexHull(o) for o in outlines if max(cv2.boundingRect(o)[2:]) <= SIDE]
    cv2.drawContours(mask, small, -1, (1,), cv2.FILLED)
    return mask


def _footprint(placed: Placed, shape: tuple[int, ...]) -> Bools:
    """The pixels of a vehicle's cells and of what it overhangs."""
    high, wide = (1, placed.length) if placed.level else (placed.length, 1)
    along, across = 0.28, 0.14
    down, right = (across, along) if placed.level else (along, across)
    top, left = placed.row + MARGIN - down, placed.col + MARGIN - right
    found = np.zeros(shape, np.bool_)
    rows = slice(max(0, round(top * SIDE)), round((top + high + 2 * down) * SIDE))
    cols = slice(max(0, round(left * SIDE)), round((left + wide + 2 * right) * SIDE))
    found[rows, cols] = True
    return found
