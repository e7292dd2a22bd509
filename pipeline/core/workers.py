"""A pool of processes that outlives its jobs: a job that crashes or hangs costs its own process and nothing else.

`concurrent.futures` gives up the whole pool when one process dies and cannot stop a job that hangs, so a single bad
file would end a night's batch. Here every process works on one job at a time and is killed and replaced when it dies
or overruns.
"""

import contextlib
import multiprocessing
import os
import signal
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from typing import Any, Generic, TypeVar

J = TypeVar("J")
R = TypeVar("R")


_SECONDS_TO_START = 300.0


@dataclass(frozen=True)
class Lost:
    """A job without a result; `reason` is an English sentence."""

    reason: str


class _Worker(Generic[J, R]):
    """One process and the job it works on."""

    def __init__(self, function: Callable[[J], R], prepare: Callable[[], None] | None) -> None:
        context = _context(function.__module__)
        self.pipe, theirs = context.Pipe()
        self._process = context.Process(target=_serve, args=(theirs, function, prepare), daemon=True)
        self._process.start()
        theirs.close()
        self.ready = False
        self.index: int | None = None
        self.deadline = float("inf")

    def give(self, index: int, job: J, seconds: float) -> None:
        # A new process has imports to do first: until it says that it is ready they are given time of their own.
        self.index, self.deadline = index, time.monotonic() + (seconds if self.ready else _SECONDS_TO_START)
        with contextlib.suppress(OSError):  # a process that is already dead shows at the next look at its pipe
            self.pipe.send(job)

    def cause_of_death(self) -> str:
        self._process.join(1.0)  # its pipe closes a moment before it is gone
        code = self._process.exitcode
        if code is None:
            return "for an unknown reason"
        return f"signal {signal.Signals(-code).name}" if code < 0 else f"exit status {code}"

    def stop(self) -> None:
        self._process.kill()
        self._process.join()
        self.pipe.close()


@dataclass(frozen=True)
class Pool:
    """How jobs are run: processes at once (None: one per core), seconds a job may take, what a new process does first.

    Functions and jobs are pickled, so a function must be a module's own.
    """

    workers: int | None = None
    seconds: float = 60.0
    prepare: Callable[[], None] | None = None

    def run(self, function: Callable[[J], R], jobs: Sequence[J]) -> Iterator[tuple[int, R | Lost]]:
        """Index and result of every job, in order of completion; closing the iterator stops all work."""
        waiting = list(reversed(range(len(jobs))))
        processes: list[_Worker[J, R]] = []
        try:
            while waiting or any(p.index is not None for p in processes):
                busy = sum(p.index is not None for p in processes)
                while len(processes) < min(self.workers or os.cpu_count() or 1, busy + len(waiting)):
                    processes.append(_Worker(function, self.prepare))
                for process in processes:
                    if process.index is None and waiting:
                        index = waiting.pop()
                        process.give(index, jobs[index], self.seconds)
                yield from _collect(processes, self.seconds)
        finally:
            for process in processes:
                process.stop()


class Aide(Generic[J, R]):
    """One process kept for jobs that come now and then, from any thread: killed and replaced when it dies or overruns.

    It is started by the first job and ends with the process that asks.
    """

    def __init__(self, function: Callable[[J], R], seconds: float, prepare: Callable[[], None] | None = None) -> None:
        self._function, self._seconds, self._prepare = function, seconds, prepare
        self._worker: list[_Worker[J, R]] = []
        self._lock = threading.Lock()

    def ask(self, job: J) -> R | Lost:
        """The result of a job, however long others are waited for first."""
        with self._lock:
            if not self._worker:
                self._worker.append(_Worker(self._function, self._prepare))
            self._worker[0].give(0, job, self._seconds)
            while True:
                for _, result in _collect(self._worker, self._seconds):
                    return result

    def stop(self) -> None:
        """End the process; the next job would start another."""
        with self._lock:
            while self._worker:
                self._worker.pop().stop()


def _collect(pool: list[_Worker[Any, R]], seconds: float) -> Iterator[tuple[int, R | Lost]]:
    """Wait for news; hand out results, and remove from the pool every process that died or overran."""
    busy = [w for w in pool if w.index is not None]
    soonest = min(w.deadline for w in busy)
    patience = None if soonest == float("inf") else max(0.0, soonest - time.monotonic())
    ready = set(map(id, wait([w.pipe for w in busy], timeout=patience)))
    for worker in busy:
        index = worker.index
        assert index is not None
        if id(worker.pipe) in ready:
            try:
                if not worker.ready:
                    worker.ready = worker.pipe.recv()
                    worker.deadline = time.monotonic() + seconds
                    continue
                result: R | Lost = worker.pipe.recv()
                worker.index = None
            except (EOFError, OSError):
                result = Lost(f"the process working on it died ({worker.cause_of_death()}).")
                worker.stop()
                pool.remove(worker)
            yield index, result
        elif worker.deadline <= time.monotonic():
            worker.stop()
            pool.remove(worker)
            yield index, Lost(f"it took longer than {seconds:g} seconds.")


def _context(module: str) -> Any:
    """How processes are started: from a server that has imported the module once, where the system has that.

    Never by a plain fork: OpenCV and numba hold threads and locks that do not survive one.
    """
    if "forkserver" not in multiprocessing.get_all_start_methods():
        return multiprocessing.get_context("spawn")
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload([module])
    return context


def _serve(pipe: Connection, function: Callable[[Any], Any], prepare: Callable[[], None] | None) -> None:
    """The life of a process: take a job, answer it, until the other end closes."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent decides what an interrupt means
    if prepare is not None:
        prepare()
    pipe.send(True)
    while True:
        try:
            job = pipe.recv()
        except EOFError:
            return
        pipe.send(function(job))
