import random
from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.core.errors import IllegalMove, PipelineError
from pipeline.games.color_connect import GAME, Board, Move, Pair
from pipeline.games.color_connect_paths import PATHS_LISTED, Path
from pipeline.games.contract import replay
from tests.games.color_connect_boards import color_boards, drawn_board
from tests.games.laws import check_canonical, check_laws

DRAWN = drawn_board(["A..B", "..#.", "A..B"])
"""The board drawn in the module's docstring."""
LEFT, RIGHT = ((0, 0), (1, 0), (2, 0)), ((0, 3), (1, 3), (2, 3))


@settings(max_examples=80, derandomize=True, deadline=None)
@given(st.integers(0, 2**32))
def test_laws_along_random_play(seed: int) -> None:
    for small in color_boards(seed, 1):
        check_laws(GAME, small, random.Random(seed))
        check_canonical(GAME, small)


def test_won_when_every_pair_is_joined() -> None:
    state = replay(GAME, DRAWN, [Move("a", LEFT)])
    assert not GAME.won(DRAWN, state)
    assert GAME.progress(DRAWN, state) == 0.5
    assert GAME.won(DRAWN, GAME.apply(DRAWN, state, Move("b", RIGHT)))


def test_must_fill_wants_every_free_cell() -> None:
    narrow = drawn_board(["AB", "..", "..", "AB"], must_fill=True)
    straight = replay(GAME, narrow, [Move(c, tuple((r, i) for r in range(4))) for i, c in enumerate("ab")])
    assert GAME.won(narrow, straight)
    open_board = drawn_board(["AB.", "AB."], must_fill=True)
    joined = replay(GAME, open_board, [Move("a", ((0, 0), (1, 0))), Move("b", ((0, 1), (1, 1)))])
    assert not GAME.won(open_board, joined)
    assert GAME.progress(open_board, joined) == 0.99
    around = replay(GAME, open_board, [Move("b", ())], joined)
    detour = ((0, 1), (0, 2), (1, 2), (1, 1))
    assert GAME.won(open_board, GAME.apply(open_board, around, Move("b", detour)))


def test_both_directions_are_one_move_to_one_state() -> None:
    state = GAME.start(DRAWN)
    assert GAME.apply(DRAWN, state, Move("a", LEFT)) == GAME.apply(DRAWN, state, Move("a", LEFT[::-1]))


def test_a_path_may_touch_itself() -> None:
    board = drawn_board(["AA.", "...", "..."])
    winding = ((0, 0), (1, 0), (1, 1), (1, 2), (0, 2), (0, 1))
    assert GAME.won(board, GAME.apply(board, GAME.start(board), Move("a", winding)))


def test_a_removed_path_leaves_no_trace() -> None:
    start = GAME.start(DRAWN)
    drawn = GAME.apply(DRAWN, start, Move("a", LEFT))
    assert GAME.apply(DRAWN, drawn, Move("a", ())) == start
    assert Move("a", ()) in GAME.moves(DRAWN, drawn)
    assert not GAME.lost_at_sight(DRAWN, drawn)


@pytest.mark.parametrize(
    ("color", "path", "said"),
    [
        ("z", LEFT, "no pair of colour 'z'"),
        ("b", RIGHT, "already has a path"),
        ("a", (), "no path to take away"),
        ("a", LEFT[:2], "one end of 'a' to the other"),
        ("a", ((0, 0),), "one end of 'a' to the other"),
        ("a", ((0, 0), (2, 0)), "not to a neighbouring cell"),
        ("a", ((0, 0), (-1, 0), (2, 0)), "out of the board"),
        ("a", ((0, 0), (0, 1), (0, 2), (1, 2), (2, 2), (2, 1), (2, 0)), r"\[1, 2\] is blocked"),
        ("a", ((0, 0), (0, 1), (0, 2), (0, 3), (1, 3), (2, 3), (2, 2), (2, 1), (2, 0)), "an end of 'b'"),
        ("a", ((0, 0), (1, 0), (0, 0), (1, 0), (2, 0)), "already on this path"),
    ],
)
def test_refused_moves_say_why(color: str, path: Path, said: str) -> None:
    state = GAME.apply(DRAWN, GAME.start(DRAWN), Move("b", RIGHT))
    with pytest.raises(IllegalMove, match=said):
        GAME.apply(DRAWN, state, Move(color, path))


def test_a_finished_path_blocks_the_others() -> None:
    board = drawn_board(["A.B", "...", "B.A"])
    state = GAME.apply(board, GAME.start(board), Move("a", ((0, 0), (0, 1), (1, 1), (1, 2), (2, 2))))
    with pytest.raises(IllegalMove, match="on the path of 'a'"):
        GAME.apply(board, state, Move("b", ((0, 2), (1, 2), (1, 1), (1, 0), (2, 0))))
    assert all(move.color != "b" for move in GAME.moves(board, state))


def test_moves_are_listed_shortest_first_and_not_without_end() -> None:
    board = Board(rows=12, cols=12, pairs=(Pair(color="a", ends=((0, 0), (11, 11))),))
    moves = GAME.moves(board, GAME.start(board))
    assert len(moves) == PATHS_LISTED
    assert {len(move.path) for move in moves} == {23}
    square = drawn_board(["A.", ".A"])
    assert [len(move.path) for move in GAME.moves(square, GAME.start(square))] == [3, 3]


def test_renamed_reordered_and_turned_boards_are_one_puzzle() -> None:
    other = Board(
        rows=4,
        cols=3,
        walls=((2, 1),),
        pairs=(Pair(color="pink", ends=((3, 0), (3, 2))), Pair(color="tan", ends=((0, 2), (0, 0)))),
    )
    assert GAME.canonical(other) == GAME.canonical(DRAWN)
    assert GAME.canonical(DRAWN.model_copy(update={"must_fill": True})) != GAME.canonical(DRAWN)
    assert GAME.canonical(DRAWN.model_copy(update={"walls": ((1, 1),)})) == GAME.canonical(DRAWN)
    assert GAME.canonical(DRAWN.model_copy(update={"walls": ()})) != GAME.canonical(DRAWN)


@pytest.mark.parametrize(
    ("change", "found"),
    [
        ({"walls": ((3, 0),)}, [("out_of_board", "$.board.walls[0]")]),
        ({"walls": ((1, 2), (1, 2))}, [("overlap", "$.board.walls[1]")]),
        ({"walls": ((0, 0),)}, [("overlap", "$.board.pairs[0].ends[0]")]),
        ({"pairs": (Pair(color="a", ends=((0, 0), (0, 0))),)}, [("overlap", "$.board.pairs[0].ends[1]")]),
        ({"pairs": (Pair(color="a", ends=((0, 0), (0, 4))),)}, [("out_of_board", "$.board.pairs[0].ends[1]")]),
        (
            {"pairs": (Pair(color="a", ends=((0, 0), (0, 1))), Pair(color="a", ends=((0, 1), (0, 2))))},
            [("duplicate_color", "$.board.pairs[1].color"), ("overlap", "$.board.pairs[1].ends[0]")],
        ),
        ({}, []),
    ],
)
def test_defects(change: dict[str, object], found: Sequence[tuple[str, str]]) -> None:
    problems = GAME.defects(DRAWN.model_copy(update=change))
    assert [(problem.code, problem.where) for problem in problems] == found


@pytest.mark.parametrize("text", ["", "-", "-,-,-", "DD", "DD,", "D,-", "DDD,-", "RRR,-", "dd,-", "DD,RD", "DD -"])
def test_state_text_that_is_no_state(text: str) -> None:
    with pytest.raises(PipelineError):
        GAME.parse_state(DRAWN, text)


def test_state_text_names_steps_from_the_first_end() -> None:
    assert GAME.state_text(DRAWN, GAME.apply(DRAWN, GAME.start(DRAWN), Move("a", LEFT[::-1]))) == "DD,-"


@pytest.mark.parametrize(
    "text", ["", "a", "a:0.0", "a:0.0-", "a:0-1", "A:0.0-0.1", "a:0.0-0.111", "a:-1.0-0.0", "a:٣.0-0.0", "a:0.00-0.1"]
)
def test_move_text_that_is_no_move(text: str) -> None:
    with pytest.raises(PipelineError):
        GAME.parse_move(text)


@pytest.mark.parametrize(
    "document",
    [
        {},
        {"color": "a"},
        {"color": 1, "path": []},
        {"color": "a", "path": [[0, 0, 0]]},
        {"color": "a", "path": [[0, True]]},
        {"color": "a", "path": [[0, 0.0]]},
        {"color": "a", "path": [], "by": 1},
        "a",
    ],
)
def test_move_documents_that_are_no_move(document: object) -> None:
    with pytest.raises(PipelineError):
        GAME.parse_move_document(document)


def test_sketch_and_view() -> None:
    state = GAME.apply(DRAWN, GAME.start(DRAWN), Move("a", LEFT))
    assert GAME.sketch(DRAWN, state).splitlines() == ["A . . B", "a . # .", "A . . B", "A a, B b"]
    view = GAME.view(DRAWN, state)
    assert view["pairs"][0] == {"color": "a", "ends": [[0, 0], [2, 0]], "path": [[0, 0], [1, 0], [2, 0]]}
    assert view["pairs"][1]["path"] == []
