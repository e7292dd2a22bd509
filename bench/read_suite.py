"""Read the suite's own screens back: `python -m bench.read_suite [--games GAME…] [--keep FOLDER]`.

Every level of the test catalogue is opened in every theme, in a wide window and on a phone, and its picture recognised
among all games: looks that no reader was made for. One JSON line per game, as in `bench.read_renderings`; exit status 1
when a board was read wrongly without a question. Walls around a maze show no extent, so boards are compared in their
canonical form first.
"""

import argparse
import importlib
import json
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
from playwright.sync_api import sync_playwright

from pipeline.core.resources import resource
from pipeline.extract.compare import differences
from pipeline.extract.contract import Reading
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
    board = level_at(place).board
    game = place.partition("/")[0]
    bgr = cv2.imdecode(np.frombuffer(png, np.uint8), cv2.IMREAD_COLOR)
    assert bgr is not None
    found = recognise(Picture(bgr))
    if not isinstance(found.answer, Reading):
        return "rejected", f"{found.game}: {found.answer.reason}"
    compare = getattr(importlib.import_module(f"bench.render.{game}"), "mistakes", differences)
    wrong = ["game"] if found.game != game else [str(d) for d in compare(board, found.answer.board)]
    if found.game == game and GAMES[game].canonical(board) == GAMES[game].canonical(found.answer.board):
        wrong = []
    outcome = "asked_wrong" if wrong else "asked_right"
    if found.answer.certain:
        outcome = "silent" if wrong else "exact"
    return outcome, "; ".join([str(found.game), *wrong[:3], *found.answer.questions[:2]])


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
