"""Circles are found by their outlines alone: whatever is inside, partly covered, ring in ring."""

import math

import cv2
import numpy as np

from pipeline.extract.circles import Circle, find_circles, find_edges, gradient, looks


def circles_of(bgr: np.ndarray) -> list[Circle]:
    return find_circles(find_edges(gradient(bgr)), 5, 40)


def page(color: int = 200) -> np.ndarray:
    return np.full((160, 240, 3), color, np.uint8)


def nearest(circles: list[Circle], x: float, y: float, radius: float) -> Circle:
    return min(circles, key=lambda c: math.dist((c.x, c.y, c.radius), (x, y, radius)))


def test_a_disc_is_placed_to_a_pixel_and_a_half() -> None:
    bgr = page()
    cv2.circle(bgr, (90, 70), 20, (40, 90, 160), -1, cv2.LINE_AA)
    found = circles_of(bgr)[0]
    assert math.dist((found.x, found.y), (90, 70)) <= 1.5
    assert abs(found.radius - 20) <= 1.5
    assert found.support > 0.95


def test_a_third_of_a_disc_may_be_covered() -> None:
    bgr = page()
    cv2.circle(bgr, (90, 70), 20, (40, 90, 160), -1, cv2.LINE_AA)
    bgr[80:, :] = (10, 160, 10)
    found = nearest(circles_of(bgr), 90, 70, 20)
    assert math.dist((found.x, found.y, found.radius), (90, 70, 20)) <= 3
    assert 0.4 < found.support < 0.9


def test_a_ring_inside_a_much_larger_one_is_found_too() -> None:
    bgr = page()
    cv2.circle(bgr, (120, 80), 36, (60, 60, 220), -1, cv2.LINE_AA)
    cv2.circle(bgr, (120, 80), 14, (240, 240, 240), -1, cv2.LINE_AA)
    found = circles_of(bgr)
    assert all(abs(nearest(found, 120, 80, r).radius - r) <= 2.5 for r in (14, 36))


def test_stripes_hold_no_circle_of_high_support() -> None:
    bgr = page()
    bgr[:, ::16] = bgr[:, 1::16] = 40
    assert not [c for c in circles_of(bgr) if c.support > 0.6]


def test_looks_follow_the_colours_outwards() -> None:
    bgr = page()
    cv2.circle(bgr, (90, 70), 10, (0, 0, 255), -1)
    seen = looks(bgr.astype(np.float32), [Circle(90, 70, 10, 1.0)], 16)
    assert seen.shape[0] == 1
    assert seen.shape[2:] == (17, 3)
    assert np.allclose(seen[0, :, 5], (0, 0, 255))
    assert np.allclose(seen[0, :, 14], 200)
