"""How plainly the lines of a lattice are drawn, edge by edge.

An edge is the side shared by two neighbouring cells (or by a cell and the outside). A drawn line, a gap between tiles
and a groove all differ from what lies on both sides of it: a ridge. Averaging along the edge lets lines be seen that
are fainter than the noise of a pixel.
"""

from dataclasses import dataclass, replace
from itertools import pairwise

import cv2
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

    def block(self, rows: slice, cols: slice) -> "Edges":
        """The edges of some rows and columns of cells."""
        return Edges(
            self.upright[rows, cols.start : cols.stop + 1],
            self.level[rows.start : rows.stop + 1, cols],
        )


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


@dataclass(frozen=True, eq=False)
class Profiles:
    """Cells averaged along their edges, in parts, from which lines are measured (Lab).

    `across` is PARTS × rows × (cols · side) × 3: what one meets walking along a row of cells, crossing its upright
    edges. `down` is PARTS × cols × (rows · side) × 3: the same along columns. `side` is a cell's side in pixels.
    """

    across: Lab
    down: Lab
    side: int

    @classmethod
    def of(cls, cells: Lab) -> "Profiles":
        """The profiles of upright cells (rows × cols × side × side × 3, as `Lattice.rectified` gives them, in Lab)."""
        rows, cols, side = cells.shape[:3]
        flat = np.asarray(cells.swapaxes(1, 2).reshape(rows * side, cols * side, 3), np.float32)
        return cls(_averaged(flat, side), _averaged(cv2.transpose(flat), side), side)


def _averaged(flat: Lab, side: int) -> Lab:
    """PARTS × rows × (cols · side) × 3 from rows of cells side by side ((rows · side) × (cols · side) × 3)."""
    cuts = np.rint(np.linspace(*ALONG, PARTS + 1) * side).astype(int)
    shares = np.zeros((PARTS, side), np.float32)
    for part, (a, b) in enumerate(pairwise(cuts)):
        shares[part, a:b] = 1 / (b - a)
    rows, width = len(flat) // side, flat.shape[1]
    means = shares @ flat.reshape(rows, side, width * 3)
    return means.reshape(rows, PARTS, width, 3).swapaxes(0, 1)


def measure_edges(profiles: Profiles) -> Edges:
    """The ridges at the edges of cells."""
    upright, level = (_ridges(lines, profiles.side, SEARCH) for lines in (profiles.across, profiles.down))
    # The weakest part counts, so that something small beside a cell is not taken for its side.
    return Edges(upright.max(axis=0).min(axis=0), level.max(axis=0).min(axis=0).T)


def measure_steps(profiles: Profiles) -> Edges:
    """Where the colour changes at an edge and is even on both sides of it: the rim of a tile or of the board (ΔE76)."""
    return Edges(_steps(profiles.across, profiles.side), _steps(profiles.down, profiles.side).T)


def _steps(lines: Lab, side: int) -> Floats:
    near, far = max(2, round(STEP_NEAR * side)), max(4, round(STEP_FAR * side))
    at = np.arange(lines.shape[2] // side + 1) * side + far + 1
    lines = np.pad(lines, ((0, 0), (0, 0), (far + 1, far + 1), (0, 0)), mode="edge")
    before, after = lines[:, :, at - 1 - near], lines[:, :, at + near]
    uneven = distance(before, lines[:, :, at - 1 - far]) + distance(after, lines[:, :, at + far])
    return np.maximum(distance(before, after) - uneven, 0).min(axis=0)


def _ridges(lines: Lab, side: int, search: float) -> Floats:
    """Ridge strengths at shifts from −search to +search cells: shifts × PARTS × rows × (cols + 1).

    The middle shift is the boundary itself (between two pixels when a shift is one pixel: it is the right one).
    """
    reach = max(1, round(search * side))
    widths = [max(2 + k, round(share * side)) for k, share in enumerate(HALF_WIDTHS)]
    pad = reach + widths[-1] + 1
    at = np.arange(lines.shape[2] // side + 1) * side + pad
    lines = np.pad(lines, ((0, 0), (0, 0), (pad, pad), (0, 0)), mode="edge")
    around = lines[:, :, at + np.arange(-pad, pad)[:, None]]  # PARTS × rows × 2 pad × (cols + 1) × 3
    first, last = pad - reach - 1, pad + reach + 1
    here = around[:, :, first:last]
    found = np.zeros(here.shape[:-1], np.float32)
    for width in widths:
        before = here - around[:, :, first - width : last - width]
        after = here - around[:, :, first + width : last + width]
        np.maximum(found, np.einsum("...k,...k->...", before, after), out=found)
    return np.sqrt(found).transpose(2, 0, 1, 3)


def aligned(lattice: Lattice, profiles: Profiles) -> Lattice:
    """The lattice moved and stretched a little so that its edges lie on the lines of its cells.

    Each line of edges votes for the shift at which it is drawn best; a robust straight line through the shifts of those
    that are drawn plainly gives the new first line and pitch.
    """
    shift_x, stretch_x = _drift(profiles.across, profiles.side)
    shift_y, stretch_y = _drift(profiles.down, profiles.side)
    moved = lattice.block(shift_y, shift_x, lattice.rows, lattice.cols)
    return replace(moved, pitch_x=lattice.pitch_x * (1 + stretch_x), pitch_y=lattice.pitch_y * (1 + stretch_y))


def _drift(lines: Lab, side: int) -> tuple[float, float]:
    """(shift of line 0, change per line) of the upright lines, in cells."""
    by_line = np.percentile(np.median(_ridges(lines, side, ALIGN), axis=1), 65, axis=1)
    shifts = (np.arange(len(by_line)) - len(by_line) // 2 + 0.5) / side
    weight = by_line.max(axis=0) - np.median(by_line, axis=0)
    numbers = np.arange(by_line.shape[1])
    plain = weight > 0.3 * weight.max()
    if weight.max() <= 0 or plain.sum() < 3:
        return 0.0, 0.0
    peaks = np.where(by_line > 0.6 * by_line.max(axis=0), by_line, 0)
    places = (shifts[:, None] * peaks).sum(axis=0) / np.maximum(peaks.sum(axis=0), 1e-9)
    plain &= np.abs(places - np.median(places[plain])) < 0.06
    if plain.sum() < 3:
        return 0.0, 0.0
    # The median of all slopes between two of them (Theil and Sen): rims of tiles put some lines beside their place.
    at, found = numbers[plain], places[plain]
    first, second = np.triu_indices(len(at), 1)
    slope = float(np.median((found[second] - found[first]) / (at[second] - at[first])))
    return float(np.median(found - slope * at)), slope
