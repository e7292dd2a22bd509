"""All sessions of a server: opened, found again by key, kept apart, watched by the evaluator."""

import asyncio
import hashlib
import logging
import re
import secrets
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from pipeline.core.errors import PipelineError
from pipeline.suite.controls.contract import AnyControls
from pipeline.suite.launch import Opening
from pipeline.suite.live import AGAIN, GONE, Live
from pipeline.suite.session import Session
from pipeline.suite.shelf import Shelf

_KEY = re.compile(r"[A-Za-z0-9_-]{22}")
_ID = re.compile(r"[0-9a-f]{32}")
_THREADS = 32
_RESERVED = 1 / 8
"""Share of the places that only the evaluator's own sessions may take: pages anybody opens must not keep them out."""
_LOG = logging.getLogger(__name__)


class StageFull(PipelineError):
    """There are too many sessions at once."""


def new_key() -> str:
    """A page's key: 128 random bits."""
    return secrets.token_urlsafe(16)


def id_of(key: str) -> str:
    """The evaluator's name of a session. The key cannot be had from it, nor is it written anywhere."""
    return hashlib.sha256(key.encode()).hexdigest()[:32]


class Stage:
    """The sessions. At most `limit` are in memory; those longest unused rest in their journals meanwhile."""

    def __init__(self, shelf: Shelf, controls: Mapping[str, AnyControls], folder: Path, limit: int = 256) -> None:
        self.shelf, self.controls, self.folder, self.limit = shelf, controls, folder, limit
        self._pool = ThreadPoolExecutor(_THREADS, "session")
        self._live: dict[str, Live] = {}
        self._lock = asyncio.Lock()

    async def open(self, opening: Opening) -> str:
        """A new session; its key. StageFull when every session in memory has a page connected."""
        reserved = int(self.limit * _RESERVED) if opening.anonymous else 0
        async with self._lock:
            await self._make_room(reserved)
            key = new_key()
            ident = id_of(key)
            session = await self._in_thread(
                lambda: Session.begin(self.journal_path(ident), opening, self.shelf, self.controls)
            )
            self._live[ident] = Live(session, self._pool)
            return key

    async def find_by_key(self, key: str) -> Live | None:
        """The session of a page's key; as `find`."""
        return await self.find(id_of(key)) if _KEY.fullmatch(key) else None

    async def find(self, ident: str) -> Live | None:
        """A session by the evaluator's name, resumed from its journal where needed; None when there is none to play.

        StageFull when it would have to be resumed and there is no room.
        """
        async with self._lock:
            live = self._live.pop(ident, None)
            if live is not None and live.broken:
                await live.close(AGAIN)
                live = None
            live = live or await self._resume(ident)
            if live is not None:
                self._live[ident] = live  # the last in order is the one used last
            return live

    async def drop(self, ident: str, code: int, *, for_good: bool = False) -> None:
        """Forget a session: until it is asked for again, or for good."""
        live = self._live.get(ident)
        if live is None:
            return
        await live.close(code, for_good=for_good)  # it stays known until then: no journal has two sessions that write
        async with self._lock:
            if self._live.get(ident) is live:
                del self._live[ident]

    def journal_path(self, ident: str) -> Path:
        """The journal of a session."""
        return self.folder / f"{ident}.jsonl"

    def knows(self, ident: str) -> bool:
        """Whether a session of that name has a journal."""
        path = self.journal_path(ident)
        return _ID.fullmatch(ident) is not None and path.is_file() and not path.is_symlink()

    def known(self) -> list[str]:
        """Names of all sessions that have a journal."""
        return sorted(path.stem for path in self.folder.glob("*.jsonl") if self.knows(path.stem))

    async def shut(self) -> None:
        """The server stops: journals are given back, pages may come again."""
        for ident in list(self._live):
            await self.drop(ident, AGAIN)
        self._pool.shutdown()

    async def _resume(self, ident: str) -> Live | None:
        if not self.knows(ident):
            return None
        path = self.journal_path(ident)
        await self._make_room()
        try:
            session = await self._in_thread(lambda: Session.resume(path, self.shelf, self.controls))
        except (PipelineError, OSError) as error:
            _LOG.warning("a session cannot go on: %s", error)
            return None
        return Live(session, self._pool)

    async def _make_room(self, reserved: int = 0) -> None:
        """Let a session rest that has no page; an anonymous one in which nothing was done leaves nothing behind."""
        if len(self._live) < self.limit - reserved:
            return
        idle = next((ident for ident, live in self._live.items() if live.page is None), None)
        if idle is None:
            raise StageFull("too many sessions are being played at once; try again later.")
        live = self._live.pop(idle)
        await live.close(GONE)
        if live.session.untouched and live.session.opening.anonymous:
            self.journal_path(idle).unlink(missing_ok=True)

    async def _in_thread(self, work: Callable[[], Session]) -> Session:
        return await asyncio.get_running_loop().run_in_executor(self._pool, work)
