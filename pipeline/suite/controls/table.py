"""The table of controls: one row for each game."""

from pipeline.suite.controls import bolt_unscrew, color_connect, maze_paint, nut_and_bolt, rush_hour, truck_escape
from pipeline.suite.controls.contract import AnyControls

_ROWS: tuple[AnyControls, ...] = (
    bolt_unscrew.CONTROLS,
    rush_hour.CONTROLS,
    nut_and_bolt.CONTROLS,
    truck_escape.CONTROLS,
    maze_paint.CONTROLS,
    color_connect.CONTROLS,
)

CONTROLS: dict[str, AnyControls] = {controls.game.name: controls for controls in _ROWS}
"""The controls of every game by the game's name."""
