"""Bolt Unscrew screens: what of a picture boards that lie on one another are held against, and what they hide."""

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from pipeline.extract.bolt_unscrew_shapes import Scene, Shape, mask_of
from pipeline.extract.circles import LEAST_STEP

Mask = NDArray[np.uint8]

MARGIN = 4
"""Pixels outside and inside an outline where its edges, rim and shadow lie."""

HIDDEN = 6
"""Pixels around a board that its rim and shadow hide."""

EDGE = 2.5
"""Pixels that the edge of a screw reaches outwards."""

ONE_COLOUR = 12.0
"""Distance (weighted ΔE) of colours within one board."""


@dataclass(frozen=True, eq=False)
class Sight:
    """What a stack is held against: the picture, where something covers the panel, where no screw is, and edges.

    The masks are 255 inside. `unscrewed` is all but the screws, `clear` all but the screws and their shadows.
    """

    scene: Scene
    cover: Mask
    unscrewed: Mask
    clear: Mask
    steep: Mask


def sight_of(scene: Scene, covers: Sequence[Mask]) -> Sight:
    """The picture's edges and screws, for judging boards where `covers` (255 inside) lie on the panel."""
    size = scene.lab.shape[:2]
    unscrewed, clear = np.full(size, 255, np.uint8), np.full(size, 255, np.uint8)
    for screw in scene.spots.screws:
        x, y, radius = screw.circle.x, screw.circle.y, screw.circle.radius
        for mask, reach in ((unscrewed, radius + EDGE), (clear, max(1.35 * radius, radius + MARGIN))):
            cv2.circle(mask, (round(x), round(y)), round(reach), 0, -1)
    steep = (cv2.magnitude(scene.across, scene.down) > 2 * LEAST_STEP).astype(np.uint8) * 255
    return Sight(scene, np.bitwise_or.reduce([np.zeros(size, np.uint8), *covers]), unscrewed, clear, steep)


def hide(free: Mask, shape: Shape, around: float = HIDDEN) -> None:
    """Take what a board hides, and pixels around it (its rim and shadow), out of what is still in view, in place."""
    free[mask_of(shape, free.shape, shrink=-around) > 0] = 0
