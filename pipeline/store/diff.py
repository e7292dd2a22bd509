"""Comparing two snapshots: what changed, and whether scores on the two may be compared."""

from dataclasses import dataclass
from pathlib import Path

from pipeline.core.canonical import Json
from pipeline.core.strict_json import read_strict
from pipeline.store.manifest import FrozenLevel, Manifest
from pipeline.store.verification import RuntimeDifference, compare_runtimes


@dataclass(frozen=True)
class ChangedLevel:
    """A place whose level is not the same; `fields` are JSON paths, `puzzle_changed` whether the board itself did."""

    place: str
    fields: tuple[str, ...]
    puzzle_changed: bool


@dataclass(frozen=True)
class SnapshotDiff:
    """Places added, removed, changed and unchanged from the old to the new snapshot, and the runtime's differences."""

    old: str
    new: str
    added: tuple[str, ...]
    removed: tuple[str, ...]
    changed: tuple[ChangedLevel, ...]
    same: tuple[str, ...]
    seeds_changed: bool
    runtime: tuple[RuntimeDifference, ...]

    @property
    def content_equal(self) -> bool:
        """Whether both hold the same puzzles in the same places under the same seeds."""
        puzzles = not any(level.puzzle_changed for level in self.changed)
        return not (self.added or self.removed or self.seeds_changed) and puzzles

    @property
    def sentence(self) -> str:
        """Whether scores may be compared, in one sentence."""
        if self.content_equal and not self.runtime:
            return f"Scores on {self.old} and {self.new} may be compared: levels, seeds and runtime are the same."
        if self.content_equal:
            return (
                f"Scores on {self.old} and {self.new} may be compared only with a note: the levels and seeds are the "
                f"same, but {len(self.runtime)} entries of the runtime differ."
            )
        kept = len(self.same) + sum(not level.puzzle_changed for level in self.changed)
        if self.seeds_changed or not kept:
            return f"Scores on {self.old} and {self.new} may not be compared: they do not play the same puzzles."
        return (
            f"Scores on {self.old} and {self.new} may not be compared as a whole, only on the {kept} levels that are "
            "the same in both."
        )


def compare_snapshots(old: tuple[Path, Manifest], new: tuple[Path, Manifest]) -> SnapshotDiff:
    """Compare two snapshots given as (folder, manifest)."""
    before = {level.place: level for level in old[1].levels}
    after = {level.place: level for level in new[1].levels}
    shared = [place for place in before if place in after]
    changes = [_changed((old[0], before[p]), (new[0], after[p])) for p in shared]
    changed = tuple(change for change in changes if change is not None)
    moved = {change.place for change in changed}
    return SnapshotDiff(
        old=old[1].tag,
        new=new[1].tag,
        added=tuple(place for place in after if place not in before),
        removed=tuple(place for place in before if place not in after),
        changed=changed,
        same=tuple(place for place in shared if place not in moved),
        seeds_changed=old[1].seeds != new[1].seeds,
        runtime=tuple(compare_runtimes(old[1].runtime, new[1].runtime)),
    )


def _changed(old: tuple[Path, FrozenLevel], new: tuple[Path, FrozenLevel]) -> ChangedLevel | None:
    """How one place differs: level documents field by field, then the manifest's entries."""
    if old[1] == new[1]:
        return None
    documents = [read_strict(folder / f"levels/{level.place}.json") for folder, level in (old, new)]
    fields = list(differing_paths(documents[0], documents[1], "$"))
    entries = [level.model_dump(mode="json") for _, level in (old, new)]
    kept = ("min_moves", "lower_bound", "proven", "min_cells", "evidence", "certificate_file")
    fields += [key.removesuffix("_file") for key in kept if entries[0][key] != entries[1][key]]
    return ChangedLevel(old[1].place, tuple(fields), old[1].digest != new[1].digest)


def differing_paths(old: Json, new: Json, path: str) -> list[str]:
    """JSON paths at which two documents differ, as deep as both have the same shape."""
    if isinstance(old, dict) and isinstance(new, dict) and set(old) == set(new):
        return [found for key in old for found in differing_paths(old[key], new[key], f"{path}.{key}")]
    if isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
        pairs = enumerate(zip(old, new, strict=True))
        return [found for i, (a, b) in pairs for found in differing_paths(a, b, f"{path}[{i}]")]
    same = old == new and type(old) is type(new)
    return [] if same else [path]
