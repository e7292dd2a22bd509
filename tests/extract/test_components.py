"""Connected parts and their boxes agree with OpenCV's own statistics."""

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.extract.components import components


@pytest.mark.parametrize("connectivity", [4, 8])
@settings(derandomize=True, max_examples=60, deadline=None)
@given(height=st.integers(1, 40), width=st.integers(1, 40), share=st.floats(0, 1), seed=st.integers(0, 2**32 - 1))
def test_as_opencv(connectivity: int, height: int, width: int, share: float, seed: int) -> None:
    mask = np.random.default_rng(seed).random((height, width)) < share
    labels, boxes = components(mask, connectivity)
    _, expected, stats, _ = cv2.connectedComponentsWithStats(mask.astype(np.uint8), connectivity=connectivity)
    assert np.array_equal(labels, expected)
    present = np.unique(expected)  # OpenCV gives an empty label 0 a box without meaning
    assert np.array_equal(boxes[present], stats[present])


def test_masks_of_numbers_are_taken_too() -> None:
    mask = np.zeros((5, 6), np.uint8)
    mask[1:3, 2:5] = 255
    labels, boxes = components(mask)
    assert boxes.tolist() == [[0, 0, 6, 5, 24], [2, 1, 3, 2, 6]]
    assert labels[2, 3] == 1
