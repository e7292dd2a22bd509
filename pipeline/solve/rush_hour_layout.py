"""The arrays that the compiled Rush Hour search works on.

A state is a key of one or more 64-bit words. Every vehicle owns a field of a word that holds its place along its own
line, so that a slide by k is the addition of k shifted to the field. Bit 0 of the first word is always set, which
leaves 0 to mean "empty slot" in the hash table. Occupied cells are bit planes of 64 cells. Arrays are flat: word w of
state i stands at [i * words + w].
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Words = NDArray[np.uint64]
Integers = NDArray[np.int64]

MORE, WON, FULL, EXHAUSTED = 0, 1, 2, 3
"""Why an expansion came back: the range is expanded, a won state was found (the last one), the arrays are full, or no
state is left to expand."""

MAX_SUCCESSORS = 1024
PLACES = 16
"""Places a vehicle can have at most, and rows of `body` a vehicle owns."""


class Layout(NamedTuple):
    """A board as integer arrays, one entry per vehicle."""

    words: int
    planes: int
    head: Integers
    """Cell of its right or lower end at place 0."""
    tail: Integers
    """Cell of its left or upper end at place 0."""
    stride: Integers
    """Cells from one place to the next."""
    word: Integers
    shift: Integers
    mask: Integers
    last: Integers
    """Greatest place it can have."""
    body: Words
    """Its cells at each place, as bit planes: [(vehicle * PLACES + place) * planes + plane]."""
    walls: Words
    target: int
    goal: int
    """The target's place when the level is won."""


class Frontier(NamedTuple):
    """States in the order they were found, and the hash table of their keys (open addressing, linear probing)."""

    keys: Words
    parent: NDArray[np.uint32]
    moved: NDArray[np.int16]
    """The vehicle that moved last, −1 at the start."""
    table: Words
