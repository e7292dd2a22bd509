"""Grouping by colour: what is one colour stays one, what is two stays apart, doubt is said."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.extract.clusters import cluster, exactly, multiples_of
from pipeline.extract.colour import Lab

FAR = np.array([[30, 50, 40], [80, 0, 80], [50, -50, 30], [40, 20, -60], [95, 0, 0], [12, 0, 0]], np.float32)


def noisy(centres: Lab, times: int, sigma: float, seed: int = 0) -> Lab:
    rng = np.random.default_rng(seed)
    many = np.repeat(centres, times, axis=0)
    return (many + rng.normal(0, sigma, many.shape)).astype(np.float32)


@settings(derandomize=True, deadline=None, max_examples=60)
@given(st.integers(0, 10_000), st.integers(1, 6), st.integers(1, 8), st.floats(0, 1.5))
def test_far_colours_are_grouped_exactly_and_surely(seed: int, colours: int, times: int, sigma: float) -> None:
    found = cluster(noisy(FAR[:colours], times, sigma, seed))
    assert found.labels == tuple(np.repeat(np.arange(colours), times))
    assert found.sizes == (times,) * colours
    assert min(found.confidence) > (0.9 if colours * times > 2 else 0.5)


def test_labels_do_not_depend_on_the_order_of_elements() -> None:
    colours = noisy(FAR, 4, 1.0)
    order = np.random.default_rng(1).permutation(len(colours))
    straight, shuffled = cluster(colours), cluster(colours[order])
    pairs = {(straight.labels[i], shuffled.labels[j]) for j, i in enumerate(order)}
    assert len(pairs) == len(FAR)


def test_light_and_shadow_of_one_colour_stay_one() -> None:
    light = np.array([[56, 50, 40], [40, -30, 20]], np.float32)
    colours = np.vstack([light, light - [7, 2, 1], light + np.float32([4, 0, 0]), light - [3, 1, 0]])
    found = cluster(colours, multiples_of(4))
    assert found.labels == (0, 1) * 4


def test_similar_colours_stay_apart_when_their_samples_agree() -> None:
    near = np.array([[60, 20, -30], [62, 28, -24]], np.float32)
    found = cluster(noisy(np.concatenate([near, FAR]), 4, 0.4), multiples_of(4))
    assert found.sizes == (4,) * 8
    assert found.counts_fit


def test_counts_decide_between_two_plausible_readings() -> None:
    shades = np.array([[60, 20, 20], [60, 26, 20]], np.float32)
    colours = np.concatenate([np.repeat(shades, 2, axis=0), np.repeat(FAR, 4, axis=0)])
    assert cluster(colours, multiples_of(4)).sizes[:1] == (4,)
    assert cluster(colours, exactly(2)).counts_fit is False
    assert cluster(np.concatenate([np.repeat(shades, 2, axis=0), np.repeat(FAR, 2, axis=0)]), exactly(2)).counts_fit


def test_an_element_between_two_colours_is_doubtful() -> None:
    ends = np.array([[50, 0, 0], [50, 10, 0]], np.float32)
    colours = np.concatenate([noisy(ends, 6, 0.5), [[50, 5.1, 0]]])
    found = cluster(colours)
    assert found.confidence[-1] < 0.9


def test_a_single_colour_has_no_second() -> None:
    found = cluster(np.zeros((5, 3), np.float32))
    assert found.second == (-1,) * 5
    assert found.separation == np.inf


def test_nothing_to_group_is_an_error() -> None:
    with pytest.raises(ValueError, match="no colours"):
        cluster(np.zeros((0, 3), np.float32))
