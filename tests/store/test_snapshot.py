"""Snapshots: built whole or not at all, equal from equal catalogues, and every damage named."""

import contextlib
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from unittest import mock

import pytest

from pipeline.commands.snapshot import snapshot
from pipeline.commands.validate import validate
from pipeline.commands.verify import verify
from pipeline.core.errors import PipelineError, UsageError
from pipeline.store.manifest import MADE
from pipeline.store.snapshot import NotAdmitted, natural_order, snapshot_tags
from tests.boards import CARD, file_level, rush_level

SECOND = CARD.replace("E E", ". .")


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A root with two validated levels and the snapshot v1; copied by tests that change it."""
    folder = tmp_path_factory.mktemp("root")
    make_catalogue(folder)
    snapshot("v1", root=folder)
    return folder


def make_catalogue(folder: Path) -> None:
    file_level(folder / "catalogue", "rush_hour/easy/01", rush_level())
    file_level(folder / "catalogue", "rush_hour/easy/02", rush_level(SECOND))
    assert validate([], catalogue=folder / "catalogue").exit_code == 0


@pytest.fixture
def copy(root: Path, tmp_path: Path) -> Path:
    shutil.copytree(root, tmp_path / "root")
    return tmp_path / "root"


def contents(folder: Path) -> dict[str, bytes]:
    return {p.relative_to(folder).as_posix(): p.read_bytes() for p in sorted(folder.rglob("*")) if p.is_file()}


def test_a_new_snapshot_verifies(root: Path) -> None:
    report = verify("v1", root=root)
    assert (report.problems, report.runtime, report.levels) == ((), (), 2)


def test_every_flipped_bit_is_found_and_its_file_named(copy: Path) -> None:
    """300 random bits over all files, one at a time."""
    rng = random.Random(20261130)
    folder = copy / "snapshots" / "v1"
    files = sorted(p for p in folder.rglob("*") if p.is_file())
    for _ in range(300):
        path = rng.choice(files)
        good = path.read_bytes()
        bit = rng.randrange(8 * len(good))
        bad = bytearray(good)
        bad[bit // 8] ^= 1 << (bit % 8)
        path.write_bytes(bytes(bad))
        named = [problem.where for problem in verify("v1", root=copy).problems]
        assert path.relative_to(folder).as_posix() in named, f"bit {bit} of {path}"
        path.write_bytes(good)
    assert verify("v1", root=copy).problems == ()


def spoil_extra(folder: Path) -> str:
    (folder / "levels" / "note.txt").write_text("x")
    return "levels/note.txt"


def spoil_missing(folder: Path) -> str:
    (folder / "certificates/rush_hour/easy/02.json").unlink()
    return "certificates/rush_hour/easy/02.json"


def spoil_symlink(folder: Path) -> str:
    path = folder / "levels/rush_hour/easy/01.json"
    path.rename(folder.parent / "aside.json")
    path.symlink_to(folder.parent / "aside.json")
    return "levels/rush_hour/easy/01.json"


def spoil_hard_link(folder: Path) -> str:
    os.link(folder / "levels/rush_hour/easy/01.json", folder.parent / "second.json")
    return "levels/rush_hour/easy/01.json"


def spoil_case(folder: Path) -> str:
    (folder / "MANIFEST.json").write_bytes((folder / "manifest.json").read_bytes())
    return "manifest.json"


def spoil_size(folder: Path) -> str:
    path = folder / "levels/rush_hour/easy/01.json"
    path.write_bytes(path.read_bytes() + b"\n")
    return "levels/rush_hour/easy/01.json"


def spoil_empty_folder(folder: Path) -> str:
    (folder / "playtests").mkdir()
    return "playtests"


def spoil_exchange(folder: Path) -> str:
    one, two = (folder / f"levels/rush_hour/easy/0{n}.json" for n in (1, 2))
    first, second = one.read_bytes(), two.read_bytes()
    one.write_bytes(second)
    two.write_bytes(first)
    return "levels/rush_hour/easy/02.json"


SPOILERS = [value for name, value in sorted(globals().items()) if name.startswith("spoil_")]


@pytest.mark.parametrize("spoil", SPOILERS, ids=lambda f: f.__name__)
def test_strange_files_are_named(copy: Path, spoil: Callable[[Path], str]) -> None:
    named = spoil(copy / "snapshots" / "v1")
    assert named in [problem.where for problem in verify("v1", root=copy).problems]


def test_a_manifest_may_not_point_outside(copy: Path) -> None:
    path = copy / "snapshots" / "v1" / "manifest.json"
    text = path.read_text().replace("rush_hour/easy/01", "../rush_hour/easy/01", 1)
    path.write_text(text)
    assert verify("v1", root=copy).problems[0].where == "manifest.json"


def test_a_forged_certificate_is_refused_though_all_digests_fit(copy: Path) -> None:
    """Someone rebuilds the whole snapshot around a solution that cuts a move: replay finds it."""
    from pipeline.core.canonical import digest_of, digest_of_bytes, readable_bytes
    from pipeline.store.manifest import made_bytes, make_manifest, manifest_files, parse_manifest, sums_bytes

    folder = copy / "snapshots" / "v1"
    old = parse_manifest((folder / "manifest.json").read_bytes(), "m")
    path = folder / "certificates/rush_hour/easy/01.json"
    certificate = json.loads(path.read_bytes())
    claim = certificate["claim"]
    claim["solution"] = claim["solution"][1:]
    claim["min_moves"] = claim["lower_bound"] = len(claim["solution"])
    certificate["seal"] = digest_of({k: v for k, v in certificate.items() if k != "seal"})
    path.write_bytes(readable_bytes(certificate))
    counts = {"min_moves": claim["min_moves"], "lower_bound": claim["lower_bound"]}
    forged = old.levels[0].model_copy(update={"certificate_file": digest_of_bytes(path.read_bytes()), **counts})
    new = make_manifest("v1", old.parent, old.seeds, (forged, *old.levels[1:]), old.runtime)
    (folder / "manifest.json").write_bytes(new.to_bytes())
    (folder / "SHA256SUMS").write_bytes(sums_bytes(manifest_files(new)))
    (folder / MADE).write_bytes(made_bytes("2026-01-01T00:00:00Z", new))
    problems = verify("v1", root=copy).problems
    assert [p.where for p in problems] == ["certificates/rush_hour/easy/01.json"]


def test_existing_tag_is_refused_and_left_alone(copy: Path) -> None:
    before = contents(copy / "snapshots")
    with pytest.raises(PipelineError, match="exists already"):
        snapshot("v1", root=copy)
    assert contents(copy / "snapshots") == before


@pytest.mark.parametrize("tag", ["", "../x", "a/b", ".hidden", "v1 ", "x" * 65, "é"])
def test_bad_tags_are_usage_errors(copy: Path, tag: str) -> None:
    with pytest.raises(UsageError):
        snapshot(tag, root=copy)


def test_an_edited_level_loses_its_evidence(copy: Path) -> None:
    file_level(copy / "catalogue", "rush_hour/easy/01", rush_level(CARD.replace("D", "F")))
    with pytest.raises(NotAdmitted, match="no fresh certificate"):
        snapshot("v2", root=copy)


def test_stale_solver_versions_are_not_admitted(copy: Path) -> None:
    from pipeline.solve.rush_hour import SOLVER

    with mock.patch.object(SOLVER, "version", "another"), pytest.raises(NotAdmitted, match="no fresh certificate"):
        snapshot("v2", root=copy)


def test_tags_are_counted_as_people_count() -> None:
    assert sorted(["v10", "v2", "v1-b", "v1"], key=natural_order) == ["v1", "v1-b", "v2", "v10"]


@pytest.mark.parametrize("name", ["v1 (copy)", "v²", ".v1", "v1."])
def test_folders_whose_name_is_no_tag_are_no_snapshots(copy: Path, name: str) -> None:
    shutil.copytree(copy / "snapshots/v1", copy / "snapshots" / name)
    assert snapshot_tags(copy / "snapshots") == ["v1"]


def test_a_different_runtime_is_reported_and_strict_makes_it_an_error(root: Path) -> None:
    then = json.loads((root / "snapshots/v1/manifest.json").read_bytes())["runtime"]
    other = {**then, "python": "CPython 9.9.9"}
    with mock.patch("pipeline.store.verification.gather_runtime", return_value=other):
        relaxed, strict = verify("v1", root=root), verify("v1", root=root, strict=True)
    assert (relaxed.exit_code, strict.exit_code) == (0, 1)
    assert [d.what for d in relaxed.runtime] == ["python"]


BUILD = "from pipeline.cli import main; main(['snapshot', '--tag', 'v1', '--root', 'root'])"


@pytest.mark.slow
def test_equal_catalogues_give_equal_bytes_everywhere(tmp_path: Path) -> None:
    """Other path, time zone, hash seed and order of making; only made.json may differ."""
    found = []
    for number, (zone, seed) in enumerate([("UTC", "0"), ("Asia/Tokyo", "42")]):
        folder = tmp_path / f"place {number} 日本 é"
        levels = [("01", rush_level()), ("02", rush_level(SECOND))]
        for name, level in levels[:: 1 if number else -1]:
            file_level(folder / "root" / "catalogue", f"rush_hour/easy/{name}", level)
        env = {**os.environ, "TZ": zone, "PYTHONHASHSEED": seed}
        validating = "from pipeline.cli import main; main(['validate', '--root', 'root'])"
        for code in (validating, BUILD):
            subprocess.run([sys.executable, "-c", code], cwd=folder, env=env, check=True, capture_output=True)
        found.append(contents(folder / "root" / "snapshots" / "v1"))
    for files in found:
        files.pop(MADE)
    assert found[0] == found[1]


def build_slowly(folder: Path) -> None:
    """Build v2 with a pause at every sync, so that a kill finds it at any stage."""
    real = os.fsync

    def slow(handle: int) -> None:
        time.sleep(0.003)
        real(handle)

    with mock.patch("os.fsync", slow):
        snapshot("v2", root=folder)


def test_killed_at_50_random_moments_no_half_tag(copy: Path) -> None:
    """The builder dies by SIGKILL; a tag is whole or absent, and can be built afterwards."""
    build_slowly(copy)  # how long it takes, and the browser's build number, are known from here on
    shutil.rmtree(copy / "snapshots" / "v2")
    began = time.monotonic()
    build_slowly(copy)
    whole = time.monotonic() - began
    shutil.rmtree(copy / "snapshots" / "v2")
    rng = random.Random(7)
    survived = 0
    for _ in range(50):
        child = os.fork()
        if child == 0:
            build_slowly(copy)
            os._exit(0)
        time.sleep(rng.uniform(0.0, 1.1 * whole))
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        tag = copy / "snapshots" / "v2"
        if tag.exists():
            survived += 1
            assert verify("v2", root=copy).problems == ()
            shutil.rmtree(tag)
    assert survived < 50
    snapshot("v2", root=copy)
    assert verify("v2", root=copy).problems == ()


class FailingAt:
    """Stands for a system call that fails the k-th time it is made, as on a full disk."""

    def __init__(self, real: Callable[..., object], k: int) -> None:
        self._real, self._left = real, k

    def __call__(self, *arguments: object) -> object:
        self._left -= 1
        if self._left == 0:
            raise OSError(28, "No space left on device")
        return self._real(*arguments)


@pytest.mark.parametrize("name", ["fsync", "rename"])
def test_a_full_disk_leaves_no_half_tag(copy: Path, name: str) -> None:
    """Fail the k-th call for every k until a build gets through."""
    target, real = ("os.fsync", os.fsync) if name == "fsync" else ("pathlib.Path.rename", Path.rename)
    failures = 0
    while not (copy / "snapshots" / "v2").exists():
        failing = FailingAt(real, failures + 1)
        with mock.patch(target, lambda *a, failing=failing: failing(*a)), contextlib.suppress(OSError):
            snapshot("v2", root=copy)
        failures += 1
    assert failures > 1  # the last call of a build, the sync after the rename, may fail with the tag in place
    assert verify("v2", root=copy).problems == ()
