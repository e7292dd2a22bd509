"""Pictures of the suite for people to look at: `python -m bench.suite_screenshots FOLDER [CHOSEN]`.

Every game in every theme and both languages half-way through a level, and the screens around it; those that README
shows are put into CHOSEN (`docs/screens`) at half size.
"""

import json
import sys
import tempfile
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from playwright.sync_api import Browser, sync_playwright

from pipeline.core.resources import resource
from pipeline.games.table import GAMES
from tests.browser.catalogue import launch_of, level_at, solution
from tests.browser.driver import Player, Server, launch_browser

PHONE = {"width": 390, "height": 844}
LANGUAGES = ("en", "zh")
CHOSEN = (
    "home-wide-en",
    "bolt_unscrew-classic",
    "rush_hour-classic",
    "nut_and_bolt-classic",
    "truck_escape-flat",
    "maze_paint-night",
    "color_connect-classic",
    "color_connect-won-zh",
)
HALF = (640, 450)


def main(folder: Path) -> None:
    themes = json.loads((resource("templates") / "suite" / "themes.json").read_text())
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as state, Server(Path(state)) as server, sync_playwright() as playwright:
        browser = launch_browser(playwright)
        for game in GAMES:
            for number, theme in enumerate(themes):
                place = f"{game}/easy/{5 - number % 3:02}"
                how = {"lang": LANGUAGES[number % 2], "theme": theme}
                take(browser, server, folder / f"{game}-{theme}.png", place, share=0.4, **how)
            for lang in LANGUAGES:
                take(browser, server, folder / f"{game}-won-{lang}.png", f"{game}/easy/03", share=1, lang=lang)
                phone = folder / f"{game}-phone-{lang}.png"
                take(browser, server, phone, f"{game}/easy/04", share=0.3, lang=lang, window=PHONE)
        for lang in LANGUAGES:
            take_lists(browser, server, folder, lang)
        browser.close()
    contact_sheets(folder)


def take(browser: Browser, server: Server, file: Path, place: str, *, share: float, **how: Any) -> None:
    """A level after a share of its solution."""
    level, steps = level_at(place), list(solution(place))
    done = round(share * len(steps))
    after = steps[done - 1][2] if done else steps[0][0]
    with Player(browser, server.evaluator, **launch_of(place), **how) as player:
        server.evaluator.restore(player.id, place, level.game.state_text(level.board, after))
        player.settle()
        file.write_bytes(player.picture())


def take_lists(browser: Browser, server: Server, folder: Path, lang: str) -> None:
    """Home, difficulties and levels, in a window and on a phone."""
    for name, window in (("wide", {"width": 1280, "height": 900}), ("phone", PHONE)):
        for screen, launch in (
            ("home", {}),
            ("difficulties", {"game": "rush_hour"}),
            ("levels", {"game": "rush_hour", "difficulty": "easy"}),
        ):
            with Player(browser, server.evaluator, lang=lang, window=window, **launch) as player:
                (folder / f"{screen}-{name}-{lang}.png").write_bytes(player.picture())


def contact_sheets(folder: Path) -> None:
    """Small pictures side by side, a sheet for wide ones and one for phones."""
    for name, size, columns in (("wide", HALF, 3), ("phone", (260, 563), 6)):
        files = [f for f in sorted(folder.glob("*-*.png")) if ("phone" in f.name) == (name == "phone")]
        small = [cv2.resize(cv2.imread(str(f)), size, interpolation=cv2.INTER_AREA) for f in files]
        small += [np.zeros_like(small[0])] * (-len(small) % columns)
        rows = [np.hstack(small[i : i + columns]) for i in range(0, len(small), columns)]
        cv2.imwrite(str(folder / f"sheet_{name}.png"), np.vstack(rows))


def put_chosen(folder: Path, chosen: Path) -> None:
    """The pictures of README at half size."""
    chosen.mkdir(parents=True, exist_ok=True)
    for name in CHOSEN:
        small = cv2.resize(cv2.imread(str(folder / f"{name}.png")), HALF, interpolation=cv2.INTER_AREA)
        cv2.imwrite(str(chosen / f"{name}.png"), small, [cv2.IMWRITE_PNG_COMPRESSION, 9])


if __name__ == "__main__":
    main(Path(sys.argv[1]))
    if len(sys.argv) > 2:
        put_chosen(Path(sys.argv[1]), Path(sys.argv[2]))
