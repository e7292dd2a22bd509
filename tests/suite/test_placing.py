"""Grids of cells in the square."""

import random
from itertools import pairwise

import pytest

from pipeline.suite.placing import Cell, Grid, fit

GRID = Grid(rows=3, cols=4, left=100, top=200, cell=50)


def test_a_grid_fills_the_square_but_its_margin() -> None:
    assert fit(5, 5) == Grid(5, 5, 40, 40, 164)
    assert fit(2, 40) == Grid(2, 40, 50, 430, 20)
    assert fit(6, 6, margin=90) == Grid(6, 6, 90, 90, 120)
    assert GRID.layout() == {"left": 100, "top": 200, "cell": 50}
    assert GRID.center((2, 0)) == (125, 325) and GRID.middle((0, 1), (0, 2)) == (200, 225)


@pytest.mark.parametrize(
    ("point", "cell"),
    [
        ((100.0, 200.0), (0, 0)),
        ((299.9, 349.9), (2, 3)),
        ((150.0, 249.0), (0, 1)),
        ((76.0, 370.0), (2, 0)),
        ((74.0, 210.0), None),
        ((150.0, 376.0), None),
        ((1e300, -1e300), None),
    ],
)
def test_half_a_cell_beyond_the_border_still_counts(point: tuple[float, float], cell: Cell | None) -> None:
    assert GRID.cell_at(point) == cell


@pytest.mark.parametrize(
    ("point", "cell"),
    [
        ((125.0, 225.0), (0, 0)),
        ((160.0, 225.0), (0, 0)),
        ((166.0, 225.0), None),
        ((188.0, 225.0), (0, 2)),
        ((92.0, 193.0), (0, 0)),
        ((207.0, 252.0), (0, 2)),
        ((-1e300, 0.0), None),
    ],
)
def test_a_press_may_miss_by_a_third_of_a_cell(point: tuple[float, float], cell: Cell | None) -> None:
    assert GRID.near(point, {(0, 0), (0, 2)}) == cell


def test_a_trail_crosses_cells_one_after_another() -> None:
    start, end = GRID.center((0, 0)), GRID.center((0, 3))
    assert GRID.trail(start, end) == [(0, 0), (0, 1), (0, 2), (0, 3)]
    assert GRID.trail(end, start) == [(0, 3), (0, 2), (0, 1), (0, 0)]
    assert GRID.trail(start, (130.0, 230.0)) == [(0, 0)]
    assert GRID.trail((110.0, 205.0), (190.0, 265.0)) == [(0, 0), (0, 1), (1, 1)]
    assert GRID.trail(GRID.center((0, 0)), GRID.center((2, 2))) == [(0, 0), (0, 1), (1, 1), (1, 2), (2, 2)]


def test_a_trail_outside_follows_the_border_up_to_half_a_cell_away() -> None:
    assert GRID.trail((90.0, 190.0), (90.0, 400.0)) == [(0, 0), (1, 0), (2, 0)]
    assert GRID.trail((70.0, 190.0), (70.0, 400.0)) == []
    assert GRID.trail((70.0, 225.0), (160.0, 225.0)) == [(0, 0), (0, 1)]
    assert GRID.trail((125.0, 225.0), (1e300, 225.0)) == [(0, 0), (0, 1), (0, 2), (0, 3)]
    assert GRID.trail((1e300, -1e300), (-1e300, 1e300)) == GRID.trail((1e6, -1e6), (-1e6, 1e6))


@pytest.mark.parametrize("seed", range(5))
def test_a_way_cut_into_pieces_crosses_the_same_cells(seed: int) -> None:
    choices = random.Random(seed)
    for _ in range(40):
        _check_pieces(choices)


def _check_pieces(choices: random.Random) -> None:
    ax, ay, bx, by = (choices.uniform(0, 450) for _ in range(4))
    whole = GRID.trail((ax, ay), (bx, by))
    assert all(abs(a[0] - b[0]) + abs(a[1] - b[1]) == 1 for a, b in pairwise(whole))
    cuts = sorted(choices.random() for _ in range(choices.randint(1, 30)))
    points = [(ax + t * (bx - ax), ay + t * (by - ay)) for t in (0.0, *cuts, 1.0)]
    pieces = [cell for a, b in pairwise(points) for cell in GRID.trail(a, b)]
    assert [cell for i, cell in enumerate(pieces) if i == 0 or cell != pieces[i - 1]] == whole
