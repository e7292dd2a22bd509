"""Speed of the Bolt Unscrew solver and its physics: one JSON line a figure, process start aside.

A drawn tower of shelves is always measured; proven and published levels where the folder named by LPB_SHARED has them.
"""

import json
import statistics
import time
from collections.abc import Sequence

from bench.figures import handed, report
from pipeline.core.outcome import Budget, Solved
from pipeline.games.bolt_unscrew import GAME, Board, Move, Plank, Strip
from pipeline.games.bolt_unscrew_physics import settle
from pipeline.solve.bolt_unscrew import SOLVER


def tower(shelves: int) -> Board:
    """Shelves above each other on two screws each, and three free holes at the top."""
    sides = [(x, 200.0 + 90 * k) for k in range(shelves) for x in (150.0, 390.0)]
    planks = tuple(
        Plank(
            id=f"s{k}",
            layer=k,
            shape=Strip(kind="strip", ends=(sides[2 * k], sides[2 * k + 1]), width=56),
            holes=(2 * k, 2 * k + 1),
        )
        for k in range(shelves)
    )
    holes = (*sides, (100.0, 80.0), (270.0, 80.0), (440.0, 80.0))
    return Board(width=540, height=960, hole_radius=20, holes=holes, screws=tuple(range(2 * shelves)), boards=planks)


def levels(file: str) -> list[tuple[str, Board]]:
    """The levels of a handed file with their names."""
    return [(e["source"], Board.model_validate_json(json.dumps(e["level"]["board"]))) for e in handed(file)]


def measure_moves(board: Board) -> None:
    """Milliseconds of a move that must be simulated, over every first move of a board."""
    start, seconds = GAME.start(board), []
    for move in GAME.moves(board, start):
        settle.cache_clear()
        seconds.append(_timed(board, move))
    report("bolt_unscrew simulated move, median", 1000 * statistics.median(seconds), "ms")


def _timed(board: Board, move: Move) -> float:
    started = time.perf_counter()
    GAME.apply(board, GAME.start(board), move)
    return time.perf_counter() - started


def measure(levels: Sequence[tuple[str, Board]]) -> None:
    for name, board in levels:
        settle.cache_clear()
        started = time.perf_counter()
        outcome = SOLVER.solve(board, Budget(seconds=600))
        report(f"bolt_unscrew {name} time", time.perf_counter() - started, "s")
        if isinstance(outcome, Solved):
            report(
                f"bolt_unscrew {name} moves", len(outcome.moves), "moves, proven least" if outcome.proven else "moves"
            )
            report(f"bolt_unscrew {name} bound", outcome.lower_bound, "moves")


def main() -> None:
    measure_moves(tower(6))
    measure([(f"tower of {shelves}", tower(shelves)) for shelves in (3, 6)])
    measure(levels("cases/bolt_unscrew/known.jsonl"))
    measure(levels("paper-levels/bolt_unscrew.jsonl"))


if __name__ == "__main__":
    main()
