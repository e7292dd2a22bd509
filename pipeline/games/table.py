"""The table of games: one row each."""

from pipeline.games import bolt_unscrew, color_connect, maze_paint, nut_and_bolt, rush_hour, truck_escape
from pipeline.games.contract import AnyGame

_ROWS: tuple[AnyGame, ...] = (
    bolt_unscrew.GAME,
    rush_hour.GAME,
    nut_and_bolt.GAME,
    truck_escape.GAME,
    maze_paint.GAME,
    color_connect.GAME,
)

GAMES: dict[str, AnyGame] = {game.name: game for game in _ROWS}
"""Every game by name, in the order the benchmark lists them."""
