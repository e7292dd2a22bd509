"""The Bolt Unscrew solver against plain search, its certificates against forgery."""

import json
from typing import Any

import pytest

from pipeline.core.canonical import digest_of
from pipeline.core.outcome import Budget, Solved, Unknown, Unsolvable
from pipeline.games.bolt_unscrew import GAME, Board, Move, State
from pipeline.games.contract import replay
from pipeline.games.level import Level, Manual
from pipeline.solve.bolt_unscrew import SOLVER
from pipeline.solve.certificate import certify, check_certificate
from pipeline.solve.search import breadth_first
from tests.games.bolt_unscrew_boards import panel, random_boards, strip
from tests.handed import known, published


def wins(board: Board, outcome: Solved[Move], state: State | None = None) -> bool:
    return GAME.won(board, replay(GAME, board, outcome.moves, state))


def dead_states_exist(board: Board) -> bool:
    """Whether some reachable state cannot be won, by listing all states and searching backwards."""
    start = GAME.start(board)
    states, before = {GAME.key(board, start): start}, dict[Any, list[Any]]()
    waiting = [start]
    while waiting:
        state = waiting.pop()
        for move in GAME.moves(board, state):
            after = GAME.apply(board, state, move)
            key = GAME.key(board, after)
            if key not in states:
                states[key] = after
                waiting.append(after)
            before.setdefault(key, []).append(GAME.key(board, state))
    safe = {key for key, state in states.items() if GAME.won(board, state)}
    spread = list(safe)
    while spread:
        for key in before.get(spread.pop(), []):
            if key not in safe:
                safe.add(key)
                spread.append(key)
    return len(safe) < len(states)


def agree_on_pinned(seed: int, count: int) -> None:
    for board in random_boards(seed, count, "pinned"):
        plain, fast = breadth_first(GAME, board, Budget(states=20_000)), SOLVER.solve(board, Budget())
        assert type(plain) is type(fast)
        if isinstance(plain, Solved) and isinstance(fast, Solved):
            assert fast.proven and fast.lower_bound == len(fast.moves) == len(plain.moves)
            assert wins(board, fast)


@pytest.mark.parametrize("seed", range(5))
def test_pinned_agrees_with_plain_search(seed: int) -> None:
    agree_on_pinned(seed, 100)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(5, 20))
def test_pinned_agrees_with_plain_search_on_more_boards(seed: int) -> None:
    agree_on_pinned(seed, 100)


@pytest.mark.parametrize("seed", range(3))
def test_pinned_dead_ends_agree_with_listing_all_states(seed: int) -> None:
    for board in random_boards(50 + seed, 12, "pinned"):
        fact = SOLVER.solve(board, Budget()).facts.get("can_dead_end")
        assert fact is None or fact == dead_states_exist(board)


@pytest.mark.parametrize("seed", range(4))
def test_hinged_agrees_with_plain_search(seed: int) -> None:
    for board in random_boards(200 + seed, 4, "hinged"):
        plain, fast = breadth_first(GAME, board, Budget(seconds=None, states=400)), SOLVER.solve(board, Budget())
        if isinstance(plain, Solved):
            assert isinstance(fast, Solved) and fast.proven and len(fast.moves) == len(plain.moves)
        if isinstance(plain, Unsolvable):
            assert isinstance(fast, Unsolvable)


def test_no_solution_when_pinned_says_nothing_of_hinged() -> None:
    """Field case B11: two screws, one free hole, which the plank itself covers as long as it does not swing."""
    planks = [strip("a", (100, 200), (300, 200), [0, 1]), strip("cap", (300, 200), (300, 300), [1, 2])]
    board = panel([(100, 200), (300, 200), (300, 300), (60, 60)], [0, 1, 2], planks)
    assert isinstance(SOLVER.solve(board.model_copy(update={"physics": "pinned"}), Budget()), Unsolvable)
    hinged = SOLVER.solve(board, Budget())
    assert isinstance(hinged, Solved) and wins(board, hinged)


def test_without_a_free_hole_nothing_can_be_won() -> None:
    board = panel([(100, 200), (300, 200)], [0, 1], [strip("a", (100, 200), (300, 200), [0, 1])])
    for physics in ("hinged", "pinned"):
        outcome = SOLVER.solve(board.model_copy(update={"physics": physics}), Budget())
        assert isinstance(outcome, Unsolvable) and outcome.facts["can_dead_end"] is True


def test_a_dead_end_is_named_by_moves_that_lead_to_it() -> None:
    """Without the peg below it the plank swings over the peg's hole, and the peg stands in the only free one."""
    board = panel([(300, 200), (300, 330), (60, 60)], [0, 1], [strip("arm", (100, 200), (300, 200), [0])])
    outcome = SOLVER.solve(board, Budget())
    assert isinstance(outcome, Solved) and len(outcome.moves) == 1
    assert outcome.facts == {"can_dead_end": True, "dead_end": "1>2"}
    assert GAME.lost_at_sight(board, GAME.parse_state(board, "1>2"))


def test_solves_from_any_state() -> None:
    for board in random_boards(77, 6, "hinged"):
        outcome = SOLVER.solve(board, Budget())
        if isinstance(outcome, Solved) and len(outcome.moves) > 1:
            state = replay(GAME, board, outcome.moves[:1])
            rest = SOLVER.solve(board, Budget(), state)
            assert isinstance(rest, Solved) and len(rest.moves) == len(outcome.moves) - 1
            assert wins(board, rest, state)
            nothing_left = SOLVER.solve(board, Budget(), replay(GAME, board, outcome.moves))
            assert isinstance(nothing_left, Solved) and nothing_left.moves == () and nothing_left.proven


def test_the_same_outcome_every_time() -> None:
    for board in random_boards(5, 3, "hinged"):
        assert SOLVER.solve(board, Budget()) == SOLVER.solve(board, Budget())


def test_running_out_is_unknown_with_a_bound() -> None:
    board = next(b for b in random_boards(9, 50, "hinged") if len(b.screws) > 3)
    outcome = SOLVER.solve(board, Budget(states=1))
    assert isinstance(outcome, Unknown) and outcome.lower_bound >= 1


@pytest.mark.parametrize("physics", ["hinged", "pinned"])
def test_memory_that_is_used_up_is_unknown_with_a_bound(physics: str) -> None:
    board = next(b for b in random_boards(9, 50, "hinged") if len(b.screws) > 3)
    outcome = SOLVER.solve(board.model_copy(update={"physics": physics}), Budget(memory_bytes=4_000))
    assert isinstance(outcome, Unknown) and outcome.lower_bound >= 1
    roomy = SOLVER.solve(board.model_copy(update={"physics": physics}), Budget(memory_bytes=1 << 28))
    assert isinstance(roomy, Solved | Unsolvable)


def certified(physics: str) -> list[tuple[Level, dict[str, Any]]]:
    found = []
    for board in random_boards(13, 4, "pinned" if physics == "pinned" else "hinged"):
        level = Level(GAME, board, Manual(kind="manual"))
        outcome = SOLVER.solve(board, Budget())
        assert isinstance(outcome, Solved | Unsolvable)
        found.append((level, certify(level, SOLVER.version, outcome)))
    return found


def forged(certificate: dict[str, Any], **changes: object) -> dict[str, Any]:
    """The certificate with parts of its claim changed, and sealed again."""
    body = {key: value for key, value in certificate.items() if key != "seal"}
    body["claim"] = {**body["claim"], **changes}
    return {**body, "seal": digest_of(body)}


@pytest.mark.parametrize("physics", ["pinned", "hinged"])
def test_certificates_hold_and_forged_ones_do_not(physics: str) -> None:
    solved = 0
    for level, certificate in certified(physics):
        assert check_certificate(level, certificate) == []
        claim = certificate["claim"]
        if not claim["solvable"]:
            assert check_certificate(level, forged(certificate, facts={"can_dead_end": True, "dead_end": "-"}))
            assert check_certificate(level, forged(certificate, facts={"can_dead_end": True, "easy": True}))
            continue
        solved += 1
        moves, least = claim["solution"], claim["min_moves"]
        cut = forged(certificate, solution=moves[:-1], min_moves=least - 1, lower_bound=least - 1)
        assert check_certificate(level, cut)
        assert check_certificate(level, forged(certificate, facts={**claim["facts"], "easy": True}))
        swapped = [{"from": moves[0]["to"], "to": moves[0]["from"]}, *moves[1:]]
        assert check_certificate(level, forged(certificate, solution=swapped))
        assert check_certificate(level, forged(certificate, lower_bound=0, proven=False))
        assert check_certificate(level, forged(certificate, facts={"can_dead_end": True, "dead_end": "-"}))
        idle = {"solvable": False, "min_moves": None, "lower_bound": None, "solution": None, "proven": True}
        assert check_certificate(level, forged(certificate, **idle))
    assert solved >= 2


def boards_of(entries: list[dict[str, Any]]) -> list[Board]:
    return [Board.model_validate_json(json.dumps(entry["level"]["board"])) for entry in entries]


def test_known_minima() -> None:
    entries = known("bolt_unscrew")
    for entry, board in zip(entries, boards_of(entries), strict=True):
        outcome = SOLVER.solve(board, Budget())
        assert isinstance(outcome, Solved) and outcome.proven and len(outcome.moves) == entry["min_moves"]


def test_published_easy_levels_are_solved_with_the_least_moves() -> None:
    easy = [entry for entry in published("bolt_unscrew") if "/easy/" in entry["source"]]
    assert len(easy) == 8
    for board in boards_of(easy):
        outcome = SOLVER.solve(board, Budget())
        assert isinstance(outcome, Solved) and outcome.proven and wins(board, outcome)


@pytest.mark.slow
def test_published_hard_levels_one_and_five_are_solved_with_the_least_moves() -> None:
    entries = [entry for entry in published("bolt_unscrew") if entry["source"].endswith(("/hard/1", "/hard/5"))]
    for board, least in zip(boards_of(entries), (16, 21), strict=True):
        outcome = SOLVER.solve(board, Budget(seconds=None))
        assert isinstance(outcome, Solved) and outcome.proven and wins(board, outcome)
        assert len(outcome.moves) < least  # what a first, greedy draft came to
