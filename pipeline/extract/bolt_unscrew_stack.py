"""Bolt Unscrew screens: boards that lie on one another, peeled off from the top.

What is seen whole lies on top. Once it is known what it hides, the boards below only have to be seen beside it, and
so on down. Where nothing more is seen as it must be, what looks most like a board is guessed, for a person to judge.
"""

import math
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from pipeline.extract.bolt_unscrew_ends import BEHIND, ends_are_seen
from pipeline.extract.bolt_unscrew_evidence import is_seen, may_be_seen
from pipeline.extract.bolt_unscrew_outlines import Area
from pipeline.extract.bolt_unscrew_planks import Candidate, Lines, find_lines, planks_on
from pipeline.extract.bolt_unscrew_plates import discs_on, plates_in
from pipeline.extract.bolt_unscrew_rims import in_view, rim_of, settled
from pipeline.extract.bolt_unscrew_shapes import SLACK, FoundBoard, Shape, depth_in, depths_in, outline
from pipeline.extract.bolt_unscrew_sight import MARGIN, Mask, Sight, hide

MOST_LAYERS = 12

FEWEST_POINTS = 6
"""Points of an outline in view that tell that a plank is longer."""

FARTHEST = 20
"""Pixels around a candidate that are looked at, beside what is behind its ends."""

GUESSED = 0.4
"""What the strength of a guess counts."""


class _Look(NamedTuple):
    """A candidate that is seen as a board must be, moved to its edges, and whether its ends are seen."""

    shape: Shape
    ends_seen: bool


def find_stack(sight: Sight, among: NDArray[np.bool_]) -> list[FoundBoard]:
    """The boards on the screws `among`, those on top first."""
    lines = find_lines(sight.scene, among)
    free = sight.unscrewed.copy()
    looks = _Looks(sight)
    found: list[FoundBoard] = []
    for depth in range(MOST_LAYERS):
        candidates = _candidates(sight, lines, among, free)
        layer = _layer(looks, candidates, found, free, depth) or _guessed(candidates, found, depth)
        if not layer:
            break
        found += layer
        for board in layer:
            hide(free, board.shape)
    return [board for board in found if not any(_is_end(board.shape, other.shape) for other in found)]


def joined_areas(sight: Sight, areas: Sequence[Area]) -> set[int]:
    """Indexes of areas that a plank of the panel's own colour joins: its sides are seen between them."""
    owners = np.full(len(sight.scene.spots.screws), -1, np.intp)
    free = sight.unscrewed.copy()
    for k, area in enumerate(areas):
        owners[list(area.screws)] = k
        free[cv2.dilate(area.mask, np.ones((5, 5), np.uint8)) > 0] = 0
    looks = _Looks(sight)
    found: set[int] = set()
    for candidate in planks_on(find_lines(sight.scene, owners >= 0, owners), free):
        look = looks.at(candidate.shape, free)
        if look is not None:
            found |= {
                int(owners[i])
                for i, s in enumerate(sight.scene.spots.screws)
                if depth_in(look.shape, s.circle.x, s.circle.y) > 0
            }
    return found - {-1}


def _is_end(disc: Shape, strip: Shape) -> bool:
    """Whether what was taken for a disc is the end of a strip that was found later."""
    if disc.kind != "disc" or strip.kind != "strip":
        return False
    return bool((depths_in(strip, rim_of(disc)[0]) > -MARGIN).all())


def _candidates(sight: Sight, lines: Lines, among: NDArray[np.bool_], free: Mask) -> list[Candidate]:
    """What may be a board, the longest first: what ends at a screw of a longer one is no board of its own."""
    planks = sorted(planks_on(lines, free), key=lambda c: -_length(c.shape))
    return [*plates_in(sight, free), *planks, *discs_on(sight.scene, among, free)]


def _length(strip: Shape) -> float:
    return float(np.hypot(*np.subtract(strip.points[0], strip.points[-1])))


class _Looks:
    """How candidates look; looked at again only where boards peeled off since have changed what is in view near by."""

    def __init__(self, sight: Sight) -> None:
        self.sight = sight
        self.known: dict[Shape, tuple[int, _Look | None]] = {}

    def at(self, shape: Shape, free: Mask) -> _Look | None:
        """A candidate where its edges stand, None where it is not seen as it must be as far as `free` is set."""
        in_view = int(np.count_nonzero(free[_surroundings(shape, free.shape)]))  # boards only ever take from it
        known = self.known.get(shape)
        if known is None or known[0] != in_view:
            known = in_view, self._look(shape, free)
            self.known[shape] = known
        return known[1]

    def _look(self, shape: Shape, free: Mask) -> _Look | None:
        if not may_be_seen(self.sight, shape, free):
            return None
        moved = settled(self.sight.scene, shape, free, self.sight.cover)
        return _Look(moved, ends_are_seen(self.sight, moved, free)) if is_seen(self.sight, moved, free) else None


@lru_cache(maxsize=4096)
def _surroundings(shape: Shape, size: tuple[int, ...]) -> tuple[slice, slice]:
    """Rows and columns of all that is looked at around a shape."""
    points = np.array(outline(shape))
    reach = BEHIND * shape.width / 2 + FARTHEST
    (left, top), (right, bottom) = points.min(axis=0) - reach, points.max(axis=0) + reach
    rows = slice(max(0, int(top)), max(0, min(size[0], int(bottom) + 1)))
    return rows, slice(max(0, int(left)), max(0, min(size[1], int(right) + 1)))


def _layer(
    looks: _Looks, candidates: Sequence[Candidate], above: Sequence[FoundBoard], free: Mask, depth: int
) -> list[FoundBoard]:
    """The candidates that are seen as they must be: those with their ends, or if there are none the others."""
    whole: list[FoundBoard] = []
    parts: list[FoundBoard] = []
    for candidate in candidates:
        if any(_same(candidate.shape, board.shape) for board in above):
            continue
        look = looks.at(candidate.shape, free)
        if look is not None:
            _joined(whole if look.ends_seen else parts, FoundBoard(look.shape, depth, candidate.strength), free)
    return _undisputed(looks.sight, whole, free) or whole[:1] or parts[:1]


def _joined(layer: list[FoundBoard], board: FoundBoard, free: Mask) -> None:
    """Add a board to a layer; of several that are one stays the longest that is in view beyond the others."""
    for k, other in enumerate(layer):
        if _same(board.shape, other.shape):
            longer = _length(board.shape) > _length(other.shape)
            ours, theirs = (board, other) if longer else (other, board)
            layer[k] = ours if _shown_beyond(ours.shape, theirs.shape, free) else theirs
            return
    layer.append(board)


def _shown_beyond(shape: Shape, other: Shape, free: Mask) -> bool:
    """Whether some of an outline is in view outside another shape."""
    beyond = (depths_in(other, rim_of(shape)[0]) < -MARGIN) & in_view(shape, free)
    return int(beyond.sum()) >= FEWEST_POINTS


def _undisputed(sight: Sight, layer: Sequence[FoundBoard], free: Mask) -> list[FoundBoard]:
    """Without boards that are not seen whole but for the edges of one that is seen whole without theirs."""

    def stands(board: FoundBoard, other: FoundBoard) -> bool:
        rest = free.copy()
        hide(rest, other.shape)
        return is_seen(sight, board.shape, rest) and ends_are_seen(sight, board.shape, rest)

    return [board for board in layer if all(stands(board, other) for other in layer if other is not board)]


def _guessed(candidates: Sequence[Candidate], above: Sequence[FoundBoard], depth: int) -> list[FoundBoard]:
    """The strongest candidates of which no two lie on one line."""
    layer: list[FoundBoard] = []
    for candidate in sorted(candidates, key=lambda c: -c.strength):
        if not any(_same(candidate.shape, board.shape) for board in (*above, *layer)):
            layer.append(FoundBoard(candidate.shape, depth, GUESSED * candidate.strength))
    return layer


def _same(a: Shape, b: Shape) -> bool:
    """Whether two shapes are one, or strips of one direction that lie on one another, or discs in one another."""
    if a.kind != b.kind:
        return False
    if a.kind == "disc":
        return float(np.hypot(*np.subtract(a.points[0], b.points[0]))) < SLACK
    if a.kind == "polygon":
        return all(depth_in(b, *point) > -0.2 * _length(a) for point in a.points)
    (px, py), (qx, qy) = a.points
    (rx, ry), (sx, sy) = b.points
    length, other = math.hypot(qx - px, qy - py), math.hypot(sx - rx, sy - ry)
    ux, uy = (qx - px) / max(1e-6, length), (qy - py) / max(1e-6, length)
    vx, vy = (sx - rx) / max(1e-6, other), (sy - ry) / max(1e-6, other)
    if abs(ux * vy - uy * vx) > 0.15:
        return False
    away = max(abs(vx * (y - ry) - vy * (x - rx)) for x, y in a.points)
    ends = sorted((x - rx) * vx + (y - ry) * vy for x, y in a.points)
    overlap = min(ends[1], other) - max(ends[0], 0.0)
    return away < 0.4 * max(a.width, b.width) and overlap > 0.25 * (ends[1] - ends[0])
