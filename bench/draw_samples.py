"""Draw the sample screenshots that the project ships: `python -m bench.draw_samples [FOLDER]` (default `screenshots`).

A board is one of the test catalogue's levels or is written as a drawing. Rush Hour: a letter per vehicle, `X` the
target, `#` a wall. Color Connect: a letter per colour, capitals are the ends, small letters a solution (never drawn),
`#` a wall. A drawn board is solved before it is drawn, so a sample is always a level worth having.
"""

import importlib
import sys
from pathlib import Path
from typing import Any, NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from bench.render import color_connect
from bench.render.chrome import SIZES
from pipeline.core.files import write_atomic
from pipeline.core.outcome import Budget, Solved
from pipeline.games import color_connect as color_connect_rules
from pipeline.games import rush_hour as rush_hour_rules
from pipeline.games.level import read_level
from pipeline.solve.table import SOLVERS
from tests.browser.catalogue import CATALOGUE


class Sample(NamedTuple):
    """A picture to draw: its place, style, screen, and the board: its rows, or a number in the test catalogue.

    `exit` is Rush Hour's.
    """

    place: str
    style: str
    screen: str
    rows: str | int
    exit: str = "right"

    @property
    def game(self) -> str:
        """The game it shows."""
        return self.place.partition("/")[0]


SAMPLES = (
    Sample("rush_hour/easy/01", "wood", "small phone", "...DD. AAABBH ...GCH ...GCE XXF..E ..F..."),
    Sample("rush_hour/easy/02", "cars", "desktop", "JJEE.C FFG..C D.G..C D.G.BB HH.IAK .XXIAK"),
    Sample("rush_hour/medium/01", "flat", "tablet", ".XX.GK ..IIGK .AA.JF .CCBJF DEEBLL DHHB.."),
    Sample("rush_hour/medium/02", "tray", "phone", "J..FF. JGG.BB .HHEE. .DIAA. .DI.XC ..I.XC", "top"),
    Sample("rush_hour/hard/01", "neon", "phone", ".KK.DD GBL.CC GBLF.. XXJFE. AAJ.EI .HHH.I"),
    Sample("rush_hour/hard/02", "wood", "desktop", "..II.. HDXX.. HD.G.E .BBGFE .A..F. .ACCC.", "left"),
    Sample("color_connect/easy/01", "dots", "small phone", "aaaAD abbBd abCcD abbcC aAbbB"),
    Sample("color_connect/easy/02", "rings", "desktop", "AaCcA BaaCa bbaaa Dbbbb dddDB"),
    Sample("color_connect/easy/03", "pale", "tablet", "AbbBcC abcccD abcDdd abcCbB abbbbA aaaaaa"),
    Sample("color_connect/hard/01", "glossy", "phone", "aaaaaaA abbbbBC abccccc abcDddd abccccD abbbbcC aaaAbbB"),
    Sample(
        "color_connect/hard/02",
        "rings",
        "tablet",
        "bbbbbbbA bcccccba bcdddcba BcdEdcba CcDeDcba aaAeBCba aEeebbba aaaaaaaa",
    ),
    Sample(
        "color_connect/hard/03",
        "dots",
        "phone",
        "aaaaaaaaa aeeeebbba aEFfebCba a..feBcbA aEFfeccbb aeeeecDdb abbbcc#db aBAbCDddb aaabbbbbb",
    ),
    Sample("bolt_unscrew/easy/01", "paper", "small phone", 1),
    Sample("bolt_unscrew/easy/02", "glass", "desktop", 2),
    Sample("nut_and_bolt/easy/01", "nuts", "desktop", 3),
    Sample("nut_and_bolt/easy/02", "water", "phone", 2),
    Sample("truck_escape/default/01", "toys", "desktop", 3),
    Sample("truck_escape/default/02", "saloons", "small phone", 5),
    Sample("maze_paint/easy/01", "card", "desktop", 3),
    Sample("maze_paint/easy/02", "framed", "small phone", 5),
)


def main(folder: Path) -> None:
    """Draw every sample below the folder."""
    for number, sample in enumerate(SAMPLES):
        write_atomic(folder / f"{sample.place}.png", png(draw(sample, number)))


def draw(sample: Sample, seed: int) -> NDArray[np.uint8]:
    """The sample's picture, BGR."""
    module: Any = importlib.import_module(f"bench.render.{sample.game}")
    rng = np.random.default_rng(seed)
    picture: NDArray[np.uint8] = module.draw(board_of(sample), sample.style, SIZES[sample.screen], rng)
    return picture


def board_of(sample: Sample) -> Any:
    """The sample's board; ValueError when a drawn one has no solution."""
    if isinstance(sample.rows, int):
        return read_level(CATALOGUE / sample.game / "easy" / f"{sample.rows:02}.json").board
    if sample.game == "rush_hour":
        return rush_hour_board(sample.place, sample.rows, sample.exit)
    return color_connect_board(sample.rows)


def png(bgr: NDArray[np.uint8]) -> bytes:
    """PNG bytes, packed as tightly as the encoder can."""
    _, data = cv2.imencode(".png", bgr, [cv2.IMWRITE_PNG_COMPRESSION, 9])
    return bytes(data.tobytes())


def rush_hour_board(place: str, rows: str, exit_side: str) -> rush_hour_rules.Board:
    """The board of the drawing; ValueError when it has no solution."""
    cells = _cells(rows)
    vehicles = []
    for letter in sorted(cells.keys() - {".", "#"}):
        (row, col), last = cells[letter][0], cells[letter][-1]
        axis = "horizontal" if last[0] == row else "vertical"
        length = len(cells[letter])
        vehicles.append(rush_hour_rules.Vehicle(id=letter, row=row, col=col, length=length, axis=axis))
    lines = rows.split()
    board = rush_hour_rules.Board(
        rows=len(lines),
        cols=len(lines[0]),
        walls=tuple(cells.get("#", ())),
        vehicles=tuple(vehicles),
        target="X",
        exit=exit_side,
    )
    outcome = SOLVERS["rush_hour"].solve(board, Budget())
    if rush_hour_rules.GAME.defects(board) or not isinstance(outcome, Solved):
        raise ValueError(f"{place} has no solution")
    return board


def color_connect_board(rows: str) -> color_connect_rules.Board:
    """The board of the drawing; ValueError when the small letters do not join the capitals."""
    cells, lines = _cells(rows), rows.split()
    pairs = []
    for letter in sorted(name for name in cells if name.isupper()):
        path = _path(cells[letter], cells.get(letter.lower(), []))
        color = color_connect.COLOR_NAMES[ord(letter) - ord("A")]
        pairs.append(color_connect_rules.Pair(color=color, ends=(path[0], path[-1])))
    walls = tuple(cells.get("#", ()))
    return color_connect_rules.Board(rows=len(lines), cols=len(lines[0]), walls=walls, pairs=tuple(pairs))


def _path(ends: list[tuple[int, int]], body: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """The way from the first end to the second through every cell of the body; ValueError where there is none."""
    path, left = [ends[0]], {*body, ends[1]}
    while left:
        row, col = path[-1]
        ahead = left & {(row, col + 1), (row + 1, col), (row, col - 1), (row - 1, col)}
        if len(ahead) > 1:
            ahead.discard(ends[1])
        if len(ahead) != 1:
            raise ValueError(f"the colour with ends {ends} is not one line at {path[-1]}")
        path.append(ahead.pop())
        left.discard(path[-1])
    return path


def _cells(rows: str) -> dict[str, list[tuple[int, int]]]:
    """The cells of every character, row by row."""
    found: dict[str, list[tuple[int, int]]] = {}
    for row, line in enumerate(rows.split()):
        for col, letter in enumerate(line):
            found.setdefault(letter, []).append((row, col))
    return found


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "screenshots"))
