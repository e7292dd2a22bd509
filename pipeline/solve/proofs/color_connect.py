"""What can be re-checked of a Color Connect claim.

Re-derived in full: a minimum that equals the sum of the pairs' shortest paths, an end that is cut off, a checkerboard
surplus that no paths can meet, and everything on boards small enough for a plain recount. A minimum or an unsolvable
verdict of a larger board rests on an exhausted search: here only its bounds and its parity are checked, and its record
stands as the solver's word.
"""

from collections.abc import Mapping

from pipeline.core.canonical import Json
from pipeline.core.errors import Problem
from pipeline.games.color_connect import Board
from pipeline.games.color_connect_paths import Spot, distances
from pipeline.solve.proofs.color_connect_recount import recount
from pipeline.solve.proofs.facts import ONLY_DEAD_ENDS, unknown_facts

LAYOUT_KINDS = ("shortest_each", "swept", "cp_sat", "filled", "layout")
LAYOUT_FACTS = {"can_dead_end", "min_cells", "cells", "cells_at_least", "unique"}


def check(board: Board, claim: Mapping[str, Json], proof: Mapping[str, Json]) -> list[Problem]:
    """Problems of a claim about a Color Connect board (see `proofs.table`)."""
    if claim["facts"].get("can_dead_end") is not (not claim["solvable"]):
        message = "paths can be taken away again: states are lost in unsolvable levels only."
        return [Problem("fact_wrong", message, "$.claim.facts.can_dead_end")]
    unknown = unknown_facts(claim, LAYOUT_FACTS if claim["solvable"] else ONLY_DEAD_ENDS)
    if unknown:
        return unknown
    if not claim["solvable"]:
        return _check_unsolvable(board, proof)
    if claim["lower_bound"] != len(board.pairs) or claim["min_moves"] != len(board.pairs):
        return [Problem("not_minimal", "a solution draws one path for each pair.", "$.claim.min_moves")]
    return _check_cells(board, claim, proof) or _check_small(board, claim)


def _check_unsolvable(board: Board, proof: Mapping[str, Json]) -> list[Problem]:
    kind = proof["kind"]
    if kind == "cut_off":
        cut_off = [p.color for p, cells in zip(board.pairs, _shortest(board), strict=True) if cells is None]
        holds = proof["color"] in cut_off
    elif kind == "checkerboard":
        free = _free(board)
        holds = board.must_fill and 2 * _surplus(free) != _surplus({e for p in board.pairs for e in p.ends})
    else:
        holds = kind in ("swept", "cp_sat")
    if not holds:
        return [Problem("proof_wrong", f"the board is not unsolvable for the reason given ({kind}).", "$.proof")]
    found = recount(board)
    if found is not None and found.least is not None:
        return [Problem("verdict_wrong", "a recount by the rules finds a layout.", "$.claim.solvable")]
    return []


def _check_cells(board: Board, claim: Mapping[str, Json], proof: Mapping[str, Json]) -> list[Problem]:
    """The number of cells against solution, shortest paths and proof."""
    cells = sum(len(move["path"]) for move in claim["solution"])
    shortest = sum(number or 0 for number in _shortest(board))
    facts, kind = claim["facts"], proof["kind"]
    if kind not in LAYOUT_KINDS or claim["proven"] != (kind != "layout"):
        return [Problem("proof_malformed", f"the proof ({kind}) does not fit the claim.", "$.proof")]
    named = [facts[name] for name in ("min_cells", "cells") if name in facts]
    if any(number != cells for number in named) or ("min_cells" in facts) != claim["proven"]:
        message = f"the solution uses {cells} cells."
        return [Problem("fact_wrong", message, "$.claim.facts.min_cells")]
    if cells < shortest or (cells - shortest) % 2 or not facts.get("cells_at_least", 0) <= cells:
        message = f"{cells} cells do not fit shortest paths of {shortest} cells in all."
        return [Problem("fact_wrong", message, "$.claim.facts")]
    if "unique" in facts and not board.must_fill:
        message = "uniqueness is about layouts that must fill the board."
        return [Problem("fact_wrong", message, "$.claim.facts.unique")]
    if (kind == "filled") != board.must_fill or (kind == "shortest_each" and cells != shortest):
        return [Problem("proof_wrong", f"the least cells do not follow from the proof ({kind}).", "$.proof")]
    return []


def _check_small(board: Board, claim: Mapping[str, Json]) -> list[Problem]:
    """Minimum and uniqueness against a recount, where the board is small enough for one."""
    facts, found = claim["facts"], recount(board)
    if found is None:
        return []
    if claim["proven"] and facts["min_cells"] != found.least:
        message = f"a recount finds a layout of {found.least} cells."
        return [Problem("minimum_wrong", message, "$.claim.facts.min_cells")]
    if "unique" in facts and facts["unique"] != (found.ways == 1):
        return [Problem("fact_wrong", "a recount disagrees on uniqueness.", "$.claim.facts.unique")]
    return []


def _free(board: Board) -> set[Spot]:
    return {(r, c) for r in range(board.rows) for c in range(board.cols)} - set(board.walls)


def _shortest(board: Board) -> list[int | None]:
    """For each pair the cells of a shortest path past walls and other ends; None where there is none."""
    inner = _free(board) - {end for pair in board.pairs for end in pair.ends}
    steps = [distances(inner | {pair.ends[0]}, pair.ends[1]).get(pair.ends[0]) for pair in board.pairs]
    return [None if number is None else number + 1 for number in steps]


def _surplus(spots: set[Spot]) -> int:
    """Light minus dark cells of the checkerboard."""
    return sum(1 - 2 * ((row + col) % 2) for row, col in spots)
