"""Maze Paint by hand."""

import random

import pytest

from pipeline.games.maze_paint import GAME, Board, Move
from pipeline.suite.controls.maze_paint import CONTROLS
from pipeline.suite.gestures import Cancel, Click, Drag, Key, Point, Pointer
from tests.games.maze_paint_boards import maze, mazes
from tests.suite.controls.laws import check_events, check_performing

ROOM = maze("#####", "#@..#", "#.#.#", "#...#", "#####")
START = GAME.start(ROOM)


@pytest.mark.parametrize("seed", range(4))
def test_every_slide_is_what_its_swipe_makes(seed: int) -> None:
    for board in mazes(seed, 15, most=9):
        check_performing(CONTROLS, board, random.Random(seed), jitter=min(15, 0.15 * CONTROLS.layout(board)["cell"]))


def test_random_events_make_legal_moves_only() -> None:
    made = [check_events(CONTROLS, board, random.Random(3), 700) for board in [ROOM, *mazes(9, 15)]]
    assert sum(made) > 500


@pytest.mark.parametrize("size", [(1, 40), (40, 1), (40, 40), (1, 2)])
def test_swipes_stay_in_the_square_of_the_largest_mazes(size: tuple[int, int]) -> None:
    rows, cols = size
    line = "." * cols
    board = Board(grid=("@" + line[1:], *[line] * (rows - 1)))
    check_performing(CONTROLS, board, random.Random(1), jitter=6)


@pytest.mark.parametrize(
    ("way", "slides"),
    [
        ((20, 0), ["right"]),
        ((19, 0), []),
        ((-7, 30), ["down"]),
        ((40, 39), ["right"]),
        ((40, 40), []),
        ((5000, -4000), ["right"]),
        ((-60, 10), []),
    ],
)
def test_a_swipe_goes_along_its_longer_side(way: Point, slides: list[str]) -> None:
    swipe = Drag(((700.0, 100.0), (10.0, 890.0), (700.0 + way[0], 100.0 + way[1])))
    assert CONTROLS.interpret(ROOM, START, [swipe]) == [Move(slide) for slide in slides]


def test_arrow_keys_slide_too() -> None:
    assert CONTROLS.interpret(ROOM, START, [Key("ArrowDown"), Key("ArrowDown"), Key("ArrowRight")]) == [
        Move("down"),
        Move("right"),
    ]


def test_a_slide_into_a_wall_is_refused_and_what_is_no_swipe_is_nothing() -> None:
    assert CONTROLS.touch(ROOM, START, None, Key("ArrowUp")).refused == {"slide": "up"}
    assert CONTROLS.interpret(ROOM, START, [Click((100.0, 100.0))]) == []
    down = CONTROLS.touch(ROOM, START, None, Pointer("down", (100.0, 100.0))).hand
    assert CONTROLS.touch(ROOM, START, down, Cancel()).hand is None
    assert CONTROLS.touch(ROOM, START, None, Pointer("up", (400.0, 100.0))).move is None
