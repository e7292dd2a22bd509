"""Bolt Unscrew screens: outlines of boards in pixels of the working picture."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

import cv2
import numpy as np
from numpy.typing import NDArray

from pipeline.extract.bolt_unscrew_spots import Spots
from pipeline.extract.circles import Floats
from pipeline.extract.colour import lengths, median_colour

Point = tuple[float, float]

SLACK = 2.0
"""Pixels by which outlines may be misplaced."""


@dataclass(frozen=True)
class Shape:
    """A strip: the middles of its round ends, and its width. A disc: its middle, and its diameter. A polygon."""

    kind: Literal["strip", "disc", "polygon"]
    points: tuple[Point, ...]
    width: float = 0.0


@dataclass(frozen=True)
class FoundBoard:
    """A board; `depth` counts layers from the top (0), `confidence` is the probability that it is as read."""

    shape: Shape
    depth: int
    confidence: float


@dataclass(frozen=True, eq=False)
class Scene:
    """A working picture: weighted L*a*b*, its gradients (8-bit levels a pixel), and its screws and holes."""

    lab: Floats
    across: Floats
    down: Floats
    spots: Spots


def outline(shape: Shape, shrink: float = 0.0) -> list[Point]:
    """Points around a shape that is `shrink` pixels smaller on every side (polygons are never shrunk)."""
    if shape.kind == "polygon":
        return list(shape.points)
    (ax, ay), (bx, by) = shape.points[0], shape.points[-1]
    turn = float(np.arctan2(by - ay, bx - ax)) + np.pi / 2
    half = max(1.0, shape.width / 2 - shrink)
    arc = turn + np.linspace(0, np.pi, 13)
    around = half * np.stack([np.cos(arc), np.sin(arc)], axis=1)
    points = np.concatenate([np.array(shape.points[0]) + around, np.array(shape.points[-1]) - around])
    return [(x, y) for x, y in points.tolist()]


def grown(shape: Shape, by: float) -> Shape:
    """A shape that is larger by some pixels all around; polygons have their corners pushed away from the middle."""
    if shape.kind != "polygon":
        return replace(shape, width=shape.width + 2 * by)
    corners = np.array(shape.points)
    sides = np.roll(corners, -1, axis=0) - corners
    normals = sides[:, ::-1] * (1, -1) / np.maximum(1e-6, np.hypot(*sides.T))[:, None]
    before = np.roll(normals, 1, axis=0)
    outwards = (normals + before) / np.maximum(0.2, 1 + (normals * before).sum(axis=1))[:, None]
    ahead = np.roll(sides, -1, axis=0)
    turned = np.sign((sides[:, 0] * ahead[:, 1] - sides[:, 1] * ahead[:, 0]).sum())
    return replace(shape, points=tuple((float(x), float(y)) for x, y in corners + by * turned * outwards))


def painted(mask: NDArray[np.uint8], shape: Shape, shrink: float = 0.0) -> None:
    """Set a mask to 255 inside a shape, in place."""
    target: Any = mask
    cv2.fillPoly(target, [np.rint(np.array(outline(shape, shrink))).astype(np.int32)], 255)


def mask_of(shape: Shape, size: tuple[int, ...], shrink: float = 0.0) -> NDArray[np.uint8]:
    """A mask (0 or 255) of height and width `size` with one shape, smaller by `shrink` pixels (or larger, below 0)."""
    mask = np.zeros(size[:2], np.uint8)
    painted(mask, shape, shrink)
    if shape.kind == "polygon" and shrink:
        target: Any = mask
        corners = [np.rint(np.array(shape.points)).astype(np.int32)]
        cv2.polylines(target, corners, True, 0 if shrink > 0 else 255, 2 * round(abs(shrink)) + 1)
    return mask


def hidden_by(boards: Sequence[FoundBoard], size: tuple[int, ...]) -> NDArray[np.uint8]:
    """A mask (0 or 255) of what boards hide, with the rims around them."""
    mask = np.zeros(size[:2], np.uint8)
    for board in boards:
        mask |= mask_of(board.shape, size, shrink=-SLACK)
    return mask


def depth_in(shape: Shape, x: float, y: float) -> float:
    """How far inside a shape a point lies, in pixels; negative outside."""
    return float(depths_in(shape, np.array([(x, y)], np.float32))[0])


def depths_in(shape: Shape, points: Floats) -> Floats:
    """The same of many points (n, 2)."""
    if shape.kind == "polygon":
        corners = np.array(shape.points, np.float32).reshape(-1, 1, 2)
        away = [cv2.pointPolygonTest(corners, (float(x), float(y)), True) for x, y in points]
        return np.array(away, np.float32)
    start, end = (np.array(point, np.float32) for point in (shape.points[0], shape.points[-1]))
    side = end - start
    along = np.clip((points - start) @ side / max(1e-6, float(side @ side)), 0, 1)
    away = np.linalg.norm(points - start - along[:, None] * side, axis=1)
    return np.asarray(shape.width / 2 - away, np.float32)


def commonest(pixels: Floats, within: float) -> tuple[Floats, float]:
    """The median colour of pixels (n × 3, n > 0), and the share of them that lie within a distance (weighted ΔE)."""
    colour = median_colour(pixels)
    return colour, float((lengths(pixels - colour) < within).mean())
