"""Bolt Unscrew: what follows from a board once and for all, and the plank-by-plank questions the rules are made of.

Sets of holes are bit masks: bit i stands for hole i. Points count x from the panel's middle line.
"""

import math
from dataclasses import dataclass
from functools import lru_cache

from pipeline.games.bolt_unscrew_geometry import GRID, distance, on_grid, outline_of, place, unplace
from pipeline.games.bolt_unscrew_model import Board, Point, Pose
from pipeline.games.bolt_unscrew_physics import CONTACT, Scene, settle

ALIGNED = 2.5
"""Units within which a plank's own hole and a panel hole are one above the other."""
_SLACK = 1e-4
"""Keeps an alignment of exactly 2.5 units from depending on rounding after a swing."""
PEG = 0.8
"""Radius of a screw's shank, in hole radii: a screw put into a free hole touches nothing."""


@dataclass(frozen=True, slots=True)
class Lying:
    """What a plank in some pose does to the panel's holes."""

    aligned: int
    """Holes that lie under one of its own holes: a screw there holds it."""
    blocked: int
    """Holes it covers: nearer than the hole radius, and none of its own holes there."""
    touched: int
    """Holes whose screw, not holding it, it would lean on."""


class Rig:
    """A board's outlines and holes in the coordinates of play; answers are remembered by plank and pose."""

    def __init__(self, board: Board) -> None:
        middle = board.width / 2
        self.pinned = board.physics == "pinned"
        self.hole_radius = board.hole_radius
        self.peg_radius = PEG * board.hole_radius
        self.half_width, self.height = middle, board.height
        self.holes: tuple[Point, ...] = tuple((on_grid(x - middle), on_grid(y)) for x, y in board.holes)
        placed = [outline_of(plank.shape, middle) for plank in board.boards]
        self.outlines = tuple(outline for outline, _ in placed)
        self.start: tuple[Pose, ...] = tuple(pose for _, pose in placed)
        self.drilled = tuple(
            tuple(unplace(self.holes[h], pose) for h in plank.holes)
            for plank, pose in zip(board.boards, self.start, strict=True)
        )
        self._lean = _lean(self.holes, board.screws)
        self._known: dict[tuple[int, Pose], Lying] = {}

    def lying(self, plank: int, pose: Pose) -> Lying:
        """What a plank does to the holes in that pose."""
        known = self._known.get((plank, pose))
        if known is None:
            known = self._known[plank, pose] = self._lying(plank, pose)
        return known

    def _lying(self, plank: int, pose: Pose) -> Lying:
        outline = self.outlines[plank]
        own = [place(hole, pose) for hole in self.drilled[plank]]
        aligned = blocked = touched = 0
        for i, hole in enumerate(self.holes):
            if any(math.dist(hole, o) <= ALIGNED + _SLACK for o in own):
                aligned |= 1 << i
            elif math.dist(hole, pose[:2]) < outline.reach + self.hole_radius:
                gap = distance(outline, unplace(hole, pose))
                blocked |= (gap < self.hole_radius) << i
                touched |= (gap <= self.peg_radius + CONTACT) << i
        return Lying(aligned, blocked, touched)

    def settled(self, plank: int, pose: Pose, screws: int) -> Pose | None:
        """Where a plank held by at most one screw comes to rest among the given screws; None when it exits."""
        return settle(self.scene(plank, pose, screws))

    def scene(self, plank: int, pose: Pose, screws: int) -> Scene:
        """What a plank held by at most one screw is about to move among."""
        holding = self.lying(plank, pose).aligned & screws
        pivots = [hole for i, hole in enumerate(self.holes) if holding >> i & 1]
        pivot = pivots[0] if pivots else None
        pegs = (h for i, h in enumerate(self.holes) if (screws & ~holding) >> i & 1)
        outline = self.outlines[plank]
        if pivot is not None:  # screws out of its reach change nothing, and so need not tell two scenes apart
            reach = math.dist(pivot, pose[:2]) + outline.reach + self.peg_radius + 1
            pegs = (peg for peg in pegs if math.dist(peg, pivot) <= reach)
        else:
            ceiling = pose.y - outline.reach - self.peg_radius - 1
            pegs = (peg for peg in pegs if peg[1] >= ceiling)
        return Scene(
            outline, pose, pivot, tuple(sorted(pegs)), self.peg_radius, self.half_width, self.height, self._lean
        )


def _lean(holes: tuple[Point, ...], screws: tuple[int, ...]) -> int:
    """1 or -1: the side to which what stands exactly on the middle line topples, mirrored when the board is.

    The sign of the first mixed moment Σ x·y^k of the holes, then of the screws, that is not 0 (exact: integers on the
    grid, whatever their order). Where holes and screws are symmetric either side will do: the first hole's.
    """
    for points in (holes, [holes[screw] for screw in screws]):
        for power in range(8):
            moment = sum(round(x * GRID) * round(y * GRID) ** power for x, y in points)
            if moment:
                return 1 if moment > 0 else -1
    return next((1 if x > 0 else -1 for x, _ in holes if x), 1)


@lru_cache(maxsize=64)
def rig_of(board: Board) -> Rig:
    """The rig of a board."""
    return Rig(board)
