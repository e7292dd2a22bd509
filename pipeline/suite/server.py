"""What a browser sees: the launch, the page of a session, its files, and its socket."""

import asyncio
import json
import logging
from contextlib import suppress
from typing import Any

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.types import ASGIApp
from starlette.websockets import WebSocket, WebSocketDisconnect, WebSocketState

from pipeline.core.canonical import Json
from pipeline.core.errors import PipelineError
from pipeline.suite.assets import Assets
from pipeline.suite.guard import Guard, Hosts
from pipeline.suite.launch import Opening, check_launch, launch_of_query
from pipeline.suite.live import AGAIN, GONE, Broken, Live, Page
from pipeline.suite.messages import Settled, parse_message
from pipeline.suite.stage import Stage, StageFull

NOT_UNDERSTOOD = 4400
_SECONDS_TO_SEND = 10.0
_LOG = logging.getLogger(__name__)


class _Pages:
    """The handlers."""

    def __init__(self, stage: Stage, assets: Assets) -> None:
        self._stage, self._assets = stage, assets

    async def launch(self, request: Request) -> Response:
        """`GET /`: a new session, always; never another's."""
        try:
            query = request.query_params
            if len(query.multi_items()) != len(query):
                raise PipelineError("a parameter is given twice.")
            launch = check_launch(launch_of_query(query), self._stage.shelf, self._assets.looks)
            key = await self._stage.open(Opening(launch=launch, shelf=self._stage.shelf.digest))
        except StageFull:
            raise  # `full` answers
        except PipelineError as error:
            return self._message(400, str(error))
        except OSError as error:
            return self._message(503, f"no journal can be written ({error.strerror}).")
        return RedirectResponse(f"/play/{key}", 303)

    async def play(self, request: Request) -> Response:
        """The page of a session."""
        key = request.path_params["key"]
        live = await self._stage.find_by_key(key)
        if live is None:
            return self._message(404, "there is no such session; open the start page for a new one.")
        launch = live.session.opening.launch
        return HTMLResponse(self._assets.page.render(key=key, lang=launch.lang, theme=launch.theme))

    async def static(self, request: Request) -> Response:
        """A file of the page: only names that were there at the start lead anywhere."""
        file = self._assets.files.get(request.path_params["path"])
        if file is None:
            return self._message(404, "there is no such file.")
        headers = {"ETag": file.tag, "Cache-Control": "no-cache"}
        if request.headers.get("if-none-match") == file.tag:
            return Response(status_code=304, headers=headers)
        return Response(file.body, headers=headers, media_type=file.media_type)

    async def socket(self, socket: WebSocket) -> None:
        """The conversation with a page, until it leaves."""
        await socket.accept()
        try:
            live = await self._stage.find_by_key(socket.path_params["key"])
        except StageFull:
            await _hang(socket, AGAIN)
            return
        if live is None:
            await _hang(socket, GONE)
            return
        page = Page(lambda frame: _send(socket, frame), lambda code: _hang(socket, code))
        try:
            await live.attach(page)
            await self._converse(socket, live, page)
        except WebSocketDisconnect:
            pass
        except Broken:
            await _hang(socket, AGAIN)
        except Exception:
            # What is in memory may no longer be what the journal says: the journal decides, at the next connection.
            _LOG.exception("a session stopped; it goes on from its journal")
            await live.close(AGAIN)
        finally:
            live.detach(page)

    async def _converse(self, socket: WebSocket, live: Live, page: Page) -> None:
        while socket.application_state is WebSocketState.CONNECTED:  # else this side has hung up
            try:
                message = parse_message((await socket.receive_text()).encode())
            except (PipelineError, UnicodeEncodeError, KeyError):
                await _hang(socket, NOT_UNDERSTOOD)
                return
            if isinstance(message, Settled):
                live.settle(message.revision, page)
            else:
                await live.receive(message, page)

    async def full(self, request: Request, error: Exception) -> Response:
        """A session that rests, and no room to wake it."""
        return self._message(503, str(error))

    async def not_found(self, request: Request, error: Exception) -> Response:
        """Every other address."""
        return self._message(404, "there is nothing here.")

    def _message(self, status: int, sentence: str) -> Response:
        return HTMLResponse(self._assets.message.render(title=status, sentence=sentence), status)


async def _send(socket: WebSocket, frame: Json) -> None:
    """Send a frame; a page that has gone, or no longer reads, hears nothing more."""
    try:
        await asyncio.wait_for(socket.send_text(json.dumps(frame, separators=(",", ":"))), _SECONDS_TO_SEND)
    except (TimeoutError, RuntimeError, WebSocketDisconnect):
        await _hang(socket, AGAIN)


async def _hang(socket: WebSocket, code: int) -> None:
    with suppress(TimeoutError, RuntimeError, WebSocketDisconnect):
        await asyncio.wait_for(socket.close(code), _SECONDS_TO_SEND)


def page_app(stage: Stage, assets: Assets, hosts: Hosts) -> ASGIApp:
    """The application for browsers."""
    pages = _Pages(stage, assets)
    routes = [
        Route("/", pages.launch, methods=["GET"]),
        Route("/play/{key}", pages.play, methods=["GET"]),
        Route("/static/{path:path}", pages.static, methods=["GET"]),
        WebSocketRoute("/play/{key}/socket", pages.socket),
    ]
    handlers: dict[Any, Any] = {StageFull: pages.full, 404: pages.not_found}
    return Guard(Starlette(routes=routes, exception_handlers=handlers), hosts)
