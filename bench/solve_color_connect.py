"""Speed of the Color Connect solver: one JSON line a figure, process start and warm-up aside.

Boards are drawn with fixed seeds; the proven puzzles are measured too where the folder named by LPB_SHARED has them.
"""

import random
import statistics
import time
from collections.abc import Iterator, Sequence

from bench.figures import handed, report
from pipeline.core.outcome import Budget, Solved, Unknown
from pipeline.games.color_connect import Board, Pair
from pipeline.solve.color_connect import SOLVER, first_layout

SIZES = ((8, 7), (10, 9), (12, 11), (15, 14))
"""(rows and columns, pairs)."""
BOARDS_PER_SIZE = 20


def scattered(size: int, pairs: int, seed: int) -> Board:
    """Ends of random walks that keep off each other: solvable, with ways round."""
    choices = random.Random(seed)
    free = {(row, col) for row in range(size) for col in range(size)}
    drawn: list[Pair] = []
    while len(drawn) < pairs:
        walk = [choices.choice(sorted(free))]
        left = set(free)
        for _ in range(size * size // pairs):
            left.discard(walk[-1])
            row, col = walk[-1]
            beside = [s for s in ((row - 1, col), (row, col - 1), (row, col + 1), (row + 1, col)) if s in left]
            if not beside:
                break
            walk.append(choices.choice(beside))
        if len(walk) > 1:
            free -= set(walk)
            drawn.append(Pair(color=f"k{len(drawn)}", ends=(walk[0], walk[-1])))
    return Board(rows=size, cols=size, pairs=tuple(drawn))


def puzzles() -> Iterator[Board]:
    """The proven puzzles, none where they are not on this machine."""
    for puzzle in handed("cases/color_connect/known.jsonl"):
        grid = puzzle["grid"]
        cells = {(r, c): letter for r, text in enumerate(grid) for c, letter in enumerate(text)}
        letters = sorted(set(cells.values()) - {".", "#"})
        ends = [[spot for spot, letter in cells.items() if letter == name] for name in letters]
        yield Board(
            rows=len(grid),
            cols=len(grid[0]),
            walls=tuple(spot for spot, letter in cells.items() if letter == "#"),
            pairs=tuple(Pair(color=f"k{i}", ends=(first, last)) for i, (first, last) in enumerate(ends)),
        )


def measure(name: str, boards: Sequence[Board]) -> None:
    """Least cells, first layouts and fillings of a set: median and worst times, and how many stayed undecided."""
    filled = [board.model_copy(update={"must_fill": True}) for board in boards]
    undecided = 0
    seconds: dict[str, list[float]] = {"least cells": [], "first layout": [], "filled": []}
    for board, full in zip(boards, filled, strict=True):
        started = time.perf_counter()
        outcome = SOLVER.solve(board, Budget())
        solved = time.perf_counter()
        first_layout(board, Budget())
        first = time.perf_counter()
        SOLVER.solve(full, Budget())
        seconds["filled"].append(time.perf_counter() - first)
        seconds["first layout"].append(first - solved)
        seconds["least cells"].append(solved - started)
        undecided += isinstance(outcome, Unknown) or (isinstance(outcome, Solved) and not outcome.proven)
    for what, spent in seconds.items():
        report(f"color_connect {name} {what} median", 1000 * statistics.median(spent), "ms")
        report(f"color_connect {name} {what} worst", 1000 * max(spent), "ms")
    report(f"color_connect {name} undecided", undecided, "levels")


def main() -> None:
    SOLVER.warm_up()
    for size, pairs in SIZES:
        measure(f"{size}x{size}, {pairs} pairs", [scattered(size, pairs, seed) for seed in range(BOARDS_PER_SIZE)])
    if proven := list(puzzles()):
        measure("proven puzzles", proven)


if __name__ == "__main__":
    main()
