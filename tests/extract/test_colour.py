"""Distances of colours."""

import numpy as np

from pipeline.extract.colour import distance, distance_to, lab_of_bgr, lengths


def test_an_image_s_distance_to_one_colour_is_that_of_its_pixels() -> None:
    image = lab_of_bgr(np.random.default_rng(3).integers(0, 256, (37, 23, 3)).astype(np.uint8))
    assert np.allclose(distance_to(image, image[5, 7]), distance(image, image[5, 7]), atol=1e-4)
    assert distance_to(image, image[5, 7])[5, 7] == 0


def test_lengths_are_those_of_numpy_for_any_leading_shape() -> None:
    vectors = np.random.default_rng(4).normal(size=(4, 5, 6, 3)).astype(np.float32)
    for part in (vectors, vectors[0, 0, 0], vectors[:, ::2, 1], vectors[:0]):
        assert np.allclose(lengths(part), np.linalg.norm(part, axis=-1), rtol=1e-6)
