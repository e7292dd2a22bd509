"""Bolt Unscrew: how planks swing and fall when a move is made, as frames for the page.

The rules know only where a plank comes to rest; here the same simulation is watched on its way there. Long swings are
calmed and long falls hastened, so that nobody waits more than two seconds.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

import shapely

from pipeline.core.canonical import Json
from pipeline.games.bolt_unscrew_geometry import place, unplace
from pipeline.games.bolt_unscrew_model import Board, Point, Pose, State
from pipeline.games.bolt_unscrew_physics import GRAVITY, STEP, way
from pipeline.games.bolt_unscrew_rig import Rig, rig_of
from pipeline.games.bolt_unscrew_sight import (
    Placed,
    Shape,
    hidden_part,
    moved,
    parts_of,
    seen_but,
    whole,
)
from pipeline.games.bolt_unscrew_view import looks_of, placed_planks, plank_shown, planks_in_sight

_MOST_STEPS = 120
"""Steps of the simulation shown at most: 2 s."""
_STRIDE = 3
"""Steps from one frame to the next."""
_LOOK_EVERY = 40.0
"""Units a plank has gone before it is asked again what of it is in sight."""
_STILL = 0.4, 0.004
"""Units and radians within which a plank is where it will rest."""


@dataclass(frozen=True)
class Travel:
    """A plank on its way: its pose in every frame, the first where it lay; whether it leaves the panel at the end."""

    plank: int
    about: Point | None
    poses: tuple[Pose, ...]
    exits: bool

    def at(self, frame: int) -> Pose | None:
        """The pose in a frame; after the last one it stays, or is gone."""
        if frame < len(self.poses):
            return self.poses[frame]
        return None if self.exits else self.poses[-1]


@lru_cache(maxsize=256)
def motion_of(board: Board, before: State, after: State) -> Json:
    """The `motion` of a move (see the decision on the suite); None when no plank is seen to move.

    Remembered, since it takes long and players of one level often make the same moves; nobody may change it.
    """
    rig, looks = rig_of(board), looks_of(board)
    travels: dict[int, Travel] = {}
    for i, (old, new) in enumerate(zip(before.poses, after.poses, strict=True)):
        if old is not None and old != new:
            travels[i] = _travel(rig, Placed(i, old), new, after.screws)
    order = placed_planks(board, before)
    planks: dict[int, Json] = {}
    for rank, placed in enumerate(order):
        if placed.plank in travels:
            seen = _seen_on_its_way(rig, travels, order[rank:])
            if seen is not None:
                planks[placed.plank] = _shown(board, travels[placed.plank], seen)
    if not planks:
        return None
    drawn = {placed.plank for state in (before, after) for placed, _, _ in planks_in_sight(board, state)} | set(planks)
    return {
        "ms": max(plank["ms"] for plank in planks.values()),
        "order": [looks[placed.plank].name for placed in order if placed.plank in drawn],
        "planks": list(planks.values()),
    }


# -- the way ------------------------------------------------------------------------------------
def _travel(rig: Rig, placed: Placed, rest: Pose | None, screws: Sequence[int]) -> Travel:
    if rig.pinned:
        return Travel(placed.plank, None, _frames(_fall(rig, placed), None), True)
    scene = rig.scene(*placed, sum(1 << screw for screw in screws))
    poses = _frames([placed.pose, *way(scene)], rest)
    if scene.pivot is not None:
        poses = _turned(scene.pivot, poses)
    return Travel(placed.plank, scene.pivot, poses, rest is None)


def _turned(pivot: Point, poses: Sequence[Pose]) -> tuple[Pose, ...]:
    """The first pose turned about a pivot to the angles of the others: joints give way a little, screws do not."""
    x, y = unplace(pivot, poses[0])
    arms = ((place((x, y), Pose(0.0, 0.0, pose.angle)), pose.angle) for pose in poses)
    return tuple(Pose(pivot[0] - dx, pivot[1] - dy, angle) for (dx, dy), angle in arms)


def _fall(rig: Rig, placed: Placed) -> list[Pose]:
    """Straight down from rest until the plank is below the panel, step by step."""
    x, y, angle = placed.pose
    steps = math.ceil(math.sqrt(2 * max(0.0, rig.height + rig.outlines[placed.plank].reach - y) / GRAVITY) / STEP)
    return [Pose(x, y + GRAVITY * (k * STEP) ** 2 / 2, angle) for k in range(steps + 1)]


def _frames(steps: Sequence[Pose], rest: Pose | None) -> tuple[Pose, ...]:
    """Every third pose. A way to `rest` is cut and, in its second half, drawn towards it; a long fall is hastened."""
    length = len(steps) - 1 if rest is None else min(_MOST_STEPS, _steps_to_rest(steps))
    number = max(1, math.ceil(min(length, _MOST_STEPS) / _STRIDE))
    chosen = [steps[round(k * length / number)] for k in range(number + 1)]
    if rest is None:
        return tuple(chosen)
    turns = round((steps[-1].angle - rest.angle) / math.tau)
    end = Pose(rest.x, rest.y, rest.angle + turns * math.tau)
    return tuple(_between(pose, end, _ease(2 * k / number - 1)) for k, pose in enumerate(chosen))


def _steps_to_rest(steps: Sequence[Pose]) -> int:
    """The step from which on the plank no longer visibly moves."""
    last, (units, radians) = steps[-1], _STILL
    for k in range(len(steps) - 1, 0, -1):
        pose = steps[k - 1]
        if math.dist(pose[:2], last[:2]) > units or abs(pose.angle - last.angle) > radians:
            return k
    return 0


def _between(a: Pose, b: Pose, share: float) -> Pose:
    return Pose(*(p + share * (q - p) for p, q in zip(a, b, strict=True)))


def _ease(share: float) -> float:
    """0 up to 0, 1 from 1 on, smooth in between."""
    share = min(1.0, max(0.0, share))
    return share * share * (3 - 2 * share)


# -- what is seen of it -------------------------------------------------------------------------
def _seen_on_its_way(rig: Rig, travels: Mapping[int, Travel], from_it_on: Sequence[Placed]) -> Shape | None:
    """What of a plank is in sight at any time, in its own coordinates; None when nothing is.

    `from_it_on` are the plank and those above it as they lay before. What is hidden always is what is left after a
    look at every time; the last is taken first, since what falls or swings free is soon seen whole. Through holes of
    other planks it is seen only before and after, at rest.
    """
    plank = from_it_on[0].plank
    hidden, last = whole(rig, plank), len(travels[plank].poses) - 1
    for frame in _looks(rig, [travels[j] for j, _ in from_it_on if j in travels], last):
        if hidden.is_empty:
            break
        poses = ((j, travels[j].at(frame) if j in travels else pose) for j, pose in from_it_on)
        it, *above = (Placed(j, pose) for j, pose in poses if pose is not None)
        hidden = hidden_part(rig, hidden, it, above, through_holes=frame in (0, last))
    return seen_but(rig, plank, hidden)


def _looks(rig: Rig, travels: Sequence[Travel], last: int) -> list[int]:
    """Frames to look at, from the last to the first: wherever one of the planks has gone far enough since."""
    looks = [last]
    for frame in range(last - 1, 0, -1):
        gone = (_gone(travel.at(frame), travel.at(looks[-1]), rig.outlines[travel.plank].reach) for travel in travels)
        if max(gone) > _LOOK_EVERY:
            looks.append(frame)
    return [*looks, 0]


def _gone(a: Pose | None, b: Pose | None, reach: float) -> float:
    """The most that any point of a plank is apart in two poses."""
    return 0.0 if a is None or b is None else math.dist(a[:2], b[:2]) + reach * abs(a.angle - b.angle)


def _shown(board: Board, travel: Travel, seen: Shape) -> Json:
    """The plank's entry: how it looks where it lay before, and its frames."""
    rig, start = rig_of(board), travel.poses[0]
    holes = [hole for hole in rig.drilled[travel.plank] if seen.distance(shapely.Point(hole)) <= rig.hole_radius + 1]
    shape = moved(seen, start)
    about = travel.about or (shape.centroid.x, shape.centroid.y)
    placed = Placed(travel.plank, start)
    entry = plank_shown(board, placed, parts_of(rig, shape), [place(hole, start) for hole in holes])
    local = unplace(about, start)
    frames = []
    for pose in travel.poses:
        x, y = place(local, pose)
        frames.append([round(x - about[0], 1), round(y - about[1], 1), round(pose.angle - start.angle, 3)])
    ms = round(1000 * STEP * _STRIDE * (len(frames) - 1))
    shown_about = [round(about[0] + rig.half_width, 1), round(about[1], 1)]
    return entry | {"about": shown_about, "ms": ms, "exits": travel.exits, "frames": frames}
