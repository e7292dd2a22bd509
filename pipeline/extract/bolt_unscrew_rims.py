"""Bolt Unscrew screens: the edges along the outline of a board, and the board moved to where they stand."""

from dataclasses import replace
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pipeline.extract.bolt_unscrew_shapes import Scene, Shape, grown, outline
from pipeline.extract.circles import LEAST_STEP, Floats

Mask = NDArray[np.uint8]

POINT_STEP = 2.0
"""Pixels from one point of an outline to the next."""

REACH, NEAR = 3, 1
"""Pixels to either side of an outline where its edge is looked for, at first and once it is settled."""

THINNEST_RIM, WIDEST_RIM = 2, 6
"""Pixels from the inner edge of a rim, to which an outline was drawn, to the outer one."""

FEWEST_BORDERING, ALONG_RIM = 12, 0.25
"""Points of an outline that border on the panel and tell of a rim; the share of them from where shadows are longer."""

STRAY = 1.5
"""Pixels from an outline at which an edge is not its own."""

STIFF = 2.0
"""Points of an outline that have to pull for a part of it to follow."""


@lru_cache(maxsize=512)
def rim_of(shape: Shape) -> tuple[Floats, Floats]:
    """Points along an outline, `POINT_STEP` pixels apart, and the unit normals outwards, (n, 2) both, read-only.

    Kept, because the same outline is looked at again for every layer and for every question asked of it.
    """
    corners = np.array(outline(shape), np.float32)
    ahead = np.roll(corners, -1, axis=0) - corners
    lengths = np.hypot(*ahead.T)
    counts = np.where(lengths > 0, np.maximum(1, np.rint(lengths / POINT_STEP)), 0).astype(int)
    rows = np.repeat(np.arange(len(corners)), counts)
    shares = (np.arange(len(rows)) - (np.cumsum(counts) - counts)[rows] + 0.5) / counts[rows]
    points = np.asarray(corners[rows] + shares[:, None] * ahead[rows], np.float32)
    turn = 1 if _turned_right(corners) else -1
    normals = np.asarray((ahead / np.maximum(lengths, 1e-6)[:, None])[rows, ::-1] * (turn, -turn), np.float32)
    points.flags.writeable = normals.flags.writeable = False
    return points, normals


def _turned_right(corners: Floats) -> bool:
    """Whether corners go around clockwise as seen on the screen (y runs down)."""
    x, y = (corners - corners[0]).T
    return bool((x * np.roll(y, -1) - y * np.roll(x, -1)).sum() > 0)


def in_view(shape: Shape, where: Mask) -> NDArray[np.bool_]:
    """Whether points along an outline lie where a mask is set."""
    return np.asarray(where[pixels_at(rim_of(shape)[0], where.shape)] > 0)


def edge_along(scene: Scene, shape: Shape, where: Mask) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Whether points along an outline show an edge across it, and whether they lie where a mask is set."""
    return edge_at(scene, *rim_of(shape), where), in_view(shape, where)


def quarter_turned(way: Floats) -> Floats:
    """A direction (x, y) turned by 90 degrees."""
    return np.array([-way[1], way[0]], way.dtype)


def edge_at(scene: Scene, points: Floats, normals: Floats, where: Mask) -> NDArray[np.bool_]:
    """Whether there is an edge across the `normals` at points (n, 2), or within `NEAR` pixels, where a mask is set."""
    return np.asarray((steepness(scene, points, normals, where, NEAR) >= LEAST_STEP).any(axis=0))


def settled(scene: Scene, shape: Shape, free: Mask, cover: Mask) -> Shape:
    """A shape moved to where its edges stand as far as `free` is set, with its rim: all that `cover`s the panel there.

    A light rim on a light panel is fainter than its own inner edge, to which the outline is drawn.
    """
    moved = _moved(scene, shape, free)
    wider = _rim_beyond(moved, free, cover)
    return grown(moved, wider) if wider else moved


def _rim_beyond(shape: Shape, free: Mask, cover: Mask) -> int:
    """How many pixels a board goes on beyond an outline, on most of it that the panel borders; 0 for a mere shadow."""
    points, normals = rim_of(shape)
    at = pixels_at(points + np.arange(WIDEST_RIM + 2)[:, None, None] * normals, cover.shape)
    covered = cover[at] > 0
    bordering = (free[at] > 0).all(axis=0) & ~covered[-1]
    if np.count_nonzero(bordering) < FEWEST_BORDERING:
        return 0
    beyond = np.cumprod(covered[1:-1, bordering], axis=0).sum(axis=0)
    wider = int(np.quantile(beyond, ALONG_RIM, method="lower"))
    return wider if wider >= THINNEST_RIM else 0


def _moved(scene: Scene, shape: Shape, free: Mask) -> Shape:
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


def steepness(scene: Scene, points: Floats, normals: Floats, where: Mask, reach: int) -> Floats:
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
