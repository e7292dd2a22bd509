import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.core.errors import IllegalMove, PipelineError
from pipeline.games.truck_escape import GAME, Board, Heading, Vehicle
from tests.games.boards import truck_boards
from tests.games.laws import check_canonical, check_laws


def truck(name: str, row: int, col: int, length: int, heading: Heading) -> Vehicle:
    return Vehicle(id=name, row=row, col=col, length=length, heading=heading)


A = truck("A", 0, 0, 1, "up")
DRAWN = Board(
    rows=3,
    cols=4,
    obstacles=((2, 3),),
    vehicles=(truck("A", 0, 1, 2, "right"), truck("B", 1, 1, 2, "up"), truck("C", 2, 2, 1, "right")),
)
"""The board drawn in the module's docstring."""


@settings(max_examples=100, derandomize=True, deadline=None)
@given(st.integers(0, 2**32))
def test_laws_along_random_play(seed: int) -> None:
    for small in truck_boards(seed, 1):
        check_laws(GAME, small, random.Random(seed))
        check_canonical(GAME, small)


def test_a_vehicle_leaves_when_all_cells_to_the_border_are_free() -> None:
    state = GAME.start(DRAWN)
    assert GAME.moves(DRAWN, state) == ["A"]
    state = GAME.apply(DRAWN, state, "A")
    assert state == ("B", "C")
    assert GAME.apply(DRAWN, state, "B") == ("C",)


@pytest.mark.parametrize(
    ("move", "said"),
    [
        ("B", r"blocked at cell \[0, 1\] by vehicle 'A'"),
        ("C", r"cell \[2, 3\] by an obstacle"),
        ("Z", "no vehicle 'Z'"),
    ],
)
def test_refused_moves_say_why(move: str, said: str) -> None:
    with pytest.raises(IllegalMove, match=said):
        GAME.apply(DRAWN, GAME.start(DRAWN), move)


def test_nobody_leaves_twice() -> None:
    with pytest.raises(IllegalMove, match="left already"):
        GAME.apply(DRAWN, ("B", "C"), "A")


def test_an_own_body_never_blocks_and_the_border_does_not_either() -> None:
    alone = Board(rows=1, cols=3, vehicles=(truck("A", 0, 0, 3, "left"),))
    assert GAME.won(alone, GAME.apply(alone, GAME.start(alone), "A"))


def test_lost_at_sight_when_none_can_leave() -> None:
    assert not GAME.lost_at_sight(DRAWN, GAME.start(DRAWN))
    assert GAME.lost_at_sight(DRAWN, ("C",))
    assert not GAME.lost_at_sight(DRAWN, ())


@pytest.mark.parametrize(
    ("bad", "code", "where"),
    [
        ({"vehicles": (truck("A", 0, 3, 2, "right"),)}, "out_of_board", "$.board.vehicles[0]"),
        ({"vehicles": (truck("A", 2, 2, 2, "left"),)}, "overlap", "$.board.vehicles[0]"),
        (
            {"vehicles": (truck("A", 0, 0, 1, "up"), truck("A", 1, 0, 1, "up"))},
            "duplicate_id",
            "$.board.vehicles[1].id",
        ),
        ({"vehicles": (A, truck("B", 0, 0, 2, "up"))}, "overlap", "$.board.vehicles[1]"),
        ({"obstacles": ((3, 0),)}, "out_of_board", "$.board.obstacles[0]"),
        ({"obstacles": ((2, 3), (2, 3))}, "overlap", "$.board.obstacles[1]"),
    ],
)
def test_defects(bad: dict[str, object], code: str, where: str) -> None:
    found = GAME.defects(DRAWN.model_copy(update=bad))
    assert [(problem.code, problem.where) for problem in found] == [(code, where)]


def test_a_board_and_its_mirror_are_one_puzzle_but_not_the_one_pointing_elsewhere() -> None:
    turned = GAME.symmetries(DRAWN)[5].board
    assert turned != DRAWN
    assert GAME.canonical(turned) == GAME.canonical(DRAWN)
    other = DRAWN.vehicles[0].model_copy(update={"heading": "left"})
    elsewhere = DRAWN.model_copy(update={"vehicles": (other, *DRAWN.vehicles[1:])})
    assert GAME.canonical(elsewhere) != GAME.canonical(DRAWN)


@pytest.mark.parametrize("text", ["", "B,A", "A,A", "A,Z", "A,", "A B"])
def test_state_text_that_is_no_state(text: str) -> None:
    with pytest.raises(PipelineError):
        GAME.parse_state(DRAWN, text)


@pytest.mark.parametrize("text", ["", "A B", "A,B", "ä", "x" * 41])
def test_move_text_that_is_no_move(text: str) -> None:
    with pytest.raises(PipelineError):
        GAME.parse_move(text)


@pytest.mark.parametrize("document", [{}, {"vehicle": 1}, {"vehicle": "A", "by": 1}, {"vehicle": "A B"}, "A"])
def test_move_documents_that_are_no_move(document: object) -> None:
    with pytest.raises(PipelineError):
        GAME.parse_move_document(document)


def test_sketch_shows_fronts() -> None:
    assert GAME.sketch(DRAWN, GAME.start(DRAWN)).splitlines() == [".  A  A> .", ".  B^ .  .", ".  B  C> #"]


def test_view_shows_only_vehicles_still_there() -> None:
    view = GAME.view(DRAWN, ("C",))
    assert [vehicle["id"] for vehicle in view["vehicles"]] == ["C"]
    assert view["obstacles"] == [[2, 3]]
