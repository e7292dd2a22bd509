"""Connected outlines in a picture's local contrast: what may be a container, freed of the shelves that they stand on.

A shelf's edge joins all that stands on it into one outline, so level lines that run on to the picture's ends, or are
longer than any container is wide, are cut. Level and upright lines also bound the panel that the board is drawn in.
"""

from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from pipeline.extract.colour import Lab, lengths
from pipeline.extract.components import components

Box = tuple[int, int, int, int]
"""x, y, width, height in pixels."""

SHELF = 0.35
"""A level line of edges at least so long, in widths of the picture, is a shelf or the border of a panel."""

BROKEN_SHELF = 0.1
"""So much of a shelf's line, in widths of the picture, is seen between what stands before it."""

END = 8
"""Pixels at the end of a row that are edges where a shelf runs out of the picture."""

THIN = 5
"""Pixels of height that the edges of a shelf's line have at most."""

FAINT_EDGE = 6.0
"""Local contrast (ΔE) above which a line is just visible."""

UPRIGHT_LINE = 0.75
"""An upright line at least so long, in heights of the picture, bounds a panel: containers are lower."""


def local_contrast(lab: Lab) -> NDArray[np.float32]:
    """ΔE spanned by the 3×3 neighbourhood of each pixel, shape (height, width)."""
    square = np.ones((3, 3), np.uint8)
    span: Any = cv2.dilate(lab, square)
    cv2.subtract(span, cv2.erode(lab, square), dst=span)
    return lengths(span)


def outlines_of(mask: NDArray[np.bool_]) -> list[Box]:
    """Bounding boxes of connected outlines that may be containers: upright, neither tiny nor the screen."""
    height, width = mask.shape
    x, y, w, h, _ = components(_without_shelves(mask), connectivity=8)[1][1:].T
    fits = (h >= 0.04 * height) & (w >= 0.015 * width) & (h >= 0.6 * w) & (w <= 0.4 * width) & (h <= 0.9 * height)
    fits &= w >= 8
    return [(int(a), int(b), int(c), int(d)) for a, b, c, d in zip(x[fits], y[fits], w[fits], h[fits], strict=True)]


def _without_shelves(mask: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """A mask of edges without long level lines: what stands on one of them would be joined by it."""
    share = mask.mean(axis=1)
    rows = np.flatnonzero(share >= SHELF)
    # What stands before a shelf breaks its line. Containers never reach the picture's ends, so only shelves' rows do.
    reaching = mask[:, :END].all(axis=1) | mask[:, -END:].all(axis=1)
    broken = np.flatnonzero(reaching & (share >= BROKEN_SHELF))
    if not len(rows) and not len(broken):
        return mask
    cut = mask.copy()
    if len(rows):
        level = np.ones((1, round(SHELF * mask.shape[1])), np.uint8)
        cut[rows] &= cv2.morphologyEx(mask[rows].astype(np.uint8), cv2.MORPH_OPEN, level) == 0
    if len(broken):
        high = np.ones((THIN + 1, 1), np.uint8)
        cut[broken] &= cv2.morphologyEx(mask.astype(np.uint8), cv2.MORPH_OPEN, high)[broken] > 0
    return cut


def panel(contrast: NDArray[np.float32], left: float, right: float) -> tuple[int, int]:
    """The first and last x of the panel around what lies between two x: to the next upright line, or the picture's end.

    `contrast` is the local contrast in ΔE.
    """
    height, width = contrast.shape
    edges = (contrast > FAINT_EDGE).astype(np.uint8)
    line = np.ones((round(UPRIGHT_LINE * height), 1), np.uint8)
    upright = np.flatnonzero(cv2.morphologyEx(edges, cv2.MORPH_OPEN, line).any(axis=0))
    before, behind = upright[upright < left], upright[upright > right]
    return int(before[-1]) if len(before) else 0, int(behind[0]) if len(behind) else width
