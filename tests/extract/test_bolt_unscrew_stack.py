"""Bolt Unscrew boards that lie on one another: peeled off in their order, and doubted where nobody could tell."""

from collections.abc import Sequence

import numpy as np

from pipeline.extract.bolt_unscrew_ends import ends_are_seen
from pipeline.extract.bolt_unscrew_evidence import explains, is_seen
from pipeline.extract.bolt_unscrew_outlines import Area
from pipeline.extract.bolt_unscrew_shapes import FoundBoard, Point, Shape, depth_in, mask_of
from pipeline.extract.bolt_unscrew_sight import Sight, hide
from pipeline.extract.bolt_unscrew_stack import GUESSED, find_stack, joined_areas
from tests.extract.drawn_boards import BLUE, GREEN, LINE, PANEL, RED, sight, strip

CORNERS: tuple[Point, ...] = ((60.0, 60.0), (180.0, 60.0), (60.0, 220.0), (180.0, 220.0))
FALLING, RISING = strip(CORNERS[0], CORNERS[3]), strip(CORNERS[1], CORNERS[2])
CROSSED = sight([(FALLING, BLUE), (RISING, RED)], CORNERS)


def stack(view: Sight) -> list[FoundBoard]:
    return find_stack(view, np.ones(len(view.scene.spots.screws), bool))


def screws_held(shape: Shape, screws: Sequence[Point]) -> set[int]:
    return {i for i, screw in enumerate(screws) if depth_in(shape, *screw) > 0}


def explained(view: Sight, *shapes: Shape) -> bool:
    """Whether shapes, those below first, explain a picture."""
    return explains(view, [FoundBoard(shape, 0, 1.0) for shape in shapes], range(len(shapes)))


def seen_beside(view: Sight, shape: Shape, *above: Shape) -> bool:
    free = view.unscrewed.copy()
    for other in above:
        hide(free, other)
    return is_seen(view, shape, free)


def ends_seen_beside(view: Sight, shape: Shape, *above: Shape) -> bool:
    free = view.unscrewed.copy()
    for other in above:
        hide(free, other)
    return ends_are_seen(view, shape, free)


def rectangle(left: float, top: float, right: float, bottom: float) -> Shape:
    corners = ((left, top), (right, top), (right, bottom), (left, bottom))
    return Shape("polygon", tuple((float(x), float(y)) for x, y in corners))


# -- peeling ---------------------------------------------------------------------------------------------------------
def test_crossing_strips_are_peeled_from_the_top_and_the_lower_one_goes_on_under_the_upper() -> None:
    upper, lower = stack(CROSSED)
    assert (upper.depth, lower.depth) == (0, 1)
    assert screws_held(upper.shape, CORNERS) == {1, 2}
    assert screws_held(lower.shape, CORNERS) == {0, 3}
    assert depth_in(lower.shape, 120.0, 140.0) > 10, "the crossing belongs to both"
    assert min(upper.confidence, lower.confidence) > GUESSED


def test_strips_that_are_drawn_the_other_way_round_are_peeled_the_other_way_round() -> None:
    upper, lower = stack(sight([(RISING, RED), (FALLING, BLUE)], CORNERS))
    assert screws_held(upper.shape, CORNERS) == {0, 3}
    assert screws_held(lower.shape, CORNERS) == {1, 2}


def test_a_strip_across_many_screws_is_one_board_and_not_one_of_each_two() -> None:
    screws = ((40.0, 160.0), (120.0, 160.0), (200.0, 160.0))
    (board,) = stack(sight([(strip(screws[0], screws[2]), BLUE)], screws))
    assert screws_held(board.shape, screws) == {0, 1, 2}


def test_a_disc_on_a_strip_and_the_strip_below_it_are_both_found() -> None:
    screws = ((60.0, 160.0), (180.0, 160.0))
    disc = Shape("disc", (screws[0],), 56.0)
    upper, lower = stack(sight([(strip(*screws), BLUE), (disc, RED)], screws))
    assert (upper.depth, lower.depth) == (0, 1)
    assert screws_held(upper.shape, screws) == {0}
    assert screws_held(lower.shape, screws) == {0, 1}


def test_the_round_end_of_a_strip_is_no_disc() -> None:
    screws = ((60.0, 160.0), (180.0, 160.0))
    (board,) = stack(sight([(strip(*screws, width=40.0), BLUE)], screws))
    assert screws_held(board.shape, screws) == {0, 1}


def test_what_no_board_shows_is_at_most_a_guess() -> None:
    """Two screws on a board that fills the picture: no edges run beside the line through them."""
    screws = ((60.0, 160.0), (180.0, 160.0))
    ground = rectangle(-20, -20, 260, 300)
    boards = stack(sight([(ground, BLUE)], screws))
    assert all(board.confidence <= GUESSED for board in boards)
    assert boards


# -- evidence --------------------------------------------------------------------------------------------------------
def test_the_boards_that_were_drawn_explain_the_picture_in_their_order_alone() -> None:
    assert explained(CROSSED, FALLING, RISING)
    assert not explained(CROSSED, RISING, FALLING)


def test_a_picture_is_not_explained_while_something_on_the_panel_is_left_over() -> None:
    assert not explained(CROSSED, RISING)


def test_a_board_that_nothing_shows_is_not_accepted() -> None:
    """A strip through the upper arms of two crossing ones: neither its edges nor its colour are there."""
    assert seen_beside(CROSSED, RISING)
    assert not seen_beside(CROSSED, strip(CORNERS[0], CORNERS[1]))
    assert not explained(CROSSED, strip(CORNERS[0], CORNERS[1]), FALLING, RISING)


def test_the_lower_of_two_boards_is_seen_only_beside_the_upper_one() -> None:
    assert not seen_beside(CROSSED, FALLING)
    assert seen_beside(CROSSED, FALLING, RISING)


def test_no_board_lies_where_the_panel_shows_between_two_others() -> None:
    """Its ends would be under the others, and of its middle no more is looked at than lies between them."""
    screws = ((60.0, 100.0), (180.0, 100.0), (60.0, 220.0), (180.0, 220.0))
    left, right = strip(screws[0], screws[2]), strip(screws[1], screws[3])
    middle = strip((60.0, 160.0), (180.0, 160.0))
    apart = sight([(left, BLUE), (right, RED)], screws)
    joined = sight([(middle, GREEN), (left, BLUE), (right, RED)], screws)
    assert seen_beside(joined, middle, left, right)
    assert not seen_beside(apart, middle, left, right)


def test_a_strip_that_may_go_on_under_another_board_is_doubtful() -> None:
    screws = ((40.0, 160.0), (120.0, 160.0), (190.0, 160.0))
    below = strip(screws[0], screws[1])
    across = strip((120.0, 90.0), (120.0, 230.0), width=60.0)
    view = sight([(below, BLUE), (across, RED)], screws)
    assert not ends_seen_beside(view, below, across)
    assert ends_seen_beside(sight([(below, BLUE)], screws), below)


def test_a_strip_whose_sides_run_straight_into_another_board_does_not_end_there() -> None:
    """The other board's edge passes for the end, but no side turns in before it."""
    long = strip((40.0, 160.0), (200.0, 160.0))
    across = strip((170.0, 90.0), (170.0, 230.0), width=60.0)
    view = sight([(long, BLUE), (across, RED)], ((40.0, 160.0), (80.0, 160.0)))
    assert not seen_beside(view, strip((40.0, 160.0), (126.0, 160.0)))
    assert seen_beside(view, long, across)


def test_a_round_end_that_touches_another_board_is_an_end() -> None:
    """It is seen to turn in; were it hidden, nobody could tell that the strip does not go on."""
    across = strip((176.0, 90.0), (176.0, 230.0), width=60.0)
    ending = strip((40.0, 160.0), (130.0, 160.0))
    view = sight([(across, RED), (ending, BLUE)], ((40.0, 160.0), (176.0, 100.0), (176.0, 220.0)))
    assert explained(view, across, ending)
    assert not explained(
        sight([(ending, BLUE), (across, RED)], ((40.0, 160.0),)), ending, strip(*across.points, width=76.0)
    )


def test_a_strip_may_not_go_on_where_the_panel_shows() -> None:
    """A disc lies over the end, another one over a screw straight on; between their rims there is a gap."""
    below = strip((40.0, 160.0), (110.0, 160.0))
    near, far = Shape("disc", ((110.0, 160.0),), 56.0), Shape("disc", ((174.0, 160.0),), 56.0)
    view = sight([(below, BLUE), (near, RED), (far, GREEN)], ((40.0, 160.0), (110.0, 160.0), (174.0, 160.0)))
    assert explained(view, below, near, far)


def test_what_an_outline_shuts_in_covers_the_panel_though_it_has_the_panels_colour() -> None:
    """Wood on wood: what was taken for the panel inside of the outline is the board."""
    plank = strip((60.0, 160.0), (180.0, 160.0))
    view = sight([(plank, BLUE)], plank.points)
    view.cover[:] = 0
    assert seen_beside(view, plank)
    hidden = strip((180.0, 90.0), (180.0, 230.0), width=40.0)
    assert not seen_beside(view, plank, hidden)


def test_a_strip_that_may_reach_one_more_hidden_screw_explains_nothing_for_certain() -> None:
    """A long board lies over an end, and all the way to a screw straight on."""
    along = strip((150.0, 160.0), (200.0, 160.0), width=60.0)
    below = strip((40.0, 160.0), (140.0, 160.0))
    for far, sure in (((190.0, 160.0), False), ((190.0, 140.0), True)):
        view = sight([(below, BLUE), (along, RED)], ((40.0, 160.0), (140.0, 160.0), far))
        assert explained(view, below, along) == sure


def test_a_plate_that_another_board_cuts_is_not_whole() -> None:
    """What is left of a square beside a strip across it looks like a smaller plate, but for its sides going on."""
    square = rectangle(60, 80, 190, 260)
    screws = ((90.0, 110.0), (160.0, 110.0))
    above = strip((30.0, 170.0), (215.0, 170.0))
    rest = rectangle(60, 80, 190, 156)
    assert not seen_beside(sight([(square, GREEN), (above, RED)], screws), rest)
    assert seen_beside(sight([(rest, GREEN)], screws), rest)
    assert seen_beside(sight([(square, GREEN), (above, RED)], screws), square, above)


PLATE, ON_PLATE = rectangle(60, 80, 190, 200), ((90.0, 110.0), (160.0, 110.0))


def test_a_board_has_one_colour() -> None:
    assert seen_beside(sight([(PLATE, BLUE)], ON_PLATE), PLATE)
    assert not seen_beside(sight([(PLATE, BLUE), (rectangle(60, 80, 130, 200), GREEN)], ON_PLATE), PLATE)


def test_a_board_lets_nothing_of_the_panel_through() -> None:
    """The window is far smaller than the share of a board that may look like the panel."""
    assert not seen_beside(sight([(PLATE, BLUE), (rectangle(110, 150, 124, 164), PANEL)], ON_PLATE), PLATE)


def test_a_board_has_an_edge_all_around() -> None:
    """What joins another one of its colour along a short piece of its outline is not all of a board."""
    assert not seen_beside(sight([(PLATE, BLUE), (rectangle(120, 190, 130, 240), BLUE)], ON_PLATE), PLATE)


def test_a_line_of_the_grain_is_no_side_of_a_board_of_which_the_rest_is_hidden() -> None:
    """A narrow strip along the upper side of a board, its lower side a faint line in the board's own colour."""
    board, upper = strip((60.0, 160.0), (180.0, 160.0), width=60.0), strip((60.0, 145.0), (180.0, 145.0), width=30.0)
    above = strip((180.0, 80.0), (180.0, 230.0), width=40.0)
    for colour, seen in (((188, 112, 54), False), ((158, 84, 28), True)):
        view = sight([(board, BLUE), (upper, colour), (above, RED)], ((60.0, 145.0),))
        assert seen_beside(view, upper, above) == seen


def test_areas_are_joined_by_a_plank_of_the_panels_colour() -> None:
    """Two boards lie on its ends; what is seen of it between them are its sides alone."""
    ends = (60.0, 160.0), (180.0, 160.0)
    left, right = strip((60.0, 100.0), (60.0, 220.0)), strip((180.0, 100.0), (180.0, 220.0))
    wood = [(strip(*ends), LINE), (strip(*ends, width=24.0), (214, 226, 228))]
    for plank, joined in ((wood, {0, 1}), ([], set())):
        view = sight([*plank, (left, BLUE), (right, RED)], ends)
        areas = [Area(mask_of(shape, view.cover.shape), (k,), None) for k, shape in enumerate((left, right))]
        assert joined_areas(view, areas) == joined


def test_a_board_of_which_too_little_is_in_view_is_not_seen() -> None:
    below = strip((40.0, 160.0), (200.0, 160.0))
    for left, seen in ((70, False), (150, True)):
        above = rectangle(left, 60, 230, 260)
        view = sight([(below, BLUE), (above, RED)], ((200.0, 100.0),))
        assert seen_beside(view, below, above) == seen
