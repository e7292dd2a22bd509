"""Cells that show nothing but a colour that empty ones have not: their own, a tint, or that of what lies behind.

Glows, bars and pictures behind a board shine through its cells. They do not keep to the cells' sides, as what stands in
a cell does, and the board's lines run over them.
"""

import numpy as np
from numpy.typing import NDArray

from pipeline.extract.cell_masks import STEPS, Mask, connected_parts, shifted
from pipeline.extract.color_connect_cells import CellLooks
from pipeline.extract.color_connect_lines import DRAWN, Lines
from pipeline.extract.colour import Lab, bgr_of_lab, distance, lengths

UNLIKE = 9.0
"""ΔE76 between the colours of an empty cell and of one that must be something else."""

FAINTLY_UNLIKE, GREY, WHOLE_STEP = 5.0, 3.0, 0.8
"""The same of cells with less than that chroma, where this share of the difference is a step at each side."""

MOST_TINT = 0.35
"""A tint takes at most this share of an end's colour."""

BLEEDING = 24.0
"""Compression lets a tint's colour be off by this much (BGR, Euclidean), which is little but in L*a*b* near black."""

CHROMATIC = 20.0
"""Chroma (L*a*b*) from which on an end's colour tints: that of a grey one is no other than a stone's."""


def steps_at_sides(looks: CellLooks, inside: Mask) -> NDArray[np.float32]:
    """rows × cols × 4: ΔE76 between each cell's colour and the neighbour's; of those `inside` just beyond that side.

    What shines through from behind the board goes on there, whatever stands farther inside.
    """
    others = np.stack([shifted(inside, dr, dc) for dr, dc, _ in STEPS], axis=-1)
    rows, cols = inside.shape
    around = np.pad(looks.strips, ((1, 1), (1, 1), (0, 0), (0, 0)))
    beyond = [around[1 + dr : 1 + dr + rows, 1 + dc : 1 + dc + cols, side ^ 1] for dr, dc, side in STEPS]
    at_sides = distance(looks.middle[:, :, None], np.stack(beyond, axis=2))
    return np.where(others, at_sides, steps_to_neighbours(looks.middle))


def steps_to_neighbours(colors: Lab) -> NDArray[np.float32]:
    """rows × cols × 4: ΔE76 between each cell's colour and that neighbour's; beyond the block everything is far."""
    around = np.pad(colors, ((1, 1), (1, 1), (0, 0)), constant_values=1e6)
    rows, cols = colors.shape[:2]
    beside = [around[1 + dr : 1 + dr + rows, 1 + dc : 1 + dc + cols] for dr, dc, _ in STEPS]
    return np.stack([distance(colors, other) for other in beside], axis=-1)


def unlike(empty: Mask, colors: Lab, off_ground: NDArray[np.floating]) -> Mask:
    """Empty cells whose colour no ground has; colours that change little by little from a ground's are its shading.

    A stone that differs less is grey and ends with its cell: light from behind is coloured and reaches into others.
    """
    found = np.zeros_like(empty)
    for part in connected_parts(empty, steps_to_neighbours(colors) > UNLIKE):
        at = tuple(np.array(part).T)
        found[at] = bool((off_ground[at] > UNLIKE).all())
    beside = np.stack([shifted(empty, dr, dc) for dr, dc, _ in STEPS], axis=-1)
    ends = (~beside | (steps_to_neighbours(colors) > WHOLE_STEP * off_ground[:, :, None])).all(axis=2)
    return found | (empty & grey(colors) & ends & (off_ground > FAINTLY_UNLIKE))


def grey(colors: Lab) -> Mask:
    """Whether colours have hardly any chroma."""
    return np.asarray(np.hypot(colors[..., 1], colors[..., 2]) < GREY)


def shines_through(looks: CellLooks, lines: Lines, odd: Mask, others: Mask, off_ground: NDArray[np.floating]) -> Mask:
    """Those of the odd cells whose colour goes on beyond a drawn line into one of `others`: it lies behind the board.

    What stands in a cell ends at its sides, and what lies on the board hides its lines. `off_ground` is the ΔE76 of
    cells from the ground: beyond the line lies something that is nearer to the cell's colour. `others` hold no ends,
    whose glow may be of any colour.
    """
    beside = np.stack([shifted(others, dr, dc) for dr, dc, _ in STEPS], axis=-1)
    ridges = lines.edges.sides() >= DRAWN * lines.typical
    nearer = steps_at_sides(looks, others) < 0.5 * off_ground[:, :, None]
    goes_on = np.any(beside & ridges & nearer, axis=2)
    behind = np.zeros_like(odd)
    for part in connected_parts(odd, steps_to_neighbours(looks.middle) > UNLIKE):
        at = tuple(np.array(part).T)
        behind[at] = np.any(goes_on[at])
    return behind


def tinted(colors: Lab, ends: Lab, grounds: Lab) -> Mask:
    """Whether a ground's colour with a little of a chromatic end's explains a cell's: lines tint their cells so.

    Light adds up in BGR; in L*a*b* a tint of black looks much more coloured than it is.
    """
    ends = ends[np.hypot(ends[:, 1], ends[:, 2]) > CHROMATIC]
    if not len(ends):
        return np.zeros(colors.shape[:2], bool)
    seen, light = bgr_of_lab(colors).astype(np.float32), bgr_of_lab(ends).astype(np.float32)
    found = np.zeros(colors.shape[:2], bool)
    for ground in bgr_of_lab(grounds).astype(np.float32):
        away, towards = seen - ground, light - ground
        share = np.clip(away @ towards.T / np.maximum((towards**2).sum(axis=1), 1.0), 0, MOST_TINT)
        left = lengths(away[:, :, None] - share[..., None] * towards)
        found |= (left < np.maximum(0.3 * lengths(away), BLEEDING)[:, :, None]).any(axis=2)
    return found & ~grey(colors)
