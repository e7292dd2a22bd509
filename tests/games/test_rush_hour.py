"""Laws of the Rush Hour rules."""

import itertools

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.core.errors import IllegalMove, PipelineError
from pipeline.core.outcome import Budget, Solved, Unsolvable
from pipeline.games import rush_hour as rules
from pipeline.games.contract import Distance, replay
from pipeline.solve.search import breadth_first
from tests.boards import CARD, rush_board, rush_boards

GAME = rules.GAME


@st.composite
def boards_in_play(draw: st.DrawFn) -> tuple[rules.Board, rules.State]:
    """A board and a state some moves after its start."""
    board = draw(rush_boards())
    state = GAME.start(board)
    for _ in range(draw(st.integers(0, 6))):
        moves = GAME.moves(board, state)
        if moves:
            state = GAME.apply(board, state, draw(st.sampled_from(moves)))
    return board, state


@given(boards_in_play())
def test_texts_parse_back(played: tuple[rules.Board, rules.State]) -> None:
    board, state = played
    assert GAME.parse_state(board, GAME.state_text(board, state)) == state
    for move in GAME.moves(board, state):
        assert GAME.parse_move(GAME.move_text(move)) == move
        assert GAME.parse_move_document(GAME.move_document(move)) == move


@given(boards_in_play())
def test_moves_are_exactly_what_apply_accepts_and_each_can_be_undone(played: tuple[rules.Board, rules.State]) -> None:
    board, state = played
    legal = set(GAME.moves(board, state))
    every = {rules.Move(v.id, by) for v in board.vehicles for by in range(-6, 7)}
    for move in sorted(every, key=str):
        if move in legal:
            after = GAME.apply(board, state, move)
            assert GAME.apply(board, after, rules.Move(move.vehicle, -move.by)) == state
        else:
            with pytest.raises(IllegalMove):
                GAME.apply(board, state, move)


@given(boards_in_play())
def test_symmetries_and_renaming_commute_with_play(played: tuple[rules.Board, rules.State]) -> None:
    board, state = played
    turned = [*GAME.symmetries(board), GAME.relabel(board, list(range(GAME.labels(board)))[::-1])]
    assert len(turned) == 9
    for variant in turned:
        image = variant.state(state)
        assert not GAME.defects(variant.board)
        assert GAME.won(variant.board, image) == GAME.won(board, state)
        assert GAME.progress(variant.board, image) == pytest.approx(GAME.progress(board, state))
        mapped = {variant.move(m): m for m in GAME.moves(board, state)}
        assert set(mapped) == set(GAME.moves(variant.board, image))
        for new, old in mapped.items():
            assert GAME.apply(variant.board, image, new) == variant.state(GAME.apply(board, state, old))


@given(rush_boards(), st.randoms(use_true_random=False))
def test_canonical_form_forgets_names_orders_and_turns(board: rules.Board, rng: object) -> None:
    order = list(range(GAME.labels(board)))
    rng.shuffle(order)  # type: ignore[attr-defined]
    other = GAME.relabel(board, order).board
    vehicles = list(other.vehicles)
    rng.shuffle(vehicles)  # type: ignore[attr-defined]
    other = other.model_copy(update={"vehicles": tuple(vehicles), "walls": tuple(reversed(other.walls))})
    for variant in GAME.symmetries(other):
        assert GAME.canonical(variant.board) == GAME.canonical(board)
    assert GAME.canonical(GAME.canonical(board)) == GAME.canonical(board)


def test_different_boards_have_different_canonical_forms() -> None:
    """All boards of one target and one 2-long vehicle on 3 × 4: equal forms only for boards that are turns."""
    forms: dict[rules.Board, set[frozenset[tuple[int, int]]]] = {}
    for r, c in itertools.product(range(2), range(2, 4)):
        board = rush_board("X X . .\n. . . .\n. . . .")
        extra = rules.Vehicle(id="A", row=r, col=c, length=2, axis="vertical")
        board = board.model_copy(update={"vehicles": (*board.vehicles, extra)})
        forms.setdefault(GAME.canonical(board), set()).add(frozenset(extra.cells()))
    assert all(len(group) == 1 for group in forms.values())
    assert len(forms) == 4


@pytest.mark.parametrize("side", ["left", "right"])
def test_won_only_against_the_exit(side: rules.Side) -> None:
    board = rush_board("X X .\n. . .\n. . .", side)
    assert GAME.won(board, GAME.start(board)) == (side == "left")


def test_progress_follows_the_formula() -> None:
    board = rush_board(CARD)
    start = GAME.start(board)
    assert GAME.progress(board, start) == 0.0
    cleared = replay(GAME, board, [rules.Move("C", 1), rules.Move("B", 3)][:1], start)
    assert GAME.progress(board, cleared) == 0.0
    halfway = GAME.progress(board, start, Distance(remaining=3, at_start=6))
    assert halfway == pytest.approx(0.8 * 0.5)
    assert GAME.progress(board, start, Distance(remaining=9, at_start=6)) == 0.0
    open_lane = rush_board("X X . .\n. . . .\n. . . .")
    assert GAME.progress(open_lane, GAME.start(open_lane)) == pytest.approx(0.7)
    one_right = GAME.apply(open_lane, GAME.start(open_lane), rules.Move("X", 1))
    assert GAME.progress(open_lane, one_right) == pytest.approx(0.7 + 0.3 / 2)


@given(boards_in_play())
def test_progress_is_one_exactly_when_won(played: tuple[rules.Board, rules.State]) -> None:
    board, state = played
    progress = GAME.progress(board, state)
    assert 0 <= progress <= 1
    assert (progress == 1) == GAME.won(board, state)
    assert not GAME.lost_at_sight(board, state)


@pytest.mark.parametrize("text", ["", "X", "X+0", "X+", "+3", "X+123", "X 3", "é+1", "X+03", "X+٣"])
def test_bad_move_texts_are_refused_in_words(text: str) -> None:
    with pytest.raises(PipelineError, match="is not a slide"):
        GAME.parse_move(text)


@pytest.mark.parametrize("text", ["", "a", "0", "0,0,0", "9,0", "0,5", "0,-1", "-2,0", "1.0,0", "-0,0", "00,0", "٠,0"])
def test_bad_state_texts_are_refused(text: str) -> None:
    board = rush_board("X X .\n. . A\n. . A")
    with pytest.raises(PipelineError):
        GAME.parse_state(board, text)


@pytest.mark.parametrize(
    "doc",
    [
        None,
        [],
        {},
        {"vehicle": "X"},
        {"vehicle": "X", "by": True},
        {"vehicle": 1, "by": 1},
        {"vehicle": "X", "by": 1, "z": 0},
        {"vehicle": "X", "by": 1.0},
    ],
)
def test_bad_move_documents_are_refused(doc: object) -> None:
    with pytest.raises(PipelineError):
        GAME.parse_move_document(doc)


@settings(max_examples=40)
@given(rush_boards())
def test_seven_of_eight_turns_give_equal_answers(board: rules.Board) -> None:
    answers = set()
    for variant in GAME.symmetries(board):
        outcome = breadth_first(GAME, variant.board, Budget())
        assert isinstance(outcome, Solved | Unsolvable)
        answers.add(len(outcome.moves) if isinstance(outcome, Solved) else None)
    assert len(answers) == 1


def test_sketch_shows_every_vehicle() -> None:
    board = rush_board(CARD)
    drawn = GAME.sketch(board, GAME.start(board))
    assert drawn.splitlines()[2] == "X X . B . ."
