"""What is drawn on the units: the '?' of hidden ones, and signs that tell two units of nearly one colour apart."""

from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from pipeline.extract.clusters import Clustering
from pipeline.extract.colour import Lab, distance
from pipeline.extract.nut_and_bolt_units import Units

Places = tuple[tuple[int, int], ...]
Patches = NDArray[np.float32]

PATCH = 12
"""Side of a normalised patch."""

PLAIN = 3.0
"""Standard deviation of L* below which a patch shows nothing."""

GLYPH = 11.0
"""Standard deviation of L* above which it shows a strong sign."""

HIDDEN_CHROMA = 14.0
"""Hidden units are drawn without colour."""

SAME_COLOUR = 12.0
"""ΔE below which a colourless unit that is in plain sight looks like the suspected ones."""


def patches(units: Units, places: Places, lab: Lab) -> Patches:
    """The middle of each unit, L* about its mean, shape (units, PATCH, PATCH)."""
    found = []
    for i, k in places:
        column, slots = units.profiles.columns[i], units.slots
        half = 0.25 * units.profiles.width * column.scale
        y0, y1 = (round(column.y(slots.base + (k + part) * slots.height)) for part in (0.8, 0.2))
        x0, x1 = round(column.container.centre - half), round(column.container.centre + half)
        region = lab[max(0, y0) : max(1, y1), max(0, x0) : max(1, x1), 0]
        patch = (
            cv2.resize(region, (PATCH, PATCH), interpolation=cv2.INTER_AREA) if region.size else np.zeros((PATCH,) * 2)
        )
        found.append(patch - patch.mean())
    return np.array(found, np.float32)


def hidden_units(units: Units, places: Places, colours: Lab, signs: Patches) -> list[int]:
    """Elements that are hidden: colourless, with a strong sign, never the highest of a stack, unlike all others."""
    highest = np.array([k + 1 >= units.filled.shape[1] or not units.filled[i, k + 1] for i, k in places])
    colourless = np.linalg.norm(colours[:, 1:], axis=1) < HIDDEN_CHROMA
    strong = signs.std(axis=(1, 2)) > GLYPH
    suspects = strong & colourless & ~highest
    if not suspects.any():
        return []
    usual = np.median(colours[suspects], axis=0)
    in_sight = highest & colourless & (distance(colours, usual) < SAME_COLOUR)
    if in_sight.any():
        return []
    # Gloss makes signs on coloured units too, but not the suspects' sign.
    sign = signs[suspects].mean(axis=0)
    likeness = (signs * sign).mean(axis=(1, 2)) / np.maximum(signs.std(axis=(1, 2)) * sign.std(), 1.0)
    alike = np.median(likeness[suspects]) > 0.7 and bool((likeness[~colourless] < 0.5).mean() > 0.7)
    rare = (~colourless).any() and strong[~colourless].mean() < 0.3
    return np.flatnonzero(suspects).tolist() if alike or rare else []


def two_signs(grouped: Clustering, capacity: int, signs: Patches) -> list[int]:
    """Colours whose units carry two clearly different signs, each on whole containers' worth of units."""
    found = []
    for colour, size in enumerate(grouped.sizes):
        members = list(grouped.members(colour))
        flat = signs[members].reshape(size, -1)
        spread = flat.std(axis=1)
        if size < 2 * capacity or np.median(spread) < PLAIN:
            continue
        alike = (flat @ flat.T) / flat.shape[1] / np.maximum(np.outer(spread, spread), PLAIN**2)
        groups = _halves(1 - alike)
        if all(len(g) % capacity == 0 for g in groups) and _apart(1 - alike, groups):
            found.append(colour)
    return found


def _halves(unlike: NDArray[np.floating[Any]]) -> tuple[list[int], list[int]]:
    """Elements nearer to one or to the other of the two most unlike ones."""
    a, b = divmod(int(np.argmax(unlike)), len(unlike))
    nearer = unlike[a] <= unlike[b]
    return np.flatnonzero(nearer).tolist(), np.flatnonzero(~nearer).tolist()


def _apart(unlike: NDArray[np.floating[Any]], groups: tuple[list[int], list[int]]) -> bool:
    """Whether the groups differ between each other clearly more than within."""
    within = max(float(unlike[np.ix_(g, g)].max()) for g in groups)
    return float(unlike[np.ix_(*groups)].min()) > 1.3 * max(within, 0.05)
