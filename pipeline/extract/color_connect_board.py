"""Which cells of a lattice form a Color Connect board.

Cells belong to the board when all four of their sides are drawn (or a pipe runs through them) and no outline parts them
from the ends. What is left inside the board's rectangle is a hole, or a cell that something covers.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pipeline.extract.cell_masks import STEPS, Cell, Mask, connected_parts, shifted
from pipeline.extract.color_connect_content import Content
from pipeline.extract.color_connect_lines import DRAWN, Lines
from pipeline.extract.lattice_edges import Edges

Floats = NDArray[np.floating]

OUTLINE = 1.75
"""An edge is an outline when it is this much stronger than the typical one."""

SLIVER = 0.12
"""A row of cells of which less than this shows says nothing about where the board ends."""


FEW = 0.5
"""Share of a row's cells up to which the row may be none of the board's."""


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


def find_region(lines: Lines, content: Content, crossed: Mask, shown: Floats) -> Region | None:
    """The board's cells; `crossed` are sides that count as drawn though no line is seen (rows × cols × 4), `shown` is
    the share of each cell that lies in the picture.

    None when no cell with an end is enclosed.
    """
    visible = shown > 0.8
    drawn = lines.drawn | crossed
    outline = (lines.edges.sides() >= OUTLINE * lines.strong) & ~crossed
    ends = content.kinds == "end"
    if content.square:  # the rims of tiles are no outlines
        beside_end = np.stack([shifted(ends, dr, dc) for dr, dc, _ in STEPS], axis=-1)
        outline &= ~(ends[:, :, None] | beside_end)
    closed = drawn.all(axis=2) & visible
    closed |= ends & visible & (_drawn_towards(closed, drawn) >= 2)
    drawn |= _hidden_by_pieces(drawn, content)
    closed |= drawn.all(axis=2) & visible
    board = _flood(closed, outline, ends)
    if not board.any():
        return None
    board = _without_strange_border(board, content.kinds)
    at = np.argwhere(board)
    (top, left), (bottom, right) = (tuple(int(v) for v in corner) for corner in (at.min(axis=0), at.max(axis=0)))
    inside = np.zeros_like(board)
    inside[top : bottom + 1, left : right + 1] = True
    holes: list[Cell] = []
    covered: list[Cell] = []
    doubtful: dict[Cell, str] = {}
    pieces = np.isin(content.kinds, ("end", "knob", "pipe"))  # these stand in the board's cells only
    for gap in connected_parts(inside & ~board & ~pieces):
        doubt = _doubt_about_gap(gap, board, drawn, outline, content)
        if doubt == "covered":
            covered += gap
            continue
        holes += gap
        doubtful.update({cell: doubt for cell in gap if doubt})
    odd = board & (content.kinds == "odd")
    holes += [(int(r), int(c)) for r, c in np.argwhere(odd | board & (content.kinds == "block"))]
    doubtful.update({cell: "its colour is not that of the empty cells" for cell in holes if odd[cell]})
    doubts = _doubts_about_extent(lines.edges, lines.typical, (top, left, bottom, right), shown)
    size = (bottom - top + 1, right - left + 1)
    return Region(top, left, *size, tuple(sorted(holes)), tuple(covered), doubtful, doubts)


def _hidden_by_pieces(drawn: Mask, content: Content) -> Mask:
    """Sides of empty cells and blocks that are not drawn where a piece or a block, its shadow or gloss may hide them.

    At least two other sides must be drawn.
    """
    solid = np.isin(content.kinds, ("block", "end", "knob", "pipe"))
    beside = np.stack([shifted(solid, dr, dc) for dr, dc, _ in STEPS], axis=-1)
    sure = np.isin(content.kinds, ("empty", "block", "odd")) & (drawn.sum(axis=2) >= 2)
    return np.asarray(sure[:, :, None] & beside)


def _drawn_towards(cells: Mask, drawn: Mask) -> NDArray[np.int64]:
    """How many drawn sides of each cell lead to one of `cells`."""
    around = np.stack([shifted(cells, dr, dc) for dr, dc, _ in STEPS], axis=-1)
    return np.asarray((drawn & around).sum(axis=2))


def _flood(closed: Mask, outline: Mask, ends: Mask) -> Mask:
    """The closed cells that are joined without stepping over an outline, the part with most ends."""
    parts = connected_parts(closed, outline)
    best = max(parts, key=lambda part: sum(bool(ends[cell]) for cell in part), default=[])
    board = np.zeros_like(closed)
    if any(ends[cell] for cell in best):
        board[tuple(np.array(best).T)] = True
    return board


def _without_strange_border(board: Mask, kinds: NDArray[np.str_]) -> Mask:
    """Less outer rows and columns that have few of the board's cells, and those show something else, or blocks only.

    Letters beside the board fill such cells; what covers a row of the board leaves more of it, or none. A frame around
    the board looks like blocks.
    """
    board = board.copy()
    strange, walls = kinds == "other", kinds == "block"
    while board.any():
        rows, cols = np.flatnonzero(board.any(axis=1)), np.flatnonzero(board.any(axis=0))
        within = (slice(rows[0], rows[-1] + 1), slice(cols[0], cols[-1] + 1))
        lines = [(line, within[1]) for line in rows[[0, -1]]] + [(within[0], line) for line in cols[[0, -1]]]
        lines = [
            line
            for line in lines
            if not (board & ~walls)[line].any() or (board[line].mean() <= FEW and not (board & ~strange)[line].any())
        ]
        if not lines:
            break
        for line in lines:
            board[line] = False
    return board


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
    busy = [cell for cell in gap if content.kinds[cell] not in ("empty", "odd")]
    if all(content.kinds[cell] == "block" for cell in gap):
        return ""
    if shared and np.mean([outline[cell][side] for cell, side in shared]) > 0.8:
        alike = all(drawn[cell].all() and content.kinds[cell] == "empty" for cell in gap)
        return "only a bolder line tells it from a cell" if alike else ""
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
