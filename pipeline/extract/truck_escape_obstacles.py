"""What stands on the free cells of a lot: obstacles, each with the probability that it is one, and what must be asked.

An obstacle is a compact thing about the middle of a cell. It may be as dull as a shadow; then it must stand apart from
everything else, while a shadow begins at a vehicle or runs on into the next cell.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from pipeline.extract.bar_lattice import Placed
from pipeline.extract.truck_escape_floor import Block, Cell, Floor, Thing, dull_things, things_left

PLAIN, OFF = 0.97, 0.2
"""Probability that a thing is an obstacle which covers a good part of a cell and is off its middle by at most `OFF`."""

UPRIGHT = 0.06
"""How much farther off along its column a thing may be: what stands upright is seen with its foot in the middle."""

LEAST_SIDE = 0.25
"""Cells; what is narrower is likely a mark on the ground."""

DOUBT = 0.3
"""What it costs a thing that it seems to go on beyond the board, or that it is pale."""

PALE = 14.0
"""ΔE from the floor up to which a thing may be colour that compression carried over from beside it."""

SHADE = 0.3
"""Share of the middle of a cell from which on darkness there is asked about."""


@dataclass(frozen=True)
class Obstacle:
    """A cell of the board that nothing can cross, and the probability of that."""

    cell: Cell
    sure: float


def find_obstacles(floor: Floor, placed: Sequence[Placed], block: Block) -> tuple[list[Obstacle], list[str]]:
    """The obstacles of the board, which is a block of the lattice, in reading order; and questions."""
    taken = {cell for p in placed for cell in p.cells()}
    sure: dict[Cell, float] = {}
    odd = []
    for thing in things_left(floor, placed, block):
        if thing.centred:
            doubts = _is_cut(thing, block) + (floor.paint_of(thing, np.array(floor.colours)) < PALE)
            sure[thing.cell] = max(sure.get(thing.cell, 0.0), _likely(thing) - DOUBT * doubts)
        elif min(thing.height, thing.width) > 0.4:
            odd.append(thing.cell)
    for thing in dull_things(floor, placed, block):
        if thing.centred and thing.cell not in sure:
            sure[thing.cell] = _likely(thing)
    top, left, rows, cols = block
    free = [(r, c) for r in range(top, top + rows) for c in range(left, left + cols) if (r, c) not in taken]
    shaded = [cell for cell in free if cell not in sure and cell not in odd and floor.shaded(*cell) > SHADE]
    questions = [f"What stands about {_name(c, block)}? It is neither a vehicle nor an obstacle." for c in odd]
    questions += [f"Does anything stand at {_name(c, block)}, or is that a shadow?" for c in shaded]
    obstacles = [Obstacle((r - top, c - left), sure[r, c]) for r, c in free if (r, c) in sure]
    return obstacles, questions


def _likely(thing: Thing) -> float:
    off = max(abs(thing.row % 1 - 0.5) - UPRIGHT, abs(thing.col % 1 - 0.5))
    small = max(0.0, LEAST_SIDE - min(thing.height, thing.width))
    return PLAIN - 2 * max(0.0, off - OFF) - 2 * small


def _is_cut(thing: Thing, block: Block) -> bool:
    """Whether a thing fills its cell's outer side: then it goes on beyond the board and may be a vehicle."""
    top, left, rows, cols = block
    ends = (
        (thing.row - thing.height / 2 - top, thing.width),
        (top + rows - thing.row - thing.height / 2, thing.width),
        (thing.col - thing.width / 2 - left, thing.height),
        (left + cols - thing.col - thing.width / 2, thing.height),
    )
    return any(gap < 0.05 and wide > 0.7 for gap, wide in ends)


def _name(cell: Cell, block: Block) -> str:
    return f"row {cell[0] - block[0]}, column {cell[1] - block[1]}"
