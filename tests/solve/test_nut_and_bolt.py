import json
import random
from collections import deque

import pytest

from pipeline.core.outcome import Budget, Solved, Unknown, Unsolvable
from pipeline.games.contract import replay
from pipeline.games.nut_and_bolt import GAME, Board, Move, State
from pipeline.solve.nut_and_bolt import SOLVER
from pipeline.solve.nut_and_bolt_codes import Coding, lower_bound
from pipeline.solve.nut_and_bolt_search import WasteSearch
from pipeline.solve.search import breadth_first
from tests.games.boards import nut_boards
from tests.handed import known, published


def board(capacity: int, *bolts: str) -> Board:
    return Board(capacity=capacity, bolts=tuple(tuple(bolt) for bolt in bolts))


def shuffled(colors: int, capacity: int, empty: int, seed: int) -> Board:
    nuts = [f"k{color}" for color in range(colors) for _ in range(capacity)]
    random.Random(seed).shuffle(nuts)
    full = tuple(tuple(nuts[i : i + capacity]) for i in range(0, len(nuts), capacity))
    return Board(capacity=capacity, bolts=full + ((),) * empty)


def distances(small: Board) -> dict[State, int | None]:
    """The least moves from every reachable state by key, None where it is lost: plain sweep and backward search."""
    start = GAME.key(small, GAME.start(small))
    before: dict[State, list[State]] = {start: []}
    fresh = [start]
    while fresh:
        state = fresh.pop()
        for move in GAME.moves(small, state):
            after = GAME.key(small, GAME.apply(small, state, move))
            if after not in before:
                before[after] = []
                fresh.append(after)
            before[after].append(state)
    found: dict[State, int | None] = {state: 0 for state in before if GAME.won(small, state)}
    queue = deque(found)
    while queue:
        state = queue.popleft()
        for earlier in before[state]:
            if earlier not in found:
                found[earlier] = (found[state] or 0) + 1
                queue.append(earlier)
    return {state: found.get(state) for state in before}


def wins(small: Board, outcome: Solved[Move], state: State | None = None) -> bool:
    return GAME.won(small, replay(GAME, small, outcome.moves, state))


@pytest.mark.parametrize("seed", range(10))
def test_agrees_with_plain_breadth_first_search(seed: int) -> None:
    for small in nut_boards(seed, 220):
        plain, fast = breadth_first(GAME, small, Budget(states=20_000)), SOLVER.solve(small, Budget())
        assert type(fast) is type(plain)
        if isinstance(fast, Solved) and isinstance(plain, Solved):
            assert len(fast.moves) == len(plain.moves) == fast.lower_bound
            assert fast.proven and wins(small, fast)


def test_agrees_state_by_state_and_on_whether_play_can_be_lost() -> None:
    for small in nut_boards(99, 40):
        exact = distances(small)
        assert SOLVER.solve(small, Budget()).facts["can_dead_end"] == (None in exact.values())
        for state, least in list(exact.items())[:30]:
            outcome = SOLVER.solve(small, Budget(), state)
            if least is None:
                assert isinstance(outcome, Unsolvable)
            else:
                assert isinstance(outcome, Solved) and len(outcome.moves) == least and wins(small, outcome, state)


def test_no_move_lowers_the_bound_by_more_than_one_or_raises_it() -> None:
    choices = random.Random(7)
    for small in nut_boards(8, 200):
        state = GAME.start(small)
        for _ in range(15):
            bound = lower_bound(state, small.capacity)
            assert (bound == 0) == GAME.won(small, state)
            successors = [GAME.apply(small, state, move) for move in GAME.moves(small, state)]
            assert all(bound - 1 <= lower_bound(after, small.capacity) <= bound for after in successors)
            if not successors:
                break
            state = choices.choice(successors)


def test_symmetric_and_renamed_boards_give_equal_answers() -> None:
    choices = random.Random(9)
    for small in nut_boards(10, 60):
        names = list(range(GAME.labels(small)))
        choices.shuffle(names)
        outcome = SOLVER.solve(small, Budget())
        for variant in (*GAME.symmetries(small), GAME.relabel(small, names)):
            other = SOLVER.solve(variant.board, Budget())
            assert type(other) is type(outcome) and other.facts == outcome.facts
            if isinstance(outcome, Solved) and isinstance(other, Solved):
                assert len(other.moves) == len(outcome.moves)
                final = replay(GAME, variant.board, [variant.move(move) for move in outcome.moves])
                assert GAME.won(variant.board, final)


def test_the_same_search_twice_gives_the_same_outcome() -> None:
    big = shuffled(9, 4, 2, 3)
    assert SOLVER.solve(big, Budget()) == SOLVER.solve(big, Budget())


def test_an_already_won_board_takes_no_moves() -> None:
    done = board(2, "rr", "", "bb")
    outcome = SOLVER.solve(done, Budget())
    assert isinstance(outcome, Solved) and outcome.moves == () and outcome.proven


def test_a_search_cut_off_anywhere_never_says_unsolvable_and_its_bound_holds() -> None:
    hard = shuffled(8, 4, 2, 21)
    full = SOLVER.solve(hard, Budget())
    assert isinstance(full, Solved) and full.proven and full.explored > 50
    for states in range(1, full.explored, 7):
        cut = SOLVER.solve(hard, Budget(states=states))
        assert not isinstance(cut, Unsolvable)
        assert cut.lower_bound <= len(full.moves)
        if isinstance(cut, Solved):
            assert wins(hard, cut) and len(cut.moves) >= len(full.moves)
            assert cut.proven == (len(cut.moves) == cut.lower_bound)


def test_memory_and_time_run_out_into_unknown() -> None:
    hopeless = shuffled(16, 5, 2, 22)
    assert isinstance(SOLVER.solve(hopeless, Budget()), Unsolvable)
    assert isinstance(SOLVER.solve(hopeless, Budget(memory_bytes=1)), Unknown)
    assert isinstance(SOLVER.solve(hopeless, Budget(seconds=0, states=20_000)), Unknown)


def test_what_no_longer_fits_in_time_is_still_solved_if_not_proved() -> None:
    large = shuffled(18, 4, 2, 3)
    outcome = SOLVER.solve(large, Budget(states=3_000))
    exact = SOLVER.solve(large, Budget())
    assert isinstance(outcome, Solved) and isinstance(exact, Solved)
    assert exact.explored > 10_000 and not outcome.proven
    assert wins(large, outcome) and outcome.lower_bound <= len(exact.moves) <= len(outcome.moves)


@pytest.mark.parametrize(
    "hopeless",
    [
        board(2, "rb", "br"),
        board(2, "rb", "br", "gy", "yg"),
        board(3, "rrb", "bbr"),
        board(3, "bgr", "rbr", "bg", "g"),
    ],
    ids=["no_move", "no_move_four", "no_move_runs", "to_and_fro"],
)
def test_boards_with_right_counts_that_go_nowhere_are_unsolvable_at_once(hopeless: Board) -> None:
    outcome = SOLVER.solve(hopeless, Budget())
    assert isinstance(outcome, Unsolvable) and outcome.explored <= 8
    assert outcome.facts["can_dead_end"] is True


def test_the_end_of_a_list_is_the_top() -> None:
    """Turned upside down, a board passes every count check and is another puzzle."""
    answers = set()
    for small in nut_boards(31, 120):
        flipped = small.model_copy(update={"bolts": tuple(bolt[::-1] for bolt in small.bolts)})
        pair = [breadth_first(GAME, b, Budget(states=20_000)) for b in (small, flipped)]
        assert [type(SOLVER.solve(b, Budget())) for b in (small, flipped)] == [type(outcome) for outcome in pair]
        answers.add(tuple(type(outcome).__name__ for outcome in pair))
    assert ("Solved", "Unsolvable") in answers


@pytest.mark.parametrize(
    ("capacity", "bolts", "least"),
    [(5, ("rbrrb", "", "brrbb", ""), 6), (4, ("rgb", "rgb", "bgr", "gbr"), None), (4, ("rr", "rr"), 1)],
)
def test_the_capacity_is_the_documents_not_the_tallest_bolts(
    capacity: int, bolts: tuple[str, ...], least: int | None
) -> None:
    low = board(capacity, *bolts)
    outcome, plain = SOLVER.solve(low, Budget()), breadth_first(GAME, low, Budget())
    assert isinstance(outcome, Solved) and isinstance(plain, Solved)
    assert len(outcome.moves) == len(plain.moves) == (least or len(plain.moves))


@pytest.mark.parametrize(("colors", "capacity", "empty"), [(2, 32, 3), (20, 3, 3), (40, 2, 3), (60, 1, 4)])
def test_extreme_sizes(colors: int, capacity: int, empty: int) -> None:
    extreme = shuffled(colors, capacity, empty, 1)
    outcome = SOLVER.solve(extreme, Budget(states=50_000))
    assert isinstance(outcome, Solved) and wins(extreme, outcome)


def test_codes_spell_every_content_back() -> None:
    for small in nut_boards(12, 50):
        coding = Coding(small.bolts, small.capacity)
        assert sorted(coding.content(int(code)) for code in coding.start) == sorted(small.bolts)


def test_a_dive_finds_a_win_where_there_is_one() -> None:
    for small in nut_boards(13, 150):
        dive, exact = WasteSearch(small, small.bolts, greedy=True), WasteSearch(small, small.bolts)
        if not GAME.won(small, small.bolts):
            assert dive.run(Budget()) is exact.run(Budget())


@pytest.mark.cases
def test_known_puzzles() -> None:
    wrong = []
    for puzzle in known("nut_and_bolt"):
        bolts = tuple(tuple(f"k{nut}" for nut in stack) for stack in puzzle["stacks"])
        handed = Board(capacity=puzzle["capacity"], bolts=bolts)
        outcome = SOLVER.solve(handed, Budget())
        if isinstance(outcome, Solved):
            right = outcome.proven and len(outcome.moves) == puzzle["min_moves"] and wins(handed, outcome)
        else:
            right = isinstance(outcome, Unsolvable) and not puzzle["solvable"]
        if not right:
            wrong.append(puzzle["id"])
    assert wrong == []


@pytest.mark.cases
def test_published_levels_are_solved_with_proven_minima() -> None:
    levels = [Board.model_validate_json(_json(entry["level"]["board"])) for entry in published("nut_and_bolt")]
    outcomes = [SOLVER.solve(level, Budget()) for level in levels]
    assert len(levels) == 13
    assert all(isinstance(o, Solved) and o.proven and wins(b, o) for b, o in zip(levels, outcomes, strict=True))


def _json(document: object) -> str:
    return json.dumps(document)
