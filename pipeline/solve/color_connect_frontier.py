"""Passes of the Color Connect frontier sweep over a board, and the layouts read back from them."""

from dataclasses import dataclass, field

import numpy as np

from pipeline.core.outcome import Budget, Clock
from pipeline.games.color_connect import Board
from pipeline.games.color_connect_paths import Path, Spot
from pipeline.solve.color_connect_plugs import BLOCKED, COLOR, FAR, FREE, Grid
from pipeline.solve.color_connect_sweep import DOWN, RIGHT, Layer, sweep
from pipeline.solve.grid_steps import steps_between, steps_from

UNBOUNDED = FAR // 2 - 1
"""A bound that cuts nothing but the hopeless."""
QUOTA = 200_000
"""New states between two looks at the clock: about a tenth of a second."""
BYTES_PER_STATE = 200
"""Of a layer being swept: both layers, hash table and copies."""
MOST_IN_LAYER = 4_000_000
"""States a layer may keep: about two seconds of work, the longest a pass overruns its time."""


@dataclass(frozen=True)
class Pass:
    """What one pass found: a layout (paths in pair order) or none, and what that proves."""

    paths: tuple[Path, ...] | None
    value: int
    """Cells of the layout; with `must_fill` the number of layouts, 2 standing for more."""
    exhausted: bool
    """Every layout within the bound was considered."""
    cut: bool
    """The bound cut states: there may be layouts beyond it."""
    states: int


@dataclass
class _Trace:
    """Links of every cell swept, in the pieces they came in."""

    links: list[np.ndarray] = field(default_factory=list)

    def add(self, links: np.ndarray, counts: np.ndarray) -> None:
        self.links += np.split(links, np.cumsum(counts)[:-1])

    def steps(self) -> list[int]:
        """Where the path of every cell goes on, in the layout that the only last state stands for."""
        index, steps = 0, []
        for links in reversed(self.links):
            link = int(links[index])
            steps.append(link & 3)
            index = link >> 2
        return steps[::-1]


class Frontier:
    """A board prepared for sweeping along its longer side, so that the frontier is as short as can be."""

    def __init__(self, board: Board) -> None:
        self._board = board
        self._turned = board.cols > board.rows
        self._rows, self._width = (board.cols, board.rows) if self._turned else (board.rows, board.cols)
        self.bits = (COLOR + len(board.pairs) - 1).bit_length()
        self._grid = self._prepared()

    @property
    def fits(self) -> bool:
        """Whether a state fits two 64-bit words."""
        return self._width + 1 <= 2 * (64 // self.bits)

    @property
    def least_cells(self) -> list[int | None]:
        """For each pair the cells of a shortest path past walls and other ends; None where there is none."""
        steps = [int(self._grid.to_last[pair, end]) for pair, end in enumerate(self._grid.first)]
        return [None if s >= FAR else s + 1 for s in steps]

    def run(self, bound: int, budget: Budget, clock: Clock, keep: int | None = None) -> Pass | None:
        """One pass for layouts of at most `bound` cells, not more than `keep` states wide; None when time or states
        run out."""
        memory = float("inf") if budget.memory_bytes is None else budget.memory_bytes
        widest = int(min(memory // BYTES_PER_STATE, MOST_IN_LAYER)) if keep is None else keep
        most = min(memory // 8, float("inf") if budget.states is None else budget.states)
        layer, trace = _first_layer(self._grid.must_fill), _Trace()
        cell, states, cut, dropped = 0, 0, False, False
        while cell < self._rows * self._width and layer.lo.size:
            if clock.left <= 0 or states > most:
                return None
            cell, layer, links, counts, cut_now, dropped_now = sweep(self._grid, bound, widest, QUOTA, cell, layer)
            trace.add(links, counts)
            states, cut, dropped = states + links.size, cut or cut_now, dropped or dropped_now
        if not layer.lo.size:
            return Pass(None, 0, not dropped, cut, states)
        return Pass(self._paths(trace.steps()), int(layer.value[0]), not dropped, cut, states)

    def _prepared(self) -> Grid:
        board = self._board
        kind = np.full((self._rows + 2, self._width + 2), BLOCKED, np.int64)
        kind[1:-1, 1:-1] = FREE
        for spot in board.walls:
            kind[tuple(i + 1 for i in self._own(spot))] = BLOCKED
        ends = [sorted(self._own(end) for end in pair.ends) for pair in board.pairs]
        for pair, both in enumerate(ends):
            for row, col in both:
                kind[row + 1, col + 1] = COLOR + pair
        free = kind[1:-1, 1:-1] == FREE
        to_last = np.empty((len(ends), free.size), np.int32)
        for pair, (first, last) in enumerate(ends):
            free[first] = True
            to_last[pair] = steps_from(free, self._number(last), FAR)
            free[first] = False
        firsts, lasts = (np.array([self._number(both[i]) for both in ends], np.int64) for i in (0, 1))
        apart = steps_between(free, FAR)
        return Grid(kind, firsts, lasts, to_last, apart, self.bits, 64 // self.bits, board.must_fill)

    def _own(self, spot: Spot) -> Spot:
        """A cell of the board in the sweep's orientation, and back."""
        return (spot[1], spot[0]) if self._turned else spot

    def _number(self, spot: Spot) -> int:
        return spot[0] * self._width + spot[1]

    def _paths(self, steps: list[int]) -> tuple[Path, ...]:
        """The path of every pair, from `ends[0]` to `ends[1]`."""
        links: dict[Spot, list[Spot]] = {}
        for number, step in enumerate(steps):
            row, col = divmod(number, self._width)
            for flag, ahead in ((DOWN, (row + 1, col)), (RIGHT, (row, col + 1))):
                if step & flag:
                    links.setdefault((row, col), []).append(ahead)
                    links.setdefault(ahead, []).append((row, col))
        found = []
        for pair in self._board.pairs:
            path = [self._own(pair.ends[0])]
            while path[-1] != self._own(pair.ends[1]):
                path.append(next(spot for spot in links[path[-1]] if spot not in path[-2:]))
            found.append(tuple(self._own(spot) for spot in path))
        return tuple(found)


def _first_layer(must_fill: bool) -> Layer:
    """The state before any cell: no plugs, no cells used, one way to get there."""
    words = np.zeros(1, np.uint64)
    value = np.array([1 if must_fill else 0], np.int16)
    return Layer(words, words.copy(), value, np.zeros(1, np.int16), np.zeros(1, np.uint32))
