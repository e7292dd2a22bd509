"""What can be re-checked of a Nut and Bolt claim.

The bound is computed anew from its formula (written here a second time on purpose: checkers share nothing with the
search), and a solution that meets it is minimal without more. A minimum above it rests on exhausted layers, an
unsolvable verdict on all reachable states: small searches are repeated by the rules, larger records stand as the
solver's word, sealed against damage. A claim that play can be lost comes with moves to a lost state: they are replayed.
"""

from collections import Counter
from collections.abc import Iterator, Mapping

from pipeline.core.canonical import Json
from pipeline.core.errors import PipelineError, Problem
from pipeline.games import nut_and_bolt
from pipeline.games.contract import replay
from pipeline.solve.proofs.facts import unknown_facts
from pipeline.solve.proofs.recount import check_small, recount

GAME = nut_and_bolt.GAME
LIMIT = 1_000
"""Largest number of states swept here: about a tenth of a second."""


def check(board: nut_and_bolt.Board, claim: Mapping[str, Json], proof: Mapping[str, Json]) -> list[Problem]:
    """Problems of a claim about a Nut and Bolt board (see `proofs.table`)."""
    checked = _check_solved(board, claim, proof) if claim["solvable"] else _check_unsolvable(board, claim, proof)
    found = [*unknown_facts(claim), *checked]
    if found or proof["kind"] == "bound":
        return found
    return check_small(GAME, board, claim, LIMIT)


def least_possible(board: nut_and_bolt.Board) -> int:
    """R − K + Σ_c max(0, k_c − b_c): runs, bolts the nuts fill, bolts colour c fills, bolts with c at the bottom."""
    runs, bottoms, nuts = 0, Counter[str](), Counter[str]()
    for bolt in board.bolts:
        nuts.update(bolt)
        bottoms.update(bolt[:1])
        runs += sum(1 for lower, upper in zip(("", *bolt), bolt, strict=False) if lower != upper)
    fills = {color: count // board.capacity for color, count in nuts.items()}
    return runs - sum(fills.values()) + sum(max(0, fills[color] - bottoms[color]) for color in fills)


def _check_unsolvable(
    board: nut_and_bolt.Board, claim: Mapping[str, Json], proof: Mapping[str, Json]
) -> Iterator[Problem]:
    if proof["kind"] != "exhausted" or not _counts(proof["states"], claim["explored"]):
        yield Problem("proof_malformed", "an unsolvable level needs the record of an exhausted search.", "$.proof")
    if not claim["proven"]:
        yield Problem("not_proved", "an unsolvable verdict is proved or not given.", "$.claim.proven")
    if claim["facts"].get("can_dead_end") is not True:
        yield Problem("fact_wrong", "an unsolvable level is lost from its start.", "$.claim.facts.can_dead_end")


def _check_solved(board: nut_and_bolt.Board, claim: Mapping[str, Json], proof: Mapping[str, Json]) -> Iterator[Problem]:
    bound = least_possible(board)
    waste = proof["waste"] if proof["kind"] == "exhausted" else 0
    if proof["kind"] not in ("bound", "exhausted") or proof["bound"] != bound:
        yield Problem("bound_wrong", f"the bound of this board is {bound}.", "$.proof.bound")
    elif type(waste) is not int or waste < 0 or claim["lower_bound"] != bound + waste:
        yield Problem("bound_wrong", "the claimed bound is not the proof's.", "$.claim.lower_bound")
    if proof["kind"] == "exhausted" and (waste == 0 or not _counts(proof["states"], claim["explored"])):
        yield Problem("proof_malformed", "the record of the search does not fit the claim.", "$.proof")
    if claim["proven"] != (claim["min_moves"] == claim["lower_bound"]):
        yield Problem("not_minimal", "a minimum is proved exactly when the solution meets the bound.", "$.claim.proven")
    yield from _check_dead_end(board, claim["facts"], proof)


def _check_dead_end(
    board: nut_and_bolt.Board, facts: Mapping[str, Json], proof: Mapping[str, Json]
) -> Iterator[Problem]:
    claimed, record = facts.get("can_dead_end"), proof.get("dead_end")
    if claimed is None and record is None:
        return
    if record is None or claimed is not (record["after"] is not None) or type(record["states"]) is not int:
        yield Problem("fact_wrong", "the fact and its record disagree.", "$.claim.facts.can_dead_end")
    elif claimed:
        try:
            moves = [GAME.parse_move_document(document) for document in record["after"]]
            state = replay(GAME, board, moves)
        except PipelineError as error:
            yield Problem("witness_illegal", str(error), "$.proof.dead_end.after")
            return
        sweep = recount(GAME, board.model_copy(update={"bolts": state}), LIMIT)
        if sweep is not None and sweep[0] is not None:
            yield Problem("witness_wrong", "the state it leads to can still be won.", "$.proof.dead_end.after")
    elif record["states"] <= LIMIT and _reachable_and_winnable(board) != (record["states"],) * 2:
        yield Problem("fact_wrong", "a recount finds other states, or lost ones.", "$.claim.facts.can_dead_end")


def _reachable_and_winnable(board: nut_and_bolt.Board) -> tuple[int, int]:
    """Sweep the reachable states (no more than checkers do) and mark backwards from the wins; count both kinds."""
    start = GAME.start(board)
    before: dict[nut_and_bolt.State, list[nut_and_bolt.State]] = {GAME.key(board, start): []}
    fresh, alive = [GAME.key(board, start)], []
    while fresh and len(before) <= LIMIT:
        state = fresh.pop()
        if GAME.won(board, state):
            alive.append(state)
        for move in GAME.moves(board, state):
            after = GAME.key(board, GAME.apply(board, state, move))
            if after not in before:
                before[after] = []
                fresh.append(after)
            before[after].append(state)
    living = set(alive)
    while alive:
        for state in before[alive.pop()]:
            if state not in living:
                living.add(state)
                alive.append(state)
    return len(before), len(living)


def _counts(states: Json, explored: Json) -> bool:
    return type(states) is int and type(explored) is int and 1 <= states <= explored
