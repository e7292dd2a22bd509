"""Building a snapshot: written aside, synced, verified, and renamed into place once.

A crash at any moment leaves either the whole snapshot under its tag or none.
"""

import fcntl
import os
import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from pipeline.core.canonical import Json, digest_of_bytes, readable_bytes
from pipeline.core.errors import InvalidDocument, PipelineError
from pipeline.core.files import sync_folder
from pipeline.games.level import Level, read_level
from pipeline.store.catalogue import catalogue_levels
from pipeline.store.evidence import REQUIRED_KINDS, fresh_certificate
from pipeline.store.manifest import (
    MADE,
    MANIFEST,
    SUMS,
    FrozenLevel,
    Manifest,
    Parent,
    check_tag,
    is_tag,
    made_bytes,
    make_manifest,
    manifest_files,
    parse_manifest,
    sums_bytes,
)
from pipeline.store.runtime import gather_runtime
from pipeline.store.verification import check_integrity

_ASIDE = ".building-"


@dataclass(frozen=True)
class _Admitted:
    """A level fit for a snapshot, with the bytes of its two files."""

    place: str
    level: Level
    certificate: Json
    level_bytes: bytes
    certificate_bytes: bytes


class NotAdmitted(PipelineError):
    """Some levels of the catalogue cannot be frozen; `reasons` has one sentence for each."""

    def __init__(self, reasons: list[str]) -> None:
        self.reasons = reasons
        more = f" (and {len(reasons) - 1} more)" if len(reasons) > 1 else ""
        super().__init__(f"{reasons[0]}{more}")


def snapshot_tags(snapshots: Path) -> list[str]:
    """Tags in the order people count: v2 before v10."""
    found = [path.name for path in snapshots.glob("*/") if is_tag(path.name) and (path / MANIFEST).is_file()]
    return sorted(found, key=natural_order)


def natural_order(text: str) -> list[tuple[int, int, str]]:
    """A sort key that compares runs of digits as numbers."""
    parts = re.findall(r"\d+|\D+", text)
    return [(0, int(part), "") if part.isdigit() else (1, 0, part) for part in parts]


def build_snapshot(catalogue: Path, snapshots: Path, tag: str, seeds: tuple[int, ...]) -> Manifest:
    """Freeze every level of the catalogue under a new tag; the latest earlier tag is its parent.

    UsageError for a tag that cannot be one, PipelineError for one that exists, NotAdmitted for levels without complete
    and fresh evidence.
    """
    check_tag(tag)
    final = snapshots / tag
    if final.exists() or final.is_symlink():
        raise PipelineError(f"the snapshot {tag} exists already; tags are permanent, choose another.")
    admitted = _admit(catalogue)
    snapshots.mkdir(parents=True, exist_ok=True)
    with _only_builder(snapshots):
        if final.exists():
            raise PipelineError(f"the snapshot {tag} exists already; tags are permanent, choose another.")
        manifest = make_manifest(
            tag, _parent(snapshots), seeds, tuple(_frozen(item) for item in admitted), gather_runtime()
        )
        aside = snapshots / f"{_ASIDE}{tag}"
        _write_all(aside, manifest, admitted)
        problems = check_integrity(aside, tag)
        if problems:
            raise PipelineError(f"the snapshot just written does not verify: {problems[0].message}")
        aside.rename(final)
        sync_folder(snapshots)
    return manifest


def _admit(catalogue: Path) -> list[_Admitted]:
    admitted, reasons = [], []
    for entry in catalogue_levels(catalogue):
        try:
            level = read_level(entry.path)
        except InvalidDocument as error:
            reasons.append(str(error))
            continue
        certificate = fresh_certificate(catalogue, level)
        refusal = _refusal(entry.place, level, certificate)
        if refusal:
            reasons.append(f"{entry.path.as_posix()}: {refusal}")
        else:
            files = (readable_bytes(level.document()), readable_bytes(certificate))
            admitted.append(_Admitted(entry.place, level, certificate, *files))
    if reasons:
        raise NotAdmitted(reasons)
    if not admitted:
        raise PipelineError(f"{catalogue.as_posix()} holds no levels; ingest or add some first.")
    return admitted


def _refusal(place: str, level: Level, certificate: Json | None) -> str:
    """Why a level may not be frozen, or nothing."""
    if level.game.name != place.partition("/")[0]:
        return f"it is a level of {level.game.name} in the place of another game."
    if certificate is None:
        return "it has no fresh certificate; run `lpb-pipeline validate` first."
    claim = certificate["claim"]
    if not claim["solvable"]:
        return "it is proved unsolvable; mend it or remove it from the catalogue."
    if level.game.must_be_safe and claim["facts"].get("can_dead_end") is not False:
        return "it is not proved safe: some reachable state may be lost; mend it or remove it from the catalogue."
    return ""


def _frozen(item: _Admitted) -> FrozenLevel:
    claim = item.certificate["claim"]
    return FrozenLevel(
        place=item.place,
        game=item.level.game.name,
        digest=item.level.digest,
        canonical_digest=item.level.canonical_digest,
        level_file=digest_of_bytes(item.level_bytes),
        certificate_file=digest_of_bytes(item.certificate_bytes),
        min_moves=claim["min_moves"],
        lower_bound=claim["lower_bound"],
        proven=claim["proven"],
        min_cells=claim["facts"].get("min_cells"),
        evidence=REQUIRED_KINDS,
    )


def _parent(snapshots: Path) -> Parent | None:
    tags = snapshot_tags(snapshots)
    if not tags:
        return None
    path = snapshots / tags[-1] / MANIFEST
    return Parent(tag=tags[-1], digest=parse_manifest(path.read_bytes(), path.as_posix()).digest)


def _write_all(aside: Path, manifest: Manifest, admitted: list[_Admitted]) -> None:
    """Write every file and sync every file and folder; a leftover of a crashed build is removed first."""
    if aside.exists():
        shutil.rmtree(aside)
    aside.mkdir()
    for item in admitted:
        _write(aside / "levels" / f"{item.place}.json", item.level_bytes)
        _write(aside / "certificates" / f"{item.place}.json", item.certificate_bytes)
    _write(aside / MANIFEST, manifest.to_bytes())
    _write(aside / SUMS, sums_bytes(manifest_files(manifest)))
    now = datetime.now(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")
    _write(aside / MADE, made_bytes(now, manifest))
    for folder, _, _ in os.walk(aside):
        sync_folder(Path(folder))


def _write(path: Path, data: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())


@contextmanager
def _only_builder(snapshots: Path) -> Iterator[None]:
    """Hold the folder's lock: two builds never write aside at once, and the system frees it when a builder dies."""
    with (snapshots / ".lock").open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise PipelineError("another snapshot is being built in the same folder; try again later.") from None
        yield
