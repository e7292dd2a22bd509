"""Maze Paint from a screenshot.

    1  `maze_paint_floor`: regions of one or two flat colours whose outline runs along a lattice
    2  `maze_paint_cells`: each cell's share of floor; what bounds the floor must be of one material
    3  `maze_paint_ball`:  the one cell that looks like no other

Of several candidates the largest that holds together wins. A maze without a ball is a question: the start is unknown.
Pictures of a few pixels a side are level textures, one pixel a cell (`maze_paint_texture`).
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from pipeline.extract.colour import Lab
from pipeline.extract.contract import Element, Extractor, Reading, Rejection
from pipeline.extract.image import Picture
from pipeline.extract.maze_paint_board import board_of, likely_start, marks_of, never_crossed, no_ball
from pipeline.extract.maze_paint_candidate import SURE_UNIFORM, Candidate
from pipeline.extract.maze_paint_cells import read_cells
from pipeline.extract.maze_paint_floor import Floor, floors, grown
from pipeline.extract.maze_paint_texture import MOST_PIXELS, read_texture
from pipeline.extract.plan_lattice import PlanLattice
from pipeline.games.maze_paint import Board, floor_cells

LONG_SIDE = 480
LEAST_FLOOR = 5
MOST_GROWTH, MOST_NEW = 3, 8
"""How often a floor is grown by the cells it meets, and how many there may be of them."""
INSIDE_OUT = "walls and floor could be the other way round: both would make a maze with this ball."
UNREACHED = "no paint is laid, but the ball cannot reach much of the floor."
TWO_WAYS = "the same floor can be read in two ways that differ in cells or in the start."
LEAST_SIDE_WITHOUT_BALL = 4
"""Cells a side of a maze that is believed without a ball in it."""
MOST_SIDE = 40
MORE_OPEN = 0.25
"""How much more open (see `Candidate.openness`) what is not the floor must be than the floor."""
DOUBTFUL = 0.4
"""Kinship of what has a maze's form but more than one open question."""
MOST_MISSED = 0.1
"""Share of floor that may be out of reach before the reading is likely a mistake."""


class MazePaintExtractor(Extractor):
    """Reads mazes of any theme that has a flat floor."""

    game = "maze_paint"
    version = "1"

    def read(self, picture: Picture) -> Reading | Rejection:
        if max(picture.width, picture.height) <= MOST_PIXELS:
            return read_texture(picture)
        small, factor = picture.reduced(LONG_SIDE)
        lab, _ = picture.reduced_lab(LONG_SIDE)
        candidates = [c for floor in floors(small, lab) for c in _candidates(floor, lab)]
        if not candidates:
            return Rejection("there is no flat floor with straight sides on a lattice of cells.")
        candidates.sort(key=lambda c: -c.score)
        answers = [(c, _reading(c, 1 / factor)) for c in candidates]
        return _decided([(c, answer) for c, answer in answers if isinstance(answer, Reading)]) or answers[0][1]


def _decided(readings: list[tuple[Candidate, Reading]]) -> Reading | None:
    """The most certain of several readings, the largest first; a question where another one contradicts it."""
    if not readings:
        return None
    missed = {id(c): _missed(reading) for c, reading in readings}
    unlikely = {key: share > MOST_MISSED for key, share in missed.items()}
    best, chosen = min(
        readings,
        key=lambda pair: (
            not pair[1].certain,
            unlikely[id(pair[0])],
            missed[id(pair[0])] > 0,
            not pair[0].cells.enclosed_alike,
            len(pair[1].questions),
            pair[0].maze.ball is None,
        ),
    )
    others = [(c, other) for c, other in readings if c is not best and other.board != chosen.board]
    if not missed[id(best)]:
        # All of its floor can be painted, by corridors: walls taken for floor are reached in part and lie in blocks.
        most_open = best.openness + MORE_OPEN
        others = [(c, other) for c, other in others if c.maze.ball and not missed[id(c)] and c.openness < most_open]
    if best.is_rimmed() and (unlikely[id(best)] or not best.cells.enclosed_alike):
        return _asked(chosen, INSIDE_OUT)
    if unlikely[id(best)] and len(best.floor.colours) == 1:
        return _asked(chosen, UNREACHED)
    if any(best.inverts(c) and c.cells.enclosed_alike >= best.cells.enclosed_alike for c, _ in others):
        return _asked(chosen, INSIDE_OUT)
    if any(best.meets(c) and (other.certain or unlikely[id(best)]) for c, other in others):
        return _asked(chosen, TWO_WAYS)
    return chosen


def _asked(reading: Reading, question: str) -> Reading:
    """With one more question: a maze may leave one open, but what leaves more is likely none."""
    kinship = min(reading.kinship, DOUBTFUL) if reading.questions else reading.kinship
    return replace(reading, questions=(*reading.questions, question), kinship=kinship)


def _missed(reading: Reading) -> float:
    """The share of floor that is out of the ball's reach: in published mazes none is, but play can lead there."""
    board = reading.board
    assert isinstance(board, Board)
    return len(never_crossed(board)) / len(floor_cells(board))


def _candidates(floor: Floor, lab: Lab, grow: int = MOST_GROWTH) -> Iterator[Candidate]:
    """The floor, and what it grows to when the cells that it meets instead of wall are taken for floor."""
    cells = read_cells(floor, lab)
    if int(cells.floor.sum()) < LEAST_FLOOR:
        return
    larger: list[Candidate] = []
    new = [(int(row), int(col)) for row, col in np.argwhere(cells.strange)]
    if grow and 0 < len(new) <= MOST_NEW:
        paint = next(((cells.colour[cell],) for cell in new if cells.flat[cell]), ())
        boxes = [cells.lattice.cell_box(*cell) for cell in new]
        cut = sum(width * height for _, _, width, height in boxes)
        for more in grown(floor, (*floor.colours, *paint), boxes, lab):
            gained = int(more.mask.sum()) - int(floor.mask.sum())
            if gained > 0:
                # Cells lie on the lattice that they were cut by: they are no proof of it, floor found by colour is.
                clear = more.plan.clear and (floor.plan.clear or gained > 2 * cut)
                larger += _candidates(replace(more, plan=replace(more.plan, clear=clear)), lab, grow - 1)
    yield from larger
    if all(candidate.fault() for candidate in larger):
        inner = cells.share[1:-1, 1:-1]
        yield Candidate(floor, cells, float(np.maximum(inner, 1 - inner).mean()))


def _reading(found: Candidate, scale: float) -> Reading | Rejection:
    fault = found.fault()
    if fault:
        return Rejection(f"a region looks like a maze, but {fault}.", kinship=0.2)
    rows, cols = np.flatnonzero(found.maze.floor.any(axis=1)), np.flatnonzero(found.maze.floor.any(axis=0))
    top, left, height, width = int(rows[0]), int(cols[0]), int(np.ptp(rows)) + 1, int(np.ptp(cols)) + 1
    if max(height, width) > MOST_SIDE:
        return Rejection(f"the lattice has {height} × {width} cells, more than a maze may have.", kinship=0.3)
    floor = found.maze.floor[top : top + height, left : left + width]
    share = found.cells.share[top : top + height, left : left + width]
    lattice = found.cells.lattice.block(top, left, height, width).scaled(scale)
    ball = found.maze.ball
    start = likely_start(floor) if ball is None else (ball.cell[0] - top, ball.cell[1] - left)
    board = board_of(floor, start)
    missed = never_crossed(board)
    if ball is None and len(missed) > MOST_MISSED * int(floor.sum()):
        return Rejection("a region looks like a maze, but a ball could not paint it.", kinship=0.2)
    questions, notes = _remarks(found, missed, start, (top, left))
    if len(questions) - (not found.floor.plan.clear) > 1:
        return Rejection(f"a region looks like a maze, but not quite: {' '.join(questions)}", kinship=0.2)
    elements = _elements(lattice, floor, share, start, 0.5 if ball is None else _sure(ball.ratio - 0.5))
    strange = min(height, width) < LEAST_SIDE_WITHOUT_BALL if ball is None else len(questions) > 1
    return Reading(
        board, elements, marks_of(lattice, board), tuple(questions), tuple(notes), DOUBTFUL if strange else 1.0
    )


def _remarks(
    found: Candidate, missed: Sequence[tuple[int, int]], start: tuple[int, int], corner: tuple[int, int]
) -> tuple[list[str], list[str]]:
    """Questions and notes; `corner` is the cell of the sampled lattice that is the document's first."""
    ball = found.maze.ball
    questions, notes = [], []
    if ball is None:
        questions.append(no_ball(start))
    else:
        questions += [f"at row {start[0]}, column {start[1]}: {doubt}." for doubt in ball.doubts]
        notes.append("the ball's present cell is taken for the start; paint that is laid already is not kept.")
    if found.cells.uniform < SURE_UNIFORM:
        questions.append("what bounds the floor is not all of one material: a part of it may be floor too.")
    if not found.floor.plan.clear:
        questions.append("the number of rows or columns is not certain: the floor has too few corners to tell.")
    for row, col in found.maze.unexplained[:1]:
        questions.append(
            f"the floor ends at something that is no wall at row {row - corner[0]}, column {col - corner[1]}."
        )
    if missed:
        row, col = missed[0]
        notes.append(f"{len(missed)} floor cells, the first at row {row}, column {col}, can never be painted.")
    return questions, notes


def _sure(margin: float) -> float:
    """The probability that a binary reading is right, from a margin that is 0 at a toss-up."""
    return float(1 - 0.5 * np.exp(-max(0.0, margin) / 0.12))


def _elements(
    lattice: PlanLattice,
    floor: NDArray[np.bool_],
    share: NDArray[np.float64],
    start: tuple[int, int],
    sure_start: float,
) -> tuple[Element, ...]:
    found = []
    for row, line in enumerate(floor):
        for col, is_floor in enumerate(line):
            reading, second = ("floor", "wall") if is_floor else ("wall", "floor")
            sure = _sure(abs(float(share[row, col]) - 0.5))
            if (row, col) == start:
                reading, second, sure = "start", "floor", sure_start
            found.append(Element(f"grid[{row}][{col}]", lattice.cell_box(row, col), sure, reading, second))
    return tuple(found)


EXTRACTOR = MazePaintExtractor()
