"""The table of solvers: one row a game."""

from collections.abc import Iterable

from pipeline.solve import bolt_unscrew, color_connect, maze_paint, nut_and_bolt, rush_hour, truck_escape
from pipeline.solve.contract import AnySolver

_ROWS: tuple[AnySolver, ...] = (
    bolt_unscrew.SOLVER,
    rush_hour.SOLVER,
    nut_and_bolt.SOLVER,
    truck_escape.SOLVER,
    maze_paint.SOLVER,
    color_connect.SOLVER,
)

SOLVERS: dict[str, AnySolver] = {solver.game: solver for solver in _ROWS}


def warm_up(games: Iterable[str] = tuple(SOLVERS)) -> None:
    """Compile the kernels of some games once, here: processes that fill one cache at the same time race for it."""
    for game in sorted(games):
        SOLVERS[game].warm_up()
