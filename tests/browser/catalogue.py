"""The catalogue that browser tests play: thirty levels drawn by `bench.draw_test_levels`, five a game."""

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

from pipeline.core.outcome import Budget, Outcome, Solved
from pipeline.games.level import Level, read_level
from pipeline.solve.table import SOLVERS
from pipeline.store.catalogue import catalogue_levels

CATALOGUE = Path(__file__).resolve().parents[1] / "corpora" / "catalogue"
PLACES = tuple(entry.place for entry in catalogue_levels(CATALOGUE))
"""E.g. `rush_hour/easy/03`, in the catalogue's order."""


@cache
def level_at(place: str) -> Level:
    """The level of a place."""
    return read_level(CATALOGUE / f"{place}.json")


@cache
def outcome_at(place: str) -> Outcome[Any]:
    """What the solver says of the level of a place."""
    level = level_at(place)
    return SOLVERS[level.game.name].solve(level.board, Budget(seconds=None, states=2_000_000))


def solution(place: str) -> Iterator[tuple[Any, Any, Any]]:
    """State, move and next state of every move of the solver's solution."""
    level, outcome = level_at(place), outcome_at(place)
    assert isinstance(outcome, Solved)
    state = level.game.start(level.board)
    for move in outcome.moves:
        after = level.game.apply(level.board, state, move)
        yield state, move, after
        state = after


def launch_of(place: str) -> dict[str, Any]:
    """The launch that begins at a place."""
    game, difficulty, number = place.split("/")
    return {"game": game, "difficulty": difficulty, "level": int(number)}
