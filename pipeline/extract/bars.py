"""Bars: straight pieces of one paint, longer than broad, turned by any angle (vehicles from above, blocks, planks).

A *paint* is a window of hues, or of lightness where there is no hue, wide enough for one colour in light and shadow.
Windows overlap, so every paint lies well inside one of them; what is inside a bar (windows of a car, a sign) may have
any colour, because only the outline of an area counts.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from pipeline.extract.colour import Lab

HUE_STEP, HUE_HALF = 15, 22
"""Degrees between the middles of hue windows, and their half width."""

VIVID = (24.0, 40.0)
"""Least chroma of a hue window's pixels: the higher one parts bright pieces from a tinted floor."""

LIGHT_STEP, LIGHT_HALF = 12, 14
"""The same for windows of lightness (L* 0…100)."""

LEAST_FILL = 0.74
"""Least share of its rectangle that a bar's outline encloses: rounded corners cost up to a fifth."""

SHORTEST_SIDE = 8.0
"""Pixels; narrower bars are strokes and letters."""

LEAST_AREA = 4 * SHORTEST_SIDE**2
"""Pixels; windows that hold less are left out."""

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
    touches_border: bool = False


def find_bars(lab: Lab, longest: float) -> list[Bar]:
    """Every bar up to `longest` pixels long, the best-filled first; the same bar is found in one window only."""
    found: list[Bar] = []
    for mask in _paints(lab):
        found += _bars(mask, longest)
    found.sort(key=lambda bar: (-round(bar.fill, 2), bar.y, bar.x))
    return _distinct(found)


def _paints(lab: Lab) -> Iterator[NDArray[np.uint8]]:
    """Masks (0 or 1) of all windows that hold more than specks."""
    chroma = np.hypot(lab[..., 1], lab[..., 2])
    hue = cv2.phase(lab[..., 1], lab[..., 2], angleInDegrees=True)
    colour = (hue * (256 / 360)).astype(np.uint8)
    for middle in range(0, 360, HUE_STEP):
        away = np.abs((np.arange(256) * (360 / 256) - middle + 180) % 360 - 180)
        inside = cv2.LUT(colour, (away <= HUE_HALF).astype(np.uint8))
        before = 0
        for floor in VIVID:
            mask = inside & (chroma >= floor).view(np.uint8)
            count = int(np.count_nonzero(mask))
            if count >= LEAST_AREA and abs(count - before) > 0.02 * count:
                yield mask
            before = count
    dull = chroma < VIVID[0]
    for middle in range(LIGHT_STEP, 100, LIGHT_STEP):
        mask = ((np.abs(lab[..., 0] - middle) <= LIGHT_HALF) & dull).view(np.uint8)
        if np.count_nonzero(mask) >= LEAST_AREA:
            yield mask


def _bars(mask: NDArray[np.uint8], longest: float) -> Iterator[Bar]:
    _, areas, stats, _ = cv2.connectedComponentsWithStats(mask, connectivity=4)
    low, high = stats[:, 2:4].min(axis=1), stats[:, 2:4].max(axis=1)
    wanted = (low >= SHORTEST_SIDE) & (high <= longest) & (high >= 1.3 * SHORTEST_SIDE)
    wanted &= stats[:, 4] > 0.25 * stats[:, 2] * stats[:, 3]
    wanted[0] = False
    for index in np.flatnonzero(wanted):
        x, y, width, height, _ = (int(v) for v in stats[index])
        part = (areas[y : y + height, x : x + width] == index).astype(np.uint8)
        border = x == 0 or y == 0 or x + width == mask.shape[1] or y + height == mask.shape[0]
        bar = _bar_around(part, x, y, border=border)
        if bar is not None:
            yield bar


def _bar_around(part: NDArray[np.uint8], left: int, top: int, *, border: bool) -> Bar | None:
    outlines: Sequence[Any]
    outlines, _ = cv2.findContours(part, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    outline = max(outlines, key=len)
    (x, y), (a, b), turn = cv2.minAreaRect(outline)
    a, b = a + 1, b + 1  # contours run through the middles of pixels
    long, short = max(a, b), min(a, b)
    fill = (cv2.contourArea(outline) + len(outline) / 2) / (a * b)
    if short < SHORTEST_SIDE or fill < LEAST_FILL or not ASPECT[0] <= long / short <= ASPECT[1]:
        return None
    angle = np.radians(turn if a >= b else turn + 90)
    angle = float(np.pi / 2 - (np.pi / 2 - angle) % np.pi)
    return Bar(left + x, top + y, long, short, angle, min(1.0, float(fill)), border)


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
