"""What stands in the cells of a Color Connect board: ends, pipes, blocks, nothing, or something else."""

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from pipeline.extract.cell_masks import STEPS, Cell, Mask, connected_parts, shifted
from pipeline.extract.color_connect_cells import RAYS, REACH, CellLooks
from pipeline.extract.colour import Lab, bgr_of_lab, distance, lengths
from pipeline.extract.lattice_edges import Edges

DRAWN = 0.38
"""An edge is drawn when it is at least this strong compared with the board's typical edge."""

FAINTEST = 1.2
"""ΔE76 of a typical edge below which no line is told from noise."""

FAINTEST_STEP = 3.0
"""ΔE76 of a step at an edge below which it may be a glow."""

ROUND_SHARE = 0.6
"""Share of rays that agree on one radius: a pipe takes at most a third of a disc's outline."""

SYMMETRIC = 0.45
"""What is less lopsided than this belongs to its cell; what lies on the board by chance is more so."""

ALIKE, LARGER = 0.22, 0.3
"""By how much an end may differ from the common radius, and be larger: a dark one's rim may be of its own colour."""

CORNERED = 0.88
"""Reach of a square towards its corners, in that towards its sides (maximum norm); a disc's is 0.78."""

FEWEST_LETTERED = 4
"""With so many tiles that bear a sign, plain ones are no ends."""

CALMEST = 12.0
"""Empty cells are taken to be no more textured than this (ΔE76), since on a solved board no cell is empty."""

FLAT = 2.0
"""A painted cell's activity is below this (ΔE76), which that of a glow seldom is."""

UNLIKE = 9.0
"""ΔE76 between the colours of an empty cell and of one that must be something else."""

MOST_TINT = 0.35
"""A tint takes at most this share of an end's colour."""

BLEEDING = 24.0
"""Compression lets a tint's colour be off by this much (BGR, Euclidean), which is little but in L*a*b* near black."""

CHROMATIC = 20.0
"""Chroma (L*a*b*) from which on an end's colour tints: that of a grey one is no other than a stone's."""

SOLID = 0.9
"""A stone covers at least this share of its cell's inside; it may be cut, rounded or lit."""

FACET = 0.6
"""The facets of a stone differ from each other by at most this share of what it differs from an empty cell by."""

TILE = 0.75
"""A tile reaches at least this share of the way to where rays end, in the maximum norm."""

Kind = Literal["empty", "end", "knob", "pipe", "block", "odd", "special", "other"]
"""A knob is the head of an unfinished pipe; something special stands symmetrically in its cell (a bridge, a portal).

An odd cell shows nothing, but in a colour that is not that of the empty ones.
"""


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


@dataclass(frozen=True, eq=False)
class Lines:
    """The lines of a block: ridges and steps at its edges, and how strong the board's typical ridge is (ΔE76)."""

    edges: Edges
    steps: Edges
    typical: float

    @property
    def strong(self) -> float:
        """What the plainer ones of the drawn ridges have: a quarter of them is stronger."""
        sides = self.edges.sides()
        closed = sides[self.drawn.all(axis=2)]
        seen = closed[closed >= DRAWN * self.typical]
        return max(self.typical, float(np.percentile(seen, 75))) if seen.size else self.typical

    @property
    def drawn(self) -> Mask:
        """rows × cols × 4 (left, right, top, bottom): whether that side of a cell can be seen."""
        least = DRAWN * self.typical
        return np.asarray((self.edges.sides() >= least) | (self.steps.sides() >= max(least, FAINTEST_STEP)))

    def block(self, rows: slice, cols: slice) -> "Lines":
        """The lines of some rows and columns of cells."""
        return Lines(self.edges.block(rows, cols), self.steps.block(rows, cols), self.typical)


def classify(looks: CellLooks, lines: Lines, inside: Mask, grounds: Lab) -> Content:
    """Name what each cell shows.

    `inside` marks cells that surely are the board's, `grounds` (n × 3) are the colours its empty cells have. What is
    much fainter than the lines shines through from behind. A filled cell has a sharp rim, which a glow has not.
    """
    typical, steps = lines.typical, lines.steps
    off_ground = distance(looks.middle[:, :, None], grounds).min(axis=2)
    calm = min(CALMEST, float(np.percentile(looks.activity[inside], 20))) if inside.any() else 0.0
    busy = looks.activity > max(7.0, 2.5 * calm)
    stepped = steps.sides() > np.maximum(6, 0.5 * off_ground)[:, :, None]
    apart = _apart_from_neighbours(looks.middle)
    filled = ((off_ground > 9) & (stepped.sum(axis=2) >= 2)) | ((off_ground > 22) & (apart.sum(axis=2) >= 2))
    shown = (busy & (distance(looks.middle, looks.corner) > 9)) | filled
    size = np.percentile(looks.radii, 30, axis=2)
    share = (np.abs(looks.radii - np.median(looks.radii, axis=2)[..., None]) < 0.045).mean(axis=2)
    to_corners = (looks.square > TILE * REACH).mean(axis=2) > 0.8
    stone = filled & ~busy & (to_corners | (looks.solid > SOLID))
    flat = (off_ground > 22) | ((off_ground > 12) & (looks.activity < FLAT))
    round_piece = shown & busy & (share >= ROUND_SHARE) & (size > 0.12) & (size < REACH + 0.02)
    square = int((filled & inside & to_corners).sum()) >= max(4, 0.7 * int((round_piece & inside).sum()))
    cornered = filled & to_corners & has_corners(looks)
    whole = filled & (~round_piece | cornered) & inside & (looks.solid > SOLID)
    faceted = whole & (looks.activity < FACET * off_ground)
    if not square:  # tiles with signs have likes, too, and corners
        stone |= _with_likes(faceted, looks.middle) | (cornered & (looks.core_activity <= max(7.0, 2.5 * calm)))
    outside = np.stack([~shifted(inside, dr, dc) for dr, dc, _ in STEPS], axis=-1)
    # What the board lies in may be of nearly a stone's colour: there a line does.
    framed = outside & lines.drawn & (_steps_to_neighbours(looks.middle) > UNLIKE)
    block = _rimmed(stone, stepped | ((apart | framed) & flat[:, :, None]))
    radius = _common_radius(size[round_piece & inside])
    if square:
        radius, size, share = REACH, np.percentile(looks.square, 30, axis=2), to_corners.astype(np.float64)
        round_piece = shown & to_corners
        block &= bool((round_piece & busy).sum() >= FEWEST_LETTERED)
    ends = round_piece & ~block & (radius > 0) & (square | ~cornered)
    larger = (size - radius < LARGER * radius) & (size < REACH - 0.03)  # what reaches farther fills its cell
    ends &= (np.abs(size - radius) < max(0.04, ALIKE * radius)) | (larger & (size > radius))
    least = max(7.0, 0.4 * typical, 2.5 * calm)
    plain = (looks.activity > least) & ((looks.core_activity > least) | (off_ground > 9))
    kinds = np.where(plain | (filled & busy), "other", "empty")
    kinds = np.where((kinds == "other") & (looks.lopsided < SYMMETRIC), "special", kinds)
    colored = _has_color_of(looks.middle, looks.middle[ends])
    kinds = np.where((kinds != "empty") & (size < 0.95 * radius) & colored & ~block, "pipe", kinds)
    kinds = np.where(round_piece & (size < radius) & colored, "knob", kinds)
    kinds = np.where(block, "block", np.where(ends, "end", kinds))
    kinds = np.where(whole & (kinds == "other"), "odd", kinds)
    unlike = _unlike((kinds == "empty") & inside, looks.middle, off_ground)
    kinds = np.where(unlike & ~_tinted(looks.middle, looks.middle[kinds == "end"], grounds), "odd", kinds)
    agreeing = share if square else (np.abs(looks.radii - size[:, :, None]) < 0.06).mean(axis=2)
    return Content(kinds, looks.middle, float(radius), square, agreeing.astype(np.float32))


def has_corners(looks: CellLooks) -> Mask:
    """Whether what stands in the cells is square rather than round."""
    eighths = np.arange(8) * RAYS // 8
    rays = np.concatenate([eighths - 1, eighths]).reshape(2, 4, 2)
    towards_sides, towards_corners = (np.median(looks.square[:, :, rays[:, :, k].ravel()], axis=2) for k in (0, 1))
    return np.asarray(towards_corners > CORNERED * towards_sides)


def _common_radius(sizes: NDArray[np.floating]) -> float:
    """The radius most round pieces have; the larger one when two are equally common."""
    if len(sizes) == 0:
        return 0.0
    near = [(int((np.abs(sizes - s) < 0.04).sum()), float(s)) for s in sizes]
    top = max(near)[1]
    return float(np.median(sizes[np.abs(sizes - top) < 0.04]))


def _apart_from_neighbours(colors: Lab) -> Mask:
    """rows × cols × 4: whether each cell's colour is plainly another than that neighbour's; a glow changes little."""
    return _steps_to_neighbours(colors) > 15


def _steps_to_neighbours(colors: Lab) -> NDArray[np.float32]:
    """rows × cols × 4: ΔE76 between each cell's colour and that neighbour's; beyond the block everything is far."""
    around = np.pad(colors, ((1, 1), (1, 1), (0, 0)), constant_values=1e6)
    rows, cols = colors.shape[:2]
    beside = [around[1 + dr : 1 + dr + rows, 1 + dc : 1 + dc + cols] for dr, dc, _ in STEPS]
    return np.stack([distance(colors, other) for other in beside], axis=-1)


def _with_likes(solid: Mask, colors: Lab) -> Mask:
    """Those of the cells that have a like in colour: a stone, not what lies there by chance."""
    at = np.argwhere(solid)
    found = colors[solid]
    alike = (distance(found[:, None], found[None]) < UNLIKE).sum(axis=1) > 1
    kept = np.zeros_like(solid)
    kept[tuple(at[alike].T)] = True
    return kept


def _rimmed(cells: Mask, rims: Mask) -> Mask:
    """Those cells whose every side has a rim or is shared with another of them; a bar behind the board has none."""
    while True:
        beside = np.stack([shifted(cells, dr, dc) for dr, dc, _ in STEPS], axis=-1)
        kept = cells & (rims | beside).all(axis=2)
        if (kept == cells).all():
            return kept
        cells = kept


def _unlike(empty: Mask, colors: Lab, off_ground: NDArray[np.floating]) -> Mask:
    """Empty cells whose colour no ground has; colours that change little by little from a ground's are its shading."""
    unlike = np.zeros_like(empty)
    for part in connected_parts(empty, _steps_to_neighbours(colors) > UNLIKE):
        at = tuple(np.array(part).T)
        unlike[at] = bool((off_ground[at] > UNLIKE).all())
    return unlike


def _tinted(colors: Lab, ends: Lab, grounds: Lab) -> Mask:
    """Whether a ground's colour with a little of a chromatic end's explains a cell's: lines tint their cells so.

    Light adds up in BGR; in L*a*b* a tint of black looks much more coloured than it is.
    """
    ends = ends[np.hypot(ends[:, 1], ends[:, 2]) > CHROMATIC]
    if not len(ends):
        return np.zeros(colors.shape[:2], bool)
    seen, light = bgr_of_lab(colors).astype(np.float32), bgr_of_lab(ends).astype(np.float32)
    tinted = np.zeros(colors.shape[:2], bool)
    for ground in bgr_of_lab(grounds).astype(np.float32):
        away, towards = seen - ground, light - ground
        share = np.clip(away @ towards.T / np.maximum((towards**2).sum(axis=1), 1.0), 0, MOST_TINT)
        left = lengths(away[:, :, None] - share[..., None] * towards)
        tinted |= (left < np.maximum(0.3 * lengths(away), BLEEDING)[:, :, None]).any(axis=2)
    return tinted


def _has_color_of(colors: Lab, among: Lab) -> Mask:
    if len(among) == 0:
        return np.zeros(colors.shape[:2], bool)
    return np.asarray(distance(colors[:, :, None], among[None, None]).min(axis=2) < 14)


def rims(content: Content, board: Mask) -> Mask:
    """rows × cols × 4: the sides of tiles, which their rims draw where a line beside them cannot be seen.

    `board` marks cells that surely are the board's: what stands elsewhere draws nothing.
    """
    tiles = (content.kinds == "end") & board & content.square
    beside = np.stack([shifted(tiles, dr, dc) for dr, dc, _ in STEPS], axis=-1)
    return np.asarray(tiles[:, :, None] | (beside & board[:, :, None]))


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
