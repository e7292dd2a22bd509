"""Running the suite: two servers in one process, one for browsers and one for the evaluator."""

import asyncio
import contextlib
import fcntl
import os
import secrets
import signal
import socket
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from pathlib import Path

import uvicorn
from starlette.types import ASGIApp

from pipeline.core.canonical import readable_bytes
from pipeline.core.errors import UsageError
from pipeline.suite.assets import Assets
from pipeline.suite.bridge import Bridge, bridge_app
from pipeline.suite.controls.contract import AnyControls
from pipeline.suite.guard import Hosts
from pipeline.suite.messages import MAX_MESSAGE_BYTES
from pipeline.suite.report import Distances, Reporter
from pipeline.suite.server import page_app
from pipeline.suite.shelf import Shelf
from pipeline.suite.stage import Stage

LOOPBACK = "127.0.0.1"
EVALUATOR_FILE = "evaluator.json"
_SECONDS_BETWEEN_THREADS = 0.0005
"""A move that is simulated for long must not hold up the other players: Python would let it run for 5 ms at a time."""


@dataclass(frozen=True)
class Addresses:
    """Where to listen; port 0 is any free one. The evaluator's channel is on the loopback interface in any case.

    UsageError for an empty host, which would mean every interface.
    """

    host: str = LOOPBACK
    port: int = 8000
    evaluator_port: int = 0

    def __post_init__(self) -> None:
        if not self.host:
            raise UsageError("the host to listen on is empty; leave it out to serve this machine alone.")

    @property
    def is_private(self) -> bool:
        """Whether nobody but this machine is answered."""
        return self.host in (LOOPBACK, "localhost", "::1")


@dataclass(frozen=True)
class Running:
    """A suite that answers: its address for browsers, the evaluator's address and token, and how to stop it."""

    url: str
    evaluator_url: str
    token: str
    stop: Callable[[], None]


async def host(
    shelf: Shelf,
    controls: Mapping[str, AnyControls],
    assets: Assets,
    state: Path,
    addresses: Addresses,
    started: Callable[[Running], None],
) -> None:
    """Serve until stopped, by `Running.stop` or a signal; UsageError for a taken port or state folder."""
    sys.setswitchinterval(_SECONDS_BETWEEN_THREADS)
    with (
        _only_server(state),
        _listen(addresses.host, addresses.port) as front,
        _listen(LOOPBACK, addresses.evaluator_port) as back,
    ):
        stage = Stage(shelf, controls, state / "sessions")
        distances = Distances()
        url, private_url = _url(addresses.host, front), _url(LOOPBACK, back)
        token = secrets.token_urlsafe(32)
        bridge = Bridge(stage, assets.looks, url, Reporter(distances))
        servers = (
            _Server(page_app(stage, assets, Hosts(addresses.host, _port(front)))),
            _Server(bridge_app(bridge, Hosts(LOOPBACK, _port(back)), token)),
        )

        def stop() -> None:
            for server in servers:
                server.should_exit = True

        _stop_on_signals(stop)
        running = Running(url, private_url, token, stop)
        try:
            with _evaluator_file(state, running):
                started(running)
                await asyncio.gather(servers[0].serve([front]), servers[1].serve([back]))
        finally:
            await stage.shut()
            distances.close()


class _Server(uvicorn.Server):
    """A uvicorn server that leaves signals to `host`: two of them would take them from each other."""

    def __init__(self, app: ASGIApp) -> None:
        super().__init__(
            uvicorn.Config(
                app,
                lifespan="off",
                log_level="warning",
                access_log=False,
                server_header=False,
                proxy_headers=False,
                ws="websockets-sansio",
                ws_max_size=MAX_MESSAGE_BYTES,
                ws_per_message_deflate=False,  # frames travel within one machine: packing them costs more than it saves
                timeout_graceful_shutdown=2,
                limit_concurrency=1000,
            )
        )

    def capture_signals(self) -> contextlib.AbstractContextManager[None]:  # type: ignore[override]
        """Signals are no concern of this server."""
        return nullcontext()


def _stop_on_signals(stop: Callable[[], None]) -> None:
    loop = asyncio.get_running_loop()
    with contextlib.suppress(RuntimeError, ValueError):  # in a thread other than the main one there are no signals
        for number in (signal.SIGINT, signal.SIGTERM):
            loop.add_signal_handler(number, stop)


def _listen(host: str, port: int) -> socket.socket:
    """A listening socket; UsageError when the address cannot be had."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listening = socket.socket(family)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((host, port))
        listening.listen(1024)
    except OSError as error:
        listening.close()
        what = f"port {port} of {host} cannot be used ({error.strerror}); choose another."
        raise UsageError(what) from None
    return listening


def _port(listening: socket.socket) -> int:
    port: int = listening.getsockname()[1]
    return port


def _url(host: str, listening: socket.socket) -> str:
    """The address for a browser on this machine."""
    name = {"0.0.0.0": LOOPBACK, "::": "::1"}.get(host, host)
    return f"http://{f'[{name}]' if ':' in name else name}:{_port(listening)}"


@contextmanager
def _only_server(state: Path) -> Iterator[None]:
    """The folder of the sessions, for this process alone; the system frees it when the process dies."""
    sessions = state / "sessions"
    sessions.mkdir(mode=0o700, parents=True, exist_ok=True)
    with (state / ".lock").open("a") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise UsageError(f"another server uses {state.as_posix()}; name another folder with --state.") from None
        yield


@contextmanager
def _evaluator_file(state: Path, running: Running) -> Iterator[None]:
    """Where the evaluator finds its channel while the server runs: a file that only its owner can read."""
    path, aside = state / EVALUATOR_FILE, state / f".new-{EVALUATOR_FILE}"
    content = {"url": running.evaluator_url, "token": running.token, "suite": running.url, "pid": os.getpid()}
    aside.unlink(missing_ok=True)
    with os.fdopen(os.open(aside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
        file.write(readable_bytes(content))
    aside.replace(path)
    try:
        yield
    finally:
        path.unlink(missing_ok=True)
