"""Where a lot ends: at the first line beyond its vehicles along which no floor shows any more.

A lot that is drawn with a frame, or as a plain area on other ground, may have empty rows and columns at its borders.
Such an edge runs along the whole side and lies a whole number of cells from the vehicles. Thin lines between the cells
are no edge, but they end with the lot (`truck_escape_paving`). Many lots have no straight edges at all: vehicles stand
on open ground.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pipeline.extract.bar_lattice import BarLattice, Placed
from pipeline.extract.colour import Lab, distance, median_colour
from pipeline.extract.truck_escape_floor import MARGIN, SIDE, Block, Bools, Cell, Floor
from pipeline.extract.truck_escape_paving import CLEAR, paved_lines

SIDES = ("top", "left", "bottom", "right")

GRAIN, LEAST_GRAIN = 0.9, 4.0
"""Share of the floor that is no farther (ΔE) from its colours than its grain is; and the least grain there is."""

OUTSIDE = 0.06
"""Greatest share of a line of pixels that looks like floor by chance where the lot has ended."""

THICK = 3
"""Pixels (of `SIDE` to a cell) from which on what is no floor is no mere line between cells, where such lines show."""

UNBROKEN = 0.8
"""Share of floor on the borders of free cells from which on no lines are drawn there."""

SHARP, WITHIN = 0.4, 2
"""Share of a line of pixels that is floor, at most so many pixels before the lot has ended: it does not fade out."""

UNEVEN = {3: 0.13, 4: 0.2}
"""How much the rim between the cells and the lot's edge may differ in breadth from side to side, in cells.

By the number of sides that show an edge: it is less likely by chance that all four agree.
"""

FEWEST_SIDES = 3
"""Sides that must show an edge before a further one is missed."""


@dataclass(frozen=True)
class Extent:
    """How many empty lines lie between the lattice and the lot's edge on each of `SIDES`; `hidden` shows no edge.

    On open ground no edge is heeded, and there are none.
    """

    lines: tuple[int | None, ...] = (None,) * len(SIDES)
    hidden: str = ""

    @property
    def is_seen(self) -> bool:
        """Whether the lot's edge is seen on all sides."""
        return None not in self.lines

    def widened(self, fit: BarLattice) -> BarLattice:
        """The lattice, grown to the edges that are seen."""
        top, left, bottom, right = (n or 0 for n in self.lines)
        lattice = fit.lattice.block(-top, -left, fit.lattice.rows + top + bottom, fit.lattice.cols + left + right)
        placed = tuple(replace(p, row=p.row + top, col=p.col + left) for p in fit.placed)
        return replace(fit, lattice=lattice, placed=placed)

    def block(self, cells: Sequence[Cell], shape: tuple[int, int]) -> Block:
        """The block that holds all of some cells and reaches to the edges; `shape` is that of the widened lattice."""
        rows, cols = [row for row, _ in cells], [col for _, col in cells]
        for seen, some, line in zip(self.lines, (rows, cols) * 2, (0, 0, shape[0] - 1, shape[1] - 1), strict=True):
            if seen is not None:
                some.append(line)
        return min(rows), min(cols), max(rows) - min(rows) + 1, max(cols) - min(cols) + 1

    def questions(self) -> list[str]:
        """What must be asked about where the board ends."""
        return [f"Where does the board end at the {self.hidden}? No edge is seen there."] if self.hidden else []


def look_for_edges(floor: Floor, placed: Sequence[Placed], shape: tuple[int, int]) -> Extent:
    """The edges of the lot around the lattice of a floor, `shape` (rows, cols), or where its cells end."""
    if not floor.colours:
        return Extent()
    lines = _edges(floor, placed)
    if lines is None or None in lines:
        paved = paved_lines(floor, placed, shape) or (None,) * len(SIDES)
        if lines is None and any(n is not None for n in paved):
            lines = paved
        elif lines is not None:
            lines = tuple(p if n is None else n for n, p in zip(lines, paved, strict=True))
    if lines is None:
        return Extent()
    return Extent(lines, next((side for side, n in zip(SIDES, lines, strict=True) if n is None), ""))


def _edges(floor: Floor, placed: Sequence[Placed]) -> tuple[int | None, ...] | None:
    """How many lines of cells lie between the lattice and the edge on each side (None: no edge is seen there).

    They count where the rim between cells and edge is equally broad on all sides that show one: other lots were not
    made for their cells, and what lies beyond the vehicles there is open ground. None for all then.
    """
    away = _nearest(floor.flat, floor.colours)
    grain = _grain(away, floor, placed)
    thick = 1 if _floor_on_borders(away <= grain, floor, placed) >= UNBROKEN else THICK
    sides = zip(_outwards(floor.flat), _outwards(away), _outwards(floor.inside), strict=True)
    room = [_room(_floor_shares(flat, off, grain), inside, thick) for flat, off, inside in sides]
    seen = [cells for cells in room if cells is not None]
    if len(seen) < FEWEST_SIDES:
        return None
    rim = _common_rim(seen)
    if max(abs(math.remainder(cells - rim, 1)) for cells in seen) > UNEVEN[len(seen)] / 2:
        return None
    return tuple(None if cells is None else max(0, round(cells - rim)) for cells in room)


def _common_rim(room: Sequence[float]) -> float:
    """The part of a cell, in [−0.5, 0.5), that all of some lengths in cells exceed whole ones by, on average."""
    return float(np.angle(np.exp(2j * np.pi * np.array(room)).mean()) / (2 * np.pi))


def _grain(away: NDArray[np.floating], floor: Floor, placed: Sequence[Placed]) -> float:
    """How far (ΔE) from the floor's colours most of the floor on the lattice is; `away` is how far each pixel is."""
    inner = np.s_[MARGIN * SIDE : -MARGIN * SIDE, MARGIN * SIDE : -MARGIN * SIDE]
    bare = ~floor.dull[inner] & ~(floor.ground_and(placed) & floor.things)[inner]
    return max(LEAST_GRAIN, float(np.quantile(away[inner][bare], GRAIN)) if bare.any() else 0.0)


def _floor_shares(flat: Lab, away: NDArray[np.floating], grain: float) -> NDArray[np.floating]:
    """The share of floor on each line of pixels, from the innermost outwards.

    Floor may become lighter or darker by and by: what is like the floor of the line before is floor.
    """
    shares = np.zeros(len(flat))
    before: Lab | None = None
    for index, line in enumerate(flat):
        like = away[index] <= grain
        if before is not None:
            like |= distance(line, before) <= grain
        shares[index] = like.mean()
        if shares[index] >= 0.5:
            before = median_colour(line[like])
    return shares


def _floor_on_borders(mask: Bools, floor: Floor, placed: Sequence[Placed]) -> float:
    """The median share of floor on the borders between free cells; 0 where there are none."""
    rows, cols = (n // SIDE - 2 * MARGIN for n in mask.shape)
    covered = {cell for p in placed for cell in p.cells()}
    free = {(r, c) for r in range(rows) for c in range(cols)} - covered
    shares = []
    for row, col in sorted(cell for cell in free if floor.share([cell]) < CLEAR):
        top, left = (row + MARGIN) * SIDE, (col + MARGIN) * SIDE
        if (row + 1, col) in free:
            shares.append(mask[top + SIDE - 1 : top + SIDE + 1, left : left + SIDE].mean(axis=1).min())
        if (row, col + 1) in free:
            shares.append(mask[top : top + SIDE, left + SIDE - 1 : left + SIDE + 1].mean(axis=0).min())
    return float(np.median(shares)) if shares else 0.0


def _nearest(flat: Lab, colours: Sequence[Lab]) -> NDArray[np.floating]:
    return np.min([distance(flat, colour) for colour in colours], axis=0)


def _outwards(mask: NDArray[Any]) -> list[NDArray[Any]]:
    """For each of `SIDES` the lines of pixels beyond the lattice, as long as it, from the innermost outwards."""
    cut = MARGIN * SIDE
    return [
        mask[:cut, cut:-cut][::-1],
        mask[cut:-cut, :cut].swapaxes(0, 1)[::-1],
        mask[-cut:, cut:-cut],
        mask[cut:-cut, -cut:].swapaxes(0, 1),
    ]


def _room(shares: NDArray[np.floating], inside: Bools, thick: int) -> float | None:
    """How far beyond the lattice (cells) floor ends for `thick` pixels, at once; None where it does not in the picture.

    `shares` are those of floor on each line of pixels.
    """
    outside = (shares <= OUTSIDE) & inside.all(axis=1)
    run = 0
    for line, ended in enumerate(outside):
        run = run + 1 if ended else 0
        if run == thick:
            edge = line - thick + 1
            sharp = edge <= WITHIN or shares[edge - WITHIN : edge].max() >= SHARP
            return edge / SIDE if sharp else None
    return None
