"""Bolt Unscrew screens: which of two crossing boards lies on top, and layers that agree with all crossings.

Where two boards cross, the outline of the upper one runs on through the lower one, whose own outline is not seen there.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from pipeline.extract.bolt_unscrew_evidence import Sight
from pipeline.extract.bolt_unscrew_rims import edge_at, pixels_at, rim_of
from pipeline.extract.bolt_unscrew_shapes import SLACK, FoundBoard, Shape, depths_in, mask_of

Mask = NDArray[np.uint8]

FEWEST_PIXELS, FEWEST_POINTS = 12, 2
"""Least number of pixels of a crossing, and of points of an outline, that tell anything."""

HALO = 3
"""Pixels around a board in which its rim may be taken for that of another."""

SHOWN, HIDDEN = 0.9, 0.6
"""Least share of the points that show an edge where an outline is seen, and most where it is not."""

ENOUGH_POINTS = 12
"""Points of one outline that tell alone which board is the upper one; of fewer, some may be on another rim close by."""


@dataclass(frozen=True)
class Order:
    """`layers[i]` is board i's layer from the bottom (0); `unclear` are pairs (i, j) whose upper board is a guess."""

    layers: tuple[int, ...]
    unclear: tuple[tuple[int, int], ...]


def stacked(sight: Sight, boards: Sequence[FoundBoard]) -> Order:
    """Layers from what is seen at the crossings of two boards; see `Order` where it does not tell.

    A crossing that boards above hide has no order that anybody could see, and any will do.
    """
    size = sight.cover.shape
    least = [mask_of(b.shape, size, shrink=SLACK) for b in boards]
    whole = np.full(size, 255, np.uint8)
    free, bare = _in_view(sight.unscrewed, boards, HALO), _in_view(whole, boards, -SLACK)
    above: list[tuple[int, int]] = []
    unclear: list[tuple[int, int]] = []
    for j in range(len(boards)):
        for i in range(j):
            depth = min(boards[i].depth, boards[j].depth)
            crossing = cv2.bitwise_and(least[i], least[j])
            if np.count_nonzero(cv2.bitwise_and(crossing, bare[depth])) < FEWEST_PIXELS:
                if crossing.any():
                    above.append((i, j) if boards[i].depth <= boards[j].depth else (j, i))
                continue
            mine = _seen_in(sight, boards[i].shape, boards[j].shape, free[depth])
            theirs = _seen_in(sight, boards[j].shape, boards[i].shape, free[depth])
            sign = mine - theirs
            if mine * theirs > 0 or (mine * theirs == 0 and abs(sign) < ENOUGH_POINTS):
                unclear.append((i, j))
            if sign == 0:
                sign = 1 if boards[i].depth <= boards[j].depth else -1
            above.append((i, j) if sign > 0 else (j, i))
    layers, loops = _heights(len(boards), above)
    return Order(layers, tuple(sorted({*unclear, *loops})))


def _in_view(start: Mask, boards: Sequence[FoundBoard], around: float) -> list[Mask]:
    """For every depth a mask (255 inside) of what boards found before, and pixels around, leave of a mask."""
    masks = [start]
    for depth in range(max((b.depth for b in boards), default=0)):
        mask = masks[-1].copy()
        for board in boards:
            if board.depth == depth:
                mask[mask_of(board.shape, mask.shape, shrink=-around) > 0] = 0
        masks.append(mask)
    return masks


def _seen_in(sight: Sight, shape: Shape, other: Shape, view: Mask) -> int:
    """How many points of a board's outline lie inside another board, negative if they show no edge; 0 if some do."""
    points, normals = rim_of(shape)
    inside = (depths_in(other, points) > HALO) & (view[pixels_at(points, view.shape)] > 0)
    if inside.sum() < FEWEST_POINTS:
        return 0
    share = edge_at(sight.scene, points[inside], normals[inside], view).mean()
    return int(inside.sum()) * (int(share >= SHOWN) - int(share <= HIDDEN))


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
