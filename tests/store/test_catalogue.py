"""The catalogue on disk: what counts as a level's place, and that no folder of it is passed over in silence."""

import os
from pathlib import Path
from typing import Any

import pytest

from pipeline.core.errors import PipelineError
from pipeline.store.catalogue import catalogue_levels, misplaced_files


def put(catalogue: Path, *places: str) -> None:
    """Empty files: only their places matter."""
    for place in places:
        (catalogue / place).parent.mkdir(parents=True, exist_ok=True)
        (catalogue / place).touch()


def test_levels_come_by_game_difficulty_and_number(tmp_path: Path) -> None:
    put(
        tmp_path,
        "maze_paint/easy/02.json",
        "maze_paint/easy/01.json",
        "rush_hour/hard/100.json",
        "rush_hour/easy/01.json",
    )
    found = [entry.place for entry in catalogue_levels(tmp_path)]
    assert found == ["rush_hour/easy/01", "rush_hour/hard/100", "maze_paint/easy/01", "maze_paint/easy/02"]


@pytest.mark.parametrize(
    "place",
    [
        "chess/easy/01.json",
        "rush_hour/easy/1.json",
        "rush_hour/easy/٠١.json",
        "rush_hour/Easy/01.json",
        "rush_hour/01.json",
    ],
)
def test_a_file_that_is_in_no_levels_place_is_named(tmp_path: Path, place: str) -> None:
    put(tmp_path, place)
    assert catalogue_levels(tmp_path) == []
    assert misplaced_files(tmp_path) == [tmp_path / place]


@pytest.mark.parametrize("locked", ["rush_hour", "rush_hour/easy"])
def test_a_folder_that_cannot_be_listed_is_an_error_naming_it(
    tmp_path: Path, locked: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(tmp_path, "rush_hour/easy/01.json")
    scan = os.scandir

    def scandir(path: Any = ".") -> Any:
        if Path(path) == tmp_path / locked:
            raise PermissionError(13, "Permission denied", os.fspath(path))
        return scan(path)

    monkeypatch.setattr(os, "scandir", scandir)
    with pytest.raises(PipelineError, match=rf"{locked}: cannot be listed \(Permission denied\)"):
        catalogue_levels(tmp_path)
