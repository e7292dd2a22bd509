"""Circles: where edges of any colour stand around a common middle.

Every edge pixel votes for the middles of the circles it may belong to, along its gradient and on both sides (the fast
form of the circle Hough transform). Circles of a look that has no flat inside (a screw head, a coin, a ring) are found
as well as plain ones, and circles that are partly covered are found by the arcs that remain.
"""

import functools
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from pipeline.extract.image import Pixels

Floats = NDArray[np.float32]

LEAST_STEP = 5.0
"""Least change of any channel on an edge, 8-bit levels a pixel; a clean step of 20 levels has about that, softened."""

LEAST_SUPPORT = 0.36
"""Least share of a circle's outline that must be edge, unless the caller wants more."""

_NEAR = np.arange(-2, 3)
"""Pixels around a summit that it is compared with."""

BAND = 1.5
"""Rings around one middle whose radii differ by this factor or more are different things."""


@dataclass(frozen=True)
class Circle:
    """A circle in pixels; `support` in [0, 1] is the share of its outline that is an edge facing its middle."""

    x: float
    y: float
    radius: float
    support: float


@dataclass(frozen=True, eq=False)
class Edges:
    """Edge pixels of a picture: `x`, `y`, and their unit gradients `dx`, `dy`, one dimensional; and the mask."""

    x: Floats
    y: Floats
    dx: Floats
    dy: Floats
    shape: tuple[int, int]


def gradient(bgr: Pixels) -> tuple[Floats, Floats]:
    """Change to the right and downwards of the channel that changes most, 8-bit levels a pixel, height × width each."""
    channels = cv2.split(cv2.GaussianBlur(bgr, (0, 0), 0.9))
    (across, down, most), *others = map(_slopes, channels)
    for x, y, change in others:
        more = (change > most).view(np.uint8)
        for target, values in ((across, x), (down, y), (most, change)):
            cv2.copyTo(values, more, target)
    return across, down


def _slopes(channel: Pixels) -> tuple[Any, Any, Any]:
    """Change of one channel to the right, downwards, and the square of the whole change."""
    x, y = (cv2.Scharr(channel, cv2.CV_32F, right, 1 - right, scale=1 / 32) for right in (1, 0))
    change = x * x
    change += y * y
    return x, y, change


def find_edges(gradients: tuple[Floats, Floats]) -> Edges:
    """Thin edges of a picture from its `gradient`."""
    fixed: list[Any] = [np.clip(g * 64, -32000, 32000).astype(np.int16) for g in gradients]
    thin = cv2.Canny(fixed[0], fixed[1], 0.6 * 64 * LEAST_STEP, 64 * LEAST_STEP, L2gradient=True)
    y, x = _set(thin > 0)
    across, down = gradients
    dx, dy = across[y, x], down[y, x]
    norm = np.maximum(np.hypot(dx, dy), 1e-6)
    unit_x, unit_y = (dx / norm).astype(np.float32), (dy / norm).astype(np.float32)
    return Edges(x.astype(np.float32), y.astype(np.float32), unit_x, unit_y, across.shape)


def find_circles(
    edges: Edges, smallest: float, largest: float, band: float = BAND, least: float = LEAST_SUPPORT
) -> list[Circle]:
    """Circles with radii between `smallest` and `largest` pixels and support of `least`, the best supported first.

    Of rings around one middle whose radii differ by less than the factor `band` the best supported is given; a ring in
    a much larger one is its own.
    """
    radii = np.array(_radii(smallest, largest), np.float32)
    votes = [_votes(edges, float(radius)) for radius in radii]
    found: list[Circle] = []
    first = 0
    while first < len(radii):
        end = int(np.searchsorted(radii, band * radii[first]))
        around = slice(max(0, first - 1), end + 1)  # with neighbours, between which a radius may lie
        found += _summits(functools.reduce(np.maximum, votes[first:end]), votes[around], radii[around], least)
        first = end
    return distinct(found, band)


def distinct(circles: Sequence[Circle], band: float = BAND) -> list[Circle]:
    """The best supported first, without weaker ones around nearly one middle with radii within the factor `band`."""
    ordered = sorted(circles, key=lambda c: -c.support)
    x, y, radius = np.array([(c.x, c.y, c.radius) for c in ordered], np.float32).reshape(-1, 3).T
    larger = np.maximum(radius[:, None], radius)
    near = (x[:, None] - x) ** 2 + (y[:, None] - y) ** 2 <= (0.6 * larger) ** 2
    near &= larger < band * np.minimum(radius[:, None], radius)
    free = np.ones(len(ordered), bool)
    kept: list[Circle] = []
    for k, circle in enumerate(ordered):
        if free[k]:
            kept.append(circle)
            free &= ~near[k]
    return kept


def _summits(best: Floats, votes: list[Floats], radii: Floats, least: float) -> list[Circle]:
    """The circles at local summits of the votes, whose radii lie between those that got the votes."""
    rows, cols = _set(best >= least)
    summit, near = best[rows, cols], _windows(best, rows, cols)
    highest = summit >= near.max(axis=(1, 2))
    rows, cols, summit, near = rows[highest], cols[highest], summit[highest], near[highest]
    y, x = _centroids(near, rows, cols, summit)
    shares = np.maximum(0, np.stack([v[rows, cols] for v in votes], axis=1) - 0.6 * summit[:, None])
    values = zip(x, y, shares @ radii / shares.sum(axis=1), summit, strict=True)
    return [Circle(float(x), float(y), float(r), min(1.0, float(s))) for x, y, r, s in values]


def _centroids(
    near: Floats, rows: NDArray[np.intp], cols: NDArray[np.intp], summit: Floats
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Rows and columns of summits to a fraction of a pixel: where the votes near them (`_windows`) are densest."""
    weights = np.maximum(0, near - 0.6 * summit[:, None, None])
    total = weights.sum(axis=(1, 2))
    y, x = rows[:, None, None] + _NEAR[:, None], cols[:, None, None] + _NEAR
    return (
        ((weights * y).sum(axis=(1, 2)) / total).astype(np.float32),
        ((weights * x).sum(axis=(1, 2)) / total).astype(np.float32),
    )


def _windows(votes: Floats, rows: NDArray[np.intp], cols: NDArray[np.intp]) -> Floats:
    """The votes within two pixels of some places, n × 5 × 5; beyond the border, those of the border."""
    y = (rows[:, None] + _NEAR).clip(0, votes.shape[0] - 1)
    x = (cols[:, None] + _NEAR).clip(0, votes.shape[1] - 1)
    return votes[y[:, :, None], x[:, None]]


def _set(mask: NDArray[np.bool_]) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Rows and columns of the pixels that are set: as `np.nonzero`, several times faster."""
    rows, cols = np.divmod(np.flatnonzero(mask), mask.shape[1])
    return rows, cols


def _radii(smallest: float, largest: float) -> list[float]:
    radii = [smallest]
    while radii[-1] < largest:
        radii.append(radii[-1] + max(1.0, 0.07 * radii[-1]))
    return radii


def _votes(edges: Edges, radius: float) -> Floats:
    """The larger of both signs' votes for circles of a radius around every pixel, as a share of the circumference."""
    height, width = edges.shape
    most = np.zeros(edges.shape, np.uint16)
    along, down = radius * edges.dx, radius * edges.dy
    for to in (np.add, np.subtract):
        x = np.rint(to(edges.x, along)).astype(np.intp)
        y = np.rint(to(edges.y, down)).astype(np.intp)
        inside = (x >= 0) & (x < width) & (y >= 0) & (y < height)
        count = np.zeros(edges.shape, np.uint16)
        np.add.at(count.reshape(-1), (y * width + x)[inside], np.uint16(1))
        soft: Any = cv2.boxFilter(count, -1, (3, 3), normalize=False)
        np.maximum(most, soft, out=most)
    return most * np.float32(1 / (2 * np.pi * radius))
