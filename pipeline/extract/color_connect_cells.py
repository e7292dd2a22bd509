"""What each cell of a lattice shows: nothing, a round or square piece, a pipe, or something else.

A cell is looked at along rays from its middle. On every ray the outermost pixel that has the colour of the cell's
middle gives a radius; a disc has one radius all around, a disc with a pipe has it on most rays, a straight or bent
pipe only reaches its own half-width on most.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pipeline.extract.colour import Lab, distance, median_colours, squared_lengths

RAYS = 32
MIDDLE = 0.2
"""Radius in cells of the part whose median is the colour of a cell's middle."""

COLLAR = 0.28
"""Outer radius of the ring around it that is preferred where it has one colour: it lies outside a digit on a piece."""

INSIDE = 0.14
"""Margin in cells around the inside that a stone covers."""

STRIP = (0.08, 0.17)
"""From where to where, in cells from a side, what lies within that side is looked at."""

REACH = 0.44
"""Rays end this far from the middle (maximum norm, cells), so that the lattice's own lines are not met."""

Floats = NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class CellLooks:
    """Measurements of rows × cols cells; lengths in cells, colours in Lab.

    `middle` and `corner` (rows × cols × 3): colours of the middle and of the corners.
    `activity` (rows × cols): the plainest edges inside (ΔE76 over a twentieth of a cell), which a soft glow has not.
    `core_activity` is the same farther inside, where what stands in a neighbouring cell does not reach.
    `lopsided` (rows × cols): how unlike itself the inside is when turned by 180°, against how much it varies
    (0: symmetric, about 1: not at all).
    `radii` (rows × cols × RAYS): the outermost pixel of the middle's colour on each ray; `square` the same in the
    maximum norm, in which a square has one radius all around.
    `solid` (rows × cols): the share of the inside that is farther from the background than half the middle is.
    `strips` (rows × cols × 4 × 3): colours just within the left, right, top and bottom side.
    """

    middle: Lab
    corner: Lab
    activity: Floats
    core_activity: Floats
    lopsided: Floats
    radii: Floats
    square: Floats
    solid: Floats
    strips: Lab


def look_at_cells(cells: Lab, background: Lab) -> CellLooks:
    """Measure upright cells (rows × cols × side × side × 3, Lab) that lie on a board of the given colour."""
    sample = np.ascontiguousarray(cells[:, :, ::2, ::2])  # a quarter of the pixels is plenty for medians
    side = sample.shape[2]
    ys, xs = (np.mgrid[0:side, 0:side] + 0.5) / side - 0.5
    inner, corners = np.hypot(xs, ys) < MIDDLE, np.minimum(np.abs(xs), np.abs(ys)) > 0.36
    corners &= np.maximum(np.abs(xs), np.abs(ys)) < 0.45
    ring = (np.hypot(xs, ys) >= MIDDLE) & (np.hypot(xs, ys) < COLLAR)
    around = sample[:, :, ring]
    middle, collar, corner = (
        median_colours(sample[:, :, inner]),
        median_colours(around),
        median_colours(sample[:, :, corners]),
    )
    plain = (distance(around, collar[:, :, None]) < 10).mean(axis=2) > 0.7
    plain &= distance(collar, corner) > 8
    middle = np.where(plain[:, :, None], collar, middle)
    activity, core_activity = _activity(cells)
    contrast = distance(middle, corner)
    contrast = np.where(contrast < 8, distance(middle, background), contrast)
    limit = np.clip(0.45 * contrast, 5, 25)
    inside = squared_lengths(cells - middle[:, :, None, None]) < (limit**2)[:, :, None, None]
    radii, square = _radii(inside)
    solid = _solid(sample, middle, background)
    strips = _strips(sample)
    return CellLooks(middle, corner, activity, core_activity, _lopsided(sample), radii, square, solid, strips)


def _strips(cells: Lab) -> Lab:
    """The mean colours beside the four sides, beyond a line that may be drawn there and outside of an end's glow."""
    side = cells.shape[2]
    near, far = (round(share * side) for share in STRIP)
    along = np.r_[far : side // 3, side - side // 3 : side - far]
    inner, outer = slice(near, far), slice(side - far, side - near)
    flat = [cells[:, :, along, across].mean(axis=(2, 3)) for across in (inner, outer)]
    upright = [cells[:, :, down][..., along, :].mean(axis=(2, 3)) for down in (inner, outer)]
    return np.stack([*flat, *upright], axis=2)


def _solid(cells: Lab, middle: Lab, background: Lab) -> Floats:
    side = cells.shape[2]
    rim = round(INSIDE * side)
    core = cells[:, :, rim : side - rim, rim : side - rim]
    away = distance(middle, background)[:, :, None, None]
    return np.asarray((distance(core, background) > 0.5 * away).mean(axis=(2, 3)), np.float32)


def _activity(cells: Lab) -> tuple[Floats, Floats]:
    """The plainest edges within two margins (rows × cols each)."""
    side = cells.shape[2]
    outer, core = (round(margin * side) for margin in (0.1, 0.22))
    step = max(1, round(0.05 * side))
    within = cells[:, :, outer : side - outer, outer : side - outer]
    across = squared_lengths(within[:, :, ::2, step:] - within[:, :, ::2, :-step])
    down = squared_lengths(within[:, :, step:, ::2] - within[:, :, :-step, ::2])
    more = core - outer
    half = (more + 1) // 2
    inner = across[:, :, half : across.shape[2] - half, more:-more], down[:, :, more:-more, half : down.shape[3] - half]
    return _plainest(across, down), _plainest(*inner)


def _plainest(*squares: Floats) -> Floats:
    """The root of the 97th percentile of some values of each cell."""
    steps = np.concatenate([v.reshape(*v.shape[:2], -1) for v in squares], axis=2)
    rank = int(0.97 * steps.shape[2])
    steps.partition(rank, axis=2)
    return np.sqrt(steps[:, :, rank])


def _lopsided(cells: Lab) -> Floats:
    side = cells.shape[2]
    rim = round(0.12 * side)
    core = cells[:, :, rim : side - rim, rim : side - rim]
    upper = core[:, :, : (core.shape[2] + 1) // 2]  # the lower half differs from its turned self as this one does
    turned = distance(upper, core[:, :, ::-1, ::-1][:, :, : upper.shape[2]]).mean(axis=(2, 3))
    pixels = core.reshape(*cells.shape[:2], -1, 3)
    spread = distance(pixels, median_colours(pixels)[:, :, None]).mean(axis=2)
    return np.asarray(turned / np.maximum(spread, 1.0), np.float32) / 1.5


def _radii(inside: NDArray[np.bool_]) -> tuple[Floats, Floats]:
    """Euclidean and maximum-norm radius of the outermost inside pixel on each ray."""
    side = inside.shape[2]
    angles = (np.arange(RAYS) + 0.5) * 2 * np.pi / RAYS
    steps = np.arange(1, side + 1) / side * 0.72
    x, y = steps[:, None] * np.cos(angles), steps[:, None] * np.sin(angles)
    reach = np.maximum(np.abs(x), np.abs(y))
    col, row = (np.clip(((v + 0.5) * side).astype(int), 0, side - 1) for v in (x, y))
    hits = inside[:, :, row, col] & (reach < REACH)
    outermost = np.where(hits.any(axis=2), len(steps) - hits[:, :, ::-1].argmax(axis=2), 0)
    radius = outermost / side * 0.72
    stretch = np.maximum(np.abs(np.cos(angles)), np.abs(np.sin(angles)))
    return radius.astype(np.float32), (radius * stretch).astype(np.float32)
