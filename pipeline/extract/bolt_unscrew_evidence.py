"""Bolt Unscrew screens: whether boards that lie on one another are seen as they were read.

A board is in view where nothing above hides it. There it covers the panel and shows no more than one colour, no edge
but its own, and its own all along. Boards laid down in their order explain a picture when each of them is seen so, and
nothing that covers the panel is left over. A board that others hide wholly leaves no trace, here or to the eye.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from pipeline.extract.bolt_unscrew_rims import POINT_STEP, edge_along, edge_at, in_view, pixels_at, rim_of
from pipeline.extract.bolt_unscrew_shapes import FoundBoard, Scene, Shape, commonest, depth_in, mask_of
from pipeline.extract.circles import LEAST_STEP, Floats

Mask = NDArray[np.uint8]

MARGIN, INNER = 4, 6
"""Pixels outside and inside an outline where its edges, rim and shadow lie."""

HIDDEN = 6
"""Pixels around a board that its rim and shadow hide."""

EDGE = 2.5
"""Pixels that the edge of a screw reaches outwards."""

MIDDLE = 0.4
"""Share of a board's half width that its rim may take."""

BEYOND = 0.1
"""Largest share of a board in view that lies where the panel is seen."""

OUTLINED = 0.97
"""Least share of an outline in view that shows an edge."""

LONGEST_GAP = 0.25
"""Longest piece of an outline in view without an edge, in screw radii: an end that is not there is longer."""

IN_VIEW = 0.4
"""Least share of a board's outline, as far as no screws hide it, that is in view."""

STRAIGHT_ON = 0.97
"""Cosine of the largest angle at which one strip goes on from another."""

ROUND = 0.65
"""Least share of a disc's outline that tells it from the end of a strip."""

ONE_COLOUR, PLAIN = 12.0, 0.85
"""Distance (weighted ΔE) of colours within one board, and the least share of what is in view that has its colour."""

BEHIND, STRETCH = 5.0, 6
"""How far behind an end a plank may come into view again, in half widths, and the pixels there that tell."""

CORNER = 0.5
"""Screw radii around a polygon's corner in which it may be rounded."""

EDGED = 0.7
"""Least share of those at which its sides go on."""

CROSSED = 0.05
"""Largest share of what is in view of a board, off its outline, that is edge."""


@dataclass(frozen=True, eq=False)
class Sight:
    """What a stack is held against: the picture, where something covers the panel, where no screw is, and edges.

    The masks are 255 inside. `unscrewed` is all but the screws, `clear` all but the screws and their shadows.
    """

    scene: Scene
    cover: Mask
    unscrewed: Mask
    clear: Mask
    steep: Mask


def sight_of(scene: Scene, covers: Sequence[Mask]) -> Sight:
    """The picture's edges and screws, for judging boards where `covers` (255 inside) lie on the panel."""
    size = scene.lab.shape[:2]
    unscrewed, clear = np.full(size, 255, np.uint8), np.full(size, 255, np.uint8)
    for screw in scene.spots.screws:
        x, y, radius = screw.circle.x, screw.circle.y, screw.circle.radius
        for mask, reach in ((unscrewed, radius + EDGE), (clear, max(1.35 * radius, radius + MARGIN))):
            cv2.circle(mask, (round(x), round(y)), round(reach), 0, -1)
    steep = (cv2.magnitude(scene.across, scene.down) > 2 * LEAST_STEP).astype(np.uint8) * 255
    return Sight(scene, np.bitwise_or.reduce([np.zeros(size, np.uint8), *covers]), unscrewed, clear, steep)


def hide(free: Mask, shape: Shape) -> None:
    """Take what a board hides, with its rim and shadow, out of what is still in view, in place."""
    free[mask_of(shape, free.shape, shrink=-HIDDEN) > 0] = 0


def is_seen(sight: Sight, shape: Shape, free: Mask) -> bool:
    """Whether a board looks as it must where `free` is set: neither screws nor boards above hide it there."""
    shown, seen = edge_along(sight.scene, shape, free)
    possible = in_view(shape, sight.unscrewed)
    if shape.kind == "polygon":
        seen &= ~_at_corner(shape, CORNER * sight.scene.spots.radius)
    if not seen.any() or seen.sum() < IN_VIEW * possible.sum() or shown[seen].mean() < OUTLINED:
        return False
    if POINT_STEP * _longest_run(seen & ~shown) > LONGEST_GAP * sight.scene.spots.radius:
        return False
    goes_on = _is_cut if shape.kind == "polygon" else _goes_on
    return _fits(sight, shape, free) and not goes_on(sight, shape, free)


def _at_corner(polygon: Shape, reach: float) -> NDArray[np.bool_]:
    """Which points along the outline of a polygon lie near a corner, which may be rounded."""
    away = rim_of(polygon)[0][:, None] - np.array(polygon.points, np.float32)
    return np.asarray((np.linalg.norm(away, axis=2) < reach).any(axis=1))


def _is_cut(sight: Sight, polygon: Shape, free: Mask) -> bool:
    """Whether a side of a polygon goes on beyond a corner, beside something on the panel.

    It is then rather the edge of another board that lies on top.
    """
    corners = np.array(polygon.points)
    ahead = np.roll(corners, -1, axis=0) - corners
    ahead /= np.maximum(np.linalg.norm(ahead, axis=1), 1e-6)[:, None]
    away = np.arange(MARGIN + 2, MARGIN + 2 + 2 * STRETCH)[:, None]
    for corner, before, after in zip(corners, np.roll(ahead, 1, axis=0), ahead, strict=True):
        for way in (before, -after):
            points, aside = corner + away * way, way[::-1] * (-1, 1)
            beside = [sight.cover[pixels_at(points + side * MARGIN * aside, free.shape)] > 0 for side in (-1, 1)]
            view = (free[pixels_at(points, free.shape)] > 0) & (beside[0] | beside[1])
            if view.sum() >= STRETCH and edge_at(sight.scene, points[view], aside, free).mean() > EDGED:
                return True
    return False


def ends_are_seen(sight: Sight, shape: Shape, free: Mask) -> bool:
    """Whether both ends of a strip are in view, or the panel is behind them: else it may go on under what hides them.

    Of a disc more than half must be in view: it may be the end of a strip.
    """
    if shape.kind == "polygon":
        return True
    if shape.kind == "disc":
        return bool(in_view(shape, free).mean() >= ROUND)
    for end, back in _ends(shape):
        turns = np.linspace(-0.4 * np.pi, 0.4 * np.pi, 9)[:, None]
        outwards = np.cos(turns) * back + np.sin(turns) * back[::-1] * (-1, 1)
        rim = pixels_at(end + shape.width / 2 * outwards, free.shape)
        behind = pixels_at(end + (shape.width / 2 + MARGIN) * outwards, free.shape)
        covered = (free[rim] == 0) & (sight.unscrewed[rim] > 0)
        ends_there = covered.mean() < 0.5 and ((sight.cover[behind] == 0) & (free[behind] > 0)).mean() >= 0.5
        if (free[rim] > 0).mean() < 0.5 and not ends_there:
            return False
    return True


def _ends(strip: Shape) -> list[tuple[Floats, Floats]]:
    """The middles of a strip's ends, and the unit directions outwards."""
    a, b = (np.array(point, np.float32) for point in strip.points)
    along = (b - a) / max(1e-6, float(np.hypot(*(b - a))))
    return [(a, -along), (b, along)]


def _goes_on(sight: Sight, shape: Shape, free: Mask) -> bool:
    """Whether a strip is a part of a longer one: where it comes into view beyond an end, its sides and colour go on."""
    if shape.kind != "strip":
        return False
    half = shape.width / 2
    away = np.arange(half + MARGIN, BEHIND * half, dtype=np.float32)
    for end, back in _ends(shape):
        view = np.flatnonzero(free[pixels_at(end + away[:, None] * back, free.shape)] > 0)[:STRETCH]
        if len(view) < STRETCH:
            continue
        near = end + away[view, None] * back
        aside = back[::-1] * np.array([-1, 1], np.float32)
        edged = [edge_at(sight.scene, near + side * half * aside, aside, free).mean() for side in (-1, 1)]
        own = pixels_at(end - (half + MARGIN) * back * np.linspace(0.5, 3, 8)[:, None], free.shape)
        colours = [np.median(sight.scene.lab[at], axis=0) for at in (own, pixels_at(near, free.shape))]
        if min(edged) > EDGED and np.linalg.norm(colours[0] - colours[1]) < ONE_COLOUR:
            return True
    return False


def _may_go_on(sight: Sight, shape: Shape, free: Mask) -> bool:
    """Whether a strip may hold one more screw beyond an end, all the way to which boards above hide it.

    So long a strip must be in view far enough (`IN_VIEW`) for anybody to read it.
    """
    if shape.kind != "strip":
        return False
    half = shape.width / 2
    shown = POINT_STEP * int(in_view(shape, free).sum())
    longest = shown / IN_VIEW - POINT_STEP * len(rim_of(shape)[0])  # of what may be hidden of the outline
    screws = np.array([(s.circle.x, s.circle.y) for s in sight.scene.spots.screws], np.float32)
    for end, back in _ends(shape):
        ahead = (screws - end) @ back
        aside = np.abs((screws - end) @ (back[::-1] * np.array([-1, 1], np.float32)))
        for length in ahead[(ahead > half) & (aside < half / 2) & (2 * ahead < longest)]:
            way = end + np.arange(half, length + half, dtype=np.float32)[:, None] * back
            if not (free[pixels_at(way, free.shape)] > 0).any():
                return True
    return False


def _in_line(a: Shape, b: Shape) -> bool:
    """Whether two strips go on from one another: nobody can tell those of one colour from one strip."""
    if a.kind != "strip" or b.kind != "strip":
        return False
    near = (a.width + b.width) / 4
    return any(np.hypot(*(p - q)) < near and float(u @ v) < -STRAIGHT_ON for p, u in _ends(a) for q, v in _ends(b))


def _cut_off(strip: Shape, other: Shape) -> bool:
    """Whether another board begins where a strip ends: it may hide how the strip goes on."""
    if strip.kind != "strip":
        return False
    return any(
        depth_in(other, *(end + (strip.width / 2 + HIDDEN) * back)) > 0
        and depth_in(other, *(end + (strip.width / 2 - HIDDEN) * back)) < 0
        for end, back in _ends(strip)
    )


def explains(sight: Sight, boards: Sequence[FoundBoard], layers: Sequence[int]) -> bool:
    """Whether boards on some layers (0 at the bottom) are all that covers the panel."""
    if any(_cut_off(a.shape, b.shape) for a in boards for b in boards if a is not b):
        return False
    colours = np.zeros((len(boards), 3))
    free = sight.unscrewed.copy()
    for k in sorted(range(len(boards)), key=lambda k: -layers[k]):
        if not is_seen(sight, boards[k].shape, free) or _may_go_on(sight, boards[k].shape, free):
            return False
        view = (
            cv2.bitwise_and(mask_of(boards[k].shape, free.shape, shrink=MARGIN), cv2.bitwise_and(free, sight.clear)) > 0
        )
        colours[k] = np.median(sight.scene.lab[view], axis=0) if view.any() else 0
        hide(free, boards[k].shape)
    for i, a in enumerate(boards):
        for j, b in enumerate(boards[:i]):
            if _in_line(a.shape, b.shape) and np.linalg.norm(colours[i] - colours[j]) < ONE_COLOUR:
                return False
    rest = cv2.bitwise_and(sight.cover, cv2.bitwise_and(free, sight.clear))
    thick = 2 * max(2, round(0.3 * sight.scene.spots.radius)) + 1
    return not cv2.morphologyEx(rest, cv2.MORPH_OPEN, np.ones((thick, thick), np.uint8)).any()


def _longest_run(flags: NDArray[np.bool_]) -> int:
    """The most neighbours around a closed outline that are all set."""
    if flags.all():
        return len(flags)
    breaks = np.flatnonzero(~np.concatenate([flags, flags]))
    return int(np.diff(breaks).max(initial=1)) - 1


def _fits(sight: Sight, shape: Shape, free: Mask) -> bool:
    """Whether what should be in view of a board covers the panel in one colour without edges."""
    whole = mask_of(shape, free.shape)
    left, top, width, height = cv2.boundingRect(whole)
    part = slice(top, top + height), slice(left, left + width)
    clear = free[part] & sight.clear[part]
    view = (whole[part] & clear) > 0
    shrink = max(float(INNER), MIDDLE * shape.width / 2)
    inner = (mask_of(shape, free.shape, shrink=shrink)[part] & clear) > 0
    if inner.sum() < MARGIN**2:
        return True  # little more than its rim is in view, which is seen
    pixels = sight.scene.lab[part][inner]
    colour, plain = commonest(pixels, ONE_COLOUR)
    own = np.linalg.norm(colour - sight.scene.spots.colour) < sight.scene.spots.tolerance  # looks like the panel
    if not own and ((sight.cover[part][view] == 0).mean() > BEYOND or _lets_through(sight, shape, part)):
        return False
    return bool(plain >= PLAIN and (sight.steep[part][inner] > 0).mean() <= CROSSED)


def _lets_through(sight: Sight, shape: Shape, box: tuple[slice, slice]) -> bool:
    """Whether the panel is seen well inside a board, which fills a box, if only between two boards above it.

    A shadow line is thinner.
    """
    inside = mask_of(shape, sight.cover.shape, shrink=MARGIN)[box]
    bare = inside & sight.clear[box] & ~sight.cover[box]
    return bool(cv2.erode(bare, np.ones((5, 5), np.uint8)).any())
