"""Bolt Unscrew screens: wooden planks, flat bars, painted boards on a punched panel, glass on steel, paper cut-outs."""

import math
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bench.render.canvas import Canvas, Color, Paint, blurred_noise, downwards, glossy, shade, wood
from bench.render.chrome import Area, Theme, screen
from pipeline.core.palette import PALETTE
from pipeline.games.bolt_unscrew import GAME, Board
from pipeline.games.bolt_unscrew_model import Disc, Plank, Point, Polygon, Strip

WIDTH, HEIGHT, HOLE, APART = 600.0, 720.0, 18.0, 96.0
"""The panel, a hole's radius, and the least distance of two holes, in board units."""


class Place(NamedTuple):
    """Where the panel stands: pixels of its corner, and pixels per board unit."""

    x: float
    y: float
    unit: float

    def at(self, point: Point) -> tuple[float, float]:
        """A point of the board in pixels."""
        return self.x + point[0] * self.unit, self.y + point[1] * self.unit


class Look(NamedTuple):
    """A style: the screen's theme, the colours of boards, and painters of the panel, a board, a free hole, a screw.

    Painters get the canvas and the place; then the panel's nothing, a board and its colour, or a middle in pixels.
    """

    theme: Callable[[np.random.Generator], Theme]
    colors: tuple[Color, ...]
    panel: Callable[[Canvas, Place, np.random.Generator], None]
    board: Callable[[Canvas, Place, Plank, Color, np.random.Generator], None]
    hole: Callable[[Canvas, tuple[float, float], float], None]
    screw: Callable[[Canvas, tuple[float, float], float, float], None]


def draw(board: Board, style: str, size: tuple[int, int], rng: np.random.Generator) -> NDArray[np.uint8]:
    """A screenshot of the board in one of `STYLES`, BGR of shape (size[1], size[0], 3)."""
    look = _LOOKS[style]
    canvas, area = screen(size, look.theme(rng), f"Level {int(rng.integers(1, 400))}", rng)
    place = _fitted(area, board)
    look.panel(canvas, place, rng)
    radius = board.hole_radius * place.unit
    for hole in sorted(set(range(len(board.holes))) - set(board.screws)):
        look.hole(canvas, place.at(board.holes[hole]), radius)
    order = rng.permutation(len(look.colors))
    for i, plank in enumerate(sorted(board.boards, key=lambda b: b.layer)):
        look.board(canvas, place, plank, look.colors[order[i % len(order)]], rng)
    size_ratio, turned = float(rng.uniform(1.0, 1.35)), bool(rng.random() < 0.5)
    for screw in board.screws:
        turn = float(rng.uniform(0, math.pi)) if turned else 0.0
        look.screw(canvas, place.at(board.holes[screw]), size_ratio * radius, turn)
    return canvas.picture()


def _fitted(area: Area, board: Board) -> Place:
    unit = 0.94 * min(area.width / board.width, area.height / board.height)
    return Place(area.x + (area.width - unit * board.width) / 2, area.y + (area.height - unit * board.height) / 2, unit)


def random_board(rng: np.random.Generator) -> Board:
    """1 to about 12 boards in layers, every other time none over another, and 1 to 5 free holes."""
    points = _scattered(rng)
    crossing = bool(rng.random() < 0.5)
    planks: list[Plank] = []
    for _ in range(int(rng.integers(2, 40 if crossing else 20))):
        plank = _plank(points, f"b{len(planks)}", len(planks), rng)
        if plank is not None and (crossing or not any(_close(plank, other) for other in planks)):
            planks.append(plank)
    if not planks:
        return random_board(rng)
    screws = sorted({hole for plank in planks for hole in plank.holes})
    free = [i for i in range(len(points)) if i not in screws and all(_gap(b, points[i]) > 1.5 * HOLE for b in planks)]
    free = sorted(free[k] for k in rng.permutation(len(free))[: int(rng.integers(1, 6))])
    if not free:
        return random_board(rng)
    return _numbered(points, screws, free, planks)


def mistakes(board: Board, reading: Board) -> list[str]:
    """What differs between a drawn board and what was read, wherever on the screen and however large it stands."""
    ours, theirs = _normal(board), _normal(reading)
    found = []
    names: dict[int, int] = {}
    for i, point in enumerate(ours):
        near = [j for j, other in enumerate(theirs) if math.dist(point, other) < 0.03]
        if len(near) == 1 and (i in board.screws) == (near[0] in reading.screws):
            names[near[0]] = i
        else:
            found.append(f"{'screw' if i in board.screws else 'free hole'} {i}")
    found += [f"nothing is drawn at hole {j} that was read" for j in range(len(theirs)) if j not in names]
    drawn = sorted(sorted(b.holes) for b in board.boards)
    read = sorted(sorted(names.get(h, -1) for h in b.holes) for b in reading.boards)
    return found + ([f"boards {drawn} were read as {read}"] if drawn != read else [])


def _normal(board: Board) -> list[Point]:
    """The holes, moved and scaled so that their box has the corner (0, 0) and the diagonal 1."""
    points = np.array(board.holes)
    low, high = points.min(axis=0), points.max(axis=0)
    size = max(1e-9, float(np.hypot(*(high - low))))
    return [(float(x), float(y)) for x, y in (points - low) / size]


# -- random boards ---------------------------------------------------------------------------------------------------
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


def _samples(plank: Plank) -> list[Point]:
    """Points all over a board, 12 units apart."""
    grid = [(float(x), float(y)) for x in range(0, int(WIDTH), 12) for y in range(0, int(HEIGHT), 12)]
    return [p for p in grid if _gap(plank, p) <= 0]


def _close(plank: Plank, other: Plank) -> bool:
    """Whether two boards come within about 16 units of one another."""
    return any(_gap(other, p) < 16 for p in _samples(plank))


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


# -- parts shared by the styles --------------------------------------------------------------------------------------
def _solid(canvas: Canvas, place: Place, plank: Plank, paint: Paint, *, grow: float = 0.0, **how: float) -> None:
    """A board's shape in one paint, `grow` units larger all around."""
    unit = place.unit
    match plank.shape:
        case Disc(center=centre, radius=radius):
            canvas.disc(*place.at(centre), (radius + grow) * unit, paint, **how)
        case Strip(ends=(a, b), width=width):
            canvas.stroke(place.at(a), place.at(b), (width + 2 * grow) * unit, paint, **how)
        case Polygon(points=corners):
            canvas.polygon([place.at(p) for p in corners], paint, **how)


def _outlined(canvas: Canvas, place: Place, plank: Plank, paint: Paint, line: tuple[Color, float]) -> None:
    """A board with a shadow and an outline of a colour and width (units)."""
    unit = place.unit
    low = Place(place.x, place.y + 3 * unit, unit)
    _solid(canvas, low, plank, (0, 0, 0), alpha=0.35, soft=3 * unit)
    _solid(canvas, place, plank, paint)
    _solid(canvas, place, plank, line[0], ring=line[1] * unit)


def _slab(canvas: Canvas, place: Place, paint: Paint, rim: Color, radius: float) -> None:
    """The panel: a rounded plate with a rim."""
    wide, high, unit = WIDTH * place.unit, HEIGHT * place.unit, place.unit
    canvas.box(place.x, place.y + 8 * unit, wide, high, (0, 0, 0), radius=radius * unit, alpha=0.3, soft=6 * unit)
    canvas.box(place.x, place.y, wide, high, rim, radius=radius * unit)
    inset = 9 * unit
    inner = (place.x + inset, place.y + inset, wide - 2 * inset, high - 2 * inset)
    canvas.box(*inner, paint, radius=max(0.0, radius * unit - inset))


def _star(canvas: Canvas, at: tuple[float, float], reach: float, turn: float, arms: int, color: Color) -> None:
    """The drive of a screw: one slot (1 arm) or a cross (2)."""
    for k in range(arms):
        dx, dy = reach * math.cos(turn + k * math.pi / 2), reach * math.sin(turn + k * math.pi / 2)
        canvas.stroke((at[0] - dx, at[1] - dy), (at[0] + dx, at[1] + dy), 0.42 * reach, color)


def _sunk(canvas: Canvas, at: tuple[float, float], radius: float, inside: Color, rim: Color) -> None:
    """A hole: a rim, the inside, and the shadow of its upper edge."""
    canvas.disc(*at, 1.15 * radius, rim)
    canvas.disc(*at, radius, inside)
    canvas.disc(at[0], at[1] + 0.12 * radius, 0.86 * radius, shade(inside, 1.12))


# -- styles ----------------------------------------------------------------------------------------------------------
def _brass(canvas: Canvas, at: tuple[float, float], radius: float, turn: float) -> None:
    canvas.disc(*at, radius, (90, 56, 20))
    canvas.disc(*at, 0.92 * radius, (205, 150, 60))
    canvas.disc(at[0], at[1] - 0.05 * radius, 0.8 * radius, (250, 214, 120))
    _star(canvas, at, 0.45 * radius, turn, 2, (120, 70, 20))


def _steel(canvas: Canvas, at: tuple[float, float], radius: float, turn: float) -> None:
    canvas.disc(*at, radius, (70, 76, 84))
    canvas.disc(*at, 0.9 * radius, downwards((236, 240, 244), (150, 158, 168)))
    _star(canvas, at, 0.6 * radius, turn, 1, (50, 54, 62))


def _hexagon(canvas: Canvas, at: tuple[float, float], radius: float, turn: float) -> None:
    canvas.disc(*at, radius, (30, 34, 44))
    canvas.disc(*at, 0.93 * radius, glossy((190, 196, 206)))
    corners = [turn + k * math.pi / 3 for k in range(6)]
    reach = 0.48 * radius
    canvas.polygon([(at[0] + reach * math.cos(a), at[1] + reach * math.sin(a)) for a in corners], (36, 40, 52))


def _pin(canvas: Canvas, at: tuple[float, float], radius: float, turn: float) -> None:
    canvas.disc(*at, radius, (60, 60, 60))
    canvas.disc(*at, 0.86 * radius, (240, 196, 60))
    _star(canvas, at, 0.5 * radius, turn + 0.8, 2, (60, 60, 60))


def _timber(canvas: Canvas, place: Place, plank: Plank, color: Color, rng: np.random.Generator) -> None:
    strip = plank.shape if isinstance(plank.shape, Strip) else None
    upright = strip is not None and abs(strip.ends[0][1] - strip.ends[1][1]) > abs(strip.ends[0][0] - strip.ends[1][0])
    _outlined(canvas, place, plank, wood(color, rng, upright=upright), (shade(color, 0.45), 2.5))


_TIMBER: tuple[Color, ...] = ((178, 110, 50), (140, 80, 40), (196, 76, 58), (120, 90, 60), (206, 150, 70))
_PAINTS = tuple(PALETTE[name] for name in ("red", "green", "blue", "purple", "teal", "maroon", "navy", "magenta"))
_PALE: tuple[Color, ...] = ((222, 216, 96), (140, 200, 220), (240, 160, 150), (160, 210, 150), (190, 170, 230))

_LOOKS: dict[str, Look] = {
    "timber": Look(
        lambda rng: Theme(wood((120, 70, 36), rng), (150, 96, 52), (250, 236, 210)),
        _TIMBER,
        lambda canvas, place, rng: _slab(canvas, place, wood((236, 186, 116), rng, upright=True), (150, 96, 50), 30),
        _timber,
        lambda canvas, at, radius: _sunk(canvas, at, radius, (84, 50, 26), (176, 120, 66)),
        _brass,
    ),
    "flat": Look(
        lambda rng: Theme((238, 238, 220), (90, 120, 230), (30, 30, 30)),
        _PALE,
        lambda canvas, place, rng: _slab(canvas, place, (214, 214, 190), (206, 206, 182), 26),
        lambda canvas, place, plank, color, rng: _outlined(canvas, place, plank, color, ((255, 255, 255), 5)),
        lambda canvas, at, radius: canvas.disc(*at, radius, (150, 150, 128)),
        _steel,
    ),
    "punched": Look(
        lambda rng: Theme((252, 252, 252), (220, 224, 232), (60, 60, 70)),
        _PAINTS,
        lambda canvas, place, rng: _slab(canvas, place, wood((222, 184, 122), rng), (160, 110, 60), 16),
        lambda canvas, place, plank, color, rng: _outlined(canvas, place, plank, wood(color, rng), ((40, 26, 20), 2)),
        lambda canvas, at, radius: _sunk(canvas, at, radius, (252, 252, 252), (170, 110, 50)),
        _brass,
    ),
    "glass": Look(
        lambda rng: Theme(downwards((26, 30, 46), (14, 16, 28)), (50, 58, 84), (220, 230, 250)),
        _PALE,
        lambda canvas, place, rng: _slab(canvas, place, downwards((52, 92, 104), (44, 80, 96)), (36, 60, 120), 22),
        lambda canvas, place, plank, color, rng: _outlined(canvas, place, plank, color, (shade(color, 1.5), 3)),
        lambda canvas, at, radius: _sunk(canvas, at, radius, (14, 22, 30), (90, 130, 140)),
        _hexagon,
    ),
    "paper": Look(
        lambda rng: Theme(blurred_noise((196, 214, 236), rng, 0.05), (250, 250, 250), (70, 80, 100)),
        _PAINTS,
        lambda canvas, place, rng: _slab(canvas, place, (250, 246, 236), (226, 214, 190), 10),
        lambda canvas, place, plank, color, rng: _outlined(canvas, place, plank, color, (shade(color, 0.6), 3)),
        lambda canvas, at, radius: _sunk(canvas, at, radius, (120, 112, 100), (206, 198, 184)),
        _pin,
    ),
}
STYLES: tuple[str, ...] = tuple(_LOOKS)
