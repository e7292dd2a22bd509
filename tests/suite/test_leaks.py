"""What a page could learn: every byte served while real levels are played holds nothing but what is on the screen."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from pipeline.core.outcome import Budget, Solved
from pipeline.games.level import Level
from pipeline.solve.table import SOLVERS
from pipeline.suite.assets import load_assets
from pipeline.suite.attempt import Attempt
from pipeline.suite.controls.table import CONTROLS
from pipeline.suite.shelf import make_shelf
from tests.samples import SAMPLED, sample_level
from tests.suite.serving import Suite, serving

SHELF = "sha256:" + "7" * 64
FORBIDDEN = (
    "digest",
    "sha256",
    "solution",
    "min_moves",
    "optimal",
    "lost",
    "dead",
    "canonical",
    "certificate",
    "token",
)
"""Words that have no business in a frame; `won` is on the screen."""
PLAYED = [game for game in SAMPLED if game in CONTROLS]


def levels() -> Iterator[tuple[str, Level]]:
    for game in PLAYED:
        for number in (1, 2):
            yield f"{game}/easy/{number:02}", sample_level(game)


@pytest.fixture(scope="module")
def suite(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Suite]:
    with serving(tmp_path_factory.mktemp("suite"), make_shelf(levels(), SHELF), CONTROLS) as running:
        yield running


@pytest.fixture(scope="module")
def solutions() -> dict[str, tuple[Any, ...]]:
    found = {}
    for game in PLAYED:
        outcome = SOLVERS[game].solve(sample_level(game).board, Budget())
        assert isinstance(outcome, Solved)
        found[game] = outcome.moves
    return found


@pytest.mark.parametrize("game", PLAYED)
def test_a_whole_solved_level_serves_nothing_hidden(
    suite: Suite, solutions: dict[str, tuple[Any, ...]], game: str
) -> None:
    rules, controls, level = CONTROLS[game].game, CONTROLS[game], sample_level(game)
    key = suite.open(f"?game={game}&difficulty=easy&level=1&theme=plain")
    page = suite.get(f"/play/{key}").text
    attempt = Attempt(controls, level.board)
    with suite.page(key) as client:
        for move in solutions[game]:
            for gesture in controls.perform(level.board, attempt.state, move):
                client.perform(gesture)
            attempt.replay(rules.move_text(move))
            assert client.frame["screen"]["view"] == rules.view(level.board, attempt.state)
        assert client.frame["screen"]["won"]
        client.command("next")
        client.command("menu")
        served = page + client.bytes
    texts = [rules.move_text(move) for move in solutions[game]]
    documents = [json.dumps(rules.move_document(move), separators=(",", ":")) for move in solutions[game]]
    secrets = [level.digest[7:], SHELF[7:], suite.running.token, suite.running.evaluator_url.rpartition(":")[2]]
    whole = [" ".join(texts), ",".join(texts), ",".join(documents), *(path.stem for path in _journals(suite))]
    for secret in [*secrets, *whole]:
        assert secret not in served
    for word in FORBIDDEN:
        assert word not in served.lower()


def test_frames_have_the_documented_fields_and_no_others(suite: Suite) -> None:
    game = PLAYED[0]
    with suite.page(suite.open()) as client:
        frames = [
            client.frame,
            client.command("game", game=game),
            client.command("difficulty", difficulty="easy"),
            client.command("level", number=1),
        ]
    assert all(set(frame) == {"type", "revision", "screen", "effect"} for frame in frames)
    assert [set(frame["screen"]) for frame in frames] == [
        {"name", "games"},
        {"name", "game", "difficulties"},
        {"name", "game", "difficulty", "levels"},
        {"name", "game", "difficulty", "number", "of", "won", "last", "undo", "layout", "view", "hand"},
    ]


def test_files_of_the_page_hold_no_level_and_no_foreign_address() -> None:
    """The files that are really served, not the toy ones; a namespace is a name, not an address."""
    for name, file in load_assets().files.items():
        if name.endswith((".js", ".css", ".json", ".svg")):
            text = file.body.decode().replace("http://www.w3.org/2000/svg", "")
            for mark in ("http://", "https://", '"//', "lpb-level/1", "sourceMappingURL", "sha256"):
                assert mark not in text, f"{name} holds {mark}"


def _journals(suite: Suite) -> list[Path]:
    return list((suite.state / "sessions").glob("*.jsonl"))
