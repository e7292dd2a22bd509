"""Bolt Unscrew: making a found solution shorter by leaving moves out and joining two moves of one screw into one."""

from collections.abc import Iterator, Sequence

from pipeline.games.bolt_unscrew import Move, State, free_holes, successor
from pipeline.games.bolt_unscrew_rig import Rig
from pipeline.solve.bolt_unscrew_best_first import Effort


def shortened(rig: Rig, start: State, moves: Sequence[Move], effort: Effort) -> tuple[Move, ...]:
    """A solution at least as short, from which no single omission or joining takes another move away."""
    best = tuple(moves)
    while (shorter := _shorter(rig, start, best, effort)) is not None:
        best = shorter
    return best


def _shorter(rig: Rig, start: State, moves: tuple[Move, ...], effort: Effort) -> tuple[Move, ...] | None:
    """The first shorter variant that wins; None when there is none or the effort is spent."""
    for variant in _variants(moves):
        if effort.spent():
            return None
        won = _winning_prefix(rig, start, variant, effort)
        if won is not None:
            return won
    return None


def _variants(moves: tuple[Move, ...]) -> Iterator[tuple[Move, ...]]:
    for i, move in enumerate(moves):
        yield moves[:i] + moves[i + 1 :]
        for j in range(i + 1, len(moves)):
            if moves[j].source == move.target:
                joined = Move(move.source, moves[j].target)
                yield (*moves[:i], joined, *moves[i + 1 : j], *moves[j + 1 :])
                yield (*moves[:i], *moves[i + 1 : j], joined, *moves[j + 1 :])
                break


def _winning_prefix(rig: Rig, start: State, moves: tuple[Move, ...], effort: Effort) -> tuple[Move, ...] | None:
    """The moves up to the win, or None when one of them is illegal or there is no win."""
    state = start
    for number, move in enumerate(moves, 1):
        if move.source not in state.screws or move.target not in free_holes(rig, state):
            return None
        effort.moves += 1
        state = successor(rig, state, move)
        if all(pose is None for pose in state.poses):
            return moves[:number]
    return None
