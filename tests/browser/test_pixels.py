"""Equal states look equal: in fresh contexts, in fresh browsers, and restored instead of played."""

import random

import pytest
from playwright.sync_api import Playwright

from pipeline.games.level import Level
from pipeline.games.table import GAMES
from pipeline.suite.controls.table import CONTROLS
from tests.browser.catalogue import launch_of, level_at, solution
from tests.browser.conftest import OpenPlayer
from tests.browser.driver import Player, launch_browser

pytestmark = [pytest.mark.browser, pytest.mark.slow]

RESTORED = 8


def middle_of(place: str) -> str:
    """A state half-way through the solution."""
    level, steps = level_at(place), list(solution(place))
    return level.game.state_text(level.board, steps[len(steps) // 2][0])


def picture_of(player: Player, place: str, state: str) -> bytes:
    """What the page shows of a state it is put into."""
    player.evaluator.restore(player.id, place, state)
    player.settle()
    return player.picture()


@pytest.mark.parametrize("game", GAMES)
def test_one_state_is_one_picture(game: str, playwright: Playwright, open_player: OpenPlayer) -> None:
    place = f"{game}/easy/03"
    state = middle_of(place)
    pictures = [picture_of(open_player(**launch_of(place)), place, state) for _ in range(2)]
    with launch_browser(playwright) as other:
        players = [open_player(inside=other, **launch_of(place)) for _ in range(2)]
        pictures += [picture_of(player, place, state) for player in players]
    assert len(set(pictures)) == 1


def random_move(level: Level, state: object, chance: random.Random) -> object:
    moves = level.game.moves(level.board, state)
    return moves[chance.randrange(len(moves))]


@pytest.mark.parametrize("game", GAMES)
def test_a_restored_state_looks_like_the_played_one(game: str, open_player: OpenPlayer) -> None:
    place, chance = f"{game}/easy/02", random.Random(game)
    level, controls = level_at(place), CONTROLS[game]
    played, restored = open_player(**launch_of(place)), open_player(**launch_of(place))
    state = level.game.start(level.board)
    for _ in range(RESTORED):
        if level.game.won(level.board, state):
            break
        move = random_move(level, state, chance)
        for gesture in controls.perform(level.board, state, move):
            played.perform(gesture)
        state = level.game.apply(level.board, state, move)
        text = level.game.state_text(level.board, state)
        assert played.state == text
        assert picture_of(restored, place, text) == played.picture()
        assert restored.state == text
