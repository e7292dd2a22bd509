"""Pictures that were passed on often: they may be asked about or refused, but nothing wrong is certain."""

import pytest

from bench.read_renderings import read_back

ONCE_WRONG = (
    ("bolt_unscrew", 38),  # a panel on the app's background, taken for a board that one screw holds
    ("color_connect", 27),  # a button and dots of the status bar, taken for one screw and two holes
    ("color_connect", 74),  # grey tiles with faint signs, taken for blocks
    ("color_connect", 120),  # dark stones on a black board, taken for empty cells
    ("color_connect", 212),  # tiles without a sign and without rims on all sides, taken for ends
    ("color_connect", 218),  # the same, in noise
    ("maze_paint", 97),  # the walls around a bend of floor, taken for the floor
    ("rush_hour", 130),  # noise taken for the edge of a board, whose first row was lost
    ("rush_hour", 285),  # a board cut through its vehicles
    ("truck_escape", 229),  # blurred cars, taken for those of Rush Hour before an exit
    ("truck_escape", 277),  # an obstacle beside a truck, taken for floor
    ("truck_escape", 412),  # colour beside an obstacle, taken for another one
)


@pytest.mark.parametrize(("game", "seed"), ONCE_WRONG)
def test_nothing_wrong_is_certain(game: str, seed: int) -> None:
    assert read_back(seed, game, "worn").outcome in ("exact", "asked_right", "asked_wrong", "rejected")
