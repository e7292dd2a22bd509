"""The compiled Rush Hour search against the plain one, published anchors, and the faults others had."""

from typing import Any
from unittest import mock

import numpy as np
import pytest
from hypothesis import given, settings

from pipeline.core.outcome import Budget, Outcome, Proof, Solved, Unknown, Unsolvable
from pipeline.games import rush_hour as rules
from pipeline.games.contract import replay
from pipeline.solve.proofs.rush_hour import _always_covered
from pipeline.solve.rush_hour import SOLVER, _Sweep, blocked_lane_cell, count_reachable
from pipeline.solve.rush_hour_kernel import expand_wide
from pipeline.solve.rush_hour_layout import Frontier
from pipeline.solve.rush_hour_narrow import expand_narrow
from pipeline.solve.search import breadth_first
from tests.boards import CARD, rush_board, rush_boards
from tests.handed import case_folder, known, published

GAME = rules.GAME


def from_text(text: str, rows: int = 6, cols: int = 6) -> rules.Board:
    """36 letters in reading order: A the target, '.' or 'o' empty, 'x' a wall (the field's usual notation)."""
    marks = text.replace("A", "X").replace("x", "#").replace("o", ".") if "x" in text or "o" in text else text
    marks = marks.replace("A", "X")
    lines = [" ".join(marks[r * cols : (r + 1) * cols]) for r in range(rows)]
    return rush_board("\n".join(lines))


def answer(outcome: Outcome[rules.Move]) -> int | None:
    assert isinstance(outcome, Solved | Unsolvable)
    return len(outcome.moves) if isinstance(outcome, Solved) else None


@settings(max_examples=2000)
@given(rush_boards())
def test_equals_the_reference_on_verdict_minimum_and_replay(board: rules.Board) -> None:
    fast, plain = SOLVER.solve(board, Budget()), breadth_first(GAME, board, Budget())
    assert answer(fast) == answer(plain)
    if isinstance(fast, Solved):
        assert fast.proven
        assert GAME.won(board, replay(GAME, board, fast.moves))


@pytest.mark.parametrize("kernel", [expand_narrow, expand_wide])
@settings(max_examples=150)
@given(board=rush_boards())
def test_reaches_exactly_the_states_of_the_reference_at_their_depths(kernel: Any, board: rules.Board) -> None:
    """State by state: the pruned expansion of either kernel loses no state and makes none deeper."""
    depths = {GAME.start(board): 0}
    queue = [GAME.start(board)]
    for state in queue:
        for move in GAME.moves(board, state):
            after = GAME.apply(board, state, move)
            if after not in depths:
                depths[after] = depths[state] + 1
                queue.append(after)
    sweep = _Sweep(board, GAME.start(board), stop_at_win=False)
    with mock.patch("pipeline.solve.rush_hour.expand", kernel):
        sweep.run(Budget())
    assert sweep._count == len(depths)
    for index in range(sweep._count):
        path = sweep._path(index)
        assert depths[replay(GAME, board, path)] == len(path)


def test_two_searches_at_once_never_share_arrays() -> None:
    board = rush_board(". . . A\nX X . A\n. . . .")
    with _Sweep(board, GAME.start(board)) as one, _Sweep(board, GAME.start(board)) as other:
        assert not np.shares_memory(one._frontier.table, other._frontier.table)
        assert one.run(Budget()) == other.run(Budget())


@settings(max_examples=300)
@given(rush_boards())
def test_blocked_lanes_are_blocked_by_both_arguments(board: rules.Board) -> None:
    cell = blocked_lane_cell(board)
    if cell is not None:
        assert _always_covered(board, cell)
        assert answer(breadth_first(GAME, board, Budget())) is None


def test_wide_boards_take_the_wide_kernel_and_agree() -> None:
    """9 × 9 needs two bit planes: A and B go down once C has, and B needs D out of its way."""
    drawing = "\n".join(
        [
            ". . A . . B . . .",
            ". . A . . B . . .",
            "X X A . . B . . .",
            ". . . . . . . . .",
            "C C C . D . . . .",
            ". . . . D . . . .",
            ". . . . . . . . .",
            ". . . . . . . . .",
            ". . . . . . . . .",
        ]
    )
    board = rush_board(drawing)
    fast, plain = SOLVER.solve(board, Budget()), breadth_first(GAME, board, Budget(states=300_000))
    assert answer(fast) == answer(plain) == 5


@pytest.mark.parametrize(
    ("text", "least"),
    [
        ("IBBxooIooLDDJAALooJoKEEMFFKooMGGHHHM", 60),
        ("BCDDEEBCFF.G.CAAHGIIJKHG..JKLL.MMNN.", 32),
        ("BBCDDEF.C.GEFAA.GEHIJJKKHI.LMMNN.L..", 20),
        ("BBBKLMHCCKLMHoAALMDDJooooIJoEEoIFFGG", 49),
        ("B..CDDBEEC.F.G.AAF.GHHIJKKL.IJ..L.MM", 24),
    ],
)
def test_published_anchors_in_slides(text: str, least: int) -> None:
    """Slides, not steps; moves are named by the input's own ids and replay on the input."""
    board = from_text(text)
    outcome = SOLVER.solve(board, Budget())
    assert isinstance(outcome, Solved)
    assert (len(outcome.moves), outcome.proven) == (least, True)
    assert GAME.won(board, replay(GAME, board, outcome.moves))


def test_hardest_board_has_51_slides_and_4780_states() -> None:
    board = from_text("GBBoLoGHIoLMGHIAAMCCCKoMooJKDDEEJFFo")
    assert answer(SOLVER.solve(board, Budget())) == 51
    assert count_reachable(board, Budget()) == 4780


def test_largest_known_cluster_has_541934_states() -> None:
    assert count_reachable(from_text("BB.C...D.CEE.DAAFGH.IIFGH.JKK.LLJ..."), Budget()) == 541_934


def test_already_solved_is_zero_moves_and_no_error() -> None:
    outcome = SOLVER.solve(rush_board("X X .\n. . .\n. . .", "left"), Budget())
    assert isinstance(outcome, Solved)
    assert (outcome.moves, outcome.lower_bound) == ((), 0)


def test_two_locked_columns_are_unsolvable_without_search() -> None:
    """A 3- and a 2-long vehicle fill five of six cells: the lane is always covered."""
    board = rush_board(". . . . . A\n. . . . . A\nX X . . . A\n. . . . . .\n. . . . . B\n. . . . . B")
    outcome = SOLVER.solve(board, Budget())
    assert isinstance(outcome, Unsolvable)
    assert outcome.proof == Proof("lane_blocked", {"cell": [2, 5]})


@pytest.mark.parametrize("budget", [Budget(states=50), Budget(seconds=0.0), Budget(memory_bytes=1000)])
def test_running_out_is_unknown_with_a_sound_bound(budget: Budget) -> None:
    board = from_text("GBBoLoGHIoLMGHIAAMCCCKoMooJKDDEEJFFo")
    big = from_text("BB.C...D.CEE.DAAFGH.IIFGH.JKK.LLJ...")
    for candidate in (board, big):
        outcome = SOLVER.solve(candidate, budget)
        if budget.memory_bytes is not None and candidate is board:
            continue  # its 4,780 states fit the first table
        assert isinstance(outcome, Unknown)
        assert 1 <= outcome.lower_bound <= 51


def test_solves_from_any_state() -> None:
    board = rush_board(CARD)
    whole = SOLVER.solve(board, Budget())
    assert isinstance(whole, Solved)
    state = GAME.start(board)
    for done, move in enumerate(whole.moves, 1):
        state = GAME.apply(board, state, move)
        assert answer(SOLVER.solve(board, Budget(), state)) == len(whole.moves) - done


def test_keys_never_collide_between_fields() -> None:
    """Too few bits in a state key once made a solver answer 6 instead of 4: every key decodes to its own state."""
    board = from_text("B..CDDBEEC.F.G.AAF.GHHIJKKL.IJ..L.MM")
    sweep = _Sweep(board, GAME.start(board), stop_at_win=False)
    sweep.run(Budget(states=20_000))
    frontier: Frontier = sweep._frontier
    words = sweep._layout.words
    keys = frontier.keys[: sweep._count * words].reshape(-1, words)
    assert len(np.unique(keys, axis=0)) == sweep._count


@pytest.mark.slow
def test_every_handed_puzzle_agrees() -> None:
    for puzzle in known("rush_hour"):
        if puzzle.get("metric") == "steps" or puzzle.get("axes") or puzzle.get("min_moves") is None:
            continue
        rows, cols = puzzle.get("height", 6), puzzle.get("width", 6)
        if rows * cols > 64:
            continue  # minutes of search belong to the scoring tool
        text = puzzle["board"] if isinstance(puzzle["board"], str) else "".join(puzzle["board"])
        target = puzzle.get("target") or "A"
        board = from_text(text.replace(target, "A") if target not in text.replace("A", "") else text, rows, cols)
        board = board.model_copy(update={"exit": puzzle.get("exit_side") or "right"})
        assert answer(SOLVER.solve(board, Budget())) == puzzle["min_moves"], puzzle["source"]


def test_every_published_level_agrees() -> None:
    from pipeline.games.level import level_of

    for fact in published("rush_hour"):
        level = level_of(fact["level"], fact["source"])
        assert answer(SOLVER.solve(level.board, Budget())) == fact["min_moves"], fact["source"]


def test_forty_classic_cards_are_solvable() -> None:
    lines = (case_folder("rush_hour") / "forty.txt").read_text(encoding="utf-8").split()
    assert sum(answer(SOLVER.solve(from_text(line), Budget())) or 0 for line in lines) == 1168
