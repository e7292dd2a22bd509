"""Where a level that was edited by hand disagrees with what is read in its picture, for boards of any game.

The board types say what to do: objects of a list are matched by likeness, not by place; lists of cells are sets;
strings of the types `Name` and `ColorName` are names, which only have to correspond (the reader may have called `A`
what a person calls `truck`); a plain option with a default (how the level is to be played) shows in no picture and is
passed over; everything else must be equal.
"""

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from pydantic import TypeAdapter

from pipeline.core.canonical import Json
from pipeline.core.model import ColorName, Document, Name

Schema = dict[str, Any]

_NAMES = frozenset(TypeAdapter(kind).json_schema()["pattern"] for kind in (Name, ColorName))


@dataclass(frozen=True)
class Difference:
    """One disagreement: its JSON path in level and reading ("" where one has no such element), and both values."""

    level_path: str
    reading_path: str
    level_value: Json
    reading_value: Json

    def __str__(self) -> str:
        if not self.level_path:
            return f"the picture shows {_short(self.reading_value)}, which the level does not have."
        if not self.reading_path:
            return f"{self.level_path}: {_short(self.level_value)} is not seen in the picture."
        return f"{self.level_path} is {_short(self.level_value)}, but {_short(self.reading_value)} is read."


def differences(level: Document, reading: Document) -> list[Difference]:
    """Everything in which two boards of one type differ; names may differ as long as they correspond one to one."""
    schema = type(level).model_json_schema()
    comparison = _Comparison(schema.get("$defs", {}))
    comparison.compare(level.model_dump(mode="json"), reading.model_dump(mode="json"), schema, ("", ""))
    return comparison.result()


@dataclass
class _Comparison:
    """The walk over two boards and their schema at once; `paths` are those in the level and in the reading."""

    definitions: Schema
    found: list[Difference] = field(default_factory=list)
    names: list[Difference] = field(default_factory=list)

    def result(self) -> list[Difference]:
        """What differs, and every spot whose names break the correspondence that most spots agree on."""
        pairs = Counter((d.level_value, d.reading_value) for d in self.names)
        ours: dict[str, str] = {}
        for (mine, theirs), _ in sorted(pairs.items(), key=lambda item: (-item[1], item[0])):
            if mine not in ours and theirs not in ours.values():
                ours[mine] = theirs
        return self.found + [d for d in self.names if ours.get(d.level_value) != d.reading_value]

    def compare(self, mine: Json, theirs: Json, schema: Schema, paths: tuple[str, str]) -> None:
        schema = self._resolved(schema, mine)
        if isinstance(mine, dict) and isinstance(theirs, dict):
            properties = schema.get("properties", {})
            for key in dict.fromkeys([*mine, *theirs]):
                deeper = (f"{paths[0]}.{key}".lstrip("."), f"{paths[1]}.{key}".lstrip("."))
                if not isinstance(properties.get(key, {}).get("default"), bool | str | int):
                    self.compare(mine.get(key), theirs.get(key), properties.get(key, {}), deeper)
        elif isinstance(mine, list) and isinstance(theirs, list) and "items" in schema:
            self._lists(mine, theirs, schema["items"], paths)
        elif _is_name(schema):
            self.names.append(Difference(*paths, mine, theirs))
        elif _plain(mine) != _plain(theirs):
            self.found.append(Difference(*paths, mine, theirs))

    def _lists(self, mine: list[Json], theirs: list[Json], items: Schema, paths: tuple[str, str]) -> None:
        items = self._resolved(items, mine[0] if mine else None)
        if items.get("type") == "string" and not _is_name(items):
            self._texts(mine, theirs, paths)
            return
        ordered = items.get("type") == "string" or "items" in items
        matches = (
            list(zip(range(len(mine)), range(len(theirs)), strict=False)) if ordered else _matched(mine, theirs, items)
        )
        for i, j in matches:
            self.compare(mine[i], theirs[j], items, (f"{paths[0]}[{i}]", f"{paths[1]}[{j}]"))
        for i in sorted(set(range(len(mine))) - {i for i, _ in matches}):
            self.found.append(Difference(f"{paths[0]}[{i}]", "", mine[i], None))
        for j in sorted(set(range(len(theirs))) - {j for _, j in matches}):
            self.found.append(Difference("", f"{paths[1]}[{j}]", None, theirs[j]))

    def _texts(self, mine: list[str], theirs: list[str], paths: tuple[str, str]) -> None:
        """Rows of a drawing: character by character when the sizes agree."""
        if [len(row) for row in mine] != [len(row) for row in theirs]:
            self.found.append(Difference(*paths, mine, theirs))
            return
        for i, (a, b) in enumerate(zip(mine, theirs, strict=True)):
            for k in range(len(a)):
                if a[k] != b[k]:
                    self.found.append(Difference(f"{paths[0]}[{i}][{k}]", f"{paths[1]}[{i}][{k}]", a[k], b[k]))

    def _resolved(self, schema: Schema, value: Json) -> Schema:
        """Follow references; of a tagged union, the member that the value's tag names."""
        while "$ref" in schema:
            schema = self.definitions[schema["$ref"].rpartition("/")[2]]
        mapping = schema.get("discriminator", {}).get("mapping", {})
        if isinstance(value, dict) and value.get(schema.get("discriminator", {}).get("propertyName")) in mapping:
            tag = value[schema["discriminator"]["propertyName"]]
            return self._resolved({"$ref": mapping[tag]}, value)
        return schema


def _is_name(schema: Schema) -> bool:
    return schema.get("pattern") in _NAMES


def _matched(mine: list[Json], theirs: list[Json], schema: Schema) -> list[tuple[int, int]]:
    """Pairs of like elements, each used once, the most alike first; elements with little in common stay alone."""
    names = {key for key, part in schema.get("properties", {}).items() if _is_name(part)}
    likeness = [(_likeness(a, b, names), -i, -j) for i, a in enumerate(mine) for j, b in enumerate(theirs)]
    pairs: dict[int, int] = {}
    for score, i, j in sorted(likeness, reverse=True):
        if score >= 0.5 and -i not in pairs and -j not in pairs.values():
            pairs[-i] = -j
    return sorted(pairs.items())


def _likeness(a: Json, b: Json, names: set[str]) -> float:
    """The share of equal fields, names aside; 0.5 more for the same names, and 1 more when every field is equal.

    So equal pieces find each other whatever they are called, and of those left a changed piece is known by its name.
    """
    if not isinstance(a, dict) or not isinstance(b, dict):
        return float(_plain(a) == _plain(b))
    fields = [key for key in a if key not in names]
    share = sum(_plain(a[key]) == _plain(b.get(key)) for key in fields) / max(1, len(fields))
    same_names = bool(names) and all(a.get(key) == b.get(key) for key in names)
    return share + 0.5 * same_names + (share == 1)


def _plain(value: Json) -> Json:
    """A value to compare: the two ends of a pair are in no order."""
    if isinstance(value, list) and value and all(isinstance(item, list) for item in value):
        return sorted(value)
    return value


def _short(value: Json) -> str:
    text = ", ".join(f"{k} {v}" for k, v in value.items()) if isinstance(value, dict) else str(value)
    return text if len(text) <= 80 else text[:77] + "..."
