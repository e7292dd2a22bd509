"""Bolt Unscrew boards in a larger copy of the picture stand where they stand in the working one."""

import cv2
import numpy as np
import pytest

from pipeline.extract.bolt_unscrew_closer import look_closer
from pipeline.extract.bolt_unscrew_rims import rim_of
from pipeline.extract.bolt_unscrew_shapes import FoundBoard, depths_in, mask_of
from pipeline.extract.image import Picture
from tests.extract.drawn_boards import SIZE, sight, strip

BOARD = strip((60.0, 100.0), (180.0, 130.0))


def shown(times: float) -> Picture:
    """A black board on white, `times` as large as the working picture."""
    size = round(SIZE[0] * times), round(SIZE[1] * times)
    mask = cv2.resize(mask_of(BOARD, (SIZE[1], SIZE[0])), size, interpolation=cv2.INTER_CUBIC)
    return Picture(np.repeat(255 - mask[:, :, None], 3, axis=2))


@pytest.mark.parametrize("times", [1.5, 2.0, 3.0])
def test_screws_and_boards_are_found_again_in_the_larger_copy(times: float) -> None:
    view = sight([(BOARD, (0, 0, 0))], [BOARD.points[0]])
    found = look_closer(shown(times), view, [FoundBoard(BOARD, 0, 1.0)])
    assert found is not None
    larger, (board,) = found
    larger_by = min(times, 2.0)
    points = (rim_of(board.shape)[0] + 0.5) / larger_by - 0.5
    assert np.abs(depths_in(BOARD, points.astype(np.float32))).max() < 1
    screw = larger.scene.spots.screws[0].circle
    assert (screw.x + 0.5) / larger_by - 0.5 == pytest.approx(BOARD.points[0][0])
    assert larger.cover.shape == larger.scene.lab.shape[:2] == (round(320 * larger_by), round(240 * larger_by))


@pytest.mark.parametrize("times", [0.8, 1.0, 1.2])
def test_a_picture_that_is_hardly_larger_tells_no_more(times: float) -> None:
    view = sight([(BOARD, (0, 0, 0))], [BOARD.points[0]])
    assert look_closer(shown(times), view, [FoundBoard(BOARD, 0, 1.0)]) is None
