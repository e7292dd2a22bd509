"""Reading Rush Hour boards: exact or honestly uncertain, never silently wrong."""

import json
from collections import Counter
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
import pytest

from bench.read_renderings import drawn as drawn_screen
from bench.render import rush_hour as renderer
from bench.render.distort import distort
from pipeline.extract.contract import Reading, Rejection
from pipeline.extract.image import Picture, load_picture
from pipeline.extract.rush_hour import EXTRACTOR
from pipeline.games.rush_hour import Board
from tests.handed import case_folder

SIZES = ((720, 1280), (1280, 900), (540, 1110))


@dataclass(frozen=True)
class Look:
    """A plain way to draw a board: colours are BGR, `gap` and `seam` in pixels."""

    cell: int = 60
    gap: int = 0
    seam: int = 1
    floor: tuple[int, int, int] = (255, 255, 255)
    block: tuple[int, int, int] = (178, 140, 0)
    target: tuple[int, int, int] = (0, 0, 255)
    exit_bar: bool = True


def drawn(rows: list[str], look: Look) -> np.ndarray:
    """A board of letters (X the target, '.' empty), every block of one colour, with a thin frame and an exit bar."""
    height, width, cell, edge = len(rows), len(rows[0]), look.cell, 40
    image = np.full((height * cell + 2 * edge, width * cell + 2 * edge, 3), (235, 220, 200), np.uint8)
    cv2.rectangle(image, (edge - 3, edge - 3), (edge + width * cell + 2, edge + height * cell + 2), (60, 60, 60), 3)
    cv2.rectangle(image, (edge, edge), (edge + width * cell - 1, edge + height * cell - 1), look.floor, -1)
    for letter in sorted(set("".join(rows)) - {"."}):
        cells = [(r, c) for r, row in enumerate(rows) for c, char in enumerate(row) if char == letter]
        (r0, c0), (r1, c1) = min(cells), max(cells)
        a = (edge + c0 * cell + look.gap, edge + r0 * cell + look.gap)
        b = (edge + (c1 + 1) * cell - 1 - look.gap, edge + (r1 + 1) * cell - 1 - look.gap)
        cv2.rectangle(image, a, b, look.target if letter == "X" else look.block, -1)
        cv2.rectangle(image, a, b, (0, 0, 0), look.seam)
    if look.exit_bar:
        line = next(r for r, row in enumerate(rows) if "X" in row)
        x, y = edge + width * cell, edge + line * cell
        cv2.rectangle(image, (x, y), (x + 8, y + cell), (0, 0, 255), -1)
    return image


def cells_of(board: Board) -> list[str]:
    grid = [["."] * board.cols for _ in range(board.rows)]
    for vehicle in board.vehicles:
        for row, col in vehicle.cells():
            grid[row][col] = vehicle.id
    return ["".join(row) for row in grid]


def same_cut(board: Board, rows: list[str]) -> bool:
    """Whether the board has the vehicles of the letters, whatever their names, and the same target."""
    want = {}
    for letter in set("".join(rows)) - {"."}:
        at = frozenset((r, c) for r, row in enumerate(rows) for c, char in enumerate(row) if char == letter)
        want[at] = letter == "X"
    got = {frozenset(v.cells()): v.id == board.target for v in board.vehicles}
    return (board.rows, board.cols) == (len(rows), len(rows[0])) and got == want


def read(bgr: np.ndarray) -> Reading | Rejection:
    return EXTRACTOR.read(Picture(np.ascontiguousarray(bgr)))


FIVE = ["..BCC", "DDB..", "EFXXG", "EFH.G", "..HII"]
RUNS = ["BBCCC.", "..D..E", "XXD..E", "FFGGHE", "..I.H.", "JJI.KK"]  # 2+3 and 2+2 end to end


@pytest.mark.parametrize("rows", [FIVE, RUNS], ids=["five", "runs"])
@pytest.mark.parametrize("look", [Look(), Look(gap=3), Look(cell=36), Look(floor=(40, 40, 40), block=(90, 90, 90))])
def test_one_colour_blocks_are_cut_at_their_seams(rows: list[str], look: Look) -> None:
    reading = read(drawn(rows, look))
    assert isinstance(reading, Reading), reading
    assert same_cut(reading.board, rows), cells_of(reading.board)
    assert reading.board.exit == "right"
    assert reading.certain, (reading.questions, reading.doubts)


def test_a_block_of_four_is_read_as_one_or_asked_about() -> None:
    rows = ["BBBB..", "......", "XX.D..", "...D..", ".EE...", "......"]
    reading = read(drawn(rows, Look(gap=3)))
    assert isinstance(reading, Rejection) or not reading.certain or same_cut(reading.board, rows)


@pytest.mark.parametrize("factor", [0.5, 1.7])
def test_scale_does_not_matter(factor: float) -> None:
    image = cv2.resize(drawn(RUNS, Look(gap=2)), None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA)
    reading = read(image)
    assert isinstance(reading, Reading)
    assert same_cut(reading.board, RUNS)


def test_debug_lines_over_the_board_change_nothing() -> None:
    image = drawn(FIVE, Look(gap=4, cell=80))
    for k in range(6):
        cv2.line(image, (40 + 80 * k, 40), (40 + 80 * k, 440), (0, 0, 255), 1)
        cv2.line(image, (40, 40 + 80 * k), (440, 40 + 80 * k), (0, 0, 255), 1)
    reading = read(image)
    assert isinstance(reading, Rejection) or not reading.certain or same_cut(reading.board, FIVE)


FULL_LAST = ["A..BB.", "A..C..", "XX.C..", "...C.D", ".....D", "EEFFGG"]
ONE_WAY = ["AA....", "..BBB.", "..XX..", "......", "CC.DD.", "......"]
SPARSE = ["...XX.", "....AA", "......", ".....B", "CC...B", "......"]


def tiled(image: np.ndarray) -> np.ndarray:
    """The drawn board with faint lines between its empty cells."""
    for i in range(1, 6):
        for part in (image[40:400, 39 + 60 * i : 41 + 60 * i], image[39 + 60 * i : 41 + 60 * i, 40:400]):
            part[(part == 255).all(axis=2)] = 215
    return image


def test_a_full_last_line_ends_the_board_where_its_frame_ends() -> None:
    page = np.full((700, 440, 3), 255, np.uint8)
    page[:440] = drawn(FULL_LAST, Look(gap=3))
    page[:37] = page[403:440] = page[:, :37] = 255  # the page is of the floor's colour
    page[:, 413:] = 255
    reading = read(page)
    assert isinstance(reading, Reading)
    assert reading.questions == ()
    assert same_cut(reading.board, FULL_LAST)


def under_a_panel(image: np.ndarray, height: int, button: int) -> np.ndarray:
    """The drawn board close below a panel of the floor's colour and the board's width, with a title and two buttons."""
    width, y = image.shape[1], 20 + height // 2
    panel = np.full((height + 26, width, 3), (235, 220, 200), np.uint8)
    cv2.rectangle(panel, (37, 17), (width - 38, height + 22), (60, 60, 60), 3)
    cv2.rectangle(panel, (40, 20), (width - 41, height + 19), (255, 255, 255), -1)
    for x in (70, width - 70):
        cv2.circle(panel, (x, y), button, (60, 60, 60), 3)
    cv2.putText(panel, "42", (150, y + 10), cv2.FONT_HERSHEY_SIMPLEX, 0.9, (60, 60, 60), 2, cv2.LINE_AA)
    return np.vstack([panel, image[37:]])


@pytest.mark.parametrize("height", [44, 54])
@pytest.mark.parametrize("button", [0, 18])
def test_a_panel_above_a_full_first_line_is_none_of_the_board(height: int, button: int) -> None:
    board = FULL_LAST[::-1]
    reading = read(under_a_panel(drawn(board, Look(gap=3)), height, button))
    assert isinstance(reading, Reading)
    assert same_cut(reading.board, board)


def test_a_cell_that_is_neither_empty_nor_taken_is_asked_about() -> None:
    image = drawn(FIVE, Look(gap=3))
    cv2.rectangle(image, (40 + 12, 40 + 12), (40 + 47, 40 + 26), (120, 160, 120), -1)  # a coin, say
    reading = read(image)
    assert isinstance(reading, Reading)
    assert any("row 0, column 0" in question for question in reading.questions)


def test_vehicles_that_all_point_one_way_need_a_plain_exit() -> None:
    plain, closed = (tiled(drawn(ONE_WAY, Look(gap=3, exit_bar=bar))) for bar in (True, False))
    reading = read(plain)
    assert isinstance(reading, Reading)
    assert same_cut(reading.board, ONE_WAY)
    assert isinstance(read(closed), Rejection)


def test_a_board_goes_on_to_its_frame_beyond_a_vehicle_far_from_the_others() -> None:
    reading = read(drawn(SPARSE, Look(gap=3)))
    assert isinstance(reading, Reading)
    assert same_cut(reading.board, SPARSE)


def test_a_board_that_would_be_solved_is_asked_about_even_before_an_exit() -> None:
    """A crop may take the exit away, and leave a red vehicle at another line's end."""
    reading = read(drawn(["BBB..C", ".....C", "D...XX", "D.F...", "..FEEE", "GG...."], Look(gap=3)))
    assert isinstance(reading, Reading)
    assert any("as if the board were solved" in question for question in reading.questions)


@pytest.mark.parametrize("seed", [125, 127])
def test_fixed_blocks_beside_a_vehicle_are_no_certain_part_of_it(seed: int) -> None:
    """A block of one cell touches a vehicle, and two blocks one another: neither makes a longer vehicle."""
    board, _, picture = drawn_screen("rush_hour", seed)
    assert _outcome(EXTRACTOR.read(picture), board) != "ok-wrong"


def test_a_lone_vehicle_is_read_where_a_frame_holds_its_lattice() -> None:
    alone = ["......", "......", ".XX...", "......", "......", "......"]
    reading = read(drawn(alone, Look(gap=3)))
    assert isinstance(reading, Reading), reading
    assert same_cut(reading.board, alone)
    unframed = np.full((700, 700, 3), 255, np.uint8)
    unframed[300:354, 200:314] = (0, 0, 255)
    assert isinstance(read(unframed), Rejection)


def test_an_exit_sign_that_the_edge_of_the_picture_cuts_is_no_column() -> None:
    image = cv2.copyMakeBorder(drawn(FIVE, Look(gap=3, exit_bar=False)), 0, 0, 0, 12, cv2.BORDER_REPLICATE)
    tile = slice(40 + 2 * 60 + 3, 40 + 3 * 60 - 3), slice(40 + 5 * 60 + 3, image.shape[1])
    image[tile] = 255
    reading = read(image)
    assert isinstance(reading, Reading), reading
    assert same_cut(reading.board, FIVE), cells_of(reading.board)
    assert reading.board.exit == "right"


WALLED = ["BBW...", "..C...", "XXC...", "W...DD", "E.....", "E.FF.."]


def test_a_fixed_block_that_touches_a_vehicle_is_certain_where_it_was_seen_as_one() -> None:
    image = drawn([row.replace("W", ".") for row in WALLED], Look(gap=2))
    for row, col in ((0, 2), (3, 0)):
        image[42 + row * 60 : 98 + row * 60, 42 + col * 60 : 98 + col * 60] = (110, 110, 110)
    reading = read(image)
    assert isinstance(reading, Reading), reading
    assert reading.certain, (reading.questions, reading.doubts)
    assert sorted(reading.board.walls) == [(0, 2), (3, 0)]


def test_where_other_cells_may_be_the_empty_ones_it_is_asked() -> None:
    """Thin lines part white runs and blue ones alike: either may be the floor."""
    rows = ["BBCC.", ".DDEF", ".XXEF", "G.HII", "G.H.."]
    reading = read(drawn(rows, Look(cell=80)))
    assert isinstance(reading, Rejection) or not reading.certain or same_cut(reading.board, rows)


def test_lines_that_no_region_supports_end_the_board() -> None:
    """A bar of buttons below the board lies on its lattice, one line of cells away."""
    image = cv2.copyMakeBorder(drawn(RUNS, Look(gap=3)), 0, 120, 0, 0, cv2.BORDER_CONSTANT, value=(90, 170, 90))
    image[403:440] = image[:, :37] = image[:37] = (90, 170, 90)
    for col in (0, 2, 4):
        cv2.rectangle(image, (43 + 60 * col, 463), (96 + 60 * col, 516), (240, 240, 240), -1)
    reading = read(image)
    assert isinstance(reading, Reading), reading
    assert same_cut(reading.board, RUNS), cells_of(reading.board)


def test_a_missing_exit_is_assumed_and_said() -> None:
    reading = read(drawn(FIVE, Look(gap=2, exit_bar=False)))
    assert isinstance(reading, Reading)
    assert same_cut(reading.board, FIVE)
    assert reading.board.exit == "right"
    assert reading.notes or reading.questions
    shown = read(drawn(FIVE, Look(gap=2)))
    assert isinstance(shown, Reading)
    assert reading.kinship < shown.kinship == 1.0


def test_a_target_that_can_never_pass_is_asked_about() -> None:
    reading = read(drawn(["BB....", "......", "XX..CC", "..D...", "..D...", "......"], Look(gap=2)))
    assert isinstance(reading, Reading)
    assert not reading.certain


def test_red_alone_makes_no_certain_target_of_a_vehicle_whose_way_is_free() -> None:
    barred = drawn(["BBB..C", ".....C", "XX..D.", "..F.D.", "..FEEE", "GG...."], Look(gap=3, exit_bar=False))
    free = drawn(["BBB..C", ".....C", "D...XX", "D.F...", "..FEEE", "GG...."], Look(gap=3, exit_bar=False))
    for image in (barred, free):
        first = image[40:100, 40:220]
        first[(first == Look.block).all(axis=2)] = (90, 200, 60)  # a third colour: red is not the only odd one
    assert read(barred).certain
    asked = read(free)
    assert isinstance(asked, Reading), asked
    assert any("target" in question for question in asked.questions), asked.questions


def test_no_board_is_rejected_with_a_reason() -> None:
    tiles = drawn(["BCD", "EFG", "HI."], Look(gap=3, cell=90, exit_bar=False))  # an eight-puzzle
    empty = drawn(["......"] * 6, Look(exit_bar=False))
    noise = np.random.default_rng(1).integers(0, 256, (300, 300, 3)).astype(np.uint8)
    for image in (tiles, empty, noise, np.zeros((40, 40, 3), np.uint8)):
        answer = read(image)
        assert isinstance(answer, Rejection)
        assert answer.reason


@pytest.mark.parametrize("style", renderer.STYLES)
def test_rendered_screens_are_never_silently_wrong(style: str) -> None:
    outcomes: Counter[str] = Counter()
    for seed in range(4):
        rng = np.random.default_rng([seed, 7])
        board = renderer.random_board(rng)
        image = distort(renderer.draw(board, style, SIZES[seed % len(SIZES)], rng), rng)
        outcomes[_outcome(read(image), board)] += 1
    assert outcomes["ok-wrong"] == 0, outcomes
    assert outcomes["ok-right"] + outcomes["uncertain"] >= 2, outcomes


def _outcome(answer: Reading | Rejection, board: Board) -> str:
    if isinstance(answer, Rejection):
        return "rejected"
    if not answer.certain:
        return "uncertain"
    return "ok-right" if _facts(answer.board) == _facts(board) else "ok-wrong"


def _facts(board: Any) -> tuple[Any, ...]:
    vehicles = frozenset((tuple(v.cells()), v.id == board.target) for v in board.vehicles)
    return board.rows, board.cols, vehicles, frozenset(board.walls), board.exit


def test_elements_and_marks_cover_every_vehicle() -> None:
    reading = read(drawn(FIVE, Look(gap=2)))
    assert isinstance(reading, Reading)
    places = [e.where for e in reading.elements]
    assert [f"vehicles[{i}]" for i in range(len(reading.board.vehicles))] == places[: len(reading.board.vehicles)]
    assert {"target", "exit"} <= set(places)
    labels = {m.text for m in reading.marks if m.kind == "label"}
    assert labels == {v.id for v in reading.board.vehicles}


@pytest.mark.slow
def test_handed_screenshots() -> None:
    folder = case_folder("rush_hour")
    cases = json.loads((folder / "truth.json").read_text(encoding="utf-8"))
    outcomes: Counter[tuple[str, bool]] = Counter()
    for case in cases:
        answer = EXTRACTOR.read(load_picture(folder / case["file"]))
        swap = str.maketrans("AX", "Xa")  # the handed boards call the target A
        rows = [row.translate(swap) for row in case["board"]]
        side = (case.get("exit") or {}).get("side")
        if isinstance(answer, Rejection) or not answer.certain:
            outcome = "asked"
        else:
            right = same_cut(answer.board, rows) and side in (None, answer.board.exit)
            outcome = "right" if right else f"wrong: {case['file']}"
        outcomes[outcome, bool(case.get("hard"))] += 1
    assert not [key for key in outcomes if key[0].startswith("wrong")], outcomes
    plain = sum(n for (_, hard), n in outcomes.items() if not hard)
    assert outcomes["right", False] >= 0.9 * plain, outcomes
    for case in json.loads((folder / "truth_negatives.json").read_text(encoding="utf-8")):
        assert isinstance(EXTRACTOR.read(load_picture(folder / case["file"])), Rejection), case["file"]
