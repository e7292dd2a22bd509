"""Bolt Unscrew screens: which of two crossing boards lies on top, and layers that agree with all crossings.

Where two boards cross, the picture looks like the upper one, rim and inside. Where too little is in view for that, the
outline of the upper one runs on through the lower one, whose own outline is not seen there.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from pipeline.extract.bolt_unscrew_profiles import Profile, outshown, profile_of
from pipeline.extract.bolt_unscrew_rims import edge_at, pixels_at, rim_of
from pipeline.extract.bolt_unscrew_shapes import SLACK, FoundBoard, Shape, depths_in, mask_of
from pipeline.extract.bolt_unscrew_sight import Mask, Sight, hide

FEWEST_PIXELS, FEWEST_POINTS = 12, 2
"""Least number of pixels of a crossing, and of points of an outline, that tell anything."""

HALO = 3
"""Pixels around a board in which its rim may be taken for that of another."""

SHOWN, HIDDEN = 0.9, 0.6
"""Least share of the points that show an edge where an outline is seen, and most where it is not."""

ENOUGH_PIXELS, OUTSHOWN, PLAINLY = 12, 0.3, 0.45
"""Pixels at a crossing that tell which board is the upper one, and how much more they must look like it: where the
outlines agree, and where they do not tell."""

ENOUGH_POINTS = 12
"""Points of one outline that tell alone which board is the upper one; of fewer, some may be on another rim close by."""


@dataclass(frozen=True)
class Order:
    """`layers[i]` is board i's layer from the bottom (0); `unclear` are pairs (i, j) whose upper board is a guess.

    `ranks` agree with the layers, every board having its own: where nothing tells, those found first are higher.
    """

    layers: tuple[int, ...]
    ranks: tuple[int, ...]
    unclear: tuple[tuple[int, int], ...]


Closer = Callable[[], tuple[Sight, Sequence[FoundBoard]] | None]
"""The sight and the boards in a larger copy of the picture, if there is one."""


def stacked(sight: Sight, boards: Sequence[FoundBoard], closer: Closer = lambda: None) -> Order:
    """Layers from what is seen at the crossings of two boards; see `Order` where it does not tell.

    A crossing that screws and boards above hide, with their edges, has no order that anybody could see: any will do.
    """
    least = [mask_of(b.shape, sight.cover.shape, shrink=SLACK) for b in boards]
    views = [_Views(sight, boards)]
    above: list[tuple[int, int]] = []
    unclear: list[tuple[int, int]] = []
    for j in range(len(boards)):
        for i in range(j):
            crossing = cv2.bitwise_and(least[i], least[j])
            if not crossing.any():
                continue
            sign, told = views[0].upper(i, j)
            if not told:
                if len(views) == 1:
                    larger = closer()
                    views.append(views[0] if larger is None else _Views(*larger))
                sign, told = views[1].upper(i, j)
            depth = min(boards[i].depth, boards[j].depth)
            seen = np.count_nonzero(cv2.bitwise_and(crossing, views[0].free[depth])) >= FEWEST_PIXELS
            if not told and seen:
                unclear.append((i, j))
            if not (told or (sign and seen)):
                sign = 1 if boards[i].depth <= boards[j].depth else -1
            above.append((i, j) if sign > 0 else (j, i))
    layers, kept = _heights(len(boards), above)
    loops = [(min(pair), max(pair)) for pair in above if pair not in kept]
    return Order(layers, _ranks(boards, kept), tuple(sorted({*unclear, *loops})))


class _Views:
    """What is in view of some boards, beside others and where they cross."""

    def __init__(self, sight: Sight, boards: Sequence[FoundBoard]) -> None:
        self.sight, self.boards = sight, boards
        self.free = _in_view(sight.unscrewed, boards, HALO)
        self.grown = [mask_of(b.shape, sight.cover.shape, shrink=-HALO) for b in boards]
        self.profiles: dict[int, Profile | None] = {}

    def upper(self, i: int, j: int) -> tuple[int, bool]:
        """Which of two boards is seen on top where they cross: 1 or -1, 0 for neither; and whether that is certain."""
        first, second = self._profile(i), self._profile(j)
        depth = min(self.boards[i].depth, self.boards[j].depth)
        more, count = 0.0, 0
        if first is not None and second is not None:
            more, count = outshown(self.sight.scene, first, second, self.free[depth])
        mine = _seen_in(self.sight, self.boards[i].shape, self.boards[j].shape, self.free[depth])
        theirs = _seen_in(self.sight, self.boards[j].shape, self.boards[i].shape, self.free[depth])
        told = mine * theirs < 0 or (mine * theirs == 0 and abs(mine - theirs) >= ENOUGH_POINTS)
        if count >= ENOUGH_PIXELS and abs(more) >= OUTSHOWN:
            sign = 1 if more > 0 else -1
            agree = mine * theirs <= 0 and sign * (mine - theirs) > 0
            return sign, agree or (abs(more) >= PLAINLY and not (told and not agree))
        return int(np.sign(mine - theirs)), told

    def _profile(self, k: int) -> Profile | None:
        """That of a board, from what no other board, above or below, comes near to."""
        if k not in self.profiles:
            alone = self.free[self.boards[k].depth].copy()
            for other, grown in enumerate(self.grown):
                if other != k:
                    alone[grown > 0] = 0
            self.profiles[k] = profile_of(self.sight.scene, self.boards[k].shape, alone)
        return self.profiles[k]


def _in_view(start: Mask, boards: Sequence[FoundBoard], around: float) -> list[Mask]:
    """For every depth a mask (255 inside) of what boards found before, and pixels around, leave of a mask."""
    masks = [start]
    for depth in range(max((b.depth for b in boards), default=0)):
        mask = masks[-1].copy()
        for board in boards:
            if board.depth == depth:
                hide(mask, board.shape, around)
        masks.append(mask)
    return masks


def _seen_in(sight: Sight, shape: Shape, other: Shape, view: Mask) -> int:
    """How many points of a board's outline lie inside another board, negative if they show no edge; 0 if some do."""
    points, normals = rim_of(shape)
    inside = (depths_in(other, points) > HALO) & (view[pixels_at(points, view.shape)] > 0)
    if inside.sum() < FEWEST_POINTS:
        return 0
    share = edge_at(sight.scene, points[inside], normals[inside], view).mean()
    return int(inside.sum()) * (int(share >= SHOWN) - int(share <= HIDDEN))


def _heights(count: int, above: Sequence[tuple[int, int]]) -> tuple[tuple[int, ...], list[tuple[int, int]]]:
    """The least layers with every upper board above its lower one, and the pairs kept: the others close a loop."""
    layers = [0] * count
    kept: list[tuple[int, int]] = []
    for pair in above:
        raised = _raised(layers, [*kept, pair])
        if raised is not None:
            kept.append(pair)
            layers = raised
    return tuple(layers), kept


def _ranks(boards: Sequence[FoundBoard], above: Sequence[tuple[int, int]]) -> tuple[int, ...]:
    """A place in one pile for every board, 0 at the bottom: of those with none above the one found first is next."""
    ranks = [-1] * len(boards)
    for rank in reversed(range(len(boards))):
        waiting = [k for k in range(len(boards)) if ranks[k] < 0]
        open_ = [k for k in waiting if not any(lower == k and ranks[upper] < 0 for upper, lower in above)]
        ranks[min(open_, key=lambda k: boards[k].depth)] = rank
    return tuple(ranks)


def _raised(layers: Sequence[int], above: Sequence[tuple[int, int]]) -> list[int] | None:
    """Layers raised until they agree with all pairs; None when the pairs go round in a circle."""
    result = list(layers)
    for _ in range(len(result) + 1):
        changed = False
        for upper, lower in above:
            if result[upper] <= result[lower]:
                result[upper] = result[lower] + 1
                changed = True
        if not changed:
            return result
    return None
