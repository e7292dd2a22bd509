"""Small hand-made levels and random boards that several test modules share."""

import json
from pathlib import Path

from hypothesis import strategies as st

from pipeline.games import rush_hour
from pipeline.games.level import Level, Manual

CARD = """
A . . B . .
A . . B . .
X X . B . .
. . C C C .
. . . . . D
E E . . . D
"""
"""An easy Rush Hour card in the notation of `rush_board`."""


def rush_board(drawing: str, exit_side: rush_hour.Side = "right") -> rush_hour.Board:
    """A board from letters: equal letters are one vehicle, X the target, # a wall, . empty."""
    rows = [line.split() for line in drawing.strip().splitlines()]
    cells: dict[str, list[tuple[int, int]]] = {}
    walls = []
    for r, line in enumerate(rows):
        for c, mark in enumerate(line):
            if mark == "#":
                walls.append((r, c))
            elif mark != ".":
                cells.setdefault(mark, []).append((r, c))
    vehicles = tuple(
        rush_hour.Vehicle(
            id=mark,
            row=at[0][0],
            col=at[0][1],
            length=len(at),
            axis="horizontal" if at[0][0] == at[-1][0] else "vertical",
        )
        for mark, at in sorted(cells.items())
    )
    shape = {"rows": len(rows), "cols": len(rows[0]), "walls": tuple(walls)}
    return rush_hour.Board(**shape, vehicles=vehicles, target="X", exit=exit_side)


def rush_level(drawing: str = CARD, exit_side: rush_hour.Side = "right") -> Level:
    """`rush_board` as a level written by hand."""
    return Level(rush_hour.GAME, rush_board(drawing, exit_side), Manual(kind="manual"))


def file_level(catalogue: Path, place: str, level: Level) -> Path:
    """Write a level into its place of a catalogue."""
    path = catalogue / f"{place}.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(level.to_bytes())
    return path


def document(level: Level) -> dict[str, object]:
    """A level's JSON, free to be spoilt by a test."""
    return json.loads(level.to_bytes())


@st.composite
def rush_boards(draw: st.DrawFn) -> rush_hour.Board:
    """Random boards from 3 × 3 to 5 × 6 with up to seven vehicles, any exit, some walls; target at any place."""
    rows, cols = draw(st.integers(3, 5)), draw(st.integers(3, 6))
    taken: set[tuple[int, int]] = set()
    vehicles: list[rush_hour.Vehicle] = []
    for number in range(draw(st.integers(1, 7))):
        axis = draw(st.sampled_from(["horizontal", "vertical"]))
        room = cols if axis == "horizontal" else rows
        length = draw(st.integers(2, min(3, room)))
        row = draw(st.integers(0, rows - (1 if axis == "horizontal" else length)))
        col = draw(st.integers(0, cols - (length if axis == "horizontal" else 1)))
        name = "X" if not vehicles else f"v{number}"
        vehicle = rush_hour.Vehicle(id=name, row=row, col=col, length=length, axis=axis)
        if taken.isdisjoint(vehicle.cells()):
            taken.update(vehicle.cells())
            vehicles.append(vehicle)
    free = [(r, c) for r in range(rows) for c in range(cols) if (r, c) not in taken]
    walls = tuple(draw(st.lists(st.sampled_from(free), max_size=2, unique=True))) if free else ()
    sides = ["left", "right"] if vehicles[0].axis == "horizontal" else ["top", "bottom"]
    side = draw(st.sampled_from(sides))
    return rush_hour.Board(rows=rows, cols=cols, walls=walls, vehicles=tuple(vehicles), target="X", exit=side)
