"""Certificates of Nut and Bolt: honest ones hold, and anything changed in one is noticed."""

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import pytest

from pipeline.games.level import Level
from pipeline.games.nut_and_bolt import GAME, Board
from pipeline.solve.nut_and_bolt_codes import lower_bound
from pipeline.solve.proofs.nut_and_bolt import least_possible
from tests.games.boards import nut_boards
from tests.solve.certificates import Certificate, certified, codes

Changes = tuple[dict[str, Any], dict[str, Any]]
"""New fields of the claim and of the proof."""


@pytest.fixture(scope="module")
def small_levels() -> list[tuple[Level, Certificate]]:
    return [certified(GAME, board) for board in nut_boards(41, 80)]


def forgeries(certificate: Certificate) -> Iterator[Changes]:
    """Changes that each make a false certificate of a small board."""
    claim, proof = certificate["claim"], certificate["proof"]
    yield {"solvable": not claim["solvable"]}, {}
    yield {"proven": False}, {}
    yield {"facts": {"can_dead_end": not claim["facts"]["can_dead_end"]}}, {}
    yield {}, {"kind": "believe_me"}
    if not claim["solvable"]:
        return
    for cut in range(claim["min_moves"]):
        shorter = claim["solution"][:cut] + claim["solution"][cut + 1 :]
        yield {"solution": shorter, "min_moves": len(shorter)}, {}
    for by in (-1, 1):
        yield {"lower_bound": claim["lower_bound"] + by}, {}
        yield {"min_moves": claim["min_moves"] + by}, {}
        yield {}, {"bound": proof["bound"] + by}
        moved = {"kind": "exhausted", "waste": proof.get("waste", 0) + by, "states": claim["explored"]}
        yield {"lower_bound": claim["lower_bound"] + by}, moved


def test_honest_certificates_hold(small_levels: list[tuple[Level, Certificate]]) -> None:
    assert [codes(level, certificate, {}, {}) for level, certificate in small_levels] == [[]] * len(small_levels)
    kinds = {certificate["proof"]["kind"] for _, certificate in small_levels}
    assert kinds == {"bound", "exhausted"}


def test_forged_certificates_are_rejected(small_levels: list[tuple[Level, Certificate]]) -> None:
    tried = 0
    for level, certificate in small_levels:
        for claim, proof in forgeries(certificate):
            assert codes(level, certificate, claim, proof) != []
            tried += 1
    assert tried >= 900


def test_certificates_of_other_levels_are_rejected(small_levels: list[tuple[Level, Certificate]]) -> None:
    for (level, _), (other, certificate) in pairwise(small_levels):
        if level.digest != other.digest:
            assert codes(level, certificate, {}, {}) == ["other_level"]


def test_a_witness_that_leads_to_a_state_that_can_be_won_is_rejected(
    small_levels: list[tuple[Level, Certificate]],
) -> None:
    tried = 0
    for level, certificate in small_levels:
        if certificate["claim"]["solvable"] and certificate["claim"]["facts"]["can_dead_end"]:
            record = certificate["proof"]["dead_end"] | {"after": []}
            assert codes(level, certificate, {}, {"dead_end": record}) == ["witness_wrong"]
            tried += 1
    assert tried >= 5


def test_a_safe_claim_must_name_all_states(small_levels: list[tuple[Level, Certificate]]) -> None:
    tried = 0
    for level, certificate in small_levels:
        if certificate["claim"]["facts"]["can_dead_end"] is False:
            record = certificate["proof"]["dead_end"]
            fewer = record | {"states": record["states"] - 1}
            assert codes(level, certificate, {}, {"dead_end": fewer}) == ["fact_wrong"]
            tried += 1
    assert tried >= 20


def test_the_checkers_bound_is_the_solvers() -> None:
    for board in nut_boards(42, 300):
        assert least_possible(board) == lower_bound(board.bolts, board.capacity)


def test_a_stored_minimum_one_too_high_is_noticed() -> None:
    """A solution with a detour replays and wins; the recount finds the shorter one."""
    board = Board(capacity=2, bolts=(("r", "b"), ("b", "r"), (), ()))
    level, certificate = certified(GAME, board)
    assert certificate["claim"]["min_moves"] == 3
    detour = [{"from": i, "to": j} for i, j in ((0, 2), (2, 3), (1, 0), (3, 1))]
    claim = {"solution": detour, "min_moves": 4, "lower_bound": 4}
    proof = {
        "kind": "exhausted",
        "waste": 4 - certificate["proof"]["bound"],
        "states": certificate["claim"]["explored"],
    }
    assert codes(level, certificate, claim, proof) == ["bound_wrong"]
