"""Discs: the largest circles inscribed in areas of one colour.

A dot, a screw head, a round button and a square tile all hold one disc at their middle; a strip (a pipe, a bar) holds
none, because its largest circles can slide along it. A disc with a handle (a dot a pipe leaves from) still holds one.
"""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from pipeline.extract.colour import Lab, median_colours, squared_lengths
from pipeline.extract.components import components

FLAT_STEP = 4.0
"""Neighbouring pixels of one area differ by less than this (ΔE76): above compression noise, below a drawn edge."""

STRIP = 64
"""Rows of pixels compared at a time."""

SMALLEST_RADIUS = 3.0
"""Pixels; smaller discs are letters and noise."""

ENOUGH_RADIUS = 8.0
"""Pixels; areas with larger discs are searched in a reduced copy, placing a disc within an eighth of its radius."""

SAMPLES = np.linspace(-0.55, 0.55, 7)
"""Where a disc's colour is sampled on both axes, in radii from its middle."""


@dataclass(frozen=True)
class Disc:
    """A disc in pixels; `color` is the median Lab of its inner part."""

    x: float
    y: float
    radius: float
    color: tuple[float, float, float]


def flat_mask(lab: Lab) -> NDArray[np.uint8]:
    """1 where a pixel is close in colour to all four neighbours; height × width."""
    height, width = lab.shape[:2]
    flat = np.ones((height, width), bool)
    for top in range(0, height, STRIP):  # strips stay in the processor's cache
        bottom = min(height, top + STRIP)
        part, below = lab[top:bottom], lab[top + 1 : bottom + 1]
        for first, second, here, there in (
            (part[:, :-1], part[:, 1:], flat[top:bottom, :-1], flat[top:bottom, 1:]),
            (part[: len(below)], below, flat[top : top + len(below)], flat[top + 1 : bottom + 1]),
        ):
            calm = squared_lengths(first - second) < FLAT_STEP**2
            here &= calm
            there &= calm
    return flat.view(np.uint8)


def find_discs(lab: Lab, largest: float, smallest: float = SMALLEST_RADIUS) -> list[Disc]:
    """Every disc with a radius between two bounds in pixels, in reading order of the areas they lie in.

    Holes of an area (a digit on a dot, gloss) are filled, unless the area is so large that it is a background.
    """
    areas, stats = components(flat_mask(lab))
    broad = (stats[:, 2:4].min(axis=1) >= 2 * smallest - 1) & (stats[:, 4] >= smallest**2)
    broad[0] = False
    found: list[tuple[float, float, float]] = []
    for index in np.flatnonzero(broad):
        x, y, width, height, _ = (int(v) for v in stats[index])
        mask = np.zeros((height + 2, width + 2), np.uint8)
        mask[1:-1, 1:-1] = areas[y : y + height, x : x + width] == index
        if max(width, height) <= 6 * largest:
            outlines, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
            cv2.drawContours(mask, outlines, -1, 1, cv2.FILLED)
        found += [(x - 1 + cx, y - 1 + cy, radius) for cx, cy, radius in _inscribed(mask, smallest, largest)]
    return [Disc(*place, color) for place, color in zip(found, _colors(lab, found), strict=True)]


def _inscribed(mask: NDArray[np.uint8], smallest: float, largest: float) -> list[tuple[float, float, float]]:
    """Middles and radii of the circles that cannot slide: compact summits of the distance to the outside."""
    depth = cv2.distanceTransform(mask, cv2.DIST_L2, 3)
    top = float(depth.max())
    if not smallest <= top <= largest:
        return []
    shrink = max(1, int(top / ENOUGH_RADIUS))
    if shrink > 1:
        size = (mask.shape[1] // shrink + 1, mask.shape[0] // shrink + 1)
        canvas = np.zeros((size[1] * shrink, size[0] * shrink), np.float32)
        canvas[: depth.shape[0], : depth.shape[1]] = depth
        depth = cv2.resize(canvas, size, interpolation=cv2.INTER_AREA) / shrink
        top = float(depth.max())
    reach = 2 * int(0.6 * top) + 3
    around = cv2.dilate(depth, np.ones((reach, reach), np.uint8))
    summit = ((depth >= around - 0.6) & (depth > max(smallest / shrink, 0.5 * top))).astype(np.uint8)
    _, _, stats, middles = cv2.connectedComponentsWithStats(summit, connectivity=8)
    found = []
    for (x, y, width, height, _), (cx, cy) in zip(stats[1:], middles[1:], strict=True):
        radius = float(depth[y : y + height, x : x + width].max())
        if max(width, height) <= 0.6 * radius + 2:
            offset = (shrink - 1) / 2
            found.append((float(cx) * shrink + offset, float(cy) * shrink + offset, (radius + 0.5) * shrink))
    return found


def _colors(lab: Lab, places: list[tuple[float, float, float]]) -> list[tuple[float, float, float]]:
    """The median colour of samples from the inner part of each place (x, y, radius)."""
    if not places:
        return []
    x, y, radius = np.array(places).T[:, :, None]
    across, down = (grid.reshape(1, -1) for grid in np.meshgrid(SAMPLES, SAMPLES))
    rows = np.clip(np.rint(y + radius * down), 0, lab.shape[0] - 1).astype(int)
    cols = np.clip(np.rint(x + radius * across), 0, lab.shape[1] - 1).astype(int)
    return [(float(lightness), float(a), float(b)) for lightness, a, b in median_colours(lab[rows, cols])]
