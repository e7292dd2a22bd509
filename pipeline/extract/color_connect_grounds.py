"""What empty cells look like: plain, chequered, or round sockets in a plate.

No lines part the cells of a board of sockets: each socket's own rim encloses its cell.
"""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from pipeline.extract.cell_masks import STEPS, Mask, shifted
from pipeline.extract.color_connect_cells import CellLooks
from pipeline.extract.color_connect_content import ROUND_SHARE, Content, has_corners
from pipeline.extract.color_connect_shades import UNLIKE
from pipeline.extract.colour import Lab, distance

FEWEST, LEAST_SHARE = 5, 0.4
"""Sockets, and the share of cells that they are, where the board consists of them. An end's colour is in two cells
only: what is in so many is empty."""

ONE_PLATE = 15.0
"""ΔE76 within which the corners of cells are of one plate, which may be grained and lit."""


@dataclass(frozen=True, eq=False)
class Sockets:
    """The colour inside empty sockets (Lab), which cells stand in the sockets' plate, which of them show a round
    thing, and which cells show nothing but the plate.
    """

    color: Lab
    plate: Mask
    empty: Mask
    bare: Mask

    def told(self, content: Content) -> Content:
        """The content where the bare plate is no block that fills its cell, and only a socket is an empty cell."""
        strange = (self.bare & (content.kinds == "block")) | (~self.empty & (content.kinds == "empty"))
        return replace(content, kinds=np.where(strange, "odd", content.kinds))

    def rims(self, content: Content) -> Mask:
        """rows × cols × 4: the sides of cells that empty sockets and ends in the plate enclose."""
        held = ((content.kinds == "empty") & self.empty) | ((content.kinds == "end") & self.plate)
        beside = np.stack([shifted(held, dr, dc) for dr, dc, _ in STEPS], axis=-1)
        return np.asarray(held[:, :, None] | beside)


def find_sockets(looks: CellLooks, board: Mask) -> Sockets | None:
    """The sockets that most cells of a board show; None where its empty cells are plain."""
    agree = np.abs(looks.radii - np.median(looks.radii, axis=2)[..., None]) < 0.045
    around = agree.mean(axis=2) >= ROUND_SHARE
    around &= (distance(looks.middle, looks.corner) > UNLIKE) & ~has_corners(looks)
    found = looks.middle[around & board]
    fewest = max(FEWEST, LEAST_SHARE * int(board.sum()))
    if len(found) < fewest:
        return None
    alike = distance(found[:, None], found[None]) < UNLIKE
    most = alike[int(alike.sum(axis=1).argmax())]
    if most.sum() < fewest:
        return None
    plate = np.median(looks.corner[around & board][most], axis=0)
    in_plate, bare = (distance(colors, plate) < ONE_PLATE for colors in (looks.corner, looks.middle))
    return Sockets(np.median(found[most], axis=0), in_plate, in_plate & around, bare)


def plain_grounds(cells: Lab, closed: NDArray[np.bool_]) -> Lab:
    """2 × 3: the colours of the board's cells where row + column is even and odd (they differ on a chequered board)."""
    side = cells.shape[2]
    a, b = round(0.1 * side), round(0.25 * side)
    corners = np.median(cells[:, :, a:b, a:b], axis=(2, 3))
    chosen = closed if closed.sum() >= 4 else np.ones_like(closed)
    parity = np.indices(chosen.shape).sum(axis=0) % 2
    kinds = [chosen & (parity == k) for k in (0, 1)]
    grounds = np.stack([np.median(corners[kind if kind.any() else chosen], axis=0) for kind in kinds])
    # Where few cells of a kind are empty, what stands in them may outnumber them: then the other kind's colour holds.
    near = [(distance(corners[kind][:, None], grounds) < UNLIKE).sum(axis=0) for kind in kinds]
    own = [k if near[k][k] > near[k][1 - k] else 1 - k for k in (0, 1)]
    return np.asarray(grounds[own if own != [1, 0] else [0, 1]], np.float32)
