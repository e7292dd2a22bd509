"""One server and one browser for the browser tests of a process; without a browser, one line that says so."""

import os
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Playwright, sync_playwright

from tests.browser.driver import Player, Server, launch_browser
from tests.browser.install import NO_BROWSER, ensure_chromium

OpenPlayer = Callable[..., Player]


@pytest.fixture(scope="package")
def playwright() -> Iterator[Playwright]:
    """Playwright, once there is a browser. It is closed with the folder: no other test could run an event loop."""
    if ensure_chromium(system=False) is None:
        if os.environ.get("LPB_REQUIRE_BROWSER") == "1":
            pytest.fail(NO_BROWSER, pytrace=False)
        pytest.skip(NO_BROWSER)
    with sync_playwright() as started:
        yield started


@pytest.fixture(scope="package")
def browser(playwright: Playwright) -> Iterator[Browser]:
    launched = launch_browser(playwright)
    yield launched
    launched.close()


@pytest.fixture(scope="package")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with Server(tmp_path_factory.mktemp("suite")) as running:
        yield running


@pytest.fixture
def open_player(browser: Browser, server: Server) -> Iterator[OpenPlayer]:
    """Opens pages of new sessions, which are closed after the test; an error on any of them fails it."""
    players: list[Player] = []

    def open_one(*, inside: Browser = browser, at: Server = server, **how: Any) -> Player:
        players.append(Player(inside, at.evaluator, **how))
        return players[-1]

    yield open_one
    for player in players:
        player.leave()
    assert [error for player in players for error in player.errors] == []
