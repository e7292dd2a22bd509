"""The table of games: one row each."""

from pipeline.games import bolt_unscrew, color_connect, nut_and_bolt, rush_hour
from pipeline.games.contract import AnyGame

GAMES: dict[str, AnyGame] = {
    game.name: game for game in (bolt_unscrew.GAME, rush_hour.GAME, nut_and_bolt.GAME, color_connect.GAME)
}
"""Every game by name, in the order the benchmark lists them."""
