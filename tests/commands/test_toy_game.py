"""A seventh game passes through every stage after ingest without a line of shared code knowing it."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from pipeline.commands.diff import diff
from pipeline.commands.explain import explain
from pipeline.commands.snapshot import snapshot
from pipeline.commands.validate import validate
from pipeline.commands.verify import verify
from pipeline.store.snapshot import NotAdmitted
from tests.toy import toy_game_installed


@pytest.fixture(autouse=True)
def installed() -> Iterator[None]:
    with toy_game_installed():
        yield


def write_level(root: Path, number: int, stones: str) -> Path:
    path = root / "catalogue" / "stepping_stones" / "easy" / f"{number:02d}.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    level = {"format": "lpb-level/1", "game": "stepping_stones", "board": {"stones": stones}}
    path.write_text(json.dumps({**level, "provenance": {"kind": "manual"}}), encoding="utf-8")
    return path


def test_from_catalogue_to_verified_snapshot_and_diff(tmp_path: Path) -> None:
    write_level(tmp_path, 1, "oo.oo")
    write_level(tmp_path, 2, "ooo")
    report = validate([], catalogue=tmp_path / "catalogue")
    assert [row["min_moves"] for row in report.levels] == [3, 1]
    assert report.exit_code == 0
    snapshot("v1", root=tmp_path)
    write_level(tmp_path, 2, "oooo")
    validate([], catalogue=tmp_path / "catalogue")
    result = snapshot("v2", root=tmp_path)
    assert result["parent"] == "v1"
    assert verify("v1", root=tmp_path).exit_code == verify("v2", root=tmp_path).exit_code == 0
    found = diff("v1", "v2", root=tmp_path)
    assert [(c.place, c.puzzle_changed) for c in found.changed] == [("stepping_stones/easy/02", True)]
    assert "$.board.stones" in found.changed[0].fields
    assert "only on the 1 levels" in found.sentence


def test_unsolvable_level_is_invalid_and_not_admitted(tmp_path: Path) -> None:
    write_level(tmp_path, 1, "o..o")
    report = validate([], catalogue=tmp_path / "catalogue")
    assert report.levels[0]["solvable"] is False
    assert report.exit_code == 1
    with pytest.raises(NotAdmitted, match="unsolvable"):
        snapshot("v1", root=tmp_path)
    assert not (tmp_path / "snapshots" / "v1").exists()


def test_explain_after_moves(tmp_path: Path) -> None:
    path = write_level(tmp_path, 1, "oo.oo")
    found = explain(path, ["+1"])
    assert (found.state, found.sketch, found.remaining) == ("1", "o@.oo", ("+2", "+1"))
