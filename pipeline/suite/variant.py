"""Seed variants: isomorphic forms of a level, so that no two runs need show the same picture."""

from typing import Any

from pipeline.core.seeds import SeedStream
from pipeline.games.contract import Variant
from pipeline.games.level import Level

MAX_SEED = 2**32 - 1


def variant_of(level: Level, shelf_digest: str, seed: int) -> Variant[Any, Any, Any]:
    """The level's board under a seed, with the maps of its states and moves. Seed 0 is the level itself.

    Every other seed picks one symmetry and one permutation of labels from a stream that is the same on every machine.
    """
    game, board = level.game, level.board
    if seed == 0:
        return Variant(board, lambda move: move, lambda state: state)
    stream = SeedStream(shelf_digest, level.digest, str(seed))
    symmetries = game.symmetries(board)
    turned = symmetries[stream.below(len(symmetries))]
    renamed = game.relabel(turned.board, stream.permutation(game.labels(board)))
    return Variant(
        renamed.board, lambda move: renamed.move(turned.move(move)), lambda state: renamed.state(turned.state(state))
    )
