"""Bolt Unscrew screens: planks, from the edges beside the lines through two screws.

A plank shows two parallel edges, equally far from the line through its screws, and one texture between them; its ends
lie beyond the screws and are taken to be round where nothing shows them.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pipeline.extract.bolt_unscrew_shapes import Scene, Shape, commonest
from pipeline.extract.bolt_unscrew_sight import EDGE, ONE_COLOUR
from pipeline.extract.circles import LEAST_STEP, Floats

Mask = NDArray[np.uint8]

WIDTHS = (0.8, 3.0)
"""Half widths of planks in screw radii."""

SAMPLES = 40
"""Places along a plank at which its edges are looked for."""

SEEN = 0.2
"""Least share of a plank's edges that is in view, for the plank to be judged at all."""

EDGED = 0.72
"""Least share of the places in view where an edge of a plank stands."""

PLAIN = 0.7
"""Least share of a plank's middle in view that has one colour."""

RIM = 1.3
"""A plank is at most so many times as broad as what lies within its rim."""

ROUND_END = 3.0
"""Pixels by which an end that is seen may differ from a round one that is taken for granted."""


@dataclass(frozen=True, eq=False)
class Lines:
    """Lines through two screws: starts (n, 2), unit directions (n, 2), lengths (n)."""

    scene: Scene
    start: Floats
    along: Floats
    length: Floats

    def points(self, places: Floats, offset: Floats) -> tuple[Floats, Floats]:
        """x and y at `places` (shares of the length) and `offset` pixels to the side: (n, places, offsets)."""
        ahead = (self.length[:, None] * places)[:, :, None]
        x = self.start[:, 0, None, None] + ahead * self.along[:, 0, None, None] - offset * self.along[:, 1, None, None]
        y = self.start[:, 1, None, None] + ahead * self.along[:, 1, None, None] + offset * self.along[:, 0, None, None]
        return x.astype(np.float32), y.astype(np.float32)

    def take(self, row: int) -> "Lines":
        """One of the lines."""
        rows = slice(row, row + 1)
        return Lines(self.scene, self.start[rows], self.along[rows], self.length[rows])

    @cached_property
    def offsets(self) -> Floats:
        """Half widths that a plank may have, in pixels."""
        low, high = (share * self.scene.spots.radius for share in WIDTHS)
        return np.arange(low, high, 1.0, dtype=np.float32)

    @cached_property
    def sides(self) -> tuple[tuple[NDArray[np.intp], Floats], ...]:
        """For both sides the flat pixels (n, `SAMPLES`, offsets) and how steep the picture is there across the line."""
        places = ((np.arange(SAMPLES) + 0.5) / SAMPLES).astype(np.float32)
        found = []
        for side in (1, -1):
            pixels = _flat(self.scene.down.shape, *self.points(places, side * self.offsets))
            slope = self.scene.down.ravel()[pixels] * self.along[:, 0, None, None]
            slope -= self.scene.across.ravel()[pixels] * self.along[:, 1, None, None]
            found.append((pixels, np.abs(slope)))
        return tuple(found)


@dataclass(frozen=True)
class Candidate:
    """What may be a board, and how strongly its edges and its texture speak for it."""

    shape: Shape
    strength: float


def find_lines(scene: Scene, among: NDArray[np.bool_], areas: NDArray[np.intp] | None = None) -> Lines:
    """The lines through each two of the screws `among`; where the `areas` of all screws are given, of two areas."""
    screws = np.array([(s.circle.x, s.circle.y) for s in scene.spots.screws], np.float32).reshape(-1, 2)
    first, second = np.triu_indices(len(screws), 1)
    apart = np.hypot(*(screws[second] - screws[first]).T)
    keep = (apart > 1.7 * scene.spots.radius) & among[first] & among[second]
    if areas is not None:
        keep &= areas[first] != areas[second]
    first, second, apart = first[keep], second[keep], apart[keep]
    return Lines(scene, screws[first], (screws[second] - screws[first]) / apart[:, None], apart)


def planks_on(lines: Lines, free: Mask) -> Iterator[Candidate]:
    """Planks on some lines, as far as `free` (255 where nothing known lies on top) leaves them in view.

    Of each line as many as its ends may be read in ways.
    """
    half, edged = _edges_beside(lines, free)
    for i in np.flatnonzero(edged >= EDGED):
        plain, colour = _texture(lines, int(i), float(half[i]), free)
        spots = lines.scene.spots
        if plain < PLAIN or np.linalg.norm(colour - spots.colour) <= 0.3 * spots.tolerance:
            continue
        for shape in _capped(lines, int(i), float(half[i]), free):
            yield Candidate(shape, float(edged[i]) * plain)


def _edges_beside(lines: Lines, free: Mask) -> tuple[Floats, Floats]:
    """For every line the half width with the most edge on both sides, and the share of what is in view that is edge."""
    count = edges = steepness = np.zeros((len(lines.length), len(lines.offsets)), np.float32)
    for pixels, steep in lines.sides:
        edge = steep >= LEAST_STEP
        edge[:, :, 1:-1] |= edge[:, :, 2:] | edge[:, :, :-2]
        view = free.ravel()[pixels] > 0
        count = count + view.sum(axis=1)
        edges = edges + (edge & view).sum(axis=1)
        steepness = steepness + (np.minimum(steep, 8 * LEAST_STEP) * view).sum(axis=1)
    share = (edges / np.maximum(1, count) * (count >= 2 * SEEN * SAMPLES)).astype(np.float32)
    best = _outer_edge(share, (steepness / np.maximum(1, count)).astype(np.float32), lines.offsets)
    rows = np.arange(len(best))
    return lines.offsets[best], share[rows, best]


def _outer_edge(shares: Floats, steepness: Floats, offsets: Floats) -> NDArray[np.intp]:
    """Of each plank (row) the column of its edge: of a rim's two edges the outer one, where it is steepest."""
    inner = shares.argmax(axis=1)
    as_good = shares >= 0.92 * shares.max(axis=1)[:, None]
    as_good &= offsets <= RIM * offsets[inner][:, None] + 2
    ahead = np.pad(steepness, ((0, 0), (1, 1)))
    summit = as_good & (steepness >= ahead[:, :-2]) & (steepness >= ahead[:, 2:])
    outermost = len(offsets) - 1 - summit[:, ::-1].argmax(axis=1)
    return np.where(summit.any(axis=1), outermost, inner)


def _texture(lines: Lines, i: int, half: float, free: Mask) -> tuple[float, Floats]:
    """The share of a plank's middle in view that has its commonest colour, and that colour."""
    places = ((np.arange(SAMPLES) + 0.5) / SAMPLES).astype(np.float32)
    across = half * np.array([-0.6, -0.3, 0, 0.3, 0.6], np.float32)
    pixels = _flat(free.shape, *lines.take(i).points(places, across))
    pixels = pixels[free.ravel()[pixels] > 0]
    if len(pixels) < 12:
        return 0.0, np.zeros(3, np.float32)
    seen = lines.scene.lab.reshape(-1, 3)[pixels]
    colour, plain = commonest(seen, ONE_COLOUR)
    return plain, colour


def _capped(lines: Lines, i: int, half: float, free: Mask) -> Iterator[Shape]:
    """Strips on a line, their ends where an edge across the line is seen beyond the screws, or round."""
    line = lines.take(i)
    length = float(line.length[0])
    radius = lines.scene.spots.radius
    beyond = np.arange(max(radius + EDGE, 0.8 * half), 3 * half + radius, 1.0, dtype=np.float32)
    ends: list[list[float]] = []
    for places in (-beyond / length, 1 + beyond / length):
        pixels = _flat(free.shape, *line.points(places, np.linspace(-0.5 * half, 0.5 * half, 7, dtype=np.float32)))[0]
        slope = (
            lines.scene.across.ravel()[pixels] * line.along[0, 0] + lines.scene.down.ravel()[pixels] * line.along[0, 1]
        )
        view = free.ravel()[pixels] > 0
        edge = ((np.abs(slope) >= LEAST_STEP) & view).sum(axis=1)
        across = (edge >= 2) & (edge >= 0.6 * view.sum(axis=1))
        seen = float(beyond[across.argmax()]) if across.any() else half
        ends.append([half] if abs(seen - half) <= ROUND_END else [seen, half])
    for before in ends[0]:
        for after in ends[1]:
            start = line.start[0] - line.along[0] * (before - half)
            end = line.start[0] + line.along[0] * (length + after - half)
            yield Shape("strip", ((float(start[0]), float(start[1])), (float(end[0]), float(end[1]))), 2 * half)


def _flat(shape: tuple[int, ...], x: Floats, y: Floats) -> NDArray[Any]:
    """Indexes of the nearest pixels in a flattened picture, the border going on outwards."""
    rows = np.clip(np.rint(y).astype(np.intp), 0, shape[0] - 1)
    cols = np.clip(np.rint(x).astype(np.intp), 0, shape[1] - 1)
    return rows * shape[1] + cols
