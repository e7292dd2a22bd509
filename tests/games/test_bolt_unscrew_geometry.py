"""Plane geometry of planks against brute-force sampling that shares nothing with it."""

import itertools
import math
import random

import pytest

from pipeline.games.bolt_unscrew import Disc, Point, Polygon, Pose, Shape, Strip
from pipeline.games.bolt_unscrew_geometry import (
    Outline,
    distance,
    doubled_area,
    is_simple,
    outline_of,
    place,
    triangles,
    unplace,
)

MIDDLE = 200.0
ARROW = ((100.0, 100.0), (260.0, 180.0), (100.0, 260.0), (150.0, 180.0))
COMB = ((50.0, 50.0), (250.0, 50.0), (250.0, 200.0), (200.0, 200.0), (200.0, 90.0), (100.0, 90.0), (100.0, 200.0))


def border(shape: Shape) -> list[Point]:
    """Points of the border, less than half a unit apart."""
    if isinstance(shape, Disc):
        (x, y), r = shape.center, shape.radius
        return [(x + r * math.cos(k * math.tau / 2000), y + r * math.sin(k * math.tau / 2000)) for k in range(2000)]
    if isinstance(shape, Polygon):
        sides = zip(shape.points, (*shape.points[1:], shape.points[0]), strict=True)
        return [point for a, b in sides for point in along(a, b)]
    a, b = shape.ends
    r, lean = shape.width / 2, math.atan2(b[1] - a[1], b[0] - a[0])
    found = []
    for centre, side in ((a, math.pi / 2), (b, -math.pi / 2)):
        turns = [lean + side + k * math.pi / 500 for k in range(501)]
        found += [(centre[0] + r * math.cos(t), centre[1] + r * math.sin(t)) for t in turns]
    dx, dy = r * math.sin(lean), r * math.cos(lean)
    found += along((a[0] - dx, a[1] + dy), (b[0] - dx, b[1] + dy))
    return found + along((a[0] + dx, a[1] - dy), (b[0] + dx, b[1] - dy))


def along(a: Point, b: Point) -> list[Point]:
    count = 2 * math.ceil(math.dist(a, b)) + 1
    return [(a[0] + (b[0] - a[0]) * k / count, a[1] + (b[1] - a[1]) * k / count) for k in range(count + 1)]


def inside(shape: Shape, point: Point) -> bool:
    """By the definition of the shape; for polygons by the winding number (a sum of angles)."""
    if isinstance(shape, Disc):
        return math.dist(point, shape.center) <= shape.radius
    if isinstance(shape, Strip):
        return min(math.dist(point, p) for p in along(*shape.ends)) <= shape.width / 2
    turned = 0.0
    for a, b in zip(shape.points, (*shape.points[1:], shape.points[0]), strict=True):
        start = math.atan2(a[1] - point[1], a[0] - point[0])
        turned += math.remainder(math.atan2(b[1] - point[1], b[0] - point[0]) - start, math.tau)
    return abs(turned) > math.pi


SHAPES: list[Shape] = [
    Strip(kind="strip", ends=((100.0, 120.0), (260.0, 200.0)), width=44.0),
    Strip(kind="strip", ends=((150.0, 150.0), (150.0, 150.0)), width=44.0),
    Disc(kind="disc", center=(180.0, 140.0), radius=55.5),
    Polygon(kind="polygon", points=ARROW),
    Polygon(kind="polygon", points=COMB[::-1]),
]


@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: str(shape.kind))
def test_distance_is_that_of_sampled_borders(shape: Shape) -> None:
    outline, pose = outline_of(shape, MIDDLE)
    choices, edge = random.Random(1), border(shape)
    for _ in range(150):
        point = (choices.uniform(0, 350), choices.uniform(0, 350))
        found = distance(outline, unplace((point[0] - MIDDLE, point[1]), pose))
        nearest = min(math.dist(point, p) for p in edge)
        if inside(shape, point):
            assert found < 0.3
        else:
            assert found == pytest.approx(nearest, abs=0.3)


@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: str(shape.kind))
def test_distance_does_not_change_when_plank_and_point_move_together(shape: Shape) -> None:
    outline, pose = outline_of(shape, MIDDLE)
    moved = Pose(31.0, 77.5, 2.3)
    for x, y in itertools.product(range(0, 350, 40), repeat=2):
        local = unplace((x - MIDDLE, float(y)), pose)
        assert distance(outline, unplace(place(local, moved), moved)) == pytest.approx(distance(outline, local))


@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: str(shape.kind))
def test_the_origin_is_the_centre_of_mass(shape: Shape) -> None:
    outline, _ = outline_of(shape, MIDDLE)
    span = range(-150, 151, 3)
    filled = [(x, y) for x in span for y in span if distance(outline, (float(x), float(y))) == 0]
    assert abs(sum(x for x, _ in filled) / len(filled)) < 1.5
    assert abs(sum(y for _, y in filled) / len(filled)) < 1.5
    assert max(math.hypot(x, y) for x, y in filled) <= outline.reach + 1e-9


@pytest.mark.parametrize("points", [ARROW, ARROW[::-1], COMB, COMB[::-1]])
def test_triangles_fill_the_polygon_without_overlap(points: tuple[Point, ...]) -> None:
    cut = triangles(points)
    assert sum(abs(doubled_area(t)) for t in cut) == pytest.approx(abs(doubled_area(points)))
    whole = Outline(points, 0.0)
    for triangle in cut:
        middle = (sum(x for x, _ in triangle) / 3, sum(y for _, y in triangle) / 3)
        assert distance(whole, middle) == 0


def test_simple_polygons_are_told_from_crossed_ones() -> None:
    assert is_simple(ARROW) and is_simple(COMB)
    assert not is_simple(((0.0, 0.0), (10.0, 10.0), (10.0, 0.0), (0.0, 10.0)))
    assert not is_simple(((0.0, 0.0), (10.0, 0.0), (20.0, 0.0)))
    assert not is_simple(((0.0, 0.0), (10.0, 0.0), (10.0, 10.0), (10.0, 0.0)))
    assert not is_simple(((0.0, 0.0), (20.0, 0.0), (20.0, 10.0), (10.0, 0.0), (0.0, 10.0)))
