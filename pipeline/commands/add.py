"""`add`: file candidates under the next numbers of a difficulty."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from pipeline.core.errors import InvalidDocument, PipelineError, UsageError
from pipeline.core.files import write_atomic
from pipeline.games.level import Level, read_level
from pipeline.games.table import GAMES
from pipeline.store.placement import CANDIDATES, Slot, next_number, overlay_of, slot_of, slot_path


@dataclass(frozen=True)
class Filed:
    """A candidate's old and new place."""

    source: Path
    path: Path


def add(
    candidates: Sequence[Path], to: str, *, catalogue: Path = Path("catalogue"), allow_duplicates: bool = False
) -> list[Filed]:
    """File levels as `<game>/<difficulty>`, in the order given, all of them or none.

    Candidates below the catalogue are moved with their overlays, other files are copied. UsageError for a place that is
    none and for a file named twice; PipelineError for a level of another game, and for one whose puzzle (renamed,
    mirrored or rotated) is already in the catalogue, unless `allow_duplicates`; InvalidDocument for a file that is no
    valid level.
    """
    game, difficulty = _target(to)
    if len({path.resolve() for path in candidates}) < len(candidates):
        raise UsageError("a candidate is named twice.")
    levels = [read_level(path) for path in candidates]
    for path, level in zip(candidates, levels, strict=True):
        if level.game.name != game:
            raise PipelineError(f"{path} is a level of {level.game.name}, not of {game}.")
    if not allow_duplicates:
        _refuse_duplicates(candidates, levels, catalogue / game)
    filed = []
    for path in candidates:
        number = next_number(catalogue / game / difficulty)
        place = slot_path(catalogue, Slot(game, difficulty, f"{number:02d}"))
        _move(path, place, catalogue / CANDIDATES)
        filed.append(Filed(path, place))
    return filed


def _target(to: str) -> tuple[str, str]:
    parts = tuple(to.strip("/").split("/"))
    slot = slot_of((*parts, "01.json")) if len(parts) == 2 else None
    if slot is None or slot.game not in GAMES:
        raise UsageError(f"{to!r} is no place like rush_hour/hard; known games are {', '.join(GAMES)}.")
    return slot.game, slot.difficulty


def _refuse_duplicates(candidates: Sequence[Path], levels: Sequence[Level], folder: Path) -> None:
    known: dict[str, Path] = {}
    for path in sorted(folder.glob("*/*.json")):
        try:
            known.setdefault(read_level(path).canonical_digest, path)
        except InvalidDocument:
            continue  # it is reported by `validate`; it cannot be anyone's duplicate
    for path, level in zip(candidates, levels, strict=True):
        twin = known.setdefault(level.canonical_digest, path)
        if twin is not path:
            raise PipelineError(f"{path} is the same puzzle as {twin} (names, mirrors and rotations aside).")


def _move(source: Path, place: Path, candidates: Path) -> None:
    """Copy level and overlay byte by byte; remove them from the candidates once both stand."""
    pairs = [(source, place), (overlay_of(source), overlay_of(place))]
    for old, new in pairs:
        if old.is_file():
            write_atomic(new, old.read_bytes())
    if source.resolve().is_relative_to(candidates.resolve()):
        for old, _ in pairs:
            old.unlink(missing_ok=True)
