"""`snapshot`: freeze the catalogue under a tag."""

from collections.abc import Sequence
from pathlib import Path

from pipeline.core.canonical import Json
from pipeline.store.snapshot import build_snapshot


def snapshot(tag: str, *, root: Path = Path(), seeds: Sequence[int] = (0,)) -> Json:
    """Build `<root>/snapshots/<tag>` from `<root>/catalogue`; raises as `build_snapshot` does."""
    manifest = build_snapshot(root / "catalogue", root / "snapshots", tag, tuple(dict.fromkeys(seeds)))
    return {
        "tag": tag,
        "path": (root / "snapshots" / tag).as_posix(),
        "parent": manifest.parent.tag if manifest.parent else None,
        "levels": len(manifest.levels),
        "digest": manifest.digest,
        "content": manifest.content,
        "evidence": sorted({kind for level in manifest.levels for kind in level.evidence}),
    }
