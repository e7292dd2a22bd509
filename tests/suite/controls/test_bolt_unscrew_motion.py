"""How planks travel between two views."""

import json
import math
import random
from typing import Any

import pytest
import shapely

from pipeline.games.bolt_unscrew import GAME, Board, Move, State
from pipeline.games.bolt_unscrew_forms import mirrored
from pipeline.games.bolt_unscrew_view import looks_of
from pipeline.games.contract import replay
from pipeline.suite.controls.bolt_unscrew import CONTROLS
from tests.games.bolt_unscrew_boards import disc, panel, random_boards, strip

HOLES = [(100, 200), (300, 200), (60, 60), (340, 60), (150, 60), (250, 60)]
SHELF = panel(HOLES, [0, 1], [strip("shelf", (100, 200), (300, 200), [0, 1])])
START = GAME.start(SHELF)


def motion(board: Board, state: State, move: Move) -> Any:
    told = CONTROLS.motion(board, state, move)
    assert json.loads(json.dumps(told, allow_nan=False)) == told
    return told


def area_of(plank: Any) -> Any:
    return shapely.union_all([shapely.Polygon(part[0], part[1:]) for part in plank["parts"]])


def end_of(plank: Any) -> Any:
    """What is drawn of a travelling plank in its last frame."""
    (x, y), (dx, dy, turn) = plank["about"], plank["frames"][-1]
    turned = shapely.affinity.rotate(area_of(plank), turn, origin=(x, y), use_radians=True)
    return shapely.affinity.translate(turned, dx, dy)


def test_a_swinging_plank_turns_about_its_screw_and_ends_as_the_next_view_has_it() -> None:
    after = GAME.apply(SHELF, START, Move(0, 2))
    told, (before, now) = motion(SHELF, START, Move(0, 2)), (GAME.view(SHELF, s)["boards"][0] for s in (START, after))
    (plank,) = told["planks"]
    assert told["order"] == [plank["id"]] == [before["id"]]
    assert {key: plank[key] for key in before} == before
    assert (plank["about"], plank["exits"], plank["frames"][0]) == ([300.0, 200.0], False, [0.0, 0.0, 0.0])
    assert all((dx, dy) == (0, 0) for dx, dy, _ in plank["frames"])
    assert plank["frames"][-1][2] == pytest.approx(-math.pi / 2, abs=0.002)
    assert end_of(plank).symmetric_difference(area_of(now)).area < 0.01 * area_of(now).area
    assert plank["ms"] == told["ms"] == 2000 and len(plank["frames"]) == 41


def test_a_falling_plank_exits() -> None:
    swung = GAME.apply(SHELF, START, Move(0, 2))
    (plank,) = motion(SHELF, swung, Move(1, 3))["planks"]
    assert plank["exits"] and plank["ms"] <= 2000
    heights = [dy for _, dy, _ in plank["frames"]]
    assert heights == sorted(heights) and heights[-1] > 300


def test_a_pinned_plank_falls_straight_down() -> None:
    board = SHELF.model_copy(update={"physics": "pinned"})
    assert motion(board, GAME.start(board), Move(0, 2)) is None
    held = replay(GAME, board, [Move(0, 2)])
    (plank,) = motion(board, held, Move(1, 3))["planks"]
    assert plank["exits"] and 500 < plank["ms"] <= 2000
    assert all((dx, turn) == (0, 0) for dx, _, turn in plank["frames"])
    assert plank["frames"][-1][1] > 500


def test_mirrored_play_looks_mirrored() -> None:
    image = mirrored(SHELF)
    (plank,), (other,) = (motion(board, GAME.start(board), Move(0, 2))["planks"] for board in (SHELF, image))
    assert other["about"][0] == 400 - plank["about"][0]
    assert [frame[2] for frame in other["frames"]] == [pytest.approx(-frame[2], abs=1e-9) for frame in plank["frames"]]


def test_what_is_hidden_all_the_way_is_not_told() -> None:
    """The arm swings about a screw under the lid: what stays under it is left out, and a disc there not even named."""
    lid = disc("lid", (150, 150), 80, [1, 2], layer=2)
    arm = strip("arm", (150, 150), (300, 150), [1, 3], layer=1)
    coin = disc("coin", (100, 150), 20, [0], layer=0)
    holes = [(100, 150), (150, 150), (150, 100), (300, 150), (150, 200), (40, 40), (360, 40)]
    board = panel(holes, [1, 2, 3, 0], [lid, arm, coin])
    names = dict(zip(("lid", "arm", "coin"), (look.name for look in looks_of(board)), strict=True))
    told = motion(board, GAME.start(board), Move(3, 5))
    (plank,) = told["planks"]
    assert plank["id"] == names["arm"] and told["order"] == [names["arm"], names["lid"]]
    shown = area_of(plank)
    assert shown.contains(shapely.Point(250, 150)) and not shown.intersects(shapely.Point(165, 150).buffer(30))
    assert plank["holes"] == [[300.0, 150.0]]


@pytest.mark.parametrize("seed", range(3))
def test_motions_are_short_bounded_repeatable_and_end_where_the_rules_say(seed: int) -> None:
    choices = random.Random(seed)
    for board in random_boards(60 + seed, 3, "hinged"):
        state = GAME.start(board)
        for _ in range(4):
            moves = GAME.moves(board, state)
            if not moves:
                break
            move = choices.choice(moves)
            told, after = motion(board, state, move), GAME.apply(board, state, move)
            assert told == motion(board, state, move)
            for plank in told["planks"] if told else []:
                check_end(board, after, plank)
            state = after


def check_end(board: Board, after: State, plank: Any) -> None:
    assert plank["ms"] == 50 * (len(plank["frames"]) - 1) <= 2000
    index = [look.name for look in looks_of(board)].index(plank["id"])
    assert plank["exits"] == (after.poses[index] is None)
    for now in GAME.view(board, after)["boards"]:
        if now["id"] == plank["id"]:
            assert area_of(now).difference(end_of(plank).buffer(1)).area < 0.02 * area_of(now).area + 5
