"""Bolt Unscrew: plane geometry of planks. Lengths in board units, y down, angles clockwise in radians.

Every shape is the set of points within `margin` of a core: a point (disc), a segment (strip) or a filled simple
polygon (margin 0). Coordinates are first rounded to a binary grid, which makes mirroring exact in floating point.
"""

import math
from dataclasses import dataclass

from pipeline.games.bolt_unscrew_model import Disc, Point, Polygon, Pose, Strip

GRID = 1024
"""Coordinates of a document are read to 1/1024 of a unit: finer than any picture, and exact in binary."""


@dataclass(frozen=True)
class Outline:
    """A plank's shape about its own centre of mass, as it lies at the start."""

    core: tuple[Point, ...]
    margin: float

    @property
    def reach(self) -> float:
        """Radius of the circle about the centre of mass that encloses the shape."""
        return max(math.hypot(x, y) for x, y in self.core) + self.margin

    def mirrored(self) -> "Outline":
        """The outline with left and right exchanged, its points in the same order."""
        return Outline(tuple((0.0 - x, y) for x, y in self.core), self.margin)


def on_grid(value: float) -> float:
    """The nearest multiple of 1/1024."""
    return round(value * GRID) / GRID


def outline_of(shape: Strip | Disc | Polygon, middle: float) -> tuple[Outline, Pose]:
    """The outline of a shape and its pose at the start; `middle` is the x of the panel's middle line."""
    points: tuple[Point, ...]
    match shape:
        case Strip():
            points, margin = shape.ends, shape.width / 2
        case Disc():
            points, margin = (shape.center,), shape.radius
        case Polygon():
            points, margin = shape.points, 0.0
    placed = gridded(points, middle)
    cx, cy = _centroid(placed) if len(placed) > 2 else _mean(placed)
    return Outline(tuple((x - cx, y - cy) for x, y in placed), margin), Pose(cx, cy, 0.0)


def gridded(points: tuple[Point, ...], middle: float) -> list[Point]:
    """Points as play has them: x from the panel's middle line, on the grid."""
    return [(on_grid(x - middle), on_grid(y)) for x, y in points]


def _mean(points: list[Point]) -> Point:
    return sum(x for x, _ in points) / len(points), sum(y for _, y in points) / len(points)


def doubled_area(points: list[Point] | tuple[Point, ...]) -> float:
    """Twice the signed area of a polygon; positive when its points run clockwise on the screen (y down)."""
    return sum(a[0] * b[1] - b[0] * a[1] for a, b in _edges(points))


def _centroid(points: list[Point]) -> Point:
    """Centre of mass of a filled polygon (the shoelace formula)."""
    twice = doubled_area(points)
    if twice == 0:
        return _mean(points)
    x = sum((a[0] + b[0]) * (a[0] * b[1] - b[0] * a[1]) for a, b in _edges(points))
    y = sum((a[1] + b[1]) * (a[0] * b[1] - b[0] * a[1]) for a, b in _edges(points))
    return on_grid(x / (3 * twice)), on_grid(y / (3 * twice))


def _edges(points: list[Point] | tuple[Point, ...]) -> list[tuple[Point, Point]]:
    return [(points[i - 1], points[i]) for i in range(len(points))]


def place(point: Point, pose: Pose) -> Point:
    """From a plank's own coordinates to the panel's."""
    cos, sin = math.cos(pose.angle), math.sin(pose.angle)
    return pose.x + cos * point[0] - sin * point[1], pose.y + sin * point[0] + cos * point[1]


def unplace(point: Point, pose: Pose) -> Point:
    """From the panel's coordinates to a plank's own."""
    cos, sin = math.cos(pose.angle), math.sin(pose.angle)
    x, y = point[0] - pose.x, point[1] - pose.y
    return cos * x + sin * y, cos * y - sin * x


def distance(outline: Outline, point: Point) -> float:
    """How far a point, in the plank's own coordinates, is from the shape; 0 inside."""
    core = outline.core
    if len(core) == 1:
        from_core = math.dist(core[0], point)
    elif len(core) == 2:
        from_core = _from_segment(core[0], core[1], point)
    elif _inside(core, point):
        return 0.0
    else:
        from_core = min(_from_segment(a, b, point) for a, b in _edges(core))
    return max(0.0, from_core - outline.margin)


def _from_segment(a: Point, b: Point, point: Point) -> float:
    dx, dy = b[0] - a[0], b[1] - a[1]
    square = dx * dx + dy * dy
    along = ((point[0] - a[0]) * dx + (point[1] - a[1]) * dy) / square if square else 0.0
    along = min(1.0, max(0.0, along))
    return math.hypot(point[0] - a[0] - along * dx, point[1] - a[1] - along * dy)


def _inside(polygon: tuple[Point, ...], point: Point) -> bool:
    """The even-odd rule: a ray to the right crosses the border an odd number of times."""
    x, y = point
    odd = False
    for (ax, ay), (bx, by) in _edges(polygon):
        if (ay > y) != (by > y) and x < ax + (y - ay) * (bx - ax) / (by - ay):
            odd = not odd
    return odd


def is_simple(points: tuple[Point, ...]) -> bool:
    """Whether a polygon has an area and no two of its sides meet except neighbours in their common corner."""
    if doubled_area(points) == 0 or len(set(points)) != len(points):
        return False
    edges = _edges(points)
    for i, (a, b) in enumerate(edges):
        for j in range(i + 2, len(edges)):
            if (i, j) != (0, len(edges) - 1) and _meet(a, b, *edges[j]):
                return False
    return True


def _turn(a: Point, b: Point, c: Point) -> float:
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def _meet(a: Point, b: Point, c: Point, d: Point) -> bool:
    """Whether two segments share a point."""
    turns = (_turn(a, b, c), _turn(a, b, d), _turn(c, d, a), _turn(c, d, b))
    if turns[0] * turns[1] < 0 and turns[2] * turns[3] < 0:
        return True
    ends = ((turns[0], a, b, c), (turns[1], a, b, d), (turns[2], c, d, a), (turns[3], c, d, b))
    return any(turn == 0 and _between(p, q, r) for turn, p, q, r in ends)


def _between(a: Point, b: Point, point: Point) -> bool:
    inside_x = min(a[0], b[0]) <= point[0] <= max(a[0], b[0])
    return inside_x and min(a[1], b[1]) <= point[1] <= max(a[1], b[1])


def triangles(polygon: tuple[Point, ...]) -> list[tuple[Point, Point, Point]]:
    """A simple polygon cut into triangles by ear clipping (collinear corners are dropped)."""
    sign = 1.0 if doubled_area(polygon) > 0 else -1.0
    left, cut = list(polygon), []
    while len(left) > 3:
        ear = next((i for i in range(len(left)) if _is_ear(left, i, sign)), None)
        if ear is None:
            ear = min(range(len(left)), key=lambda i: abs(_turn(left[i - 1], left[i], left[(i + 1) % len(left)])))
        else:
            cut.append((left[ear - 1], left[ear], left[(ear + 1) % len(left)]))
        del left[ear]
    if _turn(left[0], left[1], left[2]) != 0:
        cut.append((left[0], left[1], left[2]))
    return cut


def _is_ear(points: list[Point], i: int, sign: float) -> bool:
    a, b, c = points[i - 1], points[i], points[(i + 1) % len(points)]
    if sign * _turn(a, b, c) <= 0:
        return False
    others = (p for p in points if p not in (a, b, c))
    return not any(min(sign * _turn(a, b, p), sign * _turn(b, c, p), sign * _turn(c, a, p)) >= 0 for p in others)
