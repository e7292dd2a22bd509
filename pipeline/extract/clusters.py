"""Which elements of a board have the same colour, decided within the picture: no fixed table of colours.

The elements' colours are merged bottom-up (average linkage) in CIE L*a*b* with lightness counted less than hue and
chroma, since one colour in light and in shadow differs mostly in lightness. How far two samples of *one* colour may lie
apart, the tolerance, is unknown; every level of the dendrogram is one reading, held by the tolerances between its last
merge and the next. A reading's weight is the prior mass of those tolerances times the square of the ratio of the two
heights (a wide gap between "same" and "other" speaks for itself), and readings that break what is known about counts
weigh almost nothing. An element's confidence is the weight of all readings that give it the same companions, times the
odds of two normal clouds of the pooled spread that it belongs to its own cluster and not to the nearest other.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import erf, log, sqrt

import numpy as np
from numpy.typing import NDArray

from pipeline.extract.colour import Lab, distance

Counts = Callable[[Sequence[int]], bool]
"""Whether a list of cluster sizes is possible."""

LIGHTNESS_WEIGHT = 0.6
"""How much a difference in L* counts, against one in a* or b*."""

TYPICAL_TOLERANCE = 6.0
"""Median of the prior for the tolerance, weighted ΔE; the prior is log-normal."""

TOLERANCE_SIGMA = 0.55
"""Standard deviation of the logarithm of the tolerance."""

LEAST_HEIGHT = 1.0
"""Merges below this weighted ΔE are rounding and compression: they prove nothing."""

LEAST_SPREAD = 2.0
"""Standard deviation of one colour's samples that is assumed even where the samples agree better."""

IMPOSSIBLE_COUNTS_WEIGHT = 0.01
"""What a reading with impossible counts keeps of its weight (the elements may be wrong, not the reading)."""


@dataclass(frozen=True)
class Clustering:
    """The most probable reading of n colours.

    `labels[i]` is element i's cluster; clusters are numbered in order of first appearance. `second[i]` is the cluster
    that element i would belong to otherwise (-1: there is only one). `centres` has shape (clusters, 3), L*a*b*.
    `spread` is the pooled standard deviation within clusters and `separation` the distance of the two nearest centres
    (infinite: only one), both in weighted ΔE. `counts_fit` says whether the sizes are possible.
    """

    labels: tuple[int, ...]
    second: tuple[int, ...]
    confidence: tuple[float, ...]
    centres: Lab
    spread: float
    separation: float
    counts_fit: bool

    @property
    def sizes(self) -> tuple[int, ...]:
        """Number of elements of each cluster."""
        return tuple(int(n) for n in np.bincount(self.labels, minlength=len(self.centres)))

    def members(self, cluster: int) -> tuple[int, ...]:
        """Indices of a cluster's elements."""
        return tuple(i for i, label in enumerate(self.labels) if label == cluster)


def multiples_of(unit: int) -> Counts:
    """Every cluster's size is a multiple of `unit`."""
    return lambda sizes: all(size % unit == 0 for size in sizes)


def exactly(size: int) -> Counts:
    """Every cluster has exactly `size` elements (pairs: 2)."""
    return lambda sizes: all(n == size for n in sizes)


def cluster(colours: Lab, counts: Counts | None = None, *, lightness_weight: float = LIGHTNESS_WEIGHT) -> Clustering:
    """The most probable grouping of `colours`, shape (n, 3), L*a*b*; n ≥ 1."""
    colours = np.asarray(colours, np.float32).reshape(-1, 3)
    if len(colours) == 0:
        raise ValueError("no colours to group")
    weighted = weigh_lightness(colours, lightness_weight)
    levels, heights = _dendrogram(weighted)
    possible = [counts is None or counts(np.bincount(level).tolist()) for level in levels]
    weights = _weights(heights) * np.where(possible, 1.0, IMPOSSIBLE_COUNTS_WEIGHT)
    best = int(np.argmax(weights))
    labels = _in_order_of_appearance(levels[best])
    agreement = _agreement(levels, weights / weights.sum(), best)
    return _describe(colours, weighted, labels, agreement, possible[best])


def weigh_lightness(colours: Lab, lightness_weight: float = LIGHTNESS_WEIGHT) -> Lab:
    """L*a*b* with L* scaled, so that plain distances in it forgive light and shadow; any leading shape."""
    weighted = np.array(colours, np.float32)
    weighted[..., 0] *= np.float32(lightness_weight)  # a product with three weights takes ten times as long
    return weighted


def _dendrogram(points: Lab) -> tuple[list[NDArray[np.intp]], list[float]]:
    """Labels after 0, 1, … n-1 merges (average linkage), and the height of each merge."""
    n = len(points)
    apart = distance(points[:, None], points[None]).astype(np.float64)
    np.fill_diagonal(apart, np.inf)
    sizes = np.ones(n)
    labels = np.arange(n)
    levels = [labels.copy()]
    heights: list[float] = []
    for _ in range(n - 1):
        a, b = divmod(int(np.argmin(apart)), n)
        a, b = min(a, b), max(a, b)
        heights.append(max(float(apart[a, b]), heights[-1] if heights else 0.0))
        row = (sizes[a] * apart[a] + sizes[b] * apart[b]) / (sizes[a] + sizes[b])
        row[a] = row[b] = np.inf
        apart[a, :] = apart[:, a] = row
        apart[b, :] = apart[:, b] = np.inf
        sizes[a] += sizes[b]
        labels[labels == b] = a
        levels.append(labels.copy())
    return [np.unique(level, return_inverse=True)[1] for level in levels], heights


def _weights(heights: Sequence[float]) -> NDArray[np.float64]:
    """The weight of each level of a dendrogram from the heights of its merges."""
    below = [LEAST_HEIGHT, *(max(h, LEAST_HEIGHT) for h in heights)]
    above = [*below[1:], max(below[-1] * 2, TYPICAL_TOLERANCE * 4)]
    # Below the least height nothing is proved, so the first level's tolerances begin at zero.
    mass = np.diff([0.0, *(_tolerance_cdf(height) for height in above)])
    ratio = np.array(above) / np.array(below)
    return np.where(ratio > 1, np.maximum(mass, 1e-12) * ratio**2, 1e-12)


def _tolerance_cdf(height: float) -> float:
    return 0.5 * (1 + erf(log(height / TYPICAL_TOLERANCE) / (TOLERANCE_SIGMA * sqrt(2))))


def _in_order_of_appearance(labels: NDArray[np.intp]) -> NDArray[np.intp]:
    order: dict[int, int] = {}
    return np.array([order.setdefault(int(label), len(order)) for label in labels], np.intp)


def _agreement(levels: Sequence[NDArray[np.intp]], weights: NDArray[np.float64], best: int) -> NDArray[np.float64]:
    """For each element the weight of all levels that give it the companions that it has at level `best`."""
    agreed = np.zeros(len(levels))
    for level, weight in zip(levels, weights, strict=True):
        if weight < 1e-6:
            continue
        together = level[:, None] == level[None]
        agreed += weight * (together == (levels[best][:, None] == levels[best][None])).all(axis=1)
    return agreed


def _describe(
    colours: Lab, weighted: Lab, labels: NDArray[np.intp], agreement: NDArray[np.float64], counts_fit: bool
) -> Clustering:
    k = int(labels.max()) + 1
    centres = np.array([np.median(colours[labels == c], axis=0) for c in range(k)], np.float32)
    middle = np.array([np.median(weighted[labels == c], axis=0) for c in range(k)], np.float32)
    away = distance(weighted[:, None], middle[None]).astype(np.float64)
    own = away[np.arange(len(labels)), labels]
    others = away.copy()
    others[np.arange(len(labels)), labels] = np.inf
    second = others.argmin(axis=1) if k > 1 else np.full(len(labels), -1)
    spread = max(float(np.sqrt((own**2).sum() / max(1, len(labels) - k) / 3)), LEAST_SPREAD)
    nearest = others.min(axis=1) if k > 1 else np.full(len(labels), np.inf)
    # Log odds of two normal clouds of equal spread; far outliers of their own cluster are strangers to every cluster.
    odds = np.clip((nearest**2 - own**2) / (2 * spread**2), -30, 30)
    stranger = np.clip((own / spread - 4) / 4, 0, 1)
    confidence = agreement / (1 + np.exp(-odds)) * (1 - 0.5 * stranger)
    between = distance(middle[:, None], middle[None]).astype(np.float64)
    between[np.diag_indices(k)] = np.inf
    return Clustering(
        labels=tuple(int(v) for v in labels),
        second=tuple(int(v) for v in second),
        confidence=tuple(float(v) for v in np.clip(confidence, 0, 1)),
        centres=centres,
        spread=spread,
        separation=float(between.min()),
        counts_fit=counts_fit,
    )
