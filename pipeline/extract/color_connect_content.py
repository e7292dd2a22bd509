"""What stands in the cells of a Color Connect board: ends, pipes, blocks, nothing, or something else."""

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from pipeline.extract.cell_masks import STEPS, Cell, Mask, shifted
from pipeline.extract.color_connect_cells import RAYS, REACH, CellLooks
from pipeline.extract.color_connect_lines import FAINTEST, FAINTEST_STEP, Lines
from pipeline.extract.color_connect_shades import (
    UNLIKE,
    shines_through,
    steps_at_sides,
    steps_to_neighbours,
    tinted,
    unlike,
)
from pipeline.extract.colour import Lab, distance

ROUND_SHARE = 0.6
"""Share of rays that agree on one radius: a pipe takes at most a third of a disc's outline."""

OFF_CENTRE = 0.07
"""How far, in cells, a piece may lie beside the middle of its cell: a pixel or so in the smallest pictures."""

SYMMETRIC = 0.45
"""What is less lopsided than this belongs to its cell; what lies on the board by chance is more so."""

ALIKE, LARGER = 0.22, 0.3
"""By how much an end may differ from the common radius, and be larger: a dark one's rim may be of its own colour."""

CORNERED = 0.88
"""Reach of a square towards its corners, in that towards its sides (maximum norm); a disc's is 0.78."""

SIGN, CLEAR_SIGN = 0.5, 1.5
"""A tile bears a sign, and clearly so, from this share on of the texture that is not plain; between lies noise, too."""

UNSIGNED = 0.3
"""The share of rays that agree on an end, which a tile without a clear sign counts as where others have one."""

FEWEST_LETTERED = 4
"""With so many tiles that bear a sign, plain ones are no ends."""

CALMEST = 12.0
"""Empty cells are taken to be no more textured than this (ΔE76), since on a solved board no cell is empty."""

FLAT = 2.0
"""A painted cell's activity is below this (ΔE76), which that of a glow seldom is."""

APART = 15.0
"""ΔE76 between a cell's colour and what lies beyond its side that a glow does not make."""

SOLID = 0.9
"""A stone covers at least this share of its cell's inside; it may be cut, rounded or lit."""

FACET = 0.6
"""The facets of a stone differ from each other by at most this share of what it differs from an empty cell by."""

SAME_COLOUR = 14.0
"""ΔE76 within which a pipe has the colour of an end."""

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
class _Seen:
    """What each cell (rows × cols) shows at sight. `least_busy` is the activity up to which one is plain (ΔE76)."""

    off_ground: NDArray[np.float32]
    least_busy: float
    busy: Mask
    stepped: Mask
    apart: Mask
    filled: Mask
    shown: Mask


@dataclass(frozen=True, eq=False)
class _Pieces:
    """Cells with round pieces (tiles where `square`), ends, blocks and whole stones; their reach and agreement."""

    pieces: Mask
    ends: Mask
    block: Mask
    whole: Mask
    size: NDArray[np.floating]
    share: NDArray[np.floating]
    radius: float
    square: bool


def classify(looks: CellLooks, lines: Lines, inside: Mask, grounds: Lab) -> Content:
    """Name what each cell shows.

    `inside` marks cells that surely are the board's, `grounds` (n × 3) are the colours its empty cells have. What is
    much fainter than the lines shines through from behind. A filled cell has a sharp rim, which a glow has not.
    """
    seen = _seen(looks, lines, inside, grounds)
    found = _pieces(looks, lines, inside, seen)
    kinds = _named(looks, lines, seen, found)
    odd = unlike((kinds == "empty") & inside, looks.middle, seen.off_ground)
    odd &= ~tinted(looks.middle, looks.middle[kinds == "end"], grounds)
    odd |= found.whole & (kinds == "other")
    others = inside & ~odd & ~np.isin(kinds, ("end", "knob", "pipe"))
    behind = shines_through(looks, lines, odd, others, seen.off_ground)
    kinds = np.where(odd, np.where(behind, "empty", "odd"), kinds)
    agreeing = found.share if found.square else (np.abs(looks.radii - found.size[:, :, None]) < 0.06).mean(axis=2)
    return Content(kinds, looks.middle, found.radius, found.square, agreeing.astype(np.float32))


def _seen(looks: CellLooks, lines: Lines, inside: Mask, grounds: Lab) -> _Seen:
    off_ground = distance(looks.middle[:, :, None], grounds).min(axis=2)
    calm = min(CALMEST, float(np.percentile(looks.activity[inside], 20))) if inside.any() else 0.0
    least_busy = max(7.0, 2.5 * calm)
    busy = looks.activity > least_busy
    stepped = lines.steps.sides() > np.maximum(6, 0.5 * off_ground)[:, :, None]
    apart = steps_at_sides(looks, inside) > APART
    filled = ((off_ground > 9) & (stepped.sum(axis=2) >= 2)) | ((off_ground > 22) & (apart.sum(axis=2) >= 2))
    shown = (busy & (distance(looks.middle, looks.corner) > 9)) | filled
    return _Seen(off_ground, least_busy, busy, stepped, apart, filled, shown)


def _pieces(looks: CellLooks, lines: Lines, inside: Mask, seen: _Seen) -> _Pieces:
    size = np.percentile(looks.radii, 30, axis=2)
    share = (np.abs(centred(looks.radii)) < 0.045).mean(axis=2)
    to_corners = (looks.square > TILE * REACH).mean(axis=2) > 0.8
    pieces = seen.shown & seen.busy & (share >= ROUND_SHARE) & (size > 0.12) & (size < REACH + 0.02)
    square = int((seen.filled & inside & to_corners).sum()) >= max(4, 0.7 * int((pieces & inside).sum()))
    cornered = seen.filled & to_corners & has_corners(looks)
    whole = seen.filled & (~pieces | cornered) & inside & (looks.solid > SOLID)
    stone = seen.filled & ~seen.busy & (to_corners | (looks.solid > SOLID))
    if not square:  # tiles with signs have corners, too
        stone |= whole & (looks.activity < FACET * seen.off_ground)
        stone |= cornered & (looks.core_activity <= seen.least_busy)
    block = _blocks(looks, lines, inside, seen, stone)
    radius = _common_radius(size[pieces & inside])
    if square:
        radius, size, share = REACH, np.percentile(looks.square, 30, axis=2), to_corners.astype(np.float64)
        pieces = seen.shown & to_corners
        signed = looks.core_activity > SIGN * seen.least_busy
        lettered = int((pieces & signed).sum()) >= FEWEST_LETTERED
        block = lettered & ~signed & (block | (pieces & seen.apart.all(axis=2)))
        share[lettered & (looks.core_activity < CLEAR_SIGN * seen.least_busy)] = UNSIGNED
    larger = (size - radius < LARGER * radius) & (size < REACH - 0.03)  # what reaches farther fills its cell
    alike = (np.abs(size - radius) < max(0.04, ALIKE * radius)) | (larger & (size > radius))
    ends = pieces & ~block & (radius > 0) & (square | ~cornered) & alike
    return _Pieces(pieces, ends, block, whole, size, share, float(radius), square)


def _blocks(looks: CellLooks, lines: Lines, inside: Mask, seen: _Seen, stone: Mask) -> Mask:
    """The stones with a rim all around; where the board lies in something of nearly their colour a line does."""
    flat = (seen.off_ground > 22) | ((seen.off_ground > 12) & (looks.activity < FLAT))
    outside = np.stack([~shifted(inside, dr, dc) for dr, dc, _ in STEPS], axis=-1)
    framed = outside & lines.drawn & (steps_to_neighbours(looks.middle) > UNLIKE)
    block = _rimmed(stone, seen.stepped | ((seen.apart | framed) & flat[:, :, None]))
    # Beside an end a rim may not be seen: what is apart all around and has the colour of one of them is another.
    return block | (stone & seen.apart.all(axis=2) & _is_near(looks.middle, looks.middle[block], UNLIKE))


def _named(looks: CellLooks, lines: Lines, seen: _Seen, found: _Pieces) -> NDArray[np.str_]:
    """The kind of each cell; later names overrule earlier ones."""
    least = max(0.4 * lines.typical, seen.least_busy)
    plain = (looks.activity > least) & ((looks.core_activity > least) | (seen.off_ground > 9))
    kinds = np.where(plain | (seen.filled & seen.busy), "other", "empty")
    kinds = np.where((kinds == "other") & (looks.lopsided < SYMMETRIC), "special", kinds)
    colored = _is_near(looks.middle, looks.middle[found.ends], SAME_COLOUR)
    thin = found.size < 0.95 * found.radius
    kinds = np.where((kinds != "empty") & thin & colored & ~found.block, "pipe", kinds)
    kinds = np.where(found.pieces & (found.size < found.radius) & colored, "knob", kinds)
    return np.where(found.block, "block", np.where(found.ends, "end", kinds))


def centred(radii: NDArray[np.floating]) -> NDArray[np.floating]:
    """What each ray's end (cells × RAYS) differs by from the usual radius around the piece's own middle.

    A disc that lies a little beside the middle of its cell, as by rounding in small pictures, has rays that vary with
    the cosine of their direction (the first harmonic); that much is taken out, up to OFF_CENTRE.
    """
    away = radii - np.median(radii, axis=2)[..., None]
    angles = (np.arange(RAYS) + 0.5) * 2 * np.pi / RAYS
    waves = np.stack([np.cos(angles), np.sin(angles)])
    offset = np.clip(away, -2 * OFF_CENTRE, 2 * OFF_CENTRE) @ waves.T * (2 / RAYS)
    offset *= np.minimum(1.0, OFF_CENTRE / np.maximum(1e-6, np.linalg.norm(offset, axis=2, keepdims=True)))
    rest = radii - offset @ waves
    return np.asarray(rest - np.median(rest, axis=2)[..., None])


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


def _rimmed(cells: Mask, rims: Mask) -> Mask:
    """Those cells whose every side has a rim or is shared with another of them; a bar behind the board has none."""
    while True:
        beside = np.stack([shifted(cells, dr, dc) for dr, dc, _ in STEPS], axis=-1)
        kept = cells & (rims | beside).all(axis=2)
        if (kept == cells).all():
            return kept
        cells = kept


def _is_near(colors: Lab, among: Lab, least: float) -> Mask:
    """Whether a colour is within a ΔE76 of one `among` others."""
    if len(among) == 0:
        return np.zeros(colors.shape[:2], bool)
    return np.asarray(distance(colors[:, :, None], among[None, None]).min(axis=2) < least)


def rims(content: Content, board: Mask) -> Mask:
    """rows × cols × 4: the sides of tiles, which their rims draw where a line beside them cannot be seen.

    `board` marks cells that surely are the board's: what stands elsewhere draws nothing.
    """
    tiles = (content.kinds == "end") & board & content.square
    beside = np.stack([shifted(tiles, dr, dc) for dr, dc, _ in STEPS], axis=-1)
    return np.asarray(tiles[:, :, None] | (beside & board[:, :, None]))


def spanning(looks: CellLooks, lines: Lines, content: Content) -> Mask:
    """The ends that go on into a neighbouring one of their colour in their full width, with nothing drawn between.

    Those are pieces of several cells, as other games have: an end stands in one cell.
    """
    ends = content.kinds == "end"
    flush = (lines.edges.sides() < FAINTEST) & (lines.steps.sides() < FAINTEST_STEP)
    flush &= distance(looks.strips, looks.middle[:, :, None]) < UNLIKE
    flush &= steps_to_neighbours(looks.middle) < SAME_COLOUR
    joined = np.zeros_like(ends)
    for dr, dc, side in STEPS:
        joined |= ends & shifted(ends, dr, dc) & flush[:, :, side] & shifted(flush[:, :, side ^ 1], dr, dc)
    return joined


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
        both = first[:, :, here] & second[:, :, there] & (distance(a, b) < SAME_COLOUR)
        if across:
            crossed[:, :-1, here], crossed[:, 1:, there] = both, both
        else:
            crossed[:-1, :, here], crossed[1:, :, there] = both, both
    return crossed
