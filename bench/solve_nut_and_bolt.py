"""Speed of the Nut and Bolt solver: one JSON line a figure, process start and warm-up aside.

Boards are shuffled with fixed seeds; the proven puzzles are measured too where the folder named by LPB_SHARED has them.
"""

import random
import statistics
import time
from collections.abc import Sequence

from bench.figures import handed, report
from pipeline.core.outcome import Budget, Unknown
from pipeline.games.nut_and_bolt import Board
from pipeline.solve.nut_and_bolt import SOLVER

SIZES = ((9, 4, 2), (14, 4, 2), (18, 4, 2), (12, 6, 2), (9, 8, 2), (16, 5, 2))
"""(colours, capacity, empty bolts)."""
BOARDS_PER_SIZE = 30


def shuffled(colors: int, capacity: int, empty: int, seed: int) -> Board:
    """Full bolts of shuffled nuts and some empty bolts."""
    nuts = [f"k{color}" for color in range(colors) for _ in range(capacity)]
    random.Random(seed).shuffle(nuts)
    full = tuple(tuple(nuts[i : i + capacity]) for i in range(0, len(nuts), capacity))
    return Board(capacity=capacity, bolts=full + ((),) * empty)


def proven() -> list[Board]:
    """The proven puzzles, none where they are not on this machine."""
    puzzles = handed("cases/nut_and_bolt/known.jsonl")
    spelled = [tuple(tuple(f"k{nut}" for nut in stack) for stack in puzzle["stacks"]) for puzzle in puzzles]
    return [Board(capacity=p["capacity"], bolts=bolts) for p, bolts in zip(puzzles, spelled, strict=True)]


def measure(name: str, boards: Sequence[Board]) -> None:
    """Print the median and the worst time of a set, the states a second, and how many stayed undecided."""
    seconds, states, undecided = [], 0, 0
    for board in boards:
        started = time.perf_counter()
        outcome = SOLVER.solve(board, Budget())
        seconds.append(time.perf_counter() - started)
        states += outcome.explored
        undecided += isinstance(outcome, Unknown)
    report(f"nut_and_bolt {name} median", 1000 * statistics.median(seconds), "ms")
    report(f"nut_and_bolt {name} worst", 1000 * max(seconds), "ms")
    report(f"nut_and_bolt {name} rate", states / sum(seconds), "states/s")
    report(f"nut_and_bolt {name} undecided", undecided, "levels")


def main() -> None:
    SOLVER.warm_up()
    for colors, capacity, empty in SIZES:
        boards = [shuffled(colors, capacity, empty, seed) for seed in range(BOARDS_PER_SIZE)]
        measure(f"{colors}x{capacity}+{empty}", boards)
    if puzzles := proven():
        measure("proven puzzles", puzzles)


if __name__ == "__main__":
    main()
