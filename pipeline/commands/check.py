"""`ingest --check LEVEL IMAGE`: does a level, edited by hand perhaps, agree with its picture?"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from pipeline.commands.ingest import caption_facts
from pipeline.core.canonical import Json
from pipeline.core.errors import PipelineError
from pipeline.core.files import write_atomic
from pipeline.extract.compare import Difference, differences
from pipeline.extract.contract import Element, Reading
from pipeline.extract.image import load_picture
from pipeline.extract.image_header import UnreadableImage
from pipeline.extract.overlay import Caption, box_text, draw_overlay
from pipeline.extract.recognise import recognise
from pipeline.games.level import read_level
from pipeline.store.placement import OVERLAY_SUFFIX


@dataclass(frozen=True)
class CheckReport:
    """What disagrees, and the overlay that shows where."""

    level: Path
    image: Path
    overlay: Path
    disagreements: tuple[str, ...]
    notes: tuple[str, ...]

    @property
    def exit_code(self) -> int:
        """0 when level and picture agree, else 1."""
        return 1 if self.disagreements else 0

    def document(self) -> Json:
        """The machine output of `--json`."""
        return {
            "level": self.level.as_posix(),
            "image": self.image.as_posix(),
            "overlay": self.overlay.as_posix(),
            "agrees": not self.disagreements,
            "disagreements": list(self.disagreements),
            "notes": list(self.notes),
        }


def check(level_path: Path, image_path: Path) -> CheckReport:
    """Read the picture as the level's game and compare element by element; the level itself is not written.

    The overlay goes to `<level>.check.overlay.png`. InvalidDocument for a level that is none; PipelineError when the
    picture cannot be read at all.
    """
    level = read_level(level_path)
    try:
        picture = load_picture(image_path)
    except UnreadableImage as error:
        raise PipelineError(f"{image_path}: {error}") from None
    reading = recognise(picture, level.game.name).answer
    if not isinstance(reading, Reading):
        raise PipelineError(f"{image_path}: {reading.reason}")
    found = differences(level.board, reading.board)
    disagreements = tuple(_sentence(difference, reading) for difference in found)
    doubts = tuple(_doubt(element) for element in reading.doubts)
    shown = replace(reading, elements=_shown(found, reading))
    status = "disagrees" if found else "agrees"
    caption = Caption(status, caption_facts(level.game.name, level.board, reading.confidence), disagreements)
    overlay = level_path.with_name(f"{level_path.stem}.check{OVERLAY_SUFFIX}")
    write_atomic(overlay, draw_overlay(picture, shown, caption))
    return CheckReport(level_path, image_path, overlay, disagreements, (*doubts, *reading.questions))


def _sentence(difference: Difference, reading: Reading) -> str:
    element = _element(difference.reading_path, reading.elements)
    return f"{difference}" if element is None else f"{difference} ({box_text(element.box)})"


def _doubt(element: Element) -> str:
    return f"{element.where} ({box_text(element.box)}) was itself read with confidence {element.confidence:.2f} only."


def _shown(found: Sequence[Difference], reading: Reading) -> tuple[Element, ...]:
    """The elements that disagree, marked as doubtful so that the overlay boxes them."""
    elements = (_element(difference.reading_path, reading.elements) for difference in found)
    return tuple(dict.fromkeys(replace(e, confidence=0.0) for e in elements if e is not None))


def _element(path: str, elements: Sequence[Element]) -> Element | None:
    """The element that a JSON path in the reading lies in or contains: the closest one."""
    around = [e for e in elements if path and (_within(path, e.where) or _within(e.where, path))]
    return max(around, key=lambda e: len(e.where), default=None)


def _within(inner: str, outer: str) -> bool:
    return inner == outer or inner.startswith((outer + ".", outer + "["))
