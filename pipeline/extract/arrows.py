"""Arrows on bars: which way a light sign in the middle of a straight piece points.

A patch is a piece cut out and laid along x, its breadth scaled to `BREADTH` pixels; its end at small x lies to the left
or at the top in the picture.
"""

import cv2
import numpy as np
from numpy.typing import NDArray

from pipeline.extract.bars import Bar
from pipeline.extract.colour import Lab

Floats = NDArray[np.floating]

BREADTH, SHORTEST = 24, 52
"""Pixels across a patch, and its least length."""

GLYPH = 16
"""Side of a glyph in pixels when it is compared with drawn ones."""

ARROWLIKE = 0.72
"""Least correlation of a glyph with a drawn arrow."""

LIGHT_HEADED = 0.12
"""Least difference between the correlations with arrows that point either way."""


def cut_patch(lab: Lab, bar: Bar, *, level: bool) -> Lab:
    """A bar's pixels in L*a*b*, `BREADTH` high and as long in proportion."""
    scale = bar.short / BREADTH
    width = max(SHORTEST, round(bar.long / scale))
    along = np.array([np.cos(bar.angle), np.sin(bar.angle)])
    along *= np.sign(along[0 if level else 1]) or 1.0
    aside = np.array([-along[1], along[0]])
    middle = np.array([bar.x, bar.y])
    step = np.column_stack([along * bar.long / width, aside * scale])
    warp = np.column_stack([step, middle - step @ ((width - 1) / 2, (BREADTH - 1) / 2)])
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    return cv2.warpAffine(lab, warp, (width, BREADTH), flags=flags, borderMode=cv2.BORDER_REPLICATE)


def whiteness(patch: Lab) -> Floats:
    """How white each pixel is, in [0, 1]."""
    chroma = np.hypot(patch[..., 1], patch[..., 2])
    return np.asarray(np.clip((patch[..., 0] - 62) / 25, 0, 1) * np.clip(1.4 - chroma / 32, 0, 1), np.float32)


def _drawn_arrows() -> Floats:
    """Masks of arrows that point to large x, mean 0 and norm 1: with shafts, a triangle, a chevron."""
    big, found = 8 * GLYPH, []
    for outline in (
        [(0, 0.3), (0.52, 0.3), (0.52, 0), (1, 0.5), (0.52, 1), (0.52, 0.7), (0, 0.7)],
        [(0, 0.33), (0.35, 0.33), (0.35, 0), (1, 0.5), (0.35, 1), (0.35, 0.67), (0, 0.67)],
        [(0, 0.25), (0.7, 0.25), (0.7, 0), (1, 0.5), (0.7, 1), (0.7, 0.75), (0, 0.75)],
        [(0, 0), (1, 0.5), (0, 1)],
        [(0, 0), (0.4, 0), (1, 0.5), (0.4, 1), (0, 1), (0.6, 0.5)],
    ):
        mask = np.zeros((big, big), np.uint8)
        cv2.fillPoly(mask, [np.rint(np.array(outline) * (big - 1)).astype(np.int32)], (1,))
        small = cv2.resize(mask.astype(np.float32), (GLYPH, GLYPH), interpolation=cv2.INTER_AREA)
        found.append(normed(small.ravel()))
    return np.stack(found)


def normed(values: Floats) -> Floats:
    """Mean 0, norm 1 along the last axis."""
    values = values - values.mean(axis=-1, keepdims=True)
    return np.asarray(values / np.maximum(np.linalg.norm(values, axis=-1, keepdims=True), 1e-6), np.float32)


_ARROWS = _drawn_arrows()


def arrow(white: Floats) -> float:
    """Which way a white sign in the middle points, above 0 to large x, in [−1, 1]; 0 when it is no arrow.

    `white` is the `whiteness` of a patch.
    """
    mask = (white > 0.5).astype(np.uint8)
    _, areas, stats, middles = cv2.connectedComponentsWithStats(mask, connectivity=4)
    middle = np.array([(white.shape[1] - 1) / 2, (BREADTH - 1) / 2])
    best = 0.0
    for index in range(1, len(stats)):
        x, y, width, height, size = (int(v) for v in stats[index])
        away = np.abs(middles[index] - middle)
        if away[1] > 3 or away[0] > 0.25 * white.shape[1] or size < 24 or not 6 <= height <= BREADTH - 3 or width < 4:
            continue
        part = (areas[y : y + height, x : x + width] == index).astype(np.float32)
        there, here = _arrow_likeness(part), _arrow_likeness(part[:, ::-1])
        if max(there, here) >= ARROWLIKE and abs(there - here) > max(LIGHT_HEADED, abs(best) / 3):
            best = float(np.clip(3 * (there - here), -1, 1))
    return best


def _arrow_likeness(mask: Floats) -> float:
    """The best correlation of a mask, scaled to a square, with drawn arrows that point to large x."""
    return float((_ARROWS @ normed(cv2.resize(mask, (GLYPH, GLYPH), interpolation=cv2.INTER_AREA).ravel())).max())
