"""Bolt Unscrew screens: whether the boards that were read explain all that is seen of boards that lie on one another.

The boards are laid down in their order, and what would then be in view is held against the picture: all that covers
the panel is some board, no board covers panel that is seen, every outline in view shows an edge, every board in view
has one colour, and no other edge runs through it. A board that others hide wholly leaves no trace, here or to the eye.
"""

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from pipeline.extract.bolt_unscrew_layers import POINT_STEP, edge_along
from pipeline.extract.bolt_unscrew_shapes import FoundBoard, Scene, Shape, mask_of
from pipeline.extract.circles import LEAST_STEP

Mask = NDArray[np.uint8]

MARGIN, INNER = 4, 6
"""Pixels outside and inside an outline where its edges, rim and shadow lie."""

BEYOND = 0.05
"""Largest share of a board in view that lies where the panel is seen."""

OUTLINED = 0.85
"""Least share of an outline in view that shows an edge."""

LONGEST_GAP = 0.8
"""Longest piece of an outline in view without an edge, in screw radii: an end that is not there is longer."""

IN_VIEW = 0.4
"""Least share of a board's outline, as far as no screws hide it, that is in view."""

ONE_COLOUR, PLAIN = 12.0, 0.85
"""Distance (weighted ΔE) of colours within one board, and the least share of what is in view that has its colour."""

CROSSED = 0.03
"""Largest share of what is in view of a board, off its outline, that is edge."""


def explains(scene: Scene, cover: Mask, boards: Sequence[FoundBoard], layers: Sequence[int]) -> bool:
    """Whether boards on some layers (0 at the bottom) are all that covers the panel in `cover` (255 inside)."""
    size = cover.shape
    screws = np.zeros(size, np.uint8)
    for screw in scene.spots.screws:
        reach = max(1.35 * screw.circle.radius, screw.circle.radius + MARGIN)
        cv2.circle(screws, (round(screw.circle.x), round(screw.circle.y)), round(reach), 255, -1)
    free = no_screw = np.asarray(cv2.bitwise_not(screws), np.uint8)  # what no screw and no board laid so far hides
    steep = (cv2.magnitude(scene.across, scene.down) > 2 * LEAST_STEP).astype(np.uint8) * 255
    for k in sorted(range(len(boards)), key=lambda k: -layers[k]):
        shown, row, col = edge_along(scene, boards[k].shape)
        seen, possible = free[row, col] > 0, no_screw[row, col] > 0
        if not seen.any() or seen.sum() < IN_VIEW * possible.sum() or shown[seen].mean() < OUTLINED:
            return False
        if POINT_STEP * _longest_run(seen & ~shown) > LONGEST_GAP * scene.spots.radius:
            return False
        if not _fits(scene, boards[k].shape, free, cover, steep):
            return False
        free = np.asarray(cv2.bitwise_and(free, ~mask_of(boards[k].shape, size, shrink=-MARGIN)), np.uint8)
    rest = cv2.bitwise_and(cover, free)
    thick = 2 * max(2, round(0.3 * scene.spots.radius)) + 1
    return not cv2.morphologyEx(rest, cv2.MORPH_OPEN, np.ones((thick, thick), np.uint8)).any()


def _longest_run(flags: NDArray[np.bool_]) -> int:
    """The most neighbours around a closed outline that are all set."""
    if flags.all():
        return len(flags)
    breaks = np.flatnonzero(~np.concatenate([flags, flags]))
    return int(np.diff(breaks).max(initial=1)) - 1


def _fits(scene: Scene, shape: Shape, free: Mask, cover: Mask, steep: Mask) -> bool:
    """Whether what should be in view of a board (where `free` is set) covers the panel in one colour without edges."""
    whole = cv2.bitwise_and(mask_of(shape, cover.shape), free) > 0
    if not whole.any() or (cover[whole] == 0).mean() > BEYOND:
        return False
    inner = cv2.bitwise_and(mask_of(shape, cover.shape, shrink=INNER), free) > 0
    if inner.sum() < MARGIN**2:
        return True  # little more than its rim is in view, which is seen
    pixels = scene.lab[inner]
    plain = (np.linalg.norm(pixels - np.median(pixels, axis=0), axis=1) < ONE_COLOUR).mean()
    return bool(plain >= PLAIN and (steep[inner] > 0).mean() <= CROSSED)
