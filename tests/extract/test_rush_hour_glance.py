"""A glance at a lattice: blocks on a floor are worth a close look, other patterns on a lattice are not."""

import numpy as np
import pytest

from pipeline.extract.colour import Lab
from pipeline.extract.lattice import Lattice
from pipeline.extract.rush_hour_glance import promising
from pipeline.extract.rush_hour_lattice import Support

FLOOR, RED, BLUE, GREEN = (20.0, 0.0, 0.0), (50.0, 60.0, 40.0), (40.0, 10.0, -50.0), (60.0, -50.0, 40.0)
PITCH = 6


def glanced(rows: list[str], places: list[tuple[int, int, int, int]]) -> bool:
    """Whether cells of these colours with boxes at these places (column, row, columns, rows) are promising."""
    colours = {".": FLOOR, "r": RED, "b": BLUE, "g": GREEN}
    cells = np.array([[colours[c] for c in row] for row in rows], np.float32)
    lab: Lab = np.repeat(np.repeat(cells, PITCH, axis=0), PITCH, axis=1)
    lattice = Lattice((-0.5, -0.5), PITCH, PITCH, len(rows), len(rows[0]))
    wide, high = np.array(places)[:, 2:].T
    shapes = (int((wide > 1).sum()), int((high > 1).sum()), int(((wide == 1) & (high == 1)).sum()))
    counts = np.ones((lattice.rows, lattice.cols), np.float32)
    return promising(lab, 1.0, Support(lattice, 1.0, counts, shapes, np.array(places), (lattice,)))


BOARD = ["b...", "brr.", "..g.", "..g."]


def test_blocks_on_a_floor_are_worth_a_look() -> None:
    """All vehicles were seen, or half of them."""
    assert glanced(BOARD, [(0, 0, 1, 2), (1, 1, 2, 1), (2, 2, 1, 2)])
    assert glanced(BOARD, [(0, 0, 1, 2), (1, 1, 2, 1)])


@pytest.mark.parametrize("row", ["r.r.", "rrrr"])
def test_where_hardly_any_block_was_seen_there_is_no_board(row: str) -> None:
    """Occupied cells that no block explains; and no occupied cells at all."""
    assert not glanced([row, ".b.b", row, ".b.b"], [(0, 0, 1, 1), (2, 0, 1, 1), (1, 1, 1, 1), (2, 2, 1, 1)])
    assert not glanced(["...."] * 4, [(0, 0, 1, 1), (2, 0, 1, 1), (1, 1, 1, 1), (2, 2, 1, 1)])


def test_blocks_that_all_point_one_way_must_explain_nearly_everything() -> None:
    """A stack's tubes stand side by side, with other things between them."""
    tubes = [(0, 0, 1, 2), (2, 0, 1, 2), (0, 3, 1, 2)]
    assert glanced(["b.r.", "b.r.", "....", "g...", "g..."], tubes)
    assert not glanced(["b.rg", "b.rb", "...g", "g...", "g..."], tubes)


def test_vehicles_drawn_as_one_piece_a_cell_have_neighbours_of_their_colour() -> None:
    """Single pieces of two colours side by side; apart from one another they are none."""
    pieces = [(0, 0, 1, 1), (0, 1, 1, 1), (2, 0, 1, 1), (3, 0, 1, 1), (1, 2, 1, 1), (2, 2, 1, 1)]
    assert glanced(["b.rr", "b...", ".gg.", "...."], pieces)
    assert not glanced(["b.r.", ".g.b", "r.g.", ".b.r"], pieces)
