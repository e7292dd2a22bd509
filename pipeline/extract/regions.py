"""Regions that stand out in a picture: what a piece, a tile or an empty cell looks like before anything is known.

Two views complement each other. A *smooth* region is bounded by edges on all sides whatever its colour (blocks with
seams between them, raised tiles). A *contrast* region differs from one widespread colour (cars on a road, discs on a
page), whatever its own texture. Each view is taken at several thresholds: a region that is real shows up in most.
"""

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from pipeline.extract.colour import Lab, distance_to, median_colour
from pipeline.extract.components import components
from pipeline.extract.image import Pixels

Boxes = NDArray[np.float64]
"""n × 4: left, top, right, bottom in pixels; right and bottom are one past the last pixel."""

SMOOTH_STEPS = (8, 14, 24, 40, 64)
"""Largest grey-level range within 3×3 pixels that still counts as smooth."""

FRAME_STEPS = (14, 40)
"""The thresholds among `SMOOTH_STEPS` at which frames are looked for."""

CONTRAST_STEPS = (14.0, 26.0)
"""Least ΔE from a widespread colour that counts as contrast."""


def _compact(parts: NDArray[np.float64], fill: float, picture_area: int, shortest: int = 5) -> Boxes:
    x, y, w, h, area = parts
    short, long = np.minimum(w, h), np.maximum(w, h)
    keep = (short >= shortest) & (area >= fill * w * h) & (w * h < 0.4 * picture_area) & (long < 12 * short)
    return np.column_stack([x, y, x + w, y + h])[keep]


def _frames(parts: NDArray[np.float64], picture_area: int) -> Boxes:
    x, y, w, h, area = parts
    keep = (area >= 0.3 * w * h) & (w * h > 0.03 * picture_area) & (np.maximum(w, h) < 3 * np.minimum(w, h))
    return np.column_stack([x, y, x + w, y + h])[keep]


def _outlines(parts: NDArray[np.float64], picture_area: int) -> Boxes:
    """Boxes of large parts as thin as a line, but long enough to run along three sides of their box."""
    x, y, w, h, area = parts
    keep = (area < 0.3 * w * h) & (area > w + h + np.minimum(w, h))
    keep &= (w * h > 0.03 * picture_area) & (np.maximum(w, h) < 3 * np.minimum(w, h))
    return np.column_stack([x, y, x + w, y + h])[keep]


def _parts(mask: NDArray[np.bool_], connectivity: int) -> NDArray[np.float64]:
    """5 × n: left, top, width, height, area of the connected parts of a mask."""
    return components(mask, connectivity)[1][1:].astype(np.float64).T


def smooth_regions(bgr: Pixels, steps: Sequence[int] = SMOOTH_STEPS) -> tuple[list[Boxes], Boxes]:
    """Compact regions without inner edges, one array of boxes a threshold; and the `frames` among the others.

    A frame is the box of a large smooth region with holes: what is left of a board's floor between its pieces.
    """
    spread = _spread(bgr)
    grow = np.array([-1, -1, 1, 1])  # the 3×3 range eats one pixel on each side
    # The 3×3 range makes every edge three pixels wide, so that no corner leads across: eight neighbours count faster.
    parts = [_parts(spread < step, 8) for step in steps]
    frames = [_frames(some, spread.size) for step, some in zip(steps, parts, strict=True) if step in FRAME_STEPS]
    return [_compact(some, 0.7, spread.size) + grow for some in parts], np.concatenate(frames) + grow


def _spread(bgr: Pixels) -> Pixels:
    """The largest range of any channel within 3×3 pixels."""
    blue, green, red = cv2.split(cv2.morphologyEx(bgr, cv2.MORPH_GRADIENT, np.ones((3, 3), np.uint8)))
    return np.maximum(np.maximum(blue, green), red)


def widespread_colours(bgr: Pixels, lab: Lab, most: int = 4, apart: float = 14.0) -> list[Lab]:
    """The commonest colours of a picture (L*a*b*), commonest first, at least `apart` ΔE from one another."""
    blue, green, red = cv2.split(bgr >> 4)
    keys = (blue.astype(np.uint16) << 8 | green << 4 | red).ravel()
    counts = np.bincount(keys, minlength=4096)
    pixels, chosen = lab.reshape(-1, 3), list[Lab]()
    for key in np.argsort(-counts, kind="stable")[: 4 * most]:
        if counts[key] < 0.01 * len(keys) or len(chosen) == most:
            break
        colour = median_colour(pixels[_first_places(keys, int(key))])
        if all(float(np.linalg.norm(colour - other)) >= apart for other in chosen):
            chosen.append(colour)
    return chosen


def _first_places(keys: NDArray[np.uint16], key: int, most: int = 4000) -> NDArray[np.intp]:
    """The first places at which a key stands; those of common keys are found near the beginning."""
    some = np.flatnonzero(keys[: len(keys) // 4] == np.uint16(key))
    return (some if len(some) >= most else np.flatnonzero(keys == np.uint16(key)))[:most]


def contrast_regions(bgr: Pixels, lab: Lab, steps: Sequence[float] = CONTRAST_STEPS) -> tuple[list[Boxes], Boxes]:
    """Compact regions unlike one of the widespread colours, one array of boxes a colour and threshold; and `outlines`.

    An outline is the box of a large region that is no more than a line around something: a frame drawn on a page.
    """
    found, outlines = [], []
    for colour in widespread_colours(bgr, lab):
        unlike = distance_to(lab, colour)
        for step in steps:
            parts = _parts(unlike > step, 4)
            found.append(_compact(parts, 0.6, unlike.size))
            outlines.append(_outlines(parts, unlike.size))
    return found, np.concatenate(outlines or [np.empty((0, 4))])
