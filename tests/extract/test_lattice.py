"""Lattices: places and pixels are inverse, fits find what was drawn, edges and discs are seen."""

import math

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.extract.colour import lab_of_bgr
from pipeline.extract.discs import find_discs
from pipeline.extract.lattice import Lattice, refined
from pipeline.extract.lattice_edges import Profiles, aligned, measure_edges, measure_steps
from pipeline.extract.lattice_vote import vote

LATTICES = st.builds(
    Lattice,
    origin=st.tuples(st.floats(-200, 900), st.floats(-200, 900)),
    pitch_x=st.floats(8, 200),
    pitch_y=st.floats(8, 200),
    rows=st.integers(3, 20),
    cols=st.integers(3, 20),
    angle=st.floats(-0.1, 0.1),
)


@settings(derandomize=True, deadline=None)
@given(LATTICES, st.floats(-5, 25), st.floats(-5, 25))
def test_place_is_the_inverse_of_point(lattice: Lattice, row: float, col: float) -> None:
    assert lattice.place(*lattice.point(row, col)) == pytest.approx((row, col), abs=1e-6)


@settings(derandomize=True, deadline=None)
@given(LATTICES, st.integers(0, 19), st.integers(0, 19))
def test_the_middle_of_a_cell_lies_in_it(lattice: Lattice, row: int, col: int) -> None:
    expected = (row, col) if row < lattice.rows and col < lattice.cols else None
    assert lattice.cell_of(*lattice.cell_center(row, col)) == expected


@settings(derandomize=True, deadline=None)
@given(LATTICES, st.randoms(use_true_random=False))
def test_least_squares_recovers_a_turned_oblong_lattice(lattice: Lattice, random: object) -> None:
    cells = np.array([(0, 0), (0, lattice.cols - 1), (lattice.rows - 1, 1), (1, 2)], float)
    points = np.array([lattice.cell_center(*cell) for cell in cells])
    found, error = refined(Lattice((0, 0), 1, 1, lattice.rows, lattice.cols), points, cells)
    assert error < 1e-6
    assert found.pitch_x == pytest.approx(lattice.pitch_x)
    assert found.pitch_y == pytest.approx(lattice.pitch_y)
    assert found.angle == pytest.approx(lattice.angle, abs=1e-9)


def test_scaling_keeps_cells_on_the_same_pixels_of_the_scene() -> None:
    lattice = Lattice((10.0, 20.0), 30, 40, 4, 5, 0.05)
    x, y = lattice.cell_center(2, 3)
    assert lattice.scaled(0.5).cell_center(2, 3) == pytest.approx(((x + 0.5) / 2 - 0.5, (y + 0.5) / 2 - 0.5))


def test_votes_are_not_turned_by_strangers() -> None:
    rng = np.random.default_rng(1)
    true = Lattice((52.0, 130.0), 41, 41, 9, 9)
    cells = [(r, c) for r in range(9) for c in range(9) if rng.random() < 0.25]
    points = np.array([true.cell_center(*cell) for cell in cells] + [tuple(rng.random(2) * 500) for _ in range(6)])
    found = vote(points, 25, 150)
    assert found is not None
    assert found.lattice.pitch_x == pytest.approx(41, abs=0.3)
    assert found.agree[: len(cells)].all()


def test_votes_find_a_turned_lattice_when_turns_are_tried() -> None:
    true = Lattice((80.0, 60.0), 50, 50, 8, 8, math.radians(3))
    points = np.array([true.cell_center(r, c) for r in range(8) for c in range(r % 2, 8, 3)])
    found = vote(points, 30, 170, shapes=[(math.radians(a), 1.0) for a in (0, -3, 3)])
    assert found is not None
    assert found.agree.all()
    assert found.lattice.angle == pytest.approx(true.angle, abs=0.004)


def _grid(line: tuple[int, int, int], noise: float = 0.0) -> tuple[np.ndarray, Lattice]:
    lattice = Lattice((30.0, 40.0), 48, 48, 5, 6)
    image = np.full((330, 400, 3), 20, np.uint8)
    for a, b in ((m.points[0], m.points[1]) for m in lattice.marks()):
        cv2.line(image, tuple(round(v) for v in a), tuple(round(v) for v in b), line, 2)
    noisy = image + np.random.default_rng(0).normal(0, noise, image.shape)
    return lab_of_bgr(np.clip(noisy, 0, 255).astype(np.uint8)), lattice


def test_edges_fainter_than_the_noise_of_a_pixel_are_seen() -> None:
    lab, lattice = _grid((32, 32, 32), noise=3)
    wide = lattice.block(-1, -1, 7, 8).rectified(lab, 48).astype(np.float32)
    inside = measure_edges(Profiles.of(wide)).sides()[1:-1, 1:-1]
    outside = measure_edges(Profiles.of(lattice.block(0.5, 0.5, 4, 5).rectified(lab, 48).astype(np.float32))).sides()
    assert inside.min() > 2 * np.percentile(outside, 90)


def test_alignment_moves_a_lattice_onto_its_lines() -> None:
    lab, lattice = _grid((90, 120, 60))
    rough = Lattice((32.0, 38.0), 48.4, 47.8, 5, 6)
    found = aligned(rough, Profiles.of(rough.rectified(lab, 48).astype(np.float32)))
    assert found.origin == pytest.approx(lattice.origin, abs=1.0)
    assert found.pitch_x == pytest.approx(48, abs=0.2)


def test_a_tile_on_another_ground_has_steps_and_no_ridges() -> None:
    image = np.full((200, 200, 3), 30, np.uint8)
    image[50:150, 50:150] = 120
    cell = Lattice((49.5, 49.5), 100, 100, 1, 1).block(-0.4, -0.4, 2, 2)
    lab = lab_of_bgr(image)
    tile = Lattice((-50.5, -50.5), 100, 100, 3, 3).rectified(lab, 60).astype(np.float32)
    assert measure_steps(Profiles.of(tile)).sides()[1, 1].min() > 20
    assert measure_edges(Profiles.of(tile)).sides()[1, 1].max() < 1
    assert measure_steps(Profiles.of(cell.rectified(lab, 60).astype(np.float32))).upright[:, 1].max() < 1


def test_discs_are_found_with_a_pipe_attached_and_strips_are_not() -> None:
    image = np.full((300, 300, 3), 10, np.uint8)
    cv2.circle(image, (80, 80), 24, (40, 60, 230), -1)
    cv2.rectangle(image, (80, 70), (220, 90), (40, 60, 230), -1)
    cv2.rectangle(image, (40, 200), (260, 220), (200, 180, 30), -1)
    found = [d for d in find_discs(lab_of_bgr(image), 60) if d.radius < 40]
    dots = [d for d in found if math.hypot(d.x - 80, d.y - 80) < 4]
    assert len(dots) == 1
    assert dots[0].radius == pytest.approx(24, abs=2.5)
    assert not [d for d in found if 195 < d.y < 225 and 60 < d.x < 240]
