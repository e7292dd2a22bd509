"""Color Connect (Flow Free, Numberlink) screenshots.

Ends are equal discs or tiles that stand in the cells of a lattice and come in pairs of one colour. Discs are found
anywhere in the picture, the lattice most of them agree on is looked for, and only then are cells read: which have
drawn sides (the board), which show an end, a pipe, or the head of an unfinished one. Title bars, advertisements and
buttons hold discs too, but not in enclosed cells of the lattice.
"""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from pipeline.extract.clusters import Clustering, cluster, exactly
from pipeline.extract.color_connect_board import (
    FAINTEST,
    Cell,
    Content,
    Region,
    classify,
    crossings,
    enclosed,
    find_region,
)
from pipeline.extract.color_connect_cells import look_at_cells
from pipeline.extract.colour import Lab, bgr_of_lab, lab_of_bgr, palette_names
from pipeline.extract.contract import Element, Extractor, Mark, Reading, Rejection
from pipeline.extract.discs import Disc, find_discs
from pipeline.extract.image import Picture
from pipeline.extract.lattice import Lattice
from pipeline.extract.lattice_edges import aligned, measure_edges, with_picture_border
from pipeline.extract.lattice_vote import Vote, vote
from pipeline.games.color_connect import Board, Pair

WORKING_SIDE = 1280
"""Longer side in pixels of the copy discs are looked for in."""

MOST_PIXELS = 900_000
"""Pixels of the upright copy of the cells."""

FEWEST_ENDS = 4
MOST_CELLS = 60


@dataclass(frozen=True, eq=False)
class Draft:
    """A lattice (in pixels of the picture) read as a board; `block` is the lattice of the board alone."""

    block: Lattice
    content: Content
    region: Region
    ends: tuple[Cell, ...]
    colours: Clustering

    @property
    def paired(self) -> int:
        """Ends whose colour has exactly two."""
        return sum(n for n in self.colours.sizes if n == 2)

    @property
    def merit(self) -> float:
        """Paired ends less everything left over: what tells the right lattice from a wrong one."""
        odd = len(self.ends) - self.paired
        return self.paired - 2 * odd - len(self.content.cells("other")) - len(self.region.doubtful)


class ColorConnectExtractor(Extractor):
    """Reads Color Connect boards."""

    game = "color_connect"
    version = "1"

    def read(self, picture: Picture) -> Reading | Rejection:
        working, factor = _working_copy(picture)
        lab = lab_of_bgr(working)
        discs = find_discs(lab, max(working.shape[:2]) / 8)
        drafts = []
        for ballot in _ballots(discs):
            draft = _draft(picture, ballot.lattice.scaled(1 / factor))
            if draft is not None:
                drafts.append(draft)
        if not drafts:
            return Rejection("no grid of cells with coloured ends was found.")
        best = max(drafts, key=lambda d: d.merit)
        if best.paired < FEWEST_ENDS or best.paired < 0.6 * len(best.ends):
            return Rejection("a grid was found, but what stands in its cells does not come in pairs of one colour.")
        return _reading(best)


def _working_copy(picture: Picture) -> tuple[NDArray[np.uint8], float]:
    """A copy near the working size: large pictures reduced, small ones enlarged by a whole number."""
    small, factor = picture.reduced(WORKING_SIDE)
    times = min(4, WORKING_SIDE // max(small.shape[:2]))
    if times < 2:
        return small, factor
    larger = cv2.resize(small, None, fx=times, fy=times, interpolation=cv2.INTER_LINEAR)
    return larger.astype(np.uint8), factor * times


def _ballots(discs: list[Disc], at_most: int = 4) -> list[Vote]:
    """Lattices that discs of about equal radius agree on, the most convincing first."""
    ordered = sorted(discs, key=lambda d: d.radius)
    radii = np.array([d.radius for d in ordered])
    middles = np.array([(d.x, d.y) for d in ordered])
    found: list[tuple[float, Vote]] = []
    first = 0
    while first < len(ordered):
        last = int(np.searchsorted(radii, radii[first] * 1.15, "right"))
        if last - first >= FEWEST_ENDS:
            ballot = vote(middles[first:last], radii[first] * 1.9, radii[first] * 7)
            if ballot is not None:
                found.append((float(ballot.agree.sum()) * (1 - 12 * ballot.error), ballot))
        first = max(first + 1, int(np.searchsorted(radii, radii[first] * 1.07, "right")))
    found.sort(key=lambda item: -item[0])
    kept: list[Vote] = []
    for _, ballot in found:
        if not any(_same_lattice(ballot.lattice, other.lattice) for other in kept):
            kept.append(ballot)
    return kept[:at_most]


def _same_lattice(a: Lattice, b: Lattice) -> bool:
    """Whether two lattices put their cells in the same places, near the first one."""
    if abs(a.pitch_x / b.pitch_x - 1) > 0.03 or abs(a.pitch_y / b.pitch_y - 1) > 0.03:
        return False
    row, col = b.place(*a.cell_center(a.rows // 2, a.cols // 2))
    return abs((row % 1) - 0.5) < 0.2 and abs((col % 1) - 0.5) < 0.2


def _draft(picture: Picture, lattice: Lattice) -> Draft | None:
    """Read the cells of a lattice; None when they are no board."""
    lattice = aligned(lattice, _upright_cells(picture, lattice))
    wide = _over_picture(lattice, picture)
    if wide is None:
        return None
    cells = _upright_cells(picture, wide)
    edges = measure_edges(cells)
    row, col = (round(v) for v in wide.place(*lattice.origin))
    inner = edges.sides()[max(0, row) : row + lattice.rows, max(0, col) : col + lattice.cols]
    typical = float(np.median(inner)) if inner.size else 0.0
    if typical < FAINTEST:
        return None
    edges = with_picture_border(edges, wide, (picture.width, picture.height), typical)
    visible = _visible(wide, picture)
    closed = enclosed(edges, typical) & visible
    background = _ground(cells, closed)
    looks = look_at_cells(cells, background)
    near = closed.copy()
    near[max(0, row) : row + lattice.rows, max(0, col) : col + lattice.cols] = True
    content = classify(looks, near, background, typical)
    region = find_region(edges, typical, content, crossings(looks, content), visible)
    if region is None:
        return None
    top, left, rows, cols = region.box
    ends = [(r - top, c - left) for r, c in content.cells("end") if top <= r < top + rows and left <= c < left + cols]
    if len(ends) < FEWEST_ENDS:
        return None
    colours = np.array([content.color[r + top, c + left] for r, c in ends], np.float32)
    grouped = cluster(colours, exactly(2), lightness_weight=1.0)
    part = (slice(top, top + rows), slice(left, left + cols))
    inside = Content(content.kinds[part], content.color[part], content.radius, content.square, content.roundness[part])
    shifted = Region(
        region.box,
        tuple((r - top, c - left) for r, c in region.holes),
        tuple((r - top, c - left) for r, c in region.covered),
        {(r - top, c - left): why for (r, c), why in region.doubtful.items()},
        region.typical,
    )
    return Draft(wide.block(top, left, rows, cols), inside, shifted, tuple(ends), grouped)


def _over_picture(lattice: Lattice, picture: Picture) -> Lattice | None:
    """The lattice continued over the whole picture; None when that makes too many cells."""
    corners = [lattice.place(x, y) for x in (0, picture.width) for y in (0, picture.height)]
    low = np.floor(np.min(corners, axis=0)) - 1
    high = np.ceil(np.max(corners, axis=0)) + 1
    low = np.maximum(low, -MOST_CELLS / 2)
    high = np.minimum(high, np.array([lattice.rows, lattice.cols]) + MOST_CELLS / 2)
    rows, cols = (int(v) for v in high - low)
    if not (2 <= rows <= 2 * MOST_CELLS and 2 <= cols <= 2 * MOST_CELLS):
        return None
    return lattice.block(float(low[0]), float(low[1]), rows, cols)


def _visible(lattice: Lattice, picture: Picture) -> NDArray[np.bool_]:
    """Which cells lie in the picture, but for a narrow strip."""
    rows, cols = np.mgrid[0 : lattice.rows, 0 : lattice.cols] + 0.5
    shown = np.ones(rows.shape, bool)
    for dr, dc in ((-0.4, -0.4), (0.4, 0.4)):
        x, y = lattice.points(rows + dr, cols + dc)
        shown &= (x >= 0) & (y >= 0) & (x < picture.width) & (y < picture.height)
    return shown


def _upright_cells(picture: Picture, lattice: Lattice) -> Lab:
    """rows × cols × side × side × 3 in Lab, at a resolution that suits the number of cells."""
    side = int(min(64, max(36, lattice.pitch_x), (MOST_PIXELS / (lattice.rows * lattice.cols)) ** 0.5))
    wanted = max(picture.width, picture.height) * min(1.0, 1.1 * side / min(lattice.pitch_x, lattice.pitch_y))
    small, factor = picture.reduced(round(wanted))
    upright = lattice.scaled(factor).rectified(small, side)
    return lab_of_bgr(upright.astype(np.uint8))


def _ground(cells: Lab, closed: NDArray[np.bool_]) -> Lab:
    """The colour of the board's cells: the median over the corners of the enclosed ones."""
    side = cells.shape[2]
    a, b = round(0.1 * side), round(0.25 * side)
    chosen = cells[closed] if closed.any() else cells.reshape(-1, side, side, 3)
    return np.median(chosen[:, a:b, a:b].reshape(-1, 3), axis=0).astype(np.float32)


def _reading(draft: Draft) -> Reading:
    """The board with a confidence for each end, the questions that remain, and marks for the overlay."""
    centres = draft.colours.centres
    pairs: list[Pair] = []
    questions: list[str] = []
    good = [k for k, n in enumerate(draft.colours.sizes) if n == 2]
    names = palette_names([centres[k] for k in good])
    elements: list[Element] = []
    marks = list(draft.block.marks())
    for name, k in zip(names, good, strict=True):
        a, b = draft.colours.members(k)
        pairs.append(Pair(color=name, ends=(draft.ends[a], draft.ends[b])))
        for which, i in enumerate((a, b)):
            elements.append(_element(draft, i, f"pairs[{len(pairs) - 1}].ends[{which}]", name))
            marks += _end_marks(draft, i, name)
    for k, n in enumerate(draft.colours.sizes):
        if n != 2:
            places = ", ".join(str(list(draft.ends[i])) for i in draft.colours.members(k))
            questions.append(f"{n} ends look alike, at {places}: every colour needs exactly two.")
    notes = [
        f"cell {list(cell)} is covered; it holds no end, since every colour has two elsewhere."
        for cell in draft.region.covered
    ]
    questions += [f"cell {list(cell)} may be a hole: {why}." for cell, why in draft.region.doubtful.items()]
    known = {*draft.region.holes, *draft.region.covered}
    questions += [
        f"cell {list(cell)} shows something that is neither an end nor a pipe."
        for cell in draft.content.cells("other")
        if cell not in known
    ]
    if len(draft.region.covered) > 1:
        questions.append("several cells are covered, which may hide a pair of ends.")
    _, _, rows, cols = draft.region.box
    board = Board(rows=rows, cols=cols, walls=draft.region.holes, pairs=tuple(pairs))
    return Reading(board, tuple(elements), tuple(marks), tuple(questions), tuple(notes))


def _element(draft: Draft, index: int, where: str, name: str) -> Element:
    cell = draft.ends[index]
    second = draft.colours.second[index]
    shape = float(np.clip(0.5 + draft.content.roundness[cell] / 1.2, 0, 1))
    confidence = draft.colours.confidence[index] * shape
    other = palette_names([draft.colours.centres[second]])[0] if second >= 0 else ""
    return Element(where, draft.block.cell_box(*cell), confidence, name, other)


def _end_marks(draft: Draft, index: int, name: str) -> tuple[Mark, ...]:
    cell = draft.ends[index]
    x, y = draft.block.cell_center(*cell)
    radius = draft.content.radius * draft.block.pitch_x
    blue, green, red = (int(v) for v in bgr_of_lab(draft.content.color[cell]))
    circle = Mark("circle", ((x, y),), radius=radius * 1.12, color=(red, green, blue))
    return circle, Mark("label", ((x, y),), text=name)


EXTRACTOR = ColorConnectExtractor()
