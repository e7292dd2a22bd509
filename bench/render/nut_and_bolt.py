"""Nut and Bolt screens: nuts on bolts, balls in tubes, water in bottles, hoops on pegs, nuts on bare rods."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bench.render.canvas import Canvas, Color, Paint, blurred_noise, downwards, glossy, shade, wood
from bench.render.chrome import Area, Theme, screen
from pipeline.core.palette import PALETTE
from pipeline.games.nut_and_bolt import Board

_COLORS = tuple(name for name in PALETTE if name not in ("coral", "gold", "tan", "olive", "white", "gray", "black"))
"""Names that stay apart in every style."""


class Place(NamedTuple):
    """Where a container stands: the middle of its ground line, its width, and the height of one unit, in pixels."""

    x: float
    y: float
    width: float
    unit: float


class Look(NamedTuple):
    """A style: the screen's theme, the height of a unit and of the whole container in widths, and its painter.

    The painter gets the canvas, a place, the colours bottom → top and the capacity.
    """

    theme: Callable[[np.random.Generator], Theme]
    unit: float
    spare: float
    paint: Callable[[Canvas, Place, list[Color], int], None]


def draw(board: Board, style: str, size: tuple[int, int], rng: np.random.Generator) -> NDArray[np.uint8]:
    """A screenshot of the board in one of `STYLES`, BGR of shape (size[1], size[0], 3)."""
    look = _LOOKS[style]
    canvas, area = screen(size, look.theme(rng), f"Level {int(rng.integers(1, 900))}", rng)
    for place, bolt in zip(layout(len(board.bolts), board.capacity, area, look, rng), board.bolts, strict=True):
        look.paint(canvas, place, [PALETTE[name] for name in bolt], board.capacity)
    return canvas.picture()


def random_board(rng: np.random.Generator) -> Board:
    """2 to 11 colours, capacity 3 to 6, one to three free bolts anywhere; now and then in the middle of play."""
    capacity = int(rng.choice([3, 4, 4, 4, 5, 6]))
    colors = int(rng.integers(3, 12))
    names = [_COLORS[i] for i in rng.permutation(len(_COLORS))[:colors]]
    nuts = [str(n) for n in rng.permutation(np.repeat(names, capacity))]
    free = int(rng.integers(1, 4))
    stacks = [nuts[i * capacity : (i + 1) * capacity] for i in range(colors)] + [[] for _ in range(free)]
    if rng.random() < 0.4:
        for _ in range(int(rng.integers(1, 6))):
            source, target = (int(i) for i in rng.integers(0, len(stacks), 2))
            if source != target and stacks[source] and len(stacks[target]) < capacity:
                stacks[target].append(stacks[source].pop())
    order = rng.permutation(len(stacks))
    return Board(capacity=capacity, bolts=tuple(tuple(stacks[i]) for i in order))


def layout(count: int, capacity: int, area: Area, look: Look, rng: np.random.Generator) -> list[Place]:
    """Places in reading order: centred rows as even as can be, the first ones longer, of one pitch or spread out."""
    rows = int(np.ceil(count / (7 if area.width < area.height else 9)))
    if count > 3 and rows < 3 and rng.random() < 0.5:
        rows += 1
    sizes = [count // rows + (i < count % rows) for i in range(rows)]
    tall = capacity * look.unit + look.spare
    width = min(area.width / (max(sizes) * 1.25 + 0.3), area.height / (rows * (tall + 0.5)))
    pitch = min(area.width / (max(sizes) + 0.3), width * float(rng.uniform(1.2, 1.6)))
    spread = bool(rng.random() < 0.3)
    places = []
    for row, size in enumerate(sizes):
        step = min(area.width / (size + 0.3), 1.15 * pitch) if spread else pitch
        ground = area.y + area.height * (row + 0.5) / rows + tall * width / 2
        left = area.x + area.width / 2 - step * (size - 1) / 2
        places += [Place(left + i * step, ground, width, look.unit * width) for i in range(size)]
    return places


# -- the styles ------------------------------------------------------------------------------------------------------
def _night(rng: np.random.Generator) -> Theme:
    return Theme(downwards((24, 22, 60), (40, 34, 96)), (90, 80, 200), (240, 240, 250))


def _slate(rng: np.random.Generator) -> Theme:
    return Theme(blurred_noise((34, 36, 42), rng, 0.12), (245, 200, 40), (250, 250, 250))


def _sky(rng: np.random.Generator) -> Theme:
    return Theme(downwards((150, 214, 240), (205, 236, 248)), (60, 140, 230), (40, 60, 90))


def _board(rng: np.random.Generator) -> Theme:
    return Theme(wood((238, 200, 150), rng), (170, 110, 60), (80, 50, 30))


def _cream(rng: np.random.Generator) -> Theme:
    return Theme(downwards((255, 236, 214), (255, 248, 236)), (228, 208, 180), (70, 60, 50))


def _nuts(canvas: Canvas, place: Place, colors: list[Color], capacity: int) -> None:
    """Hexagonal nuts, three faces each, on a steel bolt that stands on a round foot."""
    x, y, w, u = place
    steel: Color = (205, 208, 218)
    canvas.box(x - w * 0.5, y - w * 0.24, w, w * 0.24, shade(steel, 0.75), radius=w * 0.11)
    canvas.box(x - w * 0.5, y - w * 0.30, w, w * 0.22, shade(steel, 1.5), radius=w * 0.11)
    ground = y - w * 0.17
    top = ground - capacity * u - 0.35 * w
    canvas.box(x - w * 0.15, top, w * 0.3, ground - top, steel, radius=w * 0.08)
    for i in range(int((ground - top) / (0.1 * w))):
        canvas.box(x - w * 0.15, top + (i + 0.5) * 0.1 * w, w * 0.3, w * 0.03, shade(steel, 0.78))
    for k, color in enumerate(colors):
        low = ground - k * u
        for left, right, light in ((-0.43, -0.2, 0.72), (-0.2, 0.2, 1.0), (0.2, 0.43, 0.86)):
            canvas.box(x + left * w, low - u, (right - left) * w, u * 0.94, shade(color, light), radius=w * 0.03)
        if k == len(colors) - 1:
            _nut_top(canvas, x, low - u, w, shade(color, 1.25))
    if colors:
        tip = ground - len(colors) * u - 0.12 * w
        high = max(0.14 * w, tip - top)
        canvas.box(x - w * 0.15, tip - high, w * 0.3, high, shade(steel, 1.2), radius=w * 0.08)


def _nut_top(canvas: Canvas, x: float, y: float, w: float, color: Color) -> None:
    corners = ((-0.43, 0.0), (-0.2, -0.2), (0.2, -0.2), (0.43, 0.0), (0.2, 0.06), (-0.2, 0.06))
    canvas.polygon([(x + a * w, y + b * w) for a, b in corners], color)


def _balls(canvas: Canvas, place: Place, colors: list[Color], capacity: int) -> None:
    """Glossy balls in an outlined tube with a lip."""
    x, y, w, u = place
    high = capacity * u + 0.35 * w
    line = max(2.0, w * 0.05)
    canvas.box(x - w * 0.44, y - high, w * 0.88, high, (215, 215, 215), radius=w * 0.3, ring=line)
    canvas.box(x - w * 0.5, y - high - w * 0.06, w, w * 0.12, (215, 215, 215), radius=w * 0.05)
    for k, color in enumerate(colors):
        canvas.disc(x, y - line - (k + 0.5) * u, u * 0.485, glossy(color))


def _water(canvas: Canvas, place: Place, colors: list[Color], capacity: int) -> None:
    """Flat layers in a glass bottle with a neck; layers of one colour have no seam."""
    x, y, w, u = place
    high = capacity * u + 0.2 * w
    line = max(2.0, w * 0.045)
    outline: Color = (70, 70, 110)
    canvas.box(x - w * 0.46, y - high, w * 0.92, high, (255, 255, 255), radius=w * 0.2, alpha=0.3)
    for k, color in enumerate(colors):
        low = y - line - k * u
        canvas.box(x - w * 0.46 + line, low - u, w * 0.92 - 2 * line, u, color, radius=w * 0.15 if k == 0 else 0)
        if k == 0:
            canvas.box(x - w * 0.46 + line, low - u, w * 0.92 - 2 * line, u * 0.7, color)
    canvas.box(x - w * 0.46, y - high, w * 0.92, high, outline, radius=w * 0.2, ring=line)
    canvas.box(x - w * 0.3, y - high - w * 0.16, w * 0.6, w * 0.2, outline, radius=w * 0.06, ring=line)
    canvas.box(x - w * 0.34, y - high * 0.9, w * 0.07, high * 0.5, (255, 255, 255), radius=w * 0.03, alpha=0.4)


def _hoops(canvas: Canvas, place: Place, colors: list[Color], capacity: int) -> None:
    """Round hoops with a shadow at their rims on a wooden peg with a wide foot."""
    x, y, w, u = place
    foot: Color = (150, 100, 60)
    canvas.box(x - w * 0.5, y - w * 0.2, w, w * 0.2, foot, radius=w * 0.1)
    ground = y - w * 0.14
    top = ground - capacity * u - 0.15 * w
    canvas.box(x - w * 0.08, top, w * 0.16, ground - top, shade(foot, 1.25), radius=w * 0.07)
    for k, color in enumerate(colors):
        low = ground - k * u
        canvas.box(x - w * 0.4, low - u, w * 0.8, u, _rounded(color), radius=u * 0.5)
    if colors:
        face = ground - len(colors) * u
        canvas.box(x - w * 0.34, face - w * 0.05, w * 0.68, w * 0.16, shade(colors[-1], 1.15), radius=w * 0.08)
        canvas.box(x - w * 0.08, min(top, face - w * 0.1), w * 0.16, max(face - top, w * 0.1), shade(foot, 1.25))


def _rounded(color: Color) -> Paint:
    """Lit from above: dark towards the lower and the upper rim."""
    base = np.array(color, np.float32)
    return lambda _, v: base * (1.05 - 0.6 * np.abs(v - 0.42) ** 1.5)[:, :, None]


def _rods(canvas: Canvas, place: Place, colors: list[Color], capacity: int) -> None:
    """Nuts seen from the side, each a little lower than its place, on a bare rod with a flat foot."""
    x, y, w, u = place
    steel: Color = (176, 160, 132)
    canvas.box(x - w * 0.5, y - w * 0.16, w, w * 0.16, shade(steel, 0.85), radius=w * 0.04)
    ground = y - w * 0.16
    top = ground - capacity * u - 0.24 * w
    canvas.box(x - w * 0.13, top, w * 0.26, ground - top, steel, radius=w * 0.1)
    for i in range(1, int((ground - top) / (0.09 * w))):
        canvas.box(x - w * 0.13, top + i * 0.09 * w, w * 0.26, w * 0.02, shade(steel, 0.85))
    for k, color in enumerate(colors):
        for left, right, light in ((-0.48, -0.24, 0.85), (-0.24, 0.24, 1.12), (0.24, 0.48, 0.75)):
            canvas.box(x + left * w, ground - (k + 0.97) * u, (right - left) * w, u * 0.94, shade(color, light))


_LOOKS: dict[str, Look] = {
    "nuts": Look(_night, 0.36, 0.9, _nuts),
    "balls": Look(_slate, 0.72, 0.5, _balls),
    "water": Look(_sky, 0.72, 0.5, _water),
    "hoops": Look(_board, 0.32, 0.6, _hoops),
    "rods": Look(_cream, 0.58, 0.6, _rods),
}

STYLES: tuple[str, ...] = tuple(_LOOKS)
