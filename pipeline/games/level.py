"""Level documents (`lpb-level/1`): strict reading, writing, digests."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Field, JsonValue, TypeAdapter, ValidationError

from pipeline.core.canonical import Json, digest_of, readable_bytes
from pipeline.core.errors import InvalidDocument, Problem
from pipeline.core.model import Document
from pipeline.core.strict_json import parse_strict, read_strict
from pipeline.games.contract import AnyGame
from pipeline.games.table import GAMES

FORMAT = "lpb-level/1"
Text = Annotated[str, Field(max_length=4096)]


class Manual(Document):
    """Provenance of a level written by hand."""

    kind: Literal["manual"]
    note: Text = ""


class Screenshot(Document):
    """Provenance of a level read from a picture; sizes in pixels, confidence in [0, 1]."""

    kind: Literal["screenshot"]
    file: Text
    sha256: Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
    width: Annotated[int, Field(ge=1, le=65535)]
    height: Annotated[int, Field(ge=1, le=65535)]
    extractor: Text
    version: Text
    confidence: Annotated[float, Field(ge=0, le=1)]


class Generated(Document):
    """Provenance of a level made by a generator."""

    kind: Literal["generated"]
    generator: Text
    version: Text
    seed: int
    parameters: dict[str, JsonValue] = Field(default_factory=dict)


Provenance = Annotated[Manual | Screenshot | Generated, Field(discriminator="kind")]
_PROVENANCE: TypeAdapter[Manual | Screenshot | Generated] = TypeAdapter(Provenance)


@dataclass(frozen=True)
class Level:
    """A level: its game, its typed board, and where it came from. Two levels are the same puzzle by `digest`."""

    game: AnyGame
    board: Any
    provenance: Manual | Screenshot | Generated

    @property
    def digest(self) -> str:
        """`sha256:` + hex over the canonical JSON of board and game; provenance never counts."""
        return board_digest(self.game, self.board)

    @property
    def canonical_digest(self) -> str:
        """The digest of the canonical form, equal for all forms of one puzzle."""
        return board_digest(self.game, self.game.canonical(self.board))

    def document(self) -> Json:
        """The level as JSON."""
        return {
            "format": FORMAT,
            "game": self.game.name,
            "board": board_document(self.board),
            "provenance": self.provenance.model_dump(mode="json"),
        }

    def to_bytes(self) -> bytes:
        """The file's bytes: readable JSON, the same on every machine."""
        return readable_bytes(self.document())


def board_document(board: Document) -> Json:
    """The board as JSON, every default written out and whole numbers without a fraction (540, not 540.0)."""
    return _whole_numbers(board.model_dump(mode="json"))


def board_digest(game: AnyGame, board: Document) -> str:
    """The digest of a board (see `Level.digest`)."""
    return digest_of({"board": board_document(board), "game": game.name})


def _whole_numbers(value: Json) -> Json:
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, list):
        return [_whole_numbers(item) for item in value]
    if isinstance(value, dict):
        return {key: _whole_numbers(item) for key, item in value.items()}
    return value


def read_level(path: Path, shown_as: str | None = None) -> Level:
    """Read a level file; InvalidDocument carries every problem with file, JSON path and value."""
    name = shown_as or str(path)
    return level_of(read_strict(path, name), name)


def parse_level(data: bytes, name: str) -> Level:
    """Read a level from bytes as `read_level` does."""
    return level_of(parse_strict(data, name), name)


def level_of(document: Json, name: str) -> Level:
    """Turn parsed JSON into a level whose board has no defects, or raise InvalidDocument."""
    game = _game_of(document, name)
    problems: list[Problem] = []
    board = _typed(TypeAdapter(game.board_type), document["board"], "$.board", problems)
    provenance = _typed(_PROVENANCE, document["provenance"], "$.provenance", problems)
    if board is not None and not problems:
        problems += game.defects(board)
    if board is None or provenance is None or problems:
        raise InvalidDocument(name, problems)
    return Level(game, board, provenance)


def _game_of(document: Json, name: str) -> AnyGame:
    if not isinstance(document, dict):
        raise InvalidDocument(name, [Problem("type", "a level is a JSON object.")])
    keys = ("format", "game", "board", "provenance")
    problems = [Problem("missing_key", f"the key {key!r} is missing.") for key in keys if key not in document]
    extra = sorted(set(document) - set(keys))
    problems += [Problem("unknown_key", f"the key {key[:40]!r} is not known.", f"$.{key[:40]}") for key in extra]
    if problems:
        raise InvalidDocument(name, problems)
    if document["format"] != FORMAT:
        message = f"the format is {_shown(document['format'])}; only {FORMAT!r} is known."
        raise InvalidDocument(name, [Problem("format", message, "$.format")])
    game = GAMES.get(document["game"]) if isinstance(document["game"], str) else None
    if game is None:
        message = f"the game is {_shown(document['game'])}; known are {', '.join(GAMES)}."
        raise InvalidDocument(name, [Problem("game", message, "$.game")])
    return game


def _typed(adapter: TypeAdapter[Any], value: Json, root: str, problems: list[Problem]) -> Any:
    """Validate in pydantic's strict JSON mode; its errors become problems with a JSON path."""
    try:
        return adapter.validate_json(json.dumps(value), strict=True)
    except ValidationError as error:
        details = error.errors(include_url=False, include_context=False)
        problems += [_problem(d["type"], d["msg"], d["loc"], d["input"], root) for d in details]
        return None


def _problem(kind: str, message: str, loc: tuple[int | str, ...], value: Any, root: str) -> Problem:
    tags = ("strip", "disc", "polygon", "manual", "screenshot", "generated")  # pydantic names the union member too
    path = root + "".join(f"[{p}]" if isinstance(p, int) else f".{p}" for p in loc if p not in tags)
    code = {"extra_forbidden": "unknown_key", "missing": "missing_key"}.get(kind, "value")
    said = {
        "unknown_key": f"the key {str(loc[-1] if loc else '')[:40]!r} is not known.",
        "missing_key": f"the key {str(loc[-1] if loc else '')[:40]!r} is missing.",
    }.get(code, f"{message[:1].lower()}{message[1:]}, but it is {_shown(value)}.")
    return Problem(code, said, path)


def _shown(value: Json) -> str:
    text = json.dumps(value, ensure_ascii=True, default=str)
    return text if len(text) <= 60 else text[:57] + "..."
