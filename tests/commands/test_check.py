from pathlib import Path

import pytest

from pipeline.commands.check import check
from pipeline.core.errors import InvalidDocument, PipelineError
from pipeline.extract.table import EXTRACTORS
from tests.boards import CARD, rush_level
from tests.commands.toys import AMBER, GREY, RED, ToyExtractor, plain_picture

SEEN = ". . . . . .\n. . . . . .\nX X . . . .\n. . . . . .\n. . . . . .\n. . . . . ."


@pytest.fixture(autouse=True)
def toy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(EXTRACTORS, "rush_hour", ToyExtractor())


def level_file(folder: Path, drawing: str) -> Path:
    path = folder / "01.json"
    path.write_bytes(rush_level(drawing).to_bytes())
    return path


def test_a_level_that_agrees(tmp_path: Path) -> None:
    level, image = level_file(tmp_path, SEEN), plain_picture(tmp_path / "a.png", RED)
    before = level.read_bytes()
    report = check(level, image)
    assert (report.exit_code, report.disagreements, report.notes) == (0, (), ())
    assert report.document()["agrees"] is True
    assert report.overlay == tmp_path / "01.check.overlay.png"
    assert report.overlay.read_bytes()[:4] == b"\x89PNG"
    assert level.read_bytes() == before


def test_every_element_that_disagrees_is_told_with_its_place(tmp_path: Path) -> None:
    drawing = ". . . . . B\n. . . . . B\n. X X . . B\n. . . . . .\n. . . . . .\n. . . . . ."
    report = check(level_file(tmp_path, drawing), plain_picture(tmp_path / "a.png", AMBER))
    assert report.exit_code == 1
    assert report.disagreements == (
        "vehicles[1].col is 1, but 0 is read. (at x 10, y 10, 30 x 15 px)",
        "vehicles[0]: id B, row 0, col 5, length 3, axis vertical is not seen in the picture.",
    )
    assert report.notes == ("vehicles[0] (at x 10, y 10, 30 x 15 px) was itself read with confidence 0.60 only.",)


def test_pictures_and_levels_that_cannot_be_compared(tmp_path: Path) -> None:
    level = level_file(tmp_path, CARD)
    with pytest.raises(PipelineError, match=r"a.png: no board is seen"):
        check(level, plain_picture(tmp_path / "a.png", GREY))
    (tmp_path / "b.png").write_text("text")
    with pytest.raises(PipelineError, match=r"b.png: it is not a picture file"):
        check(level, tmp_path / "b.png")
    level.write_text("{}")
    with pytest.raises(InvalidDocument):
        check(level, tmp_path / "a.png")
