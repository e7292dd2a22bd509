"""The table of proof checkers: one row a game.

A checker gets the board, the claim (`solvable`, `min_moves`, `lower_bound`, `proven`, `solution` as move documents,
`explored`, `facts`) and the proof (`kind` and its body) and answers with every problem found. The solution itself has
been replayed before; the checker judges the bound, the reason for unsolvability and the facts.
"""

from collections.abc import Callable, Mapping
from typing import Any

from pipeline.core.canonical import Json
from pipeline.core.errors import Problem
from pipeline.solve.proofs import bolt_unscrew, color_connect, maze_paint, nut_and_bolt, rush_hour, truck_escape

Checker = Callable[[Any, Mapping[str, Json], Mapping[str, Json]], list[Problem]]

CHECKERS: dict[str, Checker] = {
    "bolt_unscrew": bolt_unscrew.check,
    "rush_hour": rush_hour.check,
    "nut_and_bolt": nut_and_bolt.check,
    "truck_escape": truck_escape.check,
    "maze_paint": maze_paint.check,
    "color_connect": color_connect.check,
}
