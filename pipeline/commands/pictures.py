"""Which pictures the arguments of a command mean."""

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from pipeline.core.errors import UsageError
from pipeline.extract.image_header import SIGNATURE_BYTES, image_kind
from pipeline.store.placement import OVERLAY_SUFFIX, Slot, slot_of

_SUFFIXES = (
    ".png",
    ".apng",
    ".jpg",
    ".jpeg",
    ".jfif",
    ".webp",
    ".gif",
    ".bmp",
    ".tif",
    ".tiff",
    ".heic",
    ".avif",
    ".jxl",
)


@dataclass(frozen=True)
class Source:
    """A picture file: the path to open, the path to show, the path to remember (relative), the place it asks for."""

    path: Path
    shown_as: str
    recorded_as: str
    slot: Slot | None


def find_pictures(paths: Sequence[Path]) -> tuple[list[Source], int]:
    """Pictures in the order of the arguments, folders in order of names, no file twice; and how many files are none.

    A file found in a folder is a picture by its first bytes or, so that a broken one is not passed over in silence, by
    its name's ending. A file named as an argument is always taken. Hidden files and overlays are passed over.
    UsageError for a path that does not exist.
    """
    found: dict[Path, Source] = {}
    skipped = 0
    for given in paths:
        if not given.exists():
            raise UsageError(f"there is no file or folder {given}.")
        inside = _files_below(given) if given.is_dir() else [given]
        for path in inside:
            if given.is_dir() and not _is_picture(path):
                skipped += 1
                continue
            resolved = path.resolve()
            slot = slot_of(resolved.parts) if given.is_dir() else None
            found.setdefault(resolved, Source(path, path.as_posix(), _recorded(path, given), slot))
    return list(found.values()), skipped


def _files_below(folder: Path) -> list[Path]:
    files = []
    for parent, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        names = [name for name in names if not name.startswith(".") and not name.endswith(OVERLAY_SUFFIX)]
        files += [Path(parent, name) for name in names]
    return sorted(files, key=lambda path: path.parts)


def _is_picture(path: Path) -> bool:
    if path.name.lower().endswith(_SUFFIXES):
        return True
    try:
        with path.open("rb") as file:
            return image_kind(file.read(SIGNATURE_BYTES)) is not None
    except OSError:
        return False


def _recorded(path: Path, given: Path) -> str:
    """The path from the working folder where the file lies below it, else from the argument; never absolute."""
    resolved, here = path.resolve(), Path.cwd().resolve()
    if resolved.is_relative_to(here):
        return resolved.relative_to(here).as_posix()
    return resolved.relative_to(given.resolve().parent).as_posix()
