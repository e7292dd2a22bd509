"""Maze Paint solver figures on the proven mazes where they are handed, and on drawn ones: one JSON line a figure."""

import statistics
import time
from typing import Any

import numpy as np

from bench.figures import handed, report
from bench.render.maze_paint import random_board
from pipeline.core.outcome import Budget, Solved, Unsolvable
from pipeline.games.level import Level, Manual
from pipeline.games.maze_paint import GAME, Board
from pipeline.solve.certificate import certify, check_certificate
from pipeline.solve.maze_paint import SOLVER

DRAWN = 30


def measure(name: str, boards: list[Board], proven: list[dict[str, Any]] | None = None) -> None:
    """Times of solving and of checking; levels left undecided, and those that differ from what is proven of them."""
    solving, checking, undecided, wrong = [], [], 0, 0
    for number, board in enumerate(boards):
        began = time.perf_counter()
        outcome = SOLVER.solve(board, Budget())
        solving.append(time.perf_counter() - began)
        if not isinstance(outcome, Solved | Unsolvable) or (isinstance(outcome, Solved) and not outcome.proven):
            undecided += 1
            continue
        if proven is not None:
            least = len(outcome.moves) if isinstance(outcome, Solved) else None
            known = proven[number]
            wrong += least != known["min_slides"] or outcome.facts["can_dead_end"] is known["no_dead_ends"]
        certificate = certify(Level(GAME, board, Manual(kind="manual")), SOLVER.version, outcome)
        began = time.perf_counter()
        check_certificate(Level(GAME, board, Manual(kind="manual")), certificate)
        checking.append(time.perf_counter() - began)
    for what, seconds in (("solve", solving), ("check", checking)):
        report(f"maze_paint {name} {what}, median", 1000 * statistics.median(seconds), "ms")
        report(f"maze_paint {name} {what}, worst", 1000 * max(seconds), "ms")
    report(f"maze_paint {name} undecided", undecided, "levels")
    report(f"maze_paint {name} wrong", wrong, "levels")


def main() -> None:
    SOLVER.warm_up()
    rng = np.random.default_rng(2026)
    measure("drawn", [random_board(rng) for _ in range(DRAWN)])
    if known := handed("cases/maze_paint/known.jsonl"):
        measure("handed", [Board(grid=tuple(entry["grid"])) for entry in known], known)


if __name__ == "__main__":
    main()
