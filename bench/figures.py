"""How figures are printed, and where handed puzzles are found, for every measurement."""

import json
import os
from pathlib import Path
from typing import Any

SHARED = Path(os.environ.get("LPB_SHARED", Path(__file__).resolve().parents[2] / "shared"))
"""Proven puzzles that are no part of the project; measurements leave out what is not on this machine."""


def report(name: str, value: float, unit: str) -> None:
    """One figure as one JSON line."""
    print(json.dumps({"name": name, "value": round(value, 3), "unit": unit}), flush=True)


def handed(file: str) -> list[dict[str, Any]]:
    """The lines of a handed JSONL file, e.g. `cases/maze_paint/known.jsonl`; none where it is absent."""
    path = SHARED / file
    if not path.is_file():
        return []
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]
