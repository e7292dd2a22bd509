"""Every cell of a candidate floor: floor or wall, how sure, and the one cell that looks like no other of its kind.

The lattice is read with one more ring of cells around the floor, because the ball's own cell (painted, with a ball on
it) may be the only one of its row and is then not part of any flat region.
"""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from pipeline.extract.colour import Lab
from pipeline.extract.lattice_outline import PlanLattice
from pipeline.extract.maze_paint_floor import ALIKE, Floor, filled

Floats = NDArray[np.float64]
Mask = NDArray[np.bool_]

SIDE = 12
"""Samples a side of a cell."""
WALL_ALIKE = 20.0
"""ΔE up to which two pieces of wall count as one material: walls are textured and shaded more often than floors."""


@dataclass(frozen=True)
class Cells:
    """The cells of a lattice with one ring around the floor; arrays have its rows and columns first.

    `share` is the share of floor in a cell's middle, `colour` its median L*a*b*, `patch` its samples. `wall` is the
    colour of what the floor is bounded by, `uniform` how much of the boundary is of one colour on each side of the
    floor, `like_wall` which cells look like it.
    """

    lattice: PlanLattice
    share: Floats
    colour: Lab
    patch: Lab
    wall: Lab
    uniform: float
    like_wall: Mask

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

    def beside_floor(self) -> Mask:
        """Cells that are no floor and share a side with floor."""
        kernel = np.array([[0, 1, 0], [1, 0, 1], [0, 1, 0]], np.uint8)
        near = cv2.dilate(self.floor.astype(np.uint8), kernel).astype(bool)
        return np.asarray(near & ~self.floor)


def read_cells(floor: Floor, lab: Lab) -> Cells:
    """Sample the candidate's cells."""
    lattice = floor.plan.lattice.block(-1, -1, floor.plan.lattice.rows + 2, floor.plan.lattice.cols + 2)
    patch = lattice.sampled(lab, SIDE, 0.1).astype(np.float32)
    inside = lattice.sampled(floor.mask.astype(np.uint8), SIDE, 0.25)
    share = inside.reshape(lattice.rows, lattice.cols, -1).mean(axis=2).astype(np.float64)
    middle = patch[:, :, 3:-3, 3:-3].reshape(lattice.rows, lattice.cols, -1, 3)
    colour = np.median(middle, axis=2).astype(np.float32)
    beside, uniform = _boundary(floor, lab)
    wall = _wall_colour(share, colour, beside)
    alike = np.linalg.norm(middle - wall, axis=3) < WALL_ALIKE
    like_wall = (np.linalg.norm(colour - wall, axis=2) < WALL_ALIKE) | (alike.mean(axis=2) > 0.5)
    return Cells(lattice, share, colour, patch, wall, uniform, like_wall)


def _boundary(floor: Floor, lab: Lab) -> tuple[Lab, float]:
    """What lies just outside the floor: its commonest colour, and how uniform it is.

    Light falls on raised walls from one side, so each direction has a colour of its own; and a board may lie on a page
    of another colour than the blocks that stand on it.
    """
    wide, high = floor.plan.lattice.pitch
    near, far = max(2, round(0.12 * min(wide, high))), max(3, round(0.26 * min(wide, high)))
    inside = floor.mask.astype(np.uint8)
    outside = ~_grown(inside, near) & 1
    holes = filled(floor.mask, float("inf")).astype(np.uint8)
    samples, weight, agreeing = [], 0, 0.0
    for shift in ((0, 1), (0, -1), (1, 0), (-1, 0)):
        for where in (holes, 1 - holes):
            band = (_moved(inside, shift, far) & outside & where).astype(bool)
            seen = lab[band]
            seen = seen[:: len(seen) // 600 + 1]
            if len(seen) < 12:
                continue
            samples.append(seen)
            weight += int(band.sum())
            agreeing += float((np.linalg.norm(seen - _mode(seen), axis=1) < WALL_ALIKE).mean()) * int(band.sum())
    if not samples:
        return np.zeros(3, np.float32), 0.0
    return _mode(np.concatenate(samples)), agreeing / weight


def _grown(mask: NDArray[np.uint8], by: int) -> NDArray[np.uint8]:
    return cv2.dilate(mask, np.ones((2 * by + 1, 2 * by + 1), np.uint8))


def _moved(mask: NDArray[np.uint8], shift: tuple[int, int], by: int) -> NDArray[np.uint8]:
    """The mask moved by some pixels along (rows, cols)."""
    warp = np.array([[1, 0, shift[1] * by], [0, 1, shift[0] * by]], np.float64)
    return cv2.warpAffine(mask, warp, mask.shape[::-1], flags=cv2.INTER_NEAREST)


def _mode(colours: Lab) -> Lab:
    """The colour with the most others close by, refined to their median."""
    some = colours[:: max(1, len(colours) // 120)]
    near = np.linalg.norm(some[:, None] - colours[None, :: max(1, len(colours) // 600)], axis=2) < ALIKE
    centre = some[int(near.sum(axis=1).argmax())]
    return np.median(colours[np.linalg.norm(colours - centre, axis=1) < ALIKE], axis=0).astype(np.float32)


def _wall_colour(share: Floats, colour: Lab, beside: Lab) -> Lab:
    """The mode of the cells between floor, where there are enough of them; else of the boundary."""
    inner = colour[1:-1, 1:-1][share[1:-1, 1:-1] < 0.2]
    return _mode(inner) if len(inner) >= 3 else beside


def oddness(cells: Cells, members: Mask) -> Floats:
    """For each cell of `members` the mean ΔE of its samples from the most similar typical cell; 0 elsewhere.

    Typical are the medians, sample by sample, of the cells near each of up to three colours.
    """
    found = np.zeros(members.shape)
    places = np.argwhere(members)
    if len(places) < 3:
        return found
    patches = cells.patch[members].reshape(len(places), -1, 3)
    best = np.full(len(places), np.inf)
    left = np.ones(len(places), bool)
    colours = cells.colour[members]
    for _ in range(3):
        if left.sum() < 2:
            break
        centre = _mode(colours[left])
        alike = np.linalg.norm(colours - centre, axis=1) < ALIKE
        if alike.sum() < 2:
            break
        typical = np.median(patches[alike], axis=0)
        best = np.minimum(best, np.linalg.norm(patches - typical, axis=2).mean(axis=1))
        left &= ~alike
    found[members] = np.where(np.isfinite(best), best, 0)
    return found
