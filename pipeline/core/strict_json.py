"""Reading JSON that strangers wrote: refuse what Python's own parser would quietly accept."""

import json
import re
from pathlib import Path
from typing import Any

from pipeline.core.canonical import Json
from pipeline.core.errors import InvalidDocument, Problem

MAX_BYTES = 4 * 1024 * 1024
MAX_DEPTH = 64
MAX_INTEGER = 2**53 - 1  # beyond it RFC 8785 and every JavaScript reader lose digits


class _Refused(ValueError):
    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


def read_strict(path: Path, shown_as: str | None = None) -> Json:
    """Parse a JSON file; InvalidDocument names file and place for anything not plain, finite and unambiguous."""
    name = shown_as or str(path)
    try:
        if not path.is_file():
            raise InvalidDocument(name, [Problem("unreadable", "the file does not exist or is no regular file.")])
        size = path.stat().st_size
        if size > MAX_BYTES:
            raise InvalidDocument(name, [Problem("too_large", f"the file has {size:,} bytes; 4 MiB is the limit.")])
        data = path.read_bytes()
    except OSError as error:
        message = f"the file cannot be read ({error.strerror})."
        raise InvalidDocument(name, [Problem("unreadable", message)]) from None
    return parse_strict(data, name)


def parse_strict(data: bytes, name: str) -> Json:
    """Parse JSON bytes as `read_strict` does."""
    if len(data) > MAX_BYTES:
        raise InvalidDocument(name, [Problem("too_large", f"it has {len(data):,} bytes; 4 MiB is the limit.")])
    try:
        text = data.decode("utf-8")
        _refuse_deep_nesting(text)
        value = json.loads(
            text,
            object_pairs_hook=_pairs,
            parse_constant=_constant,
            parse_float=_finite,
            parse_int=_integer,
        )
        canonical_safe(value)
    except UnicodeDecodeError as error:
        problem = Problem("encoding", f"byte {error.start} is not UTF-8.")
        raise InvalidDocument(name, [problem]) from None
    except json.JSONDecodeError as error:
        problem = Problem("syntax", f"not JSON at line {error.lineno}, column {error.colno}: {error.msg}.")
        raise InvalidDocument(name, [problem]) from None
    except _Refused as error:
        raise InvalidDocument(name, [Problem(error.code, str(error))]) from None
    return value


def canonical_safe(value: Json) -> None:
    """Refuse strings with lone surrogates: they have no UTF-8 form and so no digest."""
    if isinstance(value, str):
        if re.search("[\ud800-\udfff]", value):
            raise _Refused("encoding", "a string holds half of a surrogate pair.")
    elif isinstance(value, list):
        for item in value:
            canonical_safe(item)
    elif isinstance(value, dict):
        for key, item in value.items():
            canonical_safe(key)
            canonical_safe(item)


def _refuse_deep_nesting(text: str) -> None:
    """Nesting is counted outside strings; each character is looked at once, also in a string that never ends."""
    depth = 0
    for token in re.finditer(r'"(?:[^"\\]|\\.)*+"?|[\[{]|[\]}]', text, re.DOTALL):
        mark = token.group()
        if mark in "[{":
            depth += 1
            if depth > MAX_DEPTH:
                raise _Refused("nesting", f"it is nested more than {MAX_DEPTH} deep at character {token.start()}.")
        elif mark in "]}":
            depth -= 1


def _pairs(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    seen: dict[str, Any] = {}
    for key, value in pairs:
        if key in seen:
            raise _Refused("duplicate_key", f"the key {key[:40]!r} stands twice in one object.")
        seen[key] = value
    return seen


def _constant(text: str) -> None:
    raise _Refused("not_finite", f"{text} is not a JSON number.")


def _finite(text: str) -> float:
    value = float(text)
    if value in (float("inf"), float("-inf")):
        raise _Refused("not_finite", f"the number {text[:40]} is too large.")
    return value


def _integer(text: str) -> int:
    if len(text) > 17 or abs(int(text)) > MAX_INTEGER:
        raise _Refused("out_of_range", f"the number {text[:40]} is too large.")
    return int(text)
