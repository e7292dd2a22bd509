"""Pitch and gap of a lattice, guessed from the sizes of boxes.

The gap between pieces may differ along x and y (shadows, bevels), so one block alone does not tell the pitch. A lying
and a standing block do: their widths differ by whole cells, and so do their heights. A block within a frame does, too:
the frame holds a whole number of cells.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from pipeline.extract.regions import Boxes

TIGHT = 0.13
"""How far, in cells, a box may lie off the lattice and still support it."""

MOST_CELLS = 18
"""More cells than this on a side are no board (16 is the format's limit)."""

ALIKE = 0.05
"""Difference of the logarithms of two boxes' sides below which the boxes are of one kind."""

WIDEST_GAP = 0.42
"""Widest gap between pieces, in cells."""


@dataclass(frozen=True)
class Grid:
    """A guess: pitch and gap along x and y in pixels, and how much speaks for it."""

    pitch: tuple[float, float]
    gap: tuple[float, float]
    votes: float

    @property
    def plausible(self) -> bool:
        """Whether cells are not far from square and gaps are neither negative nor wide."""
        (px, py), (gx, gy) = self.pitch, self.gap
        if min(px, py) < 7 or not 0.77 < px / py < 1.3:
            return False
        return -0.04 * px <= gx <= WIDEST_GAP * px and -0.04 * py <= gy <= WIDEST_GAP * py

    def like(self, other: "Grid") -> bool:
        """Whether two guesses would find the same boxes."""
        pitches = zip(self.pitch, other.pitch, strict=True)
        gaps = zip(self.gap, other.gap, self.pitch, strict=True)
        return all(abs(p / q - 1) < 0.03 for p, q in pitches) and all(abs(g - h) < 0.06 * p for g, h, p in gaps)


@dataclass(frozen=True)
class _Kind:
    """Boxes of one size: their width and height, the area they cover together, and where one of them stands."""

    width: float
    height: float
    area: float
    centre: tuple[float, float]


def _kinds(boxes: Boxes, most: int = 14) -> list[_Kind]:
    """The sizes of box that cover most area."""
    sides = boxes[:, 2:] - boxes[:, :2]
    logs = np.log(sides.astype(np.float32))
    apart = np.maximum(*(np.abs(log[:, None] - log) for log in logs.T))
    near = apart < ALIKE
    area = sides.prod(axis=1)
    votes = near @ area
    left = np.ones(len(boxes), np.bool_)
    kinds: list[_Kind] = []
    for i in np.argsort(-votes, kind="stable"):
        if not left[i]:
            continue
        left &= apart[i] >= ALIKE / 2  # boxes of about the same size have about the same neighbours
        some = np.sort(sides[near[i]], axis=0)
        wide, high = (float(v) for v in (some[(len(some) - 1) // 2] + some[len(some) // 2]) / 2)
        if all(abs(math.log(wide / k.width)) > ALIKE or abs(math.log(high / k.height)) > ALIKE for k in kinds):
            centre = (float(boxes[i, [0, 2]].mean()), float(boxes[i, [1, 3]].mean()))
            kinds.append(_Kind(wide, high, float(votes[i]), centre))
        if len(kinds) == most:
            break
    return kinds


def guesses(boxes: Boxes, frames: Boxes, most: int = 16) -> list[Grid]:
    """Grids on which boxes of common sizes would lie, those that most area speaks for first."""
    kinds = _kinds(boxes)
    found = [*_from_pairs(kinds), *_from_single(kinds), *_from_squares(boxes, kinds), *_from_frames(frames, kinds)]
    chosen: list[Grid] = []
    for guess in sorted((g for g in found if g.plausible), key=lambda g: -g.votes):
        if not any(guess.like(other) for other in chosen):
            chosen.append(guess)
        if len(chosen) == most:
            break
    return chosen


def _from_pairs(kinds: Sequence[_Kind]) -> Iterator[Grid]:
    """A lying block n × 1 and a standing one 1 × m (or a tile, n or m being 1) differ by whole cells on both axes."""
    for lying in kinds:
        for standing in kinds:
            wider, taller = lying.width - standing.width, standing.height - lying.height
            if wider <= 0 or taller <= 0:
                continue
            for n in (2, 3, 4):
                for m in (2, 3, 4):
                    pitch = (wider / (n - 1), taller / (m - 1))
                    gap = (pitch[0] - standing.width, pitch[1] - lying.height)
                    yield Grid(pitch, gap, 2 * (lying.area + standing.area))


def _from_single(kinds: Sequence[_Kind]) -> Iterator[Grid]:
    """A block alone tells the pitch when the gap is the same along both axes."""
    for kind in kinds:
        short, long = sorted((kind.width, kind.height))
        for n in (2, 3, 4):
            pitch = (long - short) / (n - 1)
            yield Grid((pitch, pitch), (pitch - short, pitch - short), kind.area)


def _from_squares(boxes: Boxes, kinds: Sequence[_Kind]) -> Iterator[Grid]:
    """Equal tiles beside one another tell the pitch by their distance."""
    sides = boxes[:, 2:] - boxes[:, :2]
    for kind in kinds:
        if max(kind.width, kind.height) > 1.15 * min(kind.width, kind.height):
            continue
        alike = boxes[(np.abs(np.log(sides / (kind.width, kind.height))) < 0.08).all(axis=1)]
        pitch = []
        for axis, side in ((0, kind.width), (1, kind.height)):
            away = np.abs(alike[:, None, axis] - alike[None, :, axis])
            beside = np.abs(alike[:, None, 1 - axis] - alike[None, :, 1 - axis]) < 0.2 * side
            away = away[beside & (away > 0.95 * side) & (away < 2.2 * side)]
            pitch.append(float(np.median(away[away < 1.2 * away.min()])) if len(away) else 0.0)
        pitch = [p or max(pitch) for p in pitch]
        yield Grid((pitch[0], pitch[1]), (pitch[0] - kind.width, pitch[1] - kind.height), kind.area)


def _from_frames(frames: Boxes, kinds: Sequence[_Kind]) -> Iterator[Grid]:
    """A frame holds a whole number of cells, and the block in it stands on them."""
    for left, top, right, bottom in frames:
        for kind in kinds[:8]:
            across = list(_divisions(right - left, kind.centre[0] - left, kind.width))
            down = list(_divisions(bottom - top, kind.centre[1] - top, kind.height))
            for px, gx, nx in across:
                for py, gy, ny in down:
                    if min(nx, ny) == 1 and max(nx, ny) in (2, 3) and abs(px / py - 1) < 0.06:
                        yield Grid((px, py), (gx, gy), kind.area)


def _divisions(whole: float, centre: float, side: float) -> Iterator[tuple[float, float, int]]:
    """(pitch, gap, cells) for which a block of this side stands on the cells of a frame of this length."""
    for cells in range(3, MOST_CELLS - 1):
        pitch = whole / cells
        span = math.ceil(side / pitch - 0.05)
        place = centre / pitch - span / 2
        if 1 <= span <= 3 and abs(place - round(place)) < 0.8 * TIGHT and span * pitch - side < WIDEST_GAP * pitch:
            yield pitch, span * pitch - side, span
