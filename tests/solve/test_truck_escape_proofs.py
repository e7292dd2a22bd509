"""Certificates of Truck Escape: honest ones hold, and a ring that is none is noticed."""

from pipeline.core.outcome import Budget, Solved
from pipeline.games.truck_escape import GAME
from pipeline.solve.truck_escape import SOLVER
from tests.games.boards import truck_boards
from tests.solve.certificates import certified, codes


def test_honest_certificates_hold_and_forged_ones_do_not() -> None:
    kinds: dict[str, int] = {}
    for board in truck_boards(51, 400):
        level, certificate = certified(GAME, board)
        assert codes(level, certificate, {}, {}) == []
        claim, proof = certificate["claim"], certificate["proof"]
        kinds[proof["kind"]] = kinds.get(proof["kind"], 0) + 1
        assert codes(level, certificate, {"solvable": not claim["solvable"]}, {}) != []
        unproven = "not_minimal" if claim["solvable"] else "certificate_malformed"  # a verdict is proved or not given
        assert codes(level, certificate, {"proven": False}, {}) == [unproven]
        assert codes(level, certificate, {"facts": {}}, {}) == ["fact_wrong"]
        match proof["kind"]:
            case "each_leaves_once":
                shorter = {"solution": claim["solution"][1:], "min_moves": claim["min_moves"] - 1}
                assert codes(level, certificate, shorter, {}) != []
                assert codes(level, certificate, {"lower_bound": claim["lower_bound"] - 1}, {}) == ["minimum_wrong"]
            case "blocking_cycle":
                ring = proof["vehicles"]
                assert codes(level, certificate, {}, {"vehicles": ring[:1]}) == ["ring_open"]
                assert codes(level, certificate, {}, {"vehicles": [*ring, "nobody"]}) == ["proof_malformed"]
                assert codes(level, certificate, {}, {"vehicles": []}) == ["proof_malformed"]
            case "obstacle_ahead":
                row, col = proof["cell"]
                assert codes(level, certificate, {}, {"cell": [row + 1, col]}) == ["no_obstacle"]
                assert codes(level, certificate, {}, {"vehicle": "nobody"}) == ["no_obstacle"]
    assert min(kinds.get(kind, 0) for kind in ("each_leaves_once", "blocking_cycle", "obstacle_ahead")) >= 10


def test_an_unsolvable_claim_for_a_solvable_board_finds_no_proof() -> None:
    board = next(b for b in truck_boards(52, 50) if isinstance(SOLVER.solve(b, Budget()), Solved))
    level, certificate = certified(GAME, board)
    names = [vehicle.id for vehicle in board.vehicles]
    lie = {"solvable": False, "min_moves": None, "lower_bound": None, "solution": None, "facts": {"can_dead_end": True}}
    assert codes(level, certificate, lie, {"kind": "blocking_cycle", "vehicles": names}) == ["ring_open"]
    assert codes(level, certificate, lie, {"kind": "each_leaves_once"}) == ["proof_malformed"]
