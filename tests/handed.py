"""The handed cases: real screenshots and proven puzzles that are never part of the project.

They are looked for in the folder named by LPB_SHARED, else in `shared` beside the checkout; tests that need them skip
with a clear message where they are absent.
"""

import json
import os
from pathlib import Path
from typing import Any

import pytest

SHARED = Path(os.environ.get("LPB_SHARED", Path(__file__).resolve().parents[2] / "shared"))


def case_folder(game: str) -> Path:
    """The folder of a game's cases; skips the test where there is none."""
    folder = SHARED / "cases" / game
    if not folder.is_dir():
        pytest.skip(f"the handed cases of {game} are not on this machine (set LPB_SHARED to their folder)")
    return folder


def known(game: str) -> list[dict[str, Any]]:
    """The proven puzzles of a game."""
    return _lines(case_folder(game) / "known.jsonl")


def published(game: str) -> list[dict[str, Any]]:
    """The published levels of a game as facts."""
    file = SHARED / "paper-levels" / f"{game}.jsonl"
    if not file.is_file():
        pytest.skip(f"the published levels of {game} are not on this machine (set LPB_SHARED to their folder)")
    return _lines(file)


def _lines(file: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines() if line.strip()]
