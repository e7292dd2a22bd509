import random
from collections.abc import Iterator

import pytest

from pipeline.core.outcome import Budget, Outcome, Solved, Unknown, Unsolvable
from pipeline.games.contract import replay
from pipeline.games.maze_paint import GAME, Board, Move, State
from pipeline.solve.maze_paint import SOLVER
from pipeline.solve.search import breadth_first
from tests.games.maze_paint_boards import maze, mazes
from tests.handed import known, published


def solved(board: Board, state: State | None = None) -> Outcome[Move]:
    """The solver's answer, its solution replayed."""
    outcome = SOLVER.solve(board, Budget(), state)
    if isinstance(outcome, Solved):
        assert GAME.won(board, replay(GAME, board, outcome.moves, state))
        assert outcome.proven and outcome.lower_bound == len(outcome.moves)
    return outcome


def least(board: Board, state: State | None = None) -> int | None:
    """The least number of slides, None when there is no solution."""
    outcome = solved(board, state)
    assert not isinstance(outcome, Unknown)
    return len(outcome.moves) if isinstance(outcome, Solved) else None


def every_state(board: Board) -> Iterator[State]:
    """All states of play, by the rules alone."""
    seen = {GAME.start(board)}
    pending = list(seen)
    while pending:
        state = pending.pop()
        yield state
        for move in GAME.moves(board, state):
            after = GAME.apply(board, state, move)
            if after not in seen:
                seen.add(after)
                pending.append(after)


def can_be_lost(board: Board) -> bool:
    """Whether some state of play has no way to win, by working back from the won ones."""
    states = list(every_state(board))
    before: dict[State, list[State]] = {state: [] for state in states}
    for state in states:
        for move in GAME.moves(board, state):
            before[GAME.apply(board, state, move)].append(state)
    pending = [state for state in states if GAME.won(board, state)]
    able = set(pending)
    while pending:
        for earlier in before[pending.pop()]:
            if earlier not in able:
                able.add(earlier)
                pending.append(earlier)
    return len(able) < len(states)


@pytest.mark.parametrize("seed", range(4))
def test_agrees_with_plain_breadth_first_search(seed: int) -> None:
    verdicts = set()
    for board in mazes(seed, 500, most=4):
        plain = breadth_first(GAME, board, Budget())
        fast = solved(board)
        assert type(fast) is type(plain)
        verdicts.add(type(fast))
        if isinstance(plain, Solved):
            assert least(board) == len(plain.moves)
    assert verdicts == {Solved, Unsolvable}


def test_agrees_on_larger_mazes() -> None:
    for board in mazes(11, 100, most=7):
        plain = breadth_first(GAME, board, Budget(states=3_000))
        if not isinstance(plain, Unknown):
            assert type(solved(board)) is type(plain)
            assert least(board) == (len(plain.moves) if isinstance(plain, Solved) else None)


def test_safety_agrees_with_every_state_of_play() -> None:
    found = set()
    for board in mazes(12, 900, most=5):
        if sum(line.count(".") for line in board.grid) <= 11:
            lost = can_be_lost(board)
            assert SOLVER.solve(board, Budget()).facts["can_dead_end"] is lost
            found.add((lost, least(board) is None))
    assert found == {(False, False), (True, False), (True, True)}


def test_agrees_from_any_state_of_play() -> None:
    choices = random.Random(13)
    for board in mazes(14, 120, most=4):
        state = GAME.start(board)
        for _ in range(4):
            moves = GAME.moves(board, state)
            if not moves:
                break
            state = GAME.apply(board, state, choices.choice(moves))
            plain = breadth_first(GAME, board, Budget(), state)
            assert least(board, state) == (len(plain.moves) if isinstance(plain, Solved) else None)


def test_turned_and_mirrored_mazes_give_equal_answers() -> None:
    for board in mazes(15, 30, most=6):
        outcome = solved(board)
        for variant in GAME.symmetries(board):
            assert least(variant.board) == least(board)
            assert SOLVER.solve(variant.board, Budget()).facts == outcome.facts
            if isinstance(outcome, Solved):
                moved = [variant.move(move) for move in outcome.moves]
                assert GAME.won(variant.board, replay(GAME, variant.board, moved))


def test_the_same_board_gives_the_same_answer() -> None:
    for board in mazes(16, 20, most=7):
        assert SOLVER.solve(board, Budget()) == SOLVER.solve(board, Budget())


def test_a_spent_budget_is_no_verdict() -> None:
    outcome = SOLVER.solve(maze(".#..", "....", ".@..", "..#."), Budget(seconds=0.0))
    assert isinstance(outcome, Unknown)
    assert 1 <= outcome.lower_bound <= 10 and outcome.facts == {"can_dead_end": False}


def test_nothing_to_paint_is_already_won() -> None:
    outcome = solved(maze("###", "#@#"))
    assert isinstance(outcome, Solved) and outcome.moves == () and outcome.facts == {"can_dead_end": False}


# -- faults seen in other tools ------------------------------------------------------------------------------------


def test_a_stop_first_met_on_a_long_walk_is_met_again_on_a_short_one() -> None:
    assert least(maze("..", ".@", "..")) == 4  # a depth-first search with one visited set says 6


def test_floor_sealed_off_is_unsolvable_and_named() -> None:
    outcome = solved(maze("#####", "#@..#", "#####", "#..##", "#####"))
    assert isinstance(outcome, Unsolvable)
    assert (outcome.proof.kind, outcome.proof.body) == ("unreachable_cells", {"cells": [[3, 1], [3, 2]]})


def test_floor_that_no_slide_crosses_is_unsolvable_though_connected() -> None:
    outcome = solved(maze("...##", "##.#.", ".#.#.", "....@", "####."))
    assert isinstance(outcome, Unsolvable)
    assert outcome.facts == {"can_dead_end": True}


def test_a_solvable_maze_can_be_lost() -> None:
    trap = maze("#@.##", "....#", "###.#", ".....")
    outcome = solved(trap)
    assert isinstance(outcome, Solved) and len(outcome.moves) == 7
    assert outcome.facts == {"can_dead_end": True}
    lost = outcome.proof.body["trap"]
    state = replay(GAME, trap, [GAME.parse_move(text) for text in lost["after"]])
    assert isinstance(breadth_first(GAME, trap, Budget(), state), Unsolvable)


def test_a_start_that_cannot_be_reached_again_does_not_make_a_maze_unsafe() -> None:
    assert solved(maze("#.##", "..@.", "#.#.", "#...")).facts == {
        "can_dead_end": can_be_lost(maze("#.##", "..@.", "#.#.", "#..."))
    }


def test_the_start_decides_the_minimum() -> None:
    grid = ("..#", "...", "#..")
    starts = {}
    for row, line in enumerate(grid):
        for col, mark in enumerate(line):
            if mark == ".":
                lines = list(grid)
                lines[row] = line[:col] + "@" + line[col + 1 :]
                board = Board(grid=tuple(lines))
                plain = breadth_first(GAME, board, Budget())
                starts[row, col] = len(plain.moves) if isinstance(plain, Solved) else None
                assert least(board) == starts[row, col]
    assert len(set(starts.values())) > 1


def test_rows_are_not_turned_upside_down() -> None:
    outcome = solved(maze("####", "#@.#", "#.##", "####"))
    assert isinstance(outcome, Solved) and len(outcome.moves) == 3
    assert [move.slide for move in outcome.moves] in (["down", "up", "right"], ["right", "left", "down"])


def snake(rows: int, cols: int) -> Board:
    """Full rows joined by single cells at alternating ends: no slide crosses cells of two of these parts."""
    grid = ["." * cols if r % 2 == 0 else "#" * (cols - 1) + "." for r in range(rows)]
    grid = [line[::-1] if r % 4 == 3 else line for r, line in enumerate(grid)]
    return Board(grid=("@" + grid[0][1:], *grid[1:]))


@pytest.mark.parametrize(("rows", "cols"), [(9, 14), (19, 20), (39, 40)])
def test_more_cells_than_a_machine_word_has_bits(rows: int, cols: int) -> None:
    board = snake(rows, cols)
    assert sum(line.count(".") for line in board.grid) > 64
    assert least(board) == rows  # one slide for each full row and each joint is both needed and enough


def test_a_won_state_of_many_cells_differs_from_one_short_of_it() -> None:
    board = snake(19, 20)
    moves = SOLVER.solve(board, Budget())
    assert isinstance(moves, Solved)
    for played in range(len(moves.moves)):
        assert least(board, replay(GAME, board, moves.moves[:played])) == 19 - played


# -- the handed mazes ----------------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.cases
def test_every_known_minimum_and_safety() -> None:
    for entry in known("maze_paint"):
        board = Board(grid=tuple(entry["grid"]))
        outcome = solved(board)
        assert not isinstance(outcome, Unknown), entry["id"]
        assert (len(outcome.moves) if isinstance(outcome, Solved) else None) == entry["min_slides"], entry["id"]
        assert outcome.facts["can_dead_end"] is not entry["no_dead_ends"], entry["id"]


@pytest.mark.cases
def test_published_totals() -> None:
    totals: dict[str, int] = {}
    for entry in published("maze_paint"):
        board = Board(grid=tuple(entry["level"]["board"]["grid"]))
        outcome = solved(board)
        assert isinstance(outcome, Solved) and outcome.facts == {"can_dead_end": False}
        assert len(outcome.moves) == entry["min_moves"]
        tier = entry["source"].split("/")[1]
        totals[tier] = totals.get(tier, 0) + len(outcome.moves)
    assert totals == {"easy": 88, "medium": 140, "hard": 217}
