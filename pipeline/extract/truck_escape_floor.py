"""What stands on the cells that no vehicle covers: nothing, an obstacle, or something that must be looked at.

The floor is whatever many free cells show; the rest of a free cell is a *thing*. Shadows are floor that is darker and
no stronger in colour, and so are dull things. What is only that dark counts where it stands apart from all vehicles in
the middle of a cell, as no shadow does. Cells are looked at as `SIDE` × `SIDE` pixels.
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

MARGIN = 3
"""Cells around the lattice that are looked at as well."""

COMMON, PLAIN = 0.15, 0.8
"""Least share of the free cells that show a colour of the floor, and of such a cell that is of it."""

SAME_PAINT, SAME_GROUND, SAME_FLOOR = 14.0, 5.0, 7.0
"""ΔE between two places of one paint, in light and shadow, of one flat ground, and of one colour of the floor."""

PAINTED = 10.0
"""ΔE from a cell of a vehicle up to which a colour is no further one of the floor."""

TINT, LIGHT = 9.0, 11.0
"""Least difference in a*b*, or in lightness upwards, between a thing and the floor."""

DARK, SHADED = 38.0, 10.0
"""Differences in lightness downwards: deeper than any shadow; and what may be one."""

FILLED = 0.9
"""Share of the middle of a cell that a vehicle covers, and an obstacle less."""

SPECK = 0.05
"""Things below this share of a cell are left out."""

Cell = tuple[int, int]
Block = tuple[int, int, int, int]
"""Row and column of the first cell, rows, columns."""
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

    `things` is the flat mask of all pixels that are no floor, (rows + 2·MARGIN)·SIDE high, and `dull` that of what is
    no floor or in shadow; `flat` are their colours in L*a*b*; `inside` marks the pixels that lie in the picture;
    `colours` are those of the floor.
    """

    things: Bools
    dull: Bools
    flat: Lab
    inside: Bools
    colours: tuple[Lab, ...]

    def cell(self, row: int, col: int) -> Bools:
        """The things on one cell; rows and columns from −MARGIN."""
        top, left = (row + MARGIN) * SIDE, (col + MARGIN) * SIDE
        return self.things[top : top + SIDE, left : left + SIDE]

    def shaded(self, row: int, col: int) -> float:
        """The share of the very middle of a cell that is dark or no floor at all."""
        top, left = (row + MARGIN) * SIDE, (col + MARGIN) * SIDE
        a, b = SIDE // 3, SIDE - SIDE // 3
        return float(self.dull[top + a : top + b, left + a : left + b].mean())

    def open_cells(self, least: float) -> set[Cell]:
        """All cells, off the lattice too, whose middle things cover on at least a share."""
        rows, cols = (n // SIDE for n in self.things.shape)
        a, b = SIDE // 5, SIDE - SIDE // 5
        middles = self.things.reshape(rows, SIDE, cols, SIDE)[:, a:b, :, a:b].mean(axis=(1, 3))
        return {(int(row) - MARGIN, int(col) - MARGIN) for row, col in np.argwhere(middles >= least)}

    def share(self, cells: Iterable[Cell]) -> float:
        """The share of the middle of some cells that things cover."""
        a, b = SIDE // 5, SIDE - SIDE // 5
        return float(np.mean([self.cell(*cell)[a:b, a:b].mean() for cell in cells]))

    def is_broad(self, cell: Cell, ahead: Cell) -> bool:
        """Whether what covers a cell is as broad as a vehicle that comes from −`ahead`, with floor on both its sides.

        `ahead` is one step in rows and columns.
        """
        part = self.cell(*cell)
        if part.shape != (SIDE, SIDE):  # too far off to have been looked at
            return False
        part = part if ahead[0] else part.T
        part = (part if sum(ahead) > 0 else part[::-1])[SIDE // 4 : SIDE - SIDE // 8]
        beside = max(float(part[:, 0].mean()), float(part[:, -1].mean()))
        return beside < 0.5 and float(part[:, SIDE // 5 : SIDE - SIDE // 5].mean()) > FILLED

    def painted(self, row: int, col: int, paints: Lab) -> float:
        """The share of a cell that is of one of some paints (n × 3); 0 where it is not all in the picture."""
        top, left = (row + MARGIN) * SIDE, (col + MARGIN) * SIDE
        area = np.s_[top : top + SIDE, left : left + SIDE]
        if not self.inside[area].all():
            return 0.0
        return float((distance(self.flat[area][:, :, None], paints).min(axis=2) < SAME_PAINT).mean())

    def beside(self, box: tuple[float, float, float, float], ground: Bools) -> float:
        """The share of a box's surroundings (row, column, height, width in cells) that is of some ground."""
        out = SIDE // 6
        top, left = (round((v + MARGIN) * SIDE) - out for v in box[:2])
        bottom, right = (round((v + n + MARGIN) * SIDE) + out for v, n in zip(box[:2], box[2:], strict=True))
        top, left, rows, cols = max(0, top), max(0, left), ground.shape[0], ground.shape[1]
        area = np.s_[top : min(bottom, rows), left : min(right, cols)]
        rim = self.inside[area].copy()
        rim[2:-2, 2:-2] = False
        return float(ground[area][rim].mean()) if rim.any() else 0.0

    def ground_and(self, placed: Sequence[Placed] = ()) -> Bools:
        """The mask of floor, and of what lies under vehicles."""
        ground = ~self.things
        for p in placed:
            ground |= _footprint(p, ground.shape)
        return ground

    def paint_of(self, thing: Thing, paints: Lab) -> float:
        """ΔE between the usual colour of a thing and the nearest of some paints."""
        top, left = (round((v + MARGIN) * SIDE) for v in (thing.row - thing.height / 2, thing.col - thing.width / 2))
        area = np.s_[top : top + round(thing.height * SIDE), left : left + round(thing.width * SIDE)]
        usual = np.median(self.flat[area][self.things[area]], axis=0).astype(np.float32)
        return float(distance(usual, paints).min())

    def ground(self, pixels: Lab) -> float:
        """The share of some pixels that is floor or in shadow."""
        return float(1 - _unlike(pixels, self.colours, DARK).mean())

    def reaches_edge(self, reach: float = 0.8) -> bool:
        """Whether floor lies along the picture's edge within `reach` cells of the lattice."""
        edge = self.inside & ~cv2.erode(self.inside.astype(np.uint8), np.ones((3, 3), np.uint8)).astype(bool)
        cut = round((MARGIN - reach) * SIDE)
        near = edge[cut:-cut, cut:-cut]
        near[[0, -1]] = near[:, [0, -1]] = False  # the border of what is looked at, not of the picture
        if near.sum() <= SIDE:
            return False
        ground = distance(self.flat[cut:-cut, cut:-cut][near][:, None], np.array(self.colours)).min(axis=1)
        return bool(np.mean(ground < SAME_GROUND) > 0.3)


def look_at_floor(lab: Lab, lattice: Lattice, placed: Sequence[Placed]) -> Floor:
    """The floor of a lattice, learned from the cells that no bar covers."""
    around = lattice.block(-MARGIN, -MARGIN, lattice.rows + 2 * MARGIN, lattice.cols + 2 * MARGIN)
    shrink = min(1.0, 1.25 * SIDE / lattice.pitch_x)
    small = lab if shrink == 1 else cv2.resize(lab, None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA)
    cells = around.scaled(shrink).rectified(small, SIDE)
    flat = _flat(cells)
    covered = {cell for p in placed for cell in p.cells()}
    free = [(r, c) for r in range(lattice.rows) for c in range(lattice.cols) if (r, c) not in covered]
    paints = [np.median(cells[r + MARGIN, c + MARGIN].reshape(-1, 3), axis=0) for r, c in sorted(covered)]
    colours = _colours(cells, free, np.array(paints, np.float32).reshape(-1, 3))
    things, dull = (_unlike(flat, colours, darkest) for darkest in (DARK, SHADED))
    return Floor(things, dull, flat, _inside(around, lab.shape[:2]), tuple(colours))


def _flat(cells: NDArray[np.generic]) -> Lab:
    rows, cols = cells.shape[:2]
    return np.ascontiguousarray(cells.swapaxes(1, 2).reshape(rows * SIDE, cols * SIDE, 3), np.float32)


def _inside(around: Lattice, size: tuple[int, int]) -> Bools:
    rows = (np.arange(around.rows * SIDE) + 0.5) / SIDE
    cols = (np.arange(around.cols * SIDE) + 0.5) / SIDE
    x, y = around.points(*np.meshgrid(rows, cols, indexing="ij"))
    return np.asarray((x >= 0) & (y >= 0) & (x <= size[1] - 1) & (y <= size[0] - 1))


def _colours(cells: NDArray[np.generic], free: Sequence[Cell], paints: Lab) -> list[Lab]:
    """Median colours that many free cells have; after the first none that is a vehicle's paint (n × 3).

    A vehicle that is not known yet covers free cells too: the commonest colour may lie on cells that are anything but
    plain, each further one is that of as many plain cells.
    """
    rows, cols = np.array(free, np.intp).reshape(-1, 2).T + MARGIN
    looks = cells[rows, cols].reshape(len(free), SIDE * SIDE, 3).astype(np.float32)
    medians = np.median(looks, axis=1)
    plain = (distance(looks, medians[:, None]) < SAME_FLOOR).mean(axis=1) > PLAIN
    found: list[Lab] = []
    left = np.ones(len(medians), np.bool_)
    while left.any():
        near = (distance(medians[:, None], medians[None]) < SAME_FLOOR) & left[None]
        pick = int(np.argmax(near.sum(axis=1) * left))
        group = near[pick]
        if found and (group & plain).sum() < COMMON * len(medians):
            break
        colour = np.median(medians[group], axis=0).astype(np.float32)
        if not found or not (distance(colour, paints) < PAINTED).any():
            found.append(colour)
        left &= ~group
    return found


def _unlike(flat: Lab, colours: Sequence[Lab], darkest: float) -> Bools:
    """What no colour of the floor explains, though it be darker by up to `darkest`."""
    things = np.ones(flat.shape[:-1], np.bool_)
    for colour in colours:
        tint = np.hypot(flat[..., 1] - colour[1], flat[..., 2] - colour[2])
        lighter = flat[..., 0] - colour[0]
        things &= (tint > TINT) | (lighter > LIGHT) | (lighter < -darkest)
    return things


def things_left(floor: Floor, placed: Sequence[Placed], block: Block | None = None) -> list[Thing]:
    """The things that are no part of placed vehicles, on a block of cells or everywhere, in reading order.

    Specks are left out.
    """
    mask = _uncovered(floor.things & floor.inside, placed, block)
    return _compact(cv2.morphologyEx(_filled(mask), cv2.MORPH_OPEN, np.ones((3, 3), np.uint8)))


def dull_things(floor: Floor, placed: Sequence[Placed], block: Block) -> list[Thing]:
    """The same for all that is darker than floor: with shadows, and with dull things whole."""
    mask = _uncovered(floor.dull & floor.inside, placed, block)
    return _compact(cv2.morphologyEx(mask, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8)))


def _uncovered(mask: Bools, placed: Sequence[Placed], block: Block | None) -> NDArray[np.uint8]:
    """The part of a mask that lies on a block and on no vehicle."""
    for p in placed:
        mask &= ~_footprint(p, mask.shape)
    if block is None:
        return mask.astype(np.uint8)
    row, col, rows, cols = block
    area = np.s_[
        (row + MARGIN) * SIDE : (row + rows + MARGIN) * SIDE, (col + MARGIN) * SIDE : (col + cols + MARGIN) * SIDE
    ]
    cut = np.zeros(mask.shape, np.uint8)
    cut[area] = mask[area]
    return cut


def _compact(mask: NDArray[np.uint8]) -> list[Thing]:
    _, _, stats, _ = cv2.connectedComponentsWithStats(mask, connectivity=8)
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
