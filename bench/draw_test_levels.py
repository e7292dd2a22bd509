"""Make the catalogue that browser tests play: `python -m bench.draw_test_levels [FOLDER]`, five levels a game.

Random boards of a wanted size are searched for the first whose least number of moves is in a wanted range and that may
be released; Bolt Unscrew is composed by hand. The same seeds give the same files.
"""

import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from bench.render import maze_paint as maze_pictures
from bench.render import rush_hour as rush_hour_pictures
from bench.screw_panels import PANELS
from pipeline.core.files import write_atomic
from pipeline.core.outcome import Budget, Outcome, Solved
from pipeline.games import color_connect, maze_paint, nut_and_bolt, truck_escape
from pipeline.games.level import Generated, Level
from pipeline.games.table import GAMES
from pipeline.solve.table import SOLVERS
from tests.browser.catalogue import CATALOGUE

_COLORS = ("red", "blue", "yellow", "green", "purple", "orange", "cyan", "pink", "brown", "white")


class Wanted(NamedTuple):
    """A level to look for: the range of its least number of moves, and what its game's maker is told."""

    game: str
    least: int
    most: int
    parameters: dict[str, Any]


WANTED = (
    Wanted("rush_hour", 2, 3, {"rows": 5, "cols": 5, "exit": "right", "vehicles": [4, 5], "walls": 0}),
    Wanted("rush_hour", 5, 6, {"rows": 6, "cols": 6, "exit": "right", "vehicles": [6, 8], "walls": 0}),
    Wanted("rush_hour", 7, 9, {"rows": 6, "cols": 6, "exit": "top", "vehicles": [7, 9], "walls": 0}),
    Wanted("rush_hour", 8, 11, {"rows": 6, "cols": 6, "exit": "right", "vehicles": [7, 10], "walls": 1}),
    Wanted("rush_hour", 13, 18, {"rows": 6, "cols": 6, "exit": "right", "vehicles": [10, 13], "walls": 0}),
    Wanted("nut_and_bolt", 4, 6, {"capacity": 3, "colors": 3, "free": 1}),
    Wanted("nut_and_bolt", 8, 10, {"capacity": 4, "colors": 3, "free": 2}),
    Wanted("nut_and_bolt", 9, 11, {"capacity": 4, "colors": 4, "free": 2}),
    Wanted("nut_and_bolt", 10, 12, {"capacity": 3, "colors": 6, "free": 2}),
    Wanted("nut_and_bolt", 11, 12, {"capacity": 5, "colors": 4, "free": 2}),
    Wanted("truck_escape", 5, 5, {"rows": 5, "cols": 5, "vehicles": 5, "obstacles": 0}),
    Wanted("truck_escape", 7, 7, {"rows": 6, "cols": 6, "vehicles": 7, "obstacles": 0}),
    Wanted("truck_escape", 9, 9, {"rows": 7, "cols": 6, "vehicles": 9, "obstacles": 1}),
    Wanted("truck_escape", 10, 10, {"rows": 7, "cols": 7, "vehicles": 10, "obstacles": 2}),
    Wanted("truck_escape", 12, 12, {"rows": 7, "cols": 7, "vehicles": 12, "obstacles": 2}),
    Wanted("maze_paint", 4, 5, {"rows": [4, 6], "cols": [4, 6]}),
    Wanted("maze_paint", 7, 8, {"rows": [6, 8], "cols": [5, 8]}),
    Wanted("maze_paint", 10, 11, {"rows": [7, 9], "cols": [7, 9]}),
    Wanted("maze_paint", 13, 14, {"rows": [8, 10], "cols": [8, 10]}),
    Wanted("maze_paint", 17, 19, {"rows": [9, 11], "cols": [9, 11]}),
    Wanted("color_connect", 3, 3, {"rows": 4, "cols": 4, "walls": 0, "must_fill": False}),
    Wanted("color_connect", 5, 5, {"rows": 5, "cols": 5, "walls": 0, "must_fill": False}),
    Wanted("color_connect", 5, 5, {"rows": 6, "cols": 6, "walls": 3, "must_fill": False}),
    Wanted("color_connect", 6, 6, {"rows": 6, "cols": 6, "walls": 0, "must_fill": True}),
    Wanted("color_connect", 8, 8, {"rows": 8, "cols": 8, "walls": 0, "must_fill": False}),
)


def main(folder: Path) -> None:
    """Write every level to its place below the folder."""
    for place, level in levels():
        write_atomic(folder / f"{place}.json", level.to_bytes())


def levels() -> Iterator[tuple[str, Level]]:
    """Every level and its place, e.g. `rush_hour/easy/03`."""
    for number, (name, panel) in enumerate(PANELS, 1):
        _solved("bolt_unscrew", panel)
        yield f"bolt_unscrew/easy/{number:02}", _level("bolt_unscrew", panel, 0, {"composition": name})
    counted = dict.fromkeys(_MAKERS, 0)
    for wanted in WANTED:
        counted[wanted.game] += 1
        seed, board = _search(wanted, 1000 * counted[wanted.game])
        yield f"{wanted.game}/easy/{counted[wanted.game]:02}", _level(wanted.game, board, seed, wanted.parameters)


def _search(wanted: Wanted, seed: int) -> tuple[int, Any]:
    """The first seed from `seed` on whose board is as wanted, and that board."""
    while True:
        board = _MAKERS[wanted.game](np.random.default_rng(seed), **wanted.parameters)
        if board is not None and wanted.least <= _solved_moves(wanted.game, board) <= wanted.most:
            return seed, board
        seed += 1


def _solved_moves(game: str, board: Any) -> int:
    """The proven least number of moves; 0 when there is no such number, or the level may not be released."""
    outcome: Outcome[Any] = SOLVERS[game].solve(board, Budget(seconds=None, states=2_000_000))
    if not isinstance(outcome, Solved) or not outcome.proven:
        return 0
    unsafe = GAMES[game].must_be_safe and outcome.facts.get("can_dead_end") is not False
    ambiguous = getattr(board, "must_fill", False) and not outcome.facts["unique"]
    return 0 if unsafe or ambiguous else len(outcome.moves)


def _solved(game: str, board: Any) -> None:
    problems = GAMES[game].defects(board)
    if problems or not isinstance(SOLVERS[game].solve(board, Budget(seconds=None, states=2_000_000)), Solved):
        raise ValueError(f"a composed board of {game} is no level: {problems}")


def _level(game: str, board: Any, seed: int, parameters: dict[str, Any]) -> Level:
    provenance = Generated(
        kind="generated", generator="bench.draw_test_levels", version="1", seed=seed, parameters=parameters
    )
    return Level(GAMES[game], board, provenance)


# -- makers: a board, or None when this seed gives none as asked for ---------------------------------------------------
def _rush_hour(rng: np.random.Generator, rows: int, cols: int, exit: str, vehicles: list[int], walls: int) -> Any:
    board = rush_hour_pictures.random_board(rng)
    fits = (board.rows, board.cols, board.exit, len(board.walls)) == (rows, cols, exit, walls)
    if not fits or not vehicles[0] <= len(board.vehicles) <= vehicles[1]:
        return None
    names = iter("ABCDEFGHIJKLMNO")
    named = [v if v.id == board.target else v.model_copy(update={"id": next(names)}) for v in board.vehicles]
    return board.model_copy(update={"vehicles": tuple(named)})


def _nut_and_bolt(rng: np.random.Generator, capacity: int, colors: int, free: int) -> Any:
    nuts = [str(name) for name in rng.permutation(np.repeat(_COLORS[:colors], capacity))]
    full = tuple(tuple(nuts[i * capacity : (i + 1) * capacity]) for i in range(colors))
    return nut_and_bolt.Board(capacity=capacity, bolts=(*full, *((),) * free))


def _truck_escape(rng: np.random.Generator, rows: int, cols: int, vehicles: int, obstacles: int) -> Any:
    """Vehicles are added where they could leave at once, each time the one of some that keeps the most others in."""
    blocked = {(int(r), int(c)) for r, c in rng.integers(0, (rows, cols), (obstacles, 2))}
    board = truck_escape.Board.model_construct(rows=rows, cols=cols, obstacles=tuple(sorted(blocked)), vehicles=())
    for number in range(vehicles):
        tries = [_vehicle(rng, board, chr(ord("A") + number)) for _ in range(30)]
        boards = [_with(board, vehicle) for vehicle in tries if vehicle is not None]
        if not boards:
            return None
        board = min(boards, key=_free_vehicles)
    return board


def _vehicle(rng: np.random.Generator, board: truck_escape.Board, name: str) -> truck_escape.Vehicle | None:
    """A further vehicle at a random place that could leave at once; None where it does not fit or could not."""
    heading: truck_escape.Heading = ("up", "down", "left", "right")[int(rng.integers(4))]
    row, col = int(rng.integers(board.rows)), int(rng.integers(board.cols))
    length = int(rng.choice([2, 2, 2, 3]))
    vehicle = truck_escape.Vehicle(id=name, row=row, col=col, length=length, heading=heading)
    taken = {*board.obstacles, *(cell for other in board.vehicles for cell in other.cells())}
    fits = all(r < board.rows and c < board.cols for r, c in vehicle.cells())
    return vehicle if fits and taken.isdisjoint([*vehicle.cells(), *truck_escape.lane(board, vehicle)]) else None


def _with(board: truck_escape.Board, vehicle: truck_escape.Vehicle) -> truck_escape.Board:
    return board.model_copy(update={"vehicles": (*board.vehicles, vehicle)})


def _free_vehicles(board: truck_escape.Board) -> int:
    return len(truck_escape.GAME.moves(board, truck_escape.GAME.start(board)))


def _maze_paint(rng: np.random.Generator, rows: list[int], cols: list[int]) -> Any:
    grid = maze_pictures.random_board(rng).grid
    sized = rows[0] <= len(grid) <= rows[1] and cols[0] <= len(grid[0]) <= cols[1]
    if not sized or "".join(grid).count("#") > 0.55 * len(grid) * len(grid[0]):
        return None
    across = "#" * (len(grid[0]) + 2)
    return maze_paint.Board(grid=(across, *(f"#{row}#" for row in grid), across))


def _color_connect(rng: np.random.Generator, rows: int, cols: int, walls: int, must_fill: bool) -> Any:
    """A path through every cell, cut at random; a wall is a cell left out at a cut."""
    path = _whole_path(rng, rows, cols)
    pieces = {(5, 5): 5, (4, 4): 3, (8, 8): 8}.get((rows, cols), 6 if must_fill else 5)
    cuts = [0, *sorted(int(n) for n in rng.permutation(np.arange(3, len(path) - 2))[: pieces - 1]), len(path)]
    gone = [1 if i < walls else 0 for i in range(pieces)]
    parts = [path[a : b - cut] for a, b, cut in zip(cuts, cuts[1:], gone, strict=False)]
    if any(len(part) < 3 or _next_to_each_other(part[0], part[-1]) for part in parts):
        return None
    blocked = tuple(sorted(path[b - 1] for b, cut in zip(cuts[1:], gone, strict=True) if cut))
    pairs = tuple(
        color_connect.Pair(color=name, ends=(part[0], part[-1]))
        for name, part in zip(_COLORS, (parts[int(i)] for i in rng.permutation(pieces)), strict=False)
    )
    return color_connect.Board(rows=rows, cols=cols, walls=blocked, pairs=pairs, must_fill=must_fill)


def _whole_path(rng: np.random.Generator, rows: int, cols: int) -> list[tuple[int, int]]:
    """A random path through every cell: a snake whose ends bite back into it again and again."""
    path = [(row, col if row % 2 == 0 else cols - 1 - col) for row in range(rows) for col in range(cols)]
    for _ in range(10 * rows * cols):
        if rng.random() < 0.5:
            path.reverse()
        row, col = path[-1]
        down, right = ((0, 1), (1, 0), (0, -1), (-1, 0))[int(rng.integers(4))]
        bitten = (row + down, col + right)
        if bitten in path[:-2]:
            cut = path.index(bitten) + 1
            path[cut:] = path[cut:][::-1]
    return path


def _next_to_each_other(a: tuple[int, int], b: tuple[int, int]) -> bool:
    return abs(a[0] - b[0]) + abs(a[1] - b[1]) == 1


_MAKERS: dict[str, Callable[..., Any]] = {
    "rush_hour": _rush_hour,
    "nut_and_bolt": _nut_and_bolt,
    "truck_escape": _truck_escape,
    "maze_paint": _maze_paint,
    "color_connect": _color_connect,
}


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else CATALOGUE)
