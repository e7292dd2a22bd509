"""A session in memory and its page: one thing happens at a time, the page hears of it, the evaluator can wait."""

import asyncio
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TypeVar

from pipeline.core.canonical import Json
from pipeline.core.errors import PipelineError
from pipeline.suite.messages import Command, EventMessage
from pipeline.suite.session import Session

R = TypeVar("R")
REPLACED, GONE, AGAIN = 4001, 4404, 1011
"""Why a page is cut off: another window took over; there is no session; it should connect again."""


class Broken(PipelineError):
    """The session is closed, or something unforeseen happened to it; its journal decides how it goes on."""

    def __init__(self) -> None:
        super().__init__("the session has just been closed or must be read back from its journal; ask again.")


@dataclass(frozen=True)
class Page:
    """The one page that a session talks to."""

    send: Callable[[Json], Awaitable[None]]
    """Sends a frame."""
    hang: Callable[[int], Awaitable[None]]
    """Closes the socket with a code."""


class Live:
    """A session in memory. One thing happens to it at a time; the work is done in a thread, so that a slow disk or a
    long simulation of one session keeps no other waiting."""

    def __init__(self, session: Session, pool: ThreadPoolExecutor) -> None:
        self.session = session
        self.page: Page | None = None
        self.settled: int | None = None
        """The last revision the page reported as drawn."""
        self.broken = False
        """Whether it is closed, or memory and journal may no longer agree: nothing happens to it any more."""
        self.touched = 0.0
        """When the page last said something, in the loop's time."""
        self._changing = self._closed = False
        self._pool = pool
        self._lock = asyncio.Lock()
        self._news = asyncio.Event()

    @property
    def is_settled(self) -> bool:
        """Whether the page shows the present state and nothing moves. While the state changes, it does not."""
        return self.page is not None and not self._changing and self.settled == self.session.revision

    async def attach(self, page: Page) -> None:
        """A page connects; one that was connected before is told so."""
        async with self._lock:
            old, self.page, self.settled = self.page, page, None
            if old is not None:
                await old.hang(REPLACED)
            await self._step(self.session.attach)

    def detach(self, page: Page) -> None:
        """A page is gone."""
        if self.page is page:
            self.page, self.settled = None, None
            self._announce()

    async def receive(self, message: EventMessage | Command, page: Page | None = None) -> None:
        """Something the page reports; answered by a frame. What a page says after another took over is nothing."""
        async with self._lock:
            if page is not self.page:
                return
            self.touched = asyncio.get_running_loop().time()
            await self._step(lambda: self.session.receive(message))

    def settle(self, revision: int, page: Page | None = None) -> None:
        """The page has drawn a revision."""
        if page is self.page:
            self.settled = revision
            self._announce()

    async def do(self, work: Callable[[Session], R]) -> R:
        """Look into the session from outside, while nothing else happens to it."""
        async with self._lock:
            return await self._run(lambda: work(self.session))

    async def change(self, work: Callable[[Session], Json]) -> None:
        """Change the session from outside; the frame goes to its page."""
        async with self._lock:
            await self._step(lambda: work(self.session))

    async def wait(self, come: Callable[["Live"], bool], quiet: float, timeout: float) -> bool:
        """Wait until `come` holds and the page has said nothing for `quiet` seconds; False when time is up first."""
        loop = asyncio.get_running_loop()
        end = loop.time() + timeout
        while True:
            news, now = self._news, loop.time()
            calm = self.touched + quiet
            if come(self) and now >= calm:
                return True
            if now >= end:
                return False
            until = min(end, calm) if come(self) else end
            try:
                await asyncio.wait_for(news.wait(), until - now)
            except TimeoutError:
                continue

    async def close(self, code: int, *, for_good: bool = False) -> None:
        """End it in memory, once; its page, if any, hears why.

        Broken when it should end for good, but memory and journal may not agree.
        """
        await self._hang_up(code)  # first: a page that no longer reads may hold up what is going on
        async with self._lock:
            if for_good and self.broken:
                raise Broken
            if not self._closed:
                self.broken = self._closed = True
                self.session.close(for_good=for_good)
        await self._hang_up(code)  # on a page that came meanwhile

    async def _hang_up(self, code: int) -> None:
        page, self.page = self.page, None
        if page is not None:
            await page.hang(code)

    async def _step(self, work: Callable[[], Json]) -> None:
        """Something happens; the page gets the frame. Inputs are counted before the revision is: none alone tells."""
        self._changing = True
        try:
            frame = await self._run(work)
            if self.page is not None:
                await self.page.send(frame)
        finally:
            self._changing = False
            self._announce()

    async def _run(self, work: Callable[[], R]) -> R:
        if self.broken:
            raise Broken
        try:
            return await asyncio.get_running_loop().run_in_executor(self._pool, work)
        except PipelineError:
            raise
        except BaseException:
            self.broken = True
            raise

    def _announce(self) -> None:
        self._news.set()
        self._news = asyncio.Event()
