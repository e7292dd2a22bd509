"""Certificates of Nut and Bolt: honest ones hold, and anything changed in one is noticed."""

import copy
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from pipeline.core.canonical import digest_of
from pipeline.core.outcome import Budget, Solved, Unsolvable
from pipeline.games.level import Level, Manual
from pipeline.games.nut_and_bolt import GAME, Board
from pipeline.solve.certificate import certify, check_certificate
from pipeline.solve.nut_and_bolt import SOLVER
from pipeline.solve.nut_and_bolt_codes import lower_bound
from pipeline.solve.proofs.nut_and_bolt import least_possible
from tests.games.boards import nut_boards

Certificate = dict[str, Any]


def certified(board: Board) -> tuple[Level, Certificate]:
    outcome = SOLVER.solve(board, Budget())
    assert isinstance(outcome, Solved | Unsolvable)
    level = Level(GAME, board, Manual(kind="manual"))
    return level, certify(level, SOLVER.version, outcome)


def resealed(certificate: Certificate, change: Callable[[Certificate], None]) -> Certificate:
    """A changed copy with a seal that fits it, so that only its content can give it away."""
    copied = copy.deepcopy(certificate)
    change(copied)
    body = {key: value for key, value in copied.items() if key != "seal"}
    return {**body, "seal": digest_of(body)}


def forgeries(certificate: Certificate) -> Iterator[Callable[[Certificate], None]]:
    """Changes that each make a false certificate of a small board."""
    claim, proof = certificate["claim"], certificate["proof"]
    yield lambda c: c["claim"].update(solvable=not claim["solvable"])
    yield lambda c: c["claim"].update(proven=False)
    yield lambda c: c["claim"]["facts"].update(can_dead_end=not claim["facts"]["can_dead_end"])
    if not claim["solvable"]:
        return
    for cut in range(claim["min_moves"]):
        yield lambda c, cut=cut: _replace_solution(c, claim["solution"][:cut] + claim["solution"][cut + 1 :])
    for by in (-1, 1):
        yield lambda c, by=by: c["claim"].update(lower_bound=claim["lower_bound"] + by)
        yield lambda c, by=by: c["claim"].update(min_moves=claim["min_moves"] + by)
        yield lambda c, by=by: c["proof"].update(bound=proof["bound"] + by)
        yield lambda c, by=by: _move_both(c, by)
    yield lambda c: c["proof"].update(kind="believe_me")


def _replace_solution(certificate: Certificate, solution: list[Any]) -> None:
    certificate["claim"].update(solution=solution, min_moves=len(solution))


def _move_both(certificate: Certificate, by: int) -> None:
    """Claim another minimum consistently: bound, waste and proof all moved."""
    certificate["claim"]["lower_bound"] += by
    certificate["proof"]["waste"] = certificate["proof"].get("waste", 0) + by
    certificate["proof"].update(kind="exhausted", states=certificate["claim"]["explored"])


@pytest.fixture(scope="module")
def small_levels() -> list[tuple[Level, Certificate]]:
    return [certified(board) for board in nut_boards(41, 80)]


def test_honest_certificates_hold(small_levels: list[tuple[Level, Certificate]]) -> None:
    for level, certificate in small_levels:
        assert check_certificate(level, certificate) == []
    kinds = {certificate["proof"]["kind"] for _, certificate in small_levels}
    assert kinds == {"bound", "exhausted"}


def test_forged_certificates_are_rejected(small_levels: list[tuple[Level, Certificate]]) -> None:
    tried = 0
    for level, certificate in small_levels:
        for forge in forgeries(certificate):
            assert check_certificate(level, resealed(certificate, forge)) != []
            tried += 1
    assert tried >= 800


def test_a_witness_of_loss_that_leads_to_a_state_that_can_be_won_is_rejected(
    small_levels: list[tuple[Level, Certificate]],
) -> None:
    tried = 0
    for level, certificate in small_levels:
        if certificate["claim"]["solvable"] and certificate["claim"]["facts"]["can_dead_end"]:
            forged = resealed(certificate, lambda c: c["proof"]["dead_end"].update(after=[]))
            assert [problem.code for problem in check_certificate(level, forged)] == ["witness_wrong"]
            tried += 1
    assert tried >= 5


def test_the_checkers_bound_is_the_solvers() -> None:
    for board in nut_boards(42, 300):
        assert least_possible(board) == lower_bound(board.bolts, board.capacity)


def test_a_stored_minimum_one_too_high_is_noticed() -> None:
    """A solution with a detour replays and wins; the recount finds the shorter one."""
    board = Board(capacity=2, bolts=(("r", "b"), ("b", "r"), (), ()))
    level, certificate = certified(board)
    detour = [{"from": 0, "to": 2}, {"from": 2, "to": 3}, *[{"from": 1, "to": 0}, {"from": 3, "to": 1}]]

    def lengthen(c: Certificate) -> None:
        _replace_solution(c, detour)
        c["claim"].update(lower_bound=len(detour))
        c["proof"].update(kind="exhausted", waste=len(detour) - c["proof"]["bound"], states=c["claim"]["explored"])

    assert certificate["claim"]["min_moves"] == 3
    assert [problem.code for problem in check_certificate(level, resealed(certificate, lengthen))] == ["bound_wrong"]
