"""Where a maze's floor may be: regions of one or two flat colours, bounded by straight sides on a lattice.

Nothing is known of the theme: floor may be light or dark, walls may be tiles, blocks, the page itself. But the floor is
flat, encloses no picture border, and its outline runs along the lines of a lattice.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import cv2
import numpy as np
from numpy.typing import NDArray

from pipeline.extract.colour import Lab, distance_to
from pipeline.extract.components import components
from pipeline.extract.contract import Box
from pipeline.extract.image import Pixels
from pipeline.extract.lattice_outline import PlanFit, fit_plan, straightness
from pipeline.extract.regions import widespread_colours

Mask = NDArray[np.bool_]

ALIKE = 12.0
"""ΔE up to which a pixel is of a flat colour."""
LEAST_AREA = 0.004
"""Share of the picture from which on a region counts."""
MOST_FILL, LEAST_BOX = 0.96, 0.02
"""Share of its box that a region covers which is a panel and no maze; share of the picture that a maze's box covers."""
LEAST_STRAIGHT = 0.6
LEAST_FIT = 0.6
MOST_REGIONS = 10
LEAST_PART = 0.01
"""Share of a two-coloured region that either colour must have: otherwise it is a region of the other one."""
LEAST_TILE, TILE_FILL, GAP = 10, 0.75, 0.16
"""Shortest side (pixels) and share of its box of a tile; widest gap between tiles, in sides of a tile."""


@dataclass(frozen=True)
class Floor:
    """A candidate: the mask of floor with small holes filled, the flat colours it is made of, its lattice."""

    mask: Mask
    colours: tuple[Lab, ...]
    plan: PlanFit


@dataclass(frozen=True)
class _Region:
    """A connected part of a picture, cut out with a margin of one pixel whose corner is at `at` (x, y)."""

    mask: Mask
    at: tuple[int, int]
    colours: tuple[Lab, ...]
    area: int

    def may_be_maze(self, picture: int) -> bool:
        """Whether it is no panel, and no small part of a picture of so many pixels."""
        box = (self.mask.shape[0] - 2) * (self.mask.shape[1] - 2)
        return self.area < MOST_FILL * box and box > LEAST_BOX * picture


def floors(bgr: Pixels, lab: Lab) -> Iterator[Floor]:
    """Candidates, the largest regions first."""
    colours = widespread_colours(bgr, lab, most=8, apart=9.0)
    flat = [_joined(_alike(lab, colour)) for colour in colours]
    parts = [_parts(mask, (colour,)) for mask, colour in zip(flat, colours, strict=True)]
    regions = [region for found in parts for region in found]
    for a, b in combinations(range(len(colours)), 2):
        if any(_touch(one, other) for one in parts[a] for other in parts[b]):
            both = _parts(_tidied(flat[a] | flat[b]), (colours[a], colours[b]))
            regions += [region for region in both if all(_share(flat[i], region) > LEAST_PART for i in (a, b))]
    regions = [region for region in regions if region.may_be_maze(bgr.shape[0] * bgr.shape[1])]
    regions.sort(key=lambda region: -region.area)
    distinct = {(region.at, region.mask.shape, region.area): region for region in reversed(regions)}
    for region in list(reversed(distinct.values()))[:MOST_REGIONS]:
        yield from _fitted(region, lab.shape[:2])


def grown(floor: Floor, colours: tuple[Lab, ...], cells: Sequence[Box], lab: Lab) -> Iterator[Floor]:
    """The candidates that a floor is part of when some cells (their boxes) and more flat colours are floor too.

    The ball's own cell may be all that joins two parts of the floor.
    """
    whole = floor.mask.astype(np.uint8)
    for x, y, width, height in cells:
        whole[max(0, round(y)) : max(0, round(y + height)), max(0, round(x)) : max(0, round(x + width))] = 1
    flat = np.logical_or.reduce([_alike(lab, colour) for colour in colours]).astype(np.uint8)
    gap = max(2, 2 * round(GAP * min(floor.plan.lattice.pitch) / 2))
    for region in _parts(_tidied(whole | _tidied(flat), gap), colours):
        x, y = region.at
        here = floor.mask[y : y + region.mask.shape[0], x : x + region.mask.shape[1]]
        if (here & region.mask).any():
            yield from _fitted(region, lab.shape[:2])


def _alike(lab: Lab, colour: Lab) -> NDArray[np.uint8]:
    """Pixels of a flat colour."""
    return (distance_to(lab, colour) < ALIKE).view(np.uint8)


def _share(mask: NDArray[np.uint8], region: _Region) -> float:
    """The share of a region that a mask of the whole picture covers."""
    x, y = region.at
    height, width = region.mask.shape
    return float((mask[y : y + height, x : x + width].astype(bool) & region.mask).sum()) / region.area


def _tidied(mask: NDArray[np.uint8], gap: int = 2) -> NDArray[np.uint8]:
    """Without specks, and without lines between cells of up to `gap` pixels."""
    closed = cv2.morphologyEx(mask, cv2.MORPH_CLOSE, np.ones((gap + 1, gap + 1), np.uint8))
    return np.asarray(cv2.morphologyEx(closed, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8)), np.uint8)


def _joined(mask: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Tidied; where the mask consists of tiles, also without gaps that are narrow for their size."""
    tidied = _tidied(mask)
    wide, high, area = components(tidied)[1][1:, 2:].T
    side = np.minimum(wide, high)
    tiles = side[(side >= LEAST_TILE) & (area > TILE_FILL * wide * high)]
    gap = round(GAP * float(np.median(tiles))) if len(tiles) > 2 else 2
    return _tidied(mask, gap + gap % 2) if gap > 2 else tidied


def _parts(mask: NDArray[np.uint8], colours: tuple[Lab, ...]) -> list[_Region]:
    """Connected parts that are large, straight-edged and clear of the picture's border."""
    labels, stats = components(mask)
    height, width = mask.shape
    found = []
    for number in np.flatnonzero(stats[:, 4] >= LEAST_AREA * mask.size):
        x, y, w, h, area = (int(v) for v in stats[number])
        if number == 0 or min(x, y) == 0 or x + w == width or y + h == height:
            continue
        part = labels[y - 1 : y + h + 1, x - 1 : x + w + 1] == number
        if straightness(part) >= LEAST_STRAIGHT:
            found.append(_Region(part, (x - 1, y - 1), colours, area))
    return found


def _touch(one: _Region, other: _Region) -> bool:
    """Whether the regions' boxes overlap: only then can they be parts of one floor."""
    return all(
        one.at[i] < other.at[i] + other.mask.shape[1 - i] and other.at[i] < one.at[i] + one.mask.shape[1 - i]
        for i in (0, 1)
    )


def _fitted(region: _Region, shape: tuple[int, ...]) -> Iterator[Floor]:
    """The region with holes filled that are too small for a cell of its whole outline, or of the outer one."""
    seen = set()
    plans: dict[bytes, PlanFit | None] = {}
    for outline in (region.mask, filled(region.mask, float("inf"))):
        plan = _plan_of(outline, plans)
        if plan is None:
            continue
        whole = filled(region.mask, 0.8 * min(plan.lattice.pitch))
        plan = _plan_of(whole, plans)
        if plan is None or plan.fit < LEAST_FIT:
            continue
        size = plan.lattice.rows, plan.lattice.cols
        if min(size) >= 2 and size not in seen:
            seen.add(size)
            mask = np.zeros(shape[:2], bool)
            x, y = region.at
            mask[y : y + whole.shape[0], x : x + whole.shape[1]] = whole
            yield Floor(mask, region.colours, replace(plan, lattice=plan.lattice.moved(x, y)))


def _plan_of(mask: Mask, known: dict[bytes, PlanFit | None]) -> PlanFit | None:
    """The lattice of a mask; those of masks of this shape that were fitted already are `known`, by their bytes."""
    key = mask.tobytes()
    if key not in known:
        known[key] = fit_plan(mask)
    return known[key]


def filled(mask: Mask, below: float) -> Mask:
    """The mask without holes that are smaller than `below` pixels both ways."""
    labels, stats = components(~mask)
    left, top, wide, high, _ = stats.T
    inside = (left > 0) & (top > 0) & (left + wide < mask.shape[1]) & (top + high < mask.shape[0])
    fill = inside & (np.maximum(wide, high) < below)
    fill[0] = False
    return np.asarray(mask | fill[labels])
