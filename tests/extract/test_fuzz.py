"""A small share, with fixed seeds, of what `bench/fuzz_ingest.py` throws at the reader."""

import cv2
import pytest

from bench.fuzz_ingest import mutated_file, random_picture
from pipeline.extract.contract import Reading, Rejection
from pipeline.extract.image import Picture, decode_picture
from pipeline.extract.image_header import UnreadableImage
from pipeline.extract.recognise import Broken, recognise


@pytest.mark.parametrize("start", range(0, 60, 10))
def test_a_mutated_file_is_read_or_refused_in_words(start: int) -> None:
    for seed in range(start, start + 10):
        try:
            picture = decode_picture(mutated_file(seed))
        except UnreadableImage as error:
            assert str(error).endswith(".")
        else:
            assert picture.bgr.ndim == 3


@pytest.mark.parametrize("seed", range(24))
def test_no_board_is_claimed_in_a_senseless_picture(seed: int) -> None:
    bgr = random_picture(seed)
    if max(bgr.shape) > 700:
        bgr = cv2.resize(bgr, (min(700, bgr.shape[1]), min(700, bgr.shape[0])), interpolation=cv2.INTER_NEAREST)
    answer = recognise(Picture(bgr)).answer
    assert not isinstance(answer, Broken)
    assert not (isinstance(answer, Reading) and answer.certain)


@pytest.mark.parametrize("seed", [1966, 3451])
def test_damaged_pictures_that_once_broke_a_reader_break_none(seed: int) -> None:
    """More colours than there are names for; a circle whose middle rounds to just beyond the border."""
    assert not isinstance(recognise(decode_picture(mutated_file(seed))).answer, Broken)


def test_a_texture_of_thousands_of_pieces_is_refused_before_they_are_paired() -> None:
    answer = recognise(Picture(random_picture(2231))).answer
    assert isinstance(answer, Rejection)
