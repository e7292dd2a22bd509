"""The units in the slots: which slots are filled and with what colour, and how well a comb of slots explains them."""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from pipeline.extract.clusters import weigh_lightness
from pipeline.extract.colour import Lab, distance, median_colours
from pipeline.extract.nut_and_bolt_profiles import NOTICEABLE, Profiles, spread
from pipeline.extract.nut_and_bolt_slots import Slots, fill_top, fit_slots

SHADING_WEIGHT = 0.35
"""Weight of lightness when one unit's lower and upper half are compared: light and shadow differ in little else."""

SPLIT = 16.0
"""Weighted ΔE between the halves of a slot above which two units must lie in it."""


STRANGE_FACES = 0.4
"""A share of so many top faces may seem to have another hue than their units (gloss, shadow)."""

SOME_STRANGE = 0.3
"""Above this share one more unit is the better explanation, where it fits."""

WHOLE_UNIT = 0.85
"""What overhangs the highest unit by this share of a unit's height may be one more unit of its colour."""

TIP_SHARE = 0.35
"""A highest slot that shows the peg along this share of its height is a top face."""


SAME_LOOK = 3.0
"""ΔE between most places of a slot and the same places of the slot below where both show one kind of thing."""


@dataclass(frozen=True)
class Units:
    """A reading of all slots.

    `filled` and `split` have shape (containers, count); `colours` (containers, count, 3), L*a*b*. `misfit` is the mean
    distance of the content's upper ends to the nearest whole number of units, in units (at most 0.5). `strange` is the
    share of containers in which what overhangs the highest unit has another colour: then it is a unit itself.
    `supposed_faces` says that the highest slots were taken for top faces only because they repeat the colours below.
    """

    profiles: Profiles
    slots: Slots
    filled: NDArray[np.bool_]
    split: NDArray[np.bool_]
    colours: Lab
    misfit: float
    strange: float
    supposed_faces: bool = False

    @property
    def quality(self) -> float:
        """Strength of the comb less what speaks against it, in ΔE."""
        filled = max(1, int(self.filled.sum()))
        against = 60 * float((self.split & self.filled).sum()) / filled + 40 * self.misfit
        return self.slots.strength - against - 60 * max(0.0, self.strange - STRANGE_FACES)


def read_units(bands: list[Profiles]) -> list[Units]:
    """Readings of the board's slots for each plausible capacity and band, the best first."""
    readings = []
    for profiles in bands:
        for slots in fit_slots(profiles):
            units = _sample(profiles, slots)
            if profiles.pegged and _base_below(units):
                units = _sample(profiles, replace(slots, base=slots.base + slots.height, count=slots.count - 1))
            if profiles.pegged and _faces_on_top(units):
                units = replace(without_highest(units), supposed_faces=not _tips_in_sight(units, _held(units)))
            elif profiles.pegged and units.slots.overhang > WHOLE_UNIT:
                above = [(i, n + 1) for i, n in _held(units)]
                units = replace(units, supposed_faces=not _tips_in_sight(units, above))
            if units.slots.count > 1:
                readings.append(units)
    return sorted((u for u in readings if not _overlooks_units(u, readings)), key=lambda u: -u.quality)


def without_highest(units: Units) -> Units:
    """The reading in which the highest slot of every container shows the top face of the unit below it."""
    slots = units.slots
    return _sample(units.profiles, replace(slots, count=slots.count - 1, overhang=slots.overhang + 1))


def _overlooks_units(units: Units, rivals: list[Units]) -> bool:
    """Whether what overhangs the highest units may as well be one more unit, of another colour or a like one."""
    taller = [r for r in rivals if r.slots.count == units.slots.count + 1 and r.quality > 0.5 * units.quality]
    if units.strange > SOME_STRANGE and any(rival.strange == 0 for rival in taller):
        return True
    return units.supposed_faces and any(_like_tops(rival) for rival in taller)


def _like_tops(units: Units) -> bool:
    held = _held(units)
    return bool(held) and min(n for _, n in held) > 1 and _units_on_top(units, held)


def _sample(profiles: Profiles, slots: Slots) -> Units:
    contents = np.stack([column.content for column in profiles.columns])
    flags = np.stack([column.filled for column in profiles.columns])
    tops = np.array([fill_top(column, profiles) for column in profiles.columns])
    held = np.where(tops > 0, (tops - slots.base) / slots.height - slots.overhang, 0.0)
    gaps = np.where(held > slots.count + 0.5, 0.5, np.abs(held - np.round(held)))[tops > 0]

    def colour(k: int, low: float, high: float) -> Lab:
        return median_colours(contents[:, slots.span(k, low, high)])

    every = range(slots.count)
    if profiles.pegged:
        # The highest unit's top face reaches into the next slot, and an empty base plate into the lowest.
        filled = np.arange(slots.count)[None] < np.round(held)[:, None]
    else:
        filled = np.stack([flags[:, slots.span(k, 0.2, 0.8)].mean(axis=1) > 0.5 for k in every], axis=1)
    split = np.stack([_hue_distance(colour(k, 0.2, 0.4), colour(k, 0.5, 0.68)) > SPLIT for k in every], axis=1)
    colours = np.stack([colour(k, 0.25, 0.75) for k in every], axis=1)
    misfit = float(gaps.mean()) if len(gaps) else 0.5
    return Units(profiles, slots, filled, split, colours, misfit, _strange(contents, slots, filled, colours))


def _strange(contents: Lab, slots: Slots, filled: NDArray[np.bool_], colours: Lab) -> float:
    """The share of containers whose overhang has another hue than the highest unit; 0 for an overhang below a half."""
    if slots.overhang < 0.5:
        return 0.0
    others = []
    for content, row, units in zip(contents, filled, colours, strict=True):
        highest = int(row.sum()) - 1
        face = content[slots.span(highest, 1.15, 0.85 + min(1.0, slots.overhang))]
        if highest >= 0 and len(face):
            others.append(float(_hue_distance(np.median(face, axis=0), units[highest])) > 1.5 * SPLIT)
    return float(np.mean(others)) if others else 0.0


def _hue_distance(a: Lab, b: Lab) -> NDArray[np.float32]:
    return distance(weigh_lightness(a, SHADING_WEIGHT), weigh_lightness(b, SHADING_WEIGHT))


def _base_below(units: Units) -> bool:
    """Whether the lowest slot shows the same in all containers, whatever stands above it: a base plate."""
    lowest = units.colours[:, 0]
    same = np.percentile(distance(lowest, np.median(lowest, axis=0)[None]), 90) < NOTICEABLE
    above = units.colours[:, 1:][units.filled[:, 1:]]
    various = len(above) > 0 and np.percentile(distance(above, np.median(above, axis=0)[None]), 80) > 2 * NOTICEABLE
    return bool(same and various and units.filled[:, 0].all())


def _faces_on_top(units: Units) -> bool:
    """Whether the highest slot of every container shows the top face of the unit below it."""
    held = _held(units)
    if not held or min(n for _, n in held) < 2:
        return False
    pairs = [float(_hue_distance(units.colours[i, n - 1], units.colours[i, n - 2])) for i, n in held]
    if np.mean(np.array(pairs) > 1.5 * SPLIT) > STRANGE_FACES:
        return False
    if _tips_in_sight(units, held):
        return True
    if _units_on_top(units, held):
        return False
    uniform = all(_hue_distance(units.colours[i, k], units.colours[i, 0]) < SPLIT for i, n in held for k in range(n))
    return bool(max(pairs) < SPLIT and not uniform)


def _units_on_top(units: Units, held: list[tuple[int, int]]) -> bool:
    """Whether all highest slots repeat those below place by place, as no top face does: it is lit and shaped otherwise.

    `held` lists containers and their numbers of units, at least two each.
    """
    slots = units.slots
    length = round(slots.height)

    def look(i: int, k: int) -> Lab:
        column = units.profiles.columns[i]
        start = slots.span(k, 0.0, 1.0).start
        return np.stack([column.content[start : start + length], column.core[start : start + length]])

    for i, n in held:
        upper, lower = look(i, n - 1), look(i, n - 2)
        if upper.shape != lower.shape or np.percentile(distance(upper, lower), 75) > SAME_LOOK:
            return False
    return True


def _held(units: Units) -> list[tuple[int, int]]:
    """The containers that hold something, and how many units."""
    return [(i, int(n)) for i, n in enumerate(units.filled.sum(axis=1)) if n]


def _tips_in_sight(units: Units, held: list[tuple[int, int]]) -> bool:
    """Whether the peg sticks out of the highest slot of the containers `held` (container, number of units)."""
    return _peg_share(units, held) > TIP_SHARE


def peg_in_highest(units: Units) -> float:
    """The share of the highest slot's height along which all containers show the peg, or the hole that it stands in."""
    return _peg_share(units, _held(units))


def _peg_share(units: Units, held: list[tuple[int, int]]) -> float:
    columns, slots = units.profiles.columns, units.slots
    length = max(2, round(slots.height))
    spans = [(columns[i], slots.span(n - 1, 0.0, 1.0).start) for i, n in held]
    spans = [(column, start) for column, start in spans if start + length <= len(column.core)]
    if not spans:
        return 0.0
    cores = np.stack([column.core[start : start + length] for column, start in spans])
    sides = np.stack([column.content[start : start + length] for column, start in spans])
    same = spread(cores) < NOTICEABLE
    other = np.percentile(distance(cores, sides), 30, axis=0) > NOTICEABLE
    return float((same & other).mean())
