"""Bolt Unscrew screens: families of circles that look alike, as the screws of one game do.

They have one radius, one look from the middle outwards, and a relief (slot, cross, hexagon, shine) inside.
"""

import numpy as np
from numpy.typing import NDArray

from pipeline.extract.bolt_unscrew_rounds import Rounds
from pipeline.extract.circles import Floats

SUPPORT = 0.6
"""Least share of a circle's outline for one that starts a family or is a hole."""

RELIEF = 3.0
"""Least mean deviation (weighted ΔE) from its own median colour inside a screw."""

ALIKE = 8.0
"""Largest mean distance (weighted ΔE) of two looks of one family."""

SAME_LOOK = 1.5 * ALIKE
"""The same for a circle on the panel of a family: a screw in shadow, or partly covered."""


def unlike(rounds: Rounds, seed: int, rows: slice | NDArray[np.intp] = slice(None)) -> Floats:
    """How far the looks of circles lie from that of circle `seed`, within the seed's radius: mean weighted ΔE."""
    reach = max(2, round(0.95 * rounds.circles[seed].radius))
    area = np.arange(1, reach + 1, dtype=np.float32)
    away = rounds.looks[rows, :reach] - rounds.looks[seed, :reach]
    return np.asarray(np.sqrt(np.einsum("nrc,nrc->nr", away, away)) @ area / area.sum(), np.float32)


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
    radius = rounds.radius  # in rising order
    slack = 0.25 * radius[seed] + 1
    near = slice(*np.searchsorted(radius, [radius[seed] - slack, radius[seed] + slack]))
    alike = np.zeros(len(radius), bool)
    alike[near] = unlike(rounds, seed, near) < ALIKE
    return alike
