"""Recounting a small exhausted search by the rules alone, for checkers.

A plain breadth-first sweep over `games/`, written apart from every solver on purpose.
"""

from collections.abc import Hashable, Mapping
from typing import Any

from pipeline.core.canonical import Json
from pipeline.core.errors import Problem
from pipeline.games.contract import AnyGame

RECOUNT_LIMIT = 2_000
"""Largest number of states a checker sweeps itself: beyond it the record stands as the solver's word."""


def recount(game: AnyGame, board: Any, limit: int = RECOUNT_LIMIT) -> tuple[int | None, int] | None:
    """(least moves or None when unsolvable, states reachable up to the depth of the first win); None beyond `limit`."""
    start = game.start(board)
    if game.won(board, start):
        return 0, 1
    seen: set[Hashable] = {game.key(board, start)}
    layer, depth = [start], 0
    while layer:
        depth += 1
        following: list[Any] = []
        for state in layer:
            for move in game.moves(board, state):
                after = game.apply(board, state, move)
                key = game.key(board, after)
                if key in seen:
                    continue
                if game.won(board, after):
                    return depth, len(seen)
                seen.add(key)
                if len(seen) > limit:
                    return None
                following.append(after)
        layer = following
    return None, len(seen)


def check_small(game: AnyGame, board: Any, claim: Mapping[str, Json], limit: int = RECOUNT_LIMIT) -> list[Problem]:
    """Compare verdict and proven minimum with a recount, where the level is small enough for one."""
    found = recount(game, board, limit)
    if found is None:
        return []
    least, _ = found
    if claim["solvable"] != (least is not None):
        return [Problem("verdict_wrong", "a recount by the rules comes to the other verdict.", "$.claim.solvable")]
    if claim["solvable"] and claim["lower_bound"] > least:
        message = f"a recount solves it in {least} moves, below the claimed bound {claim['lower_bound']}."
        return [Problem("bound_wrong", message, "$.claim.lower_bound")]
    if claim["proven"] and claim["min_moves"] != least:
        return [Problem("minimum_wrong", f"a recount finds the minimum {least}.", "$.claim.min_moves")]
    return []
