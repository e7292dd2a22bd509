"""Bolt Unscrew screens: which of two crossing boards lies on top, and layers that agree with all crossings.

Where two boards cross, the outline of the upper one runs on through the lower one, whose own outline is not seen there.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pipeline.extract.bolt_unscrew_evidence import MARGIN, Sight, hide
from pipeline.extract.bolt_unscrew_rims import edge_at, pixels_at, rim_of
from pipeline.extract.bolt_unscrew_shapes import FoundBoard, Shape, depths_in, mask_of

Mask = NDArray[np.uint8]

FEWEST_PIXELS, FEWEST_POINTS = 12, 2
"""Least number of pixels of a crossing, and of points of an outline, that tell anything."""

SHOWN, HIDDEN = 0.9, 0.6
"""Least share of the points that show an edge where an outline is seen, and most where it is not."""


@dataclass(frozen=True)
class Order:
    """`layers[i]` is board i's layer from the bottom (0); `unclear` are pairs (i, j) whose upper board is a guess."""

    layers: tuple[int, ...]
    unclear: tuple[tuple[int, int], ...]


def stacked(sight: Sight, boards: Sequence[FoundBoard]) -> Order:
    """Layers from what is seen at the crossings of two boards; what was found first hides nothing of itself."""
    whole = [mask_of(b.shape, sight.cover.shape) for b in boards]
    free = _in_view(sight, boards)
    above: list[tuple[int, int]] = []
    unclear: list[tuple[int, int]] = []
    for j in range(len(boards)):
        for i in range(j):
            if np.count_nonzero(whole[i] & whole[j]) < FEWEST_PIXELS:
                continue
            view = free[min(boards[i].depth, boards[j].depth)]
            sign = _seen_in(sight, boards[i].shape, boards[j].shape, view)
            sign -= _seen_in(sight, boards[j].shape, boards[i].shape, view)
            if sign == 0:
                sign = 1 if boards[i].depth <= boards[j].depth else -1
                unclear.append((i, j))
            above.append((i, j) if sign > 0 else (j, i))
    layers, loops = _heights(len(boards), above)
    return Order(layers, tuple(sorted({*unclear, *loops})))


def _in_view(sight: Sight, boards: Sequence[FoundBoard]) -> list[Mask]:
    """For every depth a mask (255 inside) of what neither screws nor boards found before hide."""
    masks = [sight.unscrewed]
    for depth in range(max((b.depth for b in boards), default=0)):
        mask = masks[-1].copy()
        for board in boards:
            if board.depth == depth:
                hide(mask, board.shape)
        masks.append(mask)
    return masks


def _seen_in(sight: Sight, shape: Shape, other: Shape, view: Mask) -> int:
    """Whether the outline of a board shows an edge inside another board (1) or none (-1); 0 where it cannot be told."""
    points, normals = rim_of(shape)
    inside = (depths_in(other, points) > MARGIN) & (view[pixels_at(points, view.shape)] > 0)
    if inside.sum() < FEWEST_POINTS:
        return 0
    share = edge_at(sight.scene, points[inside], normals[inside], view).mean()
    return int(share >= SHOWN) - int(share <= HIDDEN)


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
