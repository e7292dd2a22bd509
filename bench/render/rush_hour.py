"""Rush Hour screens: wooden blocks, flat rectangles, cars from above, neon outlines, a plastic tray."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from bench.render.canvas import Canvas, Color, blurred_noise, downwards, shade, wood
from bench.render.chrome import Area, Grid, Theme, fit_grid, screen
from pipeline.games.rush_hour import GAME, Board, Side, Vehicle

_CAR_COLORS: tuple[Color, ...] = (
    (70, 130, 220),
    (250, 200, 60),
    (90, 180, 90),
    (240, 140, 50),
    (150, 100, 200),
    (70, 190, 190),
    (230, 150, 190),
    (150, 115, 80),
    (236, 238, 240),
    (40, 60, 130),
)
_TARGET: Color = (215, 35, 40)


def draw(board: Board, style: str, size: tuple[int, int], rng: np.random.Generator) -> NDArray[np.uint8]:
    """A screenshot of the board in one of `STYLES`, BGR of shape (size[1], size[0], 3)."""
    theme, paint = _STYLES[style]
    canvas, area = screen(size, theme(rng), f"Level {int(rng.integers(1, 200))}", rng)
    grid = fit_grid(area, board.rows, board.cols, margin=0.7)
    paint(canvas, board, grid, rng)
    return canvas.picture()


def random_board(rng: np.random.Generator) -> Board:
    """A board of up to 8 × 8 cells with 2 to about 14 vehicles and now and then a wall; not always solvable."""
    while True:
        board = _some_board(rng)
        if _is_puzzle(board):
            return board


def _is_puzzle(board: Board) -> bool:
    """Whether an app could show it: the target is not out already, some vehicle lies across, and a cell is free."""
    target = next(v for v in board.vehicles if v.id == board.target)
    taken = {cell for vehicle in board.vehicles for cell in vehicle.cells()} | set(board.walls)
    out = {
        "left": target.col == 0,
        "right": target.col + target.length == board.cols,
        "top": target.row == 0,
        "bottom": target.row + target.length == board.rows,
    }
    across = any(vehicle.axis != target.axis for vehicle in board.vehicles)
    return not out[board.exit] and across and len(taken) < board.rows * board.cols


def _some_board(rng: np.random.Generator) -> Board:
    rows, cols = (6, 6) if rng.random() < 0.6 else (int(rng.integers(4, 9)), int(rng.integers(4, 9)))
    exit_side: Side = "right" if rng.random() < 0.6 else ("left", "top", "bottom")[int(rng.integers(3))]
    free = np.ones((rows, cols), bool)
    upright = exit_side in ("top", "bottom")
    vehicles = _place(free, "X", 2, rng, upright=upright)
    for i in range(int(rng.integers(3, 14))):
        length = int(rng.choice([2, 2, 2, 3]))
        vehicles += _place(free, f"v{i}", length, rng, upright=bool(rng.random() < 0.5))
    target = vehicles[0]
    line = "col" if upright else "row"
    # What moves along the target's own line can never leave it, so no app shows such a board.
    stuck = [v for v in vehicles[1:] if v.axis == target.axis and getattr(v, line) == getattr(target, line)]
    vehicles = [v for v in vehicles if v not in stuck]
    walls = _some_free_cells(free, int(rng.integers(1, 3)), rng) if rng.random() < 0.15 else ()
    board = Board(rows=rows, cols=cols, walls=walls, vehicles=tuple(vehicles), target="X", exit=exit_side)
    assert not GAME.defects(board)
    return board


def _place(
    free: NDArray[np.bool_], name: str, length: int, rng: np.random.Generator, *, upright: bool
) -> list[Vehicle]:
    """A vehicle on a random free place (marked taken), or none after 40 tries."""
    rows, cols = free.shape
    high, wide = (length, 1) if upright else (1, length)
    for _ in range(40):
        if high > rows or wide > cols:
            break
        row, col = int(rng.integers(rows - high + 1)), int(rng.integers(cols - wide + 1))
        if free[row : row + high, col : col + wide].all():
            free[row : row + high, col : col + wide] = False
            return [Vehicle(id=name, row=row, col=col, length=length, axis="vertical" if upright else "horizontal")]
    return []


def _some_free_cells(free: NDArray[np.bool_], count: int, rng: np.random.Generator) -> tuple[tuple[int, int], ...]:
    cells = [(int(row), int(col)) for row, col in np.argwhere(free)]
    return tuple(sorted(cells[i] for i in rng.permutation(len(cells))[:count]))


# -- geometry shared by the styles -----------------------------------------------------------------------------------
def _extent(vehicle: Vehicle, grid: Grid, gap: float) -> Area:
    """The vehicle's rectangle in pixels, shrunk by `gap` cells on every side."""
    x, y = grid.corner(vehicle.row, vehicle.col)
    high, wide = (vehicle.length, 1) if vehicle.axis == "vertical" else (1, vehicle.length)
    inset = gap * grid.cell
    return Area(x + inset, y + inset, wide * grid.cell - 2 * inset, high * grid.cell - 2 * inset)


def _exit_gap(board: Board, grid: Grid, depth: float) -> Area:
    """The opening in a frame `depth` pixels thick, beside the target's line on the exit side."""
    target = next(v for v in board.vehicles if v.id == board.target)
    x, y = grid.corner(target.row, target.col)
    wide, high = board.cols * grid.cell, board.rows * grid.cell
    return {
        "right": Area(grid.x + wide, y, depth + 1, grid.cell),
        "left": Area(grid.x - depth - 1, y, depth + 1, grid.cell),
        "bottom": Area(x, grid.y + high, grid.cell, depth + 1),
        "top": Area(x, grid.y - depth - 1, grid.cell, depth + 1),
    }[board.exit]


def _frame(canvas: Canvas, board: Board, grid: Grid, depth: float) -> Area:
    wide, high = board.cols * grid.cell, board.rows * grid.cell
    return Area(grid.x - depth, grid.y - depth, wide + 2 * depth, high + 2 * depth)


def _colors(board: Board, rng: np.random.Generator) -> dict[str, Color]:
    """A colour per vehicle: the target red, the others in a random order that repeats after ten."""
    order = rng.permutation(len(_CAR_COLORS))
    others = [v.id for v in board.vehicles if v.id != board.target]
    return {name: _CAR_COLORS[order[i % len(order)]] for i, name in enumerate(others)} | {board.target: _TARGET}


def _crate(canvas: Canvas, grid: Grid, cell: tuple[int, int], color: Color, gap: float) -> None:
    """A wall: a square crate with a cross, as far (`gap`, in cells) from its cell's border as the vehicles are."""
    (x, y), side = grid.corner(*cell), grid.cell
    canvas.box(x + gap * side, y + gap * side, (1 - 2 * gap) * side, (1 - 2 * gap) * side, color, radius=0.05 * side)
    dark = shade(color, 0.6)
    canvas.stroke((x + 0.2 * side, y + 0.2 * side), (x + 0.8 * side, y + 0.8 * side), 0.08 * side, dark)
    canvas.stroke((x + 0.8 * side, y + 0.2 * side), (x + 0.2 * side, y + 0.8 * side), 0.08 * side, dark)


# -- styles ----------------------------------------------------------------------------------------------------------
def _wood(canvas: Canvas, board: Board, grid: Grid, rng: np.random.Generator) -> None:
    depth, cell = 0.28 * grid.cell, grid.cell
    canvas.box(*_frame(canvas, board, grid, depth), wood((140, 92, 48), rng), radius=0.12 * cell)
    canvas.box(grid.x, grid.y, board.cols * cell, board.rows * cell, (74, 48, 28))
    canvas.box(*_exit_gap(board, grid, depth), (74, 48, 28))
    for wall in board.walls:
        _crate(canvas, grid, wall, (120, 120, 118), 0.03)
    for vehicle in board.vehicles:
        x, y, w, h = _extent(vehicle, grid, 0.03)
        upright = vehicle.axis == "vertical"
        color = (205, 30, 25) if vehicle.id == board.target else (226, 138, 44)
        canvas.box(x, y + 0.04 * cell, w, h, (0, 0, 0), radius=0.1 * cell, alpha=0.5, soft=0.05 * cell)
        canvas.box(x, y, w, h, shade(color, 0.6), radius=0.1 * cell)
        inset = 0.05 * cell
        inner = (x + inset, y + inset * 0.6, w - 2 * inset, h - 2 * inset)
        canvas.box(*inner, wood(color, rng, upright=upright), radius=0.08 * cell)
        canvas.box(*inner, shade(color, 1.35), radius=0.08 * cell, alpha=0.5, ring=0.02 * cell)


def _flat(canvas: Canvas, board: Board, grid: Grid, rng: np.random.Generator) -> None:
    cell, line = grid.cell, max(2.0, 0.02 * grid.cell)
    frame = _frame(canvas, board, grid, 2 * line)
    canvas.box(*frame, (60, 60, 60))
    canvas.box(grid.x, grid.y, board.cols * cell, board.rows * cell, (250, 250, 250))
    for i in range(1, board.cols):
        canvas.box(grid.x + i * cell - line / 2, grid.y, line, board.rows * cell, (225, 225, 225))
    for i in range(1, board.rows):
        canvas.box(grid.x, grid.y + i * cell - line / 2, board.cols * cell, line, (225, 225, 225))
    canvas.box(*_exit_gap(board, grid, 4 * line), (60, 190, 90))
    for wall in board.walls:
        x, y = grid.corner(*wall)
        canvas.box(x + 0.04 * cell, y + 0.04 * cell, 0.92 * cell, 0.92 * cell, (60, 60, 60))
    body = ((0, 130, 170), (96, 125, 139), (63, 81, 181))[int(rng.integers(3))]
    for vehicle in board.vehicles:
        box = _extent(vehicle, grid, 0.04)
        canvas.box(*box, (229, 57, 53) if vehicle.id == board.target else body, radius=0.04 * cell)


def _cars(canvas: Canvas, board: Board, grid: Grid, rng: np.random.Generator) -> None:
    cell, depth, colors = grid.cell, 0.22 * grid.cell, _colors(board, rng)
    canvas.box(*_frame(canvas, board, grid, depth), (236, 197, 66), radius=0.1 * cell)
    canvas.box(grid.x, grid.y, board.cols * cell, board.rows * cell, (92, 94, 98))
    canvas.box(*_exit_gap(board, grid, depth), (92, 94, 98))
    for row in range(board.rows):
        for col in range(board.cols):
            x, y = grid.corner(row, col)
            canvas.box(x + 1, y + 1, cell - 2, cell - 2, (112, 114, 118), radius=0.08 * cell, ring=0.02 * cell)
    for wall in board.walls:
        _crate(canvas, grid, wall, (198, 150, 90), 0.1)
    for vehicle in board.vehicles:
        _car(canvas, _extent(vehicle, grid, 0.1), colors[vehicle.id], cell, forward=bool(rng.random() < 0.5))


def _car(canvas: Canvas, box: Area, color: Color, cell: float, *, forward: bool) -> None:
    """A car or truck from above: wheels, body, windscreen, roof and rear window along its longer side."""
    x, y, w, h = box
    upright = h > w
    long, broad = (h, w) if upright else (w, h)

    def part(start: float, side: float, length: float, breadth: float, paint: Color, radius: float) -> None:
        """A part placed along (`start`, `length`) and across (`side`, `breadth`) in shares of the body."""
        at = start if forward else 1 - start - length
        a, b, c, d = at * long, side * broad, length * long, breadth * broad
        canvas.box(*((x + b, y + a, d, c) if upright else (x + a, y + b, c, d)), paint, radius=radius)

    canvas.box(x, y + 0.05 * cell, w, h, (0, 0, 0), radius=0.2 * cell, alpha=0.4, soft=0.06 * cell)
    for start in (0.12, 0.72):
        part(start, -0.06, 0.16, 1.12, (30, 30, 32), 0.05 * cell)
    part(0, 0, 1, 1, color, 0.22 * cell)
    part(0.03, 0.06, 0.94, 0.2, shade(color, 1.25), 0.1 * cell)
    part(0.24, 0.14, 0.13, 0.72, (40, 52, 66), 0.06 * cell)
    part(0.38, 0.16, 0.36, 0.68, shade(color, 0.86), 0.06 * cell)
    part(0.76, 0.18, 0.09, 0.64, (48, 60, 74), 0.05 * cell)
    for side in (0.1, 0.72):
        part(0.01, side, 0.05, 0.18, (255, 240, 170), 0.03 * cell)


def _neon(canvas: Canvas, board: Board, grid: Grid, rng: np.random.Generator) -> None:
    cell, line, colors = grid.cell, 0.05 * grid.cell, _colors(board, rng)
    x, y, w, h = _frame(canvas, board, grid, 0.12 * cell)
    canvas.box(x, y, w, h, (70, 220, 255), radius=0.1 * cell, ring=0.04 * cell)
    canvas.box(*_exit_gap(board, grid, 0.14 * cell), (16, 18, 34))
    for row in range(board.rows):
        for col in range(board.cols):
            canvas.disc(*grid.centre(row, col), 0.03 * cell, (60, 66, 100))
    for wall in board.walls:
        _crate(canvas, grid, wall, (70, 74, 96), 0.09)
    for vehicle in board.vehicles:
        box, color = _extent(vehicle, grid, 0.09), colors[vehicle.id]
        bright = (255, 50, 80) if vehicle.id == board.target else shade(color, 1.15)
        canvas.box(*box, bright, radius=0.18 * cell, alpha=0.45, soft=0.07 * cell)
        canvas.box(*box, shade(bright, 0.35), radius=0.18 * cell)
        canvas.box(*box, bright, radius=0.18 * cell, ring=line)


def _tray(canvas: Canvas, board: Board, grid: Grid, rng: np.random.Generator) -> None:
    cell, depth, colors = grid.cell, 0.35 * grid.cell, _colors(board, rng)
    frame = _frame(canvas, board, grid, depth)
    canvas.box(
        frame.x, frame.y + 0.1 * cell, frame.width, frame.height, (0, 0, 0), radius=0.2 * cell, alpha=0.4, soft=9
    )
    canvas.box(*frame, downwards((214, 216, 220), (184, 187, 193)), radius=0.2 * cell)
    canvas.box(*_exit_gap(board, grid, depth), (122, 125, 132))
    for row in range(board.rows):
        for col in range(board.cols):
            x, y = grid.corner(row, col)
            inset, side = 0.05 * cell, 0.9 * cell
            canvas.box(x + inset, y + inset, side, side, (158, 161, 168), radius=0.1 * cell)
            canvas.box(x + inset, y + inset + 0.03 * cell, side, side - 0.03 * cell, (172, 175, 181), radius=0.1 * cell)
    for wall in board.walls:
        _crate(canvas, grid, wall, (88, 90, 96), 0.07)
    for vehicle in board.vehicles:
        _plastic(canvas, _extent(vehicle, grid, 0.07), colors[vehicle.id], cell)


def _plastic(canvas: Canvas, box: Area, color: Color, cell: float) -> None:
    """A moulded piece with thickness: side wall, lit top, a raised cabin."""
    x, y, w, h = box
    lift = 0.08 * cell
    canvas.box(x, y + 0.1 * cell, w, h, (0, 0, 0), radius=0.15 * cell, alpha=0.45, soft=0.07 * cell)
    canvas.box(x, y, w, h, shade(color, 0.55), radius=0.15 * cell)
    canvas.box(x, y, w, h - lift, downwards(shade(color, 1.25), color), radius=0.15 * cell)
    cabin = (x + 0.18 * w, y + 0.18 * (h - lift), 0.64 * w, 0.56 * (h - lift))
    canvas.box(*cabin, shade(color, 0.7), radius=0.1 * cell)
    canvas.box(cabin[0], cabin[1], cabin[2], cabin[3] - 0.04 * cell, shade(color, 1.1), radius=0.1 * cell)


_Paint = Callable[[Canvas, Board, Grid, np.random.Generator], None]
_STYLES: dict[str, tuple[Callable[[np.random.Generator], Theme], _Paint]] = {
    "wood": (lambda rng: Theme(wood((178, 132, 72), rng, upright=True), (120, 80, 42), (252, 240, 220)), _wood),
    "flat": (lambda rng: Theme((236, 239, 241), (207, 216, 220), (55, 71, 79)), _flat),
    "cars": (lambda rng: Theme(blurred_noise((118, 168, 98), rng), (245, 245, 235), (40, 60, 40)), _cars),
    "neon": (lambda rng: Theme(downwards((16, 18, 34), (16, 18, 34)), (34, 38, 70), (150, 230, 255)), _neon),
    "tray": (lambda rng: Theme(downwards((52, 84, 140), (24, 40, 82)), (72, 108, 170), (240, 246, 255)), _tray),
}
STYLES: tuple[str, ...] = tuple(_STYLES)
