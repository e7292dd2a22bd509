"""One small solvable level of every game, as JSON boards: for tests that must hold in all of them."""

from pipeline.games.level import Level, level_of
from pipeline.games.table import GAMES

BOARDS = {
    "rush_hour": {
        "rows": 4,
        "cols": 4,
        "walls": [],
        "vehicles": [
            {"id": "X", "row": 1, "col": 0, "length": 2, "axis": "horizontal"},
            {"id": "A", "row": 0, "col": 3, "length": 2, "axis": "vertical"},
            {"id": "B", "row": 3, "col": 2, "length": 2, "axis": "horizontal"},
        ],
        "target": "X",
        "exit": "right",
    },
    "color_connect": {
        "rows": 3,
        "cols": 3,
        "walls": [[1, 1]],
        "pairs": [{"color": "red", "ends": [[0, 0], [2, 0]]}, {"color": "blue", "ends": [[0, 1], [2, 1]]}],
        "must_fill": False,
    },
    "nut_and_bolt": {"capacity": 2, "bolts": [["red", "blue"], ["blue", "red"], []]},
    "maze_paint": {"grid": ["#####", "#@..#", "#.#.#", "#...#", "#####"]},
    "truck_escape": {
        "rows": 4,
        "cols": 4,
        "obstacles": [[3, 3]],
        "vehicles": [
            {"id": "A", "row": 0, "col": 0, "length": 2, "heading": "right"},
            {"id": "B", "row": 0, "col": 3, "length": 2, "heading": "up"},
        ],
    },
    "bolt_unscrew": {
        "width": 540,
        "height": 960,
        "hole_radius": 20,
        "physics": "pinned",
        "holes": [[120, 300], [300, 300], [120, 700], [420, 700]],
        "screws": [0, 1],
        "boards": [
            {
                "id": "a",
                "layer": 0,
                "shape": {"kind": "strip", "ends": [[120, 300], [300, 300]], "width": 56},
                "holes": [0, 1],
            }
        ],
    },
}


def sample_document(game: str) -> dict[str, object]:
    """The game's sample as a level document."""
    return {"format": "lpb-level/1", "game": game, "board": BOARDS[game], "provenance": {"kind": "manual"}}


def sample_level(game: str) -> Level:
    """The game's sample."""
    return level_of(sample_document(game), game)


SAMPLED = tuple(game for game in GAMES if game in BOARDS)
