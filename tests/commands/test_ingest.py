import hashlib
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from pipeline.commands import ingest as ingesting
from pipeline.commands.ingest import IngestReport, ingest
from pipeline.core.errors import UsageError
from pipeline.games.level import Screenshot, read_level
from tests.commands.toys import AMBER, BLACK, BLUE, GREY, RED, WHITE, plain_picture, read_with_toy


@pytest.fixture
def work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty working folder."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(*paths: str, **options: Any) -> IngestReport:
    return ingest([Path(path) for path in paths or ("shots",)], reader=read_with_toy, **options)


def rows(report: IngestReport) -> dict[str, dict[str, Any]]:
    return {row["file"]: row for row in report.images}


def tree(folder: Path) -> dict[str, tuple[str, int]]:
    """Digest and time of writing of every file."""
    files = (path for path in folder.rglob("*") if path.is_file())
    return {
        path.relative_to(folder).as_posix(): (hashlib.sha256(path.read_bytes()).hexdigest(), path.stat().st_mtime_ns)
        for path in files
    }


def test_every_kind_of_picture_in_one_folder(work: Path) -> None:
    plain_picture(work / "shots/rush_hour/easy/01.png", RED)
    plain_picture(work / "shots/rush_hour/easy/02.png", AMBER)
    plain_picture(work / "shots/rush_hour/easy/日本 é.png", BLUE)
    plain_picture(work / "shots/menu.png", GREY)
    plain_picture(work / "shots/picture without ending", RED)
    (work / "shots/broken.png").write_bytes(b"\x89PNG\r\n\x1a\nnothing more")
    (work / "shots/text.png").write_text("hello")
    (work / "shots/notes.txt").write_text("hello")
    (work / "shots/.hidden.png").write_text("hello")
    report = run()
    found = rows(report)
    assert {file: row["status"] for file, row in found.items()} == {
        "shots/broken.png": "failed",
        "shots/menu.png": "rejected",
        "shots/picture without ending": "ok",
        "shots/rush_hour/easy/01.png": "ok",
        "shots/rush_hour/easy/02.png": "uncertain",
        "shots/rush_hour/easy/日本 é.png": "ok",
        "shots/text.png": "failed",
    }
    assert report.document()["summary"] == {"ok": 3, "uncertain": 1, "rejected": 1, "failed": 2}
    assert (report.skipped, report.exit_code) == (1, 1)
    assert {file: row["level"] for file, row in found.items() if row["level"]} == {
        "shots/picture without ending": "catalogue/candidates/rush_hour/picture_without_ending.json",
        "shots/rush_hour/easy/01.png": "catalogue/rush_hour/easy/01.json",
        "shots/rush_hour/easy/02.png": "catalogue/candidates/rush_hour/02.json",
        "shots/rush_hour/easy/日本 é.png": "catalogue/candidates/rush_hour/日本_é.json",
    }
    assert [row["file"] for row in report.images] == sorted(found)
    check_rows(report)
    doubt = "vehicles[0] at x 10, y 10, 30 x 15 px: read as a car of length 2 with confidence 0.60, perhaps a truck."
    assert found["shots/rush_hour/easy/02.png"]["reasons"] == [doubt]


def check_rows(report: IngestReport) -> None:
    """Every row is as the level format says, and its files are what it says."""
    for row in report.images:
        keys = {"file", "status", "game", "confidence", "level", "overlay", "digest", "reasons"}
        assert set(row) == keys
        if row["level"] is None:
            assert row["status"] in ("rejected", "failed")
            assert row["reasons"]
            continue
        level = read_level(Path(row["level"]))
        assert isinstance(level.provenance, Screenshot)
        assert (level.digest, level.provenance.confidence) == (row["digest"], row["confidence"])
        assert level.provenance.sha256 == hashlib.sha256(Path(row["file"]).read_bytes()).hexdigest()
        assert level.provenance.file == row["file"]
        assert Path(row["overlay"]).read_bytes()[:4] == b"\x89PNG"
    json.dumps(report.document())


def test_running_again_changes_nothing(work: Path) -> None:
    plain_picture(work / "shots/rush_hour/easy/01.png", RED)
    plain_picture(work / "shots/b/same name.png", AMBER)
    plain_picture(work / "shots/a/same name.png", BLUE)
    plain_picture(work / "shots/c/same name.png", BLUE)
    first = run()
    before = tree(work)
    assert run().document() == first.document()
    assert tree(work) == before
    names = sorted(path.name for path in (work / "catalogue/candidates/rush_hour").glob("*.json"))
    assert len(names) == 3
    assert names[-1] == "same_name.json"


def test_each_picture_of_one_name_keeps_its_own_place_whatever_is_ingested_first(work: Path) -> None:
    plain_picture(work / "shots/a/shot.png", RED)
    plain_picture(work / "shots/b/shot.png", BLUE)
    second = rows(run("shots/b"))["shots/b/shot.png"]
    found = rows(run())
    assert found["shots/b/shot.png"] == second
    assert found["shots/a/shot.png"]["level"] != second["level"]


def test_workers_and_hash_seed_leave_no_trace(work: Path) -> None:
    for i, color in enumerate((RED, AMBER, BLUE, GREY, RED)):
        plain_picture(work / f"shots/rush_hour/easy/{i:02d}.png", color, width=60 + i)
    script = (
        "import json, sys; from pathlib import Path\n"
        "from pipeline.commands.ingest import ingest\n"
        "from tests.commands.toys import read_with_toy\n"
        "report = ingest([Path('shots')], out=Path(sys.argv[1]), workers=int(sys.argv[2]), reader=read_with_toy)\n"
        "print(json.dumps(report.document()).replace(sys.argv[1], 'out'))\n"
    )
    trees, outputs = [], []
    for seed, workers in (("0", "1"), ("123", "2")):
        environment = os.environ | {"PYTHONHASHSEED": seed, "PYTHONPATH": str(Path(__file__).parents[2])}
        done = subprocess.run(
            [sys.executable, "-c", script, f"out{workers}", workers],
            env=environment,
            capture_output=True,
            text=True,
            check=True,
        )
        outputs.append(done.stdout)
        trees.append({name: digest for name, (digest, _) in tree(work / f"out{workers}").items()})
    assert outputs[0] == outputs[1]
    assert trees[0] == trees[1]
    assert len(trees[0]) == 8


def test_a_reader_that_dies_or_hangs_costs_only_its_own_picture(work: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ingesting, "SECONDS_PER_PICTURE", 3.0)
    for i, color in enumerate((RED, BLACK, WHITE, BLUE)):
        plain_picture(work / f"shots/{i}.png", color)
    found = rows(run(workers=2))
    assert [row["status"] for row in found.values()] == ["ok", "failed", "failed", "ok"]
    assert found["shots/1.png"]["reasons"] == ["the process working on it died (exit status 9)."]
    assert found["shots/2.png"]["reasons"] == ["it took longer than 3 seconds."]


def test_the_place_in_the_path_counts_only_for_the_game_that_was_read(work: Path) -> None:
    plain_picture(work / "shots/color_connect/easy/01.png", RED)
    plain_picture(work / "shots/rush_hour/easy/1.png", RED)
    plain_picture(work / "shots/rush_hour/Very Hard/01.png", RED)
    levels = [row["level"] for row in run().images]
    assert all(level.startswith("catalogue/candidates/rush_hour/") for level in levels)


def test_a_folder_within_the_screenshots_means_the_same_places(work: Path) -> None:
    plain_picture(work / "shots/rush_hour/easy/01.png", RED)
    assert run("shots/rush_hour/easy").images[0]["level"] == "catalogue/rush_hour/easy/01.json"
    assert run("shots").images[0]["level"] == "catalogue/rush_hour/easy/01.json"
    assert len(tree(work / "catalogue")) == 2


def test_a_single_file_becomes_a_candidate(work: Path) -> None:
    path = plain_picture(work / "shots/rush_hour/easy/01.png", RED)
    assert run("shots/rush_hour/easy/01.png", str(path)).images == [
        rows(run("shots/rush_hour/easy/01.png"))["shots/rush_hour/easy/01.png"]
    ]
    assert (work / "catalogue/candidates/rush_hour/01.json").is_file()


def test_a_different_level_in_the_place_is_never_overwritten_unless_asked(work: Path) -> None:
    place = work / "catalogue/rush_hour/easy/01.json"
    picture = plain_picture(work / "shots/rush_hour/easy/01.png", RED)
    run()
    kept = place.read_bytes()
    plain_picture(picture, BLUE)
    report = run()
    row = report.images[0]
    assert place.read_bytes() == kept
    assert (row["status"], report.exit_code) == ("ok", 1)
    assert row["level"] == "catalogue/candidates/rush_hour/01.json"
    assert "holds a different level" in row["reasons"][0]
    assert read_level(Path(row["level"])).digest == row["digest"]
    replaced = run(replace=True)
    assert (replaced.exit_code, replaced.images[0]["level"]) == (0, "catalogue/rush_hour/easy/01.json")
    assert place.read_bytes() != kept


def edit(path: Path, old: str, new: str) -> bytes:
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")
    return path.read_bytes()


@pytest.mark.parametrize("replace", [False, True])
@pytest.mark.parametrize("overlay", [False, True])
@pytest.mark.parametrize("color", [RED, AMBER])
def test_a_level_edited_by_hand_is_never_overwritten(
    work: Path, color: tuple[int, int, int], overlay: bool, replace: bool
) -> None:
    plain_picture(work / "shots/rush_hour/easy/01.png", color)
    path = Path(run().images[0]["level"])
    edited = edit(path, '"row": 2', '"row": 3')
    if not overlay:  # overlays are not kept under version control
        path.with_name(path.stem + ".overlay.png").unlink()
    row = run(replace=replace).images[0]
    assert path.read_bytes() == edited
    assert row["level"] == path.as_posix()
    assert row["digest"] == read_level(path).digest
    assert "was edited by hand" in row["reasons"][-1]


def test_a_level_edited_until_it_is_none_is_kept_too(work: Path) -> None:
    plain_picture(work / "shots/x.png", RED)
    path = Path(run().images[0]["level"])
    edited = edit(path, '"row": 2', '"row": 15')
    report = run()
    assert path.read_bytes() == edited
    assert "is not a valid level" in report.images[0]["reasons"][0]
    assert report.exit_code == 1


def test_an_interrupted_run_is_finished_by_the_next(work: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for i in range(3):
        plain_picture(work / f"shots/{i}.png", RED, width=60 + i)
    placed = ingesting.Placement.put

    def interrupted(self: Any, level: Any, overlay: bytes, slot: Any) -> Any:
        if level.provenance.file == "shots/1.png":
            raise KeyboardInterrupt
        return placed(self, level, overlay, slot)

    with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
        patch.setattr(ingesting.Placement, "put", interrupted)
        run()
    assert len(list((work / "catalogue").rglob("*.json"))) == 1
    assert run().exit_code == 0
    assert len(list((work / "catalogue").rglob("*.json"))) == 3


def test_wrong_usage(work: Path) -> None:
    with pytest.raises(UsageError, match="no file or folder"):
        run("nowhere")
    with pytest.raises(UsageError, match="no game 'chess'"):
        run(".", game="chess")


def test_nothing_to_ingest_is_not_a_success(work: Path) -> None:
    (work / "shots").mkdir()
    (work / "shots/a.txt").write_text("x")
    report = run()
    assert (report.images, report.skipped, report.exit_code) == ([], 1, 1)
