"""Certificates of boards, honest and forged, for the tests of proof checkers."""

from typing import Any

from pipeline.core.canonical import digest_of
from pipeline.core.outcome import Budget, Solved, Unsolvable
from pipeline.games.level import Level, Manual
from pipeline.solve.certificate import certify, check_certificate
from pipeline.solve.table import SOLVERS

Certificate = dict[str, Any]


def certified(game: Any, board: Any) -> tuple[Level, Certificate]:
    """A level of this board and the certificate its solver makes; the board must be decided."""
    solver = SOLVERS[game.name]
    outcome = solver.solve(board, Budget())
    assert isinstance(outcome, Solved | Unsolvable)
    level = Level(game, board, Manual(kind="manual"))
    return level, certify(level, solver.version, outcome)


def codes(level: Level, certificate: Certificate, claim: dict[str, Any], proof: dict[str, Any]) -> list[str]:
    """The problems of a certificate with some fields changed and a seal that fits: only content can give it away."""
    body = {key: value for key, value in certificate.items() if key != "seal"}
    body |= {"claim": certificate["claim"] | claim, "proof": certificate["proof"] | proof}
    return [problem.code for problem in check_certificate(level, {**body, "seal": digest_of(body)})]
