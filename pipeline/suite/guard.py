"""What every request must pass before anything looks at it, and what every answer carries.

A server on the loopback interface is reachable from every page that the same browser has open. Requests under a foreign
name (DNS rebinding) are refused by their Host header, foreign pages by the Origin of their socket.
"""

import ipaddress
from collections.abc import Callable

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

Refusal = Callable[[Headers], Response | None]
"""Why a request is refused, or None."""

CONTENT_POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self'",
        "font-src 'self'",
        "connect-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
    )
)
_HEADERS = {
    "Content-Security-Policy": CONTENT_POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}


class Hosts:
    """The names a server answers to: loopback names, and a host it was told to listen on."""

    def __init__(self, host: str, port: int) -> None:
        names = {"127.0.0.1", "localhost", "[::1]", f"[{host}]" if ":" in host else host}
        self._names = {f"{name}:{port}" for name in names} | (names if port == 80 else set())
        self._any_address = _is_unspecified(host)
        self._port = port

    def allow(self, host: str) -> bool:
        """Whether a Host header names this server. Listening on every interface, any address will do, but no name."""
        if host in self._names:
            return True
        name, _, port = host.rpartition(":")
        return self._any_address and port == str(self._port) and _is_address(name.strip("[]"))


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def _is_unspecified(host: str) -> bool:
    return _is_address(host) and ipaddress.ip_address(host).is_unspecified


class Guard:
    """ASGI middleware: refuses by Host and by one further rule, and adds the security headers to every answer."""

    def __init__(self, app: ASGIApp, hosts: Hosts, refusal: Refusal = lambda headers: None) -> None:
        self._app, self._hosts, self._refusal = app, hosts, refusal

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or refuse it."""

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                headers.setdefault("Cache-Control", "no-store")
                for name, value in _HEADERS.items():
                    headers[name] = value
            await send(message)

        headers = Headers(scope=scope)
        refused = self._refuse(headers, scope["type"])
        if refused is None:
            await self._app(scope, receive, send_with_headers)
        elif scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": 1008})  # before it is accepted: answered with 403
        else:
            await refused(scope, receive, send_with_headers)

    def _refuse(self, headers: Headers, kind: str) -> Response | None:
        host = headers.get("host", "")
        if len(headers.getlist("host")) != 1 or not self._hosts.allow(host):
            return PlainTextResponse("This server does not answer to that name.\n", 421)
        if kind == "websocket" and headers.getlist("origin") != [f"http://{host}"]:
            return PlainTextResponse("Not from that page.\n", 403)
        return self._refusal(headers)
