"""What every extractor is given and what it answers."""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Literal

from pipeline.core.model import Document
from pipeline.extract.image import Picture

Box = tuple[float, float, float, float]
"""x, y, width, height in pixels of the picture as it is shown (after EXIF rotation)."""

DOUBT_BELOW = 0.90
"""An element read with less confidence than this makes the whole reading `uncertain`."""


@dataclass(frozen=True)
class Element:
    """One element of the board as it was read.

    `where` is its JSON path in the board (`vehicles[3]`, `bolts[2][0]`, `grid[4][7]`); `reading` says in a word what
    it was read as and `second` the second-best reading ("" when there is none). `confidence` is the probability in
    [0, 1] that the reading is right.
    """

    where: str
    box: Box
    confidence: float
    reading: str
    second: str = ""


@dataclass(frozen=True)
class Mark:
    """One stroke of the overlay, in pixels of the picture.

    `lattice` lines are drawn thin, `piece` outlines bold, `label` is text at the first point (an id or a colour name).
    `color` is sRGB; None lets the overlay choose a colour that stands out.
    """

    kind: Literal["lattice", "piece", "circle", "label"]
    points: tuple[tuple[float, float], ...]
    text: str = ""
    radius: float = 0.0
    closed: bool = False
    color: tuple[int, int, int] | None = None


@dataclass(frozen=True)
class Reading:
    """A board that was read.

    `questions` are English sentences that need a person (their presence makes the reading `uncertain`); `notes` are
    facts worth saying that need nobody (an inferred exit, a repaired colour count). `kinship` as in `Rejection`: how
    sure it is that the picture is of this game at all; below 0.5 an uncertain reading is no better than a refusal.
    """

    board: Document
    elements: tuple[Element, ...]
    marks: tuple[Mark, ...]
    questions: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    kinship: float = 1.0

    @property
    def confidence(self) -> float:
        """That of the least certain element; 1 when there is none."""
        return min((e.confidence for e in self.elements), default=1.0)

    @property
    def doubts(self) -> tuple[Element, ...]:
        """Elements in doubt, the least certain first."""
        return tuple(sorted((e for e in self.elements if e.confidence < DOUBT_BELOW), key=lambda e: e.confidence))

    @property
    def certain(self) -> bool:
        """Whether the extractor stands by every element."""
        return not self.questions and not self.doubts


@dataclass(frozen=True)
class Rejection:
    """Why the picture gives no board of this game.

    `kinship` in [0, 1] says how sure the extractor is that the picture *is* of its game all the same (a menu or another
    game: near 0; a board of the game with hidden '?' nuts: near 1). With kinship of 0.5 or more the rejection speaks
    for the picture: no other game's uncertain reading is taken in its place.
    """

    reason: str
    kinship: float = 0.0


class Extractor(ABC):
    """The extractor of one game. Pure and deterministic: the same picture gives the same answer."""

    game: str
    version: str

    @abstractmethod
    def read(self, picture: Picture) -> Reading | Rejection:
        """Read the board in the picture, or say why there is none that can be read.

        A reading of another game's screen is the extractor's own fault: it must reject what is not its game.
        """
