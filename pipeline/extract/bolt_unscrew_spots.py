"""Bolt Unscrew screens: screws and panel holes among the round things of a picture.

Screws of a game look alike: one radius, one look from the middle outwards, and a relief (slot, cross, hexagon, shine)
inside, whatever lies around them. Free holes are alike too, and all of them lie on one ground, the panel: flat inside,
unlike the panel around them. So screws are the strongest family of circles with relief, and holes are the plain circles
of about a screw's size whose surroundings agree on one colour.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from pipeline.extract.bolt_unscrew_panel import panel_around, share_set, sides_reached
from pipeline.extract.circles import Circle, Edges, Floats, find_circles, looks

SMALLEST, LARGEST = 4.5, 40.0
"""Radii of screws and holes in pixels of the working picture."""

MOST_CIRCLES = 700
"""Only so many of the best supported circles are looked at."""

SURROUNDINGS = (1.5, 1.8)
"""Where the surroundings of a circle are sampled, in radii."""

SUPPORT = 0.6
"""Least share of a circle's outline for one that starts a family or is a hole."""

RELIEF = 5.0
"""Least mean deviation (weighted ΔE) from its own median colour inside a screw."""

ALIKE = 8.0
"""Largest mean distance (weighted ΔE) of two looks of one family."""

CLOSED = 0.8
"""Least share of directions in which a hole ends at its outline."""

CONTRAST = 7.0
"""Least distance (weighted ΔE) of a hole's inside from the panel around it."""


@dataclass(frozen=True)
class Spot:
    """A round thing that was taken for a screw or a hole; `confidence` in [0, 1].

    `on_wood` tells whether something other than the panel lies around it.
    """

    circle: Circle
    confidence: float
    on_wood: bool = False


@dataclass(frozen=True, eq=False)
class Rounds:
    """All circles of a picture with their features; arrays run along the circles.

    `looks` are median colours (weighted L*a*b*) outwards from the middle, shape (n, reach, 3); `relief` is the mean
    deviation inside, `inside` the median colour there, `ground` that of the surroundings and `unrest` its spread;
    `closed` is the share of directions in which the inside does not go on beyond the outline (not so at a bar's end).
    """

    circles: list[Circle]
    looks: Floats
    relief: Floats
    inside: Floats
    ground: Floats
    unrest: Floats
    closed: Floats

    @property
    def at(self) -> Floats:
        """Middles, shape (n, 2)."""
        return np.array([(c.x, c.y) for c in self.circles], np.float32).reshape(-1, 2)

    @property
    def radius(self) -> Floats:
        """Radii."""
        return np.array([c.radius for c in self.circles], np.float32)

    @property
    def support(self) -> Floats:
        """Shares of the outlines that are edges."""
        return np.array([c.support for c in self.circles], np.float32)


def find_rounds(lab: Floats, edges: Edges) -> Rounds:
    """The circles of a working picture (weighted L*a*b*) and what they look like, the smallest first."""
    circles = sorted(find_circles(edges, SMALLEST, LARGEST)[:MOST_CIRCLES], key=lambda c: c.radius)
    length = int(SURROUNDINGS[1] * LARGEST * 1.1) + 3
    seen = np.zeros((len(circles), length, 3), np.float32)
    features: list[_Features] = []
    for first in range(0, len(circles), 100):  # circles of about one size are sampled together, no farther than needed
        part = circles[first : first + 100]
        reach = int(SURROUNDINGS[1] * part[-1].radius) + 2
        polar = looks(lab, part, reach)
        seen[first : first + 100, : reach + 1] = np.median(polar, axis=1)
        features += [_features(circle, around) for circle, around in zip(part, polar, strict=True)]
    columns = zip(*features, strict=True) if features else ([] for _ in _Features._fields)
    relief, inside, ground, unrest, closed = (np.array(column, np.float32) for column in columns)
    return Rounds(circles, seen, relief, inside.reshape(-1, 3), ground.reshape(-1, 3), unrest, closed)


class _Features(NamedTuple):
    """Of one circle what `Rounds` has of all."""

    relief: float
    inside: Floats
    ground: Floats
    unrest: float
    closed: float


def _features(circle: Circle, polar: Floats) -> _Features:
    core = polar[:, : max(2, int(0.75 * circle.radius)) + 1].reshape(-1, 3)
    inner, outer = (int(f * circle.radius) for f in SURROUNDINGS)
    around = polar[:, inner : outer + 2].reshape(-1, 3)
    inside, ground = np.median(core, axis=0), np.median(around, axis=0)
    relief = float(np.linalg.norm(core - inside, axis=1).mean())
    unrest = float(np.median(np.linalg.norm(around - ground, axis=1)))
    out = np.linalg.norm(np.median(polar[:, inner : outer + 2], axis=1) - inside, axis=1)
    closed = float((out > 0.5 * np.linalg.norm(ground - inside)).mean())
    return _Features(relief, inside, ground, unrest, closed)


def unlike(rounds: Rounds, seed: int) -> Floats:
    """How far every circle's look lies from that of circle `seed`, within the seed's radius: mean weighted ΔE."""
    reach = max(2, round(0.95 * rounds.circles[seed].radius))
    area = np.arange(1, reach + 1, dtype=np.float32)
    away = np.linalg.norm(rounds.looks[:, :reach] - rounds.looks[seed, :reach], axis=2)
    return np.asarray((away * area).sum(axis=1) / area.sum(), np.float32)


def families(rounds: Rounds) -> list[NDArray[np.intp]]:
    """Families of circles with relief that look alike, the strongest first; each family's first member is its seed."""
    support = rounds.support
    free = (support >= SUPPORT) & (rounds.relief >= RELIEF)
    found: list[NDArray[np.intp]] = []
    seeds = [int(i) for i in np.nonzero(free)[0]]
    alike = {i: _alike(rounds, i) for i in seeds}
    while free.any():
        strength = {i: float(support[alike[i] & free].sum()) for i in seeds if free[i]}
        seed = max(strength, key=lambda i: strength[i])
        members = np.nonzero(alike[seed] & free)[0]
        found.append(np.array([seed, *(m for m in members if m != seed)], np.intp))
        free[members] = False
        free[seed] = False
    return found


def _alike(rounds: Rounds, seed: int) -> NDArray[np.bool_]:
    radius = rounds.radius
    near = np.abs(radius - radius[seed]) <= 0.25 * radius[seed] + 1
    return near & (unlike(rounds, seed) < ALIKE)


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

    @property
    def radius(self) -> float:
        """That of the screws."""
        return float(np.median([s.circle.radius for s in self.screws]))


MOST_FAMILIES = 12
SIZE_RATIO = (0.75, 1.9)
"""Screw radius ÷ hole radius."""

BACKDROP = 0.3
"""What evidence counts for a panel that runs along two sides of the picture: it is rather the app's background."""

SAME_GROUND = 9.0
"""Largest distance (weighted ΔE) between the surroundings of two holes of one panel."""


def find_spots(lab: Floats, rounds: Rounds) -> Spots | None:
    """The screws and holes that belong together on one panel; None when the picture has no such pair."""
    best: tuple[float, Spots] | None = None
    for family in families(rounds)[:MOST_FAMILIES]:
        for group in _hole_groups(rounds, family):
            spots = _on_panel(lab, rounds, family, group)
            if spots is None:
                continue
            strength = _strength(spots) * spots.radius**0.25  # a ring inside every screw loses to the screws themselves
            if best is None or strength > best[0]:
                best = strength, spots
    return best[1] if best else None


def _strength(spots: Spots) -> float:
    """How much speaks for screws and holes: each counts by how clearly it is round, a screw off all wood little."""
    screws = sum(_roundness(s.circle) * (1.0 if s.on_wood else 0.1) for s in spots.screws)
    backdrop = sides_reached(spots.panel) >= 2
    return (screws + sum(_roundness(h.circle) for h in spots.holes)) * (BACKDROP if backdrop else 1.0)


def roundness(spots: Sequence[Spot]) -> float:
    """How clearly some spots are round, on average: 0 for circles that are hardly seen, 1 for whole ones."""
    return float(np.mean([_roundness(s.circle) for s in spots]))


def _roundness(circle: Circle) -> float:
    return max(0.0, (circle.support - SUPPORT) / (1 - SUPPORT))


def _hole_groups(rounds: Rounds, family: NDArray[np.intp]) -> list[NDArray[np.intp]]:
    """Plain circles of a fitting size, grouped by the colour around them; at most three groups, the strongest first."""
    size = float(np.median(rounds.radius[family]))
    ratio = size / rounds.radius
    apart = np.linalg.norm(rounds.at[:, None] - rounds.at[family][None], axis=2).min(axis=1)
    candidates = (
        (rounds.support >= SUPPORT)
        & (ratio >= SIZE_RATIO[0])
        & (ratio <= SIZE_RATIO[1])
        & (apart > 0.9 * (size + rounds.radius))
        & (rounds.relief < 0.6 * float(np.median(rounds.relief[family])))
        & (rounds.unrest < 6)
        & (rounds.closed >= CLOSED)
        & (np.linalg.norm(rounds.inside - rounds.ground, axis=1) >= CONTRAST)
    )
    groups: list[NDArray[np.intp]] = []
    while candidates.any() and len(groups) < 3:
        rows = np.nonzero(candidates)[0]
        near = np.linalg.norm(rounds.ground[rows][:, None] - rounds.ground[rows][None], axis=2) < SAME_GROUND
        near &= np.abs(rounds.radius[rows][:, None] / rounds.radius[rows][None] - 1) < 0.35
        pick = int(np.argmax(near @ rounds.support[rows]))
        groups.append(rows[near[pick]])
        candidates[rows[near[pick]]] = False
    return groups


def _on_panel(lab: Floats, rounds: Rounds, family: NDArray[np.intp], group: NDArray[np.intp]) -> Spots | None:
    """Family and holes reduced to those on the panel that the holes show; None when no screw is on it."""
    colour = np.median(rounds.ground[group], axis=0)
    spread = float(np.linalg.norm(rounds.ground[group] - colour, axis=1).max())
    tolerance = float(np.clip(3.5 + 2.5 * spread + 2.5 * float(rounds.unrest[group].max()), 3.5, 18))
    panel = panel_around(lab, colour, tolerance, [rounds.circles[i] for i in group])
    if panel is None:
        return None
    left, top, width, height = cv2.boundingRect(panel)
    pad = 0.06 * max(width, height)
    at = rounds.at
    inside = (at[:, 0] > left - pad) & (at[:, 0] < left + width + pad)
    inside &= (at[:, 1] > top - pad) & (at[:, 1] < top + height + pad)
    members = [int(i) for i in family if inside[i]]
    if not members or not any(inside[group]):
        return None
    size = float(np.median(rounds.radius[members]))
    away = unlike(rounds, int(family[0]))
    screws: list[Spot] = []
    relatives: list[Circle] = []
    fitting = np.nonzero(inside & (np.abs(rounds.radius / size - 1) < 0.3))[0]
    for i in fitting[np.argsort(away[fitting] - 20 * rounds.support[fitting], kind="stable")]:
        circle = rounds.circles[i]
        if any(np.hypot(s.circle.x - circle.x, s.circle.y - circle.y) < 1.2 * size for s in screws):
            continue
        if away[i] < 1.5 * ALIKE and rounds.relief[i] >= RELIEF:
            on_wood = share_set(panel, circle, 1.35) < 0.75
            screws.append(Spot(circle, _confidence(circle.support, float(away[i])), on_wood))
        elif circle.support >= 0.75 and rounds.relief[i] >= max(RELIEF, 0.5 * rounds.relief[family[0]]):
            relatives.append(circle)
    if not any(screw.on_wood for screw in screws):
        return None
    holes = [_hole(rounds, int(i), colour, tolerance) for i in group if inside[i]]
    return Spots(screws, holes, relatives, colour, tolerance, panel)


def _confidence(support: float, away: float) -> float:
    """That a circle is a screw: full for one that looks like the family and is seen all around."""
    return float(np.clip(1.45 - 0.04 * away, 0, 0.99) * np.clip(0.25 + support, 0, 1))


def _hole(rounds: Rounds, i: int, colour: Floats, tolerance: float) -> Spot:
    off = float(np.linalg.norm(rounds.ground[i] - colour)) / tolerance
    contrast = float(np.linalg.norm(rounds.inside[i] - rounds.ground[i])) / CONTRAST
    support = float(np.clip(0.25 + rounds.support[i], 0, 1))
    confidence = 0.99 * support * np.clip(0.7 + 0.3 * contrast, 0, 1) * np.clip(1.6 - off, 0, 1)
    return Spot(rounds.circles[i], float(confidence))
