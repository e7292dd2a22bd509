"""Bolt Unscrew screens: which of two crossing boards lies on top, and layers that agree with all crossings.

Where two boards cross, the picture shows the colour of the upper one, and its outline runs on through the lower one.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from pipeline.extract.bolt_unscrew_shapes import SLACK, FoundBoard, Scene, Shape, mask_of, outline
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


class Rim(NamedTuple):
    """Points along an outline: whether an edge is seen there, and the row and column of the pixel."""

    edge: NDArray[np.bool_]
    row: NDArray[np.intp]
    col: NDArray[np.intp]


def stacked(scene: Scene, boards: Sequence[FoundBoard]) -> Order:
    """Layers from what is seen where two boards cross; where it does not tell, see `Order`.

    What a third board may hide tells nothing, so crossings are judged anew as it comes out which boards lie below.
    A crossing that boards above hide wholly has no order that anybody could see, and any will do.
    """
    crossings = _Crossings(scene, boards)
    waiting = crossings.pairs
    above: list[tuple[int, int]] = []
    while waiting:
        decided, hidden = [], []
        over = _over(len(boards), above)
        for i, j in waiting:
            covering = over[:, i] & over[:, j]
            if crossings.hidden(i, j, np.flatnonzero(covering)):
                hidden.append((i, j))
                continue
            below = over[i] | over[j]
            upper = crossings.upper(i, j, np.flatnonzero(~below))
            if upper is not None:
                decided.append((i, j) if upper == i else (j, i))
        waiting = [pair for pair in waiting if pair not in hidden and pair not in decided and pair[::-1] not in decided]
        above += decided
        if not decided:
            break
    guesses = [(i, j) if boards[i].depth <= boards[j].depth else (j, i) for i, j in waiting]
    layers, loops = _heights(len(boards), above + guesses)
    return Order(layers, tuple(sorted({*waiting, *loops})))


def _over(count: int, above: Sequence[tuple[int, int]]) -> NDArray[np.bool_]:
    """Which board (row) lies above which (column), also by way of others."""
    over = np.zeros((count, count), bool)
    for upper, lower in above:
        over[upper, lower] = True
    for k in range(count):
        over |= over[:, k, None] & over[k]
    return over


class _Crossings:
    """Where boards lie on one another, and what is seen there."""

    def __init__(self, scene: Scene, boards: Sequence[FoundBoard]) -> None:
        size = scene.lab.shape
        screws, around = np.zeros(size[:2], np.uint8), np.zeros(size[:2], np.uint8)
        for screw in scene.spots.screws:
            at = round(screw.circle.x), round(screw.circle.y)
            cv2.circle(screws, at, round(screw.circle.radius), 255, -1)
            cv2.circle(around, at, round(screw.circle.radius) + HALO, 255, -1)
        self._screws = screws > 0
        self._lab = scene.lab
        self._rims = [edge_along(scene, b.shape) for b in boards]
        self._whole = [mask_of(b.shape, size) for b in boards]
        self._grown = [mask_of(b.shape, size, shrink=-HALO) > 0 for b in boards]
        self._least = [mask_of(b.shape, size, shrink=SLACK) > 0 for b in boards]
        self._inner = [least & (around == 0) for least in self._least]
        self._boxes = [cv2.boundingRect(mask) for mask in self._whole]
        self._colours = [_colour(scene.lab, mask, box) for mask, box in zip(self._inner, self._boxes, strict=True)]
        self.pairs = [(i, j) for j in range(len(boards)) for i in range(j) if self._area(i, j) >= FEWEST_PIXELS]

    def _area(self, i: int, j: int) -> int:
        part = _common(self._boxes[i], self._boxes[j])
        return int(np.count_nonzero(self._whole[i][part] & self._whole[j][part]))

    def hidden(self, i: int, j: int, covering: NDArray[np.intp]) -> bool:
        """Whether boards that lie above both hide where they cross."""
        part = _common(self._boxes[i], self._boxes[j])
        seen = ((self._whole[i][part] & self._whole[j][part]) > 0) & ~self._screws[part]
        for k in covering:
            seen &= ~self._least[k][part]
        return int(seen.sum()) < FEWEST_PIXELS

    def upper(self, i: int, j: int, others: NDArray[np.intp]) -> int | None:
        """Which of two boards lies on top, as far as no others may hide it; None where that is not plain."""
        part = _common(self._boxes[i], self._boxes[j])
        crowd = np.zeros(self._whole[0].shape, bool)
        for k in others:
            if k not in (i, j):
                crowd |= self._grown[k]
        crossing = self._inner[i][part] & self._inner[j][part] & ~crowd[part]
        by_colour = _by_colour(self._lab[part][crossing], self._colours[i], self._colours[j])
        by_outline = _by_outline(self._rim(i, j, crowd), self._rim(j, i, crowd))
        first, sure = _agreed(by_colour, by_outline)
        return ((i, j)[first]) if sure else None

    def _rim(self, i: int, j: int, crowd: NDArray[np.bool_]) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
        """Along the outline of one board, where an edge is seen, and what lies in another and in no crowd."""
        edge, row, col = self._rims[i]
        return edge, self._inner[j][row, col] & ~crowd[row, col]


def _common(a: Sequence[int], b: Sequence[int]) -> tuple[slice, slice]:
    """Rows and columns that two boxes (x, y, width, height) share."""
    left, top = max(a[0], b[0]), max(a[1], b[1])
    right, bottom = min(a[0] + a[2], b[0] + b[2]), min(a[1] + a[3], b[1] + b[3])
    return slice(top, max(top, bottom)), slice(left, max(left, right))


def _colour(lab: Floats, mask: NDArray[np.bool_], box: Sequence[int]) -> Floats:
    """The median colour under a mask."""
    part = _common(box, box)
    inside = mask[part]
    return np.median(lab[part][inside], axis=0) if inside.any() else np.zeros(3, np.float32)


def _by_colour(seen: Floats, first: Floats, second: Floats) -> float:
    """How much the colours of a crossing speak for the first board (1) or the second (-1) on top; 0 tells nothing."""
    if len(seen) < FEWEST_PIXELS or float(np.linalg.norm(first - second)) < PLAIN_DIFFERENCE:
        return 0.0
    to_first, to_second = (np.linalg.norm(seen - c, axis=1) for c in (first, second))
    return 2 * float((to_first < to_second).mean()) - 1


def _by_outline(first: tuple[NDArray[np.bool_], ...], second: tuple[NDArray[np.bool_], ...]) -> float:
    """The same from the outlines, each as edge and as inside the other board: of the upper board it shows an edge."""
    shares = []
    for edge, inside in (first, second):
        if inside.sum() < FEWEST_POINTS:
            return 0.0
        shares.append(float(edge[inside].mean()))
    return shares[0] - shares[1]


def _agreed(by_colour: float, by_outline: float) -> tuple[int, bool]:
    """Which of two boards (0, 1) lies on top, and whether that is plain: either sign alone is, unless they differ."""
    total = by_colour + by_outline
    contradiction = by_colour * by_outline < 0 and min(abs(by_colour), abs(by_outline)) > PLAIN_SIGN / 2
    return (0 if total >= 0 else 1), abs(total) >= PLAIN_SIGN and not contradiction


def edge_along(scene: Scene, shape: Shape) -> Rim:
    """Points along an outline, and whether an edge runs across it there."""
    corners = np.array(outline(shape), np.float32)
    ahead = np.roll(corners, -1, axis=0) - corners
    lengths = np.hypot(*ahead.T)
    counts = np.maximum(1, np.rint(lengths / POINT_STEP).astype(int))
    shares = np.concatenate([(np.arange(n) + 0.5) / n for n in counts])[:, None]
    rows = np.repeat(np.arange(len(corners)), counts)
    points = corners[rows] + shares * ahead[rows]
    normals = (ahead[rows] / np.maximum(lengths[rows], 1e-6)[:, None])[:, ::-1] * (-1, 1)
    edge = np.zeros(len(points), bool)
    size = scene.lab.shape
    for step in range(-REACH, REACH + 1):
        x, y = _pixels(points + step * normals, size)
        edge |= np.abs(scene.across[y, x] * normals[:, 0] + scene.down[y, x] * normals[:, 1]) >= LEAST_STEP
    x, y = _pixels(points, size)
    return Rim(edge, y, x)


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
