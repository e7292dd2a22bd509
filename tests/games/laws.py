"""Laws every game keeps, checked along a random play."""

import json
import random
from typing import Any

from pipeline.games.contract import AnyGame
from pipeline.games.level import board_digest, board_document

STEPS = 12


def check_laws(game: AnyGame, board: Any, choices: random.Random) -> None:
    """Text and document forms, symmetries, renamings and the canonical form of a board without defects."""
    assert game.defects(board) == []
    assert game.board_type.model_validate_json(_json(board)) == board
    state = game.start(board)
    variants = [*game.symmetries(board), game.relabel(board, _permutation(game.labels(board), choices))]
    assert variants[0].board == board
    states = [variant.state(state) for variant in variants]
    for variant, image in zip(variants, states, strict=True):
        assert game.defects(variant.board) == []
        assert image == game.start(variant.board)
        assert game.canonical(variant.board) == game.canonical(board)
    for _ in range(STEPS):
        _check_state(game, board, state)
        moves = game.moves(board, state)
        for variant, image in zip(variants, states, strict=True):
            assert variant.state(state) == image
            assert set(game.moves(variant.board, image)) == {variant.move(move) for move in moves}
            assert game.won(variant.board, image) == game.won(board, state)
            assert game.progress(variant.board, image) == game.progress(board, state)
        if not moves:
            return
        move = moves[choices.randrange(len(moves))]
        state = game.apply(board, state, move)
        states = [game.apply(v.board, image, v.move(move)) for v, image in zip(variants, states, strict=True)]


def check_canonical(game: AnyGame, board: Any) -> None:
    """The canonical board is a board, and its own canonical form."""
    canonical = game.canonical(board)
    assert game.defects(canonical) == []
    assert game.canonical(canonical) == canonical
    assert board_digest(game, canonical) == board_digest(game, game.canonical(canonical))


def _check_state(game: AnyGame, board: Any, state: Any) -> None:
    text = game.state_text(board, state)
    assert text.isascii() and text.isprintable() and " " not in text and text
    assert game.parse_state(board, text) == state
    progress = game.progress(board, state)
    assert 0 <= progress <= 1 and (progress == 1) == game.won(board, state)
    assert game.sketch(board, state)
    moves = game.moves(board, state)
    assert len(set(moves)) == len(moves)
    assert not (game.lost_at_sight(board, state) and game.won(board, state))
    for move in moves:
        assert game.parse_move(game.move_text(move)) == move
        assert game.parse_move_document(game.move_document(move)) == move
        game.apply(board, state, move)


def _permutation(size: int, choices: random.Random) -> list[int]:
    order = list(range(size))
    choices.shuffle(order)
    return order


def _json(board: Any) -> str:
    return json.dumps(board_document(board))
