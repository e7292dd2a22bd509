"""Cutting occupied cells into vehicles: the least cost is found, and hopeless cells are given up early but rightly."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.extract.rush_hour_tiling import Border, Cell, Piece, cut_pieces

SIZE = 4
CELLS = [(row, col) for row in range(SIZE) for col in range(SIZE)]


@st.composite
def groups(draw: st.DrawFn) -> tuple[dict[Cell, float], dict[Border, float]]:
    """Some cells of a small square and what each costs alone, and log-odds of parting for the borders between them."""
    alone = st.sampled_from([0.5, 1.5, 5.0])
    cells = draw(st.dictionaries(st.sampled_from(CELLS), alone, min_size=1, max_size=9))
    beside = [((r, c), other) for r, c in sorted(cells) for other in ((r, c + 1), (r + 1, c)) if other in cells]
    return cells, {border: draw(st.floats(-7, 7)) for border in beside}


@settings(max_examples=60, derandomize=True, deadline=None)
@given(groups(), st.floats(0, 60))
def test_a_limit_hides_no_cut_that_costs_less(
    group: tuple[dict[Cell, float], dict[Border, float]], most: float
) -> None:
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
    cells = dict.fromkeys([(0, 0), (2, 2), (4, 0), (4, 1)], 5.0)
    cut = cut_pieces(cells, {((4, 0), (4, 1)): -5.0})
    assert cut is not None
    assert cut.pieces == (Piece(0, 0, 1, False), Piece(2, 2, 1, False), Piece(4, 0, 2, False))
    assert cut_pieces(cells, {((4, 0), (4, 1)): -5.0}, most=9.9) is None
    assert cut_pieces(cells, {((4, 0), (4, 1)): -5.0}, most=10.1) is not None
    assert cut_pieces(cells | {(2, 2): 1.5}, {((4, 0), (4, 1)): -5.0}, most=6.6) is not None


def test_a_cell_that_may_be_alone_is_joined_only_to_what_it_costs_less_with() -> None:
    border: Border = ((0, 1), (0, 2))
    odds = {((0, 0), (0, 1)): -5.0, border: 2.0}
    for alone, lengths in ((5.0, [3]), (1.5, [2, 1])):
        cut = cut_pieces(dict.fromkeys([(0, 0), (0, 1)], 5.0) | {(0, 2): alone}, odds)
        assert cut is not None
        assert [piece.length for piece in cut.pieces] == lengths
