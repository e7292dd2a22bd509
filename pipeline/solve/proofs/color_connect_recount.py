"""Recounting the layouts of a small Color Connect board path by path, for the checker.

A plain depth-first search over the rules' own helpers, written apart from every solver on purpose.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from pipeline.games.color_connect import Board
from pipeline.games.color_connect_paths import Spot, distances, neighbours

MOST_FREE = 36
"""Free cells of the largest boards that are recounted."""
MOST_STEPS = 5_000
"""Steps after which a recount gives up."""


@dataclass(frozen=True)
class Recount:
    """The least cells of any layout (None when there is none); with `must_fill` how many there are, 2 for more."""

    least: int | None
    ways: int


class _GivenUp(Exception):
    """The recount takes too long."""


def recount(board: Board, most_steps: int = MOST_STEPS) -> Recount | None:
    """Visit every layout, those that cannot matter left out; None when the board is too large."""
    free = {(r, c) for r in range(board.rows) for c in range(board.cols)} - set(board.walls)
    if len(free) > MOST_FREE:
        return None
    try:
        return _Recount(board, free, most_steps).run()
    except _GivenUp:
        return None


class _Recount:
    """One recount; `_free` holds the free cells that no path uses and no end stands on."""

    def __init__(self, board: Board, free: set[Spot], most_steps: int) -> None:
        self._pairs = [pair.ends for pair in board.pairs]
        self._must_fill = board.must_fill
        self._all = len(free)
        self._free = free - {end for ends in self._pairs for end in ends}
        self._steps_left = most_steps
        self._least: int | None = None
        self._ways = 0

    def run(self) -> Recount:
        for used in self._layouts(0, 0):
            if not self._must_fill or used == self._all:
                self._ways += 1
                self._least = used if self._least is None else min(used, self._least)
            if self._must_fill and self._ways == 2:
                break
        return Recount(self._least, min(2, self._ways))

    def _layouts(self, pair: int, used: int) -> Iterator[int]:
        """Numbers of cells of the layouts of this and the following pairs."""
        if pair == len(self._pairs):
            yield used
            return
        start, end = self._pairs[pair]
        for cells in self._paths(start, end, used + 1):
            yield from self._layouts(pair + 1, cells)

    def _paths(self, spot: Spot, end: Spot, used: int) -> Iterator[int]:
        """Cells used once the path that has come to `spot` is at `end`, for every way on; `_free` follows it."""
        self._steps_left -= 1
        if self._steps_left < 0:
            raise _GivenUp
        if spot == end:
            yield used
            return
        to_end = distances(self._free | {spot}, end).get(spot)
        if to_end is None or (not self._must_fill and self._least is not None and used + to_end >= self._least):
            return
        for beside in neighbours(spot):
            if beside == end or beside in self._free:
                self._free.discard(beside)
                yield from self._paths(beside, end, used + 1)
                if beside != end:
                    self._free.add(beside)
