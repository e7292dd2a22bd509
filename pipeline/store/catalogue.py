"""The catalogue on disk: `<catalogue>/<game>/<difficulty>/NN.json`. A level's difficulty and number are its place."""

import os
import re
from dataclasses import dataclass
from pathlib import Path

from pipeline.core.errors import PipelineError
from pipeline.games.table import GAMES

_DIFFICULTY = re.compile(r"[a-z][a-z0-9_-]{0,39}")
_NUMBER = re.compile(r"[0-9]{2,4}")
_NOT_LEVELS = ("candidates", "evidence")


@dataclass(frozen=True)
class Entry:
    """A level file and its place, e.g. `rush_hour/hard/03`."""

    place: str
    path: Path


def catalogue_levels(catalogue: Path) -> list[Entry]:
    """Every level of the catalogue: games in the order of the table, difficulties and numbers by name.

    PipelineError for a folder that cannot be listed: its levels would be missing without a word.
    """
    games = (catalogue / game for game in GAMES if (catalogue / game).is_dir())
    difficulties = (folder for game in games for folder in _listed(game) if folder.is_dir())
    paths = (file for folder in difficulties for file in _listed(folder) if file.suffix == ".json")
    named = (p for p in paths if _DIFFICULTY.fullmatch(p.parent.name) and _NUMBER.fullmatch(p.stem))
    return [Entry(f"{p.parent.parent.name}/{p.parent.name}/{p.stem}", p) for p in named]


def _listed(folder: Path) -> list[Path]:
    """What is in a folder, by name."""
    try:
        with os.scandir(folder) as entries:
            return sorted(folder / entry.name for entry in entries)
    except OSError as error:
        raise PipelineError(f"{error.filename}: cannot be listed ({error.strerror}).") from error


def misplaced_files(catalogue: Path) -> list[Path]:
    """JSON files of the catalogue that are in no level's place: never validated, so better said than passed over."""
    known = {entry.path for entry in catalogue_levels(catalogue)}
    every = (path for path in sorted(catalogue.rglob("*.json")) if not path.name.startswith("."))
    return [path for path in every if path not in known and path.relative_to(catalogue).parts[0] not in _NOT_LEVELS]


def level_files(path: Path) -> list[Path]:
    """The level files meant by a path: itself, or every JSON file below a folder but evidence and hidden ones."""
    if not path.is_dir():
        return [path]
    found = []
    for file in path.rglob("*.json"):
        inner = file.relative_to(path).parts
        if "evidence" not in inner[:-1] and not any(part.startswith(".") for part in inner):
            found.append(file)
    return sorted(found, key=lambda file: file.parts)
