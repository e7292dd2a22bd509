"""Bars as silhouettes: what stands out from the ground whatever its own paints are."""

import cv2
import numpy as np
import pytest

from pipeline.extract.bars import find_bars
from pipeline.extract.colour import lab_of_bgr
from pipeline.extract.silhouettes import find_silhouettes

GROUND, BOX, CAB, GAP = (90, 140, 185), (160, 60, 40), (60, 150, 220), (20, 25, 30)


def lorry(ground: np.ndarray) -> np.ndarray:
    """L*a*b* of a picture with a lorry, 80 × 30 pixels about (100, 65): a dark gap parts its cab from its box."""
    cv2.rectangle(ground, (60, 50), (139, 79), GAP, -1)
    cv2.rectangle(ground, (60, 50), (112, 79), BOX, -1)
    cv2.rectangle(ground, (116, 50), (139, 79), CAB, -1)
    return lab_of_bgr(ground)


def plain() -> np.ndarray:
    return np.full((160, 240, 3), GROUND, np.uint8)


def checked() -> np.ndarray:
    image = plain()
    rows, cols = np.indices(image.shape[:2]) // 40
    image[(rows + cols) % 2 == 1] = (110, 165, 210)
    return image


@pytest.mark.parametrize("ground", [plain, checked])
def test_a_piece_of_several_paints_is_one_bar(ground: object) -> None:
    (bar,) = find_silhouettes(lorry(ground()), 120, 8)  # type: ignore[operator]
    assert (bar.x, bar.y, bar.long, bar.short) == pytest.approx((100, 65, 80, 30), abs=1.5)
    assert bar.angle == 0


def test_by_its_paints_it_is_none() -> None:
    assert not [bar for bar in find_bars(lorry(plain()), 120) if bar.long > 70]


def test_thin_lines_join_nothing() -> None:
    image = plain()
    cv2.line(image, (0, 65), (239, 65), (255, 255, 255), 1)
    (bar,) = find_silhouettes(lorry(image), 120, 8)
    assert bar.long == pytest.approx(80, abs=1.5)


def test_what_the_border_cuts_off_is_no_bar() -> None:
    image = np.roll(lorry(plain()), -70, axis=1)
    assert not [bar for bar in find_silhouettes(image, 120, 8) if bar.x < 80]
