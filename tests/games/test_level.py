"""Level documents: strict reading, every fault named with file, JSON path and value, stable digests."""

import copy
import json
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given

from pipeline.core.errors import InvalidDocument
from pipeline.games import rush_hour
from pipeline.games.level import Level, Manual, level_of, parse_level
from tests.boards import document, rush_boards, rush_level

Doc = dict[str, Any]


def put(*path: Any, value: Any) -> Callable[[Doc], None]:
    def change(doc: Doc) -> None:
        for step in path[:-1]:
            doc = doc[step]
        doc[path[-1]] = value

    return change


def drop(*path: Any) -> Callable[[Doc], None]:
    def change(doc: Doc) -> None:
        for step in path[:-1]:
            doc = doc[step]
        del doc[path[-1]]

    return change


FAULTS: list[tuple[Callable[[Doc], None], str, str, str]] = [
    (put("extra", value=1), "unknown_key", "$.extra", "extra"),
    (put("board", "colour", value=1), "unknown_key", "$.board.colour", "colour"),
    (put("board", "vehicles", 0, "speed", value=1), "unknown_key", "$.board.vehicles[0].speed", "speed"),
    (put("provenance", "who", value="me"), "unknown_key", "$.provenance.who", "who"),
    (drop("game"), "missing_key", "$", "game"),
    (drop("board", "exit"), "missing_key", "$.board.exit", "exit"),
    (put("format", value="lpb-level/2"), "format", "$.format", "lpb-level/2"),
    (put("game", value="chess"), "game", "$.game", "chess"),
    (put("game", value=["rush_hour"]), "game", "$.game", "rush_hour"),
    (put("board", value=[]), "value", "$.board", "[]"),
    (put("board", "rows", value="6"), "value", "$.board.rows", '"6"'),
    (put("board", "rows", value=6.5), "value", "$.board.rows", "6.5"),
    (put("board", "rows", value=True), "value", "$.board.rows", "true"),
    (put("board", "rows", value=2), "value", "$.board.rows", "2"),
    (put("board", "cols", value=17), "value", "$.board.cols", "17"),
    (put("board", "vehicles", value=[]), "value", "$.board.vehicles", "[]"),
    (put("board", "vehicles", 0, "axis", value="h"), "value", "$.board.vehicles[0].axis", '"h"'),
    (put("board", "vehicles", 0, "id", value=""), "value", "$.board.vehicles[0].id", '""'),
    (put("board", "vehicles", 0, "length", value=1), "value", "$.board.vehicles[0].length", "1"),
    (put("board", "walls", value=[[0]]), "missing_key", "$.board.walls[0][1]", "1"),
    (put("board", "walls", value=[[0, -1]]), "value", "$.board.walls[0][1]", "-1"),
    (put("board", "exit", value="north"), "value", "$.board.exit", "north"),
    (put("provenance", value={"kind": "guess"}), "value", "$.provenance", "guess"),
    (put("board", "walls", value=[[5, 9]]), "out_of_board", "$.board.walls[0]", "[5, 9]"),
    (put("board", "walls", value=[[5, 2], [5, 2]]), "overlap", "$.board.walls[1]", "twice"),
    (put("board", "walls", value=[[0, 0]]), "overlap", "$.board.vehicles[0]", "wall"),
    (put("board", "vehicles", 1, "id", value="A"), "duplicate_id", "$.board.vehicles[1].id", "'A'"),
    (put("board", "vehicles", 0, "row", value=5), "out_of_board", "$.board.vehicles[0]", "'A'"),
    (put("board", "vehicles", 1, "col", value=0), "overlap", "$.board.vehicles[1]", "'A'"),
    (put("board", "target", value="Q"), "no_target", "$.board.target", "'Q'"),
    (put("board", "exit", value="top"), "exit_off_axis", "$.board.exit", "top"),
]


@pytest.mark.parametrize(("spoil", "code", "where", "said"), FAULTS, ids=[f"{f[1]}-{f[2]}" for f in FAULTS])
def test_faults_are_named_with_place_and_value(spoil: Callable[[Doc], None], code: str, where: str, said: str) -> None:
    doc = copy.deepcopy(document(rush_level()))
    spoil(doc)
    with pytest.raises(InvalidDocument) as caught:
        level_of(doc, "levels/a.json")
    found = [(p.code, p.where) for p in caught.value.problems]
    assert (code, where) in found
    problem = caught.value.problems[found.index((code, where))]
    assert said in problem.message
    assert problem.message.endswith(".")
    assert "levels/a.json" in str(caught.value)


def test_every_problem_is_reported_not_only_the_first() -> None:
    doc = document(rush_level())
    put("board", "rows", value=1)(doc)
    put("board", "exit", value=3)(doc)
    put("provenance", value={})(doc)
    with pytest.raises(InvalidDocument) as caught:
        level_of(doc, "x")
    assert {p.where for p in caught.value.problems} >= {"$.board.rows", "$.board.exit", "$.provenance"}


@given(rush_boards())
def test_writing_and_reading_is_a_round_trip(board: rush_hour.Board) -> None:
    level = Level(rush_hour.GAME, board, Manual(kind="manual"))
    again = parse_level(level.to_bytes(), "x")
    assert again == level
    assert again.to_bytes() == level.to_bytes()
    assert again.digest == level.digest


def test_digest_is_over_board_and_game_alone() -> None:
    """Golden: recompute by hand from RFC 8785 before changing it; every piece of evidence hangs on it."""
    level = rush_level("X X .\n. . .\n. . .")
    wanted = (
        '{"board":{"cols":3,"exit":"right","rows":3,"target":"X","vehicles":[{"axis":"horizontal","col":0,"id":"X",'
        '"length":2,"row":0}],"walls":[]},"game":"rush_hour"}'
    )
    import hashlib

    assert level.digest == "sha256:" + hashlib.sha256(wanted.encode()).hexdigest()
    doc = document(level)
    doc["provenance"] = {"kind": "manual", "note": "another story"}
    assert level_of(doc, "x").digest == level.digest
    assert json.loads(wanted)["board"] == document(level)["board"]
