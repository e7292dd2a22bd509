"""The command line: exit codes, one line per failure, one JSON document on stdout, never a traceback."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from pipeline import cli
from tests.boards import file_level, rush_level

Capture = pytest.CaptureFixture[str]


def run(capsys: Capture, *arguments: str) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as ended:
        cli.main(arguments)
    out, err = capsys.readouterr()
    return int(ended.value.code or 0), out, err


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "with spaces 日本 é"
    folder.mkdir()
    monkeypatch.chdir(folder)
    return folder


@pytest.mark.parametrize(
    "arguments",
    [
        ["frobnicate"],
        ["validate", "missing.json"],
        ["validate"],
        ["validate", "--time-limit", "-1"],
        ["validate", "--time-limit", "nan"],
        ["validate", "--time-limit", "inf"],
        ["explain", "level.json", "--time-limit", "1e300"],
        ["snapshot"],
        ["snapshot", "--tag", "../v1"],
        ["verify", "v1"],
        ["verify", "v1/.."],
        ["diff", "v1", "v2"],
        ["ingest"],
        ["ingest", "missing.png"],
        ["ingest", "--game", "chess", "."],
        ["ingest", "--check", "level.json"],
        ["add", "missing.json", "--to", "nowhere"],
        ["explain"],
    ],
)
def test_wrong_usage_is_status_2_and_one_line(capsys: Capture, root: Path, arguments: list[str]) -> None:
    code, out, err = run(capsys, *arguments)
    assert code == 2
    assert out == ""
    assert err.startswith("lpb-pipeline: ")
    assert err.count("\n") == 1
    assert list(root.iterdir()) == []


@pytest.mark.parametrize("content", ["", "[]", "{", '{"format": "lpb-level/1"}', '{"a": NaN}', "\x00"])
def test_bad_levels_are_status_1_and_named(capsys: Capture, root: Path, content: str) -> None:
    (root / "bad.json").write_text(content)
    code, out, err = run(capsys, "validate", "bad.json", "--json")
    row = json.loads(out)["levels"][0]
    assert (code, row["valid"], row["file"]) == (1, False, "bad.json")
    assert row["problems"][0]["message"] in err
    code, out, err = run(capsys, "explain", "bad.json")
    assert code == 1
    assert err.startswith("lpb-pipeline: bad.json: ")
    assert err.count("\n") == 1


def test_the_daily_commands_end_to_end(capsys: Capture, root: Path) -> None:
    file_level(root / "catalogue", "rush_hour/easy/01", rush_level())
    code, out, err = run(capsys, "validate", "--json")
    assert code == 0
    assert json.loads(out)["summary"] == {"valid": 1, "invalid": 0, "undecided": 0}
    assert "1 levels: 1 valid" in err
    code, out, _ = run(capsys, "snapshot", "--tag", "v1", "--seed", "0", "--seed", "1", "--json")
    assert code == 0
    assert json.loads(out)["levels"] == 1
    assert run(capsys, "snapshot", "--tag", "v1")[0] == 1
    code, out, _ = run(capsys, "verify", "v1", "--json")
    assert (code, json.loads(out)["ok"]) == (0, True)
    code, out, _ = run(capsys, "diff", "v1", "v1")
    assert code == 0
    assert "may be compared" in out
    level = "catalogue/rush_hour/easy/01.json"
    code, out, _ = run(capsys, "explain", level, "--after", "C+1", "B+1", "--json")
    assert code == 1  # C cannot move right by one: there it stands against D
    code, out, _ = run(capsys, "explain", level)
    assert code == 0
    assert "proved least" in out


def test_doctor_says_what_is_there(capsys: Capture, root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LPB_CHROMIUM", str(root / "no browser"))
    code, out, _ = run(capsys, "doctor", "--json")
    findings = {finding["name"]: finding for finding in json.loads(out)["findings"]}
    assert code == 0  # a browser is not needed by the main job
    assert not findings["Chromium"]["ok"]
    assert "install" in findings["Chromium"]["fix"]
    assert findings["Python"]["ok"]


def test_help_is_quick_and_complete(capsys: Capture) -> None:
    code, out, _ = run(capsys, "--help")
    assert code == 0
    for verb in ("ingest", "add", "validate", "explain", "snapshot", "verify", "diff", "doctor"):
        assert verb in out


def test_a_reader_that_leaves_is_no_error(root: Path) -> None:
    file_level(root / "catalogue", "rush_hour/easy/01", rush_level())
    code = "from pipeline.cli import main; main(['validate'])"
    process = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert process.stdout is not None
    process.stdout.close()
    assert process.stderr is not None
    assert b"Traceback" not in process.stderr.read()
    process.wait()


@pytest.mark.parametrize("encoding", ["utf-8", "ascii"])
def test_names_that_stdout_cannot_encode_are_escaped(root: Path, encoding: str) -> None:
    """Names that are no UTF-8, or beyond the terminal's alphabet; machine output is UTF-8 JSON all the same."""
    folder = root / "levels é"
    folder.mkdir()
    try:
        Path(os.fsdecode(os.fsencode(folder) + b"/bad\xff.json")).write_text("{}")
    except OSError:
        pytest.skip("this file system has no such names")
    environment = {**os.environ, "PYTHONIOENCODING": f"{encoding}:strict", "PYTHONUTF8": "1"}
    for options in ([], ["--json"]):
        command = [sys.executable, "-m", "pipeline.cli", "validate", folder.name, *options]
        done = subprocess.run(command, cwd=root, env=environment, capture_output=True, timeout=120, check=False)
        assert done.returncode == 1
        assert b"Traceback" not in done.stderr
        if options:
            assert json.loads(done.stdout)["levels"][0]["file"] == "levels é/bad\udcff.json"
