import random

import pytest

from pipeline.core.outcome import Budget, Solved, Unsolvable
from pipeline.games.contract import replay
from pipeline.games.truck_escape import GAME, Board, Heading, Vehicle
from pipeline.solve.search import breadth_first
from pipeline.solve.truck_escape import SOLVER, blocking_relation, shortest_ring
from tests.games.boards import truck_boards


def truck(name: str, row: int, col: int, length: int, heading: Heading) -> Vehicle:
    return Vehicle(id=name, row=row, col=col, length=length, heading=heading)


def ring_of_four() -> Board:
    """A drives at B, B at C, C at D and D at A, with room between them."""
    vehicles = (
        truck("A", 0, 0, 2, "right"),
        truck("B", 0, 4, 2, "down"),
        truck("C", 4, 3, 2, "left"),
        truck("D", 3, 0, 2, "up"),
    )
    return Board(rows=5, cols=5, vehicles=vehicles)


@pytest.mark.parametrize("seed", range(5))
def test_agrees_with_plain_breadth_first_search(seed: int) -> None:
    for small in truck_boards(seed, 500):
        plain, fast = breadth_first(GAME, small, Budget()), SOLVER.solve(small, Budget())
        assert type(fast) is type(plain)
        if isinstance(fast, Solved) and isinstance(plain, Solved):
            assert len(fast.moves) == len(plain.moves) == len(small.vehicles) and fast.proven
            assert GAME.won(small, replay(GAME, small, fast.moves))


def test_agrees_from_any_state_of_play() -> None:
    choices = random.Random(6)
    for small in truck_boards(7, 150):
        state = GAME.start(small)
        while moves := GAME.moves(small, state):
            state = GAME.apply(small, state, choices.choice(moves))
            outcome = SOLVER.solve(small, Budget(), state)
            assert isinstance(outcome, Solved) == isinstance(SOLVER.solve(small, Budget()), Solved)
            if isinstance(outcome, Solved):
                assert len(outcome.moves) == len(state) and GAME.won(small, replay(GAME, small, outcome.moves, state))


def test_symmetric_and_renamed_boards_give_equal_answers() -> None:
    for small in truck_boards(8, 80):
        outcome = SOLVER.solve(small, Budget())
        for variant in (*GAME.symmetries(small), GAME.relabel(small, list(range(len(small.vehicles)))[::-1])):
            other = SOLVER.solve(variant.board, Budget())
            assert type(other) is type(outcome) and other.explored == outcome.explored
            if isinstance(outcome, Solved):
                moved = [variant.move(move) for move in outcome.moves]
                assert GAME.won(variant.board, replay(GAME, variant.board, moved))


def test_two_nose_to_nose_never_leave() -> None:
    facing = Board(rows=1, cols=5, vehicles=(truck("A", 0, 0, 2, "right"), truck("B", 0, 3, 2, "left")))
    outcome = SOLVER.solve(facing, Budget())
    assert isinstance(outcome, Unsolvable)
    assert (outcome.proof.kind, outcome.proof.body) == ("blocking_cycle", {"vehicles": ["A", "B"]})


def test_a_ring_of_four_is_named_in_the_order_of_waiting() -> None:
    outcome = SOLVER.solve(ring_of_four(), Budget())
    assert isinstance(outcome, Unsolvable)
    assert outcome.proof.body == {"vehicles": ["A", "B", "C", "D"]}


def test_a_ring_opens_when_one_of_it_points_away() -> None:
    opened = ring_of_four()
    away = opened.vehicles[2].model_copy(update={"heading": "right"})
    outcome = SOLVER.solve(
        opened.model_copy(update={"vehicles": (*opened.vehicles[:2], away, opened.vehicles[3])}), Budget()
    )
    assert isinstance(outcome, Solved) and len(outcome.moves) == 4


def test_an_obstacle_ahead_is_a_reason_of_its_own() -> None:
    walled = Board(
        rows=2,
        cols=4,
        obstacles=((0, 3), (0, 2)),
        vehicles=(truck("A", 1, 0, 1, "up"), truck("B", 0, 0, 1, "right"), truck("C", 1, 1, 2, "down")),
    )
    outcome = SOLVER.solve(walled, Budget())
    assert isinstance(outcome, Unsolvable)
    assert (outcome.proof.kind, outcome.proof.body) == ("obstacle_ahead", {"vehicle": "B", "cell": [0, 2]})


def test_the_shortest_ring_is_named() -> None:
    blockers = {"a": ("b",), "b": ("c",), "c": ("a", "d"), "d": ("c",), "e": ("a",)}
    assert shortest_ring(blockers) == ("c", "d")
    assert shortest_ring({"a": ("b",), "b": ("x",)}) == ()


def test_blockers_are_all_vehicles_ahead_nearest_first() -> None:
    row = Board(
        rows=1, cols=6, vehicles=(truck("A", 0, 0, 1, "right"), truck("B", 0, 4, 2, "right"), truck("C", 0, 2, 1, "up"))
    )
    assert blocking_relation(row, GAME.start(row)) == {"A": ("C", "B"), "B": (), "C": ()}
    assert blocking_relation(row, ("A", "B")) == {"A": ("B",), "B": ()}


def test_a_large_board_of_single_cells() -> None:
    vehicles = tuple(truck(f"t{i}", i // 20, i % 20, 1, "left" if i % 3 else "up") for i in range(200))
    outcome = SOLVER.solve(Board(rows=10, cols=20, vehicles=vehicles), Budget())
    assert isinstance(outcome, Solved) and len(outcome.moves) == 200
