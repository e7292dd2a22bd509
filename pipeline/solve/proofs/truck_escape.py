"""What can be re-checked of a Truck Escape claim: everything.

A minimum is the number of vehicles; a ring of vehicles that block each other, or an obstacle ahead of one, is looked up
on the board.
"""

from collections.abc import Mapping

from pipeline.core.canonical import Json
from pipeline.core.errors import Problem
from pipeline.games import truck_escape
from pipeline.solve.proofs.facts import unknown_facts


def check(board: truck_escape.Board, claim: Mapping[str, Json], proof: Mapping[str, Json]) -> list[Problem]:
    """Problems of a claim about a Truck Escape board (see `proofs.table`)."""
    if claim["facts"].get("can_dead_end") is not (not claim["solvable"]):
        message = "leaving only frees space, so exactly the unsolvable boards are lost."
        return [Problem("fact_wrong", message, "$.claim.facts.can_dead_end")]
    unknown = unknown_facts(claim)
    if unknown:
        return unknown
    if not claim["proven"]:
        return [Problem("not_minimal", "every verdict of this game is proved.", "$.claim.proven")]
    if claim["solvable"]:
        return _check_count(len(board.vehicles), claim, proof)
    if proof["kind"] == "blocking_cycle":
        return _check_ring(board, proof["vehicles"])
    if proof["kind"] == "obstacle_ahead":
        return _check_obstacle(board, proof["vehicle"], proof["cell"])
    return [Problem("proof_malformed", "an unsolvable board needs a ring of vehicles or an obstacle.", "$.proof.kind")]


def _check_count(vehicles: int, claim: Mapping[str, Json], proof: Mapping[str, Json]) -> list[Problem]:
    counts = (proof["vehicles"], claim["min_moves"], claim["lower_bound"])
    if proof["kind"] != "each_leaves_once" or any(count != vehicles for count in counts):
        return [Problem("minimum_wrong", f"each of the {vehicles} vehicles leaves once.", "$.claim.min_moves")]
    return []


def _check_ring(board: truck_escape.Board, ring: Json) -> list[Problem]:
    vehicles = {v.id: v for v in board.vehicles}
    if not isinstance(ring, list) or not ring or len(set(ring)) != len(ring) or not set(ring) <= set(vehicles):
        return [Problem("proof_malformed", "the ring does not name different vehicles.", "$.proof.vehicles")]
    for name, blocker in zip(ring, ring[1:] + ring[:1], strict=True):
        if not set(truck_escape.lane(board, vehicles[name])) & set(vehicles[blocker].cells()):
            return [Problem("ring_open", f"vehicle {blocker!r} is not ahead of {name!r}.", "$.proof.vehicles")]
    return []


def _check_obstacle(board: truck_escape.Board, name: Json, cell: Json) -> list[Problem]:
    vehicle = next((v for v in board.vehicles if v.id == name), None)
    ahead = vehicle is not None and tuple(cell) in truck_escape.lane(board, vehicle)
    if not ahead or tuple(cell) not in board.obstacles:
        return [Problem("no_obstacle", "no obstacle stands there ahead of that vehicle.", "$.proof.cell")]
    return []
