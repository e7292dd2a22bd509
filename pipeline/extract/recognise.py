"""Which game a picture shows, and its board: every extractor reads it, then their answers are weighed.

    a certain reading          wins; two games certain of one picture is a question for a person, unless one of them
                               sees clearly more that is its own (`kinship`)
    a rejection near its game  (kinship of 0.5 or more: "this is ours, but it has hidden nuts") comes next
    an uncertain reading       the most confident of those that see most of their own game, unless its own extractor
                               doubts that it is a board of its game
    only rejections            the most akin one tells why

A wrong board that nobody is asked about is the worst outcome, so an extractor that failed never counts as a rejection:
its game might have been the right one, and the answer becomes a question.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace

from pipeline.extract.confidence import calibrated
from pipeline.extract.contract import Reading, Rejection
from pipeline.extract.image import Picture
from pipeline.extract.table import EXTRACTORS

KIN = 0.5
"""From this kinship on a rejection speaks for the picture."""

CLEARLY = 0.08
"""How much more akin one of two certain readings must be for the other not to be asked about."""


@dataclass(frozen=True)
class Broken:
    """An extractor that raised: a defect of ours, told in a sentence."""

    reason: str


Answer = Reading | Rejection | Broken


@dataclass(frozen=True)
class Recognition:
    """The game a picture shows (None when it shows none that is known) and what was read."""

    game: str | None
    answer: Answer


def recognise(picture: Picture, game: str | None = None) -> Recognition:
    """Read the picture as `game`, or as whichever game it shows."""
    if game is not None:
        return Recognition(game, _guarded(_reader(game, picture), game))
    answers = {name: _guarded(_reader(name, picture), name) for name in EXTRACTORS}
    return weigh(answers)


def weigh(answers: dict[str, Answer]) -> Recognition:
    """Decide between the extractors' answers to one picture, given in the table's order."""
    answers = {name: _refused_if_strange(answer, name) for name, answer in answers.items()}
    readings = {name: a for name, a in answers.items() if isinstance(a, Reading)}
    certain = {name: r for name, r in readings.items() if r.certain}
    broken = {name: a for name, a in answers.items() if isinstance(a, Broken)}
    rejections = {name: a for name, a in answers.items() if isinstance(a, Rejection)}
    kin = {name: r for name, r in rejections.items() if r.kinship >= KIN}
    if certain or (readings and not kin):
        certain = _most_akin(certain)
        name = max(certain or _most_akin(readings), key=lambda n: readings[n].confidence)
        others = [
            f"it can also be read as {n}, with confidence {certain[n].confidence:.2f}" for n in certain if n != name
        ]
        others += [broken[n].reason for n in broken]
        return Recognition(name, _questioned(readings[name], others))
    if kin:
        name = max(kin, key=lambda n: kin[n].kinship)
        return Recognition(name, kin[name])
    if broken:
        name = next(iter(broken))
        return Recognition(None, broken[name])
    if rejections:
        name = max(rejections, key=lambda n: rejections[n].kinship)
        return Recognition(None, rejections[name])
    return Recognition(None, Rejection("no extractor is installed."))


def _most_akin(readings: dict[str, Reading]) -> dict[str, Reading]:
    """Those that see as much of their own game as any other sees of its own, or hardly less."""
    least = max((r.kinship for r in readings.values()), default=0.0) - CLEARLY
    return {name: r for name, r in readings.items() if r.kinship > least}


def _refused_if_strange(answer: Answer, name: str) -> Answer:
    """An uncertain reading of what is probably no board of the game becomes a rejection that says what was unclear."""
    if isinstance(answer, Reading) and not answer.certain and answer.kinship < KIN:
        why = " ".join(answer.questions[:2]) or "most of its elements are in doubt."
        return Rejection(f"it could be a board of {name}, but too much is unclear: {why}", answer.kinship)
    return answer


def _questioned(reading: Reading, more: list[str]) -> Reading:
    return replace(reading, questions=(*reading.questions, *(text.rstrip(".") + "." for text in more)))


def _reader(name: str, picture: Picture) -> Callable[[], Reading | Rejection]:
    def read() -> Reading | Rejection:
        answer = EXTRACTORS[name].read(picture)
        return calibrated(name, answer) if isinstance(answer, Reading) else answer

    return read


def _guarded(read: Callable[[], Reading | Rejection], name: str) -> Answer:
    try:
        return read()
    except MemoryError:
        return Broken(f"the {name} extractor ran out of memory on this picture.")
    except Exception as error:  # a batch must survive any defect of ours; the report names it
        return Broken(f"the {name} extractor failed on this picture ({type(error).__name__}: {_line(error)}).")


def _line(error: Exception) -> str:
    return " ".join(str(error).split())[:160]
