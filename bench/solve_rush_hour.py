"""Rush Hour solver figures, warm: the 40 classic cards where they are handed, and the largest known 6 × 6 cluster.

Prints one JSON line per figure.
"""

import time

from bench.figures import SHARED, report
from pipeline.core.outcome import Budget
from pipeline.games import rush_hour as rules
from pipeline.solve.rush_hour import SOLVER, count_reachable
from tests.boards import rush_board

LARGEST = "BB.C...D.CEE.DAAFGH.IIFGH.JKK.LLJ..."
REPEATS = 5


def board_of(text: str) -> rules.Board:
    """36 letters in reading order, A the target."""
    marks = text.replace("A", "X")
    return rush_board("\n".join(" ".join(marks[row : row + 6]) for row in range(0, 36, 6)))


def best_seconds(boards: list[rules.Board]) -> float:
    """The shortest of several runs over all boards: what the code costs, not what the machine does beside it."""
    times = []
    for _ in range(REPEATS):
        began = time.perf_counter()
        for board in boards:
            SOLVER.solve(board, Budget())
        times.append(time.perf_counter() - began)
    return min(times)


def main() -> None:
    SOLVER.warm_up()
    cards = SHARED / "cases" / "rush_hour" / "forty.txt"
    if cards.is_file():
        boards = [board_of(line) for line in cards.read_text(encoding="utf-8").split()]
        report("rush_hour: 40 classic cards, in total", 1000 * best_seconds(boards), "ms")
    board, states, times = board_of(LARGEST), 0, []
    for _ in range(REPEATS):
        began = time.perf_counter()
        states = count_reachable(board, Budget()) or 0
        times.append(time.perf_counter() - began)
    report("rush_hour: states of the largest 6 x 6 cluster", states, "states")
    report("rush_hour: rate on the largest 6 x 6 cluster", states / min(times) / 1e6, "million states/s")


if __name__ == "__main__":
    main()
