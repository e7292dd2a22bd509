"""The house stays as designed: a cell for every game in every folder, imports downward only, no game in shared code."""

import ast
from pathlib import Path

import pytest

from pipeline.extract.table import EXTRACTORS
from pipeline.games.table import GAMES
from pipeline.solve.proofs.table import CHECKERS
from pipeline.solve.table import SOLVERS
from pipeline.suite.controls.table import CONTROLS

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = ROOT / "pipeline"
NAMES = ("bolt_unscrew", "rush_hour", "nut_and_bolt", "truck_escape", "maze_paint", "color_connect")
LAYERS = {
    "core": 0,
    "games": 1,
    "extract": 2,
    "solve": 2,
    "generate": 2,
    "suite": 3,
    "store": 3,
    "playtest": 4,
    "evaluate": 5,
    "diagnose": 5,
    "commands": 6,
    "cli": 7,
}
STORE_USES = {"extract", "solve", "generate", "games", "core"}
MODULES = sorted(PACKAGE.rglob("*.py"))


def folder_of(path: Path) -> str:
    parts = path.relative_to(PACKAGE).parts
    return parts[0].removesuffix(".py")


def imported(path: Path) -> set[str]:
    """Names of all pipeline modules a file imports, wherever the import stands in it."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative imports hide the direction"
            found |= {f"{node.module}.{alias.name}" for alias in node.names}
    return {name for name in found if name.split(".")[0] == "pipeline"}


@pytest.mark.parametrize("path", MODULES, ids=lambda p: str(p.relative_to(PACKAGE)))
def test_imports_run_downward_only(path: Path) -> None:
    here = folder_of(path)
    if here == "__init__":
        return
    for name in imported(path):
        target = name.split(".")[1] if "." in name else "__init__"
        if target in ("__init__", "__version__"):
            continue
        assert LAYERS[target] < LAYERS[here] or target == here, f"{path} imports {name} upward or sideways"


@pytest.mark.parametrize("folder", ["games", "solve", "solve/proofs", "extract", "suite/controls"])
@pytest.mark.parametrize("game", NAMES)
def test_every_game_has_its_file_in_every_folder(folder: str, game: str) -> None:
    assert (PACKAGE / folder / f"{game}.py").is_file()


@pytest.mark.parametrize("game", NAMES)
def test_every_game_is_documented(game: str) -> None:
    assert (ROOT / "docs" / "games" / f"{game}.md").is_file()


def test_tables_hold_the_six_games() -> None:
    for table in (GAMES, SOLVERS, CHECKERS, EXTRACTORS, CONTROLS):
        assert set(table) == set(NAMES)


def test_no_game_name_in_shared_code() -> None:
    for path in MODULES:
        own = any(path.stem == game or path.stem.startswith(f"{game}_") for game in NAMES)
        if own or path.name == "table.py":
            continue
        text = path.read_text(encoding="utf-8")
        for game in NAMES:
            code = "\n".join(line for line in text.splitlines() if not _is_prose(line))
            assert game not in code, f"{path} names {game}"


def _is_prose(line: str) -> bool:
    """Lines that give a place in the catalogue as an example to a person, not to the program."""
    return any(mark in line for mark in ("e.g.", "help=", "is no place like", "#")) or line.strip().startswith(
        ("`", '"""')
    )


def test_checkers_import_nothing_of_any_search() -> None:
    allowed = ("pipeline.games", "pipeline.core", "pipeline.solve.proofs")
    for path in [*sorted((PACKAGE / "solve" / "proofs").glob("*.py")), PACKAGE / "solve" / "certificate.py"]:
        for name in imported(path):
            assert name.startswith(allowed), f"{path} imports {name}"
