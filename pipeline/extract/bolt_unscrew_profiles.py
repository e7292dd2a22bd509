"""Bolt Unscrew screens: what a board looks like from its outline inwards, and which of two is seen where both lie.

Rim, shine and inside of a board are the same all around it. So what is seen of it elsewhere foretells what a crossing
would look like with that board on top, whether the boards differ in colour or only in where their rims run.
"""

from dataclasses import dataclass

import cv2
import numpy as np

from pipeline.extract.bolt_unscrew_shapes import Scene, Shape, depths_in, mask_of, outline
from pipeline.extract.bolt_unscrew_sight import Mask
from pipeline.extract.circles import Floats
from pipeline.extract.colour import lengths, median_colour

DEEPEST = 8
"""Pixels from an outline inwards from where on a board looks the same."""

FEWEST = 8
"""Pixels that tell the colour at one distance from the outline."""

UNLIKE = 8.0
"""Least distance (weighted ΔE) of what two boards would show at a pixel, for it to tell them apart."""


@dataclass(frozen=True, eq=False)
class Profile:
    """A board's depths at the pixels of a box (left, top, right, bottom), and the colour at every whole depth.

    `colours` has the shape (`DEEPEST` + 1, 3), in weighted L*a*b*.
    """

    box: tuple[int, int, int, int]
    depths: Floats
    colours: Floats

    def at(self, box: tuple[int, int, int, int]) -> Floats:
        """The depths in a box that lies in the profile's own."""
        left, top, right, bottom = box
        return self.depths[top - self.box[1] : bottom - self.box[1], left - self.box[0] : right - self.box[0]]

    def foretold(self, depths: Floats) -> Floats:
        """The colours of the board's own pixels at some depths (n), (n, 3)."""
        return self.colours[np.minimum(depths, DEEPEST).astype(np.intp)]


def profile_of(scene: Scene, shape: Shape, view: Mask) -> Profile | None:
    """A board's profile from the pixels of it where `view` is set; None where too few are."""
    box = _box(shape, view.shape)
    left, top, right, bottom = box
    if left >= right or top >= bottom:
        return None
    depths = _depths(shape, box)
    seen = (view[top:bottom, left:right] > 0) & (depths >= 0)
    pixels = scene.lab[top:bottom, left:right][seen]
    steps = np.minimum(depths[seen], DEEPEST).astype(np.intp)
    told = np.flatnonzero(np.bincount(steps, minlength=DEEPEST + 1) >= FEWEST)
    if not len(told):
        return None
    colours = np.array([median_colour(pixels[steps == step]) for step in told], np.float32)
    nearest = np.abs(np.arange(DEEPEST + 1)[:, None] - told).argmin(axis=1)
    return Profile(box, depths, colours[nearest])


def outshown(scene: Scene, a: Profile, b: Profile, view: Mask) -> tuple[float, int]:
    """How much more the pixels that lie in two boards, where `view` is set, look like the first one: -1 to 1.

    And how many of them tell.
    """
    left, top = max(a.box[0], b.box[0]), max(a.box[1], b.box[1])
    right, bottom = min(a.box[2], b.box[2]), min(a.box[3], b.box[3])
    if left >= right or top >= bottom:
        return 0.0, 0
    box = left, top, right, bottom
    mine, theirs = a.at(box), b.at(box)
    both = (mine >= 0) & (theirs >= 0) & (view[top:bottom, left:right] > 0)
    pixels = scene.lab[top:bottom, left:right][both]
    first, second = a.foretold(mine[both]), b.foretold(theirs[both])
    gaps = lengths(first - second)
    telling = gaps > UNLIKE
    if not telling.any():
        return 0.0, 0
    nearer = (lengths(pixels - second) - lengths(pixels - first))[telling] / gaps[telling]
    return float(np.clip(nearer, -1, 1).mean()), int(telling.sum())


def _box(shape: Shape, size: tuple[int, ...]) -> tuple[int, int, int, int]:
    points = np.array(outline(shape))
    low, high = np.floor(points.min(axis=0)).astype(int), np.ceil(points.max(axis=0)).astype(int) + 1
    return max(0, int(low[0])), max(0, int(low[1])), min(size[1], int(high[0])), min(size[0], int(high[1]))


def _depths(shape: Shape, box: tuple[int, int, int, int]) -> Floats:
    """How far inside a shape the pixels of a box lie; negative outside."""
    left, top, right, bottom = box
    if shape.kind == "polygon":
        moved = Shape("polygon", tuple((x - left, y - top) for x, y in shape.points))
        inside = cv2.copyMakeBorder(mask_of(moved, (bottom - top, right - left)), 1, 1, 1, 1, cv2.BORDER_CONSTANT)
        return np.asarray(cv2.distanceTransform(inside, cv2.DIST_L2, 3)[1:-1, 1:-1] - 0.5, np.float32)
    x, y = np.meshgrid(np.arange(left, right, dtype=np.float32), np.arange(top, bottom, dtype=np.float32))
    return depths_in(shape, np.stack([x.ravel(), y.ravel()], axis=1)).reshape(x.shape)
