"""Bolt Unscrew screens: free holes that were missed at first, because the panel looks a little different around them.

A panel's grain, light and vignette part one hole from the others; that it is of their size, on the panel and has
their colour inside tells it still. Where holes show what lies behind the panel, they have several colours: those are
taken for holes as well, but in doubt, and what is round and not plain inside is asked about.
"""

from dataclasses import replace

import cv2
import numpy as np

from pipeline.extract.bolt_unscrew_families import RELIEF
from pipeline.extract.bolt_unscrew_holes import CLOSED, SAME_SIZE
from pipeline.extract.bolt_unscrew_panel import light_over, share_set
from pipeline.extract.bolt_unscrew_rounds import Rounds
from pipeline.extract.bolt_unscrew_spots import Spot, Spots
from pipeline.extract.circles import Circle, Floats

ROUND = 0.75
"""Least share of the outline of such a hole that is edge."""

CONTRAST = 3.5
"""Least distance (weighted ΔE) of its inside from the panel around it."""

SAME_INSIDE = 8.0
"""Largest distance (weighted ΔE) of its inside from that of the holes found."""

OTHER_INSIDE = 0.8
"""Confidence of a hole of another colour."""

ONE_MIDDLE, WIDEST_RIM = 0.2, 1.5
"""Rings of a hole have its middle to within so many of its radii, and are at most so many times as large or small."""

ON_PANEL = 0.6
"""Least share of its surroundings that is panel."""


def with_missed_holes(rounds: Rounds, spots: Spots) -> Spots:
    """The spots with the holes missed; those of another look join `relatives`."""
    taken = [spot.circle for spot in (*spots.screws, *spots.holes)] + spots.relatives
    known = np.array([rounds.inside[rounds.circles.index(hole.circle)] for hole in spots.holes])
    inside = np.median(known, axis=0)
    likely = (
        (rounds.support >= ROUND)
        & (np.abs(rounds.radius[:, None] / _sizes(rounds, spots) - 1) < SAME_SIZE).any(axis=1)
        & (rounds.closed >= CLOSED)
        & (np.linalg.norm(rounds.inside - rounds.ground, axis=1) >= CONTRAST)
    )
    light = light_over(rounds.lab, spots.panel).T
    left, top, width, height = cv2.boundingRect(spots.panel)
    holes, strange = list(spots.holes), list(spots.relatives)
    for i in sorted(np.flatnonzero(likely), key=lambda i: -float(rounds.support[i])):
        circle = rounds.circles[i]
        lit = light @ np.array([1, circle.x, circle.y], np.float32)
        on_panel = share_set(spots.panel, circle, 1.7) >= ON_PANEL or (
            left < circle.x < left + width
            and top < circle.y < top + height
            and float(np.linalg.norm(rounds.ground[i] - lit)) < spots.tolerance
        )
        if not on_panel or any(_touch(circle, other) for other in taken):
            continue
        taken.append(circle)
        alike = float(np.linalg.norm(rounds.inside[i] - inside)) < SAME_INSIDE
        if alike or rounds.relief[i] < RELIEF:
            holes.append(Spot(circle, min(0.97, 0.25 + circle.support) if alike else OTHER_INSIDE))
        else:
            strange.append(circle)
    return replace(spots, holes=holes, relatives=strange)


def _sizes(rounds: Rounds, spots: Spots) -> Floats:
    """The radius of the holes found, and those of the rings in and around one: of another hole another may show."""
    size = float(np.median([hole.circle.radius for hole in spots.holes]))
    middles = np.array([(hole.circle.x, hole.circle.y) for hole in spots.holes], np.float32)
    apart = np.linalg.norm(rounds.at[:, None] - middles, axis=2).min(axis=1)
    rings = (apart < ONE_MIDDLE * size) & (rounds.support >= ROUND)
    near = (rounds.radius * WIDEST_RIM > size) & (rounds.radius < WIDEST_RIM * size)
    return np.array([size, *rounds.radius[rings & near]], np.float32)


def _touch(a: Circle, b: Circle) -> bool:
    return float(np.hypot(a.x - b.x, a.y - b.y)) < 0.9 * (a.radius + b.radius)
