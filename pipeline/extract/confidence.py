"""From an extractor's odds to probabilities that hold: calibration measured on drawn screens.

An extractor judges each element by margins and says how sure it is. How often elements of that sureness were right on
drawn, distorted screens is counted by `bench/calibrate.py`, and a rising curve through the counts (isotonic regression)
turns the one into the other. Drawn screens are kinder than real ones, so calibration never moves an element across
`DOUBT_BELOW`: what the extractor doubts stays in doubt.
"""

import json
import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from itertools import accumulate

import numpy as np

from pipeline.extract.contract import DOUBT_BELOW, Reading

Curve = tuple[tuple[float, float], ...]
"""Points (extractor's confidence, share that was right), rising in both."""


@cache
def curves() -> dict[str, Curve]:
    """The measured curve of each game; a game without one is taken at its word."""
    table = json.loads(files("pipeline.extract").joinpath("calibration.json").read_text(encoding="utf-8"))
    return {game: tuple((raw, right) for raw, right in points) for game, points in table.items()}


def calibrated(game: str, reading: Reading) -> Reading:
    """The reading with the probability of being right for every element's confidence."""
    curve = curves().get(game)
    if curve is None:
        return reading
    elements = tuple(replace(e, confidence=probability(curve, e.confidence)) for e in reading.elements)
    return replace(reading, elements=elements)


def probability(curve: Curve, raw: float) -> float:
    """The curve at `raw`, on the same side of `DOUBT_BELOW` as `raw`; rounded to 0.001."""
    at = float(np.interp(raw, [point[0] for point in curve], [point[1] for point in curve]))
    if raw < DOUBT_BELOW:
        return min(math.floor(at * 1000) / 1000, DOUBT_BELOW - 0.001)
    return max(round(at, 3), DOUBT_BELOW)


def fitted(observed: Sequence[tuple[float, bool]], least: int = 20) -> Curve:
    """The rising curve that fits best (pool adjacent violators; Ayer et al. 1955).

    Every block holds `least` observations or more, and counts one right and one wrong beside its own (Laplace's rule):
    a block of n that were all right says (n + 1) / (n + 2), never certainty.
    """
    counts: dict[float, list[int]] = {}
    for raw, is_right in observed:
        tally = counts.setdefault(round(raw, 3), [0, 0])
        tally[0] += is_right
        tally[1] += 1
    blocks: list[_Block] = []
    for raw, (right, count) in sorted(counts.items()):
        blocks.append(_Block(raw * count, right, count))
        while len(blocks) > 1 and (blocks[-2].count < least or blocks[-2].share >= blocks[-1].share):
            blocks[-2:] = [blocks[-2] + blocks[-1]]
    if len(blocks) > 1 and blocks[-1].count < least:
        blocks[-2:] = [blocks[-2] + blocks[-1]]
    rights = accumulate(((b.right + 1) / (b.count + 2) for b in blocks), max)
    return tuple((round(b.raw / b.count, 4), round(right, 4)) for b, right in zip(blocks, rights, strict=True))


@dataclass(frozen=True)
class _Block:
    """Observations of neighbouring confidences: their sum, how many were right, how many there are."""

    raw: float
    right: int
    count: int

    @property
    def share(self) -> float:
        return self.right / self.count

    def __add__(self, other: "_Block") -> "_Block":
        return _Block(self.raw + other.raw, self.right + other.right, self.count + other.count)
