"""The catalogue that browser tests play: thirty levels drawn by `bench.draw_test_levels`, five a game."""

from functools import cache
from pathlib import Path
from typing import Any

from pipeline.core.outcome import Budget, Outcome
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
