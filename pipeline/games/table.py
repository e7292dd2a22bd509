"""The table of games: one row each."""

from pipeline.games import nut_and_bolt, rush_hour
from pipeline.games.contract import AnyGame

GAMES: dict[str, AnyGame] = {game.name: game for game in (rush_hour.GAME, nut_and_bolt.GAME)}
"""Every game by name, in the order the benchmark lists them."""
