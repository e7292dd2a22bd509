"""Which end of a vehicle is its front.

Cues that fail in different pictures:

    arrow    a light arrow on the roof, compared with drawn arrows that point either way
    lamps    white at the front corners, red at the rear ones: two cues
    kinship  vehicles of one picture are drawn alike: turned the right way round, all of them look the same at their
             ends. This does not say which end is the front, but makes the cues of many vehicles one.

A patch (`arrows`) is a vehicle cut out and laid along x; its end at small x lies to the left or at the top in the
picture. A cue is positive when the front is at the other end, at large x (right, down).
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from pipeline.extract.arrows import BREADTH, arrow, normed, whiteness
from pipeline.extract.colour import Lab, distance, median, median_colour

Floats = NDArray[np.floating]
Look = Callable[[Lab], Floats]
"""What is compared of a patch."""

END = 26
"""Pixels of each end that are compared between vehicles."""

SHIFTS = (-3, -2, -1, 0, 1, 2, 3)
"""Pixels that ends may be shifted against one another."""

OBVIOUS = 1.2
"""Log-odds from which a front can be seen."""


@dataclass(frozen=True)
class Cues:
    """What one vehicle shows by itself, each in [−1, 1]: an arrow, white lamps (ahead), red lamps (behind)."""

    arrow: float
    white: float
    red: float

    @property
    def said(self) -> tuple[float, float, float]:
        """What each of them says, as log-odds that the front is at large x."""
        return ARROW_ODDS * max(-1.0, min(1.0, 2 * self.arrow)), LAMP_ODDS * self.white, LAMP_ODDS * self.red

    @property
    def odds(self) -> float:
        """All of it together."""
        return sum(self.said)

    @property
    def shows_both_ends(self) -> bool:
        """Whether white lamps show at one end and red ones at the other: it is neither longer nor shorter."""
        return self.white * self.red > 0 and min(abs(self.white), abs(self.red)) > LAMPLIKE


def relief(patch: Lab) -> Floats:
    """How much each pixel differs from the body's paint (ΔE, at most 50)."""
    return np.minimum(distance(patch, median_colour(patch[4:-4:2, 4:-4:2])), 50)


def shading(patch: Lab) -> Floats:
    """How much lighter each pixel is than the body's paint (ΔL*, at most 20 either way)."""
    light = patch[..., 0]
    return np.clip(light - median(light[4:-4:2, 4:-4:2]), -20, 20)


def own_cues(patch: Lab) -> Cues:
    """The arrow and the lamps of one vehicle."""
    white = whiteness(patch)
    hue = np.arctan2(patch[..., 2], np.maximum(patch[..., 1], 1e-3))
    red = np.clip((patch[..., 1] - 22) / 25, 0, 1) * np.clip(1.5 - np.abs(hue - 0.45) / 0.5, 0, 1)
    return Cues(arrow(white), _lamps(white), -_lamps(red))


def _lamps(light: Floats) -> float:
    """How much more clearly lamps of a light show at the far end than at the near one."""
    above = light - median(light[3:-3, 3:-3])
    return float(np.clip(2 * (_corners(above[:, ::-1]) - _corners(above)), -1, 1))


def _corners(light: Floats) -> float:
    """How clearly both corners at small x hold a lamp: the weaker of them (0…1)."""
    zone, half = light[:, 1 : END // 3 + 1], BREADTH * 2 // 5
    lamps = [np.sort(side.ravel()) for side in (zone[1:half], zone[-half:-1])]
    return max(0.0, min(float(lamp[-max(3, len(lamp) // 12) :].mean()) for lamp in lamps))


def kinship(patches: Sequence[Lab]) -> Floats:
    """How much two vehicles agree on which end is which: n × n, each in [−1, 1], below 0 when they lie opposite.

    Ends are compared, so that long and short vehicles can be. For patches x, y of norm 1 and y turned about, y', the
    difference ⟨x, y⟩ − ⟨x, y'⟩ is twice the product of what in x and y is not symmetric; divided by how much that is,
    it becomes a correlation. Where next to nothing is (`LOPSIDED`) it is noise and stays small.
    """
    there, back = _both_ways(patches)
    turned = Kin.of(back).likeness(there)
    product = (Kin.of(there).likeness(there) - turned) / 2
    lopsided = np.sqrt(np.clip((1 - np.diag(turned)) / 2, 0, None))
    alike = np.clip(product / np.maximum(LOPSIDED, lopsided[:, None] * lopsided), -1, 1)
    return np.asarray((alike + alike.T) / 2, np.float32)


@dataclass(frozen=True, eq=False)
class Kin:
    """Vehicles that are known, as others are compared with them: of each of their ends every shift, normed."""

    shifted: tuple[list[Floats], list[Floats]]

    @classmethod
    def of(cls, ends: Floats) -> "Kin":
        """From the ends (n × BREADTH × 2·END) of n vehicles that lie one way."""
        pad = max(SHIFTS)
        near, far = (
            [_flat(ends[part][:, :, pad + shift : END - pad + shift]) for shift in SHIFTS] for part in _BOTH_ENDS
        )
        return cls((near, far))

    @classmethod
    def like(cls, patches: Sequence[Lab], look: Look = relief) -> "Kin":
        """From patches of vehicles."""
        return cls.of(_both_ways(patches, look)[0])

    def likeness(self, ends: Floats) -> Floats:
        """The correlation of the ends of m vehicles with the known n, m × n: each end at the shift that is best."""
        pad, both = max(SHIFTS), 0.0
        for part, moved in zip(_BOTH_ENDS, self.shifted, strict=True):
            fixed = _flat(ends[part][:, :, pad:-pad])
            both = both + np.max([fixed @ m.T for m in moved], axis=0) / 2
        return np.asarray(both, np.float32)

    def affinity(self, patches: Sequence[Lab], look: Look = relief) -> Floats:
        """How much each patch looks like the known ones, either way round: the mean of its best three others."""
        there, back = _both_ways(patches, look)
        alike = np.maximum(self.likeness(there), self.likeness(back))
        alike[alike > 0.999] = -1  # itself
        return np.asarray(np.sort(alike, axis=1)[:, -3:].mean(axis=1), np.float32)


_BOTH_ENDS = (np.s_[:, 2:-2, :END], np.s_[:, 2:-2, END:])


def _flat(parts: Floats) -> Floats:
    return normed(parts.reshape(len(parts), -1))


def _both_ways(patches: Sequence[Lab], look: Look = relief) -> tuple[Floats, Floats]:
    """The ends of all vehicles as they lie and turned about: n × BREADTH × 2·END each."""
    looks = [look(patch) for patch in patches]
    return np.stack([_ends(x) for x in looks]), np.stack([_ends(x[:, ::-1]) for x in looks])


def _ends(found: Floats) -> Floats:
    """The two ends of a vehicle side by side, a little blurred."""
    return cv2.GaussianBlur(np.hstack([found[:, :END], found[:, -END:]]), (0, 0), 1.2)


ARROW_ODDS, LAMP_ODDS, KINSHIP_ODDS = 3.0, 1.5, 3.0
"""Log-odds of an arrow, of lamps of one colour, and of looking like the others turned that way.

It takes two of them to make a reading sure.
"""

LAMPLIKE, WITNESSES = 0.3, 4
"""How clearly a lamp must show (0…1) to be believed for itself; how many others it takes to prove a kind of lamp."""

LOPSIDED = 0.03
"""Share of a vehicle's ends that must differ between them for the difference to count in full."""

LEAST_KINSHIP, FULL_KINSHIP = 0.15, 0.45
"""Mean kinship to the others at which it begins to count, and from which it counts in full."""

STRANGER, RELATED = 0.82, 0.93
"""Likeness to the others up to which a vehicle is drawn in another way, and from which in the same."""


def front_odds(patches: Sequence[Lab], cues: Sequence[Cues]) -> list[float]:
    """Log-odds that each vehicle's front is at large x.

    The sign pattern that explains kinship best is its leading eigenvector. Which of its two readings holds is decided
    by the own cues of the other vehicles; the more they contradict one another, the less kinship counts.
    """
    own = np.array([c.odds for c in cues])
    if len(patches) < 2:
        return [float(odds) for odds in own]
    alike = kinship(patches).astype(np.float64)
    np.fill_diagonal(alike, 0)
    mean = alike @ np.sign(np.linalg.eigh(alike)[1][:, -1]) / (len(patches) - 1)
    size = np.clip((np.abs(mean) - LEAST_KINSHIP) / (FULL_KINSHIP - LEAST_KINSHIP), 0, 1)
    related = np.clip((_affinity(patches) - STRANGER) / (RELATED - STRANGER), 0, 1)
    strength = np.sign(mean) * size * related
    odds = []
    for i, mine in enumerate(own):
        said = np.delete(own * strength, i)
        loud = np.abs(said).sum()
        agreement = float(said.sum() / loud) if loud > 1 else 0.0
        trust = np.sign(agreement) * np.clip(2 * abs(agreement) - 1, 0, 1)
        odds.append(float(mine + KINSHIP_ODDS * strength[i] * trust))
    return [value + _proven(cues, odds, i) for i, value in enumerate(odds)]


def _affinity(patches: Sequence[Lab]) -> Floats:
    """How much each vehicle looks like the others: by their relief or, where paints differ in strength, their shading.

    On a grey vehicle among bright ones glass stands out less than shadow does, but is lighter or darker all the same.
    """
    by_relief = Kin.like(patches).affinity(patches)
    if by_relief.min() >= RELATED:
        return by_relief
    return np.maximum(by_relief, Kin.like(patches, shading).affinity(patches, shading))


def _proven(cues: Sequence[Cues], odds: Sequence[float], index: int) -> float:
    """More log-odds for signs that agree with the fronts of `WITNESSES` other vehicles of the picture, and all of them.

    Only fronts that are sure without those signs are witnesses. What else a vehicle shows may outweigh a sign of its
    own: then that stays in doubt.
    """
    more = 0.0
    for said in zip(*(c.said for c in cues), strict=True):
        agree = [
            mine * value > 0
            for i, (mine, value) in enumerate(zip(said, odds, strict=True))
            if i != index and abs(mine) > LAMP_ODDS * LAMPLIKE and abs(value - mine) > OBVIOUS
        ]
        if len(agree) >= WITNESSES and all(agree) and said[index] * odds[index] > 0:
            more += said[index]
    return more
