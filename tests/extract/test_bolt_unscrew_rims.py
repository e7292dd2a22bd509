"""Bolt Unscrew outlines: where they run, whether edges stand there, and how shapes move to them."""

import numpy as np
import pytest
from numpy.typing import NDArray

from pipeline.extract.bolt_unscrew_rims import POINT_STEP, edge_along, in_view, pixels_at, rim_of, settled
from pipeline.extract.bolt_unscrew_shapes import Shape, depths_in, grown
from pipeline.extract.bolt_unscrew_sight import hide
from tests.extract.drawn_boards import BLUE, GREEN, RED, sight, strip

STRIP = strip((60.0, 100.0), (180.0, 130.0))
DISC = Shape("disc", ((120.0, 160.0),), 80.0)
PLATE = Shape("polygon", ((50.0, 60.0), (190.0, 80.0), (170.0, 220.0), (60.0, 210.0)))
SHAPES = pytest.mark.parametrize("shape", [STRIP, DISC, PLATE], ids=lambda shape: shape.kind)


def everywhere() -> NDArray[np.uint8]:
    return np.full((320, 240), 255, np.uint8)


def nowhere() -> NDArray[np.uint8]:
    return np.zeros((320, 240), np.uint8)


def apart(a: Shape, b: Shape) -> float:
    """The largest distance, in pixels, of one shape's outline from another's."""
    return float(np.abs(depths_in(b, rim_of(a)[0])).max())


def displaced(shape: Shape, x: float, y: float, wider: float) -> Shape:
    return Shape(shape.kind, tuple((px + x, py + y) for px, py in shape.points), shape.width + wider)


@SHAPES
def test_points_run_along_the_outline_evenly_with_normals_across_it(shape: Shape) -> None:
    points, normals = rim_of(shape)
    assert apart(shape, shape) < 0.5
    steps = np.hypot(*(np.roll(points, -1, axis=0) - points).T)
    assert steps.max() < 1.6 * POINT_STEP
    assert np.allclose(np.hypot(*normals.T), 1)


def test_points_of_an_outline_cannot_be_changed_by_who_looks_at_them() -> None:
    with pytest.raises(ValueError, match="read-only"):
        rim_of(STRIP)[0][0] = 0


@SHAPES
@pytest.mark.parametrize(("x", "y", "wider"), [(1.5, -1.0, 0.0), (-1.0, 1.5, -2.0)])
def test_a_shape_in_view_is_settled_on_its_edges_within_a_pixel(shape: Shape, x: float, y: float, wider: float) -> None:
    scene = sight([(shape, BLUE)], []).scene
    guess = displaced(shape, x, y, wider)
    assert apart(guess, shape) > 1.5
    assert apart(settled(scene, guess, everywhere(), nowhere()), shape) < 1


def test_a_strip_is_settled_on_what_is_in_view_of_it() -> None:
    """Where another board lies on it, the edges that are seen are that board's and pull nothing."""
    above = strip((120.0, 60.0), (125.0, 170.0))
    view = sight([(STRIP, BLUE), (above, RED)], [])
    free = everywhere()
    hide(free, above)
    assert apart(settled(view.scene, displaced(STRIP, 1.0, -1.5, -1.0), free, nowhere()), STRIP) < 1


def test_a_shape_of_which_nothing_is_in_view_stays_where_it_is() -> None:
    scene = sight([(STRIP, BLUE)], []).scene
    guess = displaced(STRIP, 1.5, -1.0, 0.0)
    assert settled(scene, guess, nowhere(), nowhere()) == guess


FAINT, SHADOW = (246, 246, 246), (200, 206, 208)


@SHAPES
def test_a_rim_too_faint_to_pull_the_outline_belongs_to_the_board(shape: Shape) -> None:
    """White on a light panel: the steepest edge is the inner one, and what covers the panel goes on beyond it."""
    inner = grown(shape, -3.0)
    view = sight([(shape, FAINT), (inner, BLUE)], [])
    assert apart(settled(view.scene, inner, everywhere(), nowhere()), shape) > 2
    assert apart(settled(view.scene, inner, everywhere(), view.cover), shape) < 1.5


def test_of_a_broad_rims_two_edges_the_outer_one_is_taken() -> None:
    inner = grown(STRIP, -4.0)
    view = sight([(STRIP, GREEN), (inner, BLUE)], [])
    assert apart(settled(view.scene, inner, everywhere(), view.cover), STRIP) < 1.5


def test_a_shadow_on_one_side_is_no_rim() -> None:
    low = displaced(DISC, 0.0, 4.0, 0.0)
    view = sight([(low, SHADOW), (DISC, BLUE)], [])
    assert apart(settled(view.scene, DISC, everywhere(), view.cover), DISC) < 1


def test_a_rim_is_told_only_where_a_board_borders_on_the_panel() -> None:
    inner = grown(STRIP, -3.0)
    view = sight([(grown(STRIP, 20.0), RED), (STRIP, FAINT), (inner, BLUE)], [])
    assert apart(settled(view.scene, inner, everywhere(), view.cover), inner) < 1


@pytest.mark.parametrize("turned", [False, True], ids=["clockwise", "counter-clockwise"])
@SHAPES
def test_normals_point_outwards_whichever_way_the_outline_runs(shape: Shape, *, turned: bool) -> None:
    shape = Shape(shape.kind, shape.points[::-1], shape.width) if turned else shape
    points, normals = rim_of(shape)
    assert depths_in(shape, points + 2 * normals).max() < 0


def test_edges_stand_where_a_board_ends_and_not_beside_it() -> None:
    scene = sight([(STRIP, BLUE)], []).scene
    shown, seen = edge_along(scene, STRIP, everywhere())
    assert shown.all()
    assert seen.all()
    shown, _ = edge_along(scene, displaced(STRIP, 0.0, 0.0, 20.0), everywhere())
    assert not shown.any()


def test_edges_outside_of_what_is_in_view_do_not_count() -> None:
    scene = sight([(STRIP, BLUE)], []).scene
    free = everywhere()
    free[:, 120:] = 0
    shown, seen = edge_along(scene, STRIP, free)
    right = rim_of(STRIP)[0][:, 0] > 122
    assert not shown[right].any()
    assert not seen[right].any()
    assert in_view(STRIP, free).sum() == seen.sum() > 0


def test_points_beyond_the_border_are_moved_onto_it() -> None:
    rows, cols = pixels_at(np.array([(-3.0, 2.4), (11.0, 30.0), (4.6, 0.0)]), (20, 10))
    assert rows.tolist() == [2, 19, 0]
    assert cols.tolist() == [0, 9, 5]
