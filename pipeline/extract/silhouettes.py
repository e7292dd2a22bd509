"""Bars by what they are not: straight pieces of any paint or of several, that stand out from the ground around them.

A lorry whose cab is of another paint than its box, or a piece that is drawn as a bright outline, is no bar of one
paint, yet its silhouette on a plain ground is one. Grounds are the colours that most of a picture shows.
"""

from collections.abc import Iterator

import cv2
import numpy as np
from numpy.typing import NDArray

from pipeline.extract.bars import SHORTEST_SIDE, Bar, bars_of_masks
from pipeline.extract.colour import Lab

BIN = 8.0
"""Width of the bins of L*, a* and b* in which the commonest colours are counted."""

MOST_GROUNDS, LEAST_SHARE = 3, 0.06
"""How many grounds are tried, and the share of the picture that must be in the bin of one."""

STEP = 4
"""Every which row and column is counted."""

REACH = (12.0, 10.0, 10.0)
"""How far from a ground's L*, a* and b* what belongs to it may be: grain, light and the faint lines of cells."""


def find_silhouettes(lab: Lab, longest: float, shortest: float = SHORTEST_SIDE) -> list[Bar]:
    """Every bar up to `longest` and from `shortest` pixels that stands apart on a ground, the best-filled first."""
    masks = (_apart(lab, ground) for ground in _grounds(lab))
    return bars_of_masks(masks, (shortest, longest))


def _grounds(lab: Lab) -> Iterator[NDArray[np.float64]]:
    """The commonest colours, none near another."""
    pixels = lab[::STEP, ::STEP].reshape(-1, 3)
    bins = np.floor(pixels / BIN).astype(np.int64) + 16
    codes = (bins[:, 0] * 32 + bins[:, 1]) * 32 + bins[:, 2]
    kinds, inverse, counts = np.unique(codes, return_inverse=True, return_counts=True)
    chosen: list[NDArray[np.float64]] = []
    for kind in np.argsort(-counts, kind="stable"):
        if counts[kind] < LEAST_SHARE * len(pixels) or len(chosen) == MOST_GROUNDS:
            return
        colour = pixels[inverse == kind].mean(axis=0, dtype=np.float64)
        if all((np.abs(colour - other) > REACH).any() for other in chosen):
            chosen.append(colour)
            yield colour


def _apart(lab: Lab, ground: NDArray[np.float64]) -> NDArray[np.uint8]:
    """The mask of what is not of a ground, without thin lines."""
    low, high = ground - REACH, ground + REACH
    mask = cv2.bitwise_not(cv2.inRange(lab, low, high)) // 255
    return np.asarray(cv2.morphologyEx(mask, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8)), np.uint8)
