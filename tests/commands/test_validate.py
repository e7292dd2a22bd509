"""`validate`: its report, its evidence, and that one bad file stops nothing."""

import json
from pathlib import Path
from unittest import mock

import pytest

from pipeline.commands.explain import explain
from pipeline.commands.validate import validate
from pipeline.core.errors import UsageError
from pipeline.core.outcome import Budget, Proof, Solved, Unknown
from pipeline.solve.rush_hour import SOLVER
from pipeline.store.evidence import evidence_path
from tests.boards import CARD, file_level, rush_level
from tests.samples import SAMPLED, sample_document

KEYS = [
    "file", "game", "digest", "canonical_digest", "valid", "solvable", "min_moves", "proven", "lower_bound",
    "solution", "can_dead_end", "explored", "seconds", "problems",
]  # fmt: skip


def test_a_folder_with_good_bad_and_unsolvable_levels(tmp_path: Path) -> None:
    catalogue = tmp_path / "catalogue"
    file_level(catalogue, "rush_hour/easy/01", rush_level())
    file_level(catalogue, "rush_hour/easy/02", rush_level("X X A\n. . A\n. . A"))
    broken = catalogue / "rush_hour/easy/03.json"
    broken.write_text('{"format": "lpb-level/1", "format": 2}')
    report = validate([catalogue], catalogue=catalogue)
    good, unsolvable, bad = report.levels
    assert list(good) == KEYS
    assert (good["valid"], good["solvable"], good["proven"], good["can_dead_end"]) == (True, True, True, False)
    assert good["min_moves"] == good["lower_bound"] == len(good["solution"])
    assert (unsolvable["valid"], unsolvable["solvable"]) == (False, False)
    assert (bad["valid"], bad["digest"], bad["problems"][0]["code"]) == (False, None, "duplicate_key")
    assert report.document()["summary"] == {"valid": 1, "invalid": 2, "undecided": 0}
    assert report.exit_code == 1


@pytest.mark.parametrize("game", SAMPLED)
def test_samples_of_every_game_are_valid(tmp_path: Path, game: str) -> None:
    path = tmp_path / "a.json"
    path.write_text(json.dumps(sample_document(game)))
    row = validate([path], catalogue=tmp_path / "none").levels[0]
    assert (row["valid"], row["solvable"], row["proven"], row["problems"]) == (True, True, True, [])
    assert not (tmp_path / "none").exists()


def test_a_maze_that_can_be_lost_is_solvable_and_yet_not_valid(tmp_path: Path) -> None:
    """After `down left` no slide stops below the left column again: its cells can no longer be painted."""
    board = {"grid": ["##...###", "##.#@###", "##.#.###", "........"]}
    path = tmp_path / "maze_paint" / "easy" / "01.json"
    path.parent.mkdir(parents=True)
    document = sample_document("maze_paint") | {"board": board}
    path.write_text(json.dumps(document))
    row = validate([path], catalogue=tmp_path, budget=Budget()).document()["levels"][0]
    assert (row["solvable"], row["can_dead_end"], row["valid"]) == (True, True, False)
    assert [problem["code"] for problem in row["problems"]] == ["unsafe"]


def test_evidence_is_filed_and_not_made_twice(tmp_path: Path) -> None:
    catalogue = tmp_path / "catalogue"
    file_level(catalogue, "rush_hour/easy/01", rush_level())
    first = validate([], catalogue=catalogue).levels[0]
    filed = evidence_path(catalogue, first["digest"], "certificate")
    before = filed.read_bytes()
    with mock.patch.object(type(SOLVER), "solve", side_effect=AssertionError("solved twice")):
        again = validate([], catalogue=catalogue).levels[0]
        assert {**again, "seconds": 0} == {**first, "seconds": 0}
        with pytest.raises(AssertionError):
            validate([], catalogue=catalogue, anew=True)
    with mock.patch.object(SOLVER, "version", "2"):
        validate([], catalogue=catalogue)
        assert filed.read_bytes() != before


def test_damaged_evidence_is_made_again(tmp_path: Path) -> None:
    catalogue = tmp_path / "catalogue"
    file_level(catalogue, "rush_hour/easy/01", rush_level())
    digest = validate([], catalogue=catalogue).levels[0]["digest"]
    filed = evidence_path(catalogue, digest, "certificate")
    good = filed.read_bytes()
    for bad in (b"", b"{}", good.replace(b'"explored": ', b'"explored": 1'), good[:-20]):
        filed.write_bytes(bad)
        assert validate([], catalogue=catalogue).exit_code == 0
        assert filed.read_bytes() == good


def test_running_out_is_undecided_with_a_bound_and_leaves_no_evidence(tmp_path: Path) -> None:
    catalogue = tmp_path / "catalogue"
    file_level(catalogue, "rush_hour/easy/01", rush_level())
    unknown = Unknown(3, 77, "stopped after 77 states")
    with mock.patch.object(type(SOLVER), "solve", return_value=unknown):
        report = validate([], catalogue=catalogue, budget=Budget(states=5))
    row = report.levels[0]
    assert (row["valid"], row["solvable"], row["solution"], row["proven"]) == (True, None, None, False)
    assert (row["lower_bound"], row["explored"], row["problems"][0]["code"]) == (3, 77, "undecided")
    assert report.document()["summary"] == {"valid": 0, "invalid": 0, "undecided": 1}
    assert (report.exit_code, (catalogue / "evidence").exists()) == (1, False)


def test_a_solver_that_claims_too_much_is_caught(tmp_path: Path) -> None:
    catalogue = tmp_path / "catalogue"
    file_level(catalogue, "rush_hour/easy/01", rush_level())
    false = Solved((), 0, True, Proof("exhausted", {"states": 1}), 1, {"can_dead_end": False})
    with mock.patch.object(type(SOLVER), "solve", return_value=false):
        row = validate([], catalogue=catalogue).levels[0]
    assert (row["solvable"], row["problems"][0]["code"]) == (None, "certificate_rejected")
    assert not (catalogue / "evidence").exists()


def test_the_same_puzzle_twice_is_named(tmp_path: Path) -> None:
    catalogue = tmp_path / "catalogue"
    file_level(catalogue, "rush_hour/easy/01", rush_level())
    mirrored = "\n".join(" ".join(reversed(line.split())) for line in CARD.strip().splitlines())
    file_level(catalogue, "rush_hour/hard/01", rush_level(mirrored, "left"))
    report = validate([], catalogue=catalogue)
    assert [p["code"] for row in report.levels for p in row["problems"]] == ["duplicate"]
    assert "easy/01.json" in report.levels[1]["problems"][0]["message"]


def test_misplaced_files_are_not_passed_over(tmp_path: Path) -> None:
    catalogue = tmp_path / "catalogue"
    file_level(catalogue, "rush_hour/easy/01", rush_level())
    file_level(catalogue, "rush_hour/easy/first", rush_level(CARD.replace("E", "F")))
    file_level(catalogue, "candidates/rush_hour/shot", rush_level())
    assert [Path(row["file"]).stem for row in validate([], catalogue=catalogue).levels] == ["01", "first"]


@pytest.mark.parametrize("case", ["no catalogue", "no path", "empty folder"])
def test_nothing_to_validate_is_a_usage_error(tmp_path: Path, case: str) -> None:
    paths = {"no catalogue": [], "no path": [tmp_path / "x.json"], "empty folder": [tmp_path]}[case]
    with pytest.raises(UsageError):
        validate(paths, catalogue=tmp_path / "catalogue")


@pytest.mark.slow
def test_any_number_of_workers_gives_the_same_report(tmp_path: Path) -> None:
    catalogue = tmp_path / "catalogue"
    for number, shift in enumerate(["E E .", ". E E", "E E F", "F E E"]):
        drawing = CARD.replace("E E .", shift).replace("F", ".")
        file_level(catalogue, f"rush_hour/easy/0{number + 1}", rush_level(drawing))
    one, three = (validate([], catalogue=catalogue, workers=workers, anew=True).levels for workers in (1, 3))
    assert [{**row, "seconds": 0} for row in one] == [{**row, "seconds": 0} for row in three]


def test_kernels_are_ready_before_any_clock_runs(tmp_path: Path) -> None:
    """Compiling takes longer than a short time limit: counted against it, an easy level would come out undecided."""
    path = tmp_path / "level.json"
    path.write_bytes(rush_level().to_bytes())
    for command in (lambda: validate([path], catalogue=tmp_path / "none"), lambda: explain(path)):
        order: list[str] = []
        with (
            mock.patch.object(type(SOLVER), "warm_up", lambda _, order=order: order.append("warm")),
            mock.patch.object(
                type(SOLVER), "solve", lambda *_, order=order: order.append("solve") or Unknown(0, 0, "stopped")
            ),
        ):
            command()
        assert order == ["warm", "solve"]
