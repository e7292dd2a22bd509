"""Where a level read from a screenshot is put, and what may be overwritten.

    <out>/<game>/<difficulty>/NN.json     read with certainty from a picture at <game>/<difficulty>/NN
    <out>/candidates/<game>/<stem>.json   everything else, until a person files it

Nothing a person did is ever lost: a different level in the place stays (unless `replace` is asked for), and a level
that was edited by hand since it was read stays in any case. An edit is recognised by the overlay beside the level,
whose note names the digest of the board it was drawn from.
"""

import re
from dataclasses import dataclass
from pathlib import Path

from pipeline.core.errors import InvalidDocument
from pipeline.core.files import write_atomic
from pipeline.core.png import note_of, with_note
from pipeline.core.strict_json import read_strict
from pipeline.games.level import Level, Screenshot, read_level

CANDIDATES = "candidates"
NOTE = "lpb-digest"
OVERLAY_SUFFIX = ".overlay.png"

_NUMBER = re.compile(r"[0-9]{2,4}")
_DIFFICULTY = re.compile(r"[a-z][a-z0-9_-]{0,39}")
_UNSAFE = re.compile(r"[^\w.-]+")


@dataclass(frozen=True)
class Slot:
    """A place in the catalogue that a picture's own path asks for."""

    game: str
    difficulty: str
    number: str


@dataclass(frozen=True)
class Placed:
    """Where the level is now. `reasons` say what stood in the way; `conflict`: a person must settle it."""

    path: Path
    digest: str
    reasons: tuple[str, ...] = ()
    conflict: bool = False


def slot_of(parts: tuple[str, ...]) -> Slot | None:
    """The place that the end of a path, `…/<game>/<difficulty>/NN.<ext>`, names; None for other paths."""
    if len(parts) < 3:
        return None
    game, difficulty, name = parts[-3:]
    stem = name.rpartition(".")[0] or name
    if game == CANDIDATES or not _DIFFICULTY.fullmatch(difficulty) or not _NUMBER.fullmatch(stem):
        return None
    return Slot(game, difficulty, stem)


def overlay_of(level: Path) -> Path:
    """The overlay that belongs to a level file."""
    return level.with_name(level.stem + OVERLAY_SUFFIX)


def slot_path(out: Path, slot: Slot) -> Path:
    """The level file of a place."""
    return out / slot.game / slot.difficulty / f"{slot.number}.json"


def next_number(folder: Path) -> int:
    """One more than the highest level number in a difficulty's folder: a number that was given away is not reused."""
    return 1 + max((int(path.stem) for path in folder.glob("*.json") if _NUMBER.fullmatch(path.stem)), default=0)


class Placement:
    """Puts levels into one catalogue folder; knows which pictures its levels were read from."""

    def __init__(self, out: Path, *, replace: bool = False) -> None:
        self._out, self._replace = out, replace
        self._by_source: dict[tuple[str, str, str], list[Path]] = {}
        for path in sorted(out.glob("*/*/*.json")):
            source = _source_of_file(path)
            if source is not None:
                self._by_source.setdefault(source, []).append(path)

    def put(self, level: Level, overlay: bytes, slot: Slot | None) -> Placed:
        """Write the level and its overlay to `slot`, or to the candidates when it is None or taken."""
        if slot is not None and slot.game == level.game.name:
            path = slot_path(self._out, slot)
            standing = self._standing(path, level)
            if standing is None:
                return self._write(path, level, overlay)
            if not standing.conflict:
                return standing
            candidate = self._write_candidate(level, overlay)
            return Placed(candidate.path, candidate.digest, standing.reasons + candidate.reasons, conflict=True)
        filed = [p for p in self._by_source.get(_source(level), []) if p.parent.parent.name != CANDIDATES]
        if filed:
            return self._keep_filed(filed[0], level)
        return self._write_candidate(level, overlay)

    def _keep_filed(self, path: Path, level: Level) -> Placed:
        """The picture's level was filed by a person: that decision stands."""
        existing = _existing(path)
        digest = existing.digest if existing else level.digest
        reasons = () if digest == level.digest else (f"{path.as_posix()} was filed from this picture; kept as it is.",)
        return Placed(path, digest, reasons)

    def _write_candidate(self, level: Level, overlay: bytes) -> Placed:
        path = self._candidate_path(level)
        return self._standing(path, level) or self._write(path, level, overlay)

    def _candidate_path(self, level: Level) -> Path:
        """The candidate of the same picture if there is one, else the first name still free."""
        assert isinstance(level.provenance, Screenshot)
        folder = self._out / CANDIDATES / level.game.name
        own = [p for p in self._by_source.get(_source(level), []) if p.parent == folder]
        if own:
            return own[0]
        stem = _UNSAFE.sub("_", Path(level.provenance.file).stem).strip(".")[:80] or "level"
        unique = f"{stem}-{level.provenance.sha256[:8]}"
        names = [stem, unique, *(f"{unique}-{i}" for i in range(2, 1000))]
        return next(p for name in names if not (p := folder / f"{name}.json").exists())

    def _standing(self, path: Path, level: Level) -> Placed | None:
        """What keeps the level from being written to `path`; None when it may be."""
        if not path.exists():
            return None
        shown, existing = path.as_posix(), _existing(path)
        if existing is None:
            reason = f"{shown} is not a valid level; kept as it is."
            return None if self._replace else Placed(path, level.digest, (reason,), conflict=True)
        same_picture = isinstance(existing.provenance, Screenshot) and _source(existing) == _source(level)
        if existing.digest == level.digest:
            return None if same_picture else Placed(path, existing.digest)
        if same_picture and _edited(path, existing, level):
            reason = f"{shown} was edited by hand since it was read; kept (delete it to have it read again)."
            return Placed(path, existing.digest, (reason,))
        untouched = same_picture and _drawn_from(path) == existing.digest
        if self._replace or (untouched and path.parent.parent.name == CANDIDATES):
            return None
        reason = f"{shown} holds a different level; kept (use --replace to overwrite it)."
        return Placed(path, existing.digest, (reason,), conflict=True)

    def _write(self, path: Path, level: Level, overlay: bytes) -> Placed:
        write_atomic(path, level.to_bytes())
        write_atomic(overlay_of(path), with_note(overlay, NOTE, level.digest))
        known = self._by_source.setdefault(_source(level), [])
        if path not in known:
            known.append(path)
        return Placed(path, level.digest)


def _source(level: Level) -> tuple[str, str, str]:
    """What identifies the picture a level was read from, and as what."""
    assert isinstance(level.provenance, Screenshot)
    return level.game.name, level.provenance.sha256, level.provenance.file


def _source_of_file(path: Path) -> tuple[str, str, str] | None:
    """As `_source`, for a file that need not be a valid level (a person may be in the middle of editing it)."""
    try:
        document = read_strict(path)
    except InvalidDocument:
        return None
    match document:
        case {"game": str(game), "provenance": {"sha256": str(sha256), "file": str(file)}}:
            return game, sha256, file
    return None


def _existing(path: Path) -> Level | None:
    try:
        return read_level(path)
    except InvalidDocument:
        return None


def _drawn_from(path: Path) -> str | None:
    """The digest of the board that the overlay beside a level was drawn from."""
    overlay = overlay_of(path)
    return note_of(overlay.read_bytes(), NOTE) if overlay.is_file() else None


def _edited(path: Path, existing: Level, level: Level) -> bool:
    """Whether a person changed the board since it was read from the same picture.

    Without an overlay: the same version of an extractor reads the same board, so another board was written by hand.
    """
    drawn = _drawn_from(path)
    if drawn is not None:
        return drawn != existing.digest
    assert isinstance(existing.provenance, Screenshot)
    assert isinstance(level.provenance, Screenshot)
    return existing.provenance.version == level.provenance.version
