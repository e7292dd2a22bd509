"""The evaluator's private channel: what no page may know, on a port of its own, for whoever holds the token.

A browser cannot use it even if it learns the address: it cannot leave out the headers that say it is one.
"""

import asyncio
import secrets
from collections.abc import Callable
from typing import Annotated, Any, TypeVar

from pydantic import Field, TypeAdapter, ValidationError
from starlette.applications import Starlette
from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp

from pipeline.core.canonical import Json
from pipeline.core.errors import PipelineError
from pipeline.core.model import Document
from pipeline.core.strict_json import parse_strict
from pipeline.suite.guard import Guard, Hosts
from pipeline.suite.launch import Launch, Looks, Opening, Word, check_launch, opening_of
from pipeline.suite.live import GONE, Broken, Live
from pipeline.suite.play import Spot
from pipeline.suite.report import Reporter
from pipeline.suite.stage import Stage, StageFull, id_of

D = TypeVar("D", bound=Document)

MAX_BODY = 64 * 1024
MAX_WAIT = 60.0
_BROWSERS_SEND = ("origin", "cookie", "referer")


class NewSession(Launch):
    """A launch by the evaluator. `bound`: the player gets this one objective and no other."""

    bound: bool = False


class Restore(Document):
    """A state to put the player into."""

    game: Word
    difficulty: Word
    level: Annotated[int, Field(ge=1, le=9999)]
    state: Annotated[str, Field(min_length=1, max_length=32_768)]


class Patience(Document):
    """What to wait for: the page is settled, said nothing for `quiet` seconds, and made `inputs` inputs in all."""

    inputs: Annotated[int, Field(ge=0)] = 0
    quiet: Annotated[float, Field(ge=0, le=5)] = 0.05
    timeout: Annotated[float, Field(ge=0, le=MAX_WAIT)] = 5.0


class _NotFound(PipelineError):
    """There is no such session."""


class Bridge:
    """The handlers."""

    def __init__(self, stage: Stage, looks: Looks, suite_url: str, reporter: Reporter) -> None:
        self._stage, self._looks, self._url, self._reporter = stage, looks, suite_url, reporter

    async def create(self, request: Request) -> Response:
        """`POST /sessions`: a new session and the address of its page."""
        wanted = await _body(request, NewSession)
        launch = Launch(**wanted.model_dump(exclude={"bound"}))
        if wanted.bound and (launch.game is None or launch.difficulty is None):
            raise PipelineError("a bound session needs a game and a difficulty.")
        checked = check_launch(launch, self._stage.shelf, self._looks)
        opening = Opening(launch=checked, bound=wanted.bound, anonymous=False, shelf=self._stage.shelf.digest)
        key = await self._stage.open(opening)
        return JSONResponse({"id": id_of(key), "url": f"{self._url}/play/{key}"}, 201)

    async def objectives(self, request: Request) -> Response:
        """`GET /objectives`: what can be played."""
        shelf = self._stage.shelf
        rows = [
            {
                "game": objective.game,
                "difficulty": objective.difficulty,
                "levels": list(objective.digests),
            }
            for objective in shelf.objectives
        ]
        return JSONResponse({"digest": shelf.digest, "objectives": rows})

    async def index(self, request: Request) -> Response:
        """`GET /sessions`: all sessions that have a journal, whoever opened them."""
        rows = await asyncio.to_thread(lambda: [_entry(self._stage, ident) for ident in self._stage.known()])
        return JSONResponse({"sessions": rows})

    async def state(self, request: Request) -> Response:
        """`GET /sessions/{id}`: everything about the session now; with `?board=1` the board, too."""
        live = await self._live(request)
        return JSONResponse(await self._reporter.report(live, with_board=request.query_params.get("board") == "1"))

    async def settled(self, request: Request) -> Response:
        """`GET /sessions/{id}/settled`: wait for the page; whether it is settled now."""
        live = await self._live(request)
        wanted = _patience(request)

        def come(live: Live) -> bool:
            return live.is_settled and live.session.inputs >= wanted.inputs

        done = await live.wait(come, wanted.quiet, wanted.timeout)
        return JSONResponse({"settled": done, "inputs": live.session.inputs, "revision": live.session.revision})

    async def restore(self, request: Request) -> Response:
        """`POST /sessions/{id}/restore`: put the player into a state; its page shows it at once."""
        live = await self._live(request)
        wanted = await _body(request, Restore)
        spot = Spot(wanted.game, wanted.difficulty, wanted.level)
        await live.change(lambda session: session.restore(spot, wanted.state))
        return JSONResponse({"revision": live.session.revision})

    async def journal(self, request: Request) -> Response:
        """`GET /sessions/{id}/journal`: the journal as it is on the disk."""
        path = self._stage.journal_path(self._ident(request))
        return Response(await asyncio.to_thread(path.read_bytes), media_type="application/x-ndjson")

    async def delete(self, request: Request) -> Response:
        """`DELETE /sessions/{id}`: the session is over for good; its journal stays."""
        await self._live(request)
        await self._stage.drop(request.path_params["id"], GONE, for_good=True)
        return Response(status_code=204)

    def _ident(self, request: Request) -> str:
        ident = str(request.path_params["id"])
        if not self._stage.knows(ident):
            raise _NotFound("there is no such session.")
        return ident

    async def _live(self, request: Request) -> Live:
        live = await self._stage.find(self._ident(request))
        if live is None:
            raise _NotFound("the session is over, damaged or of another set of levels.")
        return live


def _entry(stage: Stage, ident: str) -> Json:
    """A session as the index lists it, from the first line of its journal."""
    with stage.journal_path(ident).open("rb") as file:
        first = file.readline()
    try:
        opening = opening_of(parse_strict(first, ident), ident)
    except PipelineError as error:
        return {"id": ident, "problem": str(error)}
    return {"id": ident, **opening.launch.model_dump(), "bound": opening.bound, "anonymous": opening.anonymous}


async def _body(request: Request, form: type[D]) -> D:
    """The request's body in a form; PipelineError when it is too long or is none."""
    data = b""
    async for chunk in request.stream():
        data += chunk
        if len(data) > MAX_BODY:
            raise PipelineError(f"a request has at most {MAX_BODY} bytes.")
    return _typed(parse_strict(data, "request"), form)


def _patience(request: Request) -> Patience:
    given: dict[str, Json] = dict(request.query_params)
    try:
        numbers = {name: int(text) if name == "inputs" else float(text) for name, text in given.items()}
    except ValueError:
        raise PipelineError("inputs, quiet and timeout are numbers.") from None
    return _typed(numbers, Patience)


def _typed(value: Json, form: type[D]) -> D:
    try:
        return TypeAdapter(form).validate_python(value, strict=True)
    except ValidationError as error:
        detail = error.errors(include_url=False)[0]
        where = ".".join(str(part) for part in detail["loc"])[:40] or "request"
        raise PipelineError(f"{where}: {detail['msg']}.") from None


async def _refused(request: Request, error: Exception) -> Response:
    return JSONResponse({"error": str(error)}, 404 if isinstance(error, _NotFound) else 400)


async def _not_now(request: Request, error: Exception) -> Response:
    return JSONResponse({"error": str(error)}, 503)


async def _no_disk(request: Request, error: Exception) -> Response:
    said = error.strerror if isinstance(error, OSError) else error
    return JSONResponse({"error": f"the journal cannot be read or written ({said})."}, 503)


async def _no_route(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    return JSONResponse({"error": "there is nothing here that can be asked so."}, error.status_code, error.headers)


def _only_with(token: str) -> Callable[[Headers], Response | None]:
    """Refuse browsers, and everybody without the token; what is compared takes the same time whatever is wrong."""
    expected = f"Bearer {token}".encode()

    def refusal(headers: Headers) -> Response | None:
        if any(name in _BROWSERS_SEND or name.startswith("sec-") for name in headers):
            return JSONResponse({"error": "no browser may ask here."}, 403)
        if not secrets.compare_digest(headers.get("authorization", "").encode(), expected):
            return JSONResponse({"error": "the token is missing or wrong."}, 401)
        return None

    return refusal


def bridge_app(bridge: Bridge, hosts: Hosts, token: str) -> ASGIApp:
    """The application for the evaluator."""
    one = "/sessions/{id}"
    routes = [
        Route("/objectives", bridge.objectives, methods=["GET"]),
        Route("/sessions", bridge.index, methods=["GET"]),
        Route("/sessions", bridge.create, methods=["POST"]),
        Route(one, bridge.state, methods=["GET"]),
        Route(one, bridge.delete, methods=["DELETE"]),
        Route(f"{one}/settled", bridge.settled, methods=["GET"]),
        Route(f"{one}/restore", bridge.restore, methods=["POST"]),
        Route(f"{one}/journal", bridge.journal, methods=["GET"]),
    ]
    handlers: dict[Any, Any] = {
        StageFull: _not_now,
        Broken: _not_now,
        PipelineError: _refused,
        OSError: _no_disk,
        HTTPException: _no_route,
    }
    return Guard(Starlette(routes=routes, exception_handlers=handlers), hosts, _only_with(token))
