"""Equal states, equal pixels: `python -m bench.suite_pixels [STATES]`, one JSON line a figure.

One state of every game in 20 fresh contexts over 3 launches of the browser; then STATES (default 200) random states of
every game, each played to and, on another page, restored. Fails at the first difference.
"""

import hashlib
import random
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Playwright, sync_playwright

from bench.figures import report
from pipeline.games.table import GAMES
from pipeline.suite.controls.table import CONTROLS
from tests.browser.catalogue import PLACES, launch_of, level_at, solution
from tests.browser.driver import Player, Server, launch_browser

CONTEXTS, LAUNCHES = 20, 3
_WALK = 12
"""Random moves from the start, at most, before a walk begins anew on the next level."""


def main(states: int) -> None:
    with tempfile.TemporaryDirectory() as folder, Server(Path(folder)) as server, sync_playwright() as playwright:
        for game in GAMES:
            report(f"{game}: pictures of one state", len(fresh_pictures(playwright, server, game)), "pictures")
        browser = launch_browser(playwright)
        for game in GAMES:
            compare_restored(browser, server, game, states)
            report(f"{game}: restored states equal in text and pixels", states, "states")
        browser.close()


def fresh_pictures(playwright: Playwright, server: Server, game: str) -> set[str]:
    """Digests of all pictures that a state half-way through a solution gives."""
    place = f"{game}/easy/04"
    level, steps = level_at(place), list(solution(place))
    text = level.game.state_text(level.board, steps[len(steps) // 2][0])
    found = set()
    for launch in range(LAUNCHES):
        browser = launch_browser(playwright)
        for _ in range(launch, CONTEXTS, LAUNCHES):
            with Player(browser, server.evaluator, **launch_of(place)) as player:
                found.add(hashlib.sha256(restored_picture(player, place, text)).hexdigest())
        browser.close()
    if len(found) != 1:
        raise SystemExit(f"{game}: {len(found)} pictures of one state")
    return found


def restored_picture(player: Player, place: str, text: str) -> bytes:
    player.evaluator.restore(player.id, place, text)
    player.settle()
    return player.picture()


def compare_restored(browser: Browser, server: Server, game: str, states: int) -> None:
    """Play random moves on one page and put another into every state met."""
    with Player(browser, server.evaluator, game=game) as played, Player(browser, server.evaluator, game=game) as other:
        walk = random_walk(game)
        for _ in range(states):
            place, state, move, after = next(walk)
            level = level_at(place)
            if state == level.game.start(level.board):
                played.evaluator.restore(played.id, place, level.game.state_text(level.board, state))
                played.settle()
            for gesture in CONTROLS[game].perform(level.board, state, move):
                played.perform(gesture)
            text = level.game.state_text(level.board, after)
            same = restored_picture(other, place, text) == played.picture()
            if not same or {played.state, other.state} != {text}:
                raise SystemExit(f"{place}: {text} restored is not {text} played")


def random_walk(game: str) -> Iterator[tuple[str, Any, Any, Any]]:
    """Without end: place, state, move, next state."""
    chance = random.Random(game)
    while True:
        for place in (place for place in PLACES if place.startswith(f"{game}/")):
            level = level_at(place)
            state = level.game.start(level.board)
            for _ in range(_WALK):
                moves = level.game.moves(level.board, state)
                if level.game.won(level.board, state) or not moves:
                    break
                move = moves[chance.randrange(len(moves))]
                after = level.game.apply(level.board, state, move)
                yield place, state, move, after
                state = after


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 200)
