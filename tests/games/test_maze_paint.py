import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.core.errors import IllegalMove, PipelineError
from pipeline.games.contract import replay
from pipeline.games.maze_paint import GAME, Board, Move, State, cells_of, whole_floor
from tests.games.laws import check_canonical, check_laws
from tests.games.maze_paint_boards import maze, mazes

DRAWN = maze("#####", "#@..#", "###.#", "#####")
"""The maze drawn in the module's docstring."""


@settings(max_examples=60, derandomize=True, deadline=None)
@given(st.integers(0, 2**32))
def test_laws_along_random_play(seed: int) -> None:
    for board in mazes(seed, 1):
        check_laws(GAME, board, random.Random(seed))
        check_canonical(GAME, board)


def test_a_slide_paints_every_cell_up_to_the_wall() -> None:
    start = GAME.start(DRAWN)
    assert cells_of(DRAWN, start.painted) == [(1, 1)]
    assert GAME.moves(DRAWN, start) == [Move("right")]
    right = GAME.apply(DRAWN, start, Move("right"))
    assert (right.ball, cells_of(DRAWN, right.painted)) == ((1, 3), [(1, 1), (1, 2), (1, 3)])
    assert GAME.progress(DRAWN, right) == 2 / 3
    assert GAME.won(DRAWN, GAME.apply(DRAWN, right, Move("down")))


def test_the_border_stops_the_ball_as_a_wall_does() -> None:
    assert GAME.apply(maze("@.."), State((0, 0), 1), Move("right")) == State((0, 2), 0b111)


def test_a_swipe_into_a_wall_is_no_move() -> None:
    with pytest.raises(IllegalMove, match=r"the ball at \[1, 1\] cannot slide up"):
        GAME.apply(DRAWN, GAME.start(DRAWN), Move("up"))
    with pytest.raises(IllegalMove, match="move 2 "):
        replay(GAME, DRAWN, [Move("right"), Move("right")])


def test_more_than_128_floor_cells_are_all_kept_apart() -> None:
    open_floor = maze("@" + "." * 39, *["." * 40] * 39)
    state = replay(GAME, open_floor, [Move("right"), Move("down"), Move("left"), Move("up")])
    assert state.painted.bit_count() == 4 * 39
    assert not GAME.won(open_floor, state)
    assert GAME.parse_state(open_floor, GAME.state_text(open_floor, state)) == state
    assert GAME.won(open_floor, State((0, 0), whole_floor(open_floor)))


@pytest.mark.parametrize(
    ("grid", "code", "where"),
    [
        (("@..", ".."), "ragged_rows", "$.board.grid[1]"),
        (("...", "..."), "start_count", "$.board.grid"),
        (("@..", "..@"), "start_count", "$.board.grid"),
        (("###",), "start_count", "$.board.grid"),
    ],
)
def test_defects(grid: tuple[str, ...], code: str, where: str) -> None:
    assert [(p.code, p.where) for p in GAME.defects(Board(grid=grid))] == [(code, where)]


def test_sealed_floor_is_no_defect() -> None:
    assert GAME.defects(maze("@.#.")) == []


@pytest.mark.parametrize("grid", [("",), ("@.x",), ("@" + "." * 40,), ()])
def test_grids_that_are_no_document(grid: tuple[str, ...]) -> None:
    with pytest.raises(ValueError, match="validation error"):
        Board(grid=grid)


def test_rows_keep_their_order() -> None:
    """Upside down this maze needs three slides too, so only the picture tells the two apart (bugs of other tools)."""
    upright = maze("####", "#@.#", "#.##", "####")
    assert GAME.view(upright, GAME.start(upright)) == {"grid": ["####", "#o.#", "#.##", "####"], "ball": [1, 1]}
    assert [GAME.move_text(move) for move in GAME.moves(upright, GAME.start(upright))] == ["right", "down"]


def test_a_border_of_walls_is_no_part_of_the_puzzle() -> None:
    assert GAME.canonical(DRAWN) == GAME.canonical(maze("@..", "##."))
    assert GAME.canonical(DRAWN) != GAME.canonical(maze("..@", "##."))


def test_canonical_tells_which_cell_is_the_start_but_not_the_turn() -> None:
    for board in mazes(3, 60):
        assert len({GAME.canonical(v.board) for v in GAME.symmetries(board)}) == 1


def test_lost_at_sight_only_when_nothing_moves() -> None:
    walled_in = maze("@#.")
    assert GAME.lost_at_sight(walled_in, GAME.start(walled_in))
    alone = maze("@")
    assert GAME.won(alone, GAME.start(alone)) and not GAME.lost_at_sight(alone, GAME.start(alone))


def test_sketch_shows_ball_paint_and_bare_floor() -> None:
    state = GAME.apply(DRAWN, GAME.start(DRAWN), Move("right"))
    assert GAME.sketch(DRAWN, state).splitlines() == ["# # # # #", "# o o @ #", "# # # . #", "# # # # #"]


@pytest.mark.parametrize("text", ["", "1,1", "1,1:", "1,1:0", "1,1:2", "0,0:1", "1,1:01", "1,1:1F", "1,1:ff", "9,9:1"])
def test_state_text_that_is_no_state(text: str) -> None:
    with pytest.raises(PipelineError):
        GAME.parse_state(DRAWN, text)


@pytest.mark.parametrize("text", ["", "Left", "l", "left ", "diagonal"])
def test_move_text_that_is_no_move(text: str) -> None:
    with pytest.raises(PipelineError):
        GAME.parse_move(text)


@pytest.mark.parametrize("document", [{}, {"slide": 1}, {"slide": "left", "by": 1}, {"slide": "LEFT"}, "left", None])
def test_move_documents_that_are_no_move(document: object) -> None:
    with pytest.raises(PipelineError):
        GAME.parse_move_document(document)
