"""Bolt Unscrew screens: discs and plates among boards that lie on one another.

A disc lies around one screw and shows its rim wherever nothing covers it. A plate (a triangle, a rectangle) is the
simplest outline of what no other board explains, so long as it stays where the panel is covered, and holds a screw.
"""

from collections.abc import Iterator, Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from pipeline.extract.bolt_unscrew_shapes import SLACK, FoundBoard, Scene, Shape, depth_in, hidden_by, mask_of
from pipeline.extract.circles import LEAST_STEP, Floats
from pipeline.extract.components import components

Mask = NDArray[np.uint8]

RADII = (1.35, 4.5)
"""Radii of discs in screw radii."""

ANGLES = 48
"""Directions in which a disc's rim is looked for."""

IN_VIEW, RIMMED = 0.58, 0.86
"""Least share of a disc's rim that is in view, and of that the share that shows an edge."""

ONE_COLOUR, PLAIN = 12.0, 0.7
"""Distance (weighted ΔE) of colours within one board, and the least share of its view that has its colour."""

UNPROVED = 0.45
"""Confidence of a plate that was only made up to explain something."""

FILLED = 0.96
"""Least share of a plate that covers the panel, and of what is unexplained that it explains."""


def find_discs(scene: Scene, among: NDArray[np.bool_], above: Sequence[FoundBoard], depth: int) -> list[FoundBoard]:
    """Discs around the screws `among`, as far as the boards `above` leave them in view."""
    hidden = hidden_by(above, scene.lab.shape)
    found = []
    for screw, wanted in zip(scene.spots.screws, among, strict=True):
        at = screw.circle.x, screw.circle.y
        taken = any(b.shape.kind == "disc" and np.hypot(*np.subtract(b.shape.points[0], at)) < SLACK for b in above)
        if wanted and not taken:
            radius, share = _rim(scene, at, hidden)
            if radius and _plain_ring(scene, at, (1.3 * scene.spots.radius, 0.8 * radius), hidden):
                found.append(FoundBoard(Shape("disc", (at,), 2 * radius), depth, share))
    return found


def _rim(scene: Scene, at: tuple[float, float], hidden: Mask) -> tuple[float, float]:
    """The radius of the outermost rim around a point and the share of it that shows an edge; 0 when there is none."""
    lengths = np.arange(RADII[0] * scene.spots.radius, RADII[1] * scene.spots.radius, 1.0, dtype=np.float32)
    rows, cols, outwards = _rays(at, lengths, hidden.shape)
    facing = scene.across[rows, cols] * outwards[0][:, None] + scene.down[rows, cols] * outwards[1][:, None]
    edge = np.abs(facing) >= LEAST_STEP
    edge[:, 1:-1] |= edge[:, 2:] | edge[:, :-2]
    free = hidden[rows, cols] == 0
    share = (edge & free).sum(axis=0) / np.maximum(1, free.sum(axis=0))
    good = np.flatnonzero((free.mean(axis=0) >= IN_VIEW) & (share >= RIMMED))
    if not len(good):
        return 0.0, 0.0
    good = good[lengths[good] <= 1.2 * lengths[good[0]] + 1]
    good = good[share[good] >= share[good].max() - 0.08]
    steepness = np.minimum(np.abs(facing) * free, 8 * LEAST_STEP).sum(axis=0)
    ahead = np.pad(steepness, 1)
    summits = good[(steepness[good] >= ahead[good]) & (steepness[good] >= ahead[good + 2])]
    pick = int(summits[-1] if len(summits) else good[0])  # of a rim's two edges the outer one, where it is steepest
    return float(lengths[pick]), float(share[pick])


def _plain_ring(scene: Scene, at: tuple[float, float], reach: tuple[float, float], hidden: Mask) -> bool:
    """Whether what is in view between two radii has one colour, and not the panel's."""
    rows, cols, _ = _rays(at, np.linspace(*reach, 4, dtype=np.float32), hidden.shape)
    pixels = scene.lab[rows, cols][hidden[rows, cols] == 0]
    if reach[1] <= reach[0] or len(pixels) < ANGLES:
        return False
    colour = np.median(pixels, axis=0)
    plain = float((np.linalg.norm(pixels - colour, axis=1) < ONE_COLOUR).mean())
    return plain >= PLAIN and float(np.linalg.norm(colour - scene.spots.colour)) > 0.6 * scene.spots.tolerance


def _rays(
    at: tuple[float, float], lengths: Floats, shape: tuple[int, ...]
) -> tuple[NDArray[np.intp], NDArray[np.intp], Floats]:
    """Rows and columns of pixels at some distances around a point (directions × lengths), and the directions."""
    turns = np.linspace(0, 2 * np.pi, ANGLES, endpoint=False, dtype=np.float32)
    outwards = np.stack([np.cos(turns), np.sin(turns)])
    cols = np.clip(np.rint(at[0] + outwards[0][:, None] * lengths), 0, shape[1] - 1).astype(np.intp)
    rows = np.clip(np.rint(at[1] + outwards[1][:, None] * lengths), 0, shape[0] - 1).astype(np.intp)
    return rows, cols, outwards


def find_plates(scene: Scene, area: Mask, found: Sequence[FoundBoard]) -> list[FoundBoard]:
    """Plates that explain what the boards found so far leave unexplained of an area that covers the panel."""
    rest = cv2.bitwise_and(area, cv2.bitwise_not(hidden_by(found, area.shape)))
    rest = np.asarray(cv2.morphologyEx(rest, cv2.MORPH_OPEN, np.ones((5, 5), np.uint8)), np.uint8)
    for screw in scene.spots.screws:
        centre = round(screw.circle.x), round(screw.circle.y)
        cv2.circle(rest, centre, round(screw.circle.radius), 0, -1)
    parts, stats = components(rest)
    least = 1.5 * np.pi * scene.spots.radius**2
    plates: list[FoundBoard] = []
    for part in np.argsort(-stats[:, cv2.CC_STAT_AREA], kind="stable"):
        if part and stats[part, cv2.CC_STAT_AREA] >= least:
            plate = _plate(parts == part, area > 0)
            held = plate is not None and any(depth_in(plate, s.circle.x, s.circle.y) > 0 for s in scene.spots.screws)
            if plate is not None and held and not any(_agree(plate, p.shape, area.shape) for p in plates):
                plates.append(FoundBoard(plate, 0, UNPROVED))
    return plates


def _plate(part: NDArray[np.bool_], area: NDArray[np.bool_]) -> Shape | None:
    """The simplest outline around a part of what is unexplained that stays inside the area."""
    points = cv2.findNonZero(part.astype(np.uint8))
    for corners in _outlines(points):
        shape = Shape("polygon", tuple((float(x), float(y)) for x, y in corners))
        inside = mask_of(shape, area.shape) > 0
        if inside.any() and area[inside].mean() >= FILLED and inside[part].mean() >= FILLED:
            return shape
    return None


def _outlines(points: NDArray[np.int32]) -> Iterator[NDArray[np.float32]]:
    """Triangle, rectangle and convex polygon around points, as corners (n, 2)."""
    triangle = cv2.minEnclosingTriangle(points.astype(np.float32))[1]
    if triangle is not None:
        yield triangle.reshape(-1, 2)
    yield cv2.boxPoints(cv2.minAreaRect(points))
    hull = cv2.convexHull(points)
    yield cv2.approxPolyDP(hull, 0.02 * cv2.arcLength(hull, True), True).reshape(-1, 2).astype(np.float32)


def _agree(a: Shape, b: Shape, size: tuple[int, ...]) -> bool:
    """Whether two shapes are nearly one."""
    first, second = mask_of(a, size) > 0, mask_of(b, size) > 0
    return float((first & second).sum()) >= 0.8 * float((first | second).sum())
