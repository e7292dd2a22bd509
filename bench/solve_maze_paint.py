"""Measure the Maze Paint solver on a file of proven mazes: one JSON line per figure.

    python -m bench.solve_maze_paint KNOWN.jsonl [--seconds 60]

Each line of the file has `grid`, `min_slides` (null when unsolvable) and `no_dead_ends`.
"""

import argparse
import json
import statistics
import time
from pathlib import Path

from pipeline.core.outcome import Budget, Solved, Unsolvable
from pipeline.games.level import Level, Manual
from pipeline.games.maze_paint import GAME, Board
from pipeline.solve.certificate import certify, check_certificate
from pipeline.solve.maze_paint import SOLVER


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("known", type=Path)
    parser.add_argument("--seconds", type=float, default=60.0)
    arguments = parser.parse_args()
    SOLVER.warm_up()
    solve, check, undecided, wrong, unchecked = [], [], 0, 0, 0
    for line in arguments.known.read_text(encoding="utf-8").splitlines():
        entry = json.loads(line)
        board = Board(grid=tuple(entry["grid"]))
        began = time.perf_counter()
        outcome = SOLVER.solve(board, Budget(seconds=arguments.seconds))
        solve.append(time.perf_counter() - began)
        if not isinstance(outcome, Solved | Unsolvable) or (isinstance(outcome, Solved) and not outcome.proven):
            undecided += 1
            continue
        least = len(outcome.moves) if isinstance(outcome, Solved) else None
        wrong += least != entry["min_slides"] or outcome.facts["can_dead_end"] is entry["no_dead_ends"]
        level = Level(GAME, board, Manual(kind="manual"))
        certificate = certify(level, SOLVER.version, outcome)
        began = time.perf_counter()
        unchecked += bool(check_certificate(level, certificate)) or outcome.proof.kind == "integer_program"
        check.append(time.perf_counter() - began)
    print_figures("maze_paint_solve_seconds", solve)
    print_figures("maze_paint_check_seconds", check)
    counts = {"levels": len(solve), "undecided": undecided, "wrong": wrong, "without_checked_minimum": unchecked}
    print(json.dumps({"figure": "maze_paint_verdicts"} | counts))


def print_figures(name: str, seconds: list[float]) -> None:
    figures = {"median": statistics.median(seconds), "worst": max(seconds), "total": sum(seconds)}
    print(json.dumps({"figure": name} | {key: round(value, 4) for key, value in figures.items()}))


if __name__ == "__main__":
    main()
