"""Bolt Unscrew screens without a single screw: designs and pictures from before the screws were put in.

Such boards show the panel through their holes: many plain circles of one size, all with the panel's colour inside and
something else around them.
"""

import numpy as np

from pipeline.extract.bolt_unscrew_families import RELIEF
from pipeline.extract.bolt_unscrew_holes import CLOSED, one_a_place
from pipeline.extract.bolt_unscrew_panel import colour_of_panel, sides_reached
from pipeline.extract.bolt_unscrew_rounds import Rounds
from pipeline.extract.circles import Circle

FEWEST = 4
"""Holes; fewer plain circles of one colour are anything."""

ROUND = 0.85
"""Least share of a hole's outline that is edge."""

ALIKE = 5.0
"""Largest distance (weighted ΔE) between the insides of two holes, and of the panel from them."""

APART = 4.0
"""Least distance (weighted ΔE) between the inside of a hole and the board around it."""

PANEL_SHARE = 0.3
"""Least share of its own box that the panel covers."""


def bare_holes(rounds: Rounds) -> list[Circle]:
    """The holes through which the panel is seen; empty when the picture has no such boards."""
    plain = (
        (rounds.support >= ROUND)
        & (rounds.relief < RELIEF)
        & (rounds.closed >= CLOSED)
        & (np.linalg.norm(rounds.inside - rounds.ground, axis=1) >= APART)
    )
    rows = np.nonzero(plain)[0]
    if len(rows) < FEWEST:
        return []
    alike = np.linalg.norm(rounds.inside[rows][:, None] - rounds.inside[rows][None], axis=2) < ALIKE
    alike &= np.abs(rounds.radius[rows][:, None] / rounds.radius[rows][None] - 1) < 0.35
    group = one_a_place(rounds, rows[alike[int(alike.sum(axis=1).argmax())]])
    if len(group) < FEWEST:
        return []
    colour = np.median(rounds.inside[group], axis=0)
    panel, (left, top, width, height) = colour_of_panel(rounds.lab, colour, ALIKE)
    at = rounds.at[group]
    within = (at[:, 0] > left) & (at[:, 0] < left + width) & (at[:, 1] > top) & (at[:, 1] < top + height)
    covered = float((panel[top : top + height, left : left + width] > 0).mean())
    if not within.all() or covered < PANEL_SHARE or sides_reached(panel) >= 2:
        return []
    return [rounds.circles[i] for i in group]
