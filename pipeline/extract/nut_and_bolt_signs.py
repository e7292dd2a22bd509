"""What is drawn on the units: the '?' of hidden ones, and signs that tell two units of nearly one colour apart."""

import cv2
import numpy as np
from numpy.typing import NDArray

from pipeline.extract.clusters import Clustering
from pipeline.extract.colour import Lab, distance, median_colour
from pipeline.extract.nut_and_bolt_units import Units

Places = tuple[tuple[int, int], ...]
Patches = NDArray[np.float32]

PATCH = 12
"""Side of a normalised patch."""

PLAIN = 3.0
"""Standard deviation (ΔE) below which a patch shows nothing."""

GLYPH = 11.0
"""Standard deviation of L* above which it shows a strong sign."""

HIDDEN_CHROMA = 14.0
"""Hidden units are drawn without colour."""

SAME_COLOUR = 12.0
"""ΔE below which a colourless unit that is in plain sight looks like the suspected ones."""


FAINT = 0.6
"""Standard deviation (ΔE) by which two signs differ at least."""

GAP = 1.1
"""Gap between two kinds of signs, in standard deviations of all (two tight kinds: 2)."""


UNLIKE = 0.75
"""Correlation below which two signs need not be the same one."""


def patches(units: Units, places: Places, lab: Lab) -> Patches:
    """The middle of each unit, L* about its mean, shape (units, PATCH, PATCH)."""
    return np.array([_patch(_middle(units, place, lab)[..., 0]) for place in places], np.float32)


def contrasts(units: Units, places: Places, lab: Lab) -> Patches:
    """The same in ΔE from each unit's own colour: a white sign on yellow differs in little but chroma."""
    middles = [_middle(units, place, lab) for place in places]
    return np.array([_patch(distance(middle, median_colour(middle))) for middle in middles], np.float32)


def _middle(units: Units, place: tuple[int, int], lab: Lab) -> Lab:
    """The pixels in the middle of a unit; none where it lies beyond the picture."""
    column, slots = units.profiles.columns[place[0]], units.slots
    half = 0.25 * units.profiles.width * column.scale
    y0, y1 = (round(column.y(slots.base + (place[1] + part) * slots.height)) for part in (0.8, 0.2))
    x0, x1 = round(column.container.centre - half), round(column.container.centre + half)
    return lab[max(0, y0) : max(1, y1), max(0, x0) : max(1, x1)]


def _patch(region: NDArray[np.float32]) -> NDArray[np.float32]:
    if not region.size:
        return np.zeros((PATCH, PATCH), np.float32)
    patch = cv2.resize(region, (PATCH, PATCH), interpolation=cv2.INTER_AREA)
    return np.asarray(patch - patch.mean(), np.float32)


def hidden_units(units: Units, places: Places, colours: Lab, signs: Patches) -> list[int]:
    """Elements that are hidden: colourless, with a strong sign, never the highest of a stack, unlike all others."""
    if not len(places):
        return []
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
    unlike = (likeness[~colourless] < 0.5).sum() > 0.7 * (~colourless).sum()
    alike = np.median(likeness[suspects]) > 0.7 and bool(unlike)
    rare = (~colourless).any() and strong[~colourless].mean() < 0.3
    return np.flatnonzero(suspects).tolist() if alike or rare else []


def two_signs(grouped: Clustering, capacity: int, signs: Patches) -> list[int]:
    """Colours that fill several containers and whose units may carry two different signs.

    Either the signs fall into two kinds, or they are too unlike each other to tell.
    """
    found = []
    for colour, size in enumerate(grouped.sizes):
        flat = signs[list(grouped.members(colour))].reshape(size, -1)
        if size < 2 * capacity or np.median(flat.std(axis=1)) < PLAIN:
            continue
        # Where signs differ most, two kinds leave a gap between their projections, and one kind a continuum.
        _, _, directions = np.linalg.svd(flat - flat.mean(axis=0), full_matrices=False)
        along = np.sort(flat @ directions[0])
        gaps = np.diff(along)[capacity - 1 :: capacity]
        two_kinds = along.std() > PATCH * FAINT and gaps.max(initial=0.0) > GAP * along.std()
        if two_kinds or _least_correlation(flat) < UNLIKE:
            found.append(colour)
    return found


def _least_correlation(flat: Patches) -> float:
    """The least correlation of any two rows; a row without contrast is like no other."""
    centred = flat - flat.mean(axis=1, keepdims=True)
    unit = centred / np.maximum(np.linalg.norm(centred, axis=1, keepdims=True), 1e-6)
    return float((unit @ unit.T).min())
