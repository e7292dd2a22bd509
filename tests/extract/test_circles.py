"""Circles are found by their outlines alone: whatever is inside, partly covered, ring in ring."""

import math

import cv2
import numpy as np

from pipeline.extract.circles import Circle, distinct, find_circles, find_edges, gradient


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


def test_distinct_keeps_the_best_supported_of_rings_of_nearly_one_size() -> None:
    rings = [Circle(50, 50, 20, 0.7), Circle(51, 50, 22, 0.9), Circle(50, 50, 40, 0.5), Circle(150, 50, 20, 0.6)]
    assert distinct(rings) == [rings[1], rings[3], rings[2]]
    assert distinct(rings, 1.05) == [rings[1], rings[0], rings[3], rings[2]]
    assert distinct([]) == []


def test_a_circle_is_placed_to_a_fraction_of_a_pixel() -> None:
    bgr = page()
    cv2.circle(bgr, (round(90.4 * 256), round(70.7 * 256)), 8 * 256, (40, 90, 160), -1, cv2.LINE_AA, 8)
    found = circles_of(bgr)[0]
    assert math.dist((found.x, found.y), (90.4, 70.7)) <= 0.4
    assert abs(found.radius - 8) <= 0.6
