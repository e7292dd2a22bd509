"""What a page may say: strict forms of the messages of `docs/decisions/suite.md`."""

from typing import Annotated, Literal, Self

from pydantic import Field, TypeAdapter, ValidationError, model_validator

from pipeline.core.canonical import Json
from pipeline.core.errors import InvalidDocument, PipelineError
from pipeline.core.model import Document
from pipeline.core.strict_json import parse_strict
from pipeline.suite.gestures import Arrow, Cancel, Event, Key, Pointer

MAX_MESSAGE_BYTES = 1024

Pixel = Annotated[float, Field(ge=-100_000, le=100_000)]
Short = Annotated[str, Field(min_length=1, max_length=40)]


class PointerMessage(Document):
    """The primary pointer at a point of the board's square."""

    type: Literal["down", "move", "up"]
    x: Pixel
    y: Pixel

    def event(self) -> Event:
        """The event as the controls know it."""
        return Pointer(self.type, (self.x, self.y))


class CancelMessage(Document):
    """The pointer was lost."""

    type: Literal["cancel"]

    def event(self) -> Event:
        """The event as the controls know it."""
        return Cancel()


class KeyMessage(Document):
    """An arrow key."""

    type: Literal["key"]
    key: Arrow

    def event(self) -> Event:
        """The event as the controls know it."""
        return Key(self.key)


_ARGUMENT = {"game": "game", "difficulty": "difficulty", "level": "number"}


class Command(Document):
    """A button. `game`, `difficulty` and `number` go with the command of their kind and with no other."""

    type: Literal["command"] = "command"
    name: Literal["home", "game", "difficulty", "level", "restart", "undo", "next", "menu"]
    game: Short | None = None
    difficulty: Short | None = None
    number: Annotated[int, Field(ge=1, le=9999)] | None = None

    @model_validator(mode="after")
    def _one_argument(self) -> Self:
        given = {name for name in _ARGUMENT.values() if getattr(self, name) is not None}
        if given != ({_ARGUMENT[self.name]} if self.name in _ARGUMENT else set()):
            raise ValueError(f"the command {self.name} has other arguments")
        return self


class Settled(Document):
    """What a revision shows has been drawn and nothing moves any more."""

    type: Literal["settled"]
    revision: Annotated[int, Field(ge=0)]


EventMessage = PointerMessage | CancelMessage | KeyMessage
Message = EventMessage | Command | Settled
_MESSAGE: TypeAdapter[Message] = TypeAdapter(Annotated[Message, Field(discriminator="type")])


def parse_message(data: bytes) -> Message:
    """Read a message; PipelineError for anything that is none."""
    if len(data) > MAX_MESSAGE_BYTES:
        raise PipelineError(f"a message has at most {MAX_MESSAGE_BYTES} bytes.")
    try:
        return _MESSAGE.validate_python(parse_strict(data, "message"), strict=True)
    except (InvalidDocument, ValidationError):
        raise PipelineError("that is no message of the page.") from None


def message_of(event: Event) -> dict[str, Json]:
    """An event as a page reports it: what `parse_message` reads back."""
    match event:
        case Pointer(kind, (x, y)):
            return {"type": kind, "x": x, "y": y}
        case Key(name):
            return {"type": "key", "key": name}
        case Cancel():
            return {"type": "cancel"}
