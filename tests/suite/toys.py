"""A shelf of toy levels, their controls, and a page's files: the suite's shared code knows no more of the six games."""

import json
from pathlib import Path

from pipeline.games.level import Level, Manual
from pipeline.suite.assets import Assets, load_assets
from pipeline.suite.launch import Launch, Opening
from pipeline.suite.shelf import Shelf, make_shelf
from tests.toy.controls_stepping_stones import SteppingStonesControls
from tests.toy.game_stepping_stones import Board, SteppingStones


class Undoable(SteppingStones):
    """The toy with an undo button, under a name of its own."""

    name = "undoable_stones"
    has_undo = True


class Measured(SteppingStones):
    """The toy whose progress asks for the distance."""

    name = "measured_stones"
    progress_needs_distance = True


GAMES = {game.name: game for game in (SteppingStones(), Undoable())}
CONTROLS = {name: SteppingStonesControls(game) for name, game in GAMES.items()}
TOY, UNDO = GAMES
DIGEST = "sha256:" + "5" * 64
LEVELS = {"easy": ("ooo", "oo.oo", "o.o"), "hard": ("o.oo.ooo",)}
"""Difficulty → the stones of its levels; in the second level of `easy` a step can lead nowhere."""


def toy_level(stones: str, game: str = TOY) -> Level:
    return Level(GAMES[game], Board(stones=stones), Manual(kind="manual"))


def toy_shelf() -> Shelf:
    """Both toys at both difficulties."""
    return make_shelf(
        (
            (f"{game}/{difficulty}/{number:02}", toy_level(stones, game))
            for game in GAMES
            for difficulty, every in LEVELS.items()
            for number, stones in enumerate(every, 1)
        ),
        DIGEST,
    )


def opening(**launch: object) -> Opening:
    """The opening of a session on the toy shelf."""
    given = Launch(**{"theme": "plain", "lang": "en", **launch})
    return Opening(launch=given, shelf=DIGEST)


def toy_assets(folder: Path) -> Assets:
    """The least a page consists of, with some files beside it that must never be served."""
    files = {
        "page.html": '<html lang="{{ lang }}"><body data-key="{{ key }}" data-theme="{{ theme }}"></body></html>',
        "message.html": "<h1>{{ title }}</h1><p>{{ sentence }}</p>",
        "themes.json": json.dumps(["plain", "loud"]),
        "main.js": "export {};",
        "main.js.map": "{}",
        ".hidden.js": "secret",
        "text/en.json": "{}",
        "text/zh.json": "{}",
    }
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    link = folder / "link.js"
    if not link.is_symlink():
        link.symlink_to(folder / ".hidden.js")
    return load_assets(folder)
