"""Certificates: what a solver claims of a level, why, and the check of both.

The checker imports the rules and the proof checkers below `proofs/`, and nothing of any search: a fault in a solver
cannot hide itself. Every certificate is sealed (the digest of all its other fields), so that damage is noticed even
where a claim cannot be re-derived, such as the count of an exhausted search.
"""

from collections.abc import Mapping
from typing import Any

from pipeline.core.canonical import Json, digest_of
from pipeline.core.errors import PipelineError, Problem
from pipeline.core.outcome import Solved, Unsolvable
from pipeline.games.contract import AnyGame, replay
from pipeline.games.level import Level
from pipeline.solve.proofs.table import CHECKERS

FORMAT = "lpb-certificate/1"
CHECKER_VERSION = "1"
_KEYS = {"format", "checker", "game", "level", "solver", "claim", "proof", "seal"}
_CLAIM_KEYS = {"solvable", "min_moves", "lower_bound", "proven", "solution", "explored", "facts"}


def certify(level: Level, solver_version: str, outcome: Solved[Any] | Unsolvable) -> Json:
    """The sealed certificate of a decided level."""
    body: dict[str, Json] = {
        "format": FORMAT,
        "checker": CHECKER_VERSION,
        "game": level.game.name,
        "level": level.digest,
        "solver": solver_version,
        "claim": _claim(level.game, outcome),
        "proof": {"kind": outcome.proof.kind, **outcome.proof.body},
    }
    return {**body, "seal": digest_of(body)}


def _claim(game: AnyGame, outcome: Solved[Any] | Unsolvable) -> dict[str, Json]:
    shared = {"explored": outcome.explored, "facts": dict(outcome.facts)}
    if isinstance(outcome, Unsolvable):
        nothing = {"solvable": False, "min_moves": None, "lower_bound": None, "proven": True, "solution": None}
        return nothing | shared
    return {
        "solvable": True,
        "min_moves": len(outcome.moves),
        "lower_bound": outcome.lower_bound,
        "proven": outcome.proven,
        "solution": [game.move_document(move) for move in outcome.moves],
    } | shared


def check_certificate(level: Level, certificate: Json) -> list[Problem]:
    """Everything wrong with a certificate of this level; an empty list means it holds."""
    problems = _check_frame(level, certificate)
    if problems:
        return problems
    claim, proof = certificate["claim"], certificate["proof"]
    problems = _check_solution(level, claim) if claim["solvable"] else []
    if problems:
        return problems
    try:
        return CHECKERS[level.game.name](level.board, claim, proof)
    except (KeyError, TypeError, ValueError, IndexError) as error:
        return [Problem("proof_malformed", f"the proof is malformed ({error!r}).", "$.proof")]


def _check_frame(level: Level, certificate: Json) -> list[Problem]:
    if not isinstance(certificate, Mapping) or set(certificate) != _KEYS:
        return [Problem("certificate_malformed", "it does not have the fields of a certificate.")]
    body = {key: value for key, value in certificate.items() if key != "seal"}
    if certificate["seal"] != digest_of(body):
        return [Problem("seal_broken", "its content does not match its seal.", "$.seal")]
    if certificate["format"] != FORMAT or certificate["checker"] != CHECKER_VERSION:
        message = f"only {FORMAT} for checker {CHECKER_VERSION} is known."
        return [Problem("certificate_format", message, "$.format")]
    if (certificate["game"], certificate["level"]) != (level.game.name, level.digest):
        return [Problem("other_level", "it certifies another level.", "$.level")]
    claim = certificate["claim"]
    if not isinstance(claim, Mapping) or set(claim) != _CLAIM_KEYS or not isinstance(claim["solvable"], bool):
        return [Problem("certificate_malformed", "its claim does not have the fields of a claim.", "$.claim")]
    if not isinstance(certificate["proof"], Mapping) or not isinstance(claim["facts"], Mapping):
        return [Problem("certificate_malformed", "its proof or facts are no object.", "$.proof")]
    return _check_types(claim)


def _check_types(claim: Mapping[str, Json]) -> list[Problem]:
    """Counts that are counts and verdicts that are true or false: `1 == True` would let others through below."""
    facts, explored = claim["facts"], claim["explored"]
    counts = (claim["min_moves"], claim["lower_bound"])
    if claim["solvable"]:
        sound = type(claim["proven"]) is bool and all(type(count) is int for count in counts)
    else:
        sound = claim["proven"] is True and (*counts, claim["solution"]) == (None, None, None)
    if not sound or type(explored) is not int or explored < 0:
        return [Problem("certificate_malformed", "a field of its claim has the wrong type.", "$.claim")]
    if type(facts.get("can_dead_end", False)) is not bool or any(isinstance(f, list | dict) for f in facts.values()):
        return [Problem("certificate_malformed", "a fact has the wrong type.", "$.claim.facts")]
    return []


def _check_solution(level: Level, claim: Mapping[str, Json]) -> list[Problem]:
    game = level.game
    if not isinstance(claim["solution"], list):
        return [Problem("no_solution", "it claims a solution and gives none.", "$.claim.solution")]
    try:
        moves = [game.parse_move_document(document) for document in claim["solution"]]
        final = replay(game, level.board, moves)
    except PipelineError as error:
        return [Problem("solution_illegal", str(error), "$.claim.solution")]
    if not game.won(level.board, final):
        return [Problem("solution_unfinished", "its solution does not win the level.", "$.claim.solution")]
    least, bound = claim["min_moves"], claim["lower_bound"]
    if least != len(moves) or type(bound) is not int or not 0 <= bound <= least:
        return [Problem("counts_disagree", "its counts do not fit its solution.", "$.claim.min_moves")]
    return []
