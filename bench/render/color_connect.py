"""Color Connect screens: dots on a dark grid, pale cells, numbered tiles, glossy balls, coloured grid lines,
dark stones."""

from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from bench.render.canvas import Canvas, Color, blurred_noise, downwards, glossy, shade
from bench.render.chrome import Grid, Theme, fit_grid, screen
from pipeline.games.color_connect import Board, Pair

Cells = Sequence[tuple[int, int]]

_COLORS: dict[str, Color] = {
    "red": (230, 30, 35),
    "green": (30, 150, 50),
    "blue": (30, 70, 235),
    "yellow": (240, 225, 30),
    "orange": (250, 130, 20),
    "cyan": (50, 225, 235),
    "magenta": (240, 40, 200),
    "maroon": (140, 45, 45),
    "purple": (125, 35, 150),
    "white": (245, 245, 245),
    "gray": (150, 150, 155),
    "lime": (150, 235, 60),
    "tan": (190, 165, 110),
    "teal": (0, 128, 128),
    "pink": (255, 160, 190),
}
COLOR_NAMES: tuple[str, ...] = tuple(_COLORS)


def draw(
    board: Board,
    style: str,
    size: tuple[int, int],
    rng: np.random.Generator,
    paths: Mapping[str, Cells] | None = None,
) -> NDArray[np.uint8]:
    """A screenshot of the board in one of `STYLES`, BGR of shape (size[1], size[0], 3).

    `paths` are lines the player has drawn so far, cell by cell from one end of a colour.
    """
    theme, paint = _STYLES[style]
    title = f"Level {int(rng.integers(1, 200))}  {board.cols}x{board.rows}"
    canvas, area = screen(size, theme(rng), title, rng)
    grid = fit_grid(area, board.rows, board.cols, margin=0.25)
    paint(canvas, board, grid, rng, paths or {})
    return canvas.picture()


def random_board(rng: np.random.Generator) -> Board:
    """A solvable board of 5 × 5 to 12 × 12 cells, now and then with walls: the ends of disjoint random walks."""
    return random_board_and_paths(rng)[0]


def random_board_and_paths(rng: np.random.Generator) -> tuple[Board, dict[str, list[tuple[int, int]]]]:
    """As `random_board`, with the walks that solve it."""
    rows = int(rng.integers(5, 13))
    cols = rows if rng.random() < 0.6 else int(rng.integers(5, 13))
    while True:
        free = np.ones((rows, cols), bool)
        walls = _random_walls(free, rng) if rng.random() < 0.2 else ()
        names = [list(_COLORS)[i] for i in rng.permutation(len(_COLORS))][: int(rng.integers(3, min(rows, 12) + 1))]
        paths = {}
        for name in names:
            path = _random_walk(free, rng)
            if len(path) >= 3:
                paths[name] = path
        if len(paths) >= 3:
            pairs = tuple(Pair(color=name, ends=(path[0], path[-1])) for name, path in paths.items())
            return Board(rows=rows, cols=cols, walls=walls, pairs=pairs), paths


def _random_walls(free: NDArray[np.bool_], rng: np.random.Generator) -> tuple[tuple[int, int], ...]:
    count = int(rng.integers(1, 5))
    cells = {(int(rng.integers(free.shape[0])), int(rng.integers(free.shape[1]))) for _ in range(count)}
    for cell in cells:
        free[cell] = False
    return tuple(sorted(cells))


def _random_walk(free: NDArray[np.bool_], rng: np.random.Generator) -> list[tuple[int, int]]:
    """A self-avoiding walk over free cells (marked taken); shorter than 3 cells when boxed in."""
    cells = np.argwhere(free)
    if not len(cells):
        return []
    row, col = (int(n) for n in cells[int(rng.integers(len(cells)))])
    path, wanted = [(row, col)], int(rng.integers(3, free.size // 4 + 4))
    free[row, col] = False
    while len(path) < wanted:
        around = [(row + dr, col + dc) for dr, dc in ((0, 1), (1, 0), (0, -1), (-1, 0))]
        inside = [(r, c) for r, c in around if 0 <= r < free.shape[0] and 0 <= c < free.shape[1] and free[r, c]]
        if not inside:
            break
        row, col = inside[int(rng.integers(len(inside)))]
        free[row, col] = False
        path.append((row, col))
    return path


# -- parts shared by the styles --------------------------------------------------------------------------------------
def _colors(board: Board) -> list[Color]:
    """A colour per pair: its own where the name is known, else one not used yet."""
    used = {pair.color for pair in board.pairs}
    spare = [color for name, color in _COLORS.items() if name not in used]
    return [_COLORS.get(pair.color) or spare[i % len(spare)] for i, pair in enumerate(board.pairs)]


def _lines(canvas: Canvas, board: Board, grid: Grid, width: float, color: Color) -> None:
    """Grid lines, the border included."""
    high, wide = board.rows * grid.cell, board.cols * grid.cell
    for i in range(board.cols + 1):
        canvas.box(grid.x + i * grid.cell - width / 2, grid.y - width / 2, width, high + width, color)
    for i in range(board.rows + 1):
        canvas.box(grid.x - width / 2, grid.y + i * grid.cell - width / 2, wide + width, width, color)


def _pipes(
    canvas: Canvas, grid: Grid, board: Board, colors: list[Color], paths: Mapping[str, Cells], width: float
) -> None:
    for pair, color in zip(board.pairs, colors, strict=True):
        cells = paths.get(pair.color, ())
        for a, b in pairwise(cells):
            canvas.stroke(grid.centre(*a), grid.centre(*b), width * grid.cell, color)


def _blocks(canvas: Canvas, board: Board, grid: Grid, color: Color, gap: float) -> None:
    """Walls as solid squares."""
    inset, side = gap * grid.cell, (1 - 2 * gap) * grid.cell
    for wall in board.walls:
        x, y = grid.corner(*wall)
        canvas.box(x + inset, y + inset, side, side, color, radius=0.08 * grid.cell)


# -- styles ----------------------------------------------------------------------------------------------------------
_Drawn = Mapping[str, Cells]


def _dots(canvas: Canvas, board: Board, grid: Grid, rng: np.random.Generator, paths: _Drawn) -> None:
    tints = ((120, 112, 70), (110, 60, 60), (70, 80, 120), (90, 90, 90))
    _blocks(canvas, board, grid, (58, 58, 60), 0.03)
    _lines(canvas, board, grid, max(1.5, 0.025 * grid.cell), tints[int(rng.integers(len(tints)))])
    colors = _colors(board)
    _pipes(canvas, grid, board, colors, paths, 0.34)
    for pair, color in zip(board.pairs, colors, strict=True):
        for end in pair.ends:
            canvas.disc(*grid.centre(*end), 0.36 * grid.cell, color)


def _pale(canvas: Canvas, board: Board, grid: Grid, rng: np.random.Generator, paths: _Drawn) -> None:
    cell = grid.cell
    for row in range(board.rows):
        for col in range(board.cols):
            x, y = grid.corner(row, col)
            canvas.box(x + 0.03 * cell, y + 0.03 * cell, 0.94 * cell, 0.94 * cell, (214, 216, 219), radius=0.08 * cell)
    _blocks(canvas, board, grid, (96, 100, 106), 0.03)
    colors = [(90, 60, 40) if color == (245, 245, 245) else color for color in _colors(board)]
    _pipes(canvas, grid, board, colors, paths, 0.3)
    for pair, color in zip(board.pairs, colors, strict=True):
        for end in pair.ends:
            x, y = grid.centre(*end)
            canvas.disc(x, y + 0.03 * cell, 0.34 * cell, (0, 0, 0), alpha=0.3, soft=0.05 * cell)
            canvas.disc(x, y, 0.34 * cell, color)


def _tiles(canvas: Canvas, board: Board, grid: Grid, rng: np.random.Generator, paths: _Drawn) -> None:
    cell = grid.cell
    canvas.box(grid.x, grid.y, board.cols * cell, board.rows * cell, (28, 28, 30))
    _lines(canvas, board, grid, max(1.5, 0.02 * cell), (74, 74, 78))
    _blocks(canvas, board, grid, (88, 88, 92), 0.04)
    colors = _colors(board)
    _pipes(canvas, grid, board, colors, paths, 0.42)
    for number, (pair, color) in enumerate(zip(board.pairs, colors, strict=True)):
        for end in pair.ends:
            x, y = grid.corner(*end)
            canvas.box(x + 0.03 * cell, y + 0.03 * cell, 0.94 * cell, 0.94 * cell, (240, 240, 240))
            canvas.box(x + 0.07 * cell, y + 0.07 * cell, 0.86 * cell, 0.86 * cell, color)
            ink = (20, 20, 20) if sum(color) > 480 else (255, 255, 255)
            canvas.text(str(number), x + cell / 2, y + cell / 2, 0.26 * cell, ink)


def _glossy(canvas: Canvas, board: Board, grid: Grid, rng: np.random.Generator, paths: _Drawn) -> None:
    cell, wide, high = grid.cell, board.cols * grid.cell, board.rows * grid.cell
    pad = 0.18 * cell
    canvas.box(grid.x - pad, grid.y, wide + 2 * pad, high + 2 * pad, (0, 0, 0), radius=0.3 * cell, alpha=0.4, soft=12)
    canvas.box(grid.x - pad, grid.y - pad, wide + 2 * pad, high + 2 * pad, (20, 44, 92), radius=0.3 * cell)
    for row in range(board.rows):
        for col in range(board.cols):
            x, y = grid.corner(row, col)
            tint = (36, 66, 124) if (row + col) % 2 else (42, 74, 136)
            canvas.box(x + 0.02 * cell, y + 0.02 * cell, 0.96 * cell, 0.96 * cell, tint, radius=0.14 * cell)
    _blocks(canvas, board, grid, (14, 24, 48), 0.06)
    colors = _colors(board)
    _pipes(canvas, grid, board, [shade(c, 0.85) for c in colors], paths, 0.32)
    for pair, color in zip(board.pairs, colors, strict=True):
        for end in pair.ends:
            x, y = grid.centre(*end)
            canvas.disc(x, y + 0.06 * cell, 0.37 * cell, (0, 0, 0), alpha=0.45, soft=0.06 * cell)
            canvas.disc(x, y, 0.37 * cell, glossy(color))


def _rings(canvas: Canvas, board: Board, grid: Grid, rng: np.random.Generator, paths: _Drawn) -> None:
    """Light theme with thin lines; ends are rings with a filled core, so that their middle is the colour again."""
    cell = grid.cell
    canvas.box(grid.x, grid.y, board.cols * cell, board.rows * cell, (253, 250, 242))
    _blocks(canvas, board, grid, (120, 108, 92), 0.0)
    _lines(canvas, board, grid, max(1.5, 0.02 * cell), (176, 162, 140))
    colors = [(60, 60, 66) if color == (245, 245, 245) else color for color in _colors(board)]
    _pipes(canvas, grid, board, colors, paths, 0.26)
    for pair, color in zip(board.pairs, colors, strict=True):
        for end in pair.ends:
            canvas.disc(*grid.centre(*end), 0.38 * cell, shade(color, 0.7))
            canvas.disc(*grid.centre(*end), 0.31 * cell, color)


def _stones(canvas: Canvas, board: Board, grid: Grid, rng: np.random.Generator, paths: _Drawn) -> None:
    """Dark cells sunk into a tray; blocked ones hold a dark stone, lit from above, with a bright and a dull facet."""
    cell, pad = grid.cell, 0.2 * grid.cell
    wide, high = board.cols * cell + 2 * pad, board.rows * cell + 2 * pad
    tray = downwards((74, 80, 120), (44, 50, 98))
    canvas.box(grid.x - pad, grid.y - pad, wide, high, tray, radius=0.25 * cell)
    for row in range(board.rows):
        for col in range(board.cols):
            x, y = grid.corner(row, col)
            canvas.box(x + 0.04 * cell, y + 0.04 * cell, 0.92 * cell, 0.92 * cell, (17, 21, 40), radius=0.1 * cell)
    for wall in board.walls:
        x, y = grid.corner(*wall)
        canvas.box(x + 0.04 * cell, y + 0.05 * cell, 0.92 * cell, 0.92 * cell, (26, 29, 48), radius=0.1 * cell)
        lit = downwards((100, 106, 140), (62, 68, 104))
        canvas.box(x + 0.05 * cell, y + 0.04 * cell, 0.9 * cell, 0.87 * cell, lit, radius=0.1 * cell)
        for color, corners in (
            ((122, 128, 158), ((0.12, 0.3), (0.4, 0.13), (0.5, 0.25), (0.28, 0.46))),
            ((58, 63, 96), ((0.42, 0.7), (0.6, 0.5), (0.84, 0.58), (0.5, 0.86))),
        ):
            canvas.polygon([(x + a * cell, y + b * cell) for a, b in corners], color)
    colors = _colors(board)
    _pipes(canvas, grid, board, colors, paths, 0.3)
    for pair, color in zip(board.pairs, colors, strict=True):
        for end in pair.ends:
            x, y = grid.centre(*end)
            canvas.disc(x, y, 0.44 * cell, color, alpha=0.3, soft=0.08 * cell)
            canvas.disc(x, y, 0.36 * cell, color)


_Paint = Callable[[Canvas, Board, Grid, np.random.Generator, _Drawn], None]
_STYLES: dict[str, tuple[Callable[[np.random.Generator], Theme], _Paint]] = {
    "dots": (lambda rng: Theme((4, 4, 6), (40, 40, 44), (235, 235, 235)), _dots),
    "pale": (lambda rng: Theme((246, 247, 249), (225, 228, 232), (60, 64, 70)), _pale),
    "tiles": (lambda rng: Theme((40, 42, 46), (66, 70, 76), (230, 230, 230)), _tiles),
    "glossy": (lambda rng: Theme(downwards((60, 130, 220), (24, 60, 140)), (50, 96, 180), (255, 255, 255)), _glossy),
    "rings": (lambda rng: Theme(blurred_noise((232, 220, 196), rng, 0.06), (214, 196, 160), (84, 66, 40)), _rings),
    "stones": (lambda rng: Theme(downwards((20, 22, 44), (10, 12, 26)), (48, 52, 100), (235, 238, 250)), _stones),
}
STYLES: tuple[str, ...] = tuple(_STYLES)
