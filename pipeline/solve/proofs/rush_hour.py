"""What can be re-checked of a Rush Hour claim.

A minimum or an unsolvable verdict rests on an exhausted breadth-first search; its record names the states seen. Small
clusters are swept again by the rules; larger records stand as the solver's word, sealed against damage.
"""

from collections.abc import Mapping

from pipeline.core.canonical import Json
from pipeline.core.errors import Problem
from pipeline.games import rush_hour
from pipeline.solve.proofs.recount import check_small


def check(board: rush_hour.Board, claim: Mapping[str, Json], proof: Mapping[str, Json]) -> list[Problem]:
    """Problems of a claim about a Rush Hour board (see `proofs.table`)."""
    if claim["facts"].get("can_dead_end") is not False:
        return [Problem("fact_wrong", "slides are reversible, so no state is lost.", "$.claim.facts.can_dead_end")]
    if not claim["proven"] or (claim["solvable"] and claim["lower_bound"] != claim["min_moves"]):
        return [Problem("not_minimal", "breadth-first search proves its minimum.", "$.claim.proven")]
    if proof["kind"] != "exhausted" or proof["states"] != claim["explored"] or proof["states"] < 1:
        return [Problem("proof_malformed", "the record of the search does not fit the claim.", "$.proof")]
    return check_small(rush_hour.GAME, board, claim)
