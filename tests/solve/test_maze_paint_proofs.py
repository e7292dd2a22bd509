"""Certificates of Maze Paint: honest ones hold, and forged bounds, reasons and facts are noticed."""

import copy
from typing import Any

import pytest

from pipeline.core.canonical import digest_of
from pipeline.core.outcome import Budget, Solved, Unsolvable
from pipeline.games.level import Level, Manual
from pipeline.games.maze_paint import GAME, Board
from pipeline.solve.certificate import certify, check_certificate
from pipeline.solve.maze_paint import SOLVER
from tests.games.maze_paint_boards import maze, mazes

BRANCHING = maze(".#..", "....", ".@..", "..#.")
"""A maze whose root relaxation falls short of its minimum."""

ONE_WAY = maze("#.##", ".@..", "#.##")
"""Whichever line the ball takes, it never stops on the crossing again."""


def certified(board: Board) -> tuple[Level, dict[str, Any]]:
    outcome = SOLVER.solve(board, Budget())
    assert isinstance(outcome, Solved | Unsolvable)
    level = Level(GAME, board, Manual(kind="manual"))
    return level, certify(level, SOLVER.version, outcome)


def codes(level: Level, certificate: dict[str, Any], claim: dict[str, Any], proof: dict[str, Any]) -> list[str]:
    """The problems of a certificate with some fields changed and a seal that fits."""
    body = {key: value for key, value in certificate.items() if key != "seal"}
    body |= {"claim": certificate["claim"] | claim, "proof": certificate["proof"] | proof}
    return [problem.code for problem in check_certificate(level, {**body, "seal": digest_of(body)})]


def leaves(tree: dict[str, Any]) -> list[dict[str, Any]]:
    if "slides" in tree:
        return leaves(tree["below"]) + leaves(tree["above"])
    return [tree]


def test_honest_certificates_hold_and_forged_claims_do_not() -> None:
    kinds: dict[str, int] = {}
    one_way = [variant.board for variant in GAME.symmetries(ONE_WAY)]
    for board in [*mazes(21, 250, most=6), *one_way]:
        level, certificate = certified(board)
        assert codes(level, certificate, {}, {}) == []
        claim, proof = certificate["claim"], certificate["proof"]
        kinds[proof["kind"]] = kinds.get(proof["kind"], 0) + 1
        assert codes(level, certificate, {"facts": {}}, {}) == ["fact_wrong"]
        flipped = {"can_dead_end": not claim["facts"]["can_dead_end"]}
        assert codes(level, certificate, {"facts": flipped}, {}) == ["fact_wrong"]
        if claim["solvable"]:
            lie = {"solvable": False, "min_moves": None, "lower_bound": None, "solution": None}
            for kind in ("one_way", "unreachable_cells"):
                assert codes(level, certificate, lie, {"kind": kind, "cells": []}) != []
        elif proof["kind"] == "unreachable_cells":
            assert codes(level, certificate, {}, {"cells": proof["cells"][1:]}) == ["reason_wrong"]
    assert min(kinds.get(kind, 0) for kind in ("bound_tree", "unreachable_cells", "one_way")) >= 8


def test_a_minimum_needs_its_whole_tree() -> None:
    level, certificate = certified(BRANCHING)
    tree = certificate["proof"]["tree"]
    assert "slides" in tree
    assert codes(level, certificate, {}, {"tree": tree["below"]}) != []
    assert codes(level, certificate, {}, {"tree": tree["above"]}) != []
    swapped = tree | {"below": tree["above"], "above": tree["below"]}
    assert codes(level, certificate, {}, {"tree": swapped}) != []


def test_a_longer_solution_is_not_minimal() -> None:
    level, certificate = certified(BRANCHING)
    solution = [*certificate["claim"]["solution"]]
    back = {"up": "down", "down": "up", "left": "right", "right": "left"}[solution[-1]["slide"]]
    claim = {"solution": [*solution, {"slide": back}], "min_moves": len(solution) + 1, "lower_bound": len(solution) + 1}
    assert codes(level, certificate, claim, {}) == ["bound_wrong"]


@pytest.mark.parametrize(
    "spoil",
    [
        lambda leaf: leaf["rows"][0].__setitem__(1, leaf["rows"][0][1] + leaf["scale"]),
        lambda leaf: leaf["rows"][0].__setitem__(1, -1),
        lambda leaf: leaf["rows"][0].__setitem__(1, 0.5),
        lambda leaf: leaf["rows"][0].__setitem__(0, -1),
        lambda leaf: leaf.__setitem__("scale", 1),
        lambda leaf: leaf.__setitem__("scale", 0),
        lambda leaf: leaf.__setitem__("rows", []),
        lambda leaf: leaf.__setitem__("potentials", [[0, 0, 10**6]]),
        lambda leaf: leaf.__setitem__("bounds", [[[[0, 0, "right"]], 5]]),
    ],
)
def test_spoilt_multipliers_are_noticed(spoil: Any) -> None:
    level, certificate = certified(BRANCHING)
    for number in range(len(leaves(certificate["proof"]["tree"]))):
        tree = copy.deepcopy(certificate["proof"]["tree"])
        spoil(leaves(tree)[number])
        assert codes(level, certificate, {}, {"tree": tree}) != []


def test_inequalities_that_do_not_hold_are_noticed() -> None:
    level, certificate = certified(BRANCHING)
    start = list(GAME.start(BRANCHING).ball)
    for number, row in enumerate(certificate["proof"]["rows"]):
        for spoilt in (row | {"cell": start}, row | {"inside": [*row["inside"], start]}):
            rows = [*certificate["proof"]["rows"]]
            rows[number] = spoilt
            assert codes(level, certificate, {}, {"rows": rows}) == ["proof_malformed"]
