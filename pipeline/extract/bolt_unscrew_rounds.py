"""Bolt Unscrew screens: the round things of a picture, and what tells screws and holes among them.

Circles are looked for at three scales, each for the radii that are small there: large ones are found as well in a
reduced copy, at a fraction of the time.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from pipeline.extract.circles import LEAST_STEP, Circle, Floats, distinct, find_circles, find_edges, gradient
from pipeline.extract.colour import median_colours, medians
from pipeline.extract.image import Pixels

SMALLEST, LARGEST = 4.5, 40.0
"""Radii of screws and holes in pixels of the working picture."""

SCALES = 3
"""The picture, its half and its quarter are searched, all but the last for radii below twice the smallest."""

MOST_CIRCLES = 500
"""Only so many of the best supported circles are looked at."""

ANGLES = 24
"""Directions in which a circle is sampled."""

CORE, SURROUNDINGS = (0.05, 0.75), (1.5, 1.85)
"""What counts as the inside and as the surroundings of a circle, in radii."""

RINGS = 1.2
"""Rings of one thing whose radii differ by this factor are told apart: of all screws the same one must be found."""

HALF = 0.5
"""Least support of a circle, in the copy in which it is looked for."""

REACH = 1.3
"""How far outwards the looks of a circle are told, in radii."""


@dataclass(frozen=True, eq=False)
class Rounds:
    """All circles of a picture with their features; arrays run along the circles, the smallest first.

    `relief` is the mean deviation inside, `inside` the median colour there, `ground` that of the surroundings and
    `unrest` its spread; `closed` is the share of directions in which the inside does not go on beyond the outline (not
    so at a bar's end). Colours are weighted L*a*b*; `lab` and `steep`, where there are edges, have the picture's size.
    """

    circles: list[Circle]
    lab: Floats
    steep: NDArray[np.bool_]
    relief: Floats
    inside: Floats
    ground: Floats
    unrest: Floats
    closed: Floats

    @cached_property
    def at(self) -> Floats:
        """Middles, shape (n, 2)."""
        return np.array([(c.x, c.y) for c in self.circles], np.float32).reshape(-1, 2)

    @cached_property
    def radius(self) -> Floats:
        """Radii."""
        return np.array([c.radius for c in self.circles], np.float32)

    @cached_property
    def support(self) -> Floats:
        """Shares of the outlines that are edges."""
        return np.array([c.support for c in self.circles], np.float32)

    @cached_property
    def half(self) -> Floats:
        """The picture's colours at half its size."""
        height, width = self.lab.shape[:2]
        size = max(1, width // 2), max(1, height // 2)
        return np.asarray(cv2.resize(self.lab, size, interpolation=cv2.INTER_AREA), np.float32)

    @cached_property
    def panels(self) -> dict[tuple[bytes, float], tuple[Floats, float, NDArray[np.uint8] | None]]:
        """Colour, tolerance and panel found around a group of circles, by the group's bytes and the scale looked at."""
        return {}

    @cached_property
    def looks(self) -> Floats:
        """Median colours a pixel apart outwards from the middle, shape (n, reach, 3), the longest reach of all."""
        longest = int(REACH * self.radius.max(initial=0)) + 2
        seen = np.zeros((len(self.circles), longest, 3), np.float32)
        for first in range(0, len(self.circles), 50):  # circles of about one size are sampled no farther than needed
            rows = slice(first, first + 50)
            reach = int(REACH * self.radius[rows][-1]) + 1
            lengths = np.broadcast_to(np.arange(reach + 1, dtype=np.float32), (len(self.at[rows]), reach + 1))
            seen[rows, : reach + 1] = median_colours(np.swapaxes(_sampled(self.lab, self.at[rows], lengths), 1, 2))
        return seen


def find_rounds(bgr: Pixels, lab: Floats, gradients: tuple[Floats, Floats]) -> Rounds:
    """The circles of a working picture (8-bit BGR, weighted L*a*b*, and its gradients) and their features."""
    circles = sorted(_circles(bgr, gradients)[:MOST_CIRCLES], key=lambda c: c.radius)
    at = np.array([(c.x, c.y) for c in circles], np.float32).reshape(-1, 2)
    radius = np.array([c.radius for c in circles], np.float32)[:, None]
    core = _sampled(lab, at, radius * np.linspace(*CORE, 6, dtype=np.float32)).reshape(len(at), 6 * ANGLES, 3)
    around = _sampled(lab, at, radius * np.linspace(*SURROUNDINGS, 4, dtype=np.float32))
    ring = around.reshape(len(at), 4 * ANGLES, 3)
    inside, ground = median_colours(core), median_colours(ring)
    out = _lengths(around.mean(axis=2) - inside[:, None])
    return Rounds(
        circles,
        lab,
        cv2.magnitude(*gradients) >= LEAST_STEP,
        relief=_lengths(core - inside[:, None]).mean(axis=1),
        inside=inside,
        ground=ground,
        unrest=medians(_lengths(ring - ground[:, None])),
        closed=(out > 0.5 * _lengths(ground - inside)[:, None]).mean(axis=1, dtype=np.float32),
    )


def _circles(bgr: Pixels, gradients: tuple[Floats, Floats]) -> list[Circle]:
    """Circles of all sizes, the best supported first, in pixels of `bgr`."""
    found = find_circles(find_edges(gradients), SMALLEST, 2 * SMALLEST, RINGS, HALF)
    small: Any = bgr
    for k in range(1, SCALES):
        half = max(1, small.shape[1] // 2), max(1, small.shape[0] // 2)
        small = cv2.resize(small, half, interpolation=cv2.INTER_AREA)
        across, down = bgr.shape[1] / small.shape[1], bgr.shape[0] / small.shape[0]
        largest = LARGEST / 2**k if k == SCALES - 1 else 2 * SMALLEST
        coarse = [
            Circle((c.x + 0.5) * across - 0.5, (c.y + 0.5) * down - 0.5, c.radius * (across + down) / 2, c.support)
            for c in find_circles(find_edges(gradient(small)), SMALLEST, largest, RINGS, HALF)
        ]
        found += _verified(coarse, gradients)
    return distinct(found, RINGS)


def _verified(circles: list[Circle], gradients: tuple[Floats, Floats]) -> list[Circle]:
    """Circles of a reduced copy, with radius and support from the picture's own edges where these speak more for them.

    Thin rings, bright and dark, are blurred away in reduced copies.
    """
    if not circles:
        return []
    at = np.array([(c.x, c.y) for c in circles], np.float32)
    radius = np.array([c.radius for c in circles], np.float32)[:, None]
    steps = np.arange(-4, 5, dtype=np.float32) * 0.75
    slopes = _sampled(np.dstack(gradients), at, radius + steps)
    outwards = np.stack([np.cos(_angles()), np.sin(_angles())], axis=1)
    radial = np.einsum("nakc,ac->nak", slopes, outwards)
    facing = np.where(np.abs(radial) >= 0.9 * _lengths(slopes), radial, 0)
    best = np.zeros((len(circles), len(steps) - 2), np.float32)
    for edge in (facing >= LEAST_STEP, facing <= -LEAST_STEP):
        near = edge[:, :, :-2] | edge[:, :, 1:-1] | edge[:, :, 2:]
        np.maximum(best, near.mean(axis=1), out=best)
    pick = best.argmax(axis=1)
    return [
        Circle(c.x, c.y, c.radius + float(steps[k + 1]), float(s)) if s > c.support else c
        for c, k, s in zip(circles, pick, best.max(axis=1), strict=True)
    ]


def _angles() -> Floats:
    """The directions in which circles are sampled, in radians."""
    return np.arange(ANGLES, dtype=np.float32) * np.float32(2 * np.pi / ANGLES)


def _sampled(image: Floats, at: Floats, lengths: Floats) -> Floats:
    """The image's channels at `lengths` (n, k) pixels outwards from each middle, shape (n, `ANGLES`, k, channels)."""
    x = at[:, 0, None, None] + np.cos(_angles())[None, :, None] * lengths[:, None]
    y = at[:, 1, None, None] + np.sin(_angles())[None, :, None] * lengths[:, None]
    if not x.size:
        return np.zeros((*x.shape, image.shape[2]), np.float32)
    rows = 32767 // ANGLES  # OpenCV maps pictures of fewer than 2^15 rows
    parts = [
        cv2.remap(
            image,
            x[i : i + rows].reshape(-1, x.shape[2]),
            y[i : i + rows].reshape(-1, x.shape[2]),
            cv2.INTER_LINEAR,
            borderMode=cv2.BORDER_REPLICATE,
        )
        for i in range(0, len(at), rows)
    ]
    return np.concatenate(parts).reshape(*x.shape, image.shape[2]).astype(np.float32)


def _lengths(vectors: NDArray[Any]) -> Floats:
    """Euclidean lengths along the last axis."""
    return np.sqrt(np.einsum("...i,...i->...", vectors, vectors)).astype(np.float32)
