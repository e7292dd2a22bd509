"""The table of games: one row each."""

from pipeline.games import rush_hour
from pipeline.games.contract import AnyGame

GAMES: dict[str, AnyGame] = {game.name: game for game in (rush_hour.GAME,)}
"""Every game by name, in the order the benchmark lists them."""
