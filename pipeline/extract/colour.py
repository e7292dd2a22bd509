"""Colour in a perceptual space: conversion, distance, robust sampling, clustering, naming.

Distances are ΔE76 (Euclidean in CIE L*a*b*): about 2 is just visible, 10 is plain at a glance.
"""

from collections.abc import Sequence
from functools import cache
from typing import Any

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

from pipeline.core.palette import PALETTE

Lab = NDArray[np.float32]

_SUM = np.ones((1, 3), np.float32)
"""Adds the three channels of an image up."""


def lab_of_bgr(bgr: NDArray[np.uint8]) -> Lab:
    """CIE L*a*b* of 8-bit BGR pixels, any leading shape."""
    flat = np.divide(bgr.reshape(1, -1, 3), 255, dtype=np.float32)  # one long row: OpenCV converts row by row
    return cv2.cvtColor(flat, cv2.COLOR_BGR2LAB, dst=flat).reshape(bgr.shape)  # in place: fresh memory costs more


def bgr_of_lab(lab: Lab) -> NDArray[np.uint8]:
    """8-bit BGR of L*a*b* colours, any leading shape."""
    flat = np.asarray(lab, np.float32).reshape(1, -1, 3)
    bgr = cv2.cvtColor(flat, cv2.COLOR_LAB2BGR).reshape(np.shape(lab))
    return np.clip(np.rint(bgr * 255), 0, 255).astype(np.uint8)


def distance(a: Lab, b: Lab) -> NDArray[np.float32]:
    """ΔE76 along the last axis, broadcasting."""
    return lengths(np.asarray(a, np.float32) - np.asarray(b, np.float32))


def lengths(vectors: NDArray[np.float32]) -> NDArray[np.float32]:
    """Euclidean lengths along the last axis of size 3: as `np.linalg.norm`, several times faster."""
    return np.sqrt(squared_lengths(vectors))


def squared_lengths(vectors: NDArray[np.float32]) -> NDArray[np.float32]:
    """The squares of `lengths`: enough where they are only compared."""
    if not vectors.size:
        return np.zeros(vectors.shape[:-1], np.float32)
    squares: Any = cv2.transform((vectors * vectors).reshape(1, -1, 3), _SUM)
    return np.asarray(squares, np.float32).reshape(vectors.shape[:-1])


def distance_to(lab: Lab, colour: Lab) -> NDArray[np.float32]:
    """ΔE76 of every pixel of a height × width × 3 image to one colour: `distance`, but several times faster."""
    shift = np.column_stack([np.eye(3, dtype=np.float32), -np.asarray(colour, np.float32)])
    apart: Any = cv2.transform(lab, shift)
    squared: Any = cv2.transform(cv2.multiply(apart, apart, dst=apart), _SUM)
    return np.sqrt(squared, out=squared)


def median_colour(pixels: Lab) -> Lab:
    """The per-channel median of pixels of any leading shape: robust to gloss, text and edges below half the area.

    NaN when there are no pixels.
    """
    return median_colours(np.asarray(pixels, np.float32).reshape(-1, 3))


def median_colours(pixels: Lab) -> Lab:
    """… × 3 from … × n × 3: the medians of n pixels; NaN when there are none."""
    return medians(np.swapaxes(pixels, -1, -2))


def medians(values: NDArray[np.floating]) -> NDArray[np.float32]:
    """The medians along the last axis: as `np.median`, several times faster; NaN when that is empty."""
    count = values.shape[-1]
    if not count:
        return np.full(values.shape[:-1], np.nan, np.float32)
    ordered = np.array(values, order="C")  # a view would be parted in its own, slow order
    low, high = (count - 1) // 2, count // 2
    ordered.partition((low, high), axis=-1)
    return np.asarray((ordered[..., low] + ordered[..., high]) / 2, np.float32)


def median(values: ArrayLike) -> float:
    """The median of some numbers, at least one: as `np.median`, several times faster for few of them."""
    ordered = np.sort(values, axis=None)
    return float((ordered[(len(ordered) - 1) // 2] + ordered[len(ordered) // 2]) / 2)


def palette_names(colours: Sequence[Lab]) -> list[str]:
    """Distinct palette names, each the nearest still free; the best-fitting pairs choose first."""
    names = list(PALETTE)
    costs = distance(np.asarray(colours, np.float32).reshape(-1, 1, 3), _palette_lab()[None])
    if len(colours) > len(names):
        raise ValueError(f"{len(colours)} colours, but the palette has {len(names)} names")
    chosen: dict[int, int] = {}
    order = np.argsort(costs, axis=None, kind="stable")
    for flat in order:
        i, j = divmod(int(flat), len(names))
        if i not in chosen and j not in chosen.values():
            chosen[i] = j
    return [names[chosen[i]] for i in range(len(colours))]


@cache
def _palette_lab() -> Lab:
    """The palette's colours in its own order, n × 3."""
    return lab_of_bgr(np.array([value[::-1] for value in PALETTE.values()], np.uint8))
