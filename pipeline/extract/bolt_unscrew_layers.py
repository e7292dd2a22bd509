"""Bolt Unscrew screens: which of two crossing boards lies on top, and layers that agree with all crossings.

Where two boards cross, the picture shows the colour of the upper one.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from pipeline.extract.bolt_unscrew_shapes import FoundBoard, Scene, mask_of
from pipeline.extract.circles import Floats

PLAIN_DIFFERENCE = 6.0
"""Least distance (weighted ΔE) between two boards' colours for the crossing to tell them apart."""


@dataclass(frozen=True)
class Order:
    """`layers[i]` is board i's layer from the bottom (0); `unclear` are pairs (i, j) whose upper board is a guess."""

    layers: tuple[int, ...]
    unclear: tuple[tuple[int, int], ...]


def stacked(scene: Scene, boards: Sequence[FoundBoard]) -> Order:
    """Layers from what is seen at the crossings; where colours do not tell, boards found earlier lie on top."""
    size = scene.lab.shape
    screws = np.zeros(size[:2], np.uint8)
    for screw in scene.spots.screws:
        cv2.circle(screws, (round(screw.circle.x), round(screw.circle.y)), round(1.3 * screw.circle.radius), 255, -1)
    masks = [cv2.bitwise_and(mask_of(b.shape, size, shrink=3), cv2.bitwise_not(screws)) for b in boards]
    boxes = [cv2.boundingRect(mask) for mask in masks]
    colours = [_colour(scene.lab, mask, box) for mask, box in zip(masks, boxes, strict=True)]
    above: list[tuple[int, int]] = []
    unclear: list[tuple[int, int]] = []
    for j in range(len(boards)):
        for i in range(j):
            part = _common(boxes[i], boxes[j])
            crossing = (masks[i][part] & masks[j][part]) > 0
            if crossing.sum() < 12:
                continue
            upper, sure = _upper(scene.lab[part][crossing], colours[i], colours[j])
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


def _upper(seen: Floats, first: Floats, second: Floats) -> tuple[int, bool]:
    """Which of two colours (0, 1) most pixels of a crossing show, and whether that is plain."""
    if float(np.linalg.norm(first - second)) < PLAIN_DIFFERENCE:
        return 0, False
    to_first, to_second = (np.linalg.norm(seen - c, axis=1) for c in (first, second))
    share = float((to_first < to_second).mean())
    return (0 if share >= 0.5 else 1), not 0.25 < share < 0.75


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
