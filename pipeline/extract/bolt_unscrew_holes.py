"""Bolt Unscrew screens: groups of round things that may be the free holes of one panel.

They are plain inside, end all around, and lie on a ground of one colour that is not their own.
"""

import numpy as np
from numpy.typing import NDArray

from pipeline.extract.bolt_unscrew_families import SUPPORT
from pipeline.extract.bolt_unscrew_rounds import Rounds
from pipeline.extract.circles import Circle
from pipeline.extract.colour import median

CLOSED = 0.8
"""Least share of directions in which a hole ends at its outline."""

CONTRAST = 7.0
"""Least distance (weighted ΔE) of a hole's inside from the panel around it."""


SIZE_RATIO = (0.75, 1.9)
"""Screw radius ÷ hole radius."""

SAME_SIZE = 0.2
"""Largest difference of the radii of two holes of one panel, as a share."""

SAME_GROUND = (3.0, 9.0)
"""Largest distance (weighted ΔE) between the surroundings of two holes of one panel: of a plain one, and where light
and grain change over it. A letter on paper a little darker than the panel is told from a hole only by the first."""


MOST_GROUPS = 8
"""Of holes that may belong to one family of screws."""

WHOLE = 0.9
"""Least share of the outline of a hole that is seen whole."""


def roundness_of(circle: Circle) -> float:
    """How clearly a circle is seen: 0 hardly, 1 all around."""
    return max(0.0, (circle.support - SUPPORT) / (1 - SUPPORT))


def plain_circles(rounds: Rounds) -> NDArray[np.bool_]:
    """Which circles end all around and lie on a ground of one colour that is not their own, as a free hole does."""
    contrast = np.linalg.norm(rounds.inside - rounds.ground, axis=1) >= CONTRAST
    return (rounds.support >= SUPPORT) & (rounds.unrest < 6) & (rounds.closed >= CLOSED) & contrast


def hole_groups(rounds: Rounds, family: NDArray[np.intp]) -> list[NDArray[np.intp]]:
    """Plain circles of a fitting size, grouped by the colour around them, at most `MOST_GROUPS`: the roundest first.

    Of each also the part that is whole all around, which letters are not, and all that a looser bound on the colour
    joins.
    """
    size = median(rounds.radius[family])
    ratio = size / rounds.radius
    apart = np.linalg.norm(rounds.at[:, None] - rounds.at[family][None], axis=2).min(axis=1)
    candidates = (
        plain_circles(rounds)
        & (ratio >= SIZE_RATIO[0])
        & (ratio <= SIZE_RATIO[1])
        & (apart > 0.9 * (size + rounds.radius))
        & (rounds.relief < 0.6 * median(rounds.relief[family]))
    )
    groups: list[NDArray[np.intp]] = []
    while candidates.any() and len(groups) < MOST_GROUPS:
        rows = np.nonzero(candidates)[0]
        away = np.linalg.norm(rounds.ground[rows][:, None] - rounds.ground[rows][None], axis=2)
        alike = np.abs(rounds.radius[rows][:, None] / rounds.radius[rows][None] - 1) < SAME_SIZE
        near, loose = (alike & (away < bound) for bound in SAME_GROUND)
        pick = int(np.argmax(near @ [roundness_of(rounds.circles[i]) for i in rows]))
        whole = rounds.support[rows] >= WHOLE
        chosen = [
            near[pick],
            *(more for more in (near[pick] & whole, loose[pick]) if 0 < more.sum() != near[pick].sum()),
        ]
        groups += [one_a_place(rounds, rows[flags]) for flags in chosen]
        candidates[rows[near[pick]]] = False
    return groups[:MOST_GROUPS]


def one_a_place(rounds: Rounds, rows: NDArray[np.intp]) -> NDArray[np.intp]:
    """Without all but the best supported of circles that lie in one another."""
    kept: list[int] = []
    for i in rows[np.argsort(-rounds.support[rows], kind="stable")]:
        if all(np.hypot(*(rounds.at[i] - rounds.at[k])) > rounds.radius[k] for k in kept):
            kept.append(int(i))
    return np.array(sorted(kept), np.intp)
