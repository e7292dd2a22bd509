"""Bolt Unscrew, `hinged`: where a plank comes to rest.

Planks collide with screws and not with each other, so each one moves in a world of its own: its outline, the screw it
hangs on (if any) and the screws in its way. What it does depends on nothing else: not on other planks, on their order,
or on time. Floats are unavoidable here (rigid bodies, pymunk); three things keep play reproducible:

* each settling starts from a fresh space and the exact pose at rest, and adds screws in the order of their places;
* a pose at rest is rounded to a grid, and a plank hanging freely takes the exact hanging angle;
* of a scene and its mirror image the lesser one is simulated, so that mirrored play is mirrored bit by bit.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

import pymunk

from pipeline.games.bolt_unscrew_geometry import Outline, distance, doubled_area, place, triangles, unplace
from pipeline.games.bolt_unscrew_model import Point, Pose

STEP = 1 / 60
"""Seconds of one step of the simulation."""
GRAVITY = 640.0
"""Units/s² downwards."""
DAMPING = 0.25
"""Share of its speed a plank keeps over one second: a pendulum is at rest after about six."""
FRICTION = 0.25
"""Of plank and of screw alike; a contact has their product, so that wood slides off screws rather than stick."""
MAX_STEPS = 1800
"""Half a minute: a plank still moving then is stopped where it is and counts as at rest."""
_CALM_STEPS = 20
_CALM_SPEED = 2.0
_CALM_SPIN = 0.02
"""At rest: below 2 units/s and 0.02 rad/s for a third of a second (a pendulum at its turning point is so for less)."""
_NUDGE = 0.05
"""Spin, in rad/s, that tips a plank standing exactly on its head, and that a released plank starts to fall with."""
_PLACES = 8
_ANGLES = 1024
"""Poses at rest are rounded to 1/8 unit and 1/1024 rad (0.3 units at the end of a plank 600 long)."""
_HINGE_GRID = 65536
CONTACT = 0.75
"""Units within which plank and screw count as touching (the engine lets them overlap or part by less)."""


@dataclass(frozen=True)
class Scene:
    """A plank about to move. `pivot` is the screw it hangs on; `pegs` are the other screws, in the order of x, y.

    `half_width` and `height` are the panel's; `lean` (1 or -1) is the side on which a plank exactly on the middle line
    topples. Points count x from the panel's middle line.
    """

    outline: Outline
    pose: Pose
    pivot: Point | None
    pegs: tuple[Point, ...]
    peg_radius: float
    half_width: float
    height: float
    lean: int

    def mirrored(self) -> "Scene":
        """The same scene with left and right exchanged."""
        return Scene(
            self.outline.mirrored(),
            self.pose.mirrored(),
            None if self.pivot is None else _flip(self.pivot),
            tuple(sorted(_flip(peg) for peg in self.pegs)),
            self.peg_radius,
            self.half_width,
            self.height,
            -self.lean,
        )

    def order(self) -> tuple[object, ...]:
        """What decides between a scene and its mirror image."""
        return self.pose, self.outline.core, self.pivot or (), self.pegs, self.lean


def _flip(point: Point) -> Point:
    return 0.0 - point[0], point[1]


@lru_cache(maxsize=1 << 17)
def settle(scene: Scene) -> Pose | None:
    """The pose in which the plank comes to rest; None when it leaves the panel. A pure function, remembered."""
    image = scene.mirrored()
    if image.order() < scene.order():
        rest = _at_rest(image)
        return None if rest is None else rest.mirrored()
    return _at_rest(scene)


def _at_rest(scene: Scene) -> Pose | None:
    if scene.pivot is not None and math.dist(scene.pivot, scene.pose[:2]) < 1.0:
        return scene.pose  # held at its centre of mass: balanced at every angle
    pose, calm = scene.pose, 0
    for pose, calm in _until_rest(scene):  # noqa: B007 - only the last one matters
        pass
    if scene.pivot is None and _has_left(scene, pose):
        return None
    if scene.pivot is None:
        return Pose(_rounded(pose.x, _PLACES), _rounded(pose.y, _PLACES), _angle(pose.angle))
    gaps = (distance(scene.outline, unplace(peg, pose)) for peg in scene.pegs)
    leaning = any(gap <= scene.peg_radius + CONTACT for gap in gaps)
    return _hinged(scene, pose.angle if leaning or calm < _CALM_STEPS else _hanging_angle(scene))


def way(scene: Scene) -> Iterator[Pose]:
    """The poses of a plank that moves, after each step, until `settle` has it at rest (or gone) for good."""
    image = scene.mirrored()
    if image.order() < scene.order():
        return (pose.mirrored() for pose, _ in _until_rest(image))
    return (pose for pose, _ in _until_rest(scene))


def _until_rest(scene: Scene) -> Iterator[tuple[Pose, int]]:
    """The pose after each step, and for how many steps the plank has been slow; ends at rest or off the panel."""
    calm = 0
    for pose, slow in motion(scene):
        calm = calm + 1 if slow else 0
        yield pose, calm
        if calm == _CALM_STEPS or (scene.pivot is None and _has_left(scene, pose)):
            return


def motion(scene: Scene) -> Iterator[tuple[Pose, bool]]:
    """The pose after each step, and whether the plank is slow in it; ends after MAX_STEPS, rest or not."""
    space, body = _space(scene)
    for _ in range(MAX_STEPS):
        space.step(STEP)
        slow = body.velocity.length < _CALM_SPEED and abs(body.angular_velocity) < _CALM_SPIN
        yield Pose(body.position.x, body.position.y, body.angle), slow


def _space(scene: Scene) -> tuple[pymunk.Space, pymunk.Body]:
    space = pymunk.Space()
    space.gravity = (0.0, GRAVITY)
    space.damping = DAMPING
    for peg in scene.pegs:
        shape = pymunk.Circle(space.static_body, scene.peg_radius, peg)
        shape.friction = FRICTION
        space.add(shape)
    body = pymunk.Body(1.0, _moment(scene.outline))
    body.position, body.angle = scene.pose[:2], scene.pose.angle
    body.angular_velocity = _nudge(scene)
    shapes = _shapes(scene.outline, body)
    for part in shapes:
        part.friction = FRICTION
    space.add(body, *shapes)
    if scene.pivot is not None:
        local = unplace(scene.pivot, scene.pose)
        space.add(pymunk.PivotJoint(space.static_body, body, scene.pivot, local))
    return space, body


def _shapes(outline: Outline, body: pymunk.Body) -> list[pymunk.Shape]:
    core = outline.core
    if len(core) == 1:
        return [pymunk.Circle(body, outline.margin)]
    if len(core) == 2:
        return [pymunk.Segment(body, core[0], core[1], outline.margin)]
    return [pymunk.Poly(body, triangle) for triangle in triangles(core)]


def _moment(outline: Outline) -> float:
    """Moment of inertia of unit mass about the centre of mass; a strip counts as the rectangle around it."""
    core = outline.core
    if len(core) == 1:
        return outline.margin**2 / 2
    if len(core) == 2:
        length = math.dist(core[0], core[1]) + 2 * outline.margin
        return (length**2 + (2 * outline.margin) ** 2) / 12
    total = 0.0
    for i in range(len(core)):
        (ax, ay), (bx, by) = core[i - 1], core[i]
        total += (ax * by - bx * ay) * (ax * ax + ax * bx + bx * bx + ay * ay + ay * by + by * by)
    return total / (6 * doubled_area(core))


def _nudge(scene: Scene) -> float:
    """A plank about to stand on its head topples away from the panel's middle line, and so a released one turns."""
    x, y = scene.pose[:2]
    outward = (x > 0) - (x < 0) or scene.lean
    if scene.pivot is None:
        return _NUDGE * outward
    aside = x - scene.pivot[0]
    if y >= scene.pivot[1] or abs(aside) >= 1.0:
        return 0.0
    return _NUDGE * ((aside > 0) - (aside < 0) or outward)


def _has_left(scene: Scene, pose: Pose) -> bool:
    """Whether the circle around the plank is wholly below or beside the panel (from above it would fall back)."""
    reach = scene.outline.reach
    return pose.y - reach > scene.height or abs(pose.x) - reach > scene.half_width


def _hanging_angle(scene: Scene) -> float:
    """The angle at which the centre of mass is straight below the pivot."""
    assert scene.pivot is not None
    x, y = unplace(scene.pivot, scene.pose)
    return -math.pi / 2 - math.atan2(y, x)


def _hinged(scene: Scene, angle: float) -> Pose:
    """The pose at a (rounded) angle about the pivot: the joint's own small errors never add up."""
    assert scene.pivot is not None
    x, y = unplace(scene.pivot, scene.pose)
    turned = _angle(angle)
    dx, dy = place((x, y), Pose(0.0, 0.0, turned))
    return Pose(_rounded(scene.pivot[0] - dx, _HINGE_GRID), _rounded(scene.pivot[1] - dy, _HINGE_GRID), turned)


def _angle(angle: float) -> float:
    return _rounded(math.remainder(angle, math.tau), _ANGLES)


def _rounded(value: float, per_unit: int) -> float:
    return round(value * per_unit) / per_unit
