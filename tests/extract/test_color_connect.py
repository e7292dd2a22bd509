"""Color Connect screenshots: exact or honestly uncertain, never silently wrong."""

import json
from collections import Counter

import cv2
import numpy as np
import pytest

from bench.read_renderings import drawn
from bench.render import color_connect as render
from bench.render.distort import distort
from pipeline.extract.color_connect import EXTRACTOR
from pipeline.extract.contract import Reading, Rejection
from pipeline.extract.image import Picture, load_picture
from pipeline.games.color_connect import Board, Pair
from tests.handed import case_folder

Key = tuple[int, int, frozenset[tuple[int, int]], frozenset[frozenset[tuple[int, int]]]]

DOTS = (
    Pair(color="red", ends=((0, 0), (4, 1))),
    Pair(color="green", ends=((0, 2), (3, 1))),
    Pair(color="blue", ends=((1, 2), (4, 2))),
    Pair(color="yellow", ends=((0, 4), (3, 3))),
)


def key(board: Board) -> Key:
    return board.rows, board.cols, frozenset(board.walls), frozenset(frozenset(p.ends) for p in board.pairs)


def picture_of(board: Board, style: str = "dots", seed: int = 0, **paths: list[tuple[int, int]]) -> np.ndarray:
    return render.draw(board, style, (720, 1280), np.random.default_rng(seed), paths)


def read(image: np.ndarray) -> Reading | Rejection:
    return EXTRACTOR.read(Picture(np.ascontiguousarray(image)))


def certain(image: np.ndarray) -> Board:
    reading = read(image)
    assert isinstance(reading, Reading), reading
    assert reading.certain, (reading.questions, reading.doubts)
    assert isinstance(reading.board, Board)
    return reading.board


@pytest.mark.parametrize("style", ["dots", "pale", "rings"])
@pytest.mark.parametrize(("rows", "cols"), [(6, 5), (5, 9)])
def test_boards_that_are_not_square_keep_both_sizes(style: str, rows: int, cols: int) -> None:
    board = Board(rows=rows, cols=cols, pairs=DOTS)
    reading = read(picture_of(board, style))
    assert isinstance(reading, Reading), reading
    assert isinstance(reading.board, Board)
    assert (reading.board.rows, reading.board.cols) == (rows, cols)
    assert key(reading.board) == key(board) or not reading.certain


def test_half_drawn_pipes_are_no_ends() -> None:
    board = Board(rows=6, cols=6, pairs=DOTS)
    image = picture_of(board, red=[(0, 0), (1, 0), (2, 0)], yellow=[(0, 4), (0, 5), (1, 5)])
    assert key(certain(image)) == key(board)


def test_a_knob_at_the_tip_of_a_pipe_is_no_end() -> None:
    cell, image = 100, np.zeros((700, 600, 3), np.uint8)
    ends = {(0, 0): (0, 0, 255), (4, 4): (0, 0, 255), (1, 2): (255, 80, 10), (4, 0): (255, 80, 10)}
    ends |= {(2, 4): (0, 230, 230), (0, 3): (0, 230, 230)}
    for i in range(6):
        cv2.line(image, (50 + i * cell, 100), (50 + i * cell, 600), (60, 110, 60), 2)
        cv2.line(image, (50, 100 + i * cell), (550, 100 + i * cell), (60, 110, 60), 2)
    for (r, c), color in ends.items():
        cv2.circle(image, (100 + c * cell, 150 + r * cell), 34, color, -1)
    cv2.line(image, (100, 150), (100, 250), (0, 0, 255), 28)
    cv2.circle(image, (100, 250), 22, (0, 0, 255), -1)
    board = certain(image)
    assert {end for pair in board.pairs for end in pair.ends} == set(ends)


def test_walls_shown_as_blocks_are_walls() -> None:
    board = Board(rows=6, cols=6, walls=((2, 4), (5, 5)), pairs=DOTS)
    assert key(certain(picture_of(board, "pale"))) == key(board)


def test_dark_stones_on_a_dark_board_are_walls() -> None:
    board = Board(rows=6, cols=6, walls=((1, 5), (3, 2), (5, 0), (5, 1)), pairs=DOTS)
    assert key(certain(picture_of(board, "stones"))) == key(board)


@pytest.mark.parametrize("style", ["dots", "rings", "stones"])
@pytest.mark.parametrize("soft", [2, 12, 24])
def test_a_cell_of_another_colour_is_never_taken_for_an_empty_one(style: str, soft: int) -> None:
    """A patch within the cell, its border blurred by `soft` pixels."""
    board = Board(rows=6, cols=6, pairs=DOTS)
    image = picture_of(board, style)
    whole = read(image)
    assert isinstance(whole, Reading)
    x, y, side, _ = next(e.box for e in whole.elements if e.where == "pairs[0].ends[0]")
    first, last = round(y + 2.1 * side), round(y + 2.9 * side)
    left, right = round(x + 3.1 * side), round(x + 3.9 * side)
    assert {(2, 3)}.isdisjoint(end for pair in DOTS for end in pair.ends)
    patch = np.zeros(image.shape[:2], np.float32)
    patch[first:last, left:right] = 1
    patch = cv2.GaussianBlur(patch, (0, 0), soft)[:, :, None]
    mixed = (image * (1 - patch) + patch * np.array((128, 104, 100), np.float32)).astype(np.uint8)
    reading = read(mixed)
    if isinstance(reading, Reading) and reading.certain:
        assert isinstance(reading.board, Board)
        assert (2, 3) in reading.board.walls


def test_four_ends_of_one_colour_are_asked_about_and_never_paired() -> None:
    board = Board(rows=6, cols=6, pairs=DOTS)
    image = picture_of(board)
    red, green = (np.array(rgb[::-1]) for rgb in ((230, 30, 35), (30, 150, 50)))
    image[np.abs(image.astype(int) - green).max(axis=2) < 12] = red
    reading = read(image)
    assert isinstance(reading, Rejection) or not reading.certain


def test_close_colours_stay_apart() -> None:
    pairs = tuple(
        Pair(color=name, ends=ends)
        for name, ends in zip(
            ("cyan", "teal", "purple", "magenta", "maroon", "tan", "gray"),
            (((0, 0), (5, 5)), ((0, 2), (4, 4)), ((1, 1), (3, 5)), ((2, 0), (2, 3)), ((5, 0), (4, 2)),
             ((0, 5), (3, 3)), ((4, 0), (1, 4))),
            strict=True,
        )
    )  # fmt: skip
    board = Board(rows=6, cols=6, pairs=pairs)
    assert key(certain(picture_of(board))) == key(board)


def test_a_board_cut_by_the_picture_is_not_certain() -> None:
    board = Board(rows=6, cols=6, pairs=DOTS)
    whole = read(picture_of(board))
    assert isinstance(whole, Reading)
    x, _, width, _ = whole.elements[0].box
    for lost in (0.4, 0.7):
        reading = read(picture_of(board)[:, round(x + lost * width) :])
        assert isinstance(reading, Rejection) or not reading.certain


def sockets(board: Board, cell: int = 80, lacking: tuple[tuple[int, int], ...] = ()) -> np.ndarray:
    """Balls in round holes of a plate that goes on around them, on a lighter page; `lacking` cells have no hole."""
    high, wide = board.rows * cell, board.cols * cell
    image = np.full((high + 520, wide + 160, 3), (205, 225, 235), np.uint8)
    image[60 : high + 140, 40 : wide + 120] = (80, 130, 185)
    colors = [(30, 30, 220), (40, 160, 40), (220, 90, 40), (20, 220, 240)]
    ends = {end: color for pair, color in zip(board.pairs, colors, strict=True) for end in pair.ends}
    for r, c in ((r, c) for r in range(board.rows) for c in range(board.cols)):
        middle = (80 + c * cell + cell // 2, 100 + r * cell + cell // 2)
        if (r, c) not in lacking:
            cv2.circle(image, middle, round(0.44 * cell), (40, 75, 115), -1, cv2.LINE_AA)
        if (r, c) in ends:
            cv2.circle(image, middle, round(0.35 * cell), ends[r, c], -1, cv2.LINE_AA)
    return image


@pytest.mark.parametrize(("rows", "cols"), [(5, 5), (6, 5), (5, 7)])
def test_boards_of_sockets_have_no_lines(rows: int, cols: int) -> None:
    board = Board(rows=rows, cols=cols, pairs=DOTS)
    assert key(certain(sockets(board))) == key(board)


@pytest.mark.parametrize("cell", [(2, 2), (0, 1), (4, 4)])
def test_a_plate_without_a_socket_is_no_empty_cell(cell: tuple[int, int]) -> None:
    reading = read(sockets(Board(rows=6, cols=6, pairs=DOTS), lacking=(cell,)))
    if isinstance(reading, Reading) and reading.certain:
        assert isinstance(reading.board, Board)
        assert reading.board.walls == (cell,)


def test_dots_a_pixel_beside_the_middle_of_a_small_cell_are_ends() -> None:
    cell, count, rng = 18, 12, np.random.default_rng(4)
    image = np.full((400, 640, 3), (20, 18, 18), np.uint8)
    for i in range(count + 1):
        cv2.line(image, (200 + i * cell, 80), (200 + i * cell, 80 + count * cell), (42, 38, 38), 1)
        cv2.line(image, (200, 80 + i * cell), (200 + count * cell, 80 + i * cell), (42, 38, 38), 1)
    colors = [(0, 0, 255), (255, 60, 0), (0, 230, 230), (0, 140, 0), (0, 140, 255), (230, 230, 230)]
    cells = [divmod(int(place), count) for place in rng.permutation(count * count)[: 2 * len(colors)]]
    for (row, col), color in zip(cells, colors * 2, strict=True):
        x, y = (80 + row * cell + 9, 200 + col * cell + 9)[::-1]
        off = rng.integers(-1, 2, 2)
        cv2.circle(image, (x + int(off[0]), y + int(off[1])), 6, color, -1, cv2.LINE_AA)
    board = certain(image)
    assert {end for pair in board.pairs for end in pair.ends} == set(cells)


def test_letters_beside_the_board_are_no_column_of_it() -> None:
    board = Board(rows=5, cols=5, pairs=DOTS)
    image = np.full((700, 1100, 3), (235, 245, 250), np.uint8)
    colors = [(30, 30, 220), (40, 160, 40), (220, 90, 40), (20, 220, 240)]
    ends = {end: color for pair, color in zip(board.pairs, colors, strict=True) for end in pair.ends}
    for r, c in ((r, c) for r in range(5) for c in range(5)):
        corner, far = (60 + 110 * c, 60 + 110 * r), (160 + 110 * c, 160 + 110 * r)
        cv2.rectangle(image, corner, far, (255, 255, 255), -1)
        cv2.rectangle(image, corner, far, (190, 190, 190), 2)
        if (r, c) in ends:
            cv2.circle(image, (110 + 110 * c, 110 + 110 * r), 38, ends[r, c], -1, cv2.LINE_AA)
    # A box of letters whose outline happens to run along two cells of the board's lattice.
    for c in (5, 6):
        cv2.rectangle(image, (60 + 110 * c, 170), (160 + 110 * c, 270), (190, 190, 190), 2)
        cv2.putText(image, "Ab", (75 + 110 * c, 240), cv2.FONT_HERSHEY_SIMPLEX, 1.5, (60, 40, 30), 4)
    assert key(certain(image)) == key(board)


@pytest.mark.parametrize("ends", [1, 3])
def test_an_end_without_a_partner_stays_a_question(ends: int) -> None:
    """Nothing on the board tells what its partner is."""
    board = Board(rows=6, cols=6, walls=((2, 4),), pairs=DOTS)
    image = picture_of(board, "pale")
    whole = read(image)
    assert isinstance(whole, Reading)
    hidden = [element.box for element in whole.elements if element.where.endswith("ends[0]")][:ends]
    empty = image[round(hidden[0][1] + 1.5 * hidden[0][3]), round(hidden[0][0] + hidden[0][2] / 2)]
    for x, y, width, height in hidden:
        cv2.circle(image, (round(x + width / 2), round(y + height / 2)), round(0.45 * width), empty.tolist(), -1)
    reading = read(image)
    assert isinstance(reading, Rejection) or not reading.certain


def tray(bars: tuple[tuple[int, int, int, int], ...], gap: int, cell: int = 100) -> np.ndarray:
    """Tiles of 5 × 5 cells, pieces over them from cell to cell (top, left, bottom, right), cut every cell by a gap."""
    image = np.full((900, 700, 3), (95, 70, 60), np.uint8)
    colors = [(30, 30, 220), (40, 160, 40), (220, 90, 40), (20, 220, 240)]
    for r, c in ((r, c) for r in range(5) for c in range(5)):
        y, x = 200 + r * cell, 100 + c * cell
        image[y + 4 : y + cell - 4, x + 4 : x + cell - 4] = (165, 160, 160)
    for (top, left, bottom, right), color in zip(bars, colors, strict=True):
        low, high = (200 + top * cell, 100 + left * cell), (300 + bottom * cell, 200 + right * cell)
        image[low[0] + 3 : high[0] - 3, low[1] + 3 : high[1] - 3] = color
        for r in range(top, bottom):
            image[200 + (r + 1) * cell - gap : 200 + (r + 1) * cell + gap, low[1] : high[1]] = (95, 70, 60)
        for c in range(left, right):
            image[low[0] : high[0], 100 + (c + 1) * cell - gap : 100 + (c + 1) * cell + gap] = (95, 70, 60)
    return image


@pytest.mark.parametrize("gap", [0, 3])
def test_pieces_of_several_cells_are_no_ends(gap: int) -> None:
    """Neighbouring ends of one colour are two tiles with a gap between them; without one they are a block."""
    bars = ((0, 0, 0, 1), (1, 3, 2, 3), (3, 0, 4, 0), (4, 2, 4, 3))
    reading = read(tray(bars, gap))
    assert isinstance(reading, Reading)
    if gap:
        assert reading.certain
        assert isinstance(reading.board, Board)
        ends = {frozenset(((top, left), (bottom, right))) for top, left, bottom, right in bars}
        assert {frozenset(pair.ends) for pair in reading.board.pairs} == ends
    else:
        assert not reading.certain
        assert reading.kinship == 0


@pytest.mark.parametrize("value", [0, 128, 255])
def test_an_empty_picture_is_rejected(value: int) -> None:
    assert isinstance(read(np.full((900, 500, 3), value, np.uint8)), Rejection)


def test_noise_is_rejected() -> None:
    noise = np.random.default_rng(3).integers(0, 256, (480, 360, 3), dtype=np.uint8)
    assert isinstance(read(noise), Rejection)


def test_distorted_screens_are_exact_or_questioned() -> None:
    outcomes: Counter[str] = Counter()
    for seed, style in ((1000 + i + 5 * k, style) for k in range(4) for i, style in enumerate(render.STYLES)):
        rng = np.random.default_rng(seed)
        board = render.random_board(rng)
        image = distort(render.draw(board, style, (720, 1280), rng), rng)
        reading = read(image)
        if isinstance(reading, Rejection) or not reading.certain:
            outcomes["asked"] += 1
        else:
            assert isinstance(reading.board, Board)
            outcomes["exact" if key(reading.board) == key(board) else "silent error"] += 1
    assert outcomes["silent error"] == 0
    assert outcomes["exact"] >= 4 * len(render.STYLES) - 1


@pytest.mark.parametrize(
    "seed",
    [
        129,  # dark squares, blurred, that are as large as the discs
        130,  # dark rings whose rim is of the core's own colour
        171,  # a dark end whose shade is of the ground's colour, at the board's corner: the pairs tell
        164,  # a stone that is alone in its colour among the few cells of its kind of a chequered board
        207,  # a stone with more noise than an empty cell
        736,  # an end with a blurred rim, which the pairs tell
        761,  # a stone whose facets leave something round, which has no partner
        792,  # a wall beside an end that hides its rim
        850,  # buttons far below that lie on the board's lattice
        248,  # a tile-like button that touches a board of tiles
    ],
)
def test_screens_that_look_like_something_else_are_read_exactly(seed: int) -> None:
    board, _, picture = drawn("color_connect", seed)
    reading = EXTRACTOR.read(picture)
    assert isinstance(reading, Reading), reading
    assert reading.certain, reading.questions
    assert isinstance(reading.board, Board)
    assert key(reading.board) == key(board)


@pytest.mark.cases
def test_handed_screenshots() -> None:
    folder = case_folder("color_connect")
    plain = right = 0
    for case in json.loads((folder / "truth.json").read_text(encoding="utf-8")):
        reading = EXTRACTOR.read(load_picture(folder / case["file"]))
        if not isinstance(reading, Reading):
            plain += case.get("expect") != "rejected" and not case.get("hard")
            continue
        assert case.get("expect") != "rejected", case["file"]
        assert isinstance(reading.board, Board)
        ends = frozenset(frozenset((tuple(p["a"]), tuple(p["b"]))) for p in case["pairs"])
        walls = frozenset(map(tuple, case.get("walls") or case.get("holes") or []))
        same = key(reading.board) == (case["rows"], case["cols"], walls, ends)
        assert same or not reading.certain, f"{case['file']} is read wrongly with certainty"
        plain += not case.get("hard")
        right += same and reading.certain and not case.get("hard")
    assert right >= 0.9 * plain


@pytest.mark.parametrize(("soft", "middle"), [(0, 3.5), (0, 3.75), (8, 3.5), (8, 3.6), (8, 3.75)])
def test_bars_that_shine_through_from_behind_are_no_walls(soft: int, middle: float) -> None:
    """Bars a little wider than a cell, under the lines and ends and going on beyond the board.

    Their `middle` is in cells, their borders are blurred by `soft` pixels: those that keep to the cells, and hard ones,
    may be asked about.
    """
    board = Board(rows=6, cols=6, pairs=DOTS)
    image = picture_of(board)
    whole = read(image)
    assert isinstance(whole, Reading)
    x, y, side, _ = next(e.box for e in whole.elements if e.where == "pairs[0].ends[0]")
    bars = np.zeros_like(image)
    low, high = (round((middle + sign * 1.15 / 2) * side) for sign in (-1, 1))
    bars[round(y) + low : round(y) + high] = (45, 14, 60)
    bars[:, round(x) + low : round(x) + high] = (60, 45, 10)
    if soft:
        bars = cv2.GaussianBlur(bars, (0, 0), soft)
    reading = read(np.where(image.max(axis=2, keepdims=True) < 30, bars, image))
    surely = isinstance(reading, Reading) and reading.certain
    assert surely or soft == 0 or middle == 3.5
    if surely:
        assert isinstance(reading.board, Board)
        assert key(reading.board) == key(board)
