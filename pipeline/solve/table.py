"""The table of solvers: one row a game."""

from pipeline.solve.contract import AnySolver

_ROWS: tuple[AnySolver, ...] = ()

SOLVERS: dict[str, AnySolver] = {solver.game: solver for solver in _ROWS}
