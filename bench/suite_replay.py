"""Every level of the browser tests played three times with a real mouse, animations and all: run as a module.

Fails when a state differs from the rules', or a sequence of states from that of the first time.
"""

import tempfile
import time
from pathlib import Path

from playwright.sync_api import sync_playwright

from bench.figures import report
from tests.browser.catalogue import PLACES, launch_of
from tests.browser.driver import Player, Server, launch_browser, play_solution

TIMES = 3


def main() -> None:
    with tempfile.TemporaryDirectory() as folder, Server(Path(folder)) as server, sync_playwright() as playwright:
        browser = launch_browser(playwright)
        first: dict[str, list[str]] = {}
        for number in range(TIMES):
            started, gestures = time.perf_counter(), 0
            for place in PLACES:
                with Player(browser, server.evaluator, still=False, **launch_of(place)) as player:
                    seen = play_solution(player, place)
                    gestures += player.inputs
                    if first.setdefault(place, seen) != seen or not server.evaluator.state(player.id)["won"]:
                        raise SystemExit(f"{place}: another sequence of states, or no win, the {number + 1}. time")
            report(f"suite replay {number + 1}: {gestures} gestures", time.perf_counter() - started, "s")
        browser.close()


if __name__ == "__main__":
    main()
