"""Bars: straight pieces of one paint, longer than broad, turned by any angle (vehicles from above, blocks, planks).

A *paint* is a window of hues, or of lightness where there is no hue, wide enough for one colour in light and shadow.
Windows overlap, so every paint lies well inside one of them; what is inside a bar (windows of a car, a sign) may have
any colour, because only the outline of an area counts.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from pipeline.extract.colour import Lab
from pipeline.extract.components import components

Labels = NDArray[np.uint8]

HUES, LIGHTS = 8, 28.0
"""Windows of hue around the circle, and the width of windows of lightness (L* 0…100)."""

OFFSETS = 3
"""How many sets of windows there are, each moved by this fraction of a window: those of one set do not overlap."""

_HUE_LABELS = (1 + np.arange(256) % HUES).astype(np.uint8)
"""The label of each window of hue, counted on beyond a whole turn."""

VIVID = (24.0, 40.0)
"""Least chroma where hue tells paints apart: the higher one parts bright pieces from a tinted floor."""

LEAST_FILL = 0.74
"""Least share of its rectangle that a bar's outline encloses: rounded corners cost up to a fifth."""

SHORTEST_SIDE = 8.0
"""Pixels; narrower bars are strokes and letters."""

ASPECT = (1.5, 5.5)
"""Long side ÷ short side."""


@dataclass(frozen=True)
class Bar:
    """A rectangle in pixels around a middle; `angle` (radians, in (−π/2, π/2], y down) is that of its long axis.

    `fill` is the share of the rectangle that the outline encloses.
    """

    x: float
    y: float
    long: float
    short: float
    angle: float
    fill: float


def find_bars(lab: Lab, longest: float, shortest: float = SHORTEST_SIDE, offsets: int = OFFSETS) -> list[Bar]:
    """Every bar up to `longest` and from `shortest` pixels, the best-filled first; each in one window only.

    With fewer sets of windows than `OFFSETS` some are missed.
    """
    return bars_of_masks((_parted(labels) for labels in _paints(lab, offsets)), (shortest, longest))


def bars_of_masks(masks: Iterable[NDArray[np.uint8]], sizes: tuple[float, float]) -> list[Bar]:
    """The bars among the parts of masks, the best-filled first; `sizes` are the least and the greatest in pixels."""
    found: list[Bar] = []
    seen: set[tuple[int, ...]] = set()
    for mask in masks:
        found += _bars(mask, sizes, seen)
    found.sort(key=lambda bar: (-round(bar.fill, 2), bar.y, bar.x))
    return _distinct(found)


def _paints(lab: Lab, offsets: int) -> Iterator[Labels]:
    """For each set of windows, which one each pixel is in: those of hue from 1, those of lightness from `HUES` + 1.

    0 are pixels in none: where only bright paints are wanted, dull ones.
    """
    light, a, b = cv2.split(lab)
    chroma, hue = cv2.magnitude(a, b), cv2.phase(a, b)
    hue *= HUES / (2 * np.pi)
    light /= LIGHTS
    vivid = [chroma >= least for least in VIVID]
    for i in range(offsets):
        hues = cv2.LUT((hue + i / offsets).astype(np.uint8), _HUE_LABELS)
        yield np.where(vivid[0], hues, HUES + 1 + (light + i / offsets).astype(np.uint8))
        yield np.where(vivid[1], hues, np.uint8(0))


def _parted(labels: Labels) -> NDArray[np.uint8]:
    """A mask in which areas of different labels are apart by a pixel, taken from the duller of the two."""
    some, dull = labels > 0, labels > HUES
    mask, bright = some.copy(), ~dull
    for before, after in ((np.s_[:, :-1], np.s_[:, 1:]), (np.s_[:-1], np.s_[1:])):
        differ = labels[before] != labels[after]
        duller = differ & dull[after] & bright[before]
        mask[after] &= ~duller
        mask[before] &= ~(differ & ~duller & some[after])
    return mask.view(np.uint8)


def _bars(mask: NDArray[np.uint8], sizes: tuple[float, float], seen: set[tuple[int, ...]]) -> Iterator[Bar]:
    """The bars among a mask's parts, but for those of the same box and area as one that was `seen`.

    What the picture's border cuts off is of unknown length and no bar.
    """
    areas, stats = components(mask)
    low, high = stats[:, 2:4].min(axis=1), stats[:, 2:4].max(axis=1)
    wanted = (low >= sizes[0]) & (high <= sizes[1]) & (high >= 1.3 * sizes[0])
    wanted &= stats[:, 4] > 0.25 * stats[:, 2] * stats[:, 3]
    wanted &= (stats[:, 0] > 0) & (stats[:, 1] > 0)
    wanted &= (stats[:, 0] + stats[:, 2] < mask.shape[1]) & (stats[:, 1] + stats[:, 3] < mask.shape[0])
    wanted[0] = False
    for index in np.flatnonzero(wanted):
        x, y, width, height, area = (int(v) for v in stats[index])
        if (x, y, width, height, area) in seen:
            continue
        seen.add((x, y, width, height, area))
        part = (areas[y : y + height, x : x + width] == index).astype(np.uint8)
        bar = _bar_around(part, x, y)
        if bar is not None:
            yield bar


def _bar_around(part: NDArray[np.uint8], left: int, top: int) -> Bar | None:
    outlines: Sequence[Any]
    outlines, _ = cv2.findContours(part, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    outline = max(outlines, key=len)
    (x, y), (a, b), turn = cv2.minAreaRect(outline)
    a, b = a + 1, b + 1  # contours run through the middles of pixels
    long, short = max(a, b), min(a, b)
    fill = (cv2.contourArea(outline) + len(outline) / 2) / (a * b)
    if fill < LEAST_FILL or not ASPECT[0] <= long / short <= ASPECT[1]:
        return None
    angle = np.radians(turn if a >= b else turn + 90)
    angle = float(np.pi / 2 - (np.pi / 2 - angle) % np.pi)
    return Bar(left + x, top + y, long, short, angle, min(1.0, float(fill)))


def _distinct(bars: Sequence[Bar]) -> list[Bar]:
    """Without bars that repeat an earlier one."""
    kept: list[Bar] = []
    for bar in bars:
        near = 0.15 * bar.short
        if not any(
            abs(bar.x - other.x) < near
            and abs(bar.y - other.y) < near
            and abs(bar.long - other.long) < 2 * near
            and abs(bar.short - other.short) < near
            for other in kept
        ):
            kept.append(bar)
    return kept
