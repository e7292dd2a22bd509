"""Laws and cases of the Bolt Unscrew rules."""

import json
import math
import os
import random
import subprocess
import sys

import pytest

from pipeline.core.errors import IllegalMove, PipelineError
from pipeline.games.bolt_unscrew import GAME, Board, Move, Plank, Polygon, Pose, State, free_holes, released
from pipeline.games.bolt_unscrew_physics import settle, way
from pipeline.games.bolt_unscrew_rig import rig_of
from pipeline.games.contract import replay
from tests.games.bolt_unscrew_boards import disc, panel, random_boards, strip
from tests.games.laws import check_canonical, check_laws
from tests.handed import published

SHELF = panel(
    holes=[(100, 200), (300, 200), (60, 60), (340, 60)],
    screws=[0, 1],
    planks=[strip("shelf", (100, 200), (300, 200), [0, 1])],
)
"""One plank on two screws, two free holes above it."""


def free(board: Board, state: State) -> list[int]:
    return free_holes(rig_of(board), state)


def pose_of(state: State, plank: int = 0) -> Pose:
    pose = state.poses[plank]
    assert pose is not None
    return pose


@pytest.mark.parametrize("seed", range(6))
def test_laws_pinned(seed: int) -> None:
    for board in random_boards(seed, 4, "pinned"):
        check_laws(GAME, board, random.Random(seed))
        check_canonical(GAME, board)


@pytest.mark.parametrize("seed", range(4))
def test_laws_hinged_and_mirrored_play_is_the_mirror_image_bit_by_bit(seed: int) -> None:
    for board in random_boards(100 + seed, 2, "hinged"):
        check_laws(GAME, board, random.Random(seed))
        check_canonical(GAME, board)


def test_two_screws_hold_one_lets_swing_none_lets_fall() -> None:
    start = GAME.start(SHELF)
    swung = GAME.apply(SHELF, start, Move(0, 2))
    assert swung.screws == (1, 2) and released(rig_of(SHELF), swung) == []
    assert GAME.progress(SHELF, swung) == 0
    gone = GAME.apply(SHELF, swung, Move(1, 3))
    assert GAME.won(SHELF, gone) and GAME.progress(SHELF, gone) == 1 and gone.screws == (2, 3)


def test_pinned_planks_keep_their_pose_until_the_last_screw_leaves() -> None:
    board = SHELF.model_copy(update={"physics": "pinned"})
    held = GAME.apply(board, GAME.start(board), Move(0, 2))
    assert held.poses == GAME.start(board).poses
    assert not GAME.won(board, GAME.apply(board, held, Move(1, 0)))  # held again
    assert GAME.won(board, GAME.apply(board, held, Move(1, 3)))


def test_a_swinging_plank_ends_with_its_centre_of_mass_straight_below_the_screw() -> None:
    pose = pose_of(GAME.apply(SHELF, GAME.start(SHELF), Move(0, 2)))
    pivot = rig_of(SHELF).holes[1]
    assert pose.x == pytest.approx(pivot[0], abs=0.1)
    assert pose.y == pytest.approx(pivot[1] + 100, abs=0.1)


def test_where_a_plank_comes_to_rest_does_not_depend_on_planks_it_never_meets() -> None:
    other = strip("other", (100, 500), (300, 500), [4, 5])
    holes = [*SHELF.holes, (100, 500), (300, 500)]
    fuller = panel(holes, [0, 1, 4, 5], [other, SHELF.boards[0]])
    alone = GAME.apply(SHELF, GAME.start(SHELF), Move(0, 2))
    beside = GAME.apply(fuller, GAME.start(fuller), Move(0, 2))
    assert pose_of(alone) == pose_of(beside, 1)


def test_a_plank_on_its_centre_stays_and_one_on_its_head_topples() -> None:
    planks = [disc("wheel", (100, 200), 50, [0]), strip("head", (300, 200), (300, 100), [1])]
    board = panel([(100, 200), (300, 200), (30, 500), (60, 560)], [0, 1, 2], planks)
    state = GAME.apply(board, GAME.start(board), Move(2, 3))
    assert pose_of(state, 0) == rig_of(board).start[0]
    assert abs(pose_of(state, 1).angle) == pytest.approx(math.pi, abs=0.001)


def test_nothing_moves_before_the_first_move_and_every_loose_plank_with_it() -> None:
    holes = [(200, 350), (300, 350), (60, 60), (340, 60), (100, 350)]
    planks = [
        strip("arm", (200, 350), (300, 350), [0]),
        strip("top", (60, 60), (340, 60), [2, 3], width=36),
    ]
    board = panel(holes, [0, 2, 3], planks)
    start = GAME.start(board)
    assert pose_of(start).angle == 0
    after = GAME.apply(board, start, Move(2, 4))
    assert pose_of(after).angle == pytest.approx(math.pi / 2, abs=0.001)


def test_a_plank_at_rest_on_screws_is_released_covers_holes_and_can_be_pinned_again() -> None:
    """Field case B10: screws that hold nothing stop falls."""
    holes = [(100, 200), (300, 200), (110, 233), (290, 233), (30, 60), (370, 60), (200, 205), (200, 560)]
    board = panel(holes, [0, 1, 2, 3], SHELF.boards)
    assert GAME.defects(board) == []
    rest = replay(GAME, board, [Move(0, 4), Move(1, 5)])
    assert released(rig_of(board), rest) == [0]
    assert rig_of(board).lying(0, pose_of(rest)).touched & 0b1100 == 0b1100
    assert GAME.progress(board, rest) == 0.5 and not GAME.won(board, rest)
    assert 6 not in free(board, rest)
    assert 0 in free(board, rest)  # under a hole of its own
    pinned = GAME.apply(board, rest, Move(4, 0))
    assert released(rig_of(board), pinned) == [] and GAME.progress(board, pinned) == 0
    fallen = GAME.apply(board, rest, Move(2, 7))
    assert GAME.won(board, fallen) and fallen.screws == (3, 4, 5, 7)


def test_a_hole_stays_covered_until_every_plank_over_it_is_gone() -> None:
    """Field case B1: two planks over one hole, one leaves."""
    holes = [(100, 200), (300, 200), (200, 200), (200, 120), (200, 320), (30, 30), (370, 30), (30, 560)]
    planks = [strip("flat", (100, 200), (300, 200), [0, 1]), strip("tall", (200, 120), (200, 320), [3, 4], layer=1)]
    board = panel(holes, [0, 1, 3, 4], planks, "pinned")
    state = GAME.start(board)
    assert 2 not in free(board, state)
    state = replay(GAME, board, [Move(0, 5), Move(1, 6)])
    assert state.poses[0] is None and 2 not in free(board, state)
    with pytest.raises(IllegalMove, match="hole 2 is covered by board 'tall'"):
        GAME.apply(board, state, Move(3, 2))
    state = replay(GAME, board, [Move(3, 0), Move(4, 1)], state)
    assert 2 in free(board, state)


def test_every_plank_over_a_hole_must_be_drilled_there() -> None:
    """Field cases B2 and B4: a plank's own hole opens it for that plank alone."""
    holes = [(100, 200), (300, 200), (200, 200), (200, 120), (200, 320), (30, 30)]
    drilled = strip("drilled", (100, 200), (300, 200), [0, 2, 1])
    solid = strip("solid", (200, 120), (200, 320), [3, 4])
    alone = panel(holes, [0, 1], [drilled], "pinned")
    assert 2 in free(alone, GAME.start(alone))
    both = panel(holes, [0, 1, 3, 4], [drilled, solid], "pinned")
    assert 2 not in free(both, GAME.start(both))


def test_a_screw_through_several_aligned_planks_holds_them_all() -> None:
    holes = [(100, 200), (300, 200), (200, 300), (30, 30), (370, 30), (30, 560)]
    planks = [strip("a", (100, 200), (300, 200), [0, 1]), strip("b", (300, 200), (200, 300), [1, 2])]
    board = panel(holes, [0, 2], planks, "pinned")
    state = replay(GAME, board, [Move(0, 1), Move(2, 3)])
    assert None not in state.poses
    assert GAME.won(board, GAME.apply(board, state, Move(1, 4)))


def test_a_plank_may_swing_over_the_hole_that_was_kept() -> None:
    holes = [*SHELF.holes, (300, 330)]
    board = panel(holes, [0, 1, 3], SHELF.boards)
    start = GAME.start(board)
    assert 4 in free(board, start)
    assert 4 not in free(board, GAME.apply(board, start, Move(0, 2)))


def test_lost_at_sight_needs_that_no_screw_has_a_hole_to_go_to() -> None:
    board = panel([(100, 200), (200, 200), (30, 30)], [0], [strip("b", (100, 200), (200, 200), [0])])
    assert not GAME.lost_at_sight(board, GAME.start(board))
    blind = panel(board.holes[:2], [0], board.boards)
    assert GAME.lost_at_sight(blind, GAME.start(blind)) and not GAME.won(blind, GAME.start(blind))


def test_illegal_moves_are_refused_in_words() -> None:
    start = GAME.start(SHELF)
    for move, words in (
        (Move(2, 3), "no screw in hole 2"),
        (Move(0, 1), "already has a screw"),
        (Move(0, 9), "no hole 9"),
        (Move(9, 2), "no hole 9"),
        (Move(0, 0), "already has a screw"),
    ):
        with pytest.raises(IllegalMove, match=words):
            GAME.apply(SHELF, start, move)


def test_texts_of_states_are_lists_of_moves() -> None:
    state = replay(GAME, SHELF, [Move(0, 2), Move(2, 0)])
    assert GAME.state_text(SHELF, state) == "0>2,2>0"
    assert GAME.parse_state(SHELF, "0>2,2>0") == state
    assert GAME.parse_state(SHELF, "-") == GAME.start(SHELF)
    for text in ("", "0>", "0>2,", "0>2 ,2>0", "2>0", "0>1", "x", "00>2", "0>02", "٠>2", "0>2" + ",2>0,0>2" * 1000):
        with pytest.raises(PipelineError):
            GAME.parse_state(SHELF, text)
    for document in (
        {"from": 0},
        {"from": 0, "to": True},
        {"from": 0, "to": 1, "x": 2},
        [0, 1],
        {"from": 0, "to": 1.0},
    ):
        with pytest.raises(PipelineError):
            GAME.parse_move_document(document)


def test_equal_moves_give_equal_planks_whatever_was_simulated_before() -> None:
    board = next(random_boards(7, 1, "hinged"))
    choices, state = random.Random(3), GAME.start(board)
    for _ in range(8):
        moves = GAME.moves(board, state)
        if moves:
            state = GAME.apply(board, state, choices.choice(moves))
    for _ in range(2):
        settle.cache_clear()
        assert replay(GAME, board, state.moves) == state


def test_the_way_of_a_plank_ends_where_it_settles_and_is_mirrored_bit_by_bit() -> None:
    rig = rig_of(SHELF)
    scene = rig.scene(0, rig.start[0], 0b110)
    steps, rest = list(way(scene)), settle(scene)
    assert rest is not None and abs(steps[0].angle) < 0.01
    assert tuple(steps[-1]) == pytest.approx(tuple(rest), abs=2)
    assert [pose.mirrored() for pose in way(scene.mirrored())] == steps
    falling = rig.scene(0, rig.start[0], 0b1100)
    assert settle(falling) is None
    assert [pose.y > SHELF.height + 120 for pose in way(falling)].index(True) == len(list(way(falling))) - 1


def test_play_is_the_same_in_every_process() -> None:
    code = (
        "from tests.games.bolt_unscrew_boards import random_boards\n"
        "from pipeline.games.bolt_unscrew import GAME\n"
        "for board in random_boards(11, 3, 'hinged'):\n"
        "    state = GAME.start(board)\n"
        "    for k in range(5):\n"
        "        moves = GAME.moves(board, state)\n"
        "        state = GAME.apply(board, state, moves[k * 7 % len(moves)]) if moves else state\n"
        "    print(state)\n"
    )
    seen = set()
    for seed in ("1", "2"):
        environment = {**os.environ, "PYTHONHASHSEED": seed}
        run = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
        seen.add(run.stdout)
    assert len(seen) == 1 and "Pose(" in seen.pop()


def defective(**changes: object) -> Board:
    return SHELF.model_copy(update=changes)


def drilled(holes: list[int]) -> Board:
    return defective(boards=(strip("a", (100, 200), (300, 200), holes),))


@pytest.mark.parametrize(
    ("board", "code", "where"),
    [
        (defective(screws=(0, 9)), "unknown_hole", "$.board.screws[1]"),
        (defective(screws=(0, 1, 0)), "duplicate_screw", "$.board.screws[2]"),
        (defective(holes=(*SHELF.holes, (100.0, 203.0))), "overlap", "$.board.holes[4]"),
        (defective(holes=(*SHELF.holes, (401.0, 203.0))), "out_of_board", "$.board.holes[4]"),
        (defective(screws=(2, 3)), "unheld", "$.board.boards[0]"),
        (defective(boards=SHELF.boards * 2), "duplicate_id", "$.board.boards[1].id"),
        (
            defective(boards=(strip("a", (100, 200), (300, 200), [0, 0]),)),
            "duplicate_hole",
            "$.board.boards[0].holes[1]",
        ),
        (drilled([0, 8]), "unknown_hole", "$.board.boards[0].holes[1]"),
        (drilled([0, 1, 2]), "hole_off_board", "$.board.boards[0].holes[2]"),
        (drilled([0]), "covered_screw", "$.board.boards[0]"),
        (
            defective(
                boards=(
                    Plank(
                        id="a",
                        layer=0,
                        shape=Polygon(kind="polygon", points=((80, 180), (320, 220), (320, 180), (80, 220))),
                        holes=(0, 1),
                    ),
                )
            ),
            "bad_shape",
            "$.board.boards[0].shape.points",
        ),
    ],
)
def test_defects_are_named_where_they_are(board: Board, code: str, where: str) -> None:
    assert (code, where) in [(problem.code, problem.where) for problem in GAME.defects(board)]


def test_published_levels_have_the_free_holes_they_are_known_for() -> None:
    for entry in published("bolt_unscrew"):
        board = Board.model_validate_json(json.dumps(entry["level"]["board"]))
        assert GAME.defects(board) == []
        assert len(free(board, GAME.start(board))) == entry["free_at_start"]
        assert (len(board.boards), len(board.screws)) == (entry["pieces"], entry["screws"])


def test_a_polygon_that_vanishes_on_the_grid_of_play_has_no_area() -> None:
    speck = ((100.0, 200.0), (100.0001, 200.0), (100.0, 200.0001))
    plank = Plank(id="a", layer=0, shape=Polygon(kind="polygon", points=speck), holes=(0,))
    assert "bad_shape" in [problem.code for problem in GAME.defects(defective(boards=(plank,)))]


def test_polygons_have_a_limit_on_their_corners_together() -> None:
    ring = tuple((100.0 + i, 100.0 + (i % 2)) for i in range(256))
    planks = tuple(Plank(id=f"p{k}", layer=0, shape=Polygon(kind="polygon", points=ring), holes=()) for k in range(17))
    problems = GAME.defects(SHELF.model_copy(update={"boards": planks}))
    assert [(p.code, p.where) for p in problems] == [("too_many_points", "$.board.boards")]
