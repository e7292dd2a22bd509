"""Bolt Unscrew screens: wooden planks, flat bars, painted boards on a punched panel, glass on steel, paper cut-outs."""

import math
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bench.render.bolt_unscrew_boards import HEIGHT, LARGEST_SCREW, WIDTH, crossing_seen, random_board
from bench.render.canvas import Canvas, Color, Paint, blurred_noise, downwards, glossy, shade, wood
from bench.render.chrome import Area, Theme, screen
from pipeline.core.palette import PALETTE
from pipeline.games.bolt_unscrew import Board
from pipeline.games.bolt_unscrew_model import Disc, Plank, Point, Polygon, Strip


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
    size_ratio, turned = float(rng.uniform(1.0, LARGEST_SCREW)), bool(rng.random() < 0.5)
    for screw in board.screws:
        turn = float(rng.uniform(0, math.pi)) if turned else 0.0
        look.screw(canvas, place.at(board.holes[screw]), size_ratio * radius, turn)
    return canvas.picture()


def _fitted(area: Area, board: Board) -> Place:
    unit = 0.94 * min(area.width / board.width, area.height / board.height)
    return Place(area.x + (area.width - unit * board.width) / 2, area.y + (area.height - unit * board.height) / 2, unit)


def mistakes(board: Board, reading: Board) -> list[str]:
    """What differs between a drawn board and what was read, wherever on the screen and however large it stands."""
    names = _same_holes(board, reading)
    missed = sorted(set(range(len(board.holes))) - set(names.values()))
    found = [f"{'screw' if i in board.screws else 'free hole'} {i}" for i in missed]
    found += [f"nothing is drawn at hole {j} that was read" for j in range(len(reading.holes)) if j not in names]
    drawn = sorted(sorted(b.holes) for b in board.boards)
    read = sorted(sorted(names.get(h, -1) for h in b.holes) for b in reading.boards)
    if drawn != read:
        return [*found, f"boards {drawn} were read as {read}"]
    layers = {tuple(sorted(names.get(h, -1) for h in b.holes)): b.layer for b in reading.boards}
    return found + _misplaced(board, layers)


def wrong_paths(board: Board, reading: Board) -> list[str]:
    """JSON paths of the holes and boards of a reading that are not as they were drawn."""
    names = _same_holes(board, reading)
    drawn = [sorted(b.holes) for b in board.boards]
    boards = [k for k, b in enumerate(reading.boards) if sorted(names.get(h, -1) for h in b.holes) not in drawn]
    holes = [j for j in range(len(reading.holes)) if j not in names]
    return [f"holes[{j}]" for j in holes] + [f"boards[{k}]" for k in boards]


def _same_holes(board: Board, reading: Board) -> dict[int, int]:
    """Which drawn hole a hole of the reading is: the only one read near it, with a screw where one was drawn."""
    ours, theirs = _normal(board), _normal(reading)
    names: dict[int, int] = {}
    for i, point in enumerate(ours):
        near = [j for j, other in enumerate(theirs) if math.dist(point, other) < 0.03]
        if len(near) == 1 and (i in board.screws) == (near[0] in reading.screws):
            names[near[0]] = i
    return names


def _misplaced(board: Board, layers: dict[tuple[int, ...], int]) -> list[str]:
    """Pairs of boards, each known by its holes, of which the one seen on top was read as the lower one."""
    wrong = []
    planks = sorted(board.boards, key=lambda b: b.layer)
    screws = [board.holes[i] for i in board.screws]
    for k, upper in enumerate(planks):
        for lower in planks[:k]:
            above, below = (layers[tuple(sorted(b.holes))] for b in (upper, lower))
            if above <= below and len(layers) == len(planks) and crossing_seen(upper, lower, planks[k + 1 :], screws):
                wrong.append(f"board {sorted(upper.holes)} lies on {sorted(lower.holes)}")
    return wrong


def _normal(board: Board) -> list[Point]:
    """The holes, moved and scaled so that their box has the corner (0, 0) and the diagonal 1."""
    points = np.array(board.holes)
    low, high = points.min(axis=0), points.max(axis=0)
    size = max(1e-9, float(np.hypot(*(high - low))))
    return [(float(x), float(y)) for x, y in (points - low) / size]


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

__all__ = ["STYLES", "draw", "mistakes", "random_board"]
