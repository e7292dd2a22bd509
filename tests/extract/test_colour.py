"""Distances of colours."""

import numpy as np

from pipeline.extract.colour import distance, distance_to, lab_of_bgr


def test_an_image_s_distance_to_one_colour_is_that_of_its_pixels() -> None:
    image = lab_of_bgr(np.random.default_rng(3).integers(0, 256, (37, 23, 3)).astype(np.uint8))
    assert np.allclose(distance_to(image, image[5, 7]), distance(image, image[5, 7]), atol=1e-4)
    assert distance_to(image, image[5, 7])[5, 7] == 0
