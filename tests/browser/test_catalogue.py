from collections import Counter

import pytest

from pipeline.core.outcome import Solved
from pipeline.games.contract import replay
from pipeline.games.table import GAMES
from tests.browser.catalogue import PLACES, level_at, outcome_at


def test_five_levels_a_game() -> None:
    assert Counter(place.split("/")[0] for place in PLACES) == dict.fromkeys(GAMES, 5)


@pytest.mark.parametrize("place", PLACES)
def test_every_level_is_solved_and_its_least_number_of_moves_proved(place: str) -> None:
    level, outcome = level_at(place), outcome_at(place)
    assert isinstance(outcome, Solved)
    assert outcome.proven
    assert level.game.won(level.board, replay(level.game, level.board, outcome.moves))
    if level.game.must_be_safe:
        assert outcome.facts["can_dead_end"] is False


@pytest.mark.parametrize("game", GAMES)
def test_levels_of_a_game_are_ever_longer_and_all_different(game: str) -> None:
    places = [place for place in PLACES if place.startswith(f"{game}/")]
    lengths = []
    for place in places:
        outcome = outcome_at(place)
        assert isinstance(outcome, Solved)
        lengths.append(len(outcome.moves))
    assert lengths[0] < lengths[-1] <= 20
    assert len({level_at(place).canonical_digest for place in places}) == len(places)
