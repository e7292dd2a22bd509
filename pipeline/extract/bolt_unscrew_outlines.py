"""Bolt Unscrew screens: boards that stand alone on the panel, read from the outline of what covers it.

Such an area is one board when one colour fills it and no edge runs through it. A bar and a disc are told by how well
they fill their rectangle and their circle; anything else is a polygon.
"""

from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from pipeline.extract.bolt_unscrew_rims import pixels_at
from pipeline.extract.bolt_unscrew_shapes import FoundBoard, Point, Scene, Shape, commonest, mask_of
from pipeline.extract.circles import LEAST_STEP
from pipeline.extract.components import components

Mask = NDArray[np.uint8]

ONE_COLOUR = 10.0
"""Distance (weighted ΔE) of colours within one board."""

PLAIN = 0.8
"""Least share of a single board's inside that has its commonest colour."""

CROSSED = 0.05
"""Largest share of a single board's inside that is edge."""

RIMS = ((0.35, 0.5), (0.5, 0.7))
"""Most of a board that may be its rim: as a share of its half width, and in screw radii."""

FEWEST_INSIDE = 20
"""Pixels within the rim of a single board."""

FILLED = 0.93
"""Least agreement (intersection over union) of an area with a bar or a disc."""

CONVEX = 0.94
"""Least share of its convex hull that a plate fills."""

LARGEST_BAY = 0.15
"""Most of a panel that boards on one place of its border take."""

STUB = 0.15
"""A bar whose ends are no farther apart than this, in widths, is a disc (with its shadow)."""


@dataclass(frozen=True, eq=False)
class Area:
    """A connected area that covers the panel, the screws in it (indexes), and the one board it is, or None."""

    mask: Mask
    screws: tuple[int, ...]
    board: FoundBoard | None


def find_areas(scene: Scene) -> list[Area]:
    """The areas that cover the panel and have screws in them, or are as large as a board, in reading order."""
    cover = _cover(scene)
    parts, stats = components(cover)
    owners: dict[int, list[int]] = {}
    for i, screw in enumerate(scene.spots.screws):
        if screw.on_wood:
            row, col = min(round(screw.circle.y), len(parts) - 1), min(round(screw.circle.x), parts.shape[1] - 1)
            owners.setdefault(int(parts[row, col]), []).append(i)  # a middle may round to just beyond the border
    areas = []
    least = 2.5 * np.pi * scene.spots.radius**2
    for part in range(1, len(stats)):
        if stats[part][cv2.CC_STAT_AREA] > least:
            mask = (parts == part).astype(np.uint8) * 255
            screws = tuple(owners.get(part, ()))
            areas.append(Area(mask, screws, _single(scene, mask) if screws else None))
    return areas


def _cover(scene: Scene) -> Mask:
    """255 where something lies on the panel: inside its outline, not of its colour, no free hole, no screw shadow.

    Bays in the outline of a panel in which there are screws are boards that lie on its border.
    """
    panel: Any = scene.spots.panel
    outlines, _ = cv2.findContours(panel, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
    whole, hulls = np.zeros_like(panel), np.zeros_like(panel)
    cv2.drawContours(whole, outlines, -1, 255, cv2.FILLED)
    cv2.drawContours(hulls, [cv2.convexHull(o) for o in outlines], -1, 255, cv2.FILLED)
    bays, stats = components(np.asarray(cv2.bitwise_and(hulls, cv2.bitwise_not(whole)), np.uint8))
    small = stats[:, cv2.CC_STAT_AREA] < LARGEST_BAY * np.count_nonzero(whole)
    at = pixels_at(np.array([(s.circle.x, s.circle.y) for s in scene.spots.screws]), panel.shape)
    for bay in np.unique(bays[at]):
        if bay and small[bay]:
            whole[bays == bay] = 255
    cover = cv2.bitwise_and(whole, cv2.bitwise_not(panel))
    cover |= _rims(cover, 2 * scene.spots.radius)
    for hole in scene.spots.holes:
        cv2.circle(cover, (round(hole.circle.x), round(hole.circle.y)), round(1.5 * hole.circle.radius), 0, -1)
    for screw in scene.spots.screws:
        cv2.circle(cover, (round(screw.circle.x), round(screw.circle.y)), round(screw.circle.radius), 255, -1)
    return np.asarray(cv2.morphologyEx(cover, cv2.MORPH_OPEN, np.ones((5, 5), np.uint8)), np.uint8)


def _rims(cover: Mask, least: float) -> Mask:
    """255 on lines, `least` pixels long or more, that part what covers the panel: a rim or shine of its colour."""
    lines = cv2.subtract(cv2.morphologyEx(cover, cv2.MORPH_CLOSE, np.ones((3, 3), np.uint8)), cover)
    parts, stats = components(lines)
    long = stats[:, [cv2.CC_STAT_WIDTH, cv2.CC_STAT_HEIGHT]].max(axis=1) >= least
    long[0] = False
    return np.asarray(np.where(long[parts], np.uint8(255), np.uint8(0)), np.uint8)


def _single(scene: Scene, mask: Mask) -> FoundBoard | None:
    """The board that an area is, when it looks like one: within a narrow rim or a broad one."""
    depth = cv2.distanceTransform(mask, cv2.DIST_L2, 3)
    clear = mask.copy()
    for screw in scene.spots.screws:
        cv2.circle(clear, (round(screw.circle.x), round(screw.circle.y)), round(1.35 * screw.circle.radius), 0, -1)
    for share, most in RIMS:
        rim = max(2.0, min(share * float(depth.max()), most * scene.spots.radius))
        inside = (depth > rim) & (clear > 0)
        if inside.sum() < FEWEST_INSIDE:
            return None
        plain = commonest(scene.lab[inside], ONE_COLOUR)[1]
        crossed = float((np.hypot(scene.across[inside], scene.down[inside]) > 2 * LEAST_STEP).mean())
        if plain >= PLAIN and crossed <= CROSSED:
            shape, fit = shape_of(mask)
            if shape.kind == "polygon" and fit < CONVEX:
                return None  # a shape with bays is rather two boards
            return FoundBoard(shape, 0, min(1.0, 0.55 + 0.5 * plain - 2 * crossed) * fit)
    return None


def shape_of(mask: Mask) -> tuple[Shape, float]:
    """The simplest shape that fills a connected mask, and how sure that is, in [0, 1]."""
    outlines, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    contour = max(outlines, key=cv2.contourArea)
    bar = _bar(contour)
    if _agreement(mask, bar) >= FILLED:
        (ax, ay), (bx, by) = bar.points
        if np.hypot(bx - ax, by - ay) > STUB * bar.width:
            return bar, 1.0
        return Shape("disc", (((ax + bx) / 2, (ay + by) / 2),), bar.width), 1.0
    polygon = Shape("polygon", _corners(contour))
    return polygon, float(cv2.contourArea(contour) / max(1.0, cv2.contourArea(cv2.convexHull(contour))))


def _bar(contour: NDArray[np.int32]) -> Shape:
    (x, y), (w, h), degrees = cv2.minAreaRect(contour)
    angle = np.deg2rad(degrees) + (0 if w >= h else np.pi / 2)
    long, short = max(w, h) + 1, min(w, h) + 1
    dx, dy = np.cos(angle) * (long - short) / 2, np.sin(angle) * (long - short) / 2
    return Shape("strip", ((float(x - dx), float(y - dy)), (float(x + dx), float(y + dy))), float(short))


def _agreement(mask: Mask, shape: Shape) -> float:
    """Intersection over union of a mask and a shape."""
    other = mask_of(shape, mask.shape)
    return float(((mask > 0) & (other > 0)).sum() / max(1, ((mask > 0) | (other > 0)).sum()))


def _corners(contour: NDArray[np.int32]) -> tuple[Point, ...]:
    """A simple polygon of few corners close to a contour."""
    for share in (0.008, 0.015, 0.03, 0.06):
        corners = cv2.approxPolyDP(contour, share * cv2.arcLength(contour, True), True)[:, 0, :]
        if 3 <= len(corners) <= 24:
            break
    else:
        corners = cv2.boxPoints(cv2.minAreaRect(contour))
    return tuple((float(x), float(y)) for x, y in corners)
