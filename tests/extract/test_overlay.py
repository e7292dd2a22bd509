import cv2
import numpy as np
import pytest

from pipeline.core.png import note_of, with_note
from pipeline.extract.contract import Element, Mark, Reading
from pipeline.extract.image import Picture, decode_picture
from pipeline.extract.lettering import fitted, text_size
from pipeline.extract.overlay import Caption, draw_overlay
from tests.extract.test_recognise import BOARD

PLAIN = Caption("ok", "facts")
WARNING_BGR = np.array((220, 60, 255))


def grid_picture(cells: int, side: int) -> tuple[Picture, tuple[Mark, ...]]:
    """A grey picture and marks for a grid in its middle."""
    step = 0.8 * side / cells
    at = [0.1 * side + i * step for i in range(cells + 1)]
    lines = [Mark("lattice", ((at[0], y), (at[-1], y))) for y in at]
    labels = [Mark("label", ((x + step / 2, y + step / 2),), "lavender") for x in at[:-1] for y in at[:-1]]
    return Picture(np.full((side, side, 3), 200, np.uint8)), (*lines, *labels)


def overlay(picture: Picture, reading: Reading, caption: Caption = PLAIN) -> np.ndarray:
    return decode_picture(draw_overlay(picture, reading, caption)).bgr.astype(int)


def warned(drawn: np.ndarray) -> np.ndarray:
    """Rows and columns of pixels in the warning colour."""
    return np.argwhere(np.abs(drawn - WARNING_BGR).sum(axis=2) < 12)


def test_only_elements_in_doubt_are_boxed_and_where_they_are() -> None:
    picture, marks = grid_picture(6, 600)
    sure = Element("vehicles[0]", (100, 100, 80, 80), 0.99, "a car")
    doubt = Element("vehicles[1]", (300, 400, 80, 60), 0.5, "a car")
    plain = overlay(picture, Reading(BOARD, (sure,), marks))
    assert len(warned(plain)) == 0
    drawn = overlay(picture, Reading(BOARD, (sure, doubt), marks))
    strip = drawn.shape[0] - 600
    rows, cols = warned(drawn).T
    assert np.allclose((rows.min() - strip, rows.max() - strip, cols.min(), cols.max()), (400, 460, 300, 380), atol=4)


def test_the_board_stays_brighter_than_what_surrounds_it() -> None:
    picture, marks = grid_picture(6, 600)
    drawn = overlay(picture, Reading(BOARD, (), marks))
    strip = drawn.shape[0] - 600
    assert drawn[strip + 5, 5].mean() < 0.4 * 200
    assert drawn[strip + 75, 75].mean() > 0.7 * 200


@pytest.mark.parametrize("size", [(40, 30), (30, 900), (2400, 1080), (900, 1280), (8000, 300)])
def test_overlays_of_any_picture_are_of_a_size_to_look_at(size: tuple[int, int]) -> None:
    picture = Picture(np.full((*size, 3), 90, np.uint8))
    drawn = overlay(picture, Reading(BOARD, (), (Mark("piece", ((1, 1), (20, 1), (20, 20))),)))
    assert 480 <= max(drawn.shape[:2]) <= 1700


def test_the_strip_grows_with_the_reasons_but_never_without_bound() -> None:
    picture, marks = grid_picture(5, 500)
    heights = [
        overlay(picture, Reading(BOARD, (), marks), Caption("uncertain", "f", ["many words " * 9] * n)).shape[0]
        for n in (0, 1, 2, 50)
    ]
    assert heights[0] < heights[1] < heights[2] <= heights[3] < 1.4 * 500


def test_labels_of_a_large_board_do_not_run_into_each_other() -> None:
    """The names are as wide as they come; between the columns of a 15 x 15 board some background is left."""
    picture, marks = grid_picture(15, 1400)
    blank = overlay(picture, Reading(BOARD, (), tuple(m for m in marks if m.kind != "label")))
    drawn = overlay(picture, Reading(BOARD, (), marks))
    changed = np.argwhere((blank != drawn).any(axis=2))
    step = 0.8 * 1400 / 15
    within = (changed[:, 1] - 0.1 * 1400) % step
    assert len(changed) > 0
    assert within.min() > 0.01 * step


def test_the_same_reading_gives_the_same_bytes() -> None:
    picture, marks = grid_picture(6, 300)
    reading = Reading(BOARD, (Element("a", (3, 3, 9, 9), 0.2, "x"),), marks)
    assert draw_overlay(picture, reading, Caption("ok", "f")) == draw_overlay(picture, reading, Caption("ok", "f"))


def test_a_note_in_a_png_is_found_again_and_leaves_the_picture_alone() -> None:
    picture = np.arange(48, dtype=np.uint8).reshape(4, 4, 3)
    data = bytes(cv2.imencode(".png", picture)[1].tobytes())
    noted = with_note(data, "key", "sha256:abc")
    assert note_of(noted, "key") == "sha256:abc"
    assert note_of(noted, "other") is None
    assert note_of(data, "key") is None
    assert note_of(b"", "key") is None
    assert np.array_equal(decode_picture(noted).bgr, picture)


def test_text_is_cut_to_the_width_it_has() -> None:
    assert fitted("short", 10, 1000) == "short"
    cut = fitted("a sentence that is far too long", 10, 120)
    assert cut.endswith("...")
    assert text_size(cut, 10)[0] <= 120
