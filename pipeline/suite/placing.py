"""Where a grid of cells stands in the board's square, and which of its cells a finger means. Pixels of the square."""

import math
from collections.abc import Container
from dataclasses import dataclass

from pipeline.core.canonical import Json
from pipeline.suite.gestures import BOARD, Point

MARGIN = 40
"""Pixels a board keeps from every side of its square."""
_RIM = 0.5
"""Cells beyond the border that still count as the cell at the border."""
_SLOP = 0.3
"""Cells by which a press may miss what it means, as far as it hits nothing else."""
_FAR = 1e6
"""Points are drawn in to this distance, so that no arithmetic overflows."""

Cell = tuple[int, int]


@dataclass(frozen=True)
class Grid:
    """`rows` × `cols` square cells of `cell` pixels, the first one's corner at (left, top)."""

    rows: int
    cols: int
    left: int
    top: int
    cell: int

    def layout(self) -> dict[str, Json]:
        """What the page needs to know; it takes rows and columns from the view."""
        return {"left": self.left, "top": self.top, "cell": self.cell}

    def center(self, cell: Cell) -> Point:
        """The middle of a cell."""
        return self.left + (cell[1] + 0.5) * self.cell, self.top + (cell[0] + 0.5) * self.cell

    def middle(self, first: Cell, last: Cell) -> Point:
        """The middle of a box of cells given by two opposite corners."""
        (ax, ay), (bx, by) = self.center(first), self.center(last)
        return (ax + bx) / 2, (ay + by) / 2

    def cell_at(self, point: Point) -> Cell | None:
        """The cell under a point, up to half a cell beyond the border; None farther out."""
        x, y = self._in_cells(point)
        if -_RIM <= x <= self.cols + _RIM and -_RIM <= y <= self.rows + _RIM:
            return self._clamped(x, y)
        return None

    def near(self, point: Point, wanted: Container[Cell]) -> Cell | None:
        """The wanted cell that a press means: the one under it, else the nearest within a third of a cell."""
        x, y = self._in_cells(point)
        row, col = math.floor(y), math.floor(x)
        around = [(row + i, col + j) for i in (-1, 0, 1) for j in (-1, 0, 1)]
        gaps = [(_gap(x, y, cell), cell) for cell in around if cell in wanted]
        return min((found for found in gaps if found[0] <= _SLOP), default=(0.0, None))[1]

    def trail(self, start: Point, end: Point) -> list[Cell]:
        """The cells a pointer crosses on the straight way between two points, each beside the one before it.

        A way cut into pieces crosses the same cells. Where it leads exactly through a corner, sideways comes first.
        Beyond the border it counts as in `cell_at`; the cells are then not beside each other where it comes back
        elsewhere.
        """
        (ax, ay), (bx, by) = self._in_cells(start), self._in_cells(end)
        inside = _clip((ax, ay), (bx - ax, by - ay), (self.cols, self.rows))
        if inside is None:
            return []
        first, last = inside
        cuts = [first, last]
        for a, b, lines in ((ax, bx, self.cols), (ay, by, self.rows)):
            cuts += [(line - a) / (b - a) for line in range(1, lines) if min(a, b) < line < max(a, b)]
        cuts = sorted(cut for cut in cuts if first <= cut <= last)
        cells: list[Cell] = []
        for before, after in zip([first, *cuts], [*cuts, last], strict=True):
            t = (before + after) / 2
            cell = self._clamped(ax + t * (bx - ax), ay + t * (by - ay))
            if cells and cell[0] != cells[-1][0] and cell[1] != cells[-1][1]:
                cells.append((cells[-1][0], cell[1]))
            if not cells or cell != cells[-1]:
                cells.append(cell)
        return cells

    def _in_cells(self, point: Point) -> Point:
        x, y = (max(-_FAR, min(_FAR, value)) for value in point)
        return (x - self.left) / self.cell, (y - self.top) / self.cell

    def _clamped(self, x: float, y: float) -> Cell:
        return max(0, min(self.rows - 1, math.floor(y))), max(0, min(self.cols - 1, math.floor(x)))


def fit(rows: int, cols: int, margin: int = MARGIN) -> Grid:
    """The largest grid that keeps `margin` pixels from every side, in the middle of the square."""
    cell = (BOARD - 2 * margin) // max(rows, cols)
    return Grid(rows, cols, (BOARD - cols * cell) // 2, (BOARD - rows * cell) // 2, cell)


def _gap(x: float, y: float, cell: Cell) -> float:
    """How far a point is from a cell, in cells; 0 on it."""
    return math.hypot(max(cell[1] - x, 0.0, x - cell[1] - 1), max(cell[0] - y, 0.0, y - cell[0] - 1))


def _clip(start: Point, way: Point, size: Point) -> tuple[float, float] | None:
    """The part of start + t · way, t in [0, 1], within the rim of a grid of `size`, as t from and to; None when none.

    The slab method: each pair of opposite sides bounds t.
    """
    first, last = 0.0, 1.0
    for a, d, length in zip(start, way, size, strict=True):
        if d == 0:
            if not -_RIM <= a <= length + _RIM:
                return None
            continue
        near, far = sorted(((-_RIM - a) / d, (length + _RIM - a) / d))
        first, last = max(first, near), min(last, far)
    return (first, last) if first <= last else None
