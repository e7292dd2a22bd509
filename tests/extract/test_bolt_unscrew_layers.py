"""Which of two Bolt Unscrew boards lies on top is told by what both look like elsewhere, rims and insides."""

import numpy as np
import pytest

from pipeline.extract.bolt_unscrew_layers import Order, stacked
from pipeline.extract.bolt_unscrew_profiles import outshown, profile_of
from pipeline.extract.bolt_unscrew_shapes import FoundBoard, Point, Shape, grown
from pipeline.extract.bolt_unscrew_sight import Sight
from tests.extract.drawn_boards import BLUE, GREEN, LINE, RED, sight, strip

SHARED: Point = (120.0, 160.0)
FIRST, SECOND = strip(SHARED, (60.0, 80.0)), strip(SHARED, (190.0, 90.0))
Color = tuple[int, int, int]


def rimmed(*boards: tuple[Shape, Color]) -> Sight:
    """Boards with dark rims, those below first; a screw where two of them meet."""
    return sight([part for shape, color in boards for part in ((shape, LINE), (grown(shape, -2.0), color))], [SHARED])


def order(view: Sight, *shapes: Shape) -> Order:
    """What is told of boards that were all found at once."""
    return stacked(view, [FoundBoard(shape, 0, 1.0) for shape in shapes])


@pytest.mark.parametrize("colors", [(BLUE, RED), (GREEN, GREEN)], ids=["of two colours", "of one colour"])
def test_at_a_shared_screw_the_board_whose_rim_and_inside_are_seen_lies_on_top(colors: tuple[Color, Color]) -> None:
    for shapes, top in (((FIRST, SECOND), 1), ((SECOND, FIRST), 0)):
        found = order(rimmed(*zip(shapes, colors, strict=True)), FIRST, SECOND)
        assert found.layers[top] > found.layers[1 - top]
        assert not found.unclear


def test_an_order_that_a_blend_of_both_boards_hides_is_unclear() -> None:
    """Glass: where both lie the picture looks like neither of them more than the other, and both outlines run on."""
    a, b = rimmed((FIRST, BLUE), (SECOND, RED)), rimmed((SECOND, RED), (FIRST, BLUE))
    half = Sight(
        type(a.scene)(
            (a.scene.lab + b.scene.lab) / 2,
            (a.scene.across + b.scene.across) / 2,
            (a.scene.down + b.scene.down) / 2,
            a.scene.spots,
        ),
        a.cover,
        a.unscrewed,
        a.clear,
        a.steep,
    )
    assert order(half, FIRST, SECOND).unclear == ((0, 1),)


def test_boards_that_are_apart_are_ranked_as_they_were_found() -> None:
    far = strip((40.0, 280.0), (200.0, 280.0))
    view = rimmed((FIRST, BLUE), (far, RED))
    boards = [FoundBoard(FIRST, 1, 1.0), FoundBoard(far, 0, 1.0)]
    found = stacked(view, boards)
    assert found.layers == (0, 0)
    assert found.ranks == (0, 1)


def test_ranks_agree_with_what_is_seen_at_crossings() -> None:
    view = rimmed((FIRST, BLUE), (SECOND, RED))
    found = stacked(view, [FoundBoard(FIRST, 0, 1.0), FoundBoard(SECOND, 5, 1.0)])
    assert found.ranks == (0, 1)


def test_a_profile_is_the_rim_at_the_outline_and_the_inside_deeper_down() -> None:
    view = rimmed((FIRST, BLUE))
    profile = profile_of(view.scene, FIRST, view.unscrewed)
    assert profile is not None
    rim, inside = profile.colours[0], profile.colours[-1]
    assert np.linalg.norm(rim - inside) > 20
    assert profile_of(view.scene, FIRST, np.zeros_like(view.unscrewed)) is None


@pytest.mark.parametrize(
    "shape", [FIRST, Shape("polygon", ((60.0, 60.0), (180.0, 70.0), (100.0, 180.0)))], ids=lambda shape: shape.kind
)
def test_boards_that_do_not_meet_tell_nothing_of_their_order(shape: Shape) -> None:
    far = strip((40.0, 280.0), (200.0, 280.0))
    view = rimmed((shape, BLUE), (far, RED))
    profiles = [profile_of(view.scene, board, view.unscrewed) for board in (shape, far)]
    assert profiles[0] is not None
    assert profiles[1] is not None
    assert outshown(view.scene, profiles[0], profiles[1], view.unscrewed) == (0.0, 0)


def test_a_crossing_that_a_board_on_top_hides_is_not_asked_about() -> None:
    cap = Shape("disc", (SHARED,), 50.0)
    view = rimmed((FIRST, BLUE), (SECOND, RED), (cap, GREEN))
    found = stacked(view, [FoundBoard(cap, 0, 1.0), FoundBoard(FIRST, 1, 1.0), FoundBoard(SECOND, 1, 1.0)])
    assert not found.unclear
    assert found.layers[0] > max(found.layers[1:])


def test_a_larger_copy_is_looked_at_only_where_the_working_picture_does_not_tell() -> None:
    boards = [FoundBoard(FIRST, 0, 1.0), FoundBoard(SECOND, 0, 1.0)]
    plain = rimmed((FIRST, BLUE), (SECOND, RED))
    assert stacked(plain, boards, lambda: pytest.fail("what lies on top was told already")).layers == (0, 1)
    alike = sight([(FIRST, BLUE), (SECOND, BLUE)], [SHARED])
    assert stacked(alike, boards).unclear == ((0, 1),)
    told = stacked(alike, boards, lambda: (plain, boards))
    assert not told.unclear
    assert told.layers == (0, 1)
