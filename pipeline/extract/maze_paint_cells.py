"""Every cell of a candidate floor: floor or wall, how sure, and the one cell that looks like no other of its kind.

The lattice is read with one more ring of cells around the floor, because the ball's own cell (painted, with a ball on
it) may be the only one of its row and is then not part of any flat region.
"""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from pipeline.extract.colour import Lab, lengths, median_colour, median_colours, squared_lengths
from pipeline.extract.maze_paint_floor import ALIKE, Floor
from pipeline.extract.plan_lattice import PlanLattice

Floats = NDArray[np.float64]
Mask = NDArray[np.bool_]

SIDE = 12
"""Samples a side of a cell."""
RIM = 2
"""Samples at each side of a cell that tell nothing of what stands in it: raised walls may hide or shade them."""
WALL_ALIKE = 20.0
"""ΔE up to which two pieces of wall count as one material: walls are textured and shaded more often than floors."""


@dataclass(frozen=True)
class Cells:
    """The cells of a lattice with one ring around the floor; arrays have its rows and columns first.

    `share` is the share of floor in a cell's middle, `colour` its median L*a*b*, `patch` its samples, `flat` whether
    its middle is of one colour. `uniform` is how much of the floor's boundary is of one material, `strange` says which
    cells meet the floor with something else: more floor of another colour, the ball, or what covers the maze. `walls`
    are the colours (n × 3) of what bounds the floor, and `enclosed_alike` says that those it encloses are those around.
    """

    lattice: PlanLattice
    share: Floats
    colour: Lab
    patch: Lab
    flat: Mask
    uniform: float
    strange: Mask
    walls: Lab
    enclosed_alike: bool

    @property
    def floor(self) -> Mask:
        """Cells that are mostly floor."""
        return self.share > 0.5

    @property
    def ring(self) -> Mask:
        """The added cells."""
        ring = np.ones(self.share.shape, bool)
        ring[1:-1, 1:-1] = False
        return ring


def read_cells(floor: Floor, lab: Lab) -> Cells:
    """Sample the candidate's cells."""
    lattice = floor.plan.lattice.block(-1, -1, floor.plan.lattice.rows + 2, floor.plan.lattice.cols + 2)
    patch = lattice.sampled(lab, SIDE, 0.1).astype(np.float32)
    # Cells are compared by means of four samples: a thin line on the floor would be met by single ones by chance.
    fine = lattice.sampled(lab, 2 * SIDE, 0.1).astype(np.float32)
    fine = fine[:, :, ::2] + fine[:, :, 1::2]
    means = np.asarray((fine[:, :, :, ::2] + fine[:, :, :, 1::2]) / 4, np.float32)
    inside = lattice.sampled(floor.mask.astype(np.uint8), SIDE, 0.25)
    share = inside.reshape(lattice.rows, lattice.cols, -1).mean(axis=2).astype(np.float64)
    middle = patch[:, :, 3:-3, 3:-3].reshape(lattice.rows, lattice.cols, -1, 3)
    colour = median_colours(middle)
    flat = (lengths(middle - colour[:, :, None]) < ALIKE).mean(axis=2) > 0.8
    uniform, strange, modes, alike = _boundary(share > 0.5, patch)
    # A raised wall may show its front to the floor; its top is wall like any other.
    top = lengths(colour[:, :, None] - modes).min(axis=2, initial=np.inf) < WALL_ALIKE
    strange &= ~(top & flat)
    return Cells(lattice, share, colour, means, flat, uniform, strange, modes, alike)


def _boundary(floor: Mask, patch: Lab) -> tuple[float, Mask, Lab, bool]:
    """How uniform the strips just outside the floor are, the cells whose strips are of another material, the colours
    of the materials (n × 3), and whether what is enclosed is of the same material as what is outside.

    Light falls on raised walls from one side, so each direction has a colour of its own; and a board may lie on a page
    of another colour than the blocks that stand on it, so does what is outside and what is enclosed.
    """
    _, parts = cv2.connectedComponents((~floor).astype(np.uint8), connectivity=4)
    outer = parts == parts[0, 0]
    groups: list[tuple[NDArray[np.intp], Lab]] = []
    sides: list[tuple[tuple[int, int], bool]] = []
    for (down, right), strip in _STRIPS.items():
        meets = ~floor & np.roll(floor, (-down, -right), (0, 1))
        for outside in (True, False):
            cells = np.argwhere(meets & (outer == outside))
            if len(cells):
                seen = patch[cells[:, 0], cells[:, 1]][(slice(None), *strip)].reshape(len(cells), -1, 3)
                groups.append((cells, median_colours(seen)))
                sides.append(((down, right), outside))
    if not groups:
        return 0.0, np.zeros(floor.shape, bool), np.zeros((0, 3), np.float32), True
    pooled = _mode(np.concatenate([colours for _, colours in groups]))
    modes = [_mode(colours) if len(colours) >= 4 else pooled for _, colours in groups]
    strange, agreeing, total = np.zeros(floor.shape, bool), 0, 0
    for (cells, colours), mode in zip(groups, modes, strict=True):
        agreeing += int((lengths(colours - mode) < WALL_ALIKE).sum())
        total += len(cells)
        nearest = lengths(colours[:, None] - np.array(modes)[None]).min(axis=1)
        odd = cells[nearest >= WALL_ALIKE]
        strange[odd[:, 0], odd[:, 1]] = True
    of_side = dict(zip(sides, (_mode(colours) for _, colours in groups), strict=True))
    pairs = [(of_side[way, True], of_side[way, False]) for way in _STRIPS if {(way, True), (way, False)} <= set(sides)]
    alike = not pairs or float(np.median([np.linalg.norm(a - b) for a, b in pairs])) < WALL_ALIKE
    return agreeing / total, strange, np.array(modes), alike


def open_to(floor: Mask, patch: Lab, colours: Lab) -> Mask:
    """The cells beside the floor that are of one of some colours (n × 3) right up to it, with no wall between."""
    found = np.zeros(floor.shape, bool)
    for (down, right), strip in _STRIPS.items():
        at = np.argwhere(~floor & np.roll(floor, (-down, -right), (0, 1)))
        if len(at):
            seen = median_colours(patch[at[:, 0], at[:, 1]][(slice(None), *strip)].reshape(len(at), -1, 3))
            near = at[lengths(seen[:, None] - colours).min(axis=1) < ALIKE]
            found[near[:, 0], near[:, 1]] = True
    return found


_STRIPS: dict[tuple[int, int], tuple[slice, slice]] = {
    (-1, 0): (slice(0, 3), slice(2, -2)),
    (1, 0): (slice(-3, None), slice(2, -2)),
    (0, -1): (slice(2, -2), slice(0, 3)),
    (0, 1): (slice(2, -2), slice(-3, None)),
}
"""For the direction (rows, cols) in which floor lies, the strip of a cell's samples next to it."""


def _mode(colours: Lab) -> Lab:
    """The colour with the most others close by, refined to their median."""
    some = colours[:: len(colours) // 80 + 1]
    near = squared_lengths(some[:, None] - colours[None, :: len(colours) // 200 + 1]) < ALIKE**2
    centre = some[int(near.sum(axis=1).argmax())]
    return median_colour(colours[squared_lengths(colours - centre) < ALIKE**2])


def oddness(cells: Cells, members: Mask) -> Floats:
    """For each cell of `members` the mean ΔE of its samples from the most similar typical cell; 0 elsewhere.

    Typical are the medians, sample by sample, of the cells near each of up to three colours.
    """
    found = np.zeros(members.shape)
    places = np.argwhere(members)
    if len(places) < 3:
        return found
    patches = cells.patch[members][:, RIM:-RIM, RIM:-RIM].reshape(len(places), -1, 3)
    best = np.full(len(places), np.inf)
    left = np.ones(len(places), bool)
    colours = cells.colour[members]
    for _ in range(3):
        if left.sum() < 2:
            break
        centre = _mode(colours[left])
        alike = lengths(colours - centre) < ALIKE
        if alike.sum() < 2:
            break
        typical = median_colours(patches[alike].swapaxes(0, 1))
        best = np.minimum(best, lengths(patches - typical).mean(axis=1))
        left &= ~alike
    found[members] = np.where(np.isfinite(best), best, 0)
    return found
