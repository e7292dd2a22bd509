"""Bars by what they are not: straight pieces of any paint or of several, that stand out from the ground around them.

A lorry whose cab is of another paint than its box, or a piece that is drawn as a bright outline, is no bar of one
paint, yet its silhouette on a plain ground is one. Grounds are the colours that most of a picture shows.
"""

from collections.abc import Iterable, Iterator

import cv2
import numpy as np
from numpy.typing import NDArray

from pipeline.extract.bars import SHORTEST_SIDE, Bar, bars_of_masks
from pipeline.extract.colour import Lab

BIN = 8.0
"""Width of the bins of L*, a* and b* in which the commonest colours are counted."""

MOST_GROUNDS, LEAST_SHARE = 4, 0.05
"""How many grounds are tried, and the share of the picture that must be in the bin of one."""

STEP = 4
"""Every which row and column is counted."""

REACH = (12.0, 10.0, 10.0)
"""How far from a ground's L*, a* and b* what belongs to it may be: grain, light and the faint lines of cells."""

APART = 6.0
"""How far two grounds are from one another in one of these at least."""

SQUARE = np.ones((3, 3), np.uint8)
"""Lines thinner than this are none of a piece's outline."""


def find_silhouettes(lab: Lab, longest: float, shortest: float = SHORTEST_SIDE) -> list[Bar]:
    """Every bar up to `longest` and from `shortest` pixels that stands apart on a ground, the best-filled first.

    A ground may be of several colours (the cells of a floor by turns), so each is added to the commoner ones.
    """
    return bars_of_masks(_apart(lab, _grounds(lab)), (shortest, longest))


def _grounds(lab: Lab) -> Iterator[NDArray[np.float64]]:
    """The commonest colours, none near another."""
    pixels = lab[::STEP, ::STEP].reshape(-1, 3)
    bins = np.floor(pixels / BIN).astype(np.int64) + 16
    codes = (bins[:, 0] * 32 + bins[:, 1]) * 32 + bins[:, 2]
    _, inverse, counts = np.unique(codes, return_inverse=True, return_counts=True)
    chosen: list[NDArray[np.float64]] = []
    for kind in np.argsort(-counts, kind="stable"):
        if counts[kind] < LEAST_SHARE * len(pixels) or len(chosen) == MOST_GROUNDS:
            return
        colour = pixels[inverse == kind].mean(axis=0, dtype=np.float64)
        if all((np.abs(colour - other) > APART).any() for other in chosen):
            chosen.append(colour)
            yield colour


def _apart(lab: Lab, grounds: Iterable[NDArray[np.float64]]) -> Iterator[NDArray[np.uint8]]:
    """For each ground the mask of what is neither of it nor of one before, without thin lines."""
    ground = np.zeros(lab.shape[:2], np.uint8)
    for colour in grounds:
        ground |= np.asarray(cv2.inRange(lab, colour - REACH, colour + REACH), np.uint8)
        yield np.asarray(cv2.morphologyEx((ground == 0).astype(np.uint8), cv2.MORPH_OPEN, SQUARE), np.uint8)
