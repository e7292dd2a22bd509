"""Free holes missed at first are found by what is known of the others."""

import numpy as np

from pipeline.extract.bolt_unscrew_recall import with_missed_holes
from pipeline.extract.bolt_unscrew_rounds import Rounds
from pipeline.extract.bolt_unscrew_spots import Spot, Spots
from pipeline.extract.circles import Circle

PANEL, HOLE = (60.0, 0.0, 0.0), (20.0, 0.0, 0.0)


def rounds_of(*circles: Circle) -> Rounds:
    """Plain dark circles on one panel of 200 × 200 pixels."""
    count = len(circles)
    return Rounds(
        list(circles),
        np.full((200, 200, 3), PANEL, np.float32),
        np.zeros((200, 200), np.bool_),
        relief=np.zeros(count, np.float32),
        inside=np.tile(np.float32(HOLE), (count, 1)),
        ground=np.tile(np.float32(PANEL), (count, 1)),
        unrest=np.zeros(count, np.float32),
        closed=np.ones(count, np.float32),
    )


def spots_of(hole: Circle) -> Spots:
    """One hole found, and a screw far away."""
    screw = Spot(Circle(180, 180, 9, 1.0), 1.0)
    panel = np.full((200, 200), 255, np.uint8)
    return Spots([screw], [Spot(hole, 1.0)], [], np.array(PANEL, np.float32), 5.0, panel)


def test_a_hole_that_shows_its_rim_is_as_large_as_the_rim_around_the_one_found() -> None:
    hole, rim, other = Circle(40, 40, 6.7, 1.0), Circle(40, 40, 8.4, 1.0), Circle(120, 40, 8.5, 1.0)
    found = with_missed_holes(rounds_of(hole, rim, other), spots_of(hole))
    assert [spot.circle for spot in found.holes] == [hole, other]
    alone = with_missed_holes(rounds_of(hole, other), spots_of(hole))
    assert [spot.circle for spot in alone.holes] == [hole]


def test_a_hole_of_which_the_inside_is_found_is_as_large_as_the_inside_of_one_found_by_its_rim() -> None:
    rim, inside, other = Circle(40, 40, 10.0, 1.0), Circle(40, 40, 7.5, 1.0), Circle(120, 40, 7.4, 1.0)
    found = with_missed_holes(rounds_of(inside, other, rim), spots_of(rim))
    assert [spot.circle for spot in found.holes] == [rim, other]


def test_a_ring_elsewhere_tells_nothing_of_the_holes_size() -> None:
    hole, far, other = Circle(40, 40, 6.7, 1.0), Circle(46, 40, 8.4, 0.7), Circle(120, 40, 8.5, 1.0)
    found = with_missed_holes(rounds_of(hole, far, other), spots_of(hole))
    assert [spot.circle for spot in found.holes] == [hole]
