"""How a session begins: the parameters of a launch, checked against what there is."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Literal

from pydantic import Field, TypeAdapter, ValidationError

from pipeline.core.canonical import Json
from pipeline.core.errors import PipelineError
from pipeline.core.model import Document
from pipeline.suite.journal import DamagedJournal
from pipeline.suite.play import Spot
from pipeline.suite.shelf import Shelf
from pipeline.suite.variant import MAX_SEED

Word = Annotated[str, Field(min_length=1, max_length=40)]


class Launch(Document):
    """Where to begin, in which variant, and how it looks; what is not given is chosen by the player or the server."""

    game: Word | None = None
    difficulty: Word | None = None
    level: Annotated[int, Field(ge=1, le=9999)] | None = None
    seed: Annotated[int, Field(ge=0, le=MAX_SEED)] = 0
    theme: Word | None = None
    lang: Word | None = None

    @property
    def spot(self) -> Spot:
        """The screen to begin on."""
        return Spot(self.game, self.difficulty, self.level)


class Opening(Document):
    """The first entry of a journal. `bound`: the launch's objective is all there is to play; `shelf`: its digest."""

    format: Literal["lpb-journal/1"] = "lpb-journal/1"
    launch: Launch
    bound: bool = False
    anonymous: bool = True
    shelf: str

    def offered(self, shelf: Shelf) -> Shelf:
        """What of a shelf this player may play."""
        if not self.bound:
            return shelf
        return shelf.only(self.launch.game or "", self.launch.difficulty or "")


@dataclass(frozen=True)
class Looks:
    """Themes and languages there are, the default of each first."""

    themes: tuple[str, ...]
    languages: tuple[str, ...]


def opening_of(entry: Json, name: str) -> Opening:
    """The opening that the first entry of a journal tells of; DamagedJournal when it tells of none."""
    try:
        return TypeAdapter(Opening).validate_python(entry["opening"], strict=True)
    except (TypeError, KeyError, ValidationError):
        raise DamagedJournal(name, 0, "does not open a session") from None


def launch_of_query(query: Mapping[str, str]) -> Launch:
    """A launch from the parameters of an address; PipelineError with one sentence for any that is wrong."""
    given: dict[str, Json] = dict(query)
    for name in ("level", "seed"):
        text = query.get(name)
        if text is not None and text.isascii() and text.isdecimal() and len(text) <= 10:
            given[name] = int(text)
    return launch_of(given)


def launch_of(given: Json) -> Launch:
    """A launch from JSON; PipelineError with one sentence for what is wrong."""
    try:
        return TypeAdapter(Launch).validate_python(given, strict=True)
    except ValidationError as error:
        detail = error.errors(include_url=False)[0]
        name = ".".join(str(part) for part in detail["loc"])[:40] or "launch"
        if detail["type"] == "extra_forbidden":
            known = ", ".join(Launch.model_fields)
            raise PipelineError(f"there is no parameter {name!r}; known are {known}.") from None
        said = detail["msg"][:1].lower() + detail["msg"][1:]
        raise PipelineError(f"the parameter {name!r} is wrong: {said}.") from None


def check_launch(launch: Launch, shelf: Shelf, looks: Looks) -> Launch:
    """The launch with looks filled in; PipelineError with one sentence when it names what is not there."""
    theme, lang = launch.theme or looks.themes[0], launch.lang or looks.languages[0]
    _one_of("theme", theme, looks.themes)
    _one_of("lang", lang, looks.languages)
    if launch.game is None and (launch.difficulty is not None or launch.level is not None):
        raise PipelineError("a difficulty or level needs its game.")
    if launch.game is not None:
        _one_of("game", launch.game, shelf.games)
        if launch.difficulty is not None:
            _one_of("difficulty", launch.difficulty, tuple(o.difficulty for o in shelf.of_game(launch.game)))
            _check_level(launch, shelf)
        elif launch.level is not None:
            raise PipelineError("a level needs its difficulty.")
    return launch.model_copy(update={"theme": theme, "lang": lang})


def _check_level(launch: Launch, shelf: Shelf) -> None:
    objective = shelf.objective(launch.game or "", launch.difficulty or "")
    last = len(objective.levels) if objective else 0
    if launch.level is not None and launch.level > last:
        raise PipelineError(f"there is no level {launch.level}: {launch.game} {launch.difficulty} has {last}.")


def _one_of(name: str, value: str, known: tuple[str, ...]) -> None:
    if value not in known:
        raise PipelineError(f"there is no {name} {value!r}; known are {', '.join(known)}.")
