"""Truck Escape screens: cars on sand, cars with arrows by night, box trucks on asphalt, flat tiles, toy cars."""

import math
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bench.render.canvas import Canvas, Color, Point, blurred_noise, downwards, shade
from bench.render.chrome import Theme, fit_grid, screen
from bench.render.truck_escape_boards import random_board
from pipeline.games.grid import STEPS
from pipeline.games.truck_escape import Board, Vehicle

__all__ = ["STYLES", "draw", "random_board"]

_COLORS: tuple[Color, ...] = (
    (226, 62, 72),
    (250, 196, 60),
    (58, 132, 246),
    (46, 184, 96),
    (160, 92, 226),
    (244, 132, 44),
)
_WHITE: Color = (255, 255, 255)


def draw(board: Board, style: str, size: tuple[int, int], rng: np.random.Generator) -> NDArray[np.uint8]:
    """A screenshot of the board in one of `STYLES`, BGR of shape (size[1], size[0], 3)."""
    look = _STYLES[style]
    canvas, area = screen(size, look.theme(rng), f"Level {int(rng.integers(1, 200))}", rng)
    grid = fit_grid(area, board.rows, board.cols, margin=1.1)
    middle = (grid.x + board.cols * grid.cell / 2, grid.y + board.rows * grid.cell / 2)
    tilt = math.radians(float(rng.uniform(-6, 6))) if look.tilts and rng.random() < 0.6 else 0.0
    lot = _Lot(canvas, middle, grid.cell, tilt, (board.rows, board.cols))
    look.floor(lot, board)
    for cell in board.obstacles:
        _OBSTACLES[int(rng.integers(len(_OBSTACLES)))](lot, cell)
    paints = rng.permutation(len(_COLORS))
    for vehicle in board.vehicles:
        look.vehicle(_Body(lot, vehicle), _COLORS[paints[int(rng.integers(look.colors))]])
    return canvas.picture()


# -- geometry shared by the styles -----------------------------------------------------------------------------------
class _Lot(NamedTuple):
    """A grid turned by `tilt` (radians, clockwise as seen) about its middle; `cell` in pixels, `shape` (rows, cols)."""

    canvas: Canvas
    middle: Point
    cell: float
    tilt: float
    shape: tuple[int, int]

    def point(self, row: float, col: float) -> Point:
        """The pixel of a place in cells."""
        x, y = (col - self.shape[1] / 2) * self.cell, (row - self.shape[0] / 2) * self.cell
        cos, sin = math.cos(self.tilt), math.sin(self.tilt)
        return self.middle[0] + x * cos - y * sin, self.middle[1] + x * sin + y * cos

    def block(self, row: float, col: float, height: float, width: float, paint: Color, alpha: float = 1) -> None:
        """An upright rectangle of cells."""
        corners = [(row, col), (row, col + width), (row + height, col + width), (row + height, col)]
        self.canvas.polygon([self.point(*c) for c in corners], paint, alpha=alpha)


class _Body(NamedTuple):
    """A vehicle's own axes: `along` in cells from its rear (0) to its front (its length), `aside` from −0.5 to 0.5."""

    lot: _Lot
    vehicle: Vehicle

    def point(self, along: float, aside: float) -> Point:
        """The pixel of a place on the vehicle."""
        v, (down, right) = self.vehicle, STEPS[self.vehicle.heading]
        rear = v.cells()[0] if v.heading in ("right", "down") else v.cells()[-1]
        row, col = rear[0] + 0.5 + (along - 0.5) * down, rear[1] + 0.5 + (along - 0.5) * right
        return self.lot.point(row + aside * right, col - aside * down)

    def part(self, start: float, end: float, half: float, paint: Color, round_off: float = 0.0) -> None:
        """A rounded rectangle from `start` to `end` along the vehicle, `half` to each side."""
        outline = []
        for along, aside, turn in ((end, half, 0), (start, half, 1), (start, -half, 2), (end, -half, 3)):
            inner = (along - math.copysign(round_off, along - start or -1), aside - math.copysign(round_off, aside))
            for step in range(5 if round_off else 1):
                angle = math.pi / 2 * (turn + step / 4)
                outline.append((inner[0] + round_off * math.cos(angle), inner[1] + round_off * math.sin(angle)))
        self.lot.canvas.polygon([self.point(*p) for p in outline], paint)

    def lamp(self, along: float, aside: float, paint: Color, size: float = 0.055) -> None:
        """A round lamp on either side."""
        for side in (aside, -aside):
            self.lot.canvas.disc(*self.point(along, side), size * self.lot.cell, paint)

    def arrow(self, start: float, end: float, half: float, paint: Color, shaft: float = 0.4) -> None:
        """An arrow; without a shaft (0) a triangle."""
        neck = start if not shaft else start + 0.5 * (end - start)
        places = [(neck, half), (end, 0.0), (neck, -half)]
        if shaft:
            places = [
                (start, shaft * half),
                (neck, shaft * half),
                *places,
                (neck, -shaft * half),
                (start, -shaft * half),
            ]
        self.lot.canvas.polygon([self.point(*p) for p in places], paint)


# -- obstacles -------------------------------------------------------------------------------------------------------
def _rock(lot: _Lot, cell: tuple[int, int]) -> None:
    r, c = cell[0] + 0.5, cell[1] + 0.5
    outline = [(0.22, -0.3), (-0.1, -0.26), (-0.26, -0.06), (-0.22, 0.18), (0.02, 0.3), (0.24, 0.24)]
    lot.canvas.polygon([lot.point(r + a, c + b) for a, b in outline], (128, 134, 150))
    lot.canvas.polygon([lot.point(r + 0.5 * a - 0.06, c + 0.5 * b) for a, b in outline], (176, 182, 196))


def _cone(lot: _Lot, cell: tuple[int, int]) -> None:
    r, c = cell[0] + 0.5, cell[1] + 0.5
    foot = [(0.28, -0.28), (0.28, 0.28), (0.18, 0.28), (0.18, -0.28)]
    lot.canvas.polygon([lot.point(r + a, c + b) for a, b in foot], (214, 90, 24))
    lot.canvas.polygon([lot.point(r + a, c + b) for a, b in ((-0.32, 0), (0.2, 0.18), (0.2, -0.18))], (240, 112, 32))
    lot.canvas.polygon(
        [lot.point(r + a, c + b) for a, b in ((-0.1, 0.07), (0.02, 0.12), (0.02, -0.12), (-0.1, -0.07))], _WHITE
    )


def _bush(lot: _Lot, cell: tuple[int, int]) -> None:
    r, c = cell[0] + 0.5, cell[1] + 0.5
    for a, b, radius in ((0.1, -0.17, 0.19), (0.1, 0.17, 0.19), (-0.08, 0, 0.24)):
        lot.canvas.disc(*lot.point(r + a, c + b), radius * lot.cell, (30, 132, 70))
    lot.canvas.disc(*lot.point(r - 0.14, c - 0.06), 0.1 * lot.cell, (66, 178, 104))


_OBSTACLES = (_rock, _cone, _bush)


# -- styles ----------------------------------------------------------------------------------------------------------
def _checks(light: Color, dark: Color) -> Callable[[_Lot, Board], None]:
    def floor(lot: _Lot, board: Board) -> None:
        lot.block(-0.1, -0.1, board.rows + 0.2, board.cols + 0.2, shade(dark, 0.85))
        for row in range(board.rows):
            for col in range(board.cols):
                lot.block(row, col, 1, 1, light if (row + col) % 2 else dark)

    return floor


def _lines(ground: Color, line: Color) -> Callable[[_Lot, Board], None]:
    def floor(lot: _Lot, board: Board) -> None:
        lot.block(-0.2, -0.2, board.rows + 0.4, board.cols + 0.4, ground)
        for row in range(board.rows + 1):
            lot.block(row - 0.02, 0, 0.04, board.cols, line)
        for col in range(board.cols + 1):
            lot.block(0, col - 0.02, board.rows, 0.04, line)

    return floor


def _saloon(body: _Body, color: Color) -> None:
    """A car with lift: its darker back shows behind it, and it stands a little ahead of its cells."""
    n, glass = body.vehicle.length, (140, 196, 226)
    body.part(-0.02, n + 0.06, 0.46, shade(color, 0.25), 0.16)
    body.part(0.02, 0.5, 0.4, shade(color, 0.62), 0.16)
    body.part(0.14, n + 0.1, 0.4, color, 0.16)
    body.part(n - 0.52, n - 0.22, 0.32, glass)
    body.part(0.46, 0.66, 0.29, glass)
    body.part(0.7, n - 0.56, 0.31, shade(color, 1.3), 0.1)
    body.lamp(n, 0.28, (255, 246, 214))
    body.lamp(0.24, 0.29, (196, 20, 24), 0.045)


def _arrowed(body: _Body, color: Color) -> None:
    _saloon(body, color)
    body.arrow(0.72, body.vehicle.length - 0.6, 0.24, _WHITE)


def _truck(body: _Body, color: Color) -> None:
    """A cab in front of a box."""
    n = body.vehicle.length
    body.part(0.06, n - 0.05, 0.38, shade(color, 0.35), 0.06)
    body.part(0.08, n - 0.62, 0.37, color, 0.05)
    body.part(0.2, n - 0.74, 0.26, shade(color, 1.2), 0.04)
    body.part(n - 0.58, n - 0.06, 0.37, color, 0.1)
    body.part(n - 0.36, n - 0.18, 0.31, (34, 44, 60))
    body.lamp(n - 0.1, 0.28, (255, 250, 224), 0.05)
    body.lamp(0.12, 0.3, (206, 16, 20), 0.05)


def _tile(body: _Body, color: Color) -> None:
    """A plain rounded bar with an arrow."""
    n = body.vehicle.length
    body.part(0.08, n - 0.08, 0.42, color, 0.14)
    body.arrow(n / 2 - 0.32, n / 2 + 0.32, 0.27, _WHITE, 0.4 if n % 2 else 0.0)


def _toy(body: _Body, color: Color) -> None:
    """A car with dark windows all round."""
    n, dark = body.vehicle.length, (38, 52, 74)
    body.part(0.08, n - 0.08, 0.39, shade(color, 0.4), 0.2)
    body.part(0.1, n - 0.1, 0.37, color, 0.2)
    body.part(0.36, n - 0.56, 0.3, dark, 0.08)
    body.part(0.52, n - 0.82, 0.25, shade(color, 1.1), 0.06)
    body.lamp(n - 0.2, 0.27, (255, 252, 236), 0.06)
    body.lamp(0.19, 0.28, (230, 40, 30), 0.055)


class _Style(NamedTuple):
    """What a look consists of; `colors`: how many paints its vehicles have."""

    theme: Callable[[np.random.Generator], Theme]
    floor: Callable[[_Lot, Board], None]
    vehicle: Callable[[_Body, Color], None]
    tilts: bool
    colors: int


_STYLES: dict[str, _Style] = {
    "saloons": _Style(
        lambda rng: Theme(blurred_noise((140, 196, 126), rng), (250, 244, 226), (70, 60, 50)),
        _checks((242, 230, 204), (232, 218, 188)),
        _saloon,
        tilts=True,
        colors=4,
    ),
    "night": _Style(
        lambda rng: Theme(downwards((74, 76, 102), (58, 60, 84)), (226, 234, 246), (232, 236, 248)),
        _checks((96, 98, 128), (88, 90, 118)),
        _arrowed,
        tilts=True,
        colors=6,
    ),
    "trucks": _Style(
        lambda rng: Theme(blurred_noise((182, 168, 142), rng), (240, 240, 240), (60, 60, 60)),
        _lines((112, 116, 122), (150, 154, 160)),
        _truck,
        tilts=False,
        colors=6,
    ),
    "tiles": _Style(
        lambda rng: Theme((236, 240, 246), (206, 214, 226), (60, 70, 90)),
        _lines((250, 251, 253), (224, 228, 234)),
        _tile,
        tilts=False,
        colors=6,
    ),
    "toys": _Style(
        lambda rng: Theme(downwards((120, 190, 236), (214, 238, 250)), (255, 255, 255), (40, 70, 110)),
        _checks((214, 208, 196), (204, 197, 184)),
        _toy,
        tilts=True,
        colors=5,
    ),
}
STYLES: tuple[str, ...] = tuple(_STYLES)
