"""Bolt Unscrew: what of a plank is in sight between the planks and screws above it.

Shapes are shapely polygons in the coordinates of play (x from the panel's middle line). What is sent is cut from fine
outlines; what hides what is found with coarser ones, which `SEAM` makes good.
"""

import math
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

import shapely
from shapely.affinity import affine_transform

from pipeline.core.canonical import Json
from pipeline.games.bolt_unscrew_geometry import distance, unplace
from pipeline.games.bolt_unscrew_model import Point, Pose
from pipeline.games.bolt_unscrew_rig import Rig

Shape = Any
"""A shapely Polygon or MultiPolygon."""

Parts = tuple[tuple[tuple[Point, ...], ...], ...]
"""Polygons, each of rings of points, in panel coordinates rounded to 0.1."""

SEAM = 2.0
"""Units by which a plank reaches under what hides it, so that no seam shows where they meet."""
FINE, COARSE = 16, 8
"""Straight pieces of a quarter turn; the holes of planks, which are small, have half as many."""
_THINNEST = 0.5
"""Slivers thinner than this many units are where two outlines meet, not something to be seen."""
_NARROW = 6.0
"""Half the width, in units, of hidden bits that are taken to be seen between two looks."""
_CLEAN = 1e-3
"""Corners of a polygon nearer than this become one: a turn could make them cross."""


class Placed(NamedTuple):
    """A plank and where it lies."""

    plank: int
    pose: Pose


@lru_cache(maxsize=4096)
def whole(rig: Rig, plank: int, quarter: int = COARSE) -> Shape:
    """A plank with its holes filled, in its own coordinates."""
    core, margin = rig.outlines[plank].core, rig.outlines[plank].margin
    if len(core) == 1:
        return shapely.Point(core[0]).buffer(margin, quad_segs=quarter)
    if len(core) == 2:
        return shapely.LineString(core).buffer(margin, quad_segs=quarter)
    clean = shapely.set_precision(shapely.Polygon(core).buffer(0), _CLEAN)  # by 0: what touches itself is parted
    return shapely.set_precision(clean, 0)  # cut at full precision again


@lru_cache(maxsize=4096)
def own_shape(rig: Rig, plank: int, quarter: int = FINE) -> Shape:
    """A plank without its holes, in its own coordinates."""
    holes = (_disc(rig, hole, quarter) for hole in rig.drilled[plank])
    return _without(whole(rig, plank, quarter), holes)


@lru_cache(maxsize=4096)
def shape_at(rig: Rig, plank: int, pose: Pose, quarter: int = FINE) -> Shape:
    """A plank without its holes where it lies."""
    shape = moved(own_shape(rig, plank, quarter), pose)
    shapely.prepare(shape)
    return shape


def moved(shape: Shape, pose: Pose) -> Shape:
    """A shape in a plank's own coordinates, in the panel's."""
    cos, sin = math.cos(pose.angle), math.sin(pose.angle)
    return affine_transform(shape, [cos, -sin, sin, cos, pose.x, pose.y])


def moved_back(shape: Shape, pose: Pose) -> Shape:
    """The inverse of `moved`."""
    cos, sin = math.cos(pose.angle), math.sin(pose.angle)
    x, y = -cos * pose.x - sin * pose.y, sin * pose.x - cos * pose.y
    return affine_transform(shape, [cos, sin, -sin, cos, x, y])


def in_sight(rig: Rig, placed: Placed, above: Iterable[Placed], screws: Sequence[int]) -> Shape | None:
    """What of a plank is in sight, and SEAM more around that; None when it is hidden.

    `above` are the planks that would be drawn over it. A screw hides the hole it is in.
    """
    return _cut(rig, placed, _hiding(rig, placed, above), _near(rig, placed, screws))


def parts_in_sight(rig: Rig, placed: Placed, above: Iterable[Placed], screws: Sequence[int]) -> Parts:
    """The parts of `in_sight`; none when it is hidden."""
    return _cut_parts(rig, placed, _hiding(rig, placed, above), _near(rig, placed, screws))


def _hiding(rig: Rig, placed: Placed, above: Iterable[Placed]) -> tuple[Placed, ...]:
    coarse = shape_at(rig, *placed, COARSE)
    return tuple(other for other in above if shape_at(rig, *other, COARSE).intersects(coarse))


def hidden_part(rig: Rig, part: Shape, placed: Placed, above: Iterable[Placed], through_holes: bool) -> Shape:
    """What planks hide of a part of a plank that lies under them; both parts in the plank's own coordinates.

    Without `through_holes` nothing is seen through holes, which is found sooner. Only whole planks are ever turned:
    what is left of a cut one may have corners too close to stand the rounding.
    """
    reach, pose = rig.outlines[placed.plank].reach, placed.pose
    near = (o for o in above if math.dist(pose[:2], o.pose[:2]) < reach + rig.outlines[o.plank].reach)
    drawn = ((own_shape(rig, plank, COARSE) if through_holes else whole(rig, plank), at) for plank, at in near)
    return part.difference(_without(part, (moved_back(moved(shape, at), pose) for shape, at in drawn)))


def seen_but(rig: Rig, plank: int, hidden: Shape) -> Shape | None:
    """A plank, in its own coordinates, without what is hidden of it but for the seam; None when nothing is left.

    Narrow hidden bits stand between what was seen at one time and at the next, and count as seen.
    """
    own = own_shape(rig, plank, COARSE)
    if _without_slivers(own.difference(hidden)).is_empty:
        return None
    covered = hidden.union(whole(rig, plank).difference(own))  # a hole of its own makes nothing beside it narrow
    joined = covered.buffer(_THINNEST, join_style="mitre").buffer(-_THINNEST - _NARROW, quad_segs=4)
    broad = joined.buffer(_NARROW, quad_segs=4)
    return _with_seam(_without_slivers(own.difference(broad)), own_shape(rig, plank))


def _near(rig: Rig, placed: Placed, screws: Sequence[int]) -> tuple[int, ...]:
    """The screws that may hide something of a plank: the others need not tell two pictures apart."""
    outline, pose = rig.outlines[placed.plank], placed.pose
    reach = outline.reach + rig.hole_radius
    about = ((screw, rig.holes[screw]) for screw in screws if math.dist(rig.holes[screw], pose[:2]) < reach)
    return tuple(screw for screw, at in about if distance(outline, unplace(at, pose)) < rig.hole_radius)


@lru_cache(maxsize=4096)
def _cut_parts(rig: Rig, placed: Placed, hiding: tuple[Placed, ...], screws: tuple[int, ...]) -> Parts:
    shape = _cut(rig, placed, hiding, screws)
    return () if shape is None else parts_of(rig, shape)


def _cut(rig: Rig, placed: Placed, hiding: tuple[Placed, ...], screws: tuple[int, ...]) -> Shape | None:
    if not hiding:
        return shape_at(rig, *placed)
    shape = _without(shape_at(rig, *placed, COARSE), (shape_at(rig, *other, COARSE) for other in hiding))
    seen = _without_slivers(shape)
    return None if _under_screws(rig, seen, screws) else _with_seam(seen, shape_at(rig, *placed))


def _under_screws(rig: Rig, shape: Shape, screws: tuple[int, ...]) -> bool:
    """Whether nothing of a shape is beside the screws (what is larger than all their holes is)."""
    if shape.area > len(screws) * math.pi * rig.hole_radius**2:
        return False
    beside = _without(shape, (_head(rig, screw) for screw in screws))
    return bool(_without_slivers(beside).is_empty)


def polygons(shape: Shape) -> list[Shape]:
    """The polygons a shape consists of, in a fixed order; lines and points left over from cutting are dropped."""
    parts = shapely.get_parts(shapely.normalize(shape))
    return [part for part in parts if part.geom_type == "Polygon" and not part.is_empty]


def parts_of(rig: Rig, shape: Shape) -> Parts:
    """The polygons of a shape as rings, the outer ring first, as the page gets them."""
    found = []
    for part in polygons(shape):
        rings = [_ring(rig, ring) for ring in (part.exterior, *part.interiors)]
        if len(rings[0]) > 2:
            found.append((rings[0], *(ring for ring in rings[1:] if len(ring) > 2)))
    return tuple(found)


def parts_shown(parts: Parts) -> Json:
    """Parts as JSON."""
    return [[[list(point) for point in ring] for ring in part] for part in parts]


def shown_point(rig: Rig, point: Point) -> Point:
    """A point as the page gets it: in panel coordinates, rounded to 0.1."""
    return round(point[0] + rig.half_width, 1), round(point[1], 1)


@lru_cache(maxsize=4096)
def _head(rig: Rig, screw: int) -> Shape:
    return _disc(rig, rig.holes[screw], COARSE)


def _disc(rig: Rig, hole: Point, quarter: int) -> Shape:
    sides = 2 * quarter
    turns = (math.tau * k / sides for k in range(sides))
    radius = rig.hole_radius
    return shapely.Polygon([(hole[0] + radius * math.cos(a), hole[1] + radius * math.sin(a)) for a in turns])


def _without(shape: Shape, others: Iterable[Shape]) -> Shape:
    """A shape minus others, one by one: faster than minus their union."""
    for other in others:
        if other.intersects(shape):
            shape = shape.difference(other)
    return shape


def _without_slivers(shape: Shape) -> Shape:
    """The polygons of a shape that are no slivers: twice its area by its length is about a thin one's width."""
    return shapely.MultiPolygon([part for part in polygons(shape) if 2 * part.area > _THINNEST * part.length])


def _with_seam(seen: Shape, shape: Shape) -> Shape:
    """What is seen of a shape, and SEAM more of it around that."""
    return seen.buffer(SEAM, join_style="bevel").intersection(shape)


def _ring(rig: Rig, ring: Any) -> tuple[Point, ...]:
    points = [shown_point(rig, point) for point in ring.coords[:-1]]
    return tuple(point for i, point in enumerate(points) if point != points[i - 1])
