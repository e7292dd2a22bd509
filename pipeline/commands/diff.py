"""`diff`: what changed between two snapshots, and whether scores on them may be compared."""

from pathlib import Path

from pipeline.commands.verify import read_manifest, snapshot_folder
from pipeline.core.canonical import Json
from pipeline.store.diff import SnapshotDiff, compare_snapshots


def diff(old: str, new: str, *, root: Path = Path()) -> SnapshotDiff:
    """Compare two snapshots; UsageError when one is not there, InvalidDocument when one is damaged."""
    folders = snapshot_folder(root, old), snapshot_folder(root, new)
    pairs = [(folder, read_manifest(folder)) for folder in folders]
    return compare_snapshots(pairs[0], pairs[1])


def diff_document(found: SnapshotDiff) -> Json:
    """The machine output of `--json`."""
    changed = [{"place": c.place, "fields": list(c.fields), "puzzle_changed": c.puzzle_changed} for c in found.changed]
    return {
        "old": found.old,
        "new": found.new,
        "added": list(found.added),
        "removed": list(found.removed),
        "changed": changed,
        "unchanged": len(found.same),
        "seeds_changed": found.seeds_changed,
        "runtime": [{"what": d.what, "then": d.then, "now": d.now} for d in found.runtime],
        "comparable": found.content_equal,
        "verdict": found.sentence,
    }
