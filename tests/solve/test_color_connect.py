"""The fast solver against a plain recount, CP-SAT and proven puzzles; faults that other solvers were reported for."""

import json
import random
from typing import Any

import pytest

from pipeline.core.canonical import digest_of
from pipeline.core.outcome import Budget, Clock, Outcome, Solved, Unknown, Unsolvable
from pipeline.games.color_connect import GAME, Board, Move, Pair, State
from pipeline.games.color_connect_paths import Path
from pipeline.games.contract import replay
from pipeline.games.level import Level, Manual
from pipeline.solve import color_connect_frontier
from pipeline.solve.certificate import certify, check_certificate
from pipeline.solve.color_connect import SOLVER, first_layout
from pipeline.solve.color_connect_cpsat import solve_model
from pipeline.solve.color_connect_frontier import UNBOUNDED, Frontier
from pipeline.solve.proofs.color_connect_recount import recount
from tests.games.color_connect_boards import color_boards, drawn_board
from tests.handed import known, published

PLENTY = 10**6
SELF_TOUCHING = ["...g", ".r..", ".r..", "...g"]
NINE_FILLINGS = drawn_board(SELF_TOUCHING, must_fill=True)


def least(board: Board, budget: Budget | None = None) -> int | None:
    """The proven least cells, None when unsolvable; the solution is replayed."""
    outcome = SOLVER.solve(board, budget or Budget())
    if isinstance(outcome, Unsolvable):
        return None
    assert isinstance(outcome, Solved) and outcome.proven and outcome.facts["can_dead_end"] is False
    assert outcome.lower_bound == len(outcome.moves) == len(board.pairs)
    assert GAME.won(board, replay(GAME, board, outcome.moves))
    assert sum(len(move.path) for move in outcome.moves) == outcome.facts["min_cells"]
    return int(outcome.facts["min_cells"])


def unique(board: Board) -> bool | None:
    """Whether the filled layout is the only one; None when there is none."""
    outcome = SOLVER.solve(board, Budget())
    return None if isinstance(outcome, Unsolvable) else bool(outcome.facts["unique"])


def test_agrees_with_a_plain_recount_on_two_thousand_boards() -> None:
    boards = [*color_boards(1, 1_500), *color_boards(2, 600, most=5)]
    for board in boards:
        truth = recount(board, PLENTY)
        assert truth is not None
        assert least(board) == truth.least, board
        if board.must_fill:
            assert unique(board) == (None if truth.ways == 0 else truth.ways == 1), board
    assert len(boards) >= 2_000


def test_a_pass_without_a_bound_agrees_with_a_plain_recount() -> None:
    for board in color_boards(3, 500, must_fill=False):
        truth = recount(board, PLENTY)
        found = Frontier(board).run(UNBOUNDED, Budget(), Clock(Budget()))
        assert truth is not None and found is not None and found.exhausted and not found.cut
        assert (found.value if found.paths else None) == truth.least, board


def check_with_cp_sat(boards: list[Board]) -> None:
    for board in boards:
        answer = solve_model(board, Clock(Budget()))
        assert answer.status in ("optimal", "infeasible")
        cells = None if answer.paths is None else sum(map(len, answer.paths))
        assert least(board) == cells, board
        if answer.paths is not None:
            moves = [Move(pair.color, path) for pair, path in zip(board.pairs, answer.paths, strict=True)]
            assert GAME.won(board, replay(GAME, board, moves))


def test_agrees_with_cp_sat() -> None:
    check_with_cp_sat(list(color_boards(4, 60, most=7)))


@pytest.mark.slow
def test_agrees_with_cp_sat_on_larger_boards() -> None:
    check_with_cp_sat(list(color_boards(5, 60, most=9, must_fill=False)))


def test_turned_and_renamed_boards_have_the_same_answer() -> None:
    choices = random.Random(6)
    for board in color_boards(7, 40, most=6):
        order = choices.sample(range(GAME.labels(board)), GAME.labels(board))
        variants = [*GAME.symmetries(board), GAME.relabel(board, order)]
        outcomes = [SOLVER.solve(variant.board, Budget()) for variant in variants]
        assert len({repr((type(outcome), sorted(outcome.facts.items()))) for outcome in outcomes}) == 1


def test_same_board_same_answer() -> None:
    for board in color_boards(8, 20, most=6):
        assert SOLVER.solve(board, Budget()) == SOLVER.solve(board, Budget())


# -- faults other solvers were reported for ------------------------------------------------------


@pytest.mark.parametrize(
    ("lines", "cells", "filled"),
    [
        (SELF_TOUCHING, 6, False),  # its fillings touch themselves; a pruned search calls it unsolvable
        ([".Y..R", "....G", "..G.B", "..B..", ".....", "...YR"], 30, True),  # taller than wide
        (["R....G", "......", ".O..B.", ".R..G.", "......", "..OB.."], 20, False),  # need not be filled
        (["a", "a"], 2, True),
        (["a....a"], 6, True),
    ],
)
def test_least_cells_and_uniqueness(lines: list[str], cells: int, filled: bool) -> None:
    assert least(drawn_board(lines)) == cells
    assert unique(drawn_board(lines, must_fill=True)) is filled
    wide = GAME.symmetries(drawn_board(lines))[4].board
    assert least(wide) == cells


def test_joining_pairs_does_not_mean_filling_the_board() -> None:
    assert least(drawn_board(["A.A", "..."])) == 3
    odd = SOLVER.solve(drawn_board(["A.A", "..."], must_fill=True), Budget())
    assert isinstance(odd, Unsolvable) and odd.proof.kind == "checkerboard"


def test_stray_rings_are_no_filling() -> None:
    block = drawn_board(["aa..", "bb.."], must_fill=True)  # both pairs can only be joined directly; a ring would fit
    outcome = SOLVER.solve(block, Budget())
    assert isinstance(outcome, Unsolvable) and outcome.proof.kind == "swept"
    assert solve_model(block, Clock(Budget())).status == "infeasible"
    open_board = drawn_board(["a..a", "....", "....", "...."], must_fill=True)
    assert solve_model(open_board, Clock(Budget())).status == "optimal"
    assert least(open_board) == 16


def test_holes_are_not_cells() -> None:
    assert least(drawn_board(["A.B", ".#.", "A.B"])) == 6
    assert least(drawn_board(["A.B", ".#.", "B.A"])) is None
    assert unique(drawn_board(["AB", "##", "AB"], must_fill=True)) is None
    assert least(drawn_board(["A#.", "..A"], must_fill=True)) is None


def test_pairs_that_part_each_other_are_unsolvable() -> None:
    crossed = SOLVER.solve(drawn_board(["A.B", "...", "B.A"]), Budget())
    assert isinstance(crossed, Unsolvable) and crossed.proof.kind == "swept"
    cut_off = SOLVER.solve(drawn_board(["AB.", "B.A"]), Budget())
    assert isinstance(cut_off, Unsolvable) and cut_off.proof.kind == "cut_off"


def test_more_than_sixty_pairs_and_the_longest_boards() -> None:
    rows = 40
    many = Board(
        rows=rows,
        cols=6,
        pairs=tuple(Pair(color=f"k{r}-{c}", ends=((r, 2 * c), (r, 2 * c + 1))) for r in range(rows) for c in range(3)),
    )
    assert least(many) == 240
    assert least(Board(rows=1, cols=40, pairs=(Pair(color="a", ends=((0, 39), (0, 0))),))) == 40


# -- budgets and fall-backs ----------------------------------------------------------------------


def spiral() -> Board:
    """Solved only by long ways round."""
    return drawn_board(["A.......", ".BCDEF..", ".......G", ".G......", "..FEDC..", "....A..B"])


@pytest.mark.parametrize("budget", [Budget(seconds=0.0), Budget(states=0, seconds=0.0)])
def test_no_budget_is_unknown_and_never_unsolvable(budget: Budget) -> None:
    for board in (drawn_board(["A.B", "...", "B.A"]), spiral()):
        outcome = SOLVER.solve(board, budget)
        assert isinstance(outcome, Unknown)
        assert outcome.lower_bound == len(board.pairs) and outcome.facts["cells_at_least"] > 0


def test_cp_sat_decides_what_the_sweep_has_no_states_for() -> None:
    few = Budget(states=1)
    assert least(spiral(), few) == least(spiral())
    assert least(drawn_board(["A.B", "...", "B.A"]), few) is None
    assert least(NINE_FILLINGS, few) == 16


def test_dropped_states_prove_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(color_connect_frontier, "MOST_IN_LAYER", 2)
    for board in color_boards(9, 60, most=5):
        truth = recount(board, PLENTY)
        assert truth is not None and least(board) == truth.least
        outcome = SOLVER.solve(board, Budget())
        if isinstance(outcome, Solved) and "unique" in outcome.facts:
            assert outcome.facts["unique"] == (truth.ways == 1)


def test_a_first_layout_is_a_layout() -> None:
    found = 0
    for board in color_boards(10, 200, most=6, must_fill=False):
        paths = first_layout(board, Budget())
        if paths is not None:
            found += 1
            moves = [Move(pair.color, path) for pair, path in zip(board.pairs, paths, strict=True)]
            assert GAME.won(board, replay(GAME, board, moves))
        assert (paths is None) == (least(board) is None)  # boards this small fit the narrow passes
    assert found > 50


# -- from a state --------------------------------------------------------------------------------


def test_from_a_state_paths_in_the_way_are_taken_away() -> None:
    board = drawn_board(["A.B", "...", "A.B", "C.C"])
    straight: Path = ((0, 0), (1, 0), (2, 0))
    winding: Path = ((0, 2), (0, 1), (1, 1), (1, 2), (2, 2))
    state = State((straight, winding, ()))
    outcome: Outcome[Move] = SOLVER.solve(board, Budget(), state)
    assert isinstance(outcome, Solved)
    assert [(move.color, bool(move.path)) for move in outcome.moves] == [("b", False), ("b", True), ("c", True)]
    assert outcome.lower_bound == 1 and outcome.facts["min_cells"] == 9
    final = replay(GAME, board, outcome.moves, state)
    assert GAME.won(board, final)
    done = SOLVER.solve(board, Budget(), final)
    assert isinstance(done, Solved) and done.moves == () and done.lower_bound == 0


def test_an_unsolvable_board_stays_so_in_every_state() -> None:
    board = drawn_board(["A.B", "...", "B.A"])
    state = State((((0, 0), (1, 0), (1, 1), (1, 2), (2, 2)), ()))
    assert isinstance(SOLVER.solve(board, Budget(), state), Unsolvable)


# -- certificates --------------------------------------------------------------------------------


def certificate_of(board: Board) -> tuple[Level, dict[str, Any]]:
    level = Level(GAME, board, Manual(kind="manual"))
    outcome = SOLVER.solve(board, Budget())
    assert not isinstance(outcome, Unknown)
    return level, certify(level, SOLVER.version, outcome)


def codes_after(board: Board, part: str, change: dict[str, Any]) -> list[str]:
    """What the checker says when a part of the certificate is changed and sealed again."""
    level, certificate = certificate_of(board)
    body = {key: value for key, value in certificate.items() if key != "seal"}
    body[part] = body[part] | change
    return [problem.code for problem in check_certificate(level, body | {"seal": digest_of(body)})]


def test_certificates_hold() -> None:
    for board in color_boards(11, 150, most=5):
        assert check_certificate(*certificate_of(board)) == [], board


def test_false_claims_are_found() -> None:
    straight, crossed = drawn_board(["A.B", "...", "A.B"]), drawn_board(["A.B", "...", "B.A"])
    safe = {"can_dead_end": False}
    assert codes_after(straight, "claim", {"facts": safe | {"min_cells": 4}}) == ["fact_wrong"]
    assert codes_after(straight, "claim", {"facts": safe | {"min_cells": 6, "unique": True}}) == ["fact_wrong"]
    assert codes_after(straight, "claim", {"facts": {"min_cells": 6}}) == ["fact_wrong"]
    assert codes_after(straight, "claim", {"facts": safe | {"min_cells": 6, "cells": 8}}) == ["fact_wrong"]
    assert codes_after(straight, "claim", {"facts": safe | {"min_cells": 6, "easy": True}}) == ["fact_wrong"]
    assert codes_after(crossed, "claim", {"facts": {"can_dead_end": True, "min_cells": 6}}) == ["fact_wrong"]
    assert codes_after(straight, "claim", {"lower_bound": 1}) == ["not_minimal"]
    assert codes_after(straight, "claim", {"proven": False}) == ["proof_malformed"]
    assert codes_after(crossed, "proof", {"kind": "cut_off", "color": "a"}) == ["proof_wrong"]
    assert codes_after(crossed, "proof", {"kind": "checkerboard"}) == ["proof_wrong"]
    several = NINE_FILLINGS
    assert codes_after(several, "claim", {"facts": safe | {"min_cells": 16, "unique": True}}) == ["fact_wrong"]


def test_a_solvable_board_is_not_certified_unsolvable() -> None:
    level, certificate = certificate_of(drawn_board(["A.B", "...", "A.B"]))
    refusal = certify(level, SOLVER.version, SOLVER.solve(drawn_board(["A.B", "...", "B.A"]), Budget()))
    body = {key: value for key, value in certificate.items() if key != "seal"}
    body |= {"claim": refusal["claim"], "proof": refusal["proof"]}
    found = check_certificate(level, body | {"seal": digest_of(body)})
    assert [problem.code for problem in found] == ["verdict_wrong"]


# -- handed puzzles ------------------------------------------------------------------------------


def check_handed(puzzles: list[dict[str, Any]]) -> None:
    for puzzle in puzzles:
        assert least(drawn_board(puzzle["grid"])) == puzzle["min_total_path_cells"], puzzle
        if puzzle["solvable_fill"] is None:
            continue
        expected = puzzle["fill_solution_unique"] if puzzle["solvable_fill"] else None
        assert unique(drawn_board(puzzle["grid"], must_fill=True)) == expected, puzzle


def test_a_sample_of_the_handed_puzzles() -> None:
    check_handed([puzzle for puzzle in known("color_connect") if puzzle["rows"] <= 9][::10])


def test_every_published_level_has_its_least_cells_proved() -> None:
    for puzzle in published("color_connect"):
        board = Board.model_validate_json(json.dumps(puzzle["level"]["board"]))
        assert least(board) is not None


@pytest.mark.slow
def test_a_third_of_the_handed_puzzles_of_every_size() -> None:
    check_handed(sorted(known("color_connect"), key=lambda puzzle: puzzle["rows"] * puzzle["cols"])[::3])
