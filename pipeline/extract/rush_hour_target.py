"""Which vehicle is the target, and on which side it leaves.

Two kinds of evidence meet. The target is marked: it is the only vehicle of its colour where all others share one, or
the only (or the reddest) red one. And the exit is marked: the frame has a gap, a bar or an arrow beside one line of
cells, so that the rim of the board there is unlike the rim beside the other lines of that side.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pipeline.extract.colour import Lab, distance, median_colour
from pipeline.extract.rush_hour_cells import SIDE, Cells, Floats
from pipeline.extract.rush_hour_tiling import Cell, Piece
from pipeline.games.rush_hour import Side

SIDES: tuple[Side, ...] = ("right", "left", "bottom", "top")

ALIKE = 16.0
"""ΔE up to which two vehicles may be of one colour (textures and light make the medians differ)."""


RIM = 0.1
"""How much of the rim must lie inside the picture, in cells, to show an exit."""

VIVID, VIVID_FOR_LIGHT = 32.0, 1.8
"""Least chroma of a red; and that for its lightness (L*) where it is dark: a full red has twice that."""

MARKED = 0.5
"""Mark of a vehicle from which it may be the target by its looks: one of two reds."""

ODD = 3.0
"""Mark of a vehicle that must be the target by its looks: the only one unlike the others."""

SHOWN = 0.5
"""How clearly a rim beyond which an exit is taken to be seen is unlike the others; see `Choice`."""


@dataclass(frozen=True)
class Choice:
    """A vehicle (index into the pieces) as the target, leaving on a side, and what speaks for it.

    `blocked`: a vehicle of the same axis stands before it on its own line and can never be passed. `free`: nothing
    stands before it. `home`: it touches that side. `sole`: the exit is all that is odd about that side.
    """

    piece: int
    side: Side
    mark: float
    exit: float
    score: float
    blocked: bool
    free: bool
    home: bool
    sole: bool

    @property
    def plain(self) -> bool:
        """Whether a marked vehicle stands before an exit that nothing else on its side could be taken for."""
        return self.sole and self.mark >= MARKED

    @property
    def doubtful(self) -> bool:
        """Whether the board would be solved, as no puzzle begins, or nearly so with looks alone to say so.

        At a side it touches, even a red vehicle before an odd rim may be another one, with the exit out of view.
        """
        return self.home or (self.exit <= SHOWN and self.free and self.mark < ODD)


def choices(pieces: Sequence[Piece], cells: Cells, ring: Cells, size: tuple[int, int]) -> list[Choice]:
    """All targets and exits, the likeliest first; `size` is the picture's width and height."""
    marks = _marks([piece_colour(cells, piece) for piece in pieces])
    unseen = _unseen(ring, size)
    rims = {side: _oddness(ring, side, seen=side not in unseen) for side in SIDES}
    found = []
    for index, piece in enumerate(pieces):
        for side in ("bottom", "top") if piece.down else ("right", "left"):
            line = piece.col if piece.down else piece.row
            way = _way(piece, side, cells.shape)
            outline = not way and side in unseen  # all that is seen beyond the vehicle may be its own
            shown, sole = (0.0, False) if outline else _shown(rims[side], line)
            trusted = sole or marks[index] >= MARKED or marks.max() < MARKED
            habit = 0.2 if side == "right" else 0.0
            ahead = [other for other in pieces if not way.isdisjoint(other.cells)]
            blocked = any(other.down == piece.down for other in ahead)
            score = (1.5 if trusted else 0.6) * shown + marks[index] + habit - 0.7 * blocked
            found.append(Choice(index, side, marks[index], shown, score, blocked, not ahead, not way, sole))
    return sorted(found, key=lambda c: (-c.score, c.piece))


def piece_colour(cells: Cells, piece: Piece) -> Lab:
    """The median colour of the middles of a vehicle's cells."""
    return median_colour(np.stack([cells.colour[cell] for cell in piece.cells]))


def _marks(colours: Sequence[Lab]) -> NDArray[np.float64]:
    """How much each vehicle stands out: 3 the one odd among many alike, 1 the one red, 0.5 one of two reds."""
    table = np.array(colours, np.float32).reshape(-1, 3)
    apart = distance(table[:, None], table[None])
    alike = (apart < ALIKE).sum(axis=1)
    most = int(alike.max())
    marks = np.zeros(len(table))
    red = np.array([_redness(colour) for colour in table])
    if red.max() > 0:
        near = red > red.max() - 0.3
        marks[near] = 1.0 / near.sum()
    odd = alike == 1
    if most >= 2 and most >= len(table) - 1 and odd.sum() == 1:
        marks[odd] = ODD
    if len(table) == 1:
        marks[0] = ODD if red[0] > 0 else 1.0
    return marks


def _redness(colour: Lab) -> float:
    """1 for a pure red, falling to 0 at orange and at pink, for colours that are no greys: dark ones may be duller."""
    light, a, b = (float(v) for v in colour)
    off = abs(np.degrees(np.arctan2(b, a)) - 32)
    return float(np.clip(1.5 - off / 20, 0, 1)) if np.hypot(a, b) > min(VIVID, VIVID_FOR_LIGHT * light) else 0.0


def _way(piece: Piece, side: Side, shape: tuple[int, int]) -> frozenset[Cell]:
    """The cells between a vehicle and the side."""
    (row, col), (rows, cols) = piece.cells[0 if side in ("left", "top") else -1], shape
    lines: dict[Side, list[Cell]] = {
        "left": [(row, c) for c in range(col)],
        "right": [(row, c) for c in range(col + 1, cols)],
        "top": [(r, col) for r in range(row)],
        "bottom": [(r, col) for r in range(row + 1, rows)],
    }
    return frozenset(lines[side])


def _unseen(ring: Cells, size: tuple[int, int]) -> list[Side]:
    """Sides where the board ends at the picture's edge: hardly any rim is left there."""
    rows, cols = ring.shape
    middle = (rows / 2, cols / 2)
    near = 1 - RIM
    (left, _), (_, top) = ring.lattice.point(middle[0], near), ring.lattice.point(near, middle[1])
    (right, _), (_, bottom) = (
        ring.lattice.point(middle[0], cols - near),
        ring.lattice.point(rows - near, middle[1]),
    )
    outside: dict[Side, bool] = {"right": right > size[0], "left": left < 0, "bottom": bottom > size[1], "top": top < 0}
    return [side for side, out in outside.items() if out]


def _oddness(ring: Cells, side: Side, *, seen: bool) -> Floats:
    """For each line of cells, how far (ΔE) the rim beside it is from the rim beside most lines of that side.

    Where no rim is `seen` a vehicle at the picture's edge may pass for one: what looks like
    the outermost cell is not odd.
    """
    rows, cols = ring.shape
    flat = ring.patches.swapaxes(1, 2).reshape(rows * SIDE, cols * SIDE, 3)
    if side in ("top", "bottom"):
        flat = flat.swapaxes(0, 1)
    if side in ("left", "top"):
        flat = flat[:, ::-1]
    lines, start = len(flat) // SIDE - 2, flat.shape[1] - SIDE
    rim = flat[SIDE:-SIDE, start + 1 : start + SIDE * 6 // 10].reshape(lines, SIDE, -1, 3)
    profile = np.median(rim[:, SIDE // 4 : -SIDE // 4], axis=1)
    away = distance(profile, np.median(profile, axis=0))
    if not seen:
        cells = flat[SIDE:-SIDE, start - SIDE * 3 // 4 : start - SIDE // 4].reshape(lines, SIDE, -1, 3)
        inside = np.median(cells[:, SIDE // 4 : -SIDE // 4], axis=(1, 2))
        away *= (distance(np.median(profile, axis=1), inside) > ALIKE)[:, None]
    return np.sort(away, axis=1)[:, -8:].mean(axis=1).astype(np.float32)


def mixed_rim(ring: Cells, size: tuple[int, int]) -> bool:
    """Whether the rim of a side that is seen differs from line to line, as where more cells follow."""
    unseen = _unseen(ring, size)
    return any(float(np.median(_oddness(ring, side, seen=True))) > ALIKE for side in SIDES if side not in unseen)


def _shown(oddness: Floats, line: int) -> tuple[float, bool]:
    """How clearly an exit shows beside a line, in [0, 1], and whether nothing else on that side is odd.

    1 when this line alone is odd, at most 0.5 when others are, too (vehicles and shadows that touch the rim).
    """
    own, others = float(oddness[line]), np.delete(oddness, line)
    if own < 8:
        return 0.0, False
    alone = 1 - float(others.max()) / own
    most = 1 - float(np.quantile(others, 0.75)) / own
    if alone > 0.35:
        return float(np.clip(1.7 * alone, 0, 1)), alone > 0.8
    return float(np.clip(0.7 * most, 0, 0.5)), False
