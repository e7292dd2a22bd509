"""A floor with its cells and ball, and what tells a maze from panels, buttons, pipes and walls taken for floor."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from pipeline.extract.maze_paint_ball import Maze, find_ball
from pipeline.extract.maze_paint_cells import Cells, open_to
from pipeline.extract.maze_paint_floor import ALIKE, Floor

LEAST_UNIFORM, SURE_UNIFORM = 0.78, 0.92
"""Shares of the floor's boundary that are of one material: less is no maze, less is a question."""
LEAST_FIT = 0.72
LEAST_PURITY = 0.97
SQUARE = 0.996
"""Purity of a floor whose cells are square to their corners, or rounded by little."""
LEAST_SIDE = 3
"""Cells a side of the smallest maze."""
LABEL_SIDE = 3
"""Cells across a floor that runs around one line of marks."""
EQUAL = 4.0
"""ΔE up to which two flat cells are of one colour but for noise."""


@dataclass(frozen=True)
class Candidate:
    """A floor on its lattice; `purity` is the mean share of floor or of wall in its cells, whichever is larger."""

    floor: Floor
    cells: Cells
    purity: float

    @cached_property
    def maze(self) -> Maze:
        """Its floor and ball; looked for where the rest holds together."""
        return find_ball(self.cells)

    @property
    def score(self) -> float:
        """Area explained, discounted for what does not fit."""
        return float(self.floor.mask.sum()) * self.cells.uniform**2 * self.floor.plan.fit * self.purity

    def fault(self) -> str:
        """Why this is no maze, or nothing."""
        if self.cells.uniform < LEAST_UNIFORM:
            return "what bounds its flat floor is not of one material"
        if self.purity < LEAST_PURITY or self.floor.plan.fit < LEAST_FIT:
            return "its flat regions do not follow a lattice of cells"
        if self.cells.floor.any(axis=1).sum() < LEAST_SIDE or self.cells.floor.any(axis=0).sum() < LEAST_SIDE:
            return "it is only a few cells wide"
        if self._is_a_box():
            return "there is no wall in it"
        if self._is_labelled():
            return "what it encloses is one line of marks, as on a button"
        if self._is_a_pipe():
            return "its floor is one line with round bends or ends, as a pipe is"
        if len(self.maze.covered) > 1:
            return "something covers cells of the maze, or they are of several kinds"
        if self._looks_inside_out():
            return "some of its walls are of the floor's own colour"
        return ""

    def _is_a_box(self) -> bool:
        """Whether the floor fills a rectangle: that is a panel or a page, not a maze."""
        floor = self.maze.floor
        return int(floor.sum()) == int(floor.any(axis=1).sum()) * int(floor.any(axis=0).sum())

    def _is_labelled(self) -> bool:
        """Whether floor runs all around a single row or column of walls: those are letters or signs on a button."""
        floor = self.maze.floor
        return self.is_rimmed() and min(int(floor.any(axis=1).sum()), int(floor.any(axis=0).sum())) <= LABEL_SIDE

    def _is_a_pipe(self) -> bool:
        """Whether the floor is one line without a branch whose corners or ends are not those of cells."""
        floor = self.maze.floor
        joints = int((floor[1:] & floor[:-1]).sum()) + int((floor[:, 1:] & floor[:, :-1]).sum())
        return joints < int(floor.sum()) and self.purity < SQUARE

    def _looks_inside_out(self) -> bool:
        """Whether cells inside or beside it that are no floor look like floor: then this is wall or a part."""
        colours, floor = np.array(self.floor.colours), self.maze.floor
        nearest = np.linalg.norm(self.cells.colour[..., None, :] - colours, axis=3).min(axis=2)
        # A page may come near the floor's colour where it is no floor, so that what is beside must equal it and reach
        # the floor without wall between; without a ball the reading is asked about anyway.
        walls, ring = ~floor & self.cells.flat, self.cells.ring
        if (nearest[walls & ~ring] < ALIKE).any():
            return True
        beside = walls & ring & open_to(floor, self.cells.patch, colours)
        return bool(self.maze.ball and (nearest[beside] < EQUAL).any())

    @property
    def openness(self) -> float:
        """Squares of 2 × 2 cells of floor per cell of floor: 0 for corridors, near 1 for a hall."""
        floor = self.maze.floor
        squares = floor[1:, 1:] & floor[1:, :-1] & floor[:-1, 1:] & floor[:-1, :-1]
        return float(squares.sum() / max(1, floor.sum()))

    def is_rimmed(self) -> bool:
        """Whether floor runs all around, as the rim of a board does that holds the real floor."""
        floor = self.maze.floor[self.maze.floor.any(axis=1)][:, self.maze.floor.any(axis=0)]
        return bool(floor[[0, -1]].all() and floor[:, [0, -1]].all())

    def meets(self, other: "Candidate") -> bool:
        """Whether the two floors have a good part of the smaller one in common."""
        common, smaller = self.floor.mask & other.floor.mask, min(self.floor.mask.sum(), other.floor.mask.sum())
        return int(common.sum()) > 0.2 * int(smaller)

    def inverts(self, other: "Candidate") -> bool:
        """Whether one of the two floors lies in the other's box and is no part of it: each is the other's wall."""
        mine, theirs = self.floor.mask, other.floor.mask
        small, large = sorted((mine, theirs), key=lambda mask: int(mask.sum()))
        rows, cols = np.flatnonzero(large.any(axis=1)), np.flatnonzero(large.any(axis=0))
        inside = int(small[rows[0] : rows[-1] + 1, cols[0] : cols[-1] + 1].sum())
        return inside > 0.5 * int(small.sum()) and int((small & large).sum()) < 0.5 * int(small.sum())
