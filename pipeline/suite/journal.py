"""The journal of a session: one line of JSON for everything that happened, appended and never changed.

    {"before":"sha256:…","kind":"move","move":"X+1",…,"n":7,…,"digest":"sha256:…"}

`n` is the line's number, `before` the digest of the line before it (empty in the first), and `digest`, always last, the
digest of the line without it: a changed, missing, added or moved line shows, wherever it is. A line that was being
written when the machine stopped (a *torn tail*, no line feed yet) was never acknowledged: it is reported and cut off.
"""

import errno
import json
import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from pipeline.core.canonical import Json, canonical_bytes, digest_of_bytes
from pipeline.core.errors import PipelineError
from pipeline.core.files import sync_folder

_DIGEST = b',"digest":"'
MAX_BYTES = 64 * 1024 * 1024
"""Nobody plays that long, but a program in the page could go on until the disk is full."""


class DamagedJournal(PipelineError):
    """A journal that is not as it was written; `entry` is the number of the first line at fault."""

    def __init__(self, name: str, entry: int, what: str) -> None:
        self.entry = entry
        super().__init__(f"{name}: entry {entry} {what}.")


@dataclass(frozen=True)
class JournalText:
    """What a journal holds: its entries, the digest of the last, the bytes they fill, the bytes of a torn tail."""

    entries: tuple[dict[str, Json], ...]
    head: str
    size: int
    torn: int


def read_journal(data: bytes, name: str) -> JournalText:
    """Check and read a journal's bytes; DamagedJournal names the first entry at fault."""
    whole, _, tail = data.rpartition(b"\n")
    lines = whole.split(b"\n") if len(data) > len(tail) else []
    entries: list[dict[str, Json]] = []
    head = ""
    for line in lines:
        entry = _entry(line, len(entries), head)
        if entry is None:
            raise DamagedJournal(name, len(entries), "is damaged")
        entries.append(entry)
        head = entry["digest"]
    if tail and _entry(tail[:-1], len(entries), head):
        raise DamagedJournal(name, len(entries), "is damaged at its line feed")
    return JournalText(tuple(entries), head, len(data) - len(tail), len(tail))


def _entry(line: bytes, number: int, before: str) -> dict[str, Json] | None:
    """The entry a line holds, or None when it is not the very line that belongs there."""
    body, mark, end = line.rpartition(_DIGEST)
    body += b"}"
    if not mark or end != f'{digest_of_bytes(body)}"}}'.encode():
        return None
    try:
        entry = json.loads(line)
    except (ValueError, RecursionError):
        return None
    sound = isinstance(entry, dict) and entry.get("n") == number and entry.get("before") == before
    return entry if sound else None


class Journal:
    """A journal open for appending. Not safe for threads at the same time: its session sees to that."""

    def __init__(self, handle: int, count: int = 0, head: str = "", size: int = 0) -> None:
        self._handle = handle
        self.count, self.head, self.size = count, head, size
        """Number of entries, the digest of the last, and bytes."""

    @classmethod
    def create(cls, path: Path) -> "Journal":
        """A new journal that only its owner can read; FileExistsError when there is one."""
        handle = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_EXCL, 0o600)
        sync_folder(path.parent)
        return cls(handle)

    @classmethod
    def reopen(cls, path: Path) -> tuple["Journal", JournalText]:
        """An existing journal and what it holds, its torn tail cut off; DamagedJournal when it is not sound.

        OSError when nothing more can be appended: then it is not even read.
        """
        if path.stat().st_size > MAX_BYTES:
            raise _full()
        text = read_journal(path.read_bytes(), path.name)
        handle = os.open(path, os.O_WRONLY | os.O_APPEND)
        if text.torn:
            os.ftruncate(handle, text.size)
            os.fsync(handle)
        return cls(handle, len(text.entries), text.head, text.size), text

    def append(self, bodies: Iterable[Mapping[str, Json]]) -> None:
        """Write entries and return when they are on the disk; after an OSError the journal must be opened again."""
        if self.size > MAX_BYTES:
            raise _full()
        data = b"".join(self._lines(bodies))
        self.size += len(data)
        while data:
            data = data[os.write(self._handle, data) :]
        os.fsync(self._handle)

    def _lines(self, bodies: Iterable[Mapping[str, Json]]) -> Iterator[bytes]:
        for body in bodies:
            line = canonical_bytes({**body, "n": self.count, "before": self.head})
            self.head = digest_of_bytes(line)
            self.count += 1
            yield line[:-1] + _DIGEST + self.head.encode() + b'"}\n'

    def close(self) -> None:
        """Give the file back; nothing can be appended any more."""
        handle, self._handle = self._handle, -1  # the system may give the number to another file at once
        os.close(handle)


def _full() -> OSError:
    return OSError(errno.EFBIG, "the journal of the session is full")
