"""What can be re-checked of a Bolt Unscrew claim.

The bound is counted again from the rules: every screw that holds a plank at the start must move. An exhausted search
is swept again where that is cheap (`pinned` moves cost nothing, `hinged` ones a simulation each); larger records stand
as the solver's word. A claimed dead end names the moves that lead to it, and they are replayed.
"""

from collections.abc import Mapping

from pipeline.core.canonical import Json
from pipeline.core.errors import PipelineError, Problem
from pipeline.games import bolt_unscrew as rules
from pipeline.games.bolt_unscrew_rig import rig_of
from pipeline.solve.proofs.facts import unknown_facts
from pipeline.solve.proofs.recount import check_small

PINNED_RECOUNT = 400
HINGED_RECOUNT = 60
"""Most states swept again: about a second's work in either physics."""
_KINDS = ("bound", "exhausted", "replayed")
_FACTS = {"can_dead_end", "dead_end"}


def check(board: rules.Board, claim: Mapping[str, Json], proof: Mapping[str, Json]) -> list[Problem]:
    """Problems of a claim about a Bolt Unscrew board (see `proofs.table`)."""
    if proof["kind"] not in _KINDS or (not claim["solvable"] and proof["kind"] != "exhausted"):
        return [Problem("proof_malformed", f"{proof['kind']!r} proves no such claim.", "$.proof.kind")]
    problems = unknown_facts(claim, _FACTS)
    if problems:
        return problems
    problems = _check_bound(board, claim, proof) if claim["solvable"] else []
    limit = PINNED_RECOUNT if board.physics == "pinned" else HINGED_RECOUNT
    return problems or _check_dead_end(board, claim) or check_small(rules.GAME, board, claim, limit)


def screws_that_hold(board: rules.Board) -> int:
    """Screws that hold at least one plank at the start: the bound."""
    rig = rig_of(board)
    held = [rig.lying(plank, pose).aligned for plank, pose in enumerate(rig.start)]
    return sum(any(holes >> screw & 1 for holes in held) for screw in board.screws)


def _check_bound(board: rules.Board, claim: Mapping[str, Json], proof: Mapping[str, Json]) -> list[Problem]:
    holding, bound, least = screws_that_hold(board), claim["lower_bound"], claim["min_moves"]
    if claim["proven"] != (bound == least):
        message = "a minimum is proven exactly when the bound meets the solution's length."
        return [Problem("not_minimal", message, "$.claim.proven")]
    if proof["kind"] == "bound" and not proof["holding"] == holding == bound:
        message = f"{holding} screws hold a plank at the start, not {bound}."
        return [Problem("bound_wrong", message, "$.claim.lower_bound")]
    if bound < holding:
        message = f"the bound {bound} is below the {holding} screws that must move."
        return [Problem("bound_wrong", message, "$.claim.lower_bound")]
    if proof["kind"] == "replayed" and claim["proven"]:
        return [Problem("not_minimal", "a replayed solution alone proves no minimum.", "$.claim.proven")]
    return []


def _check_dead_end(board: rules.Board, claim: Mapping[str, Json]) -> list[Problem]:
    named = claim["facts"].get("dead_end")
    if named is None:
        return []
    where = "$.claim.facts.dead_end"
    try:
        state = rules.GAME.parse_state(board, named)
    except PipelineError as error:
        return [Problem("fact_wrong", str(error), where)]
    if claim["facts"].get("can_dead_end") is not True or not rules.GAME.lost_at_sight(board, state):
        return [Problem("fact_wrong", "the moves it names do not lead to a dead end.", where)]
    return []
