"""The plain reference search: breadth-first on the game contract. Readable and slow; the fast solvers answer to it."""

from collections.abc import Hashable
from dataclasses import dataclass
from typing import Any

from pipeline.core.outcome import Budget, Clock, Outcome, Proof, Solved, Unknown, Unsolvable
from pipeline.games.contract import AnyGame


@dataclass(frozen=True)
class _Step:
    state: Any
    move: Any
    before: Hashable


def breadth_first(game: AnyGame, board: Any, budget: Budget, state: Any = None) -> Outcome[Any]:
    """The least number of moves to a won state, or Unsolvable after every reachable state was seen.

    A solution found at depth d is minimal because all states at depth < d were expanded before it.
    """
    clock = Clock(budget)
    start = game.start(board) if state is None else state
    root = game.key(board, start)
    seen: dict[Hashable, _Step | None] = {root: None}
    layer: list[tuple[Hashable, Any]] = [(root, start)]
    depth = 0
    if game.won(board, start):
        return Solved((), 0, True, Proof("already_won"), 1)
    while layer:
        following: list[tuple[Hashable, Any]] = []
        for key, current in layer:
            if clock.left <= 0 or (budget.states is not None and len(seen) > budget.states):
                return Unknown(depth + 1, len(seen), f"stopped after {len(seen):,} states")
            for move in game.moves(board, current):
                after = game.apply(board, current, move)
                after_key = game.key(board, after)
                if after_key in seen:
                    continue
                seen[after_key] = _Step(current, move, key)
                if game.won(board, after):
                    path = _path(seen, after_key)
                    return Solved(path, depth + 1, True, Proof("exhausted", {"below": depth + 1}), len(seen))
                following.append((after_key, after))
        layer, depth = following, depth + 1
    return Unsolvable(Proof("exhausted", {"reachable": len(seen)}), len(seen))


def _path(seen: dict[Hashable, _Step | None], key: Hashable) -> tuple[Any, ...]:
    moves = []
    step = seen[key]
    while step is not None:
        moves.append(step.move)
        step = seen[step.before]
    return tuple(reversed(moves))
