"""Bolt Unscrew screens: whether boards that lie on one another are seen as they were read.

A board is in view where nothing above hides it. There it covers the panel and shows no more than one colour, no edge
but its own, and its own all along. Boards laid down in their order explain a picture when each of them is seen so, and
nothing that covers the panel is left over. A board that others hide wholly leaves no trace, here or to the eye.
"""

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from pipeline.extract.bolt_unscrew_ends import (
    EDGED,
    IN_VIEW,
    STRETCH,
    cut_off,
    goes_on,
    in_line,
    may_go_on,
)
from pipeline.extract.bolt_unscrew_rims import (
    NEAR,
    POINT_STEP,
    REACH,
    edge_along,
    edge_at,
    in_view,
    pixels_at,
    quarter_turned,
    rim_of,
    steepness,
)
from pipeline.extract.bolt_unscrew_shapes import FoundBoard, Shape, commonest, mask_of
from pipeline.extract.bolt_unscrew_sight import MARGIN, ONE_COLOUR, Mask, Sight, hide
from pipeline.extract.circles import LEAST_STEP
from pipeline.extract.colour import lengths

INNER = 6
"""Pixels inside an outline where its rim and shadow lie at most."""

MIDDLE = 0.4
"""Share of a board's half width that its rim may take."""

BEYOND = 0.1
"""Largest share of a board in view that lies where the panel is seen."""

OUTLINED = 0.97
"""Least share of an outline in view that shows an edge."""

GRAIN, ALIKE = 2.0, 6.0
"""A faint line is less than so many times as steep as the least edge; the colours beside it are nearer than that."""

ROUGHLY = 0.97
"""Share of what is asked of a board that is asked before it has been moved to its edges."""

LONGEST_GAP = 0.25
"""Longest piece of an outline in view without an edge, in screw radii: an end that is not there is longer."""

PLAIN = 0.85
"""Least share of what is in view of a board that has its colour."""

CORNER = 0.5
"""Screw radii around a polygon's corner in which it may be rounded."""

CROSSED = 0.05
"""Largest share of what is in view of a board, off its outline, that is edge."""


def may_be_seen(sight: Sight, shape: Shape, free: Mask) -> bool:
    """Whether a board may be seen once it has been moved to its edges: enough of it is in view, with edges close by.

    It takes a fraction of the time that moving and looking take, and few shapes that are no board pass.
    """
    seen = _outline_in_view(sight, shape, free)
    if not seen.any() or seen.sum() < ROUGHLY * IN_VIEW * in_view(shape, sight.unscrewed).sum():
        return False
    near = steepness(sight.scene, *rim_of(shape), free, REACH).max(axis=0) >= LEAST_STEP
    return bool(near[seen].mean() >= ROUGHLY * OUTLINED)


def is_seen(sight: Sight, shape: Shape, free: Mask) -> bool:
    """Whether a board looks as it must where `free` is set: neither screws nor boards above hide it there."""
    seen, possible = _outline_in_view(sight, shape, free), in_view(shape, sight.unscrewed)
    shut_in = bool(seen.sum() >= OUTLINED * possible.sum())
    shown = edge_along(sight.scene, shape, free)[0]
    if not shut_in:
        shown &= ~_is_grain(sight, shape, free)
    if not seen.any() or seen.sum() < IN_VIEW * possible.sum() or shown[seen].mean() < OUTLINED:
        return False
    if POINT_STEP * _longest_run(seen & ~shown) > LONGEST_GAP * sight.scene.spots.radius:
        return False
    longer = _is_cut if shape.kind == "polygon" else goes_on
    return _fits(sight, shape, free, shut_in) and not longer(sight, shape, free)


def _outline_in_view(sight: Sight, shape: Shape, free: Mask) -> NDArray[np.bool_]:
    """Which points of an outline are in view and tell: corners of a polygon may be rounded."""
    seen = in_view(shape, free)
    if shape.kind == "polygon":
        seen &= ~_at_corner(shape, CORNER * sight.scene.spots.radius)
    return seen


def _is_grain(sight: Sight, shape: Shape, free: Mask) -> NDArray[np.bool_]:
    """Which points of an outline show no more than a faint line in one colour: grain or shine, no end of a board."""
    points, normals = rim_of(shape)
    faint = steepness(sight.scene, points, normals, free, NEAR).max(axis=0) < GRAIN * LEAST_STEP
    if not faint.any():
        return faint
    sides = [pixels_at(points[faint] + way * MARGIN * normals[faint], free.shape) for way in (-1, 1)]
    faint[faint] = lengths(sight.scene.lab[sides[0]] - sight.scene.lab[sides[1]]) < ALIKE
    return faint


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
            points, aside = corner + away * way, quarter_turned(way)
            beside = [sight.cover[pixels_at(points + side * MARGIN * aside, free.shape)] > 0 for side in (-1, 1)]
            view = (free[pixels_at(points, free.shape)] > 0) & (beside[0] | beside[1])
            if view.sum() >= STRETCH and edge_at(sight.scene, points[view], aside, free).mean() > EDGED:
                return True
    return False


def explains(sight: Sight, boards: Sequence[FoundBoard], ranks: Sequence[int]) -> bool:
    """Whether boards, those of higher ranks on top of others, are all that covers the panel."""
    colours = np.zeros((len(boards), 3))
    free = sight.unscrewed.copy()
    for k in sorted(range(len(boards)), key=lambda k: -ranks[k]):
        shape, others = boards[k].shape, [b.shape for b in boards if b is not boards[k]]
        if not is_seen(sight, shape, free) or may_go_on(sight, shape, free) or cut_off(sight, shape, others, free):
            return False
        view = cv2.bitwise_and(mask_of(shape, free.shape, shrink=MARGIN), cv2.bitwise_and(free, sight.clear)) > 0
        colours[k] = np.median(sight.scene.lab[view], axis=0) if view.any() else 0
        hide(free, shape)
    for i, a in enumerate(boards):
        for j, b in enumerate(boards[:i]):
            if in_line(a.shape, b.shape) and np.linalg.norm(colours[i] - colours[j]) < ONE_COLOUR:
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


def _fits(sight: Sight, shape: Shape, free: Mask, shut_in: bool) -> bool:
    """Whether what should be in view of a board covers the panel in one colour without edges.

    What an outline has `shut_in` all around covers the panel, and be it of the panel's colour.
    """
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
    if not (own or shut_in) and ((sight.cover[part][view] == 0).mean() > BEYOND or _lets_through(sight, shape, part)):
        return False
    return bool(plain >= PLAIN and (sight.steep[part][inner] > 0).mean() <= CROSSED)


def _lets_through(sight: Sight, shape: Shape, box: tuple[slice, slice]) -> bool:
    """Whether the panel is seen well inside a board, which fills a box, if only between two boards above it.

    A shadow line is thinner.
    """
    inside = mask_of(shape, sight.cover.shape, shrink=MARGIN)[box]
    bare = inside & sight.clear[box] & ~sight.cover[box]
    return bool(cv2.erode(bare, np.ones((5, 5), np.uint8)).any())
