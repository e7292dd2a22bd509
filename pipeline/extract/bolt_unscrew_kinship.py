"""Bolt Unscrew screens: whether screws and holes are plainly those of this game, before any board is read.

Dense stacks of boards are often hard to read while their screws and holes are plain, and such a picture is worth
asking about. Round things of other games (dots, balls, nuts, wheels) are few, hardly round, of several looks, or lie
on the app's background: a panel stands on the screen, it seldom fills it.
"""

from pipeline.extract.bolt_unscrew_panel import sides_reached
from pipeline.extract.bolt_unscrew_spots import Spots, roundness

ROUND = (0.85, 0.7)
"""Least mean roundness of screws and of holes that are plain."""

FEW_SCREWS = 4
"""Fewer screws may be something else: round things of another game, or on a board that shows only bare holes."""

VERY_ROUND = (0.95, 0.9)
"""The same where the screws are few."""

HARDLY_ROUND = 0.7
"""Less mean roundness of both makes screws and holes strange."""

MANY_SCREWS = 8
"""So many are plain even where the panel fills the screen."""


def plain(spots: Spots) -> bool:
    """Whether nothing but a board of this game shows such screws and holes."""
    count = len(spots.screws)
    few = count < FEW_SCREWS
    bounds = VERY_ROUND if few else ROUND
    if count < 2 or roundness(spots.screws) < bounds[0] or roundness(spots.holes) < bounds[1]:
        return False
    if len(spots.relatives) > (0 if few else count / 2) or sum(s.on_wood for s in spots.screws) < count / 2:
        return False
    return sides_reached(spots.panel) < 2 or count >= MANY_SCREWS


def strange(spots: Spots) -> bool:
    """Whether things that are drawn as circles are too badly round.

    Where the panel may be the app's background they have to be rounder.
    """
    round_screws, round_holes = roundness(spots.screws), roundness(spots.holes)
    if sides_reached(spots.panel) >= 2:
        return round_screws < ROUND[0]
    return max(round_screws, round_holes) < HARDLY_ROUND


def like_a_button(spots: Spots) -> bool:
    """Whether it is one round thing on another on the app's background: many a button looks so."""
    return len(spots.screws) == 1 and sides_reached(spots.panel) >= 2
