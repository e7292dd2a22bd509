"""`ingest`: pictures in, levels and overlays out.

Every picture is read in a process of its own pool (a file that crashes or hangs its reader is `failed`, the others go
on), results are placed in the order of the input, and a second run over the same input changes nothing.
"""

import hashlib
import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import cv2

from pipeline.commands.pictures import Source, find_pictures
from pipeline.commands.progress import Progress
from pipeline.core.canonical import Json
from pipeline.core.errors import UsageError
from pipeline.core.memory import keep_freed_memory
from pipeline.core.model import Document
from pipeline.core.workers import Lost, Pool
from pipeline.extract.contract import Element, Rejection
from pipeline.extract.image import decode_picture, read_image_bytes
from pipeline.extract.image_header import UnreadableImage
from pipeline.extract.overlay import Caption, box_text, draw_overlay
from pipeline.extract.recognise import Broken, recognise
from pipeline.extract.table import EXTRACTORS
from pipeline.games.level import Level, Screenshot
from pipeline.games.table import GAMES
from pipeline.store.placement import Placement, overlay_of

SECONDS_PER_PICTURE = 60.0
STATUSES = ("ok", "uncertain", "rejected", "failed")

_MAX_DOUBTS = 40


@dataclass(frozen=True)
class Job:
    """One picture to read: its file, the name to remember it by, and the game when the user named one."""

    path: Path
    recorded_as: str
    game: str | None


@dataclass(frozen=True)
class Outcome:
    """What a picture gave: a status of `STATUSES`, why, and for a board that was read the level and its overlay."""

    status: str
    reasons: tuple[str, ...]
    game: str | None = None
    level: Level | None = None
    overlay: bytes = b""


@dataclass
class IngestReport:
    """The rows of machine output, and how many files were passed over because they are no pictures."""

    images: list[Json] = field(default_factory=list)
    skipped: int = 0
    conflicts: int = 0

    @property
    def exit_code(self) -> int:
        """0 when every picture gave a certain level that stands where it belongs, else 1."""
        good = self.images and all(row["status"] == "ok" for row in self.images) and not self.conflicts
        return 0 if good else 1

    def document(self) -> Json:
        """The machine output of `--json`."""
        counts = Counter(row["status"] for row in self.images)
        return {"images": self.images, "summary": {status: counts[status] for status in STATUSES}}


def ingest(
    paths: Sequence[Path],
    *,
    game: str | None = None,
    out: Path = Path("catalogue"),
    replace: bool = False,
    workers: int | None = None,
    reader: Callable[[Job], Outcome] | None = None,
) -> IngestReport:
    """Read pictures and folders of pictures, and put their levels and overlays below `out`.

    `game` None recognises the game. `reader` stands in for `read_picture` in tests; it must be a module's own function.
    UsageError for a path that does not exist or an unknown game.
    """
    if game is not None and game not in EXTRACTORS:
        raise UsageError(f"there is no game {game!r}; known are {', '.join(EXTRACTORS)}.")
    sources, skipped = find_pictures(paths)
    jobs = [Job(source.path, source.recorded_as, game) for source in sources]
    report = IngestReport(skipped=skipped)
    placement = Placement(out, replace=replace)
    with Progress(len(jobs), "pictures") as progress:
        pool = Pool(workers, SECONDS_PER_PICTURE, prepare_worker)
        results = pool.run(reader or read_picture, jobs)
        for index, result in _in_order(_counted(results, progress, sources)):
            outcome = Outcome("failed", (result.reason,)) if isinstance(result, Lost) else result
            _place(sources[index], outcome, placement, report)
    return report


def read_picture(job: Job) -> Outcome:
    """Read one picture (runs in a worker process); never raises for anything a picture can contain."""
    try:
        data = read_image_bytes(job.path)
        picture = decode_picture(data)
    except UnreadableImage as error:
        return Outcome("failed", (str(error),))
    found = recognise(picture, job.game)
    if isinstance(found.answer, Broken):
        return Outcome("failed", (found.answer.reason,), found.game)
    if isinstance(found.answer, Rejection):
        return Outcome("rejected", (found.answer.reason,), found.game)
    assert found.game is not None
    reading = found.answer
    provenance = Screenshot(
        kind="screenshot",
        file=job.recorded_as,
        sha256=hashlib.sha256(data).hexdigest(),
        width=picture.width,
        height=picture.height,
        extractor=found.game,
        version=f"{EXTRACTORS[found.game].version} (OpenCV {cv2.__version__})",
        confidence=round(reading.confidence, 4),
    )
    level = Level(GAMES[found.game], reading.board, provenance)
    defects = [f"{problem.where}: {problem.message}" for problem in level.game.defects(reading.board)]
    status = "ok" if reading.certain and not defects else "uncertain"
    reasons = (*defects, *reading.questions, *_doubts(reading.doubts), *reading.notes)
    caption = Caption(status, caption_facts(found.game, reading.board, reading.confidence), reasons)
    return Outcome(status, reasons, found.game, level, draw_overlay(picture, reading, caption))


def _doubts(elements: Sequence[Element]) -> Iterator[str]:
    """One sentence per element in doubt: what, where, how sure, and what else it may be."""
    for element in elements[:_MAX_DOUBTS]:
        second = f", perhaps {element.second}" if element.second else ""
        read = f"read as {element.reading} with confidence {element.confidence:.2f}{second}"
        yield f"{element.where} {box_text(element.box)}: {read}."
    if len(elements) > _MAX_DOUBTS:
        yield f"{len(elements) - _MAX_DOUBTS} more elements are in doubt."


def caption_facts(game: str, board: Document, confidence: float) -> str:
    """Game, size and confidence for the overlay's strip."""
    grid = getattr(board, "grid", None)
    rows, cols = (len(grid), len(grid[0])) if grid else (getattr(board, "rows", None), getattr(board, "cols", None))
    size = f"{rows} x {cols}  " if rows and cols else ""
    return f"{game}  {size}confidence {confidence:.2f}"


def _place(source: Source, outcome: Outcome, placement: Placement, report: IngestReport) -> None:
    """Write what the picture gave and add its row."""
    row: Json = {
        "file": source.shown_as,
        "status": outcome.status,
        "game": outcome.game,
        "confidence": None,
        "level": None,
        "overlay": None,
        "digest": None,
        "reasons": list(outcome.reasons),
    }
    if outcome.level is not None:
        slot = source.slot if outcome.status == "ok" else None
        placed = placement.put(outcome.level, outcome.overlay, slot)
        assert isinstance(outcome.level.provenance, Screenshot)
        overlay = overlay_of(placed.path)
        row["confidence"] = outcome.level.provenance.confidence
        row["level"], row["digest"] = placed.path.as_posix(), placed.digest
        row["overlay"] = overlay.as_posix() if overlay.is_file() else None
        row["reasons"] += placed.reasons
        report.conflicts += placed.conflict
    report.images.append(row)


def _counted(
    results: Iterable[tuple[int, Outcome | Lost]], progress: Progress, sources: Sequence[Source]
) -> Iterator[tuple[int, Outcome | Lost]]:
    for index, result in results:
        progress.step(sources[index].shown_as)
        yield index, result


def _in_order(results: Iterable[tuple[int, Outcome | Lost]]) -> Iterator[tuple[int, Outcome | Lost]]:
    """Results by rising index; what comes early waits, so that names do not depend on who was faster."""
    early: dict[int, Outcome | Lost] = {}
    following = 0
    for index, result in results:
        early[index] = result
        while following in early:
            yield following, early.pop(following)
            following += 1


def prepare_worker() -> None:
    """One thread per process, and decoders' own warnings to nowhere: the report says what is wrong with a file."""
    cv2.setNumThreads(1)
    keep_freed_memory()
    silent = os.open(os.devnull, os.O_WRONLY)
    os.dup2(silent, 2)
    os.close(silent)
