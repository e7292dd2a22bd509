"""Discs: the largest circles inscribed in areas of one colour.

A dot, a screw head, a round button and a square tile all hold one disc at their middle; a strip (a pipe, a bar) holds
none, because its largest circles can slide along it. A disc with a handle (a dot a pipe leaves from) still holds one.
"""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from pipeline.extract.colour import Lab

FLAT_STEP = 4.0
"""Neighbouring pixels of one area differ by less than this (ΔE76): above compression noise, below a drawn edge."""

SMALLEST_RADIUS = 3.0
"""Pixels; smaller discs are letters and noise."""

ENOUGH_RADIUS = 8.0
"""Pixels; areas with larger discs are searched in a reduced copy, placing a disc within an eighth of its radius."""


@dataclass(frozen=True)
class Disc:
    """A disc in pixels; `color` is the median Lab of its inner part."""

    x: float
    y: float
    radius: float
    color: tuple[float, float, float]


def flat_mask(lab: Lab) -> NDArray[np.uint8]:
    """1 where a pixel is close in colour to all four neighbours; height × width."""
    step = np.zeros(lab.shape[:2], np.float32)
    for ahead, behind in ((np.s_[:, 1:], np.s_[:, :-1]), (np.s_[1:], np.s_[:-1])):
        change = lab[ahead] - lab[behind]
        square = np.einsum("ijk,ijk->ij", change, change)
        np.maximum(step[ahead], square, out=step[ahead])
        np.maximum(step[behind], square, out=step[behind])
    return (step < FLAT_STEP**2).astype(np.uint8)


def find_discs(lab: Lab, largest: float) -> list[Disc]:
    """Every disc with a radius up to `largest` pixels, in reading order of the areas they lie in.

    Holes of an area (a digit on a dot, gloss) are filled, unless the area is so large that it is a background.
    """
    _, areas, stats, _ = cv2.connectedComponentsWithStats(flat_mask(lab), connectivity=4)
    found = []
    for index in range(1, len(stats)):
        x, y, width, height, size = (int(v) for v in stats[index])
        if min(width, height) < 2 * SMALLEST_RADIUS - 1 or size < SMALLEST_RADIUS**2:
            continue
        mask = (areas[y : y + height, x : x + width] == index).astype(np.uint8)
        mask = cv2.copyMakeBorder(mask, 1, 1, 1, 1, cv2.BORDER_CONSTANT, value=0)
        if max(width, height) <= 6 * largest:
            outlines, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
            cv2.drawContours(mask, outlines, -1, 1, cv2.FILLED)
        for cx, cy, radius in _inscribed(mask, largest):
            found.append(_disc(lab, x - 1 + cx, y - 1 + cy, radius))
    return found


def _inscribed(mask: NDArray[np.uint8], largest: float) -> list[tuple[float, float, float]]:
    """Middles and radii of the circles that cannot slide: compact summits of the distance to the outside."""
    depth = cv2.distanceTransform(mask, cv2.DIST_L2, 3)
    top = float(depth.max())
    if not SMALLEST_RADIUS <= top <= largest:
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
    summit = ((depth >= around - 0.6) & (depth > max(SMALLEST_RADIUS / shrink, 0.5 * top))).astype(np.uint8)
    _, _, stats, middles = cv2.connectedComponentsWithStats(summit, connectivity=8)
    found = []
    for (x, y, width, height, _), (cx, cy) in zip(stats[1:], middles[1:], strict=True):
        radius = float(depth[y : y + height, x : x + width].max())
        if max(width, height) <= 0.6 * radius + 2:
            offset = (shrink - 1) / 2
            found.append((float(cx) * shrink + offset, float(cy) * shrink + offset, (radius + 0.5) * shrink))
    return found


def _disc(lab: Lab, x: float, y: float, radius: float) -> Disc:
    half = max(1, int(0.55 * radius))
    row, col = round(y), round(x)
    inner = lab[max(0, row - half) : row + half + 1, max(0, col - half) : col + half + 1]
    middle = np.median(inner.reshape(-1, 3), axis=0)
    return Disc(x, y, radius, (float(middle[0]), float(middle[1]), float(middle[2])))
