"""Color Connect (Flow Free, Numberlink) screenshots.

Ends are equal discs or tiles that stand in the cells of a lattice and come in pairs of one colour. Discs are found
anywhere in the picture, the lattice most of them agree on is looked for, and only then are cells read: which have
drawn sides (the board), which show an end, a pipe, or the head of an unfinished one. Title bars, advertisements and
buttons hold discs too, but not in enclosed cells of the lattice.
"""

from collections.abc import Iterator

import cv2
import numpy as np
from numpy.typing import NDArray

from pipeline.extract.cell_masks import Mask, connected_parts
from pipeline.extract.color_connect_board import find_region
from pipeline.extract.color_connect_cells import look_at_cells
from pipeline.extract.color_connect_content import Content, classify, crossings, rims, spanning
from pipeline.extract.color_connect_grounds import find_sockets, plain_grounds
from pipeline.extract.color_connect_lines import DRAWN, FAINTEST, Lines
from pipeline.extract.color_connect_reading import Draft, reading_of
from pipeline.extract.color_connect_repair import completed, paired_up
from pipeline.extract.color_connect_view import over_picture, shown_share, upright_cells
from pipeline.extract.colour import Lab, lab_of_bgr
from pipeline.extract.contract import Extractor, Reading, Rejection
from pipeline.extract.discs import Disc, find_discs
from pipeline.extract.image import Picture
from pipeline.extract.lattice import Lattice
from pipeline.extract.lattice_edges import Profiles, aligned, measure_edges, measure_steps, with_picture_border
from pipeline.extract.lattice_vote import Vote, vote

WORKING_SIDE = 1024
"""Longer side in pixels of the copy everything is read from; smaller pictures are enlarged, four times at most."""

SMALLEST_END = 3.5
"""Radius in pixels of the copy; boards of smaller ones cannot be read."""

FEWEST_ENDS = 4
FEWEST_CELLS = 9

MOST_CELLS = 40
"""Rows or columns; more is no board."""

MOST_VOTERS = 0.8
"""Share of the discs that agree on the lattice that stand on the board: some buttons happen to lie on it, too."""

SOME = 0.15
"""A row with fewer cells that have drawn sides is not the board's."""

BALLOTS = 4
"""Lattices that are tried."""

MOST_GROUPS = 6
"""Groups of equal discs that vote for a lattice."""

RUNNER_UP = 0.3
"""A group smaller than this share of what agrees on the best lattice so far is not asked, and a lattice that so few
agree on is not tried."""

LEAST_WEIGHT = 2.5
"""Discs that agree, each counted less the farther it lies from its cell's middle: fewer agree by chance."""

ENCLOSED, RIMMED = 0.66, 0.9
"""Share of the sides of cells with discs that are drawn by lines, or by lines and rims; by chance half of them are as
strong as DRAWN asks."""

EXACT = 0.01
"""RMS distance of discs from the middles of their cells, in cells, that leaves nothing to align."""

CLOSED, OPENED = 0.5, 0.95
"""Least share of cells with discs that have all four sides drawn, or three where a pipe leaves every one of them."""


class ColorConnectExtractor(Extractor):
    """Reads Color Connect boards."""

    game = "color_connect"
    version = "1"

    def read(self, picture: Picture) -> Reading | Rejection:
        best: Draft | None = None
        scale = 1.0
        for bgr, factor in _working_copies(picture):
            draft = _best_draft(lab_of_bgr(bgr))
            if draft is not None and (best is None or draft.merit > best.merit):
                best, scale = draft, 1 / factor
            if best is not None and best.flawless:
                break
        if best is None:
            return Rejection("no grid of cells with coloured ends was found.")
        return reading_of(best, scale)


def _best_draft(lab: Lab) -> Draft | None:
    """The board on the lattice that leaves least over."""
    best: Draft | None = None
    for ballot in _ballots(find_discs(lab, max(lab.shape[:2]) / 8, SMALLEST_END)):
        draft = _draft(lab, ballot)
        if draft is not None and (best is None or draft.merit > best.merit):
            best = draft
        if best is not None and best.flawless:
            break
    return best


def _working_copies(picture: Picture) -> Iterator[tuple[NDArray[np.uint8], float]]:
    """Copies near the working size, and their pixels per picture pixel; the next one is for when a copy does not do.

    Enlarged smoothly by whole numbers, noise stays below what tells areas apart; sharp and as large as may be, small
    ends and thin lines stay above it.
    """
    factor = min(4, WORKING_SIDE / max(picture.width, picture.height))
    if factor < 1:
        yield picture.shrunk(factor), factor
        return
    for times, how in ((int(factor), cv2.INTER_LINEAR), (factor, cv2.INTER_CUBIC)):
        size = (round(picture.width * times), round(picture.height * times))
        yield np.asarray(cv2.resize(picture.bgr, size, interpolation=how)), times


def _ballots(discs: list[Disc]) -> list[Vote]:
    """Lattices that discs of about equal radius agree on, the most convincing first."""
    found: list[tuple[float, Vote]] = []
    for alike in _groups_of_equal_radius(discs)[:MOST_GROUPS]:
        best = max((weight for weight, _ in found), default=0.0)
        if len(alike) < RUNNER_UP * best:
            continue
        ballot = vote(np.array([(d.x, d.y) for d in alike]), alike[0].radius * 1.9, alike[0].radius * 7)
        weight = float(ballot.agree.sum()) * (1 - 12 * ballot.error) if ballot is not None else 0.0
        if ballot is not None and weight >= LEAST_WEIGHT:
            found.append((weight, ballot))
    found.sort(key=lambda item: -item[0])
    kept: list[Vote] = []
    for weight, ballot in found:
        if weight >= RUNNER_UP * found[0][0] and not any(
            _same_lattice(ballot.lattice, other.lattice) for other in kept
        ):
            kept.append(ballot)
    return kept[:BALLOTS]


def _groups_of_equal_radius(discs: list[Disc]) -> list[list[Disc]]:
    """Overlapping groups of discs (by radius) that are large enough for a board's ends.

    Those that reach over most of the picture come first: letters and a textured ground hold many discs, but small ones.
    """
    ordered = sorted(discs, key=lambda d: d.radius)
    radii = np.array([d.radius for d in ordered])
    groups = []
    first = 0
    while first < len(ordered):
        last = int(np.searchsorted(radii, radii[first] * 1.15, "right"))
        if last - first >= FEWEST_ENDS:
            groups.append(ordered[first:last])
        first = max(first + 1, int(np.searchsorted(radii, radii[first] * 1.07, "right")))
    return sorted(groups, key=lambda group: -len(group) * group[0].radius)


def _same_lattice(a: Lattice, b: Lattice) -> bool:
    """Whether two lattices put their cells in the same places, near the first one."""
    if abs(a.pitch_x / b.pitch_x - 1) > 0.03 or abs(a.pitch_y / b.pitch_y - 1) > 0.03:
        return False
    row, col = b.place(*a.cell_center(a.rows // 2, a.cols // 2))
    return abs((row % 1) - 0.5) < 0.2 and abs((col % 1) - 0.5) < 0.2


def _draft(lab: Lab, ballot: Vote) -> Draft | None:
    """Read the cells of a lattice; None when they are no board."""
    lattice = ballot.lattice
    if max(lattice.rows, lattice.cols) > MOST_CELLS:
        return None
    profiles = Profiles.of(upright_cells(lab, lattice))
    if not _enclosed(profiles, ballot):
        return None
    if not _settled(ballot):
        lattice = aligned(lattice, profiles)
    wide = over_picture(lattice, lab)
    cells = upright_cells(lab, wide)
    profiles = Profiles.of(cells)
    edges = measure_edges(profiles)
    row, col = (round(v) for v in wide.place(*lattice.origin))
    voters = np.add(ballot.cells, (row, col))
    typical = float(np.median(edges.sides()[voters[:, 0], voters[:, 1]]))
    if typical < FAINTEST:
        return None
    edges = with_picture_border(edges, wide, (lab.shape[1], lab.shape[0]), typical)
    lines = Lines(edges, measure_steps(profiles), typical)
    part = _surroundings(lines.drawn, (row, col, row + lattice.rows, col + lattice.cols))
    wide = wide.block(part[0].start, part[1].start, part[0].stop - part[0].start, part[1].stop - part[1].start)
    near = np.zeros((wide.rows, wide.cols), bool)
    near[tuple((voters - (part[0].start, part[1].start)).T)] = True
    return _draft_of_cells(np.ascontiguousarray(cells[part]), wide, lines.block(*part), near, shown_share(wide, lab))


def _settled(ballot: Vote) -> bool:
    """Whether most cells voted, and voted for the same lattice: their tiles or sockets lie where lines may not."""
    return len(ballot.cells) > 0.5 * ballot.lattice.rows * ballot.lattice.cols and ballot.error < EXACT


def _enclosed(profiles: Profiles, ballot: Vote) -> bool:
    """Whether the cells with discs have drawn sides, by lines or also by rims of what fills them."""
    (row, col), lattice = ballot.cells.T, ballot.lattice
    lines, rims = (edges.sides()[row, col] for edges in (measure_edges(profiles), measure_steps(profiles)))
    least = max(FAINTEST / 2, DRAWN * float(np.median(lines)))
    if np.mean(lines > least) >= ENCLOSED:
        return True
    # What lies beyond the lattice was not looked at, so that rims on its own border are not seen.
    inner = np.stack([col > 0, col < lattice.cols - 1, row > 0, row < lattice.rows - 1], axis=1)
    return bool(inner.any() and np.mean(np.maximum(lines, rims)[inner] > least) >= RIMMED)


def _surroundings(drawn: Mask, block: tuple[int, int, int, int]) -> tuple[slice, slice]:
    """Rows and columns around a block (top, left, bottom, right; end exclusive) that may be the board's, and one more.

    They are added while some of their cells have two drawn sides: a cell a pipe runs through may have no more.
    """
    busy = drawn.sum(axis=2) >= 2
    top, left, bottom, right = block
    while True:
        before = (top, left, bottom, right)
        rows, cols = slice(top, bottom), slice(left, right)
        top -= top > 0 and bool(busy[top - 1, cols].mean() > SOME)
        bottom += bottom < len(busy) and bool(busy[bottom, cols].mean() > SOME)
        left -= left > 0 and bool(busy[rows, left - 1].mean() > SOME)
        right += right < busy.shape[1] and bool(busy[rows, right].mean() > SOME)
        if (top, left, bottom, right) == before:
            ends = (min(bottom + 1, len(busy)), min(right + 1, busy.shape[1]))
            return slice(max(0, top - 1), ends[0]), slice(max(0, left - 1), ends[1])


def _draft_of_cells(
    cells: Lab, lattice: Lattice, lines: Lines, voters: Mask, shown: NDArray[np.float64]
) -> Draft | None:
    """The board among cells with their lines; `voters` marks those in which a disc was found."""
    sides = lines.drawn.sum(axis=2)
    enclosed = np.mean(sides[voters] == 4) >= CLOSED or np.mean(sides[voters] >= 3) >= OPENED
    if not enclosed and np.mean(sides[voters] >= 2) < OPENED:
        return None
    closed = (sides == 4) & (shown > 0.8)
    grounds = plain_grounds(cells, closed)
    looks = look_at_cells(cells, grounds[0])
    sockets = find_sockets(looks, closed | voters)
    if sockets is not None:
        grounds = sockets.color[None]
        looks = look_at_cells(cells, sockets.color)
    elif not enclosed:
        return None
    near = closed | _among(voters, closed)
    content = classify(looks, lines, near, grounds)
    seen = crossings(looks, content) | rims(content, near)
    if sockets is not None:
        content = sockets.told(content)
        seen |= sockets.rims(content)
    region = find_region(lines, content, seen, shown)
    if region is None or region.rows * region.cols < FEWEST_CELLS:
        return None
    part = (slice(region.top, region.top + region.rows), slice(region.left, region.left + region.cols))
    inside = Content(content.kinds[part], content.color[part], content.radius, content.square, content.roundness[part])
    ends = inside.cells("end")
    if len(ends) < FEWEST_ENDS:
        return None
    grouped = paired_up(inside, ends)
    block = lattice.block(region.top, region.left, region.rows, region.cols)
    joined = int(spanning(looks, lines, content)[part].sum())
    return completed(Draft(block, inside, region, tuple(ends), grouped, joined))


def _among(voters: Mask, closed: Mask) -> Mask:
    """The rectangle of the cells with discs, less far ones (buttons) where most lie in one part with closed cells."""
    core = np.zeros_like(voters)
    core[tuple(np.array(max(connected_parts(voters | closed), key=len)).T)] = True
    at = np.argwhere(voters & core if (voters & core).sum() >= MOST_VOTERS * voters.sum() else voters)
    around = np.zeros_like(voters)
    around[at[:, 0].min() : at[:, 0].max() + 1, at[:, 1].min() : at[:, 1].max() + 1] = True
    return around


EXTRACTOR = ColorConnectExtractor()
