"""Bolt Unscrew screens: which of two crossing boards lies on top, and layers that agree with all crossings.

Where two boards cross, the picture shows the colour of the upper one, and its outline runs on through the lower one.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from pipeline.extract.bolt_unscrew_shapes import FoundBoard, Scene, Shape, mask_of, outline
from pipeline.extract.circles import LEAST_STEP, Floats

PLAIN_DIFFERENCE = 6.0
"""Least distance (weighted ΔE) between two boards' colours for the crossing to tell them apart."""


PLAIN_SIGN = 0.5
"""Least sum of the signs of colour and outline, each in [-1, 1], for an order that is plain."""

FEWEST_PIXELS, FEWEST_POINTS = 12, 4
"""Least number of pixels of a crossing, and of points of an outline, that tell anything."""

HALO = 3
"""Pixels around screws and boards that show what lies below as little as these do."""

POINT_STEP = 2.0
"""Pixels from one point of an outline to the next."""

REACH = 3
"""Pixels to either side of an outline where its edge is looked for."""


@dataclass(frozen=True)
class Order:
    """`layers[i]` is board i's layer from the bottom (0); `unclear` are pairs (i, j) whose upper board is a guess."""

    layers: tuple[int, ...]
    unclear: tuple[tuple[int, int], ...]


def stacked(scene: Scene, boards: Sequence[FoundBoard]) -> Order:
    """Layers from what is seen at the crossings of two boards alone; where it does not tell, see `Order`."""
    size = scene.lab.shape
    screws = np.zeros(size[:2], np.uint8)
    for screw in scene.spots.screws:
        cv2.circle(screws, (round(screw.circle.x), round(screw.circle.y)), round(screw.circle.radius) + HALO, 255, -1)
    whole = [mask_of(b.shape, size) for b in boards]
    masks = [cv2.bitwise_and(mask_of(b.shape, size, shrink=2), cv2.bitwise_not(screws)) for b in boards]
    boxes = [cv2.boundingRect(mask) for mask in whole]
    crowd = np.sum([mask_of(b.shape, size, shrink=-HALO) > 0 for b in boards], axis=0) > 2  # a third may lie on top
    colours = [_colour(scene.lab, mask, box) for mask, box in zip(masks, boxes, strict=True)]
    above: list[tuple[int, int]] = []
    unclear: list[tuple[int, int]] = []
    for j in range(len(boards)):
        for i in range(j):
            part = _common(boxes[i], boxes[j])
            if np.count_nonzero(whole[i][part] & whole[j][part]) < FEWEST_PIXELS:
                continue
            crossing = ((masks[i][part] & masks[j][part]) > 0) & ~crowd[part]
            by_colour = _by_colour(scene.lab[part][crossing], colours[i], colours[j])
            clear = (np.where(crowd, np.uint8(0), masks[i]), np.where(crowd, np.uint8(0), masks[j]))
            by_outline = _by_outline(scene, (boards[i].shape, boards[j].shape), clear)
            upper, sure = _agreed(by_colour, by_outline)
            if not sure:
                upper = 0 if boards[i].depth <= boards[j].depth else 1
                unclear.append((i, j))
            above.append((i, j) if upper == 0 else (j, i))
    layers, loops = _heights(len(boards), above)
    return Order(layers, tuple(sorted({*unclear, *loops})))


def _common(a: Sequence[int], b: Sequence[int]) -> tuple[slice, slice]:
    """Rows and columns that two boxes (x, y, width, height) share."""
    left, top = max(a[0], b[0]), max(a[1], b[1])
    right, bottom = min(a[0] + a[2], b[0] + b[2]), min(a[1] + a[3], b[1] + b[3])
    return slice(top, max(top, bottom)), slice(left, max(left, right))


def _colour(lab: Floats, mask: NDArray[np.uint8], box: Sequence[int]) -> Floats:
    """The median colour under a mask."""
    part = _common(box, box)
    inside = mask[part] > 0
    return np.median(lab[part][inside], axis=0) if inside.any() else np.zeros(3, np.float32)


def _by_colour(seen: Floats, first: Floats, second: Floats) -> float:
    """How much the colours of a crossing speak for the first board (1) or the second (-1) on top; 0 tells nothing."""
    if len(seen) < FEWEST_PIXELS or float(np.linalg.norm(first - second)) < PLAIN_DIFFERENCE:
        return 0.0
    to_first, to_second = (np.linalg.norm(seen - c, axis=1) for c in (first, second))
    return 2 * float((to_first < to_second).mean()) - 1


def _by_outline(scene: Scene, shapes: tuple[Shape, Shape], masks: tuple[NDArray[np.uint8], NDArray[np.uint8]]) -> float:
    """The same from the outlines: of the upper board it shows an edge inside the lower board."""
    shares = []
    for shape, other in zip(shapes, reversed(masks), strict=True):
        edge, inside = edge_along(scene, shape, other)
        if inside.sum() < FEWEST_POINTS:
            return 0.0
        shares.append(float(edge[inside].mean()))
    return shares[0] - shares[1]


def _agreed(by_colour: float, by_outline: float) -> tuple[int, bool]:
    """Which of two boards (0, 1) lies on top, and whether that is plain: either sign alone is, unless they differ."""
    total = by_colour + by_outline
    contradiction = by_colour * by_outline < 0 and min(abs(by_colour), abs(by_outline)) > PLAIN_SIGN / 2
    return (0 if total >= 0 else 1), abs(total) >= PLAIN_SIGN and not contradiction


def edge_along(scene: Scene, shape: Shape, where: NDArray[np.uint8]) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Whether points along an outline show an edge across it, and whether they lie where a mask is set."""
    corners = np.array(outline(shape), np.float32)
    ahead = np.roll(corners, -1, axis=0) - corners
    lengths = np.hypot(*ahead.T)
    counts = np.maximum(1, np.rint(lengths / POINT_STEP).astype(int))
    shares = np.concatenate([(np.arange(n) + 0.5) / n for n in counts])[:, None]
    rows = np.repeat(np.arange(len(corners)), counts)
    points = corners[rows] + shares * ahead[rows]
    normals = (ahead[rows] / np.maximum(lengths[rows], 1e-6)[:, None])[:, ::-1] * (-1, 1)
    edge = np.zeros(len(points), bool)
    for step in range(-REACH, REACH + 1):
        x, y = _pixels(points + step * normals, where.shape)
        edge |= np.abs(scene.across[y, x] * normals[:, 0] + scene.down[y, x] * normals[:, 1]) >= LEAST_STEP
    x, y = _pixels(points, where.shape)
    return edge, where[y, x] > 0


def _pixels(points: NDArray[Any], shape: tuple[int, ...]) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Columns and rows of the pixels at points (n, 2), those outside moved to the border."""
    x = np.clip(np.rint(points[:, 0]), 0, shape[1] - 1).astype(np.intp)
    y = np.clip(np.rint(points[:, 1]), 0, shape[0] - 1).astype(np.intp)
    return x, y


def _heights(count: int, above: Sequence[tuple[int, int]]) -> tuple[tuple[int, ...], list[tuple[int, int]]]:
    """The least layers with every upper board above its lower one, and the pairs left out because they close a loop."""
    layers = [0] * count
    kept: list[tuple[int, int]] = []
    loops: list[tuple[int, int]] = []
    for pair in above:
        raised = _raised(layers, [*kept, pair])
        if raised is None:
            loops.append((min(pair), max(pair)))
        else:
            kept.append(pair)
            layers = raised
    return tuple(layers), loops


def _raised(layers: Sequence[int], above: Sequence[tuple[int, int]]) -> list[int] | None:
    """Layers raised until they agree with all pairs; None when the pairs go round in a circle."""
    result = list(layers)
    for _ in range(len(result) + 1):
        changed = False
        for upper, lower in above:
            if result[upper] <= result[lower]:
                result[upper] = result[lower] + 1
                changed = True
        if not changed:
            return result
    return None
