"""Bolt Unscrew screens: boards looked at again in a larger copy of the picture.

Around a screw that several boards share, no more than a few pixels of the working picture tell which lies on top.
"""

from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np

from pipeline.extract.bolt_unscrew_rims import settled
from pipeline.extract.bolt_unscrew_shapes import FoundBoard, Point, Scene, Shape
from pipeline.extract.bolt_unscrew_sight import Sight, hide, sight_of
from pipeline.extract.bolt_unscrew_spots import Spot
from pipeline.extract.circles import gradient
from pipeline.extract.clusters import weigh_lightness
from pipeline.extract.image import Picture

CLOSER, LEAST = 2, 1.4
"""How many times as large the copy is, and how much larger it must be than the working picture to tell more."""


def look_closer(picture: Picture, sight: Sight, boards: Sequence[FoundBoard]) -> tuple[Sight, list[FoundBoard]] | None:
    """The sight in a larger copy, and the boards where their edges stand in it; None where the picture has no more."""
    side = CLOSER * max(sight.cover.shape)
    bgr, _ = picture.reduced(side)
    times = bgr.shape[1] / sight.cover.shape[1]
    if times < LEAST:
        return None
    spots = sight.scene.spots
    screws = [_enlarged_spot(spot, times) for spot in spots.screws]
    lab = weigh_lightness(picture.reduced_lab(side)[0])
    cover = cv2.resize(sight.cover, (bgr.shape[1], bgr.shape[0]), interpolation=cv2.INTER_NEAREST)
    scene = Scene(lab, *gradient(bgr), replace(spots, screws=screws))
    larger = sight_of(scene, [np.asarray(cover, np.uint8)])
    free = larger.unscrewed.copy()
    closer = [replace(b, shape=_enlarged(b.shape, times)) for b in boards]
    for depth in range(max((b.depth for b in boards), default=-1) + 1):
        layer = [k for k, b in enumerate(closer) if b.depth == depth]
        for k in layer:
            closer[k] = replace(closer[k], shape=settled(scene, closer[k].shape, free, larger.cover))
        for k in layer:
            hide(free, closer[k].shape)
    return larger, closer


def _enlarged(shape: Shape, times: float) -> Shape:
    return replace(shape, points=tuple(_moved(p, times) for p in shape.points), width=times * shape.width)


def _enlarged_spot(spot: Spot, times: float) -> Spot:
    x, y = _moved((spot.circle.x, spot.circle.y), times)
    return replace(spot, circle=replace(spot.circle, x=x, y=y, radius=times * spot.circle.radius))


def _moved(point: Point, times: float) -> Point:
    """A point, pixel middles having whole numbers, in a copy that is `times` as large."""
    return (point[0] + 0.5) * times - 0.5, (point[1] + 0.5) * times - 0.5
