"""Which vehicle is the target, and on which side it leaves.

Two kinds of evidence meet. The target is marked: it is the only vehicle of its colour where all others share one, or
the only red one. And the exit is marked: the frame has a gap, a bar or an arrow beside one line of cells, so that the
rim of the board there is unlike the rim beside the other lines of that side.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pipeline.extract.colour import Lab, distance, median_colour
from pipeline.extract.rush_hour_cells import SIDE, Cells, Floats
from pipeline.extract.rush_hour_tiling import Piece
from pipeline.games.rush_hour import Side

SIDES: tuple[Side, ...] = ("right", "left", "bottom", "top")

ALIKE = 16.0
"""ΔE up to which two vehicles may be of one colour (textures and light make the medians differ)."""


@dataclass(frozen=True)
class Choice:
    """A vehicle (index into the pieces) as the target, leaving on a side, and what speaks for it."""

    piece: int
    side: Side
    mark: float
    exit: float
    score: float


def choices(pieces: Sequence[Piece], cells: Cells, ring: Cells) -> list[Choice]:
    """All targets and exits, the likeliest first."""
    marks = _marks([piece_colour(cells, piece) for piece in pieces])
    rims = {side: _oddness(ring, side) for side in SIDES}
    found = []
    for index, piece in enumerate(pieces):
        for side in ("bottom", "top") if piece.down else ("right", "left"):
            line = piece.col if piece.down else piece.row
            shown = _shown(rims[side], line)
            habit = 0.2 if side == "right" else 0.0
            blocked = any(_ahead(piece, other, side) for other in pieces)
            score = 1.5 * shown + marks[index] + habit - 1.5 * blocked
            found.append(Choice(index, side, marks[index], shown, score))
    return sorted(found, key=lambda c: (-c.score, c.piece))


def piece_colour(cells: Cells, piece: Piece) -> Lab:
    """The median colour of the middles of a vehicle's cells."""
    return median_colour(np.stack([cells.colour[cell] for cell in piece.cells]))


def _marks(colours: Sequence[Lab]) -> NDArray[np.float64]:
    """How much each vehicle stands out by colour: 3 the one odd among many alike, 1 the one red, 0.5 one of two reds."""
    table = np.array(colours, np.float32).reshape(-1, 3)
    apart = distance(table[:, None], table[None])
    alike = (apart < ALIKE).sum(axis=1)
    most = int(alike.max())
    marks = np.zeros(len(table))
    red = np.array([_is_red(colour) for colour in table])
    if red.any():
        marks[red] = 1.0 / red.sum()
    odd = alike == 1
    if most >= 2 and most >= len(table) - 1 and odd.sum() == 1:
        marks[odd] = 3.0
    if len(table) == 1:
        marks[0] = 3.0 if red[0] else 1.0
    return marks


def _is_red(colour: Lab) -> bool:
    _, a, b = (float(v) for v in colour)
    return bool(np.hypot(a, b) > 35 and -20 < np.degrees(np.arctan2(b, a)) < 48)


def _ahead(piece: Piece, other: Piece, side: Side) -> bool:
    """Whether another vehicle of the same axis stands between this one and the side: it can never be passed."""
    if other == piece or other.down != piece.down:
        return False
    mine, its = (piece.col, other.col) if piece.down else (piece.row, other.row)
    if mine != its:
        return False
    at, there = (piece.row, other.row) if piece.down else (piece.col, other.col)
    return there > at if side in ("right", "bottom") else there < at


def _oddness(ring: Cells, side: Side) -> Floats:
    """For each line of cells, how far (ΔE) the rim beside it is from the rim beside most lines of that side."""
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
    return np.sort(away, axis=1)[:, -8:].mean(axis=1).astype(np.float32)


def _shown(oddness: Floats, line: int) -> float:
    """How clearly an exit shows beside a line, in [0, 1]: 1 when it alone is odd."""
    own, others = float(oddness[line]), np.delete(oddness, line)
    if own < 8:
        return 0.0
    clear = 1 - float(others.max()) / own
    most = 1 - float(np.quantile(others, 0.75)) / own
    return float(np.clip(max(1.5 * clear, 0.8 * most), 0, 1))
