"""Bolt Unscrew screens: screws and panel holes among the round things of a picture.

Screws of a game look alike: one radius, one look from the middle outwards, and a relief (slot, cross, hexagon, shine)
inside, whatever lies around them. Free holes are alike too, and all of them lie on one ground, the panel: flat inside,
unlike the panel around them. So screws are the strongest family of circles with relief, and holes are the plain circles
of about a screw's size whose surroundings agree on one colour.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import cv2
import numpy as np
from numpy.typing import NDArray

from pipeline.extract.bolt_unscrew_families import RELIEF, SAME_LOOK, families, unlike
from pipeline.extract.bolt_unscrew_holes import CONTRAST, hole_groups, plain_circles, roundness_of
from pipeline.extract.bolt_unscrew_panel import (
    in_its_light,
    panel_around,
    ring,
    share_set,
    sides_reached,
    with_enclosed,
    without_boards,
)
from pipeline.extract.bolt_unscrew_rounds import Rounds
from pipeline.extract.circles import Circle, Floats
from pipeline.extract.colour import median, median_colours

OUTER_RING = 1.75
"""A screw's outline is less than this times as large as the ring inside by which it was found."""

WHOLE_RING = 0.92
"""Least share of a ring that is edge on most of the screws, for it to be their outline."""

EDGE = 1.0
"""Pixels that an edge reaches to either side."""

ONE_METAL = 7.0
"""Largest mean distance (weighted ΔE) of the colours that screws have at one radius."""

ROUND_SCREWS, ROUND_HOLES = 0.55, 0.3
"""Least mean roundness of the screws and of the holes of a real panel."""


@dataclass(frozen=True)
class Spot:
    """A round thing that was taken for a screw or a hole; `confidence` in [0, 1].

    `on_wood` tells whether something other than the panel lies around it.
    """

    circle: Circle
    confidence: float
    on_wood: bool = False


@dataclass(frozen=True, eq=False)
class Spots:
    """Screws and free holes of one panel, in working pixels.

    `relatives` are circles that might be screws but look different; `colour` (weighted L*a*b*) is the panel's and
    `tolerance` how far its own pixels may lie from it.
    """

    screws: list[Spot]
    holes: list[Spot]
    relatives: list[Circle]
    colour: Floats
    tolerance: float
    panel: NDArray[np.uint8]
    """255 where the panel is seen."""

    @cached_property
    def radius(self) -> float:
        """That of the screws."""
        return median([s.circle.radius for s in self.screws])


MOST_FAMILIES = 12
"""Of round things that may be the screws."""

BACKDROP = 0.3
"""What evidence counts for a panel that runs along two sides of the picture: it is rather the app's background."""


def find_spots(rounds: Rounds) -> Spots | None:
    """The screws and holes that belong together on one panel; None when the picture has no such pair.

    They are weighed on a panel at half the size, in the order of what they can reach; only the winners are looked at
    in full.
    """
    if not plain_circles(rounds).any():
        return None
    pairs: list[tuple[NDArray[np.intp], NDArray[np.intp]]] = []
    bounds: list[float] = []
    for family in families(rounds)[:MOST_FAMILIES]:
        groups = hole_groups(rounds, family)
        pairs += [(family, group) for group in groups]
        bounds += _bounds(rounds, family, groups)
    best: tuple[float, int] | None = None
    for k in sorted(range(len(pairs)), key=lambda k: -bounds[k]):
        if best is not None and bounds[k] <= best[0]:
            break
        spots = _on_panel(rounds, rounds.half, *pairs[k])
        if spots is not None and (best is None or _strength(spots) > best[0]):
            best = _strength(spots), k
    return _in_full(rounds, *pairs[best[1]]) if best else None


def _in_full(rounds: Rounds, family: NDArray[np.intp], group: NDArray[np.intp]) -> Spots | None:
    """Screws and holes on the panel of the picture itself, boards of the panel's own colour cut out of it."""
    spots = _on_panel(rounds, rounds.lab, family, group)
    if spots is None:
        return None
    radius = _outline(rounds, [s.circle for s in spots.screws])
    screws = [replace(s, circle=replace(s.circle, radius=radius)) for s in spots.screws]
    off = [s.circle for s in screws if not s.on_wood]
    panel = without_boards(spots.panel, rounds.steep, off, [h.circle for h in spots.holes]) if off else spots.panel
    screws = [replace(s, on_wood=_on_wood(panel, s.circle)) for s in screws]
    panel = with_enclosed(rounds.lab, panel, spots.tolerance, [s.circle for s in screws])
    return replace(spots, screws=screws, panel=panel)


def _outline(rounds: Rounds, screws: Sequence[Circle]) -> float:
    """The radius of screws whose circles may be rings inside.

    It is the largest at which most of them show a whole ring, with one colour inside on all of them: farther out
    every screw is surrounded by the colour of its own board.
    """
    inner = median([screw.radius for screw in screws])
    best = inner
    for radius in np.arange(inner + EDGE, OUTER_RING * inner, 0.5):
        within = median_colours(np.stack([ring(rounds.lab, s, radius - 2 * EDGE) for s in screws]))
        if np.linalg.norm(within - median_colours(within), axis=1).mean() > ONE_METAL:
            break
        if median([ring(rounds.steep, s, radius).mean() for s in screws]) >= WHOLE_RING:
            best = max(inner, float(radius) - EDGE)
    return best


def _on_wood(panel: NDArray[np.uint8], circle: Circle) -> bool:
    """Whether something other than the panel lies around a circle."""
    return share_set(panel, circle, 1.35) < 0.75


def _bounds(rounds: Rounds, family: NDArray[np.intp], groups: Sequence[NDArray[np.intp]]) -> list[float]:
    """Bounds of the strength that a family may have with each group of holes, whatever the panel."""
    size = median(rounds.radius[family])
    alike = (rounds.relief >= RELIEF) & (rounds.radius > 0.5 * size) & (rounds.radius < 1.6 * size)
    rows = np.flatnonzero(alike)
    rows = rows[unlike(rounds, int(family[0]), rows) < SAME_LOOK]
    weight = float(rounds.radius[family].max()) ** 0.25
    return [sum(roundness_of(rounds.circles[i]) for i in np.union1d(rows, group)) * weight for group in groups]


def _strength(spots: Spots) -> float:
    """How much speaks for screws and holes: each counts by how clearly it is round, a screw off all wood little.

    Of rings inside every screw and the screws themselves the larger ones win.
    """
    screws = sum(roundness_of(s.circle) * (1.0 if s.on_wood else 0.1) for s in spots.screws)
    backdrop = sides_reached(spots.panel) >= 2
    seen = screws + sum(roundness_of(h.circle) for h in spots.holes)
    return seen * (BACKDROP if backdrop else 1.0) * spots.radius**0.25


def roundness(spots: Sequence[Spot]) -> float:
    """How clearly some spots are round, on average: 0 for circles that are hardly seen, 1 for whole ones."""
    return float(np.mean([roundness_of(s.circle) for s in spots]))


def _on_panel(rounds: Rounds, lab: Floats, family: NDArray[np.intp], group: NDArray[np.intp]) -> Spots | None:
    """Family and holes reduced to those on the panel that the holes show; None when no proper screw is on it.

    The panel has the size of `lab`, which may be the picture's or smaller.
    """
    scale = lab.shape[1] / rounds.lab.shape[1]
    key = group.tobytes(), scale
    if key not in rounds.panels:  # several families have the same holes beside them
        rounds.panels[key] = _panel_of(rounds, lab, scale, group)
    colour, tolerance, panel = rounds.panels[key]
    if panel is None:
        return None
    inside = _within(rounds, panel, scale)
    if not any(inside[family]) or not any(inside[group]):
        return None
    if not all(inside[group]):
        return _on_panel(rounds, lab, family, group[inside[group]])
    holes = [_hole(rounds, int(i), colour, tolerance) for i in group]
    screws, relatives = _screws(rounds, family, inside, panel)
    proper = roundness(holes) >= ROUND_HOLES and roundness(screws) >= ROUND_SCREWS
    if not proper or not any(screw.on_wood for screw in screws):
        return None
    return Spots(screws, holes, relatives, colour, tolerance, panel)


def _panel_of(
    rounds: Rounds, lab: Floats, scale: float, group: NDArray[np.intp]
) -> tuple[Floats, float, NDArray[np.uint8] | None]:
    """The colour seen around some holes, its tolerance, and the panel of that colour, if there is one."""
    colour = median_colours(rounds.ground[group])
    spread = float(np.linalg.norm(rounds.ground[group] - colour, axis=1).max())
    tolerance = float(np.clip(3.5 + 2.5 * spread + 2.5 * float(rounds.unrest[group].max()), 3.5, 18))
    panel = panel_around(lab, colour, tolerance, [_scaled(rounds.circles[i], scale) for i in group])
    return colour, tolerance, None if panel is None else in_its_light(lab, panel, tolerance)


def _scaled(circle: Circle, scale: float) -> Circle:
    """A circle in a picture of another size."""
    return Circle((circle.x + 0.5) * scale - 0.5, (circle.y + 0.5) * scale - 0.5, circle.radius * scale, circle.support)


def _within(rounds: Rounds, panel: NDArray[np.uint8], scale: float) -> NDArray[np.bool_]:
    """Which circles lie in the box of a panel, or hardly outside."""
    left, top, width, height = (side / scale for side in cv2.boundingRect(panel))
    pad = 0.06 * max(width, height)
    low, high = np.array([left - pad, top - pad]), np.array([left + width + pad, top + height + pad])
    return np.asarray(((rounds.at > low) & (rounds.at < high)).all(axis=1))


def _screws(
    rounds: Rounds, family: NDArray[np.intp], inside: NDArray[np.bool_], panel: NDArray[np.uint8]
) -> tuple[list[Spot], list[Circle]]:
    """The screws on a panel, and the circles there that might be screws but look different."""
    size = median(rounds.radius[family[inside[family]]])
    scale = panel.shape[1] / rounds.lab.shape[1]
    rows = np.nonzero(inside & (np.abs(rounds.radius / size - 1) < 0.3) & (rounds.relief >= RELIEF))[0]
    away = unlike(rounds, int(family[0]), rows)
    alike = away < SAME_LOOK
    related = (rounds.support[rows] >= 0.75) & (rounds.relief[rows] >= 0.5 * rounds.relief[family[0]])
    screws: list[Spot] = []
    relatives: list[Circle] = []
    for k in np.argsort(away - 20 * rounds.support[rows], kind="stable"):
        circle = rounds.circles[rows[k]]
        if not (alike[k] or related[k]) or any(
            math.dist(_middle(s.circle), _middle(circle)) < 1.2 * size for s in screws
        ):
            continue
        if alike[k]:
            on_wood = _on_wood(panel, _scaled(circle, scale))
            screws.append(Spot(circle, _confidence(circle.support, float(away[k])), on_wood))
        else:
            relatives.append(circle)
    return screws, relatives


def _middle(circle: Circle) -> tuple[float, float]:
    return circle.x, circle.y


def _confidence(support: float, away: float) -> float:
    """That a circle is a screw: full for one that looks like the family and is seen all around."""
    return float(np.clip(1.45 - 0.04 * away, 0, 0.99) * np.clip(0.25 + support, 0, 1))


def _hole(rounds: Rounds, i: int, colour: Floats, tolerance: float) -> Spot:
    off = float(np.linalg.norm(rounds.ground[i] - colour)) / tolerance
    contrast = float(np.linalg.norm(rounds.inside[i] - rounds.ground[i])) / CONTRAST
    support = float(np.clip(0.25 + rounds.support[i], 0, 1))
    confidence = 0.99 * support * np.clip(0.7 + 0.3 * contrast, 0, 1) * np.clip(1.6 - off, 0, 1)
    return Spot(rounds.circles[i], float(confidence))
