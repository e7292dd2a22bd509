"""`serve`: what can be played, and what is told in one line when it cannot be."""

import json
import os
import signal
import socket
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from pipeline.cli import cli, main
from pipeline.commands.serve import dressed, stock, stocked_text
from pipeline.commands.validate import validate
from pipeline.core.errors import PipelineError, UsageError
from pipeline.core.outcome import Budget
from pipeline.store.snapshot import build_snapshot
from pipeline.suite.hosting import Addresses
from tests.boards import file_level, rush_level
from tests.samples import sample_level


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A folder with a catalogue of two levels."""
    file_level(tmp_path / "catalogue", "rush_hour/easy/01", rush_level())
    file_level(tmp_path / "catalogue", "maze_paint/hard/03", sample_level("maze_paint"))
    return tmp_path


def frozen(root: Path) -> Path:
    """The folder of a snapshot of the catalogue."""
    validate((), catalogue=root / "catalogue", budget=Budget(), workers=1)
    build_snapshot(root / "catalogue", root / "snapshots", "v1", (0,))
    return root / "snapshots" / "v1"


def test_a_catalogue_is_played_without_evidence(root: Path) -> None:
    stocked = stock(None, root)
    assert [(o.game, o.difficulty, len(o.levels)) for o in stocked.shelf.objectives] == [
        ("rush_hour", "easy", 1),
        ("maze_paint", "hard", 1),
    ]
    assert stock(str(root / "catalogue"), Path("/nowhere")).shelf.digest == stocked.shelf.digest
    assert stocked.left_out == ()


def test_files_that_are_no_levels_are_left_out_and_named(root: Path) -> None:
    (root / "catalogue" / "rush_hour" / "easy" / "02.json").write_text("{}")
    file_level(root / "catalogue", "truck_escape/easy/01", rush_level())
    left_out = stock(None, root).left_out
    assert ["02.json" in left_out[0], "another game's place" in left_out[1]] == [True, True]


def test_a_snapshot_is_named_by_tag_or_folder(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = frozen(root)
    by_tag, by_folder = stock("v1", root).shelf, stock(str(folder), root).shelf
    digest = json.loads((folder / "manifest.json").read_text())["digest"]
    assert by_tag.digest == by_folder.digest == digest
    monkeypatch.chdir(folder)
    assert stock(".", root).shelf.digest == digest


def test_a_snapshot_that_is_not_as_it_was_made_is_not_played(root: Path) -> None:
    level = frozen(root) / "levels" / "rush_hour" / "easy" / "01.json"
    level.write_bytes(level.read_bytes().replace(b'"rows": 6', b'"rows": 7'))
    with pytest.raises(PipelineError, match=r"not as it was made: levels/rush_hour/easy/01\.json is damaged"):
        stock("v1", root)


@pytest.mark.parametrize("what", ["v9", "no/such/folder", ".", "..-"])
def test_what_is_not_there_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, what: str) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(UsageError):
        stock(what, tmp_path)


def test_a_theme_or_language_there_is_not_is_told() -> None:
    assert dressed(None, "zh").looks.languages[0] == "zh"
    with pytest.raises(UsageError, match="there is no theme 'plaid'; known are "):
        dressed("plaid", None)
    with pytest.raises(UsageError, match="there is no language"):
        dressed(None, "tlh")


def test_a_taken_port_is_told_in_one_line(root: Path) -> None:
    """In a process of its own: a browser test of this one may still hold its event loop."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        command = [sys.executable, "-m", "pipeline.cli", "serve", "--root", str(root)]
        port = str(taken.getsockname()[1])
        ended = subprocess.run([*command, "--port", port], capture_output=True, text=True, timeout=60, check=False)
    assert (ended.returncode, ended.stderr.count("\n"), "cannot be used" in ended.stderr) == (2, 1, True)


def test_an_empty_host_does_not_mean_everybody(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["serve", "--root", str(root), "--host", ""])
    said = capsys.readouterr().err
    assert (ended.value.code, said.count("\n"), "is empty" in said) == (2, 1, True)


@pytest.mark.parametrize(
    ("host", "warned"), [("127.0.0.1", False), ("localhost", False), ("::1", False), ("0.0.0.0", True), ("lab", True)]
)
def test_only_an_interface_that_others_reach_is_warned_of(root: Path, host: str, warned: bool) -> None:
    assert [line.split(":")[0] for line in stocked_text(stock(None, root), Addresses(host))] == ["warning"] * warned


def test_serve_has_its_page_of_help() -> None:
    assert "[SNAPSHOT|CATALOGUE]" in CliRunner().invoke(cli, ["serve", "--help"]).output


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_server_that_is_asked_to_stop_leaves_nothing_but_journals(root: Path, number: signal.Signals) -> None:
    command = [sys.executable, "-m", "pipeline.cli", "serve", "--root", str(root), "--port", "0", "--host", "0.0.0.0"]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    with subprocess.Popen(command, env={**os.environ, "PYTHONPATH": str(Path.cwd())}, **pipes) as process:
        assert process.stdout is not None
        assert process.stdout.readline().startswith("http://127.0.0.1:")
        assert (root / ".lpb-suite" / "evaluator.json").is_file()
        process.send_signal(number)
        _, said = process.communicate(timeout=60)
    assert (process.returncode, "warning: the suite answers on 0.0.0.0" in said) == (0, True)
    assert sorted(path.name for path in (root / ".lpb-suite").iterdir()) == [".lock", "sessions"]
