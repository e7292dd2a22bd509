"""Bolt Unscrew screens: the edges along the outline of a board, and the board moved to where they stand."""

from dataclasses import replace
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pipeline.extract.bolt_unscrew_shapes import Scene, Shape, grown, outline
from pipeline.extract.circles import LEAST_STEP, Floats

POINT_STEP = 2.0
"""Pixels from one point of an outline to the next."""

REACH, NEAR = 3, 1
"""Pixels to either side of an outline where its edge is looked for, at first and once it is settled."""

WIDEST_RIM = 6
"""Most pixels from the inner edge of a rim to the outer one."""

ALL_AROUND, AS_STEEP = 0.9, 0.6
"""Least share of what is in view that shows the outer edge of a rim, and how steep that is beside the inner one."""

STRAY = 1.5
"""Pixels from an outline at which an edge is not its own."""

STIFF = 2.0
"""Points of an outline that have to pull for a part of it to follow."""


@lru_cache(maxsize=512)
def rim_of(shape: Shape) -> tuple[Floats, Floats]:
    """Points along an outline, `POINT_STEP` pixels apart, and the unit normals there, (n, 2) both, read-only.

    Kept, because the same outline is looked at again for every layer and for every question asked of it.
    """
    corners = np.array(outline(shape), np.float32)
    ahead = np.roll(corners, -1, axis=0) - corners
    lengths = np.hypot(*ahead.T)
    counts = np.where(lengths > 0, np.maximum(1, np.rint(lengths / POINT_STEP)), 0).astype(int)
    rows = np.repeat(np.arange(len(corners)), counts)
    shares = (np.arange(len(rows)) - (np.cumsum(counts) - counts)[rows] + 0.5) / counts[rows]
    points = np.asarray(corners[rows] + shares[:, None] * ahead[rows], np.float32)
    normals = np.asarray((ahead / np.maximum(lengths, 1e-6)[:, None])[rows, ::-1] * (-1, 1), np.float32)
    points.flags.writeable = normals.flags.writeable = False
    return points, normals


def in_view(shape: Shape, where: NDArray[np.uint8]) -> NDArray[np.bool_]:
    """Whether points along an outline lie where a mask is set."""
    return np.asarray(where[pixels_at(rim_of(shape)[0], where.shape)] > 0)


def edge_along(scene: Scene, shape: Shape, where: NDArray[np.uint8]) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Whether points along an outline show an edge across it, and whether they lie where a mask is set."""
    return edge_at(scene, *rim_of(shape), where), in_view(shape, where)


def quarter_turned(way: Floats) -> Floats:
    """A direction (x, y) turned by 90 degrees."""
    return np.array([-way[1], way[0]], way.dtype)


def edge_at(scene: Scene, points: Floats, normals: Floats, where: NDArray[np.uint8]) -> NDArray[np.bool_]:
    """Whether there is an edge across the `normals` at points (n, 2), or within `NEAR` pixels, where a mask is set."""
    return np.asarray((steepness(scene, points, normals, where, NEAR) >= LEAST_STEP).any(axis=0))


def settled(scene: Scene, shape: Shape, free: NDArray[np.uint8]) -> Shape:
    """A shape moved to where its edges stand as far as `free` is set: of a rim's two edges to the outer one."""
    shape = _moved(scene, shape, free)
    points, normals = rim_of(shape)
    view = in_view(shape, free)
    if not view.any():
        return shape
    steep = steepness(scene, points[view], normals[view], free, WIDEST_RIM + 1)[WIDEST_RIM:]
    edge, mean = steep >= LEAST_STEP, steep.mean(axis=1)
    around = (edge[:-2] | edge[1:-1] | edge[2:]).mean(axis=1)
    summit = (mean[1:-1] >= mean[:-2]) & (mean[1:-1] >= mean[2:]) & (mean[1:-1] >= AS_STEEP * mean[:3].max())
    wider = int(np.flatnonzero((around >= ALL_AROUND) & summit).max(initial=0))
    return _moved(scene, grown(shape, wider), free) if wider else shape


def _moved(scene: Scene, shape: Shape, free: NDArray[np.uint8]) -> Shape:
    """A shape with its outline moved to the steepest edges within `REACH` pixels.

    Every corner of a polygon, both ends of a strip and the middle of a disc may move, and the width may change: the
    least squares of what is left between outline and edges, without what is far off.
    """
    points, normals = rim_of(shape)
    steep = steepness(scene, points, normals, free, REACH)
    away = steep.argmax(axis=0) - REACH
    used = in_view(shape, free) & (steep.max(axis=0) >= LEAST_STEP)
    pulls = _pulls(shape, points)
    model = (pulls[:, :, None] * normals[:, None, :]).reshape(len(points), -1)
    if shape.kind != "polygon":
        axis = pulls @ np.array(shape.points, np.float32)
        outwards = np.sign((normals * (points - axis)).sum(axis=1))
        model = np.concatenate([model, outwards[:, None]], axis=1)
    moves = np.zeros(model.shape[1])
    for _ in range(3):
        a = model[used]
        moves = np.linalg.solve(a.T @ a + STIFF * np.eye(a.shape[1]), a.T @ away[used])
        used = used & (np.abs(away - model @ moves) <= STRAY)
    ends = moves[: 2 * len(shape.points)].reshape(-1, 2)
    moved = tuple((float(x + dx), float(y + dy)) for (x, y), (dx, dy) in zip(shape.points, ends, strict=True))
    wider = 2 * float(moves[-1]) if shape.kind != "polygon" else 0.0
    return replace(shape, points=moved, width=shape.width + wider)


def _pulls(shape: Shape, points: Floats) -> Floats:
    """How much every point of an outline follows each of the shape's own points, (n, k)."""
    own = np.array(shape.points, np.float32)
    if shape.kind == "disc":
        return np.ones((len(points), 1), np.float32)
    pulls = np.zeros((len(points), len(own)), np.float32)
    best = np.full(len(points), np.inf, np.float32)
    pairs = [(0, 1)] if shape.kind == "strip" else [(k, (k + 1) % len(own)) for k in range(len(own))]
    for i, j in pairs:
        side = own[j] - own[i]
        share = np.clip((points - own[i]) @ side / max(1e-6, float(side @ side)), 0, 1)
        away = np.linalg.norm(points - own[i] - share[:, None] * side, axis=1)
        near = away < best
        best[near] = away[near]
        pulls[near] = 0
        pulls[near, i] = 1 - share[near]
        pulls[near, j] = share[near]
    return pulls


def steepness(scene: Scene, points: Floats, normals: Floats, where: NDArray[np.uint8], reach: int) -> Floats:
    """How steep the picture is along the normals, from `reach` pixels inside to as many outside, (steps, n).

    0 where a mask is not set: those edges are not the board's.
    """
    steps = np.arange(-reach, reach + 1).astype(normals.dtype)[:, None, None]
    at = pixels_at(points + steps * normals, where.shape)
    slope = np.abs(scene.across[at] * normals[..., 0] + scene.down[at] * normals[..., 1])
    return np.asarray(np.where(where[at] > 0, slope, 0), np.float32)


def pixels_at(points: NDArray[Any], shape: tuple[int, ...]) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Rows and columns of the pixels at points (…, 2), those outside moved to the border."""
    nearest = np.rint(points).astype(np.intp)
    cols = np.minimum(np.maximum(nearest[..., 0], 0), shape[1] - 1)
    rows = np.minimum(np.maximum(nearest[..., 1], 0), shape[0] - 1)
    return rows, cols
