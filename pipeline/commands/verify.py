"""`verify` and what `diff` shares with it: finding a snapshot and reading its manifest."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from pipeline.commands.progress import Progress
from pipeline.core.canonical import Json
from pipeline.core.errors import Problem, UsageError
from pipeline.core.workers import Lost, Pool
from pipeline.store.manifest import MANIFEST, FrozenLevel, Manifest, check_tag, parse_manifest
from pipeline.store.snapshot import snapshot_tags
from pipeline.store.verification import RuntimeDifference, check_integrity, check_level, runtime_differences

SECONDS_PER_LEVEL = 300.0
POOL_FROM = 40
"""Fewer levels than this are checked in this process: starting others would take longer."""


@dataclass(frozen=True)
class Job:
    """A level to check, as it travels to a worker."""

    folder: Path
    level: FrozenLevel


@dataclass(frozen=True)
class VerifyReport:
    """What verifying found; `strict` counts a different runtime as an error."""

    tag: str
    digest: str | None
    levels: int
    problems: tuple[Problem, ...]
    runtime: tuple[RuntimeDifference, ...]
    strict: bool

    @property
    def exit_code(self) -> int:
        """0 when the snapshot is sound (and, if strict, the runtime the same)."""
        return 1 if self.problems or (self.strict and self.runtime) else 0

    def document(self) -> Json:
        """The machine output of `--json`."""
        differences = [{"what": d.what, "then": d.then, "now": d.now} for d in self.runtime]
        return {
            "tag": self.tag,
            "ok": self.exit_code == 0,
            "digest": self.digest,
            "levels": self.levels,
            "problems": [problem.document() for problem in self.problems],
            "runtime": differences,
        }


def verify(tag: str, *, root: Path = Path(), strict: bool = False, workers: int | None = None) -> VerifyReport:
    """Check every digest, replay every certificate by the rules alone, compare the runtime.

    UsageError when there is no snapshot of that tag.
    """
    folder = snapshot_folder(root, tag)
    problems = tuple(check_integrity(folder, tag))
    if problems:
        return VerifyReport(tag, None, 0, problems, (), strict)
    manifest = read_manifest(folder)
    found = tuple(_check_levels([Job(folder, level) for level in manifest.levels], workers))
    differences = tuple(runtime_differences(manifest))
    return VerifyReport(tag, manifest.digest, len(manifest.levels), found, differences, strict)


def snapshot_folder(root: Path, tag: str) -> Path:
    """The folder of a snapshot; UsageError naming the tags there are when it does not exist."""
    check_tag(tag)
    folder = root / "snapshots" / tag
    if not folder.is_dir():
        known = ", ".join(snapshot_tags(root / "snapshots")) or "none"
        raise UsageError(f"there is no snapshot {tag} in {(root / 'snapshots').as_posix()} (known: {known}).")
    return folder


def read_manifest(folder: Path) -> Manifest:
    """The manifest of a snapshot's folder; InvalidDocument when it is damaged."""
    path = folder / MANIFEST
    return parse_manifest(path.read_bytes(), path.as_posix())


def check_job(job: Job) -> list[Problem]:
    """Check one level (runs in a worker process when there are many)."""
    return check_level(job.folder, job.level)


def _check_levels(jobs: Sequence[Job], workers: int | None) -> list[Problem]:
    results: dict[int, list[Problem]] = {}
    with Progress(len(jobs), "levels") as progress:
        pooled = Pool(workers, SECONDS_PER_LEVEL).run(check_job, jobs) if len(jobs) >= POOL_FROM else None
        for number, result in pooled or ((n, check_job(job)) for n, job in enumerate(jobs)):
            place = jobs[number].level.place
            lost = (
                [Problem("unchecked", f"{place} could not be checked: {result.reason}", place)]
                if isinstance(result, Lost)
                else result
            )
            results[number] = lost
            progress.step(place)
    return [problem for number in sorted(results) for problem in results[number]]
