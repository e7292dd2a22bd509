"""Every level played to its end with a real mouse: the server's state is the rules' state after every gesture."""

import pytest

from pipeline.games.table import GAMES
from tests.browser.catalogue import PLACES, launch_of, level_at
from tests.browser.conftest import OpenPlayer
from tests.browser.driver import play_solution

pytestmark = pytest.mark.browser


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
def test_states_and_pictures_are_the_same_with_animations_and_without(game: str, open_player: OpenPlayer) -> None:
    place = f"{game}/easy/01"
    runs = []
    for still in (True, False):
        player = open_player(still=still, **launch_of(place))
        runs.append((play_solution(player, place), player.picture()))
    assert runs[0] == runs[1]
