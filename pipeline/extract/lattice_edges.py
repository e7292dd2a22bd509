"""How plainly the lines of a lattice are drawn, edge by edge.

An edge is the side shared by two neighbouring cells (or by a cell and the outside). A drawn line, a gap between tiles
and a groove all differ from what lies on both sides of it: a ridge. Averaging along the edge lets lines be seen that
are fainter than the noise of a pixel.
"""

from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from pipeline.extract.colour import Lab, distance
from pipeline.extract.lattice import Lattice

Floats = NDArray[np.floating]

ALONG = (0.2, 0.8)
"""The part of an edge that is looked at, in cells: corners and crossing lines are left out."""

PARTS = 3
"""An edge is measured in this many parts."""

SEARCH = 0.035
"""How far from its place a line is looked for, in cells."""

HALF_WIDTHS = (0.07, 0.14, 0.2)
"""Distances from a line's middle at which its surroundings are compared, in cells."""

STEP_NEAR, STEP_FAR = 0.06, 0.12
"""Distances from an edge at which the colours of both sides are compared, in cells: beyond a thin line."""

ALIGN = 0.09
"""How far `aligned` looks for the lines, in cells."""

BORDER = 0.06
"""An edge this near to the picture's border is taken to lie on it, in cells."""


@dataclass(frozen=True, eq=False)
class Edges:
    """Ridge strengths (ΔE76) of a rows × cols block of cells.

    `upright` is rows × (cols + 1): element [r, c] is the left side of cell (r, c). `level` is (rows + 1) × cols:
    element [r, c] is its top side.
    """

    upright: Floats
    level: Floats

    def sides(self) -> Floats:
        """rows × cols × 4: left, right, top, bottom of each cell."""
        return np.stack([self.upright[:, :-1], self.upright[:, 1:], self.level[:-1], self.level[1:]], axis=-1)


def with_picture_border(edges: Edges, lattice: Lattice, size: tuple[int, int], strength: float) -> Edges:
    """The edges, those that lie along the border of a picture (width, height in pixels) at least of the given strength.

    A board as wide as the picture may have its outermost lines cut off: the picture's border stands for them.
    """
    near = BORDER * min(lattice.pitch_x, lattice.pitch_y)
    rows, cols = np.mgrid[0 : lattice.rows, 0 : lattice.cols + 1]
    x, _ = lattice.points(rows + 0.5, cols + 0.0)
    rows, cols = np.mgrid[0 : lattice.rows + 1, 0 : lattice.cols]
    _, y = lattice.points(rows + 0.0, cols + 0.5)
    upright = np.minimum(x, size[0] - 1 - x) < near
    level = np.minimum(y, size[1] - 1 - y) < near
    return Edges(
        np.where(upright, np.maximum(edges.upright, strength), edges.upright),
        np.where(level, np.maximum(edges.level, strength), edges.level),
    )


def measure_edges(cells: Lab) -> Edges:
    """The edges of upright cells (rows × cols × side × side × 3, as `Lattice.rectified` gives them, in Lab)."""
    return Edges(_upright(cells), _upright(cells.transpose(1, 0, 3, 2, 4)).T)


def measure_steps(cells: Lab) -> Edges:
    """Where the colour changes at an edge and is even on both sides of it: the rim of a tile or of the board (ΔE76)."""
    return Edges(_steps(cells), _steps(cells.transpose(1, 0, 3, 2, 4)).T)


def _steps(cells: Lab) -> Floats:
    side = cells.shape[2]
    lines = _lines_across(cells)
    near, far = max(2, round(STEP_NEAR * side)), max(4, round(STEP_FAR * side))
    lines = np.pad(lines, ((0, 0), (0, 0), (far + 1, far + 1), (0, 0)), mode="edge")
    at = np.arange(cells.shape[1] + 1) * side + far + 1
    before, after = lines[:, :, at - 1 - near], lines[:, :, at + near]
    uneven = distance(before, lines[:, :, at - 1 - far]) + distance(after, lines[:, :, at + far])
    return np.maximum(distance(before, after) - uneven, 0).min(axis=0)


def _lines_across(cells: Lab) -> Lab:
    """PARTS × rows × (cols · side) × 3: each row of cells averaged along its upright edges, in parts."""
    rows, cols, side = cells.shape[:3]
    cuts = np.rint(np.linspace(*ALONG, PARTS + 1) * side).astype(int)
    strips = [cells[:, :, a:b].mean(axis=2) for a, b in pairwise(cuts)]
    return np.stack(strips).reshape(PARTS, rows, cols * side, 3)


def _upright(cells: Lab) -> Floats:
    """The weakest of the parts of each edge, so that something small beside a cell is not taken for its side."""
    return _ridges(cells, SEARCH).max(axis=0).min(axis=0)


def _ridges(cells: Lab, search: float) -> Floats:
    """Ridge strengths at shifts from −search to +search cells: shifts × PARTS × rows × (cols + 1).

    The middle shift is the boundary itself (between two pixels when a shift is one pixel: it is the right one).
    """
    rows, cols, side = cells.shape[:3]
    lines = _lines_across(cells)
    reach = max(1, round(search * side))
    widths = [max(2 + k, round(share * side)) for k, share in enumerate(HALF_WIDTHS)]
    pad = reach + widths[-1] + 1
    lines = np.pad(lines, ((0, 0), (0, 0), (pad, pad), (0, 0)), mode="edge")
    shifts = range(-reach - 1, reach + 1)
    found = np.zeros((len(shifts), PARTS, rows, cols + 1), np.float32)
    for width in widths:
        for k, shift in enumerate(shifts):
            at = np.arange(cols + 1) * side + pad + shift
            before, after = lines[:, :, at] - lines[:, :, at - width], lines[:, :, at] - lines[:, :, at + width]
            agreement = (before * after).sum(axis=-1)
            found[k] = np.maximum(found[k], np.sqrt(np.clip(agreement, 0, None)))
    return found


def aligned(lattice: Lattice, cells: Lab) -> Lattice:
    """The lattice moved and stretched a little so that its edges lie on the lines of its cells (in Lab).

    Each line of edges votes for the shift at which it is drawn best; a straight line through the shifts, weighted by
    how plainly they are drawn, gives the new first line and pitch.
    """
    shift_x, stretch_x = _drift(cells)
    shift_y, stretch_y = _drift(cells.transpose(1, 0, 3, 2, 4))
    moved = lattice.block(shift_y, shift_x, lattice.rows, lattice.cols)
    return replace(moved, pitch_x=lattice.pitch_x * (1 + stretch_x), pitch_y=lattice.pitch_y * (1 + stretch_y))


def _drift(cells: Lab) -> tuple[float, float]:
    """(shift of line 0, change per line) of the upright lines, in cells."""
    side = cells.shape[2]
    by_line = np.percentile(np.median(_ridges(cells, ALIGN), axis=1), 65, axis=1)
    shifts = (np.arange(len(by_line)) - len(by_line) // 2 + 0.5) / side
    weight = by_line.max(axis=0) - np.median(by_line, axis=0)
    lines = np.arange(by_line.shape[1])
    plain = weight > 0.3 * weight.max()
    if weight.max() <= 0 or plain.sum() < 3:
        return 0.0, 0.0
    peaks = np.where(by_line > 0.6 * by_line.max(axis=0), by_line, 0)
    places = (shifts[:, None] * peaks).sum(axis=0) / np.maximum(peaks.sum(axis=0), 1e-9)
    plain &= np.abs(places - np.median(places[plain])) < 0.06
    if plain.sum() < 3:
        return 0.0, 0.0
    slope, start = np.polyfit(lines[plain], places[plain], 1, w=np.sqrt(weight[plain]))
    return float(start), float(slope)
