"""Bolt Unscrew screens: the panel, that is where its colour is seen around or through holes.

Masks are 255 inside and have the working picture's height and width; colours are weighted L*a*b*.
"""

from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from pipeline.extract.circles import Circle, Floats
from pipeline.extract.colour import distance_to, median, squared_lengths
from pipeline.extract.components import components

Mask = NDArray[np.uint8]


_ANGLES = np.linspace(0, 2 * np.pi, 48, endpoint=False)
_COSINES, _SINES = np.cos(_ANGLES), np.sin(_ANGLES)

LEAST_AREA = 20.0
"""Least area of a panel in areas of one of its holes."""

OUTLINE = 6
"""Pixels that the edge of a board is wide, with its outline."""

AROUND = (1.2, 1.4, 1.6, 1.8)
"""Where a screw's own board is looked for, in radii of the screw."""

LEAST_LIGHT = 3.0
"""Least change (weighted ΔE) of a panel's colour from side to side that counts as a change of light."""

BESIDE = 0.02
"""Largest share of a part of the panel, between boards all around, that lies close to the panel outside."""

GAP = 4
"""Parts of one panel, which boards divide, have boxes that meet within so many pixels."""


def panel_around(lab: Floats, colour: Floats, tolerance: float, holes: list[Circle]) -> Mask | None:
    """The parts of the panel's colour that surround the holes; None when there is no such area.

    What has the panel's colour elsewhere on the screen is left out.
    """
    parts, stats = components(_near(lab, colour, tolerance))
    around: set[int] = set()
    for hole in holes:
        around.add(_commonest(parts, hole, 1.7 * hole.radius + 1))
    around.discard(0)
    kept = np.zeros(len(stats), np.uint8)
    box: tuple[int, int, int, int] | None = None
    for part in sorted(around, key=lambda k: -int(stats[k, cv2.CC_STAT_AREA])):
        left, top, width, height = (int(v) for v in stats[part][:4])
        own = left, top, left + width, top + height
        if box is None or _meet(box, own):
            kept[part] = 255
            box = own if box is None else _joined(box, own)
    hole_area = np.pi * median([hole.radius for hole in holes]) ** 2
    if stats[kept > 0, cv2.CC_STAT_AREA].sum() < LEAST_AREA * hole_area:
        return None
    return kept.take(parts)


def in_its_light(lab: Floats, panel: Mask, tolerance: float) -> Mask:
    """A panel with the parts that are lighter or darker because the light changes evenly over it.

    Its colour is taken to be linear in both directions, as in a gradient or in slanting light. A panel that would
    run along more sides of the picture than before is left as it was.
    """
    for _ in range(2):
        light = light_over(lab, panel)
        _, _, wide, high = cv2.boundingRect(panel)
        if np.linalg.norm(light[1] * wide) + np.linalg.norm(light[2] * high) < LEAST_LIGHT:
            return panel
        parts, stats = components(_lit(lab, light, tolerance))
        common = np.bincount(parts[panel > 0], minlength=len(stats))
        own = np.where(common > 0.05 * common.sum(), np.uint8(255), np.uint8(0))
        own[0] = 0
        grown = own.take(parts) | panel
        if sides_reached(grown) > sides_reached(panel):
            return panel
        settled = np.count_nonzero(grown) < 1.02 * np.count_nonzero(panel)
        panel = grown
        if settled:
            break
    return panel


def with_enclosed(lab: Floats, panel: Mask, tolerance: float, screws: list[Circle]) -> Mask:
    """A panel with what is seen of it between boards that lie all around, even where there is no hole.

    A board of the panel's own colour has screws, or the panel right beyond its outline. What may be the app's
    background is left as it was.
    """
    if sides_reached(panel) > 1:
        return panel
    left, top, width, height = cv2.boundingRect(panel)
    box = slice(top, top + height), slice(left, left + width)
    beside = cv2.dilate(panel, np.ones((2 * OUTLINE + 3, 2 * OUTLINE + 3), np.uint8))[box] > 0
    near = _lit(lab, light_over(lab, panel), tolerance)
    near[cv2.dilate(panel, np.ones((3, 3), np.uint8)) > 0] = 0
    parts, stats = components(near[box])
    around = np.zeros(panel.shape, np.int32)
    around[box] = parts
    held = {int(part) for screw in screws for reach in AROUND for part in ring(around, screw, reach * screw.radius)}
    bordering = np.bincount(parts[beside], minlength=len(stats))
    area = stats[:, cv2.CC_STAT_AREA]
    least = np.pi * median([screw.radius for screw in screws]) ** 2
    own = (area >= least) & (bordering < BESIDE * area)
    own[[0, *held]] = False
    whole = panel.copy()
    whole[box][own[parts]] = 255
    return whole


def light_over(lab: Floats, panel: Mask) -> Floats:
    """The panel's colour as a linear function of 1, column and row: its three coefficients for L*, a* and b*."""
    rows, cols = np.nonzero(panel[::3, ::3])
    places = np.stack([np.ones(len(rows)), 3 * cols, 3 * rows], axis=1)
    colours = lab[::3, ::3][rows, cols].astype(np.float64)
    # The normal equations of so few unknowns: least squares of many thousand rows at a tenth of the cost.
    return np.asarray(np.linalg.lstsq(places.T @ places, places.T @ colours, rcond=None)[0], np.float32)


def _unlike(lab: Floats, light: Floats) -> Floats:
    """How far every pixel lies from a colour that is linear in column and row (`light_over`)."""
    height, width = lab.shape[:2]
    flat = lab.reshape(height, 3 * width)  # rows of numbers: numpy is slow on three at a time
    expected = np.multiply.outer(np.arange(height, dtype=np.float32), np.tile(light[2], width))
    expected += np.tile(light[0], width)
    expected += np.multiply.outer(np.arange(width, dtype=np.float32), light[1]).ravel()
    return np.subtract(flat, expected, out=expected).reshape(lab.shape)


def without_boards(panel: Mask, steep: NDArray[np.bool_], screws: list[Circle], holes: list[Circle]) -> Mask:
    """The panel without boards of its own colour: what edges (`steep`) shut in around screws, but around no hole."""
    parts, stats = components((panel > 0) & ~steep)
    own = {_commonest(parts, hole, 1.7 * hole.radius + 1) for hole in holes}
    stats[0, cv2.CC_STAT_AREA] = 0
    own |= {0, int(stats[:, cv2.CC_STAT_AREA].argmax())}
    seen = [ring(parts, screw, reach * screw.radius) for screw in screws for reach in AROUND]
    boards = set(np.unique(seen).tolist()) - own
    if not boards:
        return panel
    shut_in = np.isin(parts, sorted(boards)).astype(np.uint8) * 255
    whole = cv2.morphologyEx(shut_in, cv2.MORPH_CLOSE, np.ones((7, 7), np.uint8))
    near_by = cv2.dilate(whole, np.ones((2 * OUTLINE + 1, 2 * OUTLINE + 1), np.uint8)) > 0
    rest = panel.copy()
    rest[(whole > 0) | (near_by & steep)] = 0
    return rest


def _commonest(parts: NDArray[Any], circle: Circle, radius: float) -> int:
    """The label that most of the pixels around a circle's middle have at some radius."""
    return int(np.bincount(ring(parts, circle, radius)).argmax())


def _meet(a: tuple[int, ...], b: tuple[int, ...]) -> bool:
    """Whether two boxes (left, top, right, bottom) overlap or lie within `GAP` pixels."""
    return all(a[k] <= b[k + 2] + GAP and b[k] <= a[k + 2] + GAP for k in (0, 1))


def _joined(a: tuple[int, ...], b: tuple[int, ...]) -> tuple[int, int, int, int]:
    """The box around two boxes."""
    return min(a[0], b[0]), min(a[1], b[1]), max(a[2], b[2]), max(a[3], b[3])


def share_set(mask: Mask, circle: Circle, factor: float) -> float:
    """Which share of a mask (0 or 255) is set on the circle of `factor` times the radius."""
    return float(ring(mask, circle, factor * circle.radius).mean()) / 255


def ring(image: NDArray[Any], circle: Circle, radius: float) -> NDArray[Any]:
    """The pixels around a circle's middle at some radius; beyond the border, those of the border."""
    rows = np.rint(circle.y + radius * _SINES).astype(np.intp)
    cols = np.rint(circle.x + radius * _COSINES).astype(np.intp)
    return image[rows.clip(0, image.shape[0] - 1), cols.clip(0, image.shape[1] - 1)]


def colour_of_panel(lab: Floats, colour: Floats, tolerance: float) -> tuple[Mask, tuple[int, int, int, int]]:
    """The largest connected area of a colour as a mask (255 inside), and its box: left, top, width, height."""
    parts, stats = components(_near(lab, colour, tolerance))
    if len(stats) < 2:
        return np.zeros(parts.shape, np.uint8), (0, 0, 0, 0)
    largest = 1 + int(stats[1:, cv2.CC_STAT_AREA].argmax())
    left, top, width, height = (int(v) for v in stats[largest][:4])
    return (parts == largest).astype(np.uint8) * 255, (left, top, width, height)


def _near(lab: Floats, colour: Floats, tolerance: float) -> Mask:
    """1 where a picture has a colour; gaps of a pixel (grain, noise) are closed."""
    return _closed(distance_to(lab, colour) < tolerance)


def _lit(lab: Floats, light: Floats, tolerance: float) -> Mask:
    """1 where a picture has the colour of a panel in its light, see `light_over`."""
    return _closed(squared_lengths(_unlike(lab, light)) < tolerance**2)


def _closed(near: NDArray[np.bool_]) -> Mask:
    return np.asarray(cv2.morphologyEx(near.astype(np.uint8), cv2.MORPH_CLOSE, np.ones((3, 3), np.uint8)), np.uint8)


def sides_reached(panel: Mask) -> int:
    """How many sides of the picture a panel lies along, for a quarter of their length or more."""
    sides = (panel[0], panel[-1], panel[:, 0], panel[:, -1])
    return sum(float(side.mean()) > 255 / 4 for side in sides)
