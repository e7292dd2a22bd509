"""Every level played to its end with a real mouse: the server's state is the rules' state after every gesture."""

from collections.abc import Iterator
from typing import Any

import pytest

from pipeline.core.outcome import Solved
from pipeline.games.table import GAMES
from pipeline.suite.controls.table import CONTROLS
from tests.browser.catalogue import PLACES, level_at, outcome_at
from tests.browser.conftest import OpenPlayer
from tests.browser.driver import Player

pytestmark = pytest.mark.browser


def solution(place: str) -> Iterator[tuple[Any, Any, Any]]:
    """State, move and next state of every move of the solver's solution."""
    level, outcome = level_at(place), outcome_at(place)
    assert isinstance(outcome, Solved)
    state = level.game.start(level.board)
    for move in outcome.moves:
        after = level.game.apply(level.board, state, move)
        yield state, move, after
        state = after


def play_solution(player: Player, place: str) -> list[str]:
    """Perform the solver's moves; the state texts the server went through, each compared with the rules'."""
    level = level_at(place)
    controls, text = CONTROLS[level.game.name], level.game.state_text
    seen = [player.state]
    for state, move, after in solution(place):
        assert seen[-1] == text(level.board, state)
        for gesture in controls.perform(level.board, state, move):
            assert player.state == text(level.board, state)
            player.perform(gesture)
        seen.append(player.state)
        assert seen[-1] == text(level.board, after)
    return seen


def launch_of(place: str) -> dict[str, Any]:
    """The launch that begins at a place of the catalogue."""
    game, difficulty, number = place.split("/")
    return {"game": game, "difficulty": difficulty, "level": int(number)}


@pytest.mark.slow
@pytest.mark.parametrize("place", PLACES)
def test_the_solution_wins_and_the_next_level_opens(place: str, open_player: OpenPlayer) -> None:
    player = open_player(**launch_of(place))
    number, panel = int(place[-2:]), player.page.locator(".win")
    assert panel.count() == 0
    play_solution(player, place)
    assert player.evaluator.state(player.id)["won"]
    assert panel.is_visible()
    if number < 5:
        player.press(panel.locator("button.main"))
        assert player.evaluator.state(player.id)["level"] == number + 1
        assert player.state == level_start(f"{place[:-2]}{number + 1:02}")
    else:
        player.press(panel.locator("button.main"))
        assert player.evaluator.state(player.id)["screen"] == "levels"


def level_start(place: str) -> str:
    level = level_at(place)
    return level.game.state_text(level.board, level.game.start(level.board))


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_states_and_pictures_repeat_with_animations(game: str, open_player: OpenPlayer) -> None:
    place = f"{game}/easy/02"
    runs = []
    for still in (True, False, False):
        player = open_player(still=still, **launch_of(place))
        runs.append((play_solution(player, place), player.picture()))
    assert runs[0] == runs[1] == runs[2]
