"""The drawn lines of a Color Connect board: which of its cells' sides can be seen."""

from dataclasses import dataclass

import numpy as np

from pipeline.extract.cell_masks import Mask
from pipeline.extract.lattice_edges import Edges

DRAWN = 0.38
"""An edge is drawn when it is at least this strong compared with the board's typical edge."""

FAINTEST = 1.2
"""ΔE76 of a typical edge below which no line is told from noise."""

FAINTEST_STEP = 3.0
"""ΔE76 of a step at an edge below which it may be a glow."""


@dataclass(frozen=True, eq=False)
class Lines:
    """The lines of a block: ridges and steps at its edges, and how strong the board's typical ridge is (ΔE76)."""

    edges: Edges
    steps: Edges
    typical: float

    @property
    def strong(self) -> float:
        """What the plainer ones of the drawn ridges have: a quarter of them is stronger."""
        sides = self.edges.sides()
        closed = sides[self.drawn.all(axis=2)]
        seen = closed[closed >= DRAWN * self.typical]
        return max(self.typical, float(np.percentile(seen, 75))) if seen.size else self.typical

    @property
    def drawn(self) -> Mask:
        """rows × cols × 4 (left, right, top, bottom): whether that side of a cell can be seen."""
        least = DRAWN * self.typical
        return np.asarray((self.edges.sides() >= least) | (self.steps.sides() >= max(least, FAINTEST_STEP)))

    def block(self, rows: slice, cols: slice) -> "Lines":
        """The lines of some rows and columns of cells."""
        return Lines(self.edges.block(rows, cols), self.steps.block(rows, cols), self.typical)
