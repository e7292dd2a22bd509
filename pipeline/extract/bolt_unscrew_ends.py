"""Bolt Unscrew screens: the ends of planks that lie among others, and whether a plank may go on beyond them.

Ends are round. Where other boards hide one, a plank may be longer than what is seen of it, and hold more screws.
"""

from collections.abc import Sequence

import numpy as np

from pipeline.extract.bolt_unscrew_rims import (
    NEAR,
    POINT_STEP,
    edge_at,
    in_view,
    pixels_at,
    quarter_turned,
    rim_of,
    steepness,
)
from pipeline.extract.bolt_unscrew_shapes import Shape, depth_in
from pipeline.extract.bolt_unscrew_sight import HIDDEN, MARGIN, ONE_COLOUR, Mask, Sight
from pipeline.extract.circles import Floats

IN_VIEW = 0.4
"""Least share of a board's outline, as far as no screws hide it, that is in view."""

STRAIGHT_ON = 0.97
"""Cosine of the largest angle at which one strip goes on from another."""

ROUND = 0.65
"""Least share of a disc's outline that tells it from the end of a strip."""

TURN, STEEPER = (0.5, 0.85), 1.3
"""Where the sides of a round end have turned in, in half widths beyond its middle, and how much steeper that is."""

BEHIND, STRETCH = 5.0, 6
"""How far behind an end a plank may come into view again, in half widths, and the pixels there that tell."""

EDGED = 0.7
"""Least share of those at which its sides go on."""


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
        outwards = np.cos(turns) * back + np.sin(turns) * quarter_turned(back)
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


def goes_on(sight: Sight, shape: Shape, free: Mask) -> bool:
    """Whether a strip is a part of a longer one.

    Its sides run straight on where a round end turns in, or its sides and colour go on where it comes into view again.
    """
    if shape.kind != "strip":
        return False
    return any(
        _turns(sight, shape, end, back, free) < 0 or _comes_again(sight, shape, end, back, free)
        for end, back in _ends(shape)
    )


def _turns(sight: Sight, strip: Shape, end: Floats, back: Floats, free: Mask) -> int:
    """1 where the sides of a strip turn in around an end, -1 where they run straight on, 0 where neither is seen."""
    half = strip.width / 2
    ahead = half * np.linspace(*TURN, 6, dtype=np.float32)[:, None]
    turned = np.sqrt(half**2 - ahead**2)
    steep, view = [], []
    for out in (turned, np.full_like(turned, half)):
        for side in (-1, 1):
            aside = side * quarter_turned(back)
            points = end + ahead * back + out * aside
            normals = (ahead * back + out * aside) / half if out is turned else np.tile(aside, (len(out), 1))
            steep.append(steepness(sight.scene, points, normals.astype(np.float32), free, NEAR).max(axis=0))
            view.append(free[pixels_at(points, free.shape)] > 0)
    both = np.concatenate(view[:2]) & np.concatenate(view[2:])
    if both.sum() < STRETCH:
        return 0
    round_, straight = np.concatenate(steep[:2])[both], np.concatenate(steep[2:])[both]
    more, less = float(round_.mean()), float(straight.mean())
    return int(more > STEEPER * less) - int(less > STEEPER * more)


def _comes_again(sight: Sight, strip: Shape, end: Floats, back: Floats, free: Mask) -> bool:
    """Whether the sides and the colour of a strip go on where it comes into view beyond an end."""
    half = strip.width / 2
    away = np.arange(half + MARGIN, BEHIND * half, dtype=np.float32)
    view = np.flatnonzero(free[pixels_at(end + away[:, None] * back, free.shape)] > 0)[:STRETCH]
    if len(view) < STRETCH:
        return False
    near = end + away[view, None] * back
    aside = quarter_turned(back)
    edged = [edge_at(sight.scene, near + side * half * aside, aside, free).mean() for side in (-1, 1)]
    own = pixels_at(end - (half + MARGIN) * back * np.linspace(0.5, 3, 8)[:, None], free.shape)
    colours = [np.median(sight.scene.lab[at], axis=0) for at in (own, pixels_at(near, free.shape))]
    return bool(min(edged) > EDGED and np.linalg.norm(colours[0] - colours[1]) < ONE_COLOUR)


def may_go_on(sight: Sight, shape: Shape, free: Mask) -> bool:
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
        aside = np.abs((screws - end) @ quarter_turned(back))
        for length in ahead[(ahead > half) & (aside < half / 2) & (2 * ahead < longest)]:
            way = end + np.arange(half, length + half, dtype=np.float32)[:, None] * back
            at = pixels_at(way, free.shape)
            if not ((free[at] > 0) | ((sight.cover[at] == 0) & (sight.clear[at] > 0))).any():
                return True
    return False


def in_line(a: Shape, b: Shape) -> bool:
    """Whether two strips go on from one another: nobody can tell those of one colour from one strip."""
    if a.kind != "strip" or b.kind != "strip":
        return False
    near = (a.width + b.width) / 4
    return any(np.hypot(*(p - q)) < near and float(u @ v) < -STRAIGHT_ON for p, u in _ends(a) for q, v in _ends(b))


def cut_off(sight: Sight, strip: Shape, others: Sequence[Shape], free: Mask) -> bool:
    """Whether a strip ends where another board begins, which may hide how it goes on, and is not seen to turn in."""
    if strip.kind != "strip":
        return False
    for end, back in _ends(strip):
        beyond, before = (end + (strip.width / 2 + way * HIDDEN) * back for way in (1, -1))
        begins = any(depth_in(other, *beyond) > 0 > depth_in(other, *before) for other in others)
        if begins and _turns(sight, strip, end, back, free) <= 0:
            return True
    return False
