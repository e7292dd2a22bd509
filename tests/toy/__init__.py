"""A seventh game that lives under tests/: three files of its own name and one row in each of three tables."""

from collections.abc import Iterator
from contextlib import contextmanager
from unittest import mock

from pipeline.games.table import GAMES
from pipeline.solve.proofs.table import CHECKERS
from pipeline.solve.table import SOLVERS
from tests.toy import game_stepping_stones, proof_stepping_stones, solve_stepping_stones


@contextmanager
def toy_game_installed() -> Iterator[None]:
    """Add the toy game's row to each table."""
    name = game_stepping_stones.GAME.name
    with (
        mock.patch.dict(GAMES, {name: game_stepping_stones.GAME}),
        mock.patch.dict(SOLVERS, {name: solve_stepping_stones.SOLVER}),
        mock.patch.dict(CHECKERS, {name: proof_stepping_stones.check}),
    ):
        yield
