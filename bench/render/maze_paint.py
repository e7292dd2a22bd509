"""Maze Paint screens: flat card, framed board, raised blocks, floor tiles with gaps, wall tiles, a photo behind."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bench.render.canvas import Canvas, Color, blurred_noise, downwards, glossy, shade
from bench.render.chrome import Grid, Theme, fit_grid, screen
from pipeline.games.maze_paint import GAME, WALL, Board, Move, State, cells_of, floor_cells

Cells = list[tuple[int, int]]


@dataclass(frozen=True)
class Play:
    """A board in some state of play, and the colours it is drawn in."""

    board: Board
    state: State
    floor: Color
    wall: Color
    paint: Color

    @property
    def bare(self) -> Cells:
        """Floor cells without paint."""
        painted = set(self.painted)
        return [cell for cell in floor_cells(self.board) if cell not in painted]

    @property
    def painted(self) -> Cells:
        """Floor cells with paint."""
        return cells_of(self.board, self.state.painted)

    @property
    def walls(self) -> Cells:
        """Wall cells and one ring of them around the board."""
        rows, cols = len(self.board.grid), len(self.board.grid[0])
        floor = set(floor_cells(self.board))
        return [(r, c) for r in range(-1, rows + 1) for c in range(-1, cols + 1) if (r, c) not in floor]


def draw(
    board: Board, style: str, size: tuple[int, int], rng: np.random.Generator, state: State | None = None
) -> NDArray[np.uint8]:
    """A screenshot in one of `STYLES`, BGR of shape (size[1], size[0], 3); of the start unless a state is given."""
    theme, paint = _STYLES[style]
    canvas, area = screen(size, theme(rng), f"Level {int(rng.integers(1, 400))}", rng)
    grid = fit_grid(area, len(board.grid), len(board.grid[0]), margin=1.3)
    floor, wall = _PALETTES[style][int(rng.integers(len(_PALETTES[style])))]
    unlike = [c for c in _PAINTS if min(np.abs(np.subtract(c, other)).sum() for other in (floor, wall)) > 120]
    colour = unlike[int(rng.integers(len(unlike)))]
    paint(canvas, Play(board, state or GAME.start(board), floor, wall, colour), grid, rng)
    return canvas.picture()


def random_board(rng: np.random.Generator) -> Board:
    """A maze of 4 to 14 cells a side, all of whose floor a ball can paint one slide after another; it need not be safe.

    Slides carve it: each runs until it meets wall, and the cell that stops it stays wall for good.
    """
    while True:
        size = int(rng.integers(5, 15)), int(rng.integers(5, 13))
        start = int(rng.integers(size[0])), int(rng.integers(size[1]))
        floor = _carved(size, start, int(rng.integers(8, 30)), rng)
        cells = np.array(sorted(floor))
        low, shape = cells.min(axis=0), np.ptp(cells, axis=0) + 1
        if min(shape) >= 4 and 0.25 * shape.prod() < len(floor) < 0.75 * shape.prod() and len(floor) >= 14:
            grid = np.full(shape, WALL)
            grid[tuple((cells - low).T)] = "."
            grid[tuple(start - low)] = "@"
            return Board(grid=tuple("".join(line) for line in grid))


def _carved(
    size: tuple[int, int], start: tuple[int, int], slides: int, rng: np.random.Generator
) -> set[tuple[int, int]]:
    """The floor that some slides from a start leave behind."""
    floor, stoppers = {start}, set[tuple[int, int]]()
    ball = start
    for _ in range(slides):
        down, right = ((0, 1), (1, 0), (0, -1), (-1, 0))[int(rng.integers(4))]
        length = int(rng.integers(1, 7))
        while True:
            ahead = ball[0] + down, ball[1] + right
            inside = 0 <= ahead[0] < size[0] and 0 <= ahead[1] < size[1]
            if not inside or ahead in stoppers or (length <= 0 and ahead not in floor):
                break
            floor.add(ahead)
            ball, length = ahead, length - 1
        stoppers.add(ahead)
    return floor


def played(board: Board, slides: int, rng: np.random.Generator) -> State:
    """A state after some random slides."""
    state = GAME.start(board)
    for _ in range(slides):
        moves: list[Move] = GAME.moves(board, state)
        state = GAME.apply(board, state, moves[int(rng.integers(len(moves)))])
    return state


_PAINTS: tuple[Color, ...] = (
    (190, 60, 255),
    (255, 120, 40),
    (40, 190, 120),
    (235, 60, 80),
    (60, 140, 250),
    (250, 200, 50),
)

_PALETTES: dict[str, tuple[tuple[Color, Color], ...]] = {
    "card": (((45, 45, 48), (255, 255, 255)), ((70, 75, 95), (245, 240, 230)), ((225, 228, 235), (120, 90, 160))),
    "framed": (((252, 202, 110), (52, 52, 52)), ((230, 232, 238), (40, 44, 60)), ((228, 178, 110), (46, 26, 22))),
    "raised": (((46, 47, 50), (252, 252, 252)), ((214, 220, 230), (90, 150, 235)), ((60, 40, 90), (240, 190, 90))),
    "floor_tiles": (((226, 230, 238), (50, 60, 90)), ((90, 100, 125), (24, 28, 40))),
    "wall_tiles": (
        ((255, 255, 255), (150, 105, 75)),
        ((240, 244, 248), (70, 105, 125)),
        ((235, 238, 230), (60, 60, 62)),
    ),
    "lines": (((246, 246, 250), (95, 105, 125)), ((44, 48, 62), (135, 145, 175))),
}
"""(floor, wall) of each style's looks."""


def _page(rng: np.random.Generator) -> Theme:
    grey = int(rng.integers(215, 240))
    return Theme((grey, grey, grey), (250, 250, 250), (60, 60, 60))


def _photo(rng: np.random.Generator) -> Theme:
    base = ((110, 160, 190), (190, 150, 90), (205, 212, 220))[int(rng.integers(3))]
    return Theme(blurred_noise(base, rng, 0.5), (250, 250, 250), (30, 30, 30))


def _sky(rng: np.random.Generator) -> Theme:
    return Theme(downwards((120, 190, 240), (60, 120, 200)), (255, 210, 80), (255, 255, 255))


def _blocks(canvas: Canvas, cells: Cells, grid: Grid, color: Color, grow: float = 0.0) -> None:
    """Square cells, each `grow` pixels larger all around."""
    for row, col in cells:
        x, y = grid.corner(row, col)
        canvas.box(x - grow, y - grow, grid.cell + 2 * grow, grid.cell + 2 * grow, color)


def _ball(canvas: Canvas, play: Play, grid: Grid, size: float = 0.42) -> None:
    x, y = grid.centre(*play.state.ball)
    canvas.disc(x, y + 0.03 * grid.cell, size * grid.cell, (0, 0, 0), alpha=0.25, soft=0.06 * grid.cell)
    canvas.disc(x, y, size * grid.cell, glossy(shade(play.paint, 0.85)))


def _card(canvas: Canvas, play: Play, grid: Grid, rng: np.random.Generator) -> None:
    """A white card on which the walls are the card itself."""
    rows, cols = len(play.board.grid), len(play.board.grid[0])
    x, y = grid.corner(-1, -1)
    wide, high = (cols + 2) * grid.cell, (rows + 2) * grid.cell
    canvas.box(x, y + 6, wide, high, (0, 0, 0), radius=8, alpha=0.3, soft=18)
    canvas.box(x, y, wide, high, play.wall, radius=8)
    _blocks(canvas, play.bare, grid, play.floor)
    _blocks(canvas, play.painted, grid, play.paint)
    x, y = grid.centre(*play.state.ball)
    canvas.disc(x, y, 0.4 * grid.cell, shade(play.paint, 1.5))
    canvas.disc(x, y, 0.3 * grid.cell, shade(play.paint, 1.1))


def _framed(canvas: Canvas, play: Play, grid: Grid, rng: np.random.Generator) -> None:
    """A dark frame of a third of a cell over a photo."""
    rows, cols = len(play.board.grid), len(play.board.grid[0])
    x, y = grid.corner(-0.33, -0.33)
    canvas.box(x, y, (cols + 0.66) * grid.cell, (rows + 0.66) * grid.cell, play.wall)
    _blocks(canvas, play.bare, grid, play.floor)
    _blocks(canvas, play.painted, grid, play.paint)
    _ball(canvas, play, grid, 0.45)


def _raised(canvas: Canvas, play: Play, grid: Grid, rng: np.random.Generator) -> None:
    """Blocks seen from above and in front: tops are shifted up and hide floor, front faces show."""
    lift = float(rng.uniform(0.1, 0.22)) * grid.cell
    x, y = grid.corner(-1, -1)
    rows, cols = len(play.board.grid), len(play.board.grid[0])
    canvas.box(x, y - lift, (cols + 2) * grid.cell, (rows + 2) * grid.cell, play.wall)
    _blocks(canvas, play.bare, grid, play.floor)
    _blocks(canvas, play.painted, grid, play.paint)
    _ball(canvas, play, grid, 0.4)
    floor = set(floor_cells(play.board))
    for row, col in play.walls:
        x, y = grid.corner(row, col)
        if (row + 1, col) in floor:
            canvas.box(x, y + grid.cell - lift, grid.cell, lift, shade(play.wall, 0.6))
        if (row - 1, col) in floor:
            canvas.box(x, y - lift, grid.cell, grid.cell, play.wall)


def _floor_tiles(canvas: Canvas, play: Play, grid: Grid, rng: np.random.Generator) -> None:
    """Floor of rounded tiles with narrow gaps on a dark board."""
    rows, cols = len(play.board.grid), len(play.board.grid[0])
    x, y = grid.corner(-1, -1)
    canvas.box(x, y, (cols + 2) * grid.cell, (rows + 2) * grid.cell, play.wall, radius=0.5 * grid.cell)
    gap = max(1.0, 0.03 * grid.cell)
    for cells, color in ((play.bare, play.floor), (play.painted, play.paint)):
        for row, col in cells:
            x, y = grid.corner(row, col)
            canvas.box(x + gap, y + gap, grid.cell - 2 * gap, grid.cell - 2 * gap, color, radius=0.08 * grid.cell)
    _ball(canvas, play, grid)


def _wall_tiles(canvas: Canvas, play: Play, grid: Grid, rng: np.random.Generator) -> None:
    """Walls of separate textured tiles with shadows on a blank sheet."""
    rows, cols = len(play.board.grid), len(play.board.grid[0])
    x, y = grid.corner(-1.2, -1.2)
    canvas.box(x, y, (cols + 2.4) * grid.cell, (rows + 2.4) * grid.cell, play.floor)
    _blocks(canvas, play.painted, grid, play.paint)
    for row, col in play.walls:
        x, y = grid.corner(row, col)
        side = grid.cell - 2
        canvas.box(x + 4, y + 4, side, side, (0, 0, 0), radius=0.1 * side, alpha=0.2)
        canvas.box(x + 1, y + 1, side, side, blurred_noise(play.wall, rng, 0.2), radius=0.1 * side)
    _ball(canvas, play, grid)


def _lines(canvas: Canvas, play: Play, grid: Grid, rng: np.random.Generator) -> None:
    """Flat, with thin lines between all cells."""
    rows, cols = len(play.board.grid), len(play.board.grid[0])
    x, y = grid.corner(-1, -1)
    canvas.box(x, y, (cols + 2) * grid.cell, (rows + 2) * grid.cell, play.wall)
    _blocks(canvas, play.bare, grid, play.floor)
    _blocks(canvas, play.painted, grid, play.paint)
    ink, thick = shade(play.wall, 0.8), max(1.0, 0.02 * grid.cell)
    for row in range(rows + 1):
        canvas.box(grid.x, grid.y + row * grid.cell - thick / 2, cols * grid.cell, thick, ink, alpha=0.6)
    for col in range(cols + 1):
        canvas.box(grid.x + col * grid.cell - thick / 2, grid.y, thick, rows * grid.cell, ink, alpha=0.6)
    _ball(canvas, play, grid)


_Draw = Callable[[Canvas, Play, Grid, np.random.Generator], None]

_STYLES: dict[str, tuple[Callable[[np.random.Generator], Theme], _Draw]] = {
    "card": (_page, _card),
    "framed": (_photo, _framed),
    "raised": (_sky, _raised),
    "floor_tiles": (_sky, _floor_tiles),
    "wall_tiles": (_page, _wall_tiles),
    "lines": (_photo, _lines),
}

STYLES: tuple[str, ...] = tuple(_STYLES)
