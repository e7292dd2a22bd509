"""Verifying a snapshot: that it is whole and undamaged, that its certificates hold, that the runtime is the same."""

import os
from dataclasses import dataclass
from pathlib import Path

from pipeline.core.canonical import Json, digest_of_bytes
from pipeline.core.errors import InvalidDocument, Problem
from pipeline.core.strict_json import parse_strict
from pipeline.games.level import Level, parse_level
from pipeline.solve.certificate import check_certificate
from pipeline.store.manifest import (
    MADE,
    MANIFEST,
    SUMS,
    FrozenLevel,
    Manifest,
    made_is_sound,
    manifest_files,
    parse_manifest,
    sums_bytes,
)
from pipeline.store.runtime import gather_runtime

MAX_FILE_BYTES = 64 * 1024 * 1024


@dataclass(frozen=True)
class RuntimeDifference:
    """One entry of the runtime that is not as it was; None where it is missing."""

    what: str
    then: Json
    now: Json


def check_integrity(folder: Path, tag: str) -> list[Problem]:
    """Missing, extra, linked, damaged files; a problem's `where` is the file's path relative to the snapshot."""
    problems = _strange_entries(folder)
    try:
        manifest = parse_manifest(_read(folder / MANIFEST), MANIFEST)
    except InvalidDocument as error:
        return [*problems, Problem("damaged", f"{MANIFEST} is damaged: {error.problems[0].message}", MANIFEST)]
    except OSError:
        return [*problems, Problem("missing", f"{MANIFEST} is missing or unreadable.", MANIFEST)]
    if manifest.tag != tag:
        message = f"{MANIFEST} is of the snapshot {manifest.tag}, not {tag}."
        problems.append(Problem("other_tag", message, MANIFEST))
    sums = sums_bytes(manifest_files(manifest))
    return problems + _check_files(folder, manifest, sums)


def _check_files(folder: Path, manifest: Manifest, sums: bytes) -> list[Problem]:
    problems = []
    expected = {**manifest_files(manifest), SUMS: digest_of_bytes(sums), MADE: ""}
    for path, digest in expected.items():
        try:
            data = _read(folder / path)
        except OSError:
            problems.append(Problem("missing", f"{path} is missing or unreadable.", path))
            continue
        sound = digest_of_bytes(data) == digest if path != MADE else made_is_sound(data, manifest)
        if not sound:
            problems.append(Problem("damaged", f"{path} is damaged: its content does not match its digest.", path))
    present = {path.relative_to(folder).as_posix() for path in folder.rglob("*") if not path.is_dir()}
    extra = sorted(present - set(expected))
    return problems + [Problem("extra", f"{path} does not belong to the snapshot.", path) for path in extra]


def _strange_entries(folder: Path) -> list[Problem]:
    """Links, devices, and names that differ only in case, anywhere below the folder."""
    problems, seen = [], dict[str, str]()
    if folder.is_symlink():
        return [Problem("linked", "the snapshot's folder is a symbolic link.", ".")]
    for parent, folders, files in os.walk(folder):
        for name in sorted(folders + files):
            path = Path(parent, name)
            shown = path.relative_to(folder).as_posix()
            if path.is_symlink() or not (path.is_dir() or path.is_file()):
                problems.append(Problem("linked", f"{shown} is a link or no regular file.", shown))
            elif path.is_file() and path.stat().st_nlink > 1:
                problems.append(Problem("linked", f"{shown} is hard-linked to another file.", shown))
            elif path.is_dir() and not any(path.iterdir()):
                problems.append(Problem("extra", f"{shown} is an empty folder.", shown))
            other = seen.setdefault(shown.casefold(), shown)
            if other != shown:
                problems.append(Problem("case_clash", f"{shown} and {other} differ only in case.", shown))
    return problems


def _read(path: Path) -> bytes:
    """A regular file's bytes; OSError for links and for files beyond any size we write."""
    if path.is_symlink() or not path.is_file() or path.stat().st_size > MAX_FILE_BYTES:
        raise OSError(f"{path} is no regular file of acceptable size")
    return path.read_bytes()


def check_level(folder: Path, frozen: FrozenLevel) -> list[Problem]:
    """Replay one level's certificate by the rules alone, and compare both with the manifest's entry."""
    level_path, certificate_path = frozen.paths
    try:
        level = parse_level(_read(folder / level_path), level_path)
        certificate = parse_strict(_read(folder / certificate_path), certificate_path)
    except (InvalidDocument, OSError) as error:
        return [Problem("unreadable", f"{error}", level_path)]
    problems = check_certificate(level, certificate)
    if problems:
        return [Problem(p.code, f"{certificate_path}: {p.where}: {p.message}", certificate_path) for p in problems]
    if not _fits(frozen, level, certificate):
        return [Problem("entry_disagrees", f"{level_path} does not fit its entry in {MANIFEST}.", level_path)]
    return []


def _fits(frozen: FrozenLevel, level: Level, certificate: Json) -> bool:
    claim = certificate["claim"]
    recorded = (claim["min_moves"], claim["lower_bound"], claim["proven"], claim["facts"].get("min_cells"))
    same_counts = recorded == (frozen.min_moves, frozen.lower_bound, frozen.proven, frozen.min_cells)
    digests = (level.digest, level.canonical_digest) == (frozen.digest, frozen.canonical_digest)
    return claim["solvable"] and same_counts and digests and level.game.name == frozen.game


def runtime_differences(manifest: Manifest) -> list[RuntimeDifference]:
    """How the present runtime differs from the one the snapshot was made with."""
    return compare_runtimes(manifest.runtime, gather_runtime())


def compare_runtimes(then: Json, now: Json) -> list[RuntimeDifference]:
    """Entry by entry, packages by name."""
    before, after = _flat_runtime(then), _flat_runtime(now)
    keys = sorted(set(before) | set(after))
    pairs = ((key, before.get(key), after.get(key)) for key in keys)
    return [RuntimeDifference(key, a, b) for key, a, b in pairs if a != b]


def _flat_runtime(runtime: Json) -> dict[str, Json]:
    chromium, project = runtime.get("chromium") or {}, runtime.get("project") or {}
    flat = {
        "python": runtime.get("python"),
        "chromium build": chromium.get("build"),
        "chromium flags": chromium.get("flags"),
        "project version": project.get("version"),
        "project commit": project.get("commit"),
    }
    for package in runtime.get("packages") or []:
        flat[f"package {package['name']}"] = package["version"]
        flat[f"hashes of {package['name']}"] = package["hashes"]
    return flat
