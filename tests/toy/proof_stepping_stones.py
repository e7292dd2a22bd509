"""The toy's claims are recounted whole."""

from collections.abc import Mapping

from pipeline.core.canonical import Json
from pipeline.core.errors import Problem
from pipeline.solve.proofs.recount import check_small
from tests.toy import game_stepping_stones as rules


def check(board: rules.Board, claim: Mapping[str, Json], proof: Mapping[str, Json]) -> list[Problem]:
    return check_small(rules.GAME, board, claim)
