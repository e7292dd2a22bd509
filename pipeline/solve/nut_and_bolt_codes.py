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
from functools import lru_cache
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


class _Entry(NamedTuple):
    """One code's row of `Codes`, before it is a table."""

    color: int
    run: int
    room: int
    under: int
    uniform: bool
    bottom: int


class Coding:
    """The codes of everything that can come of one start state (see `coding_of`)."""

    def __init__(self, state: State, capacity: int) -> None:
        self._capacity = capacity
        self._colors = {color: i for i, color in enumerate(dict.fromkeys(nut for bolt in state for nut in bolt))}
        self._contents: list[Bolt] = [()]
        self._entries = [_Entry(-1, 0, capacity, EMPTY, False, -1)]
        self._first: dict[tuple[Bolt, str], int] = {}
        for color in self._colors:
            self._add((), color, EMPTY)
        codes = [self._code_of_start(bolt) for bolt in state]
        self.start: Row = np.array(sorted(codes), np.uint16)
        counts = Counter(nut for bolt in state for nut in bolt)
        self.codes = self._tables([counts[color] // capacity for color in self._colors])

    def content(self, code: int) -> Bolt:
        """The nuts of a code, bottom → top."""
        return self._contents[code]

    def _code_of_start(self, bolt: Bolt) -> int:
        """Give codes to all that can come of a bolt of the start, run by run from below, and return its own."""
        code, height = EMPTY, 0
        while height < len(bolt):
            run = next((i for i, nut in enumerate(bolt[height:]) if nut != bolt[height]), len(bolt) - height)
            code = self._add(bolt[:height], bolt[height], code) + run - 1
            height += run
        return code

    def _add(self, beneath: Bolt, color: str, under: int) -> int:
        """The code of one nut of `color` on `beneath` (whose code is `under`); longer runs have the codes after it."""
        if (beneath, color) not in self._first:
            self._first[beneath, color] = len(self._contents)
            bottom = self._colors[beneath[0] if beneath else color]
            for run in range(1, self._capacity - len(beneath) + 1):
                room = self._capacity - len(beneath) - run
                self._contents.append(beneath + (color,) * run)
                self._entries.append(_Entry(self._colors[color], run, room, under, not beneath, bottom))
        return self._first[beneath, color]

    def _tables(self, need: list[int]) -> Codes:
        color, run, room, under, uniform, bottom = np.array(self._entries, np.int64).T.copy()
        return Codes(
            color=color,
            run=run,
            room=room,
            under=under,
            uniform=uniform.astype(np.bool_),
            bottom=bottom,
            salt=_salts(len(self._entries)),
            alone=np.array([self._first[(), name] for name in self._colors], np.int64),
            need=np.array(need, np.int64),
        )


@lru_cache(maxsize=8)
def coding_of(state: State, capacity: int) -> Coding:
    """The coding of a start state, kept for the searches that follow each other from it."""
    return Coding(state, capacity)


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


def _salts(count: int) -> NDArray[np.uint64]:
    """SplitMix64 of 1 … count: well-mixed words, the same everywhere (Steele, Lea and Flood 2014)."""
    word = np.arange(1, count + 1, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15)
    word = (word ^ (word >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    word = (word ^ (word >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return word ^ (word >> np.uint64(31))
