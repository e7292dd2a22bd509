"""Which cells of a lattice form a Color Connect board, and what stands in them.

Cells belong to the board when all four of their sides are drawn (or a pipe runs through them) and no outline parts them
from the ends. What is left inside the board's rectangle is a hole, or a cell that something covers.
"""

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from pipeline.extract.color_connect_cells import RAYS, REACH, CellLooks
from pipeline.extract.colour import Lab, distance
from pipeline.extract.lattice_edges import Edges

Cell = tuple[int, int]
Mask = NDArray[np.bool_]
Floats = NDArray[np.floating]

DRAWN = 0.38
"""An edge is drawn when it is at least this strong compared with the board's typical edge."""

OUTLINE = 1.75
"""An edge is an outline when it is this much stronger than the typical one."""

FAINTEST = 1.2
"""ΔE76 of a typical edge below which no line is told from noise."""

ROUND_SHARE = 0.6
"""Share of rays that agree on one radius: a pipe takes at most a third of a disc's outline."""

SYMMETRIC = 0.45
"""What is less lopsided than this belongs to its cell; what lies on the board by chance is more so."""

SLIVER = 0.12
"""A row of cells of which less than this shows says nothing about where the board ends."""

CALMEST = 12.0
"""Empty cells are taken to be no more textured than this (ΔE76), since on a solved board no cell is empty."""

TILE = 0.75
"""A tile reaches at least this share of the way to where rays end, in the maximum norm."""

STEPS: tuple[tuple[int, int, int], ...] = ((0, -1, 0), (0, 1, 1), (-1, 0, 2), (1, 0, 3))
"""(row step, column step, index of that side in `Edges.sides`)."""

Kind = Literal["empty", "end", "knob", "pipe", "special", "other"]
"""A knob is the head of an unfinished pipe; something special stands symmetrically in its cell (a bridge, a portal)."""


@dataclass(frozen=True, eq=False)
class Content:
    """What each cell shows: `kinds` (rows × cols), the colour of its middle, and the ends' measurements.

    `radius` is the ends' common radius in cells (0 when there is none), `square` whether they are tiles.
    `roundness` (rows × cols) is the share of rays that agree with it.
    """

    kinds: NDArray[np.str_]
    color: Lab
    radius: float
    square: bool
    roundness: NDArray[np.float32]

    def cells(self, kind: Kind) -> list[Cell]:
        """The cells of one kind in reading order."""
        return [(int(r), int(c)) for r, c in np.argwhere(self.kinds == kind)]


def classify(looks: CellLooks, inside: Mask, background: Lab, typical: float) -> Content:
    """Name what each cell shows.

    `inside` marks cells that surely are the board's, `background` is its colour, `typical` the strength of its lines:
    what is much fainter than they are shines through from behind.
    """
    off_ground = distance(looks.middle, background)
    calm = min(CALMEST, float(np.percentile(looks.activity[inside], 20))) if inside.any() else 0.0
    busy = looks.activity > max(7.0, 2.5 * calm)
    filled = (off_ground > 22) & (_apart_from_neighbours(looks.middle) >= 2)
    tile = ~busy & filled
    shown = (busy & (distance(looks.middle, looks.corner) > 9)) | filled
    size = np.percentile(looks.radii, 30, axis=2)
    share = (np.abs(looks.radii - np.median(looks.radii, axis=2)[..., None]) < 0.045).mean(axis=2)
    round_piece = shown & busy & (share >= ROUND_SHARE) & (size > 0.12) & (size < REACH + 0.02)
    radius = _common_radius(size[round_piece & inside])
    square = _is_tiles(looks, shown, inside, round_piece)
    if square:
        radius, size = REACH, np.percentile(looks.square, 30, axis=2)
        share = (looks.square > TILE * REACH).mean(axis=2)
        round_piece = shown & (share > 0.8)
    ends = round_piece & (np.abs(size - radius) < max(0.04, 0.14 * radius)) & (radius > 0)
    kinds = np.where(ends, "end", np.where(round_piece & (size < radius), "knob", np.where(shown, "other", "empty")))
    plain = looks.activity > max(7.0, 0.4 * typical, 2.5 * calm)
    kinds = np.where((kinds == "other") & ~plain & ~tile, "empty", np.where((kinds == "empty") & plain, "other", kinds))
    pipes = (kinds == "other") & (size < 0.95 * radius) & _has_color_of(looks.middle, looks.middle[ends])
    kinds = np.where(pipes, "pipe", kinds)
    kinds = np.where((kinds == "other") & (looks.lopsided < SYMMETRIC), "special", kinds)
    agreeing = (np.abs(looks.radii - radius) < 0.05).mean(axis=2) if not square else share
    return Content(kinds, looks.middle, float(radius), square, agreeing.astype(np.float32))


def _common_radius(sizes: NDArray[np.floating]) -> float:
    """The radius most round pieces have; the larger one when two are equally common."""
    if len(sizes) == 0:
        return 0.0
    near = [(int((np.abs(sizes - s) < 0.04).sum()), float(s)) for s in sizes]
    top = max(near)[1]
    return float(np.median(sizes[np.abs(sizes - top) < 0.04]))


def _is_tiles(looks: CellLooks, shown: Mask, inside: Mask, round_piece: Mask) -> bool:
    """Whether the ends are filled squares: most pieces fill their cell towards the corners."""
    filled = shown & inside & ((looks.square > TILE * REACH).mean(axis=2) > 0.8)
    return int(filled.sum()) >= max(4, 0.7 * int((round_piece & inside).sum()))


def _apart_from_neighbours(colors: Lab) -> NDArray[np.int64]:
    """From how many of its four neighbours each cell differs sharply; a glow changes little from cell to cell."""
    around = np.pad(colors, ((1, 1), (1, 1), (0, 0)), constant_values=np.inf)
    rows, cols = colors.shape[:2]
    beside = [around[1 + dr : 1 + dr + rows, 1 + dc : 1 + dc + cols] for dr, dc, _ in STEPS]
    return np.asarray(sum((distance(colors, other) > 15).astype(np.int64) for other in beside))


def _has_color_of(colors: Lab, among: Lab) -> Mask:
    if len(among) == 0:
        return np.zeros(colors.shape[:2], bool)
    return np.asarray(distance(colors[:, :, None], among[None, None]).min(axis=2) < 14)


@dataclass(frozen=True, eq=False)
class Region:
    """The board's rectangle within a block, and the cells of it that are holes or covered (in the block's cells).

    `doubtful` maps a hole to what speaks against it in a few words; `doubts` are sentences about the rectangle.
    """

    top: int
    left: int
    rows: int
    cols: int
    holes: tuple[Cell, ...]
    covered: tuple[Cell, ...]
    doubtful: dict[Cell, str]
    doubts: tuple[str, ...]


def enclosed(edges: Edges, typical: float) -> Mask:
    """Cells with all four sides drawn."""
    return np.asarray((edges.sides() >= DRAWN * typical).all(axis=2))


def crossings(looks: CellLooks, content: Content) -> Mask:
    """rows × cols × 4 (left, right, top, bottom): whether a pipe runs through that side of a cell."""
    leaves = np.zeros((*content.kinds.shape, 4), bool)
    middle_ray = {0: RAYS // 2, 1: 0, 2: 3 * RAYS // 4, 3: RAYS // 4}
    coloured = np.isin(content.kinds, ("end", "knob", "pipe"))
    for _, _, side in STEPS:
        rays = [(middle_ray[side] + k) % RAYS for k in (-1, 0)]
        beside = [(middle_ray[side] + k) % RAYS for k in (-RAYS // 8 - 1, RAYS // 8)]
        through = looks.radii[:, :, rays].min(axis=2) > REACH - 0.04
        leaves[:, :, side] = coloured & through & (looks.square[:, :, beside].max(axis=2) < REACH - 0.06)
    crossed = np.zeros_like(leaves)
    for first, second, here, there in ((leaves[:, :-1], leaves[:, 1:], 1, 0), (leaves[:-1], leaves[1:], 3, 2)):
        across = here == 1
        a, b = (content.color[:, :-1], content.color[:, 1:]) if across else (content.color[:-1], content.color[1:])
        both = first[:, :, here] & second[:, :, there] & (distance(a, b) < 14)
        if across:
            crossed[:, :-1, here], crossed[:, 1:, there] = both, both
        else:
            crossed[:-1, :, here], crossed[1:, :, there] = both, both
    return crossed


def find_region(edges: Edges, typical: float, content: Content, crossed: Mask, shown: Floats) -> Region | None:
    """The board's cells; `shown` is the share of each that lies in the picture.

    None when no cell with an end is enclosed.
    """
    sides = edges.sides()
    visible = shown > 0.8
    drawn = (sides >= DRAWN * typical) | crossed
    outline = (sides >= OUTLINE * typical) & ~crossed
    ends = content.kinds == "end"
    if content.square:  # the rims of tiles are no outlines
        beside_end = np.stack([_shifted(ends, dr, dc) for dr, dc, _ in STEPS], axis=-1)
        outline &= ~(ends[:, :, None] | beside_end)
    closed = drawn.all(axis=2) & visible
    closed |= ends & visible & (_drawn_towards(closed, drawn) >= 2)
    board = _flood(closed, outline, ends)
    if not board.any():
        return None
    at = np.argwhere(board)
    (top, left), (bottom, right) = (tuple(int(v) for v in corner) for corner in (at.min(axis=0), at.max(axis=0)))
    inside = np.zeros_like(board)
    inside[top : bottom + 1, left : right + 1] = True
    holes: list[Cell] = []
    covered: list[Cell] = []
    doubtful: dict[Cell, str] = {}
    for gap in _parts(inside & ~board):
        doubt = _doubt_about_gap(gap, board, drawn, outline, content)
        if doubt == "covered":
            covered += gap
            continue
        holes += gap
        doubtful.update({cell: doubt for cell in gap if doubt})
    doubts = _doubts_about_extent(edges, typical, (top, left, bottom, right), shown)
    size = (bottom - top + 1, right - left + 1)
    return Region(top, left, *size, tuple(sorted(holes)), tuple(covered), doubtful, doubts)


def _drawn_towards(cells: Mask, drawn: Mask) -> NDArray[np.int64]:
    """How many drawn sides of each cell lead to one of `cells`."""
    around = np.stack([_shifted(cells, dr, dc) for dr, dc, _ in STEPS], axis=-1)
    return np.asarray((drawn & around).sum(axis=2))


def _shifted(cells: Mask, dr: int, dc: int) -> Mask:
    """The mask as seen from the neighbour: element [r, c] is that of cell (r + dr, c + dc), False outside."""
    wide = np.pad(cells, 1)
    return wide[1 + dr : len(wide) - 1 + dr, 1 + dc : wide.shape[1] - 1 + dc]


def _flood(closed: Mask, outline: Mask, ends: Mask) -> Mask:
    """The closed cells that are joined without stepping over an outline, the part with most ends."""
    parts = _parts(closed, outline)
    best = max(parts, key=lambda part: sum(bool(ends[cell]) for cell in part), default=[])
    board = np.zeros_like(closed)
    if any(ends[cell] for cell in best):
        board[tuple(np.array(best).T)] = True
    return board


def _parts(cells: Mask, walls: Mask | None = None) -> list[list[Cell]]:
    """The cells by connected parts, in reading order; `walls` (rows × cols × 4) are sides that part neighbours."""
    left = cells.copy()
    parts = []
    for r0, c0 in np.argwhere(cells):
        if not left[r0, c0]:
            continue
        left[r0, c0] = False
        part = [(int(r0), int(c0))]
        for r, c in part:  # grows while it is walked
            for dr, dc, side in STEPS:
                i, j = r + dr, c + dc
                apart = walls is not None and bool(walls[r, c, side])
                if 0 <= i < cells.shape[0] and 0 <= j < cells.shape[1] and left[i, j] and not apart:
                    left[i, j] = False
                    part.append((i, j))
        parts.append(sorted(part))
    return parts


def _doubt_about_gap(gap: list[Cell], board: Mask, drawn: Mask, outline: Mask, content: Content) -> str:
    """Why connected cells that are not enclosed may be no hole ("" when they surely are one).

    "covered" when it is one cell of the board with something lying on it.
    """
    shared = [
        (cell, side)
        for cell in gap
        for dr, dc, side in STEPS
        if 0 <= cell[0] + dr < board.shape[0]
        and 0 <= cell[1] + dc < board.shape[1]
        and board[cell[0] + dr, cell[1] + dc]
    ]
    busy = [cell for cell in gap if content.kinds[cell] != "empty"]
    if any(content.kinds[cell] in ("end", "knob", "pipe") for cell in busy):
        return "it shows a piece"
    if shared and np.mean([outline[cell][side] for cell, side in shared]) > 0.8:
        return ""
    if len(gap) == 1 and busy:
        return "covered"
    if busy:
        return "something covers it"
    if not all(drawn[cell][side] for cell, side in shared):
        return "a side it shares with the board is not drawn"
    open_sides = [not drawn[cell][side] for cell in gap for side in range(4) if (cell, side) not in shared]
    return "" if len(gap) > 1 and np.mean(open_sides) > 0.8 else "only a missing side tells it from a cell"


def _doubts_about_extent(
    edges: Edges, typical: float, box: tuple[int, int, int, int], shown: Floats
) -> tuple[str, ...]:
    """Whether the lattice's lines go on beyond a side of the board (top, left, bottom, right cells, inclusive)."""
    top, left, bottom, right = box
    beyond = {
        "above": (edges.upright[top - 1 : top, left + 1 : right + 1], shown[top - 1 : top, left : right + 1]),
        "below": (
            edges.upright[bottom + 1 : bottom + 2, left + 1 : right + 1],
            shown[bottom + 1 : bottom + 2, left : right + 1],
        ),
        "left": (edges.level[top + 1 : bottom + 1, left - 1 : left], shown[top : bottom + 1, left - 1 : left]),
        "right": (
            edges.level[top + 1 : bottom + 1, right + 1 : right + 2],
            shown[top : bottom + 1, right + 1 : right + 2],
        ),
    }
    doubts = []
    for where, (lines, share) in beyond.items():
        if lines.size == 0 or share.size == 0 or np.median(share) < SLIVER:
            continue
        if float((lines > 0.8 * DRAWN * typical).mean()) > 0.8:
            side = f"at the picture's border ({where})" if np.median(share) < 0.9 else where
            doubts.append(f"the grid seems to go on {side}: a row or column may be missing.")
    return tuple(doubts)
