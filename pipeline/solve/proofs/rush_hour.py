"""What can be re-checked of a Rush Hour claim.

A minimum or an unsolvable verdict rests on an exhausted breadth-first search; its record names the states seen. Small
clusters are swept again by the rules; larger records stand as the solver's word, sealed against damage. A blocked
lane is derived again here, by pushing the crossing vehicles aside one by one.
"""

from collections.abc import Mapping

from pipeline.core.canonical import Json
from pipeline.core.errors import Problem
from pipeline.games import rush_hour
from pipeline.solve.proofs.recount import check_small

Cell = tuple[int, int]


def check(board: rush_hour.Board, claim: Mapping[str, Json], proof: Mapping[str, Json]) -> list[Problem]:
    """Problems of a claim about a Rush Hour board (see `proofs.table`)."""
    if dict(claim["facts"]) != {"can_dead_end": not claim["solvable"]}:
        message = "slides are reversible: states are lost in unsolvable levels only."
        return [Problem("fact_wrong", message, "$.claim.facts")]
    if claim["proven"] is not True or (claim["solvable"] and claim["lower_bound"] != claim["min_moves"]):
        return [Problem("not_minimal", "breadth-first search proves its minimum.", "$.claim.proven")]
    if proof["kind"] == "lane_blocked" and claim["solvable"] is False and set(proof) == {"kind", "cell"}:
        if _always_covered(board, (int(proof["cell"][0]), int(proof["cell"][1]))):
            return []
        return [Problem("lane_free", f"the lane can be cleared at cell {proof['cell']}.", "$.proof.cell")]
    states = proof.get("states")
    if proof["kind"] != "exhausted" or set(proof) != {"kind", "states"} or type(states) is not int or states < 1:
        return [Problem("proof_malformed", "the record of the search is malformed.", "$.proof")]
    if states != claim["explored"]:
        return [Problem("counts_disagree", "the record does not fit the explored count.", "$.proof.states")]
    return check_small(rush_hour.GAME, board, claim)


def _always_covered(board: rush_hour.Board, cell: Cell) -> bool:
    """Whether a cell between target and exit is covered in every position the vehicles can take."""
    target = next(v for v in board.vehicles if v.id == board.target)
    level = target.axis == "horizontal"
    lane = [(target.row, c) for c in range(board.cols)] if level else [(r, target.col) for r in range(board.rows)]
    ends = [lane.index(c) for c in target.cells()]
    ahead = lane[: ends[0]] if board.exit in ("left", "top") else lane[ends[-1] + 1 :]
    if cell not in ahead:
        return False
    if cell in board.walls or any(cell in v.cells() for v in board.vehicles if v.axis == target.axis):
        return True
    return not _can_step_aside(board, cell, vertical=level)


def _can_step_aside(board: rush_hour.Board, cell: Cell, vertical: bool) -> bool:
    """Push the crossing line's vehicles as far up (left) as they go; those that cannot clear the cell go below."""
    line = [(r, cell[1]) for r in range(board.rows)] if vertical else [(cell[0], c) for c in range(board.cols)]
    at = line.index(cell)
    walls = [i for i, c in enumerate(line) if c in board.walls]
    low = max((w + 1 for w in walls if w < at), default=0)
    high = min((w for w in walls if w > at), default=len(line))
    axis = "vertical" if vertical else "horizontal"
    here = [v for v in board.vehicles if v.axis == axis and v.cells()[0] in line[low:high]]
    edge, below = low, 0
    for vehicle in sorted(here, key=lambda v: (v.row, v.col)):
        if below == 0 and edge + vehicle.length <= at:
            edge += vehicle.length
        else:
            below += vehicle.length
    return at + below < high
