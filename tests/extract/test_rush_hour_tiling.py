"""Cutting occupied cells into vehicles: the least cost is found, and hopeless cells are given up early but rightly."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.extract.rush_hour_tiling import Border, Cell, Piece, cut_pieces

SIZE = 4
CELLS = [(row, col) for row in range(SIZE) for col in range(SIZE)]


@st.composite
def groups(draw: st.DrawFn) -> tuple[frozenset[Cell], dict[Border, float]]:
    """Some cells of a small square, and log-odds of parting for the borders between them."""
    cells = frozenset(draw(st.lists(st.sampled_from(CELLS), min_size=1, max_size=9, unique=True)))
    beside = [((r, c), other) for r, c in sorted(cells) for other in ((r, c + 1), (r + 1, c)) if other in cells]
    return cells, {border: draw(st.floats(-7, 7)) for border in beside}


@settings(max_examples=60, derandomize=True, deadline=None)
@given(groups(), st.floats(0, 60))
def test_a_limit_hides_no_cut_that_costs_less(group: tuple[frozenset[Cell], dict[Border, float]], most: float) -> None:
    cells, odds = group
    free, limited = cut_pieces(cells, odds), cut_pieces(cells, odds, most)
    assert free is not None
    assert sorted(cell for piece in free.pieces for cell in piece.cells) == sorted(cells)
    if free.cost < most - 1e-6:
        assert limited is not None
        assert limited.cost == pytest.approx(free.cost)
    elif free.cost > most + 1e-6:
        assert limited is None


def test_cells_that_fit_no_vehicles_cost_a_fine_each() -> None:
    cells = frozenset({(0, 0), (2, 2), (4, 0), (4, 1)})
    cut = cut_pieces(cells, {((4, 0), (4, 1)): -5.0})
    assert cut is not None
    assert cut.pieces == (Piece(0, 0, 1, False), Piece(2, 2, 1, False), Piece(4, 0, 2, False))
    assert cut_pieces(cells, {((4, 0), (4, 1)): -5.0}, most=9.9) is None
    assert cut_pieces(cells, {((4, 0), (4, 1)): -5.0}, most=10.1) is not None
