"""Bolt Unscrew screens: discs and plates among boards that lie on one another.

A disc lies around one screw and shows its rim wherever nothing covers it. A plate (a triangle, a rectangle) has
straight sides: of an area of one colour in view, those parts of the outline that nothing on top cuts. Where such sides
meet, in view or not, are its corners.
"""

from collections.abc import Iterator

import cv2
import numpy as np
from numpy.typing import NDArray

from pipeline.extract.bolt_unscrew_planks import Candidate
from pipeline.extract.bolt_unscrew_rims import pixels_at
from pipeline.extract.bolt_unscrew_shapes import Scene, Shape, commonest, depth_in
from pipeline.extract.bolt_unscrew_sight import ONE_COLOUR, Sight
from pipeline.extract.circles import LEAST_STEP, Floats
from pipeline.extract.components import components

Mask = NDArray[np.uint8]

RADII = (1.35, 4.5)
"""Radii of discs in screw radii."""

ANGLES = 48
"""Directions in which a disc's rim is looked for."""

IN_VIEW, RIMMED = 0.4, 0.86
"""Least share of a disc's rim that is in view, and of that the share that shows an edge."""

PLAIN = 0.7
"""Least share of a disc's view that has one colour."""

PLATE = 0.5
"""Strength of a plate, before it is looked at."""

STRAIGHT = 2.0
"""Pixels that an outline may stray from a straight side."""

SHOWN = 0.4
"""Least share of a plate's side that is in view."""

SHARPEST = 0.1
"""Sine of the least angle by which one side of a plate turns from the one before."""

FARTHEST = 8
"""Pixels from the area of a plate's colour to the outer edge of its rim."""


def discs_on(scene: Scene, among: NDArray[np.bool_], free: Mask) -> Iterator[Candidate]:
    """Discs around the screws `among`, as far as `free` leaves them in view."""
    for screw, wanted in zip(scene.spots.screws, among, strict=True):
        at = screw.circle.x, screw.circle.y
        if wanted:
            radius, share = _rim(scene, at, free)
            if radius and _plain_ring(scene, at, (1.3 * scene.spots.radius, 0.8 * radius), free):
                yield Candidate(Shape("disc", (at,), 2 * radius), share)


def _rim(scene: Scene, at: tuple[float, float], free: Mask) -> tuple[float, float]:
    """The radius of the outermost rim around a point and the share of it that shows an edge; 0 when there is none."""
    lengths = np.arange(RADII[0] * scene.spots.radius, RADII[1] * scene.spots.radius, 1.0, dtype=np.float32)
    rows, cols, outwards = _rays(at, lengths, free.shape)
    facing = scene.across[rows, cols] * outwards[0][:, None] + scene.down[rows, cols] * outwards[1][:, None]
    edge = np.abs(facing) >= LEAST_STEP
    edge[:, 1:-1] |= edge[:, 2:] | edge[:, :-2]
    view = free[rows, cols] > 0
    share = (edge & view).sum(axis=0) / np.maximum(1, view.sum(axis=0))
    good = np.flatnonzero((view.mean(axis=0) >= IN_VIEW) & (share >= RIMMED))
    if not len(good):
        return 0.0, 0.0
    good = good[lengths[good] <= 1.2 * lengths[good[0]] + 1]
    good = good[share[good] >= share[good].max() - 0.08]
    steepness = np.minimum(np.abs(facing) * view, 8 * LEAST_STEP).sum(axis=0)
    ahead = np.pad(steepness, 1)
    summits = good[(steepness[good] >= ahead[good]) & (steepness[good] >= ahead[good + 2])]
    pick = int(summits[-1] if len(summits) else good[0])  # of a rim's two edges the outer one, where it is steepest
    return float(lengths[pick]), float(share[pick])


def _plain_ring(scene: Scene, at: tuple[float, float], reach: tuple[float, float], free: Mask) -> bool:
    """Whether what is in view between two radii has one colour, and not the panel's."""
    rows, cols, _ = _rays(at, np.linspace(*reach, 4, dtype=np.float32), free.shape)
    pixels = scene.lab[rows, cols][free[rows, cols] > 0]
    if reach[1] <= reach[0] or len(pixels) < ANGLES // 2:
        return False
    colour, plain = commonest(pixels, ONE_COLOUR)
    return plain >= PLAIN and float(np.linalg.norm(colour - scene.spots.colour)) > 0.6 * scene.spots.tolerance


def _rays(
    at: tuple[float, float], lengths: Floats, shape: tuple[int, ...]
) -> tuple[NDArray[np.intp], NDArray[np.intp], Floats]:
    """Rows and columns of pixels at some distances around a point (directions × lengths), and the directions."""
    turns = np.linspace(0, 2 * np.pi, ANGLES, endpoint=False, dtype=np.float32)
    outwards = np.stack([np.cos(turns), np.sin(turns)])
    points = np.array(at, np.float32) + outwards.T[:, None] * lengths[:, None]
    return *pixels_at(points, shape), outwards


def plates_in(sight: Sight, free: Mask) -> Iterator[Candidate]:
    """Plates that areas in view, each shut in by edges, are part of, the largest area first."""
    radius = sight.scene.spots.radius
    view = cv2.bitwise_and(free, sight.clear)
    inside = cv2.bitwise_and(cv2.bitwise_and(sight.cover, view), cv2.bitwise_not(sight.steep))
    parts, stats = components(np.asarray(inside, np.uint8))
    hidden = cv2.dilate(cv2.bitwise_not(free), np.ones((7, 7), np.uint8))
    for part in np.argsort(-stats[:, cv2.CC_STAT_AREA], kind="stable"):
        if not part or stats[part, cv2.CC_STAT_AREA] < 1.5 * np.pi * radius**2:
            continue
        outlines, _ = cv2.findContours((parts == part).astype(np.uint8), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
        plate = _plate(sight.scene, max(outlines, key=cv2.contourArea), hidden)
        if plate is not None and any(depth_in(plate, s.circle.x, s.circle.y) > 0 for s in sight.scene.spots.screws):
            yield Candidate(plate, PLATE)


def _plate(scene: Scene, contour: NDArray[np.int32], hidden: Mask) -> Shape | None:
    """The convex polygon whose sides an outline shows where nothing hides them; None where they shut nothing in."""
    shown = contour[:, 0][hidden[contour[:, 0, 1], contour[:, 0, 0]] == 0].astype(np.float32)
    corners = cv2.approxPolyDP(cv2.convexHull(contour, clockwise=False), STRAIGHT, True)[:, 0].astype(np.float32)
    sides = []
    for a, b in zip(corners, np.roll(corners, -1, axis=0), strict=True):
        side = _side(scene, a, b, shown)
        if side is not None:
            sides.append(side)
    if len(sides) < 3:
        return None
    met = [_meeting(one, two) for one, two in zip(sides, [*sides[1:], sides[0]], strict=True)]
    if any(point is None for point in met):
        return None
    return Shape("polygon", tuple(point for point in met if point is not None))


def _side(scene: Scene, a: Floats, b: Floats, shown: Floats) -> tuple[Floats, Floats] | None:
    """A point on the outer edge of a side from a to b, and its direction; None when too little of it is shown."""
    along = (b - a) / max(1e-6, float(np.hypot(*(b - a))))
    outwards = np.array([along[1], -along[0]], np.float32)
    ahead, away = (shown - a) @ along, (shown - a) @ outwards
    on = shown[(np.abs(away) <= STRAIGHT) & (ahead >= 0) & (ahead <= np.hypot(*(b - a)))]
    if len(on) < max(SHOWN * np.hypot(*(b - a)), scene.spots.radius):
        return None
    along = cv2.fitLine(on, cv2.DIST_L2, 0, 0.01, 0.01).ravel()[:2] * 1.0
    if along @ (b - a) < 0:
        along = -along
    outwards = np.array([along[1], -along[0]], np.float32)
    steps = np.arange(FARTHEST + 1)
    at = pixels_at(on[:, None] + steps[:, None] * outwards, scene.across.shape)
    slope = np.abs(scene.across[at] * outwards[0] + scene.down[at] * outwards[1])
    share = (slope >= LEAST_STEP).mean(axis=0)
    edge = int(np.flatnonzero(share >= 0.9 * share.max())[-1])
    return on.mean(axis=0) + (edge - 1) * outwards, along


def _meeting(one: tuple[Floats, Floats], two: tuple[Floats, Floats]) -> tuple[float, float] | None:
    """Where a side meets the next one, which turns inwards from it; None when it does not."""
    (p, u), (q, v) = one, two
    turn = float(u[0] * v[1] - u[1] * v[0])
    if turn < SHARPEST:
        return None
    step = float((q - p)[0] * v[1] - (q - p)[1] * v[0]) / turn
    return float(p[0] + step * u[0]), float(p[1] + step * u[1])
