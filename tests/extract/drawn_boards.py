"""Small drawn panels with boards and screws at known places, as what the Bolt Unscrew reader looks at."""

from collections.abc import Sequence
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from pipeline.extract.bolt_unscrew_shapes import Point, Scene, Shape, outline
from pipeline.extract.bolt_unscrew_sight import Sight, sight_of
from pipeline.extract.bolt_unscrew_spots import Spot, Spots
from pipeline.extract.circles import Circle, Floats, gradient
from pipeline.extract.clusters import weigh_lightness
from pipeline.extract.image import Picture

SIZE = (240, 320)
"""Width and height in pixels."""

SCREW = 8.0
"""Radius of a screw in pixels."""

WIDTH = 28.0
"""That of a strip across."""

PANEL, METAL, LINE = (228, 238, 240), (150, 150, 150), (40, 40, 40)
BLUE, RED, GREEN = (200, 120, 60), (70, 80, 210), (90, 170, 70)

_FINE = 8
"""How many times as large a shape is painted before it is scaled down, for soft edges."""


def strip(*ends: Point, width: float = WIDTH) -> Shape:
    return Shape("strip", (ends[0], ends[1]), width)


def sight(boards: Sequence[tuple[Shape, tuple[int, int, int]]], screws: Sequence[Point]) -> Sight:
    """The view of boards, each with its colour (BGR) and those below first, with screws on top of all of them.

    A board has neither a rim nor a shadow: what is drawn of it ends where its shape does. One of the
    panel's colour is a window in those below.
    """
    canvas: Any = np.full((SIZE[1], SIZE[0], 3), PANEL, np.uint8)
    cover: Any = np.zeros((SIZE[1], SIZE[0]), np.uint8)
    for shape, colour in boards:
        share = _share_covered(shape)[:, :, None]
        canvas = np.rint(canvas * (1 - share) + share * colour).astype(np.uint8)
        cover[share[:, :, 0] > 0.5] = 0 if colour == PANEL else 255
    for x, y in screws:
        cv2.circle(canvas, (round(x), round(y)), round(SCREW), METAL, -1, cv2.LINE_AA)
        cv2.circle(canvas, (round(x), round(y)), round(SCREW), LINE, 2, cv2.LINE_AA)
    return _seen(canvas, cover, screws)


def _share_covered(shape: Shape) -> Floats:
    """How much of every pixel lies inside a shape, from 0 to 1."""
    fine: Any = np.zeros((_FINE * SIZE[1], _FINE * SIZE[0]), np.uint8)
    corners = (np.array(outline(shape)) + 0.5) * _FINE - 0.5
    cv2.fillPoly(fine, [np.rint(corners).astype(np.int32)], 255)
    return np.asarray(cv2.resize(fine, SIZE, interpolation=cv2.INTER_AREA) / np.float32(255), np.float32)


def _seen(canvas: NDArray[np.uint8], cover: NDArray[np.uint8], screws: Sequence[Point]) -> Sight:
    lab = weigh_lightness(Picture(canvas).reduced_lab(max(SIZE))[0])
    found = [Spot(Circle(x, y, SCREW, 1.0), 1.0, on_wood=True) for x, y in screws]
    panel = np.asarray(cv2.bitwise_not(cover), np.uint8)
    spots = Spots(found, [], [], np.median(lab[panel > 0], axis=0), 8.0, panel)
    return sight_of(Scene(lab, *gradient(canvas), spots), [cover])
