"""Containers that were overlooked: places in a row whose two ends look like those of its members.

A unit that hardly differs from the ground breaks a container's outline, and an empty one may hardly be outlined at all.
But whatever containers hold, foot and tip, floor and rim look alike. So the strips of local contrast at the members'
lower and upper ends are slid along each row; where they fit as well as the members fit each other stands another one.
"""

import cv2
import numpy as np
from numpy.typing import NDArray

from pipeline.extract.nut_and_bolt_outlines import Box

Floats = NDArray[np.float32]
Starts = NDArray[np.intp]

LOWER_END, UPPER_END = 0.18, 0.12
"""The parts of a container's height at its ends that are compared."""

CONTRAST_CAP = 20.0
"""ΔE above which an edge is simply an edge, whatever the colours on its two sides."""

SAME_ENDS = 0.8
"""An overlooked container fits at least this share of how well the members fit each other."""

PERHAPS_SAME_ENDS = 0.65
"""From this share on it must be asked about."""

LEAST_FIT = 0.35
"""Members that fit each other less than this prove nothing."""


def overlooked(contrast: Floats, rows: list[list[Box]]) -> tuple[list[list[Box]], list[Box]]:
    """The rows with the containers that certainly stand in them too, and boxes that perhaps are more of them.

    `contrast` is the local contrast in ΔE.
    """
    capped = np.minimum(contrast, CONTRAST_CAP)
    members = [box for row in rows for box in row]
    width, height = (sorted(box[side] for box in members)[len(members) // 2] for side in (2, 3))
    alike = [box for box in members if abs(box[2] - width) <= 0.06 * width]
    ends = [_ends(capped, _normal(box, width, height)) for box in alike]
    usual = _usual_fit(ends) if len(ends) > 1 else 0.0
    if usual < LEAST_FIT:
        return rows, []
    completed: list[list[Box]] = []
    perhaps: list[Box] = []
    for row in rows:
        if abs(float(np.median([box[2] for box in row])) - width) > 0.06 * width:
            completed.append(row)
            continue
        bottom = round(float(np.median([box[1] + box[3] for box in row])))
        band = _ends(capped, (0, bottom - height, capped.shape[1], height))
        found: list[Box] = []
        for x, fit in _best_places(band, ends, _free(row, width, capped.shape[1])):
            if fit < PERHAPS_SAME_ENDS * usual:
                break
            if not any(_covers(x, b, width) for b in [*found, *perhaps]):
                box = (x, bottom - height, width, height)
                (found if fit >= SAME_ENDS * usual else perhaps).append(box)
        completed.append(sorted([*row, *found]))
    return completed, perhaps


def _covers(x: int | Starts, box: Box, width: int) -> NDArray[np.bool_]:
    """Whether a container that begins at x would run into a box, for one x or each of several."""
    return np.asarray(np.abs(x + width / 2 - box[0] - box[2] / 2) <= 0.95 * width)


def _free(row: list[Box], width: int, end: int) -> list[tuple[int, int]]:
    """The ranges [first, last] of x at which another container may begin in a row of a picture `end` pixels wide."""
    starts = np.arange(max(0, end - width + 1))
    covered = np.array([_covers(starts, box, width) for box in row]).any(axis=0)
    edges = np.flatnonzero(np.diff(np.concatenate([[0], ~covered, [0]])))
    return [(int(first), int(last) - 1) for first, last in zip(edges[::2], edges[1::2], strict=True)]


def _best_places(
    band: tuple[Floats, Floats], ends: list[tuple[Floats, Floats]], free: list[tuple[int, int]]
) -> list[tuple[int, float]]:
    """The free x in a row and how well the best of all `ends` fits there, the best first."""
    width = ends[0][0].shape[1]
    places: list[tuple[int, float]] = []
    for first, last in free:
        part = band[0][:, first : last + width], band[1][:, first : last + width]
        best = np.max([_slide(part, end) for end in ends], axis=0)
        places.extend((first + i, float(fit)) for i, fit in enumerate(best))
    return sorted(places, key=lambda place: -place[1])


def _normal(box: Box, width: int, height: int) -> Box:
    """A box of the usual size with the axis and the ground line of another."""
    return round(box[0] + box[2] / 2 - width / 2), box[1] + box[3] - height, width, height


def _ends(capped: Floats, box: Box) -> tuple[Floats, Floats]:
    """The strips at a box's lower and upper end, of one shape for all boxes of one size within the picture."""
    x, y, w, h = box
    bottom = y + h
    rows = np.arange(bottom - round(LOWER_END * h), bottom + 2), np.arange(y - 2, y + round(UPPER_END * h))
    columns = np.clip(np.arange(x, x + w), 0, capped.shape[1] - 1)
    lower, upper = (capped[np.clip(r, 0, capped.shape[0] - 1)][:, columns] for r in rows)
    return lower, upper


def _slide(band: tuple[Floats, Floats], ends: tuple[Floats, Floats]) -> Floats:
    """For each x how well a container's ends fit a row's bands there: mean correlation of the two strips."""
    both = [cv2.matchTemplate(b, e, cv2.TM_CCOEFF_NORMED)[0] for b, e in zip(band, ends, strict=True)]
    return np.mean(both, axis=0, dtype=np.float32)


def _usual_fit(ends: list[tuple[Floats, Floats]]) -> float:
    """How well a member usually fits its best fellow."""
    flat = [
        np.stack([(e - e.mean()).ravel() / max(float(np.linalg.norm(e - e.mean())), 1e-6) for e in side])
        for side in zip(*ends, strict=True)
    ]
    fit = np.mean([side @ side.T for side in flat], axis=0)
    np.fill_diagonal(fit, -1)
    return float(np.median(fit.max(axis=1)))
