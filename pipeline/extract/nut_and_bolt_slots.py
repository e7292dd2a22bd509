"""How many units a container holds and where each of them lies.

Units have one height. Wherever one ends and another begins the profile changes: between colours sharply, between two of
one colour by a seam, a gap or a bevel. Averaged over all containers these changes stand on a comb of equal teeth, at
the same places in every container. The comb is fitted to that average: strong changes on its teeth, calm between.
"""

from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from pipeline.extract.nut_and_bolt_profiles import Profile, Profiles

Floats = NDArray[np.float64]

CHANGE_CAP = 30.0
"""ΔE above which a change is simply a change."""

MOST_UNITS = 12

LEAST_FILL = 0.2
"""The fullest container is filled to at least this share of its height."""

MOST_COMBS = 5
"""The clearest combs that are looked at more closely."""


@dataclass(frozen=True)
class Slots:
    """`count` units of `height` steps, the lowest beginning at step `base`; `strength` says how
    clearly units end at the teeth and nowhere else, in ΔE.

    The highest unit of every container overhangs its slot by `overhang` units: the top face of a nut, a meniscus.
    """

    base: float
    height: float
    count: int
    overhang: float
    strength: float

    def span(self, k: int, low: float, high: float) -> slice:
        """Steps between two heights within unit k, given as shares of its height."""
        first = round(self.base + (k + low) * self.height)
        return slice(max(0, first), max(first + 1, round(self.base + (k + high) * self.height)))


def changes(profiles: Profiles) -> Floats:
    """The mean change per step over all containers where there is content on either side, shape (steps,)."""
    reach = max(1, round(0.03 * profiles.width))
    contents = np.stack([column.content for column in profiles.columns])
    filled = np.stack([column.filled for column in profiles.columns])
    padded = np.pad(contents, ((0, 0), (reach, reach), (0, 0)), mode="edge")
    change = np.minimum(np.linalg.norm(padded[:, 2 * reach :] - padded[:, : -2 * reach], axis=2), CHANGE_CAP)
    near = cv2.dilate(filled.astype(np.uint8), np.ones((1, 4 * reach + 1), np.uint8)) > 0
    holding = int((filled.mean(axis=1) > 0.15).sum())
    return np.where(near, change, 0).sum(axis=0) / max(1, holding)


def fit_slots(profiles: Profiles) -> list[Slots]:
    """The best comb for each plausible number of units up to the highest fill, the clearest first."""
    change = changes(profiles)
    ground = lowest_fill(profiles)
    found = [
        _best_comb(change, ground, top, count, profiles)
        for top in full_levels(profiles)
        for count in range(2, MOST_UNITS + 1)
    ]
    kept = sorted((s for s in found if s is not None and s.strength > 0), key=lambda s: -s.strength)
    return kept[:MOST_COMBS]


def lowest_fill(profiles: Profiles) -> float:
    """The step at which the lowest content usually begins."""
    firsts = [int(np.argmax(c.filled)) for c in profiles.columns if fill_top(c, profiles)]
    return float(np.median(firsts)) if firsts else 0.0


def full_levels(profiles: Profiles) -> list[float]:
    """The steps at which the content of full containers may end.

    The highest that a quarter of the containers share, the highest of all and the commonest, where they are other ones:
    content may seem to run on into a rim in some containers, and only one may be full.
    """
    tops = sorted((t for t in (fill_top(column, profiles) for column in profiles.columns) if t > 0), reverse=True)
    if not tops or tops[0] < LEAST_FILL * profiles.height:
        return []
    near = 0.05 * profiles.height
    groups = [[t for t in tops if abs(t - high) < near] for high in tops]
    shared = next((g for g in groups if len(g) >= max(2, 0.25 * len(tops))), groups[0])
    levels: list[float] = []
    for group in (shared, groups[0], max(groups, key=len)):
        level = float(np.median(group))
        if all(abs(level - other) > near for other in levels):
            levels.append(level)
    return levels


def fill_top(column: Profile, profiles: Profiles) -> int:
    """The step above a container's content; 0 when it is empty.

    On a peg that is the end of the highest long run of content, and what lies below is content too; in a tube it is the
    end of the lowest one, because a rim may follow.
    """
    width = profiles.width
    gap = max(2, round(0.12 * width)) | 1
    closed = cv2.morphologyEx(column.filled.astype(np.uint8)[:, None], cv2.MORPH_CLOSE, np.ones((gap, 1), np.uint8))[
        :, 0
    ]
    edges = np.flatnonzero(np.diff(np.concatenate([[0], closed, [0]])))
    runs = [int(b) for a, b in zip(edges[::2], edges[1::2], strict=True) if b - a >= 0.2 * width]
    return runs[-1 if profiles.pegged else 0] if runs else 0


def _best_comb(change: Floats, ground: float, top: float, count: int, profiles: Profiles) -> Slots | None:
    """The strongest comb of `count` units between the lowest and the highest content."""
    slack = max(2, round(0.03 * profiles.width))
    peaks = cv2.dilate(change[:, None], np.ones((2 * slack + 1, 1), np.uint8))[:, 0]
    sums = np.concatenate([[0.0], np.cumsum(change)])
    most = 0.97 if profiles.pegged else 0.5
    room = top - ground
    # Steps so fine that the highest tooth moves by no more than a hundredth of a unit or a quarter of a step.
    heights = np.arange(
        max(0.15 * profiles.width, 0.85 * room / (count + most)), 1.15 * room / count, max(0.25, 0.01 * room / count**2)
    )
    heights = heights[heights <= 2.2 * profiles.width]
    tried = [
        np.arange(max(0.0, ground - 0.35 * height), ground + 0.35 * height, max(0.5, 0.015 * height))
        for height in heights
    ]
    bases = np.concatenate([np.zeros(0), *tried])
    heights = np.repeat(heights, [len(some) for some in tried])
    overhangs = (top - bases) / heights - count
    fits = (overhangs > -0.2) & (overhangs < most)
    if not fits.any():
        return None
    strength = _strength(peaks, sums, bases[fits], heights[fits], count)
    i = int(np.argmax(strength))
    place = (array[fits][i] for array in (bases, heights, overhangs))
    base, height, overhang = (float(value) for value in place)
    best = Slots(base, height, count, overhang, float(strength[i]))
    return replace(best, strength=_clarity(best, peaks, change))


def _clarity(slots: Slots, peaks: Floats, change: Floats) -> float:
    """How clearly units end at the inner teeth and nowhere else: usual and weakest tooth against the loudest middle."""
    last = len(peaks) - 1
    teeth = np.round(slots.base + np.arange(1, slots.count) * slots.height).astype(int)
    strong = peaks[np.clip(teeth, 0, last)]
    middles = [float(change[slots.span(k, 0.3, 0.7)].mean()) for k in range(slots.count)]
    return float((strong.mean() + strong.min()) / 2 - max(middles))


def _strength(peaks: Floats, sums: Floats, bases: Floats, heights: Floats, count: int) -> Floats:
    """For each base and height: the mean change on the teeth, minus twice the mean change everywhere off them."""
    last = len(peaks) - 1
    teeth = np.clip(np.round(bases[:, None] + np.arange(count)[None] * heights[:, None]).astype(int), 0, last)
    margin = np.maximum(2, np.round(0.17 * heights).astype(int))

    def total(first: NDArray[np.int_], end: NDArray[np.int_]) -> Floats:
        return sums[np.minimum(end, last + 1)] - sums[np.minimum(first, last + 1)]

    end = np.round(bases + (count - 0.2) * heights).astype(int)
    least, reach = margin[:, None], margin[:, None] + 1
    near = total(np.maximum(teeth - least, least), np.maximum(teeth + reach, least)).sum(axis=1)
    off = (total(margin, end) - near) / np.maximum(1, end - margin - count * (2 * margin + 1))
    return peaks[teeth].mean(axis=1) - 2 * np.maximum(off, 0)
