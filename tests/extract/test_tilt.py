"""The tilt of pictures: measured in degrees, and undone."""

import math

import cv2
import numpy as np
import pytest

from pipeline.extract.colour import lab_of_bgr
from pipeline.extract.lattice import Lattice
from pipeline.extract.tilt import tilt_of, turned_back


def board() -> np.ndarray:
    image = np.full((240, 200, 3), 230, np.uint8)
    for row, col in ((0, 0), (0, 2), (1, 1), (2, 0), (2, 3), (3, 2)):
        cv2.rectangle(image, (25 + col * 38, 40 + row * 40), (58 + col * 38, 75 + row * 40), (150, 90, 40), -1)
    return image


@pytest.mark.parametrize("degrees", [-6.0, -1.0, 0.7, 3.0])
def test_a_turned_picture_tells_its_tilt_and_turns_back(degrees: float) -> None:
    turned = turned_back(board(), math.radians(-degrees))
    tilt = tilt_of(lab_of_bgr(turned))
    assert math.degrees(tilt) == pytest.approx(degrees, abs=0.1)
    assert abs(tilt_of(lab_of_bgr(turned_back(turned, tilt)))) < math.radians(0.5)


def test_upright_pictures_and_such_without_a_common_direction_have_none() -> None:
    noise = np.random.default_rng(1).integers(0, 256, (200, 200, 3)).astype(np.uint8)
    disc = cv2.circle(np.zeros((200, 200, 3), np.uint8), (100, 100), 70, (255, 255, 255), -1)
    for image in (board(), noise, disc, np.zeros((40, 40, 3), np.uint8)):
        assert tilt_of(lab_of_bgr(image)) == 0.0


def test_a_lattice_found_in_the_picture_turned_back_lies_on_the_picture() -> None:
    tilt, spot = math.radians(5), Lattice((25.0, 40.0), 38.0, 40.0, 4, 4)
    turned = turned_back(board(), -tilt)
    there = spot.turned(tilt, (200, 240))
    for row, col in ((0, 0), (1, 1), (3, 2)):
        x, y = there.point(row + 0.4, col + 0.4)
        assert tuple(turned[round(y), round(x)]) == (150, 90, 40)
