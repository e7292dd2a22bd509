"""Bolts as small integers.

What lies beneath the top run of a bolt never changes while it is covered, and nothing but its own colour is ever put on
a run. So a bolt's content is (what is beneath, colour of the top run, its length), and what can lie beneath is a prefix
of some bolt of the start. That makes a few hundred contents in all: each gets a code, and a table per property turns
a move into two look-ups, whatever the capacity and the number of colours.

    start   | b |     contents of this bolt: r  rb  rbb  rbbb …  (`beneath` r, colour b, length 1 …)
            | b |     `under` of any of them, the top run taken away: r
            | r |     adding m nuts: code + m;  taking m of a longer run: code − m
"""

from collections import Counter
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pipeline.games.nut_and_bolt import Bolt, State

EMPTY = 0
"""The code of the empty bolt."""

Row = NDArray[np.uint16]
"""A state: the codes of its bolts in ascending order (bolt order is irrelevant)."""


class Codes(NamedTuple):
    """One entry per code, but the last two: one per colour."""

    color: NDArray[np.int64]
    """Colour of the top run, −1 for the empty bolt."""
    run: NDArray[np.int64]
    """Length of the top run."""
    room: NDArray[np.int64]
    """Free places."""
    under: NDArray[np.int64]
    """Code without the top run."""
    uniform: NDArray[np.bool_]
    """Whether the bolt is nonempty and its top run is all there is."""
    bottom: NDArray[np.int64]
    """Colour of the lowest nut, −1 for the empty bolt."""
    salt: NDArray[np.uint64]
    """Random word; a state's hash is the sum over its bolts."""
    alone: NDArray[np.int64]
    """Per colour: the code of one nut of it in an empty bolt."""
    need: NDArray[np.int64]
    """Per colour: how many bolts its nuts fill (k_c of the bound)."""


class Coding:
    """The codes of everything that can come of one start state."""

    def __init__(self, state: State, capacity: int) -> None:
        self._capacity = capacity
        self._colors = list(dict.fromkeys(nut for bolt in state for nut in bolt))
        self._contents: list[Bolt] = [()]
        self._first: dict[tuple[Bolt, str], int] = {}
        for color in self._colors:
            self._add((), color)
        for bolt in state:
            for height in range(1, len(bolt)):
                if bolt[height] != bolt[height - 1]:
                    self._add(bolt[:height], bolt[height])
        self.codes = self._tables(Counter(nut for bolt in state for nut in bolt))
        self.start: Row = np.array(sorted(self._code(bolt) for bolt in state), np.uint16)

    def content(self, code: int) -> Bolt:
        """The nuts of a code, bottom → top."""
        return self._contents[code]

    def _add(self, beneath: Bolt, color: str) -> None:
        """Give codes to every length of a run of `color` on `beneath`."""
        if (beneath, color) in self._first:
            return
        self._first[beneath, color] = len(self._contents)
        for length in range(1, self._capacity - len(beneath) + 1):
            self._contents.append(beneath + (color,) * length)

    def _code(self, bolt: Bolt) -> int:
        if not bolt:
            return EMPTY
        run = _top_run(bolt)
        return self._first[bolt[: len(bolt) - run], bolt[-1]] + run - 1

    def _tables(self, counts: Counter[str]) -> Codes:
        index = {color: i for i, color in enumerate(self._colors)}
        runs = [_top_run(bolt) for bolt in self._contents]
        beneath = [bolt[: len(bolt) - run] for bolt, run in zip(self._contents, runs, strict=True)]
        return Codes(
            color=np.array([index[bolt[-1]] if bolt else -1 for bolt in self._contents]),
            run=np.array(runs),
            room=np.array([self._capacity - len(bolt) for bolt in self._contents]),
            under=np.array([self._code(bolt) for bolt in beneath]),
            uniform=np.array([bool(bolt) and not rest for bolt, rest in zip(self._contents, beneath, strict=True)]),
            bottom=np.array([index[bolt[0]] if bolt else -1 for bolt in self._contents]),
            salt=np.array([_mixed(code) for code in range(len(self._contents))], np.uint64),
            alone=np.array([self._first[(), color] for color in self._colors], np.int64),
            need=np.array([counts[color] // self._capacity for color in self._colors], np.int64),
        )


def lower_bound(state: State, capacity: int) -> int:
    """PHI = R − K + Σ_c max(0, k_c − b_c), a lower bound on the moves to a win that no move lowers by more than one.

    R runs in all, K bolts that the nuts fill, k_c bolts that colour c fills, b_c bolts with colour c at the bottom. A
    won state has PHI 0. A move that joins two runs lowers R by one and never raises a b_c; a move to an empty bolt
    raises one b_c by one and keeps R; a split run changes neither.
    """
    runs = sum(1 for bolt in state for i, nut in enumerate(bolt) if i == 0 or bolt[i - 1] != nut)
    counts = Counter(nut for bolt in state for nut in bolt)
    bottoms = Counter(bolt[0] for bolt in state if bolt)
    need = {color: count // capacity for color, count in counts.items()}
    return runs - sum(need.values()) + sum(max(0, need[color] - bottoms[color]) for color in need)


def _top_run(bolt: Bolt) -> int:
    return next((i for i, nut in enumerate(reversed(bolt)) if nut != bolt[-1]), len(bolt))


def _mixed(word: int) -> int:
    """SplitMix64: a well-mixed 64-bit word from a small integer (Steele, Lea and Flood 2014)."""
    word = ((word + 1) * 0x9E3779B97F4A7C15) & (2**64 - 1)
    word = ((word ^ (word >> 30)) * 0xBF58476D1CE4E5B9) & (2**64 - 1)
    word = ((word ^ (word >> 27)) * 0x94D049BB133111EB) & (2**64 - 1)
    return word ^ (word >> 31)
