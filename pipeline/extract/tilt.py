"""By how much a picture is turned, from its edges, and the picture turned back.

Most strong edges of a screen lie along its rows and columns. A photo of it, or a scan, turns all of them by the same
few degrees, so that the commonest direction, modulo a right angle, is the tilt.
"""

import math

import cv2
import numpy as np

from pipeline.extract.colour import Lab
from pipeline.extract.image import Pixels

MOST = 8.0
"""Degrees up to which a tilt is looked for."""

LEAST = 0.4
"""Degrees from which a tilt counts; upright screens measure less than 0.1."""

EDGE = 4.0
"""Change of L* per pixel from which there is an edge."""

BIN, NEAR = 0.25, 2.0
"""Degrees: the width of the bins in which directions are counted, and how far around the fullest one they average."""

SHARE = 0.2
"""Share of all edges, by strength, that must lie near the tilt."""


def tilt_of(lab: Lab) -> float:
    """The angle (radians, clockwise as seen) by which a picture is turned; 0 when none is clear.

    `lab` may be a small copy of the picture: 200 pixels tell a tilt to a fifth of a degree.
    """
    lightness = cv2.GaussianBlur(lab[..., 0], (5, 5), 0)  # the steps of slanted edges else point elsewhere
    across, down = (cv2.Scharr(lightness, cv2.CV_32F, x, 1 - x, scale=1 / 32) for x in (1, 0))
    strength = np.hypot(across, down)
    across, down, strength = (part[strength > EDGE] for part in (across, down, strength))
    upright = np.abs(across) > np.abs(down)  # of an edge; its normal is level
    slope = np.where(upright, down, -across) / np.where(upright, across, down)
    degrees, total = np.degrees(np.arctan(slope)), float(strength.sum())
    near = np.abs(degrees) < MOST + NEAR
    degrees, strength = degrees[near], strength[near]
    bins = round(2 * (MOST + NEAR) / BIN)
    counts, borders = np.histogram(degrees, bins, (-MOST - NEAR, MOST + NEAR), weights=strength)
    tilt = float(borders[np.convolve(counts, np.ones(4), "same").argmax()])
    for _ in range(3):  # the mean of what lies near moves the window to the middle of the peak
        near = np.abs(degrees - tilt) < NEAR
        weight = float(strength[near].sum())
        if weight <= SHARE * total:
            return 0.0
        tilt = float((degrees[near] * strength[near]).sum()) / weight
    return math.radians(tilt) if LEAST <= abs(tilt) <= MOST else 0.0


def turned_back(bgr: Pixels, tilt: float) -> Pixels:
    """A picture turned counter-clockwise around its middle by `tilt` (radians), of the same size.

    What comes from outside repeats the border. `Lattice.turned` takes a lattice found in it to the picture itself.
    """
    height, width = bgr.shape[:2]
    middle = ((width - 1) / 2, (height - 1) / 2)
    warp = cv2.getRotationMatrix2D(middle, math.degrees(tilt), 1.0)
    return np.asarray(cv2.warpAffine(bgr, warp, (width, height), borderMode=cv2.BORDER_REPLICATE), np.uint8)
