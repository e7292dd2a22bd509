"""Calibration turns an extractor's confidence into a probability and never lifts a doubt."""

import random

from hypothesis import given
from hypothesis import strategies as st

from pipeline.extract.confidence import calibrated, curves, fitted, probability
from pipeline.extract.contract import DOUBT_BELOW, Element, Reading
from pipeline.games.table import GAMES
from tests.boards import rush_board

observations = st.lists(st.tuples(st.floats(0, 1), st.booleans()), min_size=1, max_size=300)


@given(observations)
def test_curves_rise_and_are_probabilities(observed: list[tuple[float, bool]]) -> None:
    curve = fitted(observed)
    assert all(0 < right < 1 for _, right in curve)
    assert [right for _, right in curve] == sorted(right for _, right in curve)
    assert list(curve) == sorted(curve)


@given(observations, st.floats(0, 1))
def test_calibration_never_crosses_the_line_of_doubt(observed: list[tuple[float, bool]], raw: float) -> None:
    assert (probability(fitted(observed), raw) < DOUBT_BELOW) == (raw < DOUBT_BELOW)


def test_a_curve_finds_how_often_readings_are_right() -> None:
    """Elements said to be 0.96 sure are right half as often as 1.0 in truth: the curve says what was seen."""
    rng = random.Random(1)
    observed = [(raw, rng.random() < raw**3) for raw in (rng.random() for _ in range(20_000))]
    curve = fitted(observed)
    for raw in (0.3, 0.6, 0.8):
        assert abs(probability(curve, raw) - raw**3) < 0.05


def test_a_few_hits_are_no_certainty() -> None:
    assert fitted([(0.99, True)] * 8) == ((0.99, 0.9),)


def test_equal_confidences_are_one_observation_each() -> None:
    curve = fitted([(0.95, True)] * 60 + [(0.95, False)] * 40)
    assert curve == ((0.95, round(61 / 102, 4)),)


def test_readings_are_calibrated_element_by_element() -> None:
    board = rush_board("X X .\n. . .\n. . .")
    elements = (Element("vehicles[0]", (0, 0, 1, 1), 0.97, "2 cells"), Element("target", (0, 0, 1, 1), 0.5, "target"))
    reading = calibrated("rush_hour", Reading(board, elements, ()))
    assert [e.confidence < DOUBT_BELOW for e in reading.elements] == [False, True]
    assert [e.where for e in reading.elements] == ["vehicles[0]", "target"]


def test_the_shipped_curves_belong_to_games_and_rise() -> None:
    for game, curve in curves().items():
        assert game in GAMES
        assert list(curve) == sorted(curve)
