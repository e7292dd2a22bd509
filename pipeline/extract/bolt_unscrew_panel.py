"""Bolt Unscrew screens: the panel, that is where its colour is seen around or through holes.

Masks are 255 inside and have the working picture's height and width; colours are weighted L*a*b*.
"""

import cv2
import numpy as np
from numpy.typing import NDArray

from pipeline.extract.circles import Circle, Floats, looks

Mask = NDArray[np.uint8]


def panel_around(lab: Floats, colour: Floats, tolerance: float, holes: list[Circle]) -> Mask | None:
    """The parts of the panel's colour that surround the holes; None when there is no such area."""
    _, parts = cv2.connectedComponents(_near(lab, colour, tolerance), connectivity=4)
    kept: set[int] = set()
    for hole in holes:
        ring = looks(parts.astype(np.float32)[:, :, None], [hole], int(1.7 * hole.radius) + 1)[0, :, -1, 0]
        labels, counts = np.unique(np.rint(ring).astype(int), return_counts=True)
        if labels[counts.argmax()] != 0:
            kept.add(int(labels[counts.argmax()]))
    if not kept:
        return None
    return np.isin(parts, sorted(kept)).astype(np.uint8) * 255


def share_set(mask: Mask, circle: Circle, factor: float) -> float:
    """Which share of a mask (0 or 255) is set on the circle of `factor` times the radius."""
    return float(looks(mask[:, :, None], [circle], round(factor * circle.radius))[0, :, -1, 0].mean()) / 255


def colour_of_panel(lab: Floats, colour: Floats, tolerance: float) -> tuple[Mask, tuple[int, int, int, int]]:
    """The largest connected area of a colour as a mask (255 inside), and its box: left, top, width, height."""
    _, parts, stats, _ = cv2.connectedComponentsWithStats(_near(lab, colour, tolerance), connectivity=4)
    if len(stats) < 2:
        return np.zeros(parts.shape, np.uint8), (0, 0, 0, 0)
    largest = 1 + int(stats[1:, cv2.CC_STAT_AREA].argmax())
    left, top, width, height = (int(v) for v in stats[largest][:4])
    return (parts == largest).astype(np.uint8) * 255, (left, top, width, height)


def _near(lab: Floats, colour: Floats, tolerance: float) -> Mask:
    """1 where a picture has a colour; gaps of a pixel (grain, noise) are closed."""
    near = (np.linalg.norm(lab - colour, axis=2) < tolerance).astype(np.uint8)
    return np.asarray(cv2.morphologyEx(near, cv2.MORPH_CLOSE, np.ones((3, 3), np.uint8)), np.uint8)


def sides_reached(panel: Mask) -> int:
    """How many sides of the picture a panel lies along, for a quarter of their length or more."""
    sides = (panel[0], panel[-1], panel[:, 0], panel[:, -1])
    return sum(float(side.mean()) > 255 / 4 for side in sides)
