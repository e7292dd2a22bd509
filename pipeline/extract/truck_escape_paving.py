"""Cells that are drawn on the ground of a lot, as lines between them or as lighter and darker ones by turns.

Where they end the lot ends, though its edge hardly stands out from what is around it. They are looked for on the
borders of two free cells: the colour of the border itself against that of its sides, and that of one side against the
other. One border shows little; what most of them have in common is drawn there.
"""

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from pipeline.extract.bar_lattice import Placed
from pipeline.extract.colour import median_colours
from pipeline.extract.truck_escape_floor import MARGIN, SIDE, Cell, Floor

Floats = NDArray[np.float32]

FEWEST_BORDERS = 4
"""Borders of free cells that prove what the ground looks like."""

FAINTEST = 0.25
"""ΔE from which on what most borders have in common is no noise."""

COMMON = 0.75
"""Share of the borders that must show it."""

GOES_ON, ENDED = 0.5, 0.2
"""Mean strength, where that within the lot is 1, from which on a line of cells is paved, and up to which it is not."""

CLEAR = 0.15
"""Share of a cell's middle that things cover at most where its ground is looked at."""


def paved_lines(floor: Floor, placed: Sequence[Placed], shape: tuple[int, int]) -> tuple[int | None, ...] | None:
    """How many lines of cells are drawn beyond a lattice of `shape` (rows, cols): top, left, bottom, right.

    None for a side on which they do not clearly end within `MARGIN` cells; None for all when no cells are drawn at all.
    """
    rows, cols = shape
    covered = {cell for p in placed for cell in p.cells()}
    grown = (
        _borders(floor, {(r, c) for r in range(-n, rows + n) for c in range(-n, cols + n)} - covered) for n in (0, 1)
    )
    usual = _in_common(next((borders for borders in grown if len(borders) >= FEWEST_BORDERS), None))
    if usual is None:
        return None
    sides = (
        [[(-1 - n, c) for c in range(cols)] for n in range(MARGIN)],
        [[(r, -1 - n) for r in range(rows)] for n in range(MARGIN)],
        [[(rows + n, c) for c in range(cols)] for n in range(MARGIN)],
        [[(r, cols + n) for r in range(rows)] for n in range(MARGIN)],
    )
    return tuple(_paved(floor, lines, usual) for lines in sides)


def _paved(floor: Floor, lines: Sequence[Sequence[Cell]], usual: Floats) -> int | None:
    """How many of some lines of cells, from the innermost outwards, are paved; None when all are."""
    for number, line in enumerate(lines):
        if not all(_is_seen(floor, cell) for cell in line):
            return None
        # A border that things hide shows no cells: beyond its edge a lot is often framed by them.
        shown = float((_borders(floor, line) @ usual).sum() / (usual @ usual)) / max(1, len(line) - 1)
        if shown < GOES_ON:
            return number if shown < ENDED else None
    return None


def _in_common(borders: Floats | None) -> Floats | None:
    """What most borders show; None when that is nothing."""
    if borders is None:
        return None
    usual = np.median(borders, axis=0)
    size = float(usual @ usual)
    agree = (borders @ usual > GOES_ON * size).mean()
    return usual if size > FAINTEST**2 and agree >= COMMON else None


def _borders(floor: Floor, cells: Iterable[Cell]) -> Floats:
    """For each border between two neighbours among cells: line and step in L*a*b*, n × 6.

    Steps are from the lighter to the darker cell if cells alternate: their sign changes from cell to cell.
    """
    clear = {cell for cell in cells if _is_seen(floor, cell) and floor.share([cell]) < CLEAR}
    found = []
    for row, col in sorted(clear):
        sign = 1 if (row + col) % 2 else -1
        for across in ((row, col + 1), (row + 1, col)):
            if across in clear:
                near, line, far = _strips(floor, (row, col), level=across[0] == row)
                found.append(np.concatenate([line - (near + far) / 2, sign * (far - near)]))
    return np.array(found, np.float32).reshape(-1, 6)


def _is_seen(floor: Floor, cell: Cell) -> bool:
    """Whether a cell lies in the picture."""
    top, left = ((n + MARGIN) * SIDE for n in cell)
    return bool(floor.inside[top : top + SIDE, left : left + SIDE].all())


def _strips(floor: Floor, cell: Cell, *, level: bool) -> list[Floats]:
    """The colours of the near side, the border itself and the far side of the border behind a cell."""
    top, left = ((n + MARGIN) * SIDE for n in cell)
    along = slice(SIDE // 4, SIDE - SIDE // 4)
    ends = ((SIDE - 6, SIDE - 3), (SIDE - 2, SIDE + 2), (SIDE + 3, SIDE + 6))
    flat = floor.flat[top:, left:] if level else floor.flat[top:, left:].swapaxes(0, 1)
    # A thin line fills only a part of the border's breadth: there a median would not see it.
    return [median_colours(flat[along, a:b].swapaxes(0, 1)).mean(axis=0) for a, b in ends]
