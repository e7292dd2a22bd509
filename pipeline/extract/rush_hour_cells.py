"""What stands in the cells of a lattice: which are empty, and how clearly neighbouring cells are parted.

Empty cells of a board repeat: whatever is drawn in one (a dent, a tile, grid lines) is drawn in all. So the empty
cells are a set of cells that look alike, and a *template* taken from them tells a vehicle from the floor pixel by
pixel. Two neighbours belong to different vehicles when floor shows between them or a seam runs along their border.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from pipeline.extract.colour import lab_of_bgr, lengths, medians, squared_lengths
from pipeline.extract.image import Pixels
from pipeline.extract.lattice import Lattice

SIDE = 32
"""Pixels of a cell after rectification."""

FAINT = 4.5
"""ΔE from the floor from which something stands there, be it a dark outline filled with little more than the floor."""

FREE = 0.25
"""Share of a cell's middle unlike the floor below which it is empty."""

OUTLINE, AROUND = SIDE // 4, 0.9
"""How deep in a block's cells its outline lies, in pixels, and along which share of each side it must be seen."""

Floats = NDArray[np.float32]
Bools = NDArray[np.bool_]

Places = NDArray[np.int64]
"""Where regions lie on a lattice, n × 4: column, row, columns, rows."""


@dataclass(frozen=True, eq=False)
class Cells:
    """Rectified cells of a lattice; `patches` is rows × cols × SIDE × SIDE × 3 in L*a*b*."""

    lattice: Lattice
    patches: Floats

    @classmethod
    def cut(cls, bgr: Pixels, lattice: Lattice) -> "Cells":
        """Cut the cells of a lattice, given in pixels of `bgr`, out of it."""
        factor = min(1.0, 1.25 * SIDE / min(lattice.pitch_x, lattice.pitch_y))
        if factor < 1:
            bgr = cv2.resize(bgr, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA)
        cut = lattice.scaled(factor).rectified(bgr, SIDE)
        return cls(lattice, lab_of_bgr(np.ascontiguousarray(cut).astype(np.uint8)))

    def block(self, row: int, col: int, rows: int, cols: int) -> "Cells":
        """A block of the cells; what was measured of them is kept."""
        part = Cells(self.lattice.block(row, col, rows, cols), self.patches[row : row + rows, col : col + cols])
        across, down = self.seams
        part.__dict__["colour"] = self.colour[row : row + rows, col : col + cols]
        part.__dict__["seams"] = (
            across[row : row + rows, col : col + cols - 1],
            down[row : row + rows - 1, col : col + cols],
        )
        return part

    @property
    def shape(self) -> tuple[int, int]:
        """Rows, columns."""
        return self.lattice.rows, self.lattice.cols

    @cached_property
    def colour(self) -> Floats:
        """rows × cols × 3: the median colour of the middle of each cell."""
        a, b = SIDE // 5, SIDE - SIDE // 5
        return medians(np.moveaxis(self.patches[:, :, a:b, a:b], 4, 2).reshape(*self.shape, 3, -1))

    @cached_property
    def seams(self) -> tuple[Floats, Floats]:
        """How clear a seam runs along the borders between columns (rows × cols-1) and between rows (rows-1 × cols).

        In ΔE: the contrast of a narrow line to both its sides, reached along at least four fifths of the border.
        """
        flat = self.patches.swapaxes(1, 2).reshape(self.shape[0] * SIDE, self.shape[1] * SIDE, 3)
        return _seams(flat, *self.shape), _seams(np.asarray(cv2.transpose(flat)), *self.shape[::-1]).T

    @cached_property
    def steps(self) -> tuple[Floats, Floats]:
        """ΔE between the median colours of neighbours: across columns, across rows."""
        c = self.colour
        return lengths(c[:, 1:] - c[:, :-1]), lengths(c[1:] - c[:-1])


def _seams(flat: Floats, rows: int, cols: int) -> Floats:
    if cols < 2:
        return np.zeros((rows, 0), np.float32)
    reach, inner, outer, margin = SIDE // 5, SIDE // 10, SIDE // 4, SIDE // 7
    middle = flat.reshape(rows, SIDE, cols * SIDE, 3)[:, margin : SIDE - margin].reshape(-1, cols * SIDE, 3)
    wide = cv2.copyMakeBorder(middle, 0, 0, outer, outer, cv2.BORDER_REPLICATE)
    side: Any = cv2.blur(wide, (outer - inner + 1, 1), anchor=(0, 0))

    def near(image: Floats, shift: int) -> Floats:
        """The columns around each border; a seam may wander by a pixel, so one more on either side is looked at."""
        first = SIDE - reach - 1 + shift
        window = image[:, first : first + (cols - 1) * SIDE].reshape(len(image), cols - 1, SIDE, 3)
        return window[:, :, : 2 * reach + 2]

    there = near(middle, 0)
    line = np.minimum(squared_lengths(there - near(side, 0)), squared_lengths(there - near(side, outer + inner)))
    line = line.reshape(rows, -1, cols - 1, 2 * reach + 2)
    line = np.maximum(np.maximum(line[..., :-2], line[..., 1:-1]), line[..., 2:])
    return _low_quantile_of_roots(line).max(axis=-1)


def _low_quantile_of_roots(squares: Floats) -> Floats:
    """The 0.2 quantile of the square roots along the second axis: as `np.quantile`, several times faster."""
    place = 0.2 * (squares.shape[1] - 1)
    k = int(place)
    ordered = np.partition(squares, (k, k + 1), axis=1)[:, k : k + 2]
    low, high = np.sqrt(ordered).swapaxes(0, 1)
    return low + np.float32(place - k) * (high - low)


@dataclass(frozen=True, eq=False)
class Floor:
    """A reading of the cells with some of them as the empty ones.

    `mask` (rows × cols × SIDE × SIDE) marks pixels that are unlike those of an empty cell. `occupied` is rows × cols:
    the share of a cell's middle that is so marked.
    """

    mask: Bools
    occupied: Floats

    @cached_property
    def gaps(self) -> tuple[Bools, Bools]:
        """For the borders between columns and between rows: whether a line of floor shows along the border."""
        rows, cols = self.occupied.shape
        flat = self.mask.swapaxes(1, 2).reshape(rows * SIDE, cols * SIDE)
        return _gaps(flat, rows, cols), _gaps(flat.T, cols, rows).T

    def block(self, rows: slice, cols: slice) -> "Floor":
        """The same for a block of cells; its gaps are those of the whole."""
        across, down = self.gaps
        part = Floor(self.mask[rows, cols], self.occupied[rows, cols])
        part.__dict__["gaps"] = (across[rows, cols.start : cols.stop - 1], down[rows.start : rows.stop - 1, cols])
        return part


def alike_groups(cells: Cells, apart: float = 7.0) -> list[Bools]:
    """Groups of cells whose middles look alike in colour and coarse structure."""
    rows, cols = cells.shape
    a, b = SIDE // 5, SIDE - SIDE // 5
    middles = cells.patches[:, :, a:b, a:b].reshape(rows * cols * (b - a), b - a, 3)
    coarse: Any = cv2.resize(middles, (4, 4 * rows * cols), interpolation=cv2.INTER_AREA)
    coarse = coarse.reshape(rows * cols, 4, 4, 3)
    left = np.ones(rows * cols, np.bool_)
    groups: list[NDArray[np.bool_]] = []
    first, second = np.triu_indices(rows * cols)
    away = squared_lengths(coarse[first] - coarse[second]).reshape(len(first), -1) < apart * apart
    near = np.empty((rows * cols, rows * cols), np.bool_)
    near[first, second] = near[second, first] = np.count_nonzero(away, axis=1) > away.shape[1] / 2
    while left.any():
        counts = (near & left[None]).sum(axis=1) * left
        pick = int(np.argmax(counts))
        group = near[pick] & left
        groups.append(group.reshape(rows, cols))
        left &= ~group
    return groups


def floor_of(cells: Cells, members: Bools) -> Floor:
    """The reading of the cells with these members as empty cells."""
    some = cells.patches[members]
    template = medians(some.reshape(len(some), -1).T).reshape(some.shape[1:])
    unlike = squared_lengths(cells.patches - template)
    noise = float(np.quantile(medians(np.sqrt(unlike[members]).reshape(len(some), -1)), 0.8))
    mask = unlike > max(FAINT, 3.5 * noise) ** 2
    a, b = SIDE // 5, SIDE - SIDE // 5
    marked = np.count_nonzero(mask[:, :, a:b, a:b], axis=(2, 3))
    return Floor(mask, (marked / (b - a) ** 2).astype(np.float32))


def with_outlined(floor: Floor, places: Places) -> Floor:
    """The same with blocks filled that are drawn as an outline around what looks like the floor.

    Of a block at one of the `places` only those cells may be taken for empty that are, and all around it something
    unlike the floor must run within its cells.
    """
    mask, occupied = floor.mask, floor.occupied
    for x, y, wide, high in places[places[:, 2:].max(axis=1) > 1]:
        block = np.s_[y : y + high, x : x + wide]
        if occupied[block].max() < FREE and _outlined(mask[block].swapaxes(1, 2).reshape(high * SIDE, wide * SIDE)):
            if mask is floor.mask:
                mask, occupied = mask.copy(), occupied.copy()
            flat = np.zeros((high, SIDE, wide, SIDE), np.bool_)
            flat.reshape(high * SIDE, wide * SIDE)[OUTLINE:-OUTLINE, OUTLINE:-OUTLINE] = True
            mask[block] |= flat.swapaxes(1, 2)
            occupied[block] = 1.0
    return floor if mask is floor.mask else Floor(mask, occupied)


def _outlined(mask: Bools) -> bool:
    """Whether marks run along all four sides of a block of pixels, and floor between them and the block's edge.

    What neighbours and their shadows leave in empty cells begins at the edge.
    """
    inner = slice(OUTLINE, -OUTLINE)
    sides = mask[:OUTLINE, inner], mask[::-1][:OUTLINE, inner], mask.T[:OUTLINE, inner], mask.T[::-1][:OUTLINE, inner]
    return all(side.any(axis=0).mean() > AROUND and side[0].mean() < 1 - AROUND for side in sides)


def _gaps(mask: Bools, rows: int, cols: int) -> Bools:
    if cols < 2:
        return np.zeros((rows, 0), np.bool_)
    reach, margin = SIDE // 5, SIDE // 5
    inner = mask.reshape(rows, SIDE, -1)[:, margin : SIDE - margin, SIDE - reach : -reach]
    marked = np.add.reduce(inner, axis=1, dtype=np.uint8).reshape(rows, cols - 1, SIDE)[:, :, : 2 * reach]
    return marked.min(axis=-1) < 0.15 * (SIDE - 2 * margin)
