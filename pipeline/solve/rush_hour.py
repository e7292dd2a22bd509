"""Exact Rush Hour: breadth-first search over all positions, so the first win found is a shortest one.

One static argument comes first and settles many hopeless boards of any size. Vehicles never change their order on a
line, so if no split of the vehicles of a crossing line leaves its cell on the exit lane empty, the target can never
pass that cell:

    exit lane  X X . a >      column `a a a / b b` fills 5 of its 6 cells: either `b` or `a` always covers the lane.
"""

from typing import ClassVar, Self

import numpy as np

from pipeline.core.outcome import Budget, Clock, Outcome, Proof, Solved, Unknown, Unsolvable
from pipeline.games import rush_hour as rules
from pipeline.games.grid import STEPS
from pipeline.solve.contract import Solver
from pipeline.solve.rush_hour_kernel import expand, rehash
from pipeline.solve.rush_hour_layout import EXHAUSTED, FULL, MORE, WON, Frontier
from pipeline.solve.rush_hour_pack import pack

SAFE, LOST = {"can_dead_end": False}, {"can_dead_end": True}
"""Slides are reversible: no state of a solvable level is lost, and every state of an unsolvable one."""
SLICE = 200_000
"""States expanded between two looks at the clock: about a tenth of a second."""
FIRST_STATES, KEPT_STATES = 1 << 12, 1 << 16


class RushHourSolver(Solver[rules.Board, rules.State, rules.Move]):
    """Least slides, or proof that the target cannot leave."""

    game = "rush_hour"
    version = "1"

    def solve(self, board: rules.Board, budget: Budget, state: rules.State | None = None) -> Outcome[rules.Move]:
        start = rules.GAME.start(board) if state is None else state
        if rules.GAME.won(board, start):
            return Solved((), 0, True, Proof("exhausted", {"states": 1}), 1, SAFE)
        blocked = blocked_lane_cell(board)
        if blocked is not None:
            return Unsolvable(Proof("lane_blocked", {"cell": list(blocked)}), 0, LOST)
        with _Sweep(board, start) as sweep:
            return sweep.run(budget)

    def warm_up(self) -> None:
        vehicle = rules.Vehicle(id="X", row=0, col=0, length=2, axis="horizontal")
        board = rules.Board(rows=3, cols=4, vehicles=(vehicle,), target="X", exit="right")
        with _Sweep(board, rules.GAME.start(board)) as sweep:
            sweep.run(Budget())


def count_reachable(board: rules.Board, budget: Budget) -> int | None:
    """Positions reachable from the start, won ones included; None when the budget runs out."""
    sweep = _Sweep(board, rules.GAME.start(board), stop_at_win=False)
    outcome = sweep.run(budget)
    return outcome.explored if isinstance(outcome, Unsolvable) else None


def blocked_lane_cell(board: rules.Board) -> tuple[int, int] | None:
    """A cell the target must pass and never can; None when this argument finds none."""
    target = next(v for v in board.vehicles if v.id == board.target)
    step = STEPS[rules.TOWARDS[board.exit]]
    row, col = target.cells()[-1 if step > (0, 0) else 0]
    walls = set(board.walls)
    on_lane = {spot for v in board.vehicles if v.axis == target.axis for spot in v.cells()}
    for distance in range(1, max(board.rows, board.cols)):
        cell = row + distance * step[0], col + distance * step[1]
        if not (0 <= cell[0] < board.rows and 0 <= cell[1] < board.cols):
            break
        if cell in walls or cell in on_lane or not _can_be_cleared(board, target.axis, cell, walls):
            return cell
    return None


def _can_be_cleared(
    board: rules.Board, lane_axis: rules.Axis, cell: tuple[int, int], walls: set[tuple[int, int]]
) -> bool:
    """Whether the crossing line's vehicles, kept in order, fit beside `cell`."""
    along = (1, 0) if lane_axis == "horizontal" else (0, 1)
    before, after = (_run(board, cell, along, sign, walls) for sign in (-1, 1))
    segment = set(before) | set(after) | {cell}
    crossing = [v for v in board.vehicles if v.axis != lane_axis and (v.row, v.col) in segment]
    lengths = [v.length for v in sorted(crossing, key=lambda v: (v.row, v.col))]
    splits = range(len(lengths) + 1)
    return any(sum(lengths[:k]) <= len(before) and sum(lengths[k:]) <= len(after) for k in splits)


def _run(
    board: rules.Board, cell: tuple[int, int], along: tuple[int, int], sign: int, walls: set[tuple[int, int]]
) -> list[tuple[int, int]]:
    """Cells beside `cell` in one direction up to a wall or the border."""
    found: list[tuple[int, int]] = []
    row, col = cell
    while True:
        row, col = row + sign * along[0], col + sign * along[1]
        if not (0 <= row < board.rows and 0 <= col < board.cols) or (row, col) in walls:
            return found
        found.append((row, col))


class _Sweep:
    """One breadth-first search: the packed layout and the arrays that grow with it.

    Most searches need a few thousand states, and on fresh memory the page faults alone would cost as much as those. So
    searches with keys of one word begin on arrays that, as a context, they hand on to the next one.
    """

    _spare: ClassVar[list[Frontier]] = []

    def __init__(self, board: rules.Board, start: rules.State, stop_at_win: bool = True) -> None:
        self._board = board
        self._layout, key = pack(board, start, stop_at_win)
        self._kept = self._take_spare() if self._layout.words == 1 else None
        self._frontier = self._arrays(FIRST_STATES)
        self._frontier.keys[: len(key)] = key
        self._frontier.moved[0] = -1
        rehash(self._layout.words, self._frontier.keys, 1, self._frontier.table)
        self._count = 1

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._kept is not None and not self._spare:
            self._spare.append(self._kept)

    def _take_spare(self) -> Frontier:
        try:
            return self._spare.pop()  # atomic: no two threads ever get the same arrays
        except IndexError:
            return _allocate(KEPT_STATES, 1)

    def _arrays(self, room: int) -> Frontier:
        """Arrays for so many states, with an empty table; the front of the kept ones while those are large enough."""
        if self._kept is None or room > KEPT_STATES:
            return _allocate(room, self._layout.words)
        keys, parent, moved, table = self._kept
        table[: 2 * room] = 0
        return Frontier(keys[:room], parent[:room], moved[:room], table[: 2 * room])

    def run(self, budget: Budget) -> Outcome[rules.Move]:
        """Expand in the order of discovery until a win, exhaustion, or the end of the budget."""
        clock, first, why = Clock(budget), 0, MORE
        while why not in (WON, EXHAUSTED):
            stop = first + SLICE
            why, self._count, first = expand(self._layout, self._frontier, self._count, first, stop)
            spent = self._overspent(budget, clock) if why in (MORE, FULL) else ""
            if why == FULL and not spent:
                spent = self._grow(budget)
            if spent:
                return Unknown(len(self._path(first)) + 1, self._count, spent)
        proof = Proof("exhausted", {"states": self._count})
        if why == EXHAUSTED:
            return Unsolvable(proof, self._count, LOST)
        moves = self._path(self._count - 1)
        return Solved(tuple(moves), len(moves), True, proof, self._count, SAFE)

    def _overspent(self, budget: Budget, clock: Clock) -> str:
        """Why the search must end now, or nothing."""
        if clock.left <= 0:
            return f"stopped after {budget.seconds:g} seconds and {self._count:,} states"
        if budget.states is not None and self._count > budget.states:
            return f"stopped after {self._count:,} states"
        return ""

    def _grow(self, budget: Budget) -> str:
        """Make room for four times the states; why not, when the memory budget forbids it."""
        words, room = self._layout.words, 4 * self._frontier.parent.size
        needed = room * (8 * words + 6) + 2 * room * 8 * words
        if budget.memory_bytes is not None and needed > budget.memory_bytes:
            return f"stopped at {self._count:,} states: the next table would need {needed >> 20:,} MiB"
        larger = self._arrays(room)
        for new, old in zip(larger[:3], self._frontier[:3], strict=True):
            new[: old.size] = old  # type: ignore[attr-defined,index]
        rehash(words, larger.keys, self._count, larger.table)
        self._frontier = larger
        return ""

    def _path(self, index: int) -> list[rules.Move]:
        """The moves from the start to a state; as many as the state is deep."""
        words, keys = self._layout.words, self._frontier.keys
        moves = []
        while index:
            before, vehicle = int(self._frontier.parent[index]), int(self._frontier.moved[index])
            word, shift = int(self._layout.word[vehicle]), int(self._layout.shift[vehicle])
            change = int(keys[index * words + word]) - int(keys[before * words + word])
            moves.append(rules.Move(self._board.vehicles[vehicle].id, change >> shift))
            index = before
        return moves[::-1]


def _allocate(room: int, words: int) -> Frontier:
    return Frontier(
        keys=np.empty(room * words, np.uint64),
        parent=np.empty(room, np.uint32),
        moved=np.empty(room, np.int16),
        table=np.zeros(2 * room * words, np.uint64),
    )


SOLVER = RushHourSolver()
