"""Read the suite's own screens back: `python -m bench.read_suite [--games GAME…] [--keep FOLDER]`.

Every level of the test catalogue is opened in every theme, in a wide window and on a phone, and its picture recognised
among all games: looks that no reader was made for. One JSON line per game, as in `bench.read_renderings`; exit status 1
when a board was read wrongly without a question. Walls around a maze show no extent, so boards are compared in their
canonical form first.
"""

import argparse
import json
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
from playwright.sync_api import sync_playwright

from bench.read_renderings import judged, mistakes_in_play
from pipeline.core.resources import resource
from pipeline.extract.image import Picture
from pipeline.extract.recognise import recognise
from pipeline.games.table import GAMES
from tests.browser.catalogue import PLACES, launch_of, level_at
from tests.browser.driver import WINDOW, Player, Server, launch_browser

WINDOWS = {"wide": WINDOW, "phone": {"width": 390, "height": 844}}


def pictures(game: str) -> Iterator[tuple[str, str, bytes]]:
    """Place, look and PNG of every level of a game at its start."""
    themes = json.loads((resource("templates") / "suite" / "themes.json").read_text(encoding="utf-8"))
    with tempfile.TemporaryDirectory() as state, Server(Path(state)) as server, sync_playwright() as playwright:
        browser = launch_browser(playwright)
        for place in (place for place in PLACES if place.startswith(f"{game}/")):
            for theme in themes:
                for name, window in WINDOWS.items():
                    with Player(browser, server.evaluator, theme=theme, window=window, **launch_of(place)) as player:
                        yield place, f"{theme}-{name}", player.picture()
        browser.close()


def read_back(place: str, png: bytes) -> tuple[str, str]:
    """What came of reading one picture, and the first few words about it."""
    bgr = cv2.imdecode(np.frombuffer(png, np.uint8), cv2.IMREAD_COLOR)
    assert bgr is not None
    game = place.partition("/")[0]
    return judged(game, level_at(place).board, recognise(Picture(bgr)), mistakes_in_play)


def main() -> int:
    """Parse, measure, and tell the exit status."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", nargs="*", default=list(GAMES), choices=list(GAMES))
    parser.add_argument("--keep", type=Path, help="Write the pictures into this folder, too.")
    options = parser.parse_args()
    silent = 0
    for game in options.games:
        outcomes: Counter[str] = Counter()
        for place, look, png in pictures(game):
            if options.keep:
                options.keep.mkdir(parents=True, exist_ok=True)
                (options.keep / f"{place.replace('/', '-')}-{look}.png").write_bytes(png)
            outcome, detail = read_back(place, png)
            outcomes[outcome] += 1
            if outcome != "exact":
                print(f"{place} {look}: {outcome} ({detail})", file=sys.stderr)
        silent += outcomes["silent"]
        print(json.dumps({"suite_readings": game, **dict(sorted(outcomes.items()))}), flush=True)
    return 1 if silent else 0


if __name__ == "__main__":
    sys.exit(main())
