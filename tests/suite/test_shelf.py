"""Objectives stand in an order people expect."""

import pytest

from pipeline.core.errors import UsageError
from pipeline.suite.shelf import make_shelf
from tests.samples import sample_level
from tests.suite.toys import toy_level


def test_games_come_in_the_order_of_the_table_and_difficulties_from_easy_to_nightmare() -> None:
    places = [f"rush_hour/{name}/01" for name in ("zen", "nightmare", "default", "hard", "easy")]
    pairs = [(place, sample_level("rush_hour")) for place in places]
    shelf = make_shelf([("color_connect/easy/01", sample_level("color_connect")), *pairs], "d")
    assert shelf.games == ("rush_hour", "color_connect")
    names = [objective.difficulty for objective in shelf.of_game("rush_hour")]
    assert names == ["easy", "hard", "nightmare", "default", "zen"]


def test_levels_are_numbered_in_the_order_of_their_places() -> None:
    stones = {"stepping_stones/easy/10": "ooo", "stepping_stones/easy/02": "oo", "stepping_stones/easy/003": "oooo"}
    shelf = make_shelf(((place, toy_level(text)) for place, text in stones.items()), "d")
    assert [level.board.stones for level in shelf.objectives[0].levels] == ["oo", "oooo", "ooo"]
    assert shelf.objective("stepping_stones", "hard") is None


def test_an_empty_shelf_is_none() -> None:
    with pytest.raises(UsageError):
        make_shelf([], "d")
