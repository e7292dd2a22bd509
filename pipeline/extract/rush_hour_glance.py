"""Whether a lattice is worth a close look, told from a few colours of each of its cells.

Most lattices found in pictures of other games are no boards of this one: tubes side by side, equal tiles, letters. A
close look takes long; a glance shows that hardly any occupied cell belongs to a block that was seen.
"""

import numpy as np

from pipeline.extract.colour import Lab, medians, squared_lengths
from pipeline.extract.lattice import Lattice
from pipeline.extract.rush_hour_cells import Bools, Floats
from pipeline.extract.rush_hour_lattice import FEW_BLOCKS, FEW_CELLS, Ints, Support, within

SMALLEST = 0.055
"""Least share of the picture that a board covers; smaller ones are previews, icons and look-alikes."""

EXPLAINED, CLEANLY = 0.35, 0.9
"""Least share of the occupied cells in blocks that were seen; and where those blocks all point the same way."""

ALIKE, OF_ONE = 8.0, 12.0
"""ΔE up to which a cell may be as empty as another one, and up to which neighbours may be of one vehicle."""

FLOORS = 3
"""How many of the largest groups of cells of one colour may be the empty ones."""

SAMPLES = 0.17 + 0.66 * (np.arange(4) + 0.5) / 4
"""Where colours are taken along either side of a cell, in cells: in its middle."""


def promising(lab: Lab, factor: float, support: Support) -> bool:
    """Whether the cells could hold a board; `lab` may be a small picture, `factor` of its pixels for each lattice one.

    With one of the commonest colours as the floor, the blocks seen must cover a good part of the other cells. Where
    vehicles are drawn as one piece a cell, nearly every other cell must have a neighbour of its own colour.
    """
    least = SMALLEST * lab.shape[0] * lab.shape[1] / factor**2
    blocks = [b for b in support.blocks if support.wide or b.rows * b.cols * b.pitch_x * b.pitch_y >= least]
    return any(_could_hold(_colours(lab, block.scaled(factor)), _within(support, block)) for block in blocks)


def _within(support: Support, block: Lattice) -> Ints:
    """The places of the boxes that lie within a block of the support's lattice, as seen from its first cell."""
    row, col = support.lattice.place(*block.origin)
    return within(support.places, round(row), round(col), block.rows, block.cols)


def _colours(lab: Lab, block: Lattice) -> Floats:
    """rows × cols × 3: the median colour of a few pixels in the middle of each cell."""
    down, across = (np.add.outer(np.arange(n), SAMPLES).ravel() for n in (block.rows, block.cols))
    x, y = (np.rint(at).astype(np.intp) for at in block.points(down[:, None], across))
    seen = lab[y.clip(0, lab.shape[0] - 1), x.clip(0, lab.shape[1] - 1)]
    each = seen.reshape(block.rows, len(SAMPLES), block.cols, len(SAMPLES), 3).transpose(0, 2, 4, 1, 3)
    return medians(each.reshape(block.rows, block.cols, 3, -1))


def _could_hold(colours: Floats, places: Ints) -> bool:
    return any(could_be_vehicles(~empty, colours, places) for empty in _floors(colours))


def could_be_vehicles(taken: Bools, colours: Floats, places: Ints) -> bool:
    """Whether these of a block's cells could be vehicles: rows × cols, the cells' colours, and where boxes lie."""
    count = int(taken.sum())
    long = places[:, 2:].max(axis=1) > 1
    blocks, single = places[long], int((~long).sum())
    explained, one_way = _explained(taken, blocks)
    if explained >= (CLEANLY if one_way else EXPLAINED) * count:
        return count > 0
    by_cell = single >= FEW_CELLS and len(blocks) <= FEW_BLOCKS
    return by_cell and _with_neighbour(_pairs(colours), taken) >= CLEANLY * count


def _floors(colours: Floats) -> list[Bools]:
    """The largest groups of cells that are alike: each holds all cells like one of its own."""
    flat = colours.reshape(-1, 3)
    near = squared_lengths(flat[:, None] - flat) < ALIKE**2
    left = np.ones(len(flat), np.bool_)
    found: list[Bools] = []
    while left.any() and len(found) < FLOORS:
        group = near[int(np.argmax((near & left).sum(axis=1) * left))]
        left &= ~group
        found.append(group.reshape(colours.shape[:2]))
    return found


def _explained(taken: Bools, blocks: Ints) -> tuple[int, bool]:
    """How many of the taken cells lie in blocks of only such, and whether those are several that point one way."""
    sums = np.zeros((taken.shape[0] + 1, taken.shape[1] + 1), np.int64)
    sums[1:, 1:] = taken.cumsum(axis=0).cumsum(axis=1)
    (left, top), (right, bottom) = blocks[:, :2].T, (blocks[:, :2] + blocks[:, 2:]).T
    inside = sums[bottom, right] - sums[top, right] - sums[bottom, left] + sums[top, left]
    full = blocks[inside == blocks[:, 2:].prod(axis=1)]
    covered = np.zeros_like(taken)
    for x, y, wide, high in full:
        covered[y : y + high, x : x + wide] = True
    lying = int((full[:, 2] > 1).sum())
    return int(covered.sum()), len(full) > FEW_BLOCKS and lying in (0, len(full))


def _pairs(colours: Floats) -> tuple[Bools, Bools]:
    """Whether neighbours in a row, and in a column, are of one colour."""
    across, down = colours[:, 1:] - colours[:, :-1], colours[1:] - colours[:-1]
    return squared_lengths(across) < OF_ONE**2, squared_lengths(down) < OF_ONE**2


def _with_neighbour(pairs: tuple[Bools, Bools], taken: Bools) -> int:
    """How many of the taken cells have a taken neighbour of their own colour."""
    found = np.zeros_like(taken)
    across, down = pairs[0] & taken[:, 1:] & taken[:, :-1], pairs[1] & taken[1:] & taken[:-1]
    found[:, 1:] |= across
    found[:, :-1] |= across
    found[1:] |= down
    found[:-1] |= down
    return int(found.sum())
