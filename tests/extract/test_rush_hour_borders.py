"""What regions that lie on the lattice say: where blocks end, which cells are alone, which blocks are outlines."""

import numpy as np
import pytest

from pipeline.extract.rush_hour_borders import LONE, SINGLE, costs_alone, seen_borders
from pipeline.extract.rush_hour_cells import SIDE, Floor, with_outlined


def test_a_block_ends_at_its_borders_unless_another_goes_across() -> None:
    """A lying block of two cells, a standing one beside it, and single cells, which say nothing."""
    places = np.array([[0, 0, 2, 1], [2, 0, 1, 2], [0, 2, 1, 1]])
    across, down = seen_borders(places, (3, 4))
    assert np.argwhere(across).tolist() == [[0, 1], [0, 2], [1, 1], [1, 2]]
    assert np.argwhere(down).tolist() == [[0, 0], [0, 1], [1, 2]]
    across, _ = seen_borders(np.vstack([places, [[0, 0, 3, 1]]]), (3, 4))
    assert np.argwhere(across).tolist() == [[0, 2], [1, 1], [1, 2]]


def test_a_cell_seen_as_a_region_is_cheaper_alone_but_where_vehicles_are_drawn_as_such() -> None:
    places = np.array([[1, 0, 1, 1], [2, 0, 2, 1]])
    cells = [(0, 1), (0, 2)]
    assert costs_alone(cells, places, apart=False) == {(0, 1): SINGLE, (0, 2): LONE}
    assert costs_alone(cells, places, apart=True) == {(0, 1): LONE, (0, 2): LONE}


@pytest.mark.parametrize(("inset", "filled"), [(4, True), (0, False)])
def test_an_outline_is_a_vehicle_only_with_floor_around_it(inset: int, filled: bool) -> None:
    """Marks that begin at the edge of the cells are what neighbours and their shadows leave there."""
    flat = np.zeros((SIDE, 2 * SIDE), np.bool_)
    flat[inset : SIDE - inset, inset : 2 * SIDE - inset] = True
    flat[inset + 2 : SIDE - inset - 2, inset + 2 : 2 * SIDE - inset - 2] = False
    mask = flat.reshape(1, SIDE, 2, SIDE).swapaxes(1, 2)
    floor = with_outlined(Floor(mask, np.zeros((1, 2), np.float32)), np.array([[0, 0, 2, 1]]))
    assert bool((floor.occupied == 1).all()) == filled
    assert bool(floor.mask[0, :, SIDE // 2, SIDE // 2].all()) == filled
    assert bool(floor.gaps[0].any()) != filled
