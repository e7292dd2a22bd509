"""Reading Truck Escape boards: exact or honestly uncertain, never silently wrong."""

import json
from collections import Counter
from functools import cache

import cv2
import numpy as np
import pytest

from bench.read_renderings import drawn
from bench.render import rush_hour as near_kin
from bench.render import truck_escape as renderer
from bench.render.distort import crop, distort, gamma, jpeg, rescale, shift_hue
from pipeline.extract.contract import Reading, Rejection
from pipeline.extract.image import Picture, load_picture
from pipeline.extract.rush_hour import EXTRACTOR as SLIDING_BLOCKS
from pipeline.extract.truck_escape import EXTRACTOR
from pipeline.extract.truck_escape_fronts import own_cues
from pipeline.games.truck_escape import GAME, Board, Vehicle
from tests.handed import case_folder

SIZES = ((720, 1280), (1280, 900), (540, 1110))
Fact = tuple[int, int, int, str]


def facts(board: Board) -> list[Fact]:
    """What a board is, up to the names of its vehicles and a shift."""
    return shifted([(v.row, v.col, v.length, v.heading) for v in board.vehicles])


def shifted(found: list[Fact]) -> list[Fact]:
    top, left = min(f[0] for f in found), min(f[1] for f in found)
    return sorted((row - top, col - left, length, heading) for row, col, length, heading in found)


def read(bgr: np.ndarray) -> Reading | Rejection:
    return EXTRACTOR.read(Picture(np.ascontiguousarray(bgr)))


def outcome(answer: Reading | Rejection, want: list[Fact]) -> str:
    if isinstance(answer, Rejection):
        return "rejected"
    right = facts(answer.board) == want  # type: ignore[arg-type]
    return f"{'ok' if answer.certain else 'asked'}-{'right' if right else 'wrong'}"


BOARD = Board(
    rows=6,
    cols=6,
    obstacles=((2, 3), (5, 1)),
    vehicles=(
        Vehicle(id="A", row=0, col=0, length=2, heading="left"),
        Vehicle(id="B", row=0, col=3, length=2, heading="up"),
        Vehicle(id="C", row=0, col=5, length=3, heading="down"),
        Vehicle(id="D", row=1, col=1, length=2, heading="up"),
        Vehicle(id="E", row=3, col=2, length=2, heading="right"),
        Vehicle(id="F", row=4, col=0, length=2, heading="up"),
        Vehicle(id="G", row=4, col=2, length=3, heading="left"),
        Vehicle(id="H", row=5, col=4, length=2, heading="right"),
    ),
)


@cache
def picture(style: str) -> np.ndarray:
    return renderer.draw(BOARD, style, (720, 1280), np.random.default_rng(3))


@pytest.mark.parametrize("style", renderer.STYLES)
def test_every_look_is_read_exactly(style: str) -> None:
    reading = read(picture(style))
    assert isinstance(reading, Reading), reading
    board = reading.board
    assert isinstance(board, Board)
    assert facts(board) == facts(BOARD)
    assert board.obstacles == BOARD.obstacles
    assert not GAME.defects(board)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("style", ["tiles", "night"])
def test_obstacles_as_dull_as_a_shadow_are_seen(style: str, seed: int) -> None:
    """Grey rocks on pale ground differ from it in lightness alone, as shadows do."""
    rng = np.random.default_rng([seed, 17])
    image = distort(renderer.draw(BOARD, style, (720, 1280), rng), rng)
    reading = read(image)
    assert isinstance(reading, Reading)
    assert isinstance(reading.board, Board)
    assert reading.board.obstacles == BOARD.obstacles


@pytest.mark.parametrize("style", renderer.STYLES)
def test_a_vehicle_far_from_all_others_belongs_to_the_board(style: str) -> None:
    far = Vehicle(id="I", row=6, col=12, length=2, heading="right")
    board = BOARD.model_copy(update={"rows": 7, "cols": 14, "vehicles": (*BOARD.vehicles, far)})
    answer = read(renderer.draw(board, style, (1280, 900), np.random.default_rng(5)))
    assert outcome(answer, facts(board)) == "ok-right"


@pytest.mark.parametrize("style", renderer.STYLES)
def test_empty_lines_within_the_edge_of_the_lot_belong_to_the_board(style: str) -> None:
    moved = tuple(v.model_copy(update={"row": v.row + 1, "col": v.col + 1}) for v in BOARD.vehicles)
    obstacles = tuple((row + 1, col + 1) for row, col in BOARD.obstacles)
    board = Board(rows=9, cols=8, obstacles=obstacles, vehicles=moved)
    reading = read(renderer.draw(board, style, (720, 1280), np.random.default_rng(3)))
    assert isinstance(reading, Reading)
    assert isinstance(reading.board, Board)
    assert (reading.board.rows, reading.board.cols, reading.board.obstacles) == (9, 8, obstacles)
    assert facts(reading.board) == facts(board)


def test_empty_lines_count_where_cells_end_though_no_edge_is_seen() -> None:
    moved = tuple(v.model_copy(update={"row": v.row + 2, "col": v.col + 1}) for v in BOARD.vehicles)
    obstacles = tuple((row + 2, col + 1) for row, col in BOARD.obstacles)
    board = Board(rows=9, cols=9, obstacles=obstacles, vehicles=moved)
    image = renderer.draw(board, "tiles", (720, 1280), np.random.default_rng(3))
    image[(image == (253, 251, 250)).all(axis=2)] = (246, 240, 236)  # the lot is as dark as what is around it
    reading = read(image)
    assert isinstance(reading, Reading)
    assert isinstance(reading.board, Board)
    assert (reading.board.rows, reading.board.cols, reading.board.obstacles) == (9, 9, obstacles)
    assert facts(reading.board) == facts(board)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize(("style", "ground"), [("trucks", (112, 116, 122)), ("night", (92, 94, 124))])
def test_vehicles_of_the_colour_of_the_ground_are_no_obstacles(
    style: str, ground: tuple[int, int, int], seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(renderer, "_COLORS", (*renderer._COLORS[:5], ground))
    answer = read(renderer.draw(BOARD, style, (720, 1280), np.random.default_rng([seed, 23])))
    assert outcome(answer, facts(BOARD)) != "ok-wrong"


@pytest.mark.parametrize("style", ["tiles", "night"])
def test_arrows_that_point_in_several_directions_are_no_sliding_blocks(style: str) -> None:
    answer = SLIDING_BLOCKS.read(Picture(picture(style)))
    assert isinstance(answer, Rejection) or not answer.certain


@pytest.mark.parametrize(("style", "kinship"), [("tiles", 1.0), ("night", 1.0), ("saloons", 0.9), ("toys", 0.9)])
def test_fronts_alone_are_less_its_own_than_arrows(style: str, kinship: float) -> None:
    answer = read(picture(style))
    assert isinstance(answer, Reading)
    assert answer.kinship == kinship


def test_fronts_that_all_point_one_way_may_be_those_of_sliding_blocks() -> None:
    turned = {"left": "right", "down": "up"}
    vehicles = tuple(v.model_copy(update={"heading": turned.get(v.heading, v.heading)}) for v in BOARD.vehicles)
    board = BOARD.model_copy(update={"vehicles": vehicles})
    answers = {
        style: read(renderer.draw(board, style, (720, 1280), np.random.default_rng(3))) for style in ("toys", "night")
    }
    assert outcome(answers["toys"], facts(board)) == "asked-right"
    assert outcome(answers["night"], facts(board)) == "ok-right"  # arrows say where they go


def test_two_vehicles_of_one_paint_nose_to_tail_are_told_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(renderer, "_COLORS", renderer._COLORS[:1] * 6)
    tail = Vehicle(id="I", row=3, col=5, length=2, heading="down")
    board = BOARD.model_copy(update={"vehicles": (*BOARD.vehicles[:7], tail)})
    for style in ("saloons", "toys"):
        image = renderer.draw(board, style, (540, 1110), np.random.default_rng(3))
        assert outcome(read(jpeg(image, 60)), facts(board)) != "ok-wrong"


@pytest.mark.parametrize(
    ("seed", "why"),
    [
        (760, "two vehicles of one paint that touch cover as many free cells as a second colour of the floor would"),
        (178, "the long vehicle has another arrow than the short ones, but no cell of the floor"),
        (843, "a button stands on the lattice, beyond the edge of the lot"),
        (798, "the arrows of long vehicles are like one another alone, and agree with all that is known"),
    ],
)
def test_drawn_screens_that_were_misread_once(seed: int, why: str) -> None:
    board, _, screen = drawn("truck_escape", seed)
    reading = EXTRACTOR.read(screen)
    assert isinstance(reading, Reading), why
    assert reading.certain, (why, reading.questions)
    assert GAME.canonical(reading.board) == GAME.canonical(board), why  # type: ignore[arg-type]


def test_buttons_on_the_lattice_are_no_vehicles() -> None:
    plain = picture("night").copy()
    reading = read(plain)
    assert isinstance(reading, Reading)
    (x, y), (right, _) = reading.marks[0].points[0], reading.marks[0].points[1]
    pitch = (right - x) / BOARD.cols
    for row in (1, 3):
        left, top = x - 2.9 * pitch, y + (row + 0.09) * pitch
        cv2.rectangle(
            plain, (round(left), round(top)), (round(left + 1.85 * pitch), round(top + 0.82 * pitch)), (40, 200, 60), -1
        )
    answer = read(plain)
    assert isinstance(answer, Rejection) or not answer.certain or facts(answer.board) == facts(BOARD)  # type: ignore[arg-type]


def test_a_crate_behind_rear_lamps_makes_no_vehicle_longer() -> None:
    """Before its front a crate as broad as a vehicle might be a part of it, a cab that stands off."""
    plain = picture("trucks")
    reading = read(plain)
    assert isinstance(reading, Reading)
    (x, y), (right, _) = reading.marks[0].points[0], reading.marks[0].points[1]
    pitch = (right - x) / BOARD.cols
    left, top = x + 1.1 * pitch, y + 3.1 * pitch  # behind D and E
    crate = plain.copy()
    cv2.rectangle(
        crate, (round(left), round(top)), (round(left + 0.8 * pitch), round(top + 0.8 * pitch)), (40, 110, 190), -1
    )
    answer = read(crate)
    assert isinstance(answer, Reading)
    assert facts(answer.board) == facts(BOARD)  # type: ignore[arg-type]
    assert not [question for question in answer.questions if "longer" in question]
    assert (3, 1) in answer.board.obstacles  # type: ignore[attr-defined]


def test_lamps_at_both_ends_show_how_long_a_vehicle_is() -> None:
    paint, white, red = (60.0, 0.0, -40.0), (98.0, 0.0, 2.0), (50.0, 60.0, 40.0)
    whole = np.full((24, 72, 3), paint, np.float32)
    for rows in (np.s_[2:6], np.s_[18:22]):
        whole[rows, 2:6], whole[rows, 66:70] = white, red
    assert own_cues(whole).shows_both_ends
    assert own_cues(whole[:, ::-1].copy()).shows_both_ends
    for cut in (whole[:, :60], whole[:, 12:]):
        assert not own_cues(np.ascontiguousarray(cut)).shows_both_ends


def test_ids_follow_reading_order_and_everything_is_marked() -> None:
    reading = read(picture("night"))
    assert isinstance(reading, Reading)
    assert isinstance(reading.board, Board)
    vehicles = reading.board.vehicles
    assert [v.id for v in vehicles] == list("ABCDEFGH")
    assert [(v.row, v.col) for v in vehicles] == sorted((v.row, v.col) for v in vehicles)
    places = {e.where for e in reading.elements}
    for i in range(len(vehicles)):
        assert {f"vehicles[{i}]", f"vehicles[{i}].heading"} <= places
    assert {m.text for m in reading.marks if m.kind == "label"} == {v.id for v in vehicles}
    heading = next(e for e in reading.elements if e.where == "vehicles[2].heading")
    assert (heading.reading, heading.second) == ("down", "up")


@pytest.mark.parametrize("change", ["half", "larger", "jpeg", "dark", "hue", "crop"])
def test_what_happens_to_screenshots_changes_nothing(change: str) -> None:
    plain = picture("night")
    changed = {
        "half": lambda: rescale(plain, 0.5),
        "larger": lambda: rescale(plain, 1.7),
        "jpeg": lambda: jpeg(plain, 60),
        "dark": lambda: gamma(plain, 1.2),
        "hue": lambda: shift_hue(plain, 15),
        "crop": lambda: crop(plain, [3, 3, 3, 3]),
    }[change]()
    assert outcome(read(changed), facts(BOARD)) == "ok-right"


@pytest.mark.parametrize("style", renderer.STYLES)
def test_distorted_screens_are_never_silently_wrong(style: str) -> None:
    outcomes: Counter[str] = Counter()
    for seed in range(5):
        rng = np.random.default_rng([seed, 11])
        board = renderer.random_board(rng)
        image = distort(renderer.draw(board, style, SIZES[seed % len(SIZES)], rng), rng)
        outcomes[outcome(read(image), facts(board))] += 1
    assert outcomes["ok-wrong"] == 0, outcomes
    assert outcomes["ok-right"] + outcomes["asked-right"] >= 3, outcomes


@pytest.mark.parametrize("side", ["left", "right", "bottom"])
def test_a_board_that_the_edge_cuts_off_is_never_certain(side: str) -> None:
    for style in renderer.STYLES:
        whole = picture(style)
        cut = {"left": [190, 0, 0, 0], "right": [0, 0, 190, 0], "bottom": [0, 0, 0, 480]}[side]
        answer = read(crop(whole, cut))
        assert isinstance(answer, Rejection) or not answer.certain, (style, facts(answer.board))  # type: ignore[arg-type]


def test_vehicles_that_block_one_another_for_ever_are_asked_about() -> None:
    nose_to_nose = BOARD.vehicles[0].model_copy(update={"heading": "right"}), *BOARD.vehicles[1:]
    facing = Vehicle(id="Z", row=0, col=2, length=2, heading="left")
    vehicles = (nose_to_nose[0], facing, *(v for v in nose_to_nose[1:] if v.id != "B"))
    board = BOARD.model_copy(update={"vehicles": vehicles, "obstacles": ()})
    reading = read(renderer.draw(board, "night", (720, 1280), np.random.default_rng(3)))
    assert isinstance(reading, Reading)
    assert facts(reading.board) == facts(board)  # type: ignore[arg-type]
    assert not reading.certain
    assert any("block one another" in question for question in reading.questions)


def test_no_board_is_rejected_with_a_reason() -> None:
    noise = np.random.default_rng(1).integers(0, 256, (300, 300, 3)).astype(np.uint8)
    for image in (noise, np.zeros((40, 40, 3), np.uint8), np.full((1, 900, 3), 200, np.uint8)):
        answer = read(image)
        assert isinstance(answer, Rejection)
        assert answer.reason


@pytest.mark.parametrize("style", near_kin.STYLES)
def test_blocks_without_fronts_are_never_certain(style: str) -> None:
    for seed in range(2):
        rng = np.random.default_rng([seed, 5])
        answer = read(near_kin.draw(near_kin.random_board(rng), style, (720, 1280), rng))
        assert isinstance(answer, Rejection) or not answer.certain


@pytest.mark.slow
def test_handed_screenshots() -> None:
    folder = case_folder("truck_escape")
    outcomes: Counter[tuple[str, bool]] = Counter()
    for case in json.loads((folder / "truth.json").read_text(encoding="utf-8")):
        answer = EXTRACTOR.read(load_picture(folder / case["file"]))
        if case.get("expect") == "rejected":
            assert isinstance(answer, Rejection), case["file"]
            continue
        want = [(*map(min, zip(*v["cells"], strict=True)), v["length"], v["heading"]) for v in case["vehicles"]]
        outcomes[outcome(answer, shifted(want)), bool(case.get("hard"))] += 1
    assert not [key for key in outcomes if key[0] == "ok-wrong"], outcomes
    plain = sum(n for (_, hard), n in outcomes.items() if not hard)
    assert outcomes["ok-right", False] >= 0.8 * plain, outcomes
    for case in json.loads((folder / "truth_negatives.json").read_text(encoding="utf-8")):
        assert isinstance(EXTRACTOR.read(load_picture(folder / case["file"])), Rejection), case["file"]


@pytest.mark.slow
@pytest.mark.parametrize("game", ["rush_hour", "color_connect", "nut_and_bolt", "maze_paint", "bolt_unscrew"])
def test_other_games_are_never_certain(game: str) -> None:
    for file in sorted((case_folder(game) / "img").iterdir())[::4]:
        answer = EXTRACTOR.read(load_picture(file))
        assert isinstance(answer, Rejection) or not answer.certain, file.name
