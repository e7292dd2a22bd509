import json
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.core.errors import IllegalMove, InvalidDocument, PipelineError
from pipeline.games.contract import Distance, replay
from pipeline.games.level import parse_level
from pipeline.games.nut_and_bolt import GAME, Board, Move
from tests.games.boards import nut_boards
from tests.games.laws import check_canonical, check_laws


def board(capacity: int, *bolts: str) -> Board:
    """A board with one letter a nut."""
    return Board(capacity=capacity, bolts=tuple(tuple(bolt) for bolt in bolts))


def codes(bad: Board) -> list[str]:
    return [problem.code for problem in GAME.defects(bad)]


@settings(max_examples=150, derandomize=True, deadline=None)
@given(st.integers(0, 2**32))
def test_laws_along_random_play(seed: int) -> None:
    for small in nut_boards(seed, 1):
        check_laws(GAME, small, random.Random(seed))
        check_canonical(GAME, small)


def test_a_run_moves_as_one_and_what_does_not_fit_stays() -> None:
    split = board(4, "rbbb", "rbb", "", "rr")
    assert GAME.apply(split, GAME.start(split), Move(0, 1)) == (tuple("rbb"), tuple("rbbb"), (), tuple("rr"))
    assert GAME.apply(split, GAME.start(split), Move(0, 2)) == (tuple("r"), tuple("rbb"), tuple("bbb"), tuple("rr"))


@pytest.mark.parametrize(
    ("move", "said"),
    [
        (Move(0, 9), "no bolt 9"),
        (Move(-1, 0), "no bolt -1"),
        (Move(1, 1), "onto itself"),
        (Move(2, 0), "bolt 2 is empty"),
        (Move(1, 0), "bolt 0 is full"),
        (Move(0, 1), "bolt 1 shows r, not b"),
    ],
)
def test_refused_moves_say_why(move: Move, said: str) -> None:
    tight = board(2, "rb", "r", "", "b")
    with pytest.raises(IllegalMove, match=said):
        GAME.apply(tight, GAME.start(tight), move)
    assert move not in GAME.moves(tight, GAME.start(tight))


def test_two_half_filled_bolts_of_one_colour_do_not_win_yet() -> None:
    halves = board(4, "rr", "rr", "bbbb")
    assert not GAME.won(halves, GAME.start(halves))
    assert GAME.won(halves, replay(GAME, halves, [Move(0, 1)]))


def test_moving_a_uniform_bolt_to_an_empty_one_is_legal_and_changes_no_key() -> None:
    idle = board(2, "r", "r", "")
    after = GAME.apply(idle, GAME.start(idle), Move(0, 2))
    assert after == ((), ("r",), ("r",))
    assert GAME.key(idle, after) == GAME.key(idle, GAME.start(idle))


def test_progress_counts_the_largest_pure_bolt_of_every_colour() -> None:
    mixed = board(4, "rrr", "rb", "bb", "b")
    assert GAME.progress(mixed, GAME.start(mixed)) == (3 + 2) / 8
    assert GAME.progress(mixed, GAME.start(mixed), Distance(1, 2)) == (3 + 2) / 8
    two_reds = board(2, "rr", "r", "r")
    assert GAME.progress(two_reds, GAME.start(two_reds)) == 0.99
    assert GAME.progress(two_reds, replay(GAME, two_reds, [Move(1, 2)])) == 1


def test_lost_at_sight_only_without_any_legal_move() -> None:
    stuck = board(2, "rb", "br")
    assert GAME.lost_at_sight(stuck, GAME.start(stuck))
    to_and_fro = board(2, "rb", "br", "g", "g")
    assert not GAME.lost_at_sight(to_and_fro, GAME.start(to_and_fro))
    done = board(1, "r", "b")
    assert not GAME.lost_at_sight(done, GAME.start(done))


def test_defects() -> None:
    assert codes(board(2, "rrr", "r")) == ["over_capacity"]
    assert codes(board(3, "rrr", "b")) == ["color_count"]
    assert codes(board(3, "", "")) == ["no_nuts"]
    assert codes(board(2, "rr", "bb", "")) == []


@pytest.mark.parametrize("gap", ["AIR", None, "", "air"])
def test_a_gap_below_a_nut_is_refused_and_not_solved(gap: str | None) -> None:
    document = {
        "format": "lpb-level/1",
        "game": "nut_and_bolt",
        "board": {"capacity": 2, "bolts": [[gap, "v"], ["v"]]},
        "provenance": {"kind": "manual"},
    }
    with pytest.raises(InvalidDocument):
        parse_level(json.dumps(document).encode(), "gap.json")


def test_bolt_order_and_colour_names_do_not_make_another_puzzle() -> None:
    choices = random.Random(4)
    for small in nut_boards(5, 100):
        form = GAME.canonical(small)
        for _ in range(4):
            order = list(range(len(small.bolts)))
            choices.shuffle(order)
            names = list(range(GAME.labels(small)))
            choices.shuffle(names)
            reordered = small.model_copy(update={"bolts": tuple(small.bolts[i] for i in order)})
            assert GAME.canonical(GAME.relabel(reordered, names).board) == form
    assert GAME.canonical(board(2, "rb", "br", "")) != GAME.canonical(board(2, "rr", "bb", ""))
    assert GAME.canonical(board(2, "rb", "br", "")) != GAME.canonical(board(2, "rb", "br"))


@pytest.mark.parametrize("text", ["", "r,b", "r,b/-/-/-", "r,r/b,r/-", "r,b,r,b/-/-", "r b/b,r/-"])
def test_state_text_that_is_no_state(text: str) -> None:
    with pytest.raises(PipelineError):
        GAME.parse_state(board(2, "rb", "br", ""), text)


@pytest.mark.parametrize("text", ["", "0", "0-", "00-1", "0-100", "a-b", "0-1 ", "-1-0", "٣-1"])
def test_move_text_that_is_no_move(text: str) -> None:
    with pytest.raises(PipelineError):
        GAME.parse_move(text)


@pytest.mark.parametrize(
    "document",
    [
        {"from": 0},
        {"from": 0, "to": 1, "by": 2},
        {"from": True, "to": 1},
        {"from": -1, "to": 1},
        {"from": "0", "to": 1},
        [],
    ],
)
def test_move_documents_that_are_no_move(document: object) -> None:
    with pytest.raises(PipelineError):
        GAME.parse_move_document(document)


def test_sketch() -> None:
    drawn = board(2, "rb", "r", "")
    assert GAME.sketch(drawn, GAME.start(drawn)).splitlines() == ["b  .  .", "r  r  .", "-- -- --", "0  1  2"]


def test_view_holds_nothing_but_the_bolts() -> None:
    drawn = board(2, "rb", "r", "b")
    assert GAME.view(drawn, GAME.start(drawn)) == {"capacity": 2, "bolts": [["r", "b"], ["r"], ["b"]]}
