"""A server that is killed while a level is played, and started again: the page goes on where it was."""

from pathlib import Path

import pytest

from pipeline.suite.controls.table import CONTROLS
from tests.browser.catalogue import launch_of, level_at, solution
from tests.browser.conftest import OpenPlayer
from tests.browser.driver import Server

pytestmark = [pytest.mark.browser, pytest.mark.slow]


def test_a_killed_server_loses_nothing(tmp_path: Path, open_player: OpenPlayer) -> None:
    place = "nut_and_bolt/easy/02"
    level, steps = level_at(place), list(solution(place))
    controls, half = CONTROLS[level.game.name], len(steps) // 2
    killed = Server(tmp_path)
    player = open_player(at=killed, **launch_of(place))
    trouble = player.page.locator(".trouble")
    for state, move, _ in steps[:half]:
        for gesture in controls.perform(level.board, state, move):
            player.perform(gesture)
    reached, shown = player.state, player.picture()
    killed.kill()
    trouble.wait_for(state="visible")
    with Server(tmp_path, port=killed.port) as again:
        player.evaluator = again.evaluator
        trouble.wait_for(state="hidden")
        player.settle()
        assert player.state == reached
        assert player.picture() == shown
        for state, move, _ in steps[half:]:
            for gesture in controls.perform(level.board, state, move):
                player.perform(gesture)
        assert again.evaluator.state(player.id)["won"]
        player.leave()
    player.errors.clear()  # a browser reports every attempt to reach a server that is not there
