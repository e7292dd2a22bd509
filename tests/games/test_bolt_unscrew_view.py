"""What the Bolt Unscrew page gets to draw: all that is in sight, and nothing else."""

import json
import math
import random
from typing import Any

import pytest
import shapely

from pipeline.games.bolt_unscrew import GAME, Board, Move, Plank, Polygon, State
from pipeline.games.bolt_unscrew_geometry import distance, place, unplace
from pipeline.games.bolt_unscrew_model import Point
from pipeline.games.bolt_unscrew_rig import rig_of
from pipeline.games.bolt_unscrew_sight import SEAM, shape_at
from pipeline.games.bolt_unscrew_view import looks_of, placed_planks
from tests.games.bolt_unscrew_boards import disc, panel, random_boards, strip

HOLES = [(100, 200), (300, 200), (200, 200), (30, 30), (130, 190), (130, 210), (370, 30)]
LOW = strip("low", (130, 190), (130, 210), [4], width=30, layer=0)
HIGH = strip("high", (100, 200), (300, 200), [0, 1], width=120, layer=3)


def view(board: Board, state: State | None = None) -> Any:
    shown = GAME.view(board, GAME.start(board) if state is None else state)
    assert json.loads(json.dumps(shown)) == shown
    return shown


def names(board: Board) -> dict[str, str]:
    """The ids of the document by the names the page sees."""
    return {look.name: plank.id for look, plank in zip(looks_of(board), board.boards, strict=True)}


def seen(board: Board, state: State | None = None) -> list[str]:
    return [names(board)[plank["id"]] for plank in view(board, state)["boards"]]


def area_of(plank: Any) -> Any:
    return shapely.union_all([shapely.Polygon(part[0], part[1:]) for part in plank["parts"]])


def test_a_plank_wholly_under_another_is_not_there_and_its_hole_neither() -> None:
    board = panel(HOLES, [0, 1], [HIGH, LOW], "pinned")
    assert seen(board) == ["high"]
    shown = view(board)
    assert len(shown["boards"][0]["holes"]) == 2
    assert [200.0, 200.0] not in shown["holes"] and [30.0, 30.0] in shown["holes"]
    assert not {"layer", "low", "high"} & set(json.dumps(shown).split('"'))


def test_a_plank_of_the_same_shape_or_under_two_that_meet_is_hidden() -> None:
    twins = panel(HOLES, [0, 1], [HIGH, HIGH.model_copy(update={"id": "twin", "layer": 0})])
    assert seen(twins) == ["high"]
    squares = [
        Plank(id=name, layer=1, shape=Polygon(kind="polygon", points=points), holes=())
        for name, points in (
            ("left", ((60, 150), (130, 150), (130, 260), (60, 260))),
            ("right", ((130, 150), (260, 150), (260, 260), (130, 260))),
        )
    ]
    assert seen(panel(HOLES, [], [LOW, *squares])) == ["left", "right"]


def test_what_shows_under_a_seated_screw_only_does_not_show() -> None:
    small = disc("small", (100, 200), 25, [0])
    assert seen(panel(HOLES, [0, 1], [small, HIGH])) == ["high"]
    assert seen(panel(HOLES, [1], [small.model_copy(update={"holes": ()}), HIGH])) == ["small", "high"]


def test_a_partly_hidden_plank_shows_what_sticks_out() -> None:
    across = strip("across", (200, 100), (200, 300), [], width=40)
    board = panel(HOLES, [0, 1], [across, HIGH])
    shown = view(board)["boards"]
    assert [len(part) for plank in shown for part in plank["parts"]] == [1, 1, 3]  # two ends, and a plank with holes
    lower, upper = (area_of(plank) for plank in shown)
    assert lower.bounds == pytest.approx((180, 80, 220, 320))
    assert lower.intersection(upper).area == pytest.approx(2 * SEAM * 40, rel=0.02)


@pytest.mark.parametrize("seed", range(3))
def test_painting_the_parts_in_order_gives_the_picture_of_whole_planks(seed: int) -> None:
    choices = random.Random(seed)
    for board in random_boards(40 + seed, 4, "hinged"):
        state = GAME.start(board)
        for _ in range(3):
            check_picture(board, state, choices)
            moves = GAME.moves(board, state)
            state = GAME.apply(board, state, choices.choice(moves)) if moves else state


def check_picture(board: Board, state: State, choices: random.Random) -> None:
    """The topmost plank at random points is the topmost of those painted."""
    shown = view(board, state)["boards"]
    areas = {names(board)[plank["id"]]: area_of(plank).buffer(0.3) for plank in shown}
    for _ in range(150):
        point = (choices.uniform(0, 300), choices.uniform(0, 300))
        top = topmost(board, state, point)
        if top is not None and all(topmost(board, state, near) == top for near in around(point, 1.0)):
            painted = [name for name, area in areas.items() if area.covers(shapely.Point(point))]
            assert painted[-1] == top
    check_seams(board, state, shown)


def check_seams(board: Board, state: State, shown: Any) -> None:
    """No corner of a part is deeper than SEAM under what hides it; whoever is not shown has nothing to show."""
    rig, planks = rig_of(board), placed_planks(board, state)
    parts = {names(board)[plank["id"]]: plank["parts"] for plank in shown}
    for rank, placed in enumerate(planks):
        bare = shape_at(rig, *placed)
        for other in planks[rank + 1 :]:
            bare = bare.difference(shape_at(rig, *other))
        corners = [corner for part in parts.get(board.boards[placed.plank].id, []) for ring in part for corner in ring]
        for x, y in corners:
            assert bare.distance(shapely.Point(x - rig.half_width, y)) <= SEAM + 0.2
        assert corners or bare.area < 100


def around(point: Point | list[float], radius: float) -> list[Point]:
    turns = [k * math.pi / 8 for k in range(16)]
    return [(point[0] + radius * math.cos(a), point[1] + radius * math.sin(a)) for a in turns]


def topmost(board: Board, state: State, point: Point) -> str | None:
    """The plank seen at a point of the panel, by the geometry of the rules."""
    rig = rig_of(board)
    for plank, pose in reversed(placed_planks(board, state)):
        local = unplace((point[0] - rig.half_width, point[1]), pose)
        drilled = any(math.dist(local, hole) < rig.hole_radius for hole in rig.drilled[plank])
        if distance(rig.outlines[plank], local) == 0 and not drilled:
            return board.boards[plank].id
    return None


def test_what_is_hidden_changes_nothing_but_the_names() -> None:
    """Another plank under the same one, or none: pages cannot tell."""

    def drawn(planks: list[Plank]) -> Any:
        shown = view(panel(HOLES, [0, 1], planks, "pinned"))
        return shown | {"boards": [{k: v for k, v in b.items() if k not in ("id", "tint")} for b in shown["boards"]]}

    thinner = LOW.model_copy(update={"id": "other", "shape": LOW.shape.model_copy(update={"width": 20.0})})
    assert drawn([HIGH, LOW]) == drawn([HIGH, thinner]) == drawn([HIGH])


def test_moved_planks_are_shown_where_they_are() -> None:
    shelf = panel(HOLES, [0, 1], [strip("shelf", (100, 200), (300, 200), [0, 1])])
    state = GAME.apply(shelf, GAME.start(shelf), Move(0, 3))
    before, after = view(shelf)["boards"][0], view(shelf, state)["boards"][0]
    pivot, pose = rig_of(shelf).holes[1], state.poses[0]
    assert pose is not None
    assert after["holes"][1] == pytest.approx([pivot[0] + 200, pivot[1]], abs=0.1)
    assert area_of(after).centroid.y == pytest.approx(place((0.0, 0.0), pose)[1], abs=0.2)
    assert (before["grain"], after["grain"]) == (0, pytest.approx(math.pi / 2, abs=0.01))
    assert (before["id"], before["tint"], before["kind"]) == (after["id"], after["tint"], "strip")


def test_planks_that_touch_have_tints_of_their_own() -> None:
    planks = [disc(f"d{i}", (100 + 30 * (i % 4), 200 + 30 * (i // 4)), 30, []) for i in range(8)]
    tints = [look.tint for look in looks_of(panel(HOLES, [], planks))]
    assert sorted(tints) == list(range(8))
    assert len({look.name for look in looks_of(panel(HOLES, [], planks))}) == 8
