"""Random Bolt Unscrew boards to draw: strips, discs and triangles on scattered holes, apart or in layers."""

import math

import numpy as np

from pipeline.games.bolt_unscrew import GAME, Board
from pipeline.games.bolt_unscrew_model import Disc, Plank, Point, Polygon, Strip

WIDTH, HEIGHT, HOLE, APART = 600.0, 720.0, 18.0, 96.0
"""The panel, a hole's radius, and the least distance of two holes, in board units."""


EDGE = 8.0
"""Board units that the widest outline drawn takes with its shadow."""

LARGEST_SCREW = 1.35
"""Radius of the largest screw drawn in hole radii."""

SEEN = 0.6
"""Least share of a board's outline, and of its points, that no board above hides: more hidden, nobody can read it."""


def random_board(rng: np.random.Generator) -> Board:
    """1 to about 12 boards in layers, every other time none over another, and 1 to 5 free holes."""
    points = _scattered(rng)
    crossing = bool(rng.random() < 0.5)
    planks: list[Plank] = []
    for _ in range(int(rng.integers(2, 40 if crossing else 20))):
        plank = _plank(points, f"b{len(planks)}", len(planks), rng)
        if plank is None or any(_in_line(plank, other) for other in planks):
            continue
        if not (_all_seen([*planks, plank]) if crossing else _stands_alone(plank, planks)):
            continue
        planks.append(plank)
    if not planks:
        return random_board(rng)
    screws = sorted({hole for plank in planks for hole in plank.holes})
    free = [i for i in range(len(points)) if i not in screws and all(_gap(b, points[i]) > 1.5 * HOLE for b in planks)]
    free = sorted(free[k] for k in rng.permutation(len(free))[: int(rng.integers(1, 6))])
    if not free:
        return random_board(rng)
    return _numbered(points, screws, free, planks)


def _scattered(rng: np.random.Generator) -> list[Point]:
    """Holes on the panel: on a grid every other time, else anywhere, `APART` or more from one another."""
    if rng.random() < 0.5:
        step = float(rng.uniform(APART, 1.3 * APART))
        cols, rows = int((WIDTH - 120) / step) + 1, int((HEIGHT - 120) / step) + 1
        left, top = (WIDTH - (cols - 1) * step) / 2, (HEIGHT - (rows - 1) * step) / 2
        return [(round(left + c * step, 1), round(top + r * step, 1)) for r in range(rows) for c in range(cols)]
    points: list[Point] = []
    for x, y in rng.uniform((60, 60), (WIDTH - 60, HEIGHT - 60), (300, 2)):
        if all(math.dist((x, y), p) >= APART for p in points):
            points.append((round(float(x), 1), round(float(y), 1)))
    return points


def _plank(points: list[Point], name: str, layer: int, rng: np.random.Generator) -> Plank | None:
    """A strip through two holes or more, a disc on one, or a triangle on three; None when it would cover a hole."""
    kind = float(rng.random())
    i = int(rng.integers(len(points)))
    shape: Strip | Disc | Polygon
    if kind < 0.12:
        shape = Disc(kind="disc", center=points[i], radius=float(rng.uniform(2.2, 3.2)) * HOLE)
    else:
        count = 3 if kind < 0.22 else 2
        others = sorted(range(len(points)), key=lambda k: math.dist(points[k], points[i]))[1:12]
        picked = [points[i], *(points[k] for k in sorted(rng.permutation(others)[: count - 1]))]
        if count == 2:
            shape = Strip(kind="strip", ends=(picked[0], picked[1]), width=float(rng.uniform(2.9, 3.6)) * HOLE)
        else:
            shape = Polygon(kind="polygon", points=_swollen(picked, 2.2 * HOLE))
            if _sharp(shape.points):
                return None
    plank = Plank(id=name, layer=layer, shape=shape, holes=())
    holes = tuple(k for k, p in enumerate(points) if _gap(plank, p) <= 0 and _inside_by(plank, p) >= 1.2 * HOLE)
    partly = any(_gap(plank, p) < 1.5 * HOLE for k, p in enumerate(points) if k not in holes)
    return None if partly or not holes or _off_panel(plank) else plank.model_copy(update={"holes": holes})


def _swollen(corners: list[Point], by: float) -> tuple[Point, ...]:
    """The corners pushed away from their middle by `by` units and more."""
    cx, cy = (sum(p[k] for p in corners) / len(corners) for k in (0, 1))
    moved = []
    for x, y in corners:
        far = max(1e-6, math.dist((x, y), (cx, cy)))
        moved.append((cx + (x - cx) * (1 + 1.6 * by / far), cy + (y - cy) * (1 + 1.6 * by / far)))
    return tuple(moved)


def _sharp(points: tuple[Point, ...]) -> bool:
    """Whether a triangle has an angle under 35 degrees."""
    for k in range(3):
        a, b, c = points[k], points[(k + 1) % 3], points[(k + 2) % 3]
        first, second = math.atan2(b[1] - a[1], b[0] - a[0]), math.atan2(c[1] - a[1], c[0] - a[0])
        if abs((first - second + math.pi) % (2 * math.pi) - math.pi) < math.radians(35):
            return True
    return False


def _gap(plank: Plank, point: Point) -> float:
    """How far outside a board a point lies, in board units; 0 or less inside."""
    return -_inside_by(plank, point)


def _inside_by(plank: Plank, point: Point) -> float:
    """How deep inside a board a point lies, in board units; negative outside."""
    match plank.shape:
        case Disc(center=centre, radius=radius):
            return radius - math.dist(centre, point)
        case Strip(ends=(a, b), width=width):
            return width / 2 - _from_segment(a, b, point)
        case Polygon(points=corners):
            sides = list(zip(corners, corners[1:] + corners[:1], strict=True))
            near = min(_from_segment(a, b, point) for a, b in sides)
            turns = [(b[0] - a[0]) * (point[1] - a[1]) - (b[1] - a[1]) * (point[0] - a[0]) for a, b in sides]
            return near if all(t >= 0 for t in turns) or all(t <= 0 for t in turns) else -near


def _from_segment(a: Point, b: Point, point: Point) -> float:
    dx, dy = b[0] - a[0], b[1] - a[1]
    along = min(1.0, max(0.0, ((point[0] - a[0]) * dx + (point[1] - a[1]) * dy) / max(1e-9, dx * dx + dy * dy)))
    return math.dist(point, (a[0] + along * dx, a[1] + along * dy))


def _outline(plank: Plank) -> list[Point]:
    """Points on a board's outline, about 10 units apart."""
    match plank.shape:
        case Disc(center=(x, y), radius=radius):
            turns = np.linspace(0, 2 * math.pi, 48, endpoint=False)
            return [(x + radius * math.cos(t), y + radius * math.sin(t)) for t in turns]
        case Strip(ends=(a, b), width=width):
            turn, half = math.atan2(b[1] - a[1], b[0] - a[0]), width / 2
            arcs = [
                (x + half * math.cos(turn + t), y + half * math.sin(turn + t))
                for (x, y), first in ((a, math.pi / 2), (b, -math.pi / 2))
                for t in np.linspace(first, first + math.pi, 10)
            ]
            across = (-half * math.sin(turn), half * math.cos(turn))
            sides = [(x + sign * across[0], y + sign * across[1]) for x, y in _between(a, b) for sign in (-1, 1)]
            return arcs + sides
        case Polygon(points=corners):
            return [p for a, b in zip(corners, corners[1:] + corners[:1], strict=True) for p in _between(a, b)]


def _between(a: Point, b: Point) -> list[Point]:
    """Points from a to b, about 10 units apart, without b."""
    shares = np.arange(0, 1, 10 / max(10.0, math.dist(a, b)))
    return [(a[0] + s * (b[0] - a[0]), a[1] + s * (b[1] - a[1])) for s in shares]


def _all_seen(planks: list[Plank]) -> bool:
    """Whether enough of every board is seen, the last board lying on top."""
    for k, plank in enumerate(planks):
        for points in (_outline(plank), _samples(plank)):
            hidden = sum(any(_inside_by(above, p) > 0 for above in planks[k + 1 :]) for p in points)
            if hidden > (1 - SEEN) * len(points):
                return False
    return True


def _stands_alone(plank: Plank, planks: list[Plank]) -> bool:
    return not any(_close(plank, other) for other in planks)


def _samples(plank: Plank) -> list[Point]:
    """Points all over a board, 12 units apart."""
    outline = np.array(_outline(plank))
    (left, top), (right, bottom) = (outline.min(axis=0) // 12).astype(int), (outline.max(axis=0) // 12 + 1).astype(int)
    columns = range(12 * max(0, left), min(int(WIDTH), 12 * right + 1), 12)
    rows = range(12 * max(0, top), min(int(HEIGHT), 12 * bottom + 1), 12)
    grid = [(float(x), float(y)) for x in columns for y in rows]
    return [p for p in grid if _gap(plank, p) <= 0]


def _close(plank: Plank, other: Plank) -> bool:
    """Whether two boards come within about 16 units of one another."""
    return any(_gap(other, p) < 16 for p in _samples(plank))


def crossing_seen(upper: Plank, lower: Plank, above: list[Plank], screws: list[Point]) -> bool:
    """Whether two boards lie on one another where neither their own edges nor boards `above` nor screws hide it."""
    reach = LARGEST_SCREW * HOLE + EDGE
    inside = (p for p in _samples(upper) if max(_gap(upper, p), _gap(lower, p)) < -EDGE)
    return any(
        all(_gap(b, p) > EDGE for b in above) and all(math.dist(p, screw) > reach for screw in screws) for p in inside
    )


def _in_line(plank: Plank, other: Plank) -> bool:
    """Whether two strips go on from one another at a screw that both have: they look like one strip."""
    if not isinstance(plank.shape, Strip) or not isinstance(other.shape, Strip):
        return False
    turns = [math.atan2(b.ends[1][1] - b.ends[0][1], b.ends[1][0] - b.ends[0][0]) for b in (plank.shape, other.shape)]
    turn = abs((turns[0] - turns[1] + math.pi / 2) % math.pi - math.pi / 2)
    return bool(set(plank.holes) & set(other.holes)) and turn < math.radians(15)


def _off_panel(plank: Plank) -> bool:
    edge = [(float(x), y) for x in range(0, int(WIDTH), 12) for y in (0.0, HEIGHT)]
    edge += [(x, float(y)) for y in range(0, int(HEIGHT), 12) for x in (0.0, WIDTH)]
    return any(_gap(plank, p) < 10 for p in edge)


def _numbered(points: list[Point], screws: list[int], free: list[int], planks: list[Plank]) -> Board:
    """The board of the holes that are in use."""
    used = sorted([*screws, *free])
    name = {old: new for new, old in enumerate(used)}
    board = Board(
        width=WIDTH,
        height=HEIGHT,
        hole_radius=HOLE,
        holes=tuple(points[i] for i in used),
        screws=tuple(name[i] for i in screws),
        boards=tuple(b.model_copy(update={"holes": tuple(name[h] for h in b.holes)}) for b in planks),
    )
    assert not GAME.defects(board)
    return board
