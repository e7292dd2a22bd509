"""The samples that the project ships: drawn from known boards, read back exactly, each by its own game alone."""

from pathlib import Path

import pytest

from bench.draw_samples import SAMPLES, Sample, board_of
from bench.read_renderings import mistakes_in_play
from pipeline.extract.contract import Reading
from pipeline.extract.image import load_picture
from pipeline.extract.recognise import recognise

FOLDER = Path(__file__).resolve().parents[2] / "screenshots"


def test_there_is_a_picture_for_every_sample_and_no_other() -> None:
    pictures = sorted(path.relative_to(FOLDER).with_suffix("").as_posix() for path in FOLDER.rglob("*.png"))
    assert pictures == sorted(sample.place for sample in SAMPLES)
    assert sum(path.stat().st_size for path in FOLDER.rglob("*.png")) < 2_000_000


@pytest.mark.slow
@pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: sample.place)
def test_a_sample_is_read_exactly_and_with_certainty(sample: Sample) -> None:
    found = recognise(load_picture(FOLDER / f"{sample.place}.png"))
    assert isinstance(found.answer, Reading), found.answer
    assert found.game == sample.game
    assert mistakes_in_play(sample.game, board_of(sample), found.answer.board) == []
    assert found.answer.certain, (found.answer.questions, found.answer.doubts)
