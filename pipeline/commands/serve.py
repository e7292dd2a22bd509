"""`serve`: play what a snapshot or a catalogue holds, in a browser."""

import asyncio
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from pipeline.commands.verify import read_manifest, snapshot_folder
from pipeline.core.canonical import digest_of
from pipeline.core.errors import InvalidDocument, PipelineError, UsageError
from pipeline.games.level import Level, read_level
from pipeline.store.catalogue import catalogue_levels
from pipeline.store.manifest import MANIFEST
from pipeline.store.verification import check_integrity
from pipeline.suite.assets import Assets, load_assets
from pipeline.suite.controls.table import CONTROLS
from pipeline.suite.hosting import EVALUATOR_FILE, Addresses, Running, host
from pipeline.suite.launch import Looks
from pipeline.suite.shelf import Shelf, make_shelf

STATE = Path(".lpb-suite")


@dataclass(frozen=True)
class Stocked:
    """A shelf and, in one sentence each, which level files were left out and why."""

    shelf: Shelf
    left_out: tuple[str, ...] = ()


def stocked_text(stocked: Stocked, addresses: Addresses) -> Iterator[str]:
    """What a person should know before the suite starts."""
    yield from (f"left out: {sentence}" for sentence in stocked.left_out)
    if not addresses.is_private:
        yield f"warning: the suite answers on {addresses.host} to everybody who can reach this machine."


def running_text(running: Running, state: Path) -> str:
    """Where to find what has started."""
    return f"{running.url}  (evaluator: {(state / EVALUATOR_FILE).as_posix()}; Ctrl-C stops)"


def serve(
    stocked: Stocked, addresses: Addresses, assets: Assets, state: Path, started: Callable[[Running], None]
) -> None:
    """Serve until interrupted; UsageError for a taken port or state folder."""
    asyncio.run(host(stocked.shelf, CONTROLS, assets, state, addresses, started))


def stock(what: str | None, root: Path) -> Stocked:
    """The shelf of a snapshot (its tag or folder) or of a catalogue's folder; by default, of the catalogue.

    UsageError when there is no such thing, PipelineError when a snapshot is not as it was made.
    """
    folder = root / "catalogue" if what is None else Path(what)
    if (folder / MANIFEST).is_file():
        return Stocked(_snapshot_shelf(folder))
    if folder.is_dir():
        return _catalogue_shelf(folder)
    if what is None or "/" in what:
        raise UsageError(f"there is no folder {folder.as_posix()}; name a snapshot or a catalogue.")
    return Stocked(_snapshot_shelf(snapshot_folder(root, what)))


def dressed(theme: str | None, lang: str | None) -> Assets:
    """The page's files with other defaults; UsageError for a theme or language there is not."""
    assets = load_assets()
    looks = Looks(
        _preferred("theme", theme, assets.looks.themes),
        _preferred("language", lang, assets.looks.languages),
    )
    return replace(assets, looks=looks)


def _snapshot_shelf(folder: Path) -> Shelf:
    folder = folder.resolve()
    problems = check_integrity(folder, folder.name)
    if problems:
        raise PipelineError(f"the snapshot in {folder.as_posix()} is not as it was made: {problems[0].message}")
    manifest = read_manifest(folder)
    levels = ((frozen.place, read_level(folder / next(iter(frozen.paths)))) for frozen in manifest.levels)
    return make_shelf(levels, manifest.digest)


def _catalogue_shelf(folder: Path) -> Stocked:
    """Levels need no evidence to be played; those that are none are left out."""
    levels: list[tuple[str, Level]] = []
    left_out = []
    for entry in catalogue_levels(folder):
        try:
            level = read_level(entry.path)
        except InvalidDocument as error:
            left_out.append(str(error))
            continue
        if level.game.name == entry.place.partition("/")[0]:
            levels.append((entry.place, level))
        else:
            left_out.append(f"{entry.path.as_posix()}: it is a level of {level.game.name} in another game's place.")
    digest = digest_of([[place, level.digest] for place, level in levels])
    if not levels:
        raise UsageError(f"{folder.as_posix()} holds no levels that can be played.")
    return Stocked(make_shelf(levels, digest), tuple(left_out))


def _preferred(name: str, wanted: str | None, known: tuple[str, ...]) -> tuple[str, ...]:
    if wanted is None:
        return known
    if wanted not in known:
        raise UsageError(f"there is no {name} {wanted!r}; known are {', '.join(known)}.")
    return (wanted, *(other for other in known if other != wanted))
