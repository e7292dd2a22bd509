"""What regions that were seen before any lattice was known say of a reading: its vehicles, fixed blocks, floor."""

from collections.abc import Sequence

import numpy as np

from pipeline.extract.regions import Boxes
from pipeline.extract.rush_hour_board import Parse
from pipeline.extract.rush_hour_cells import Floats
from pipeline.extract.rush_hour_tiling import Cell, Piece, connected

CONFIRMED = 0.62
"""Overlap (intersection over union) from which a region is taken to be the vehicle."""

MOSTLY = 0.7
"""Share of the borders between pieces at which floor shows where it lies below all of them."""

CLEARER = 0.1
"""How much better a region must match a part of a vehicle than the whole to speak against it."""

FEW = 0.34
"""Share of the vehicles; of more than these it is how they are drawn."""

UNLIKE = 8.0
"""Least ΔE between a fixed block and a vehicle beside it; a block like that one may be a part of it."""

PATCHY = 25.0
"""ΔE between neighbouring cells from which they may be parts of different vehicles."""

LEAST = 3
"""So many borders between pieces tell how vehicles are drawn; at fewer, floor may show by chance."""

WIDER = 0.05
"""How much further than any vehicle, in cells, floor between them must reach to be told from one."""

Box = tuple[float, float, float, float]


def overlap_with_regions(parse: Parse, pieces: Sequence[Piece], regions: Boxes) -> Floats:
    """For each piece, how well the best region matches it (intersection over union), in [0, 1].

    Where a vehicle is drawn as one piece a cell, its worst piece counts, and a disc is compared with its own box.
    """
    shrink = 0.88 if parse.pieces_apart else 0.97
    found = []
    for piece in pieces:
        cells = [Piece(r, c, 1, False) for r, c in piece.cells] if parse.pieces_apart else [piece]
        found.append(min(float(_overlaps(_box(parse, cell), regions, shrink).max(initial=0.0)) for cell in cells))
    return np.array(found, np.float32)


def _box(parse: Parse, piece: Piece) -> Box:
    height, width = (piece.length, 1) if piece.down else (1, piece.length)
    return parse.cells.lattice.cell_box(piece.row, piece.col, height, width)


def _overlaps(box: Box, regions: Boxes, shrink: float) -> Floats:
    x, y, w, h = box
    short = min(w, h) * (1 - shrink) / 2
    x, y, w, h = x + short, y + short, w - 2 * short, h - 2 * short
    across = np.minimum(regions[:, 2], x + w) - np.maximum(regions[:, 0], x)
    down = np.minimum(regions[:, 3], y + h) - np.maximum(regions[:, 1], y)
    shared = np.clip(across, 0, None) * np.clip(down, 0, None)
    area = (regions[:, 2:] - regions[:, :2]).prod(axis=1)
    return np.asarray(shared / (area + w * h - shared), np.float32)


def clear_blocks(parse: Parse, regions: Boxes) -> list[bool]:
    """For each lone cell, whether it is a fixed block beyond doubt: a region of its own, unlike vehicles beside it."""
    seen = overlap_with_regions(parse, parse.blocks, regions)
    return [
        bool(overlap > CONFIRMED) and _unlike_neighbours(parse, cell)
        for overlap, cell in zip(seen, parse.walls, strict=True)
    ]


def _unlike_neighbours(parse: Parse, cell: Cell) -> bool:
    row, col = cell
    beside = {(row - 1, col), (row, col - 1), (row, col + 1), (row + 1, col)} & parse.occupied
    colours = parse.cells.colour
    return all(float(np.linalg.norm(colours[cell] - colours[other])) > UNLIKE for other in beside - set(parse.walls))


def patched(parse: Parse, regions: Boxes) -> bool:
    """Whether a vehicle's cells differ in colour and no region shows it as a whole, or one shows a part of it better.

    Where lines are drawn over the vehicles, parts of many of them are seen better than the whole. Where floor shows
    between all of them, none is put together of parts between which it does not.
    """
    shown = _floor_between(parse)
    if len(shown) >= LEAST and all(shown):
        return False
    across, down = parse.cells.steps
    seen = overlap_with_regions(parse, parse.vehicles, regions)
    parted = 0
    for piece, overlap in zip(parse.vehicles, seen, strict=True):
        steps = [(down if piece.down else across)[cell] for cell in piece.cells[:-1]]
        if overlap < CONFIRMED and max(steps) > PATCHY:
            return True
        parted += _seen_better(parse, _parts(piece), overlap, regions)
    return 0 < parted <= FEW * len(parse.vehicles)


def reaches_out(parse: Parse, regions: Boxes) -> bool:
    """Whether a region shows a vehicle that goes on for a cell beyond the board, and does so better than the vehicle.

    Then the board was cut too small, or its lattice is not the picture's.
    """
    seen = overlap_with_regions(parse, parse.vehicles, regions)
    return any(
        _seen_better(parse, _beyond(piece, parse.cells.shape), overlap, regions)
        for piece, overlap in zip(parse.vehicles, seen, strict=True)
    )


def _seen_better(parse: Parse, others: Sequence[Piece], overlap: float, regions: Boxes) -> bool:
    """Whether a region matches one of some other pieces, and clearly better than one matched a vehicle (`overlap`)."""
    return bool(overlap_with_regions(parse, others, regions).max(initial=0.0) > max(CONFIRMED, overlap + CLEARER))


def _beyond(piece: Piece, shape: tuple[int, int]) -> list[Piece]:
    """The piece with one more cell across each side of the board (rows, columns) at which it ends."""
    down, right = (1, 0) if piece.down else (0, 1)
    first, last = (piece.row, shape[0]) if piece.down else (piece.col, shape[1])
    found = [Piece(piece.row, piece.col, piece.length + 1, piece.down)] if first + piece.length == last else []
    if first == 0:
        found.append(Piece(piece.row - down, piece.col - right, piece.length + 1, piece.down))
    return found


def _parts(piece: Piece) -> list[Piece]:
    """All straight runs of some, but not all of its cells."""
    return [
        Piece(*piece.cells[first], length, piece.down)
        for length in range(1, piece.length)
        for first in range(piece.length - length + 1)
    ]


def floor_could_be_vehicles(parse: Parse, regions: Boxes) -> bool:
    """Whether every connected group of empty cells is a straight run of two or three cells, as a vehicle would be.

    Where the same floor shows between vehicles it is one; where it reaches up to them on all sides, so that it fills
    more than its cells, and a vehicle less; and where it is laid in tiles, one a cell.
    """
    rows, cols = parse.cells.shape
    empty = frozenset((r, c) for r in range(rows) for c in range(cols)) - parse.occupied
    holes = connected(empty)
    if not all(_is_run(group) for group in holes):
        return False
    if floor_shows_between(parse):
        return False
    runs = [Piece(*group[0], len(group), group[0][1] == group[-1][1]) for group in holes]
    reach = max(_reach(parse, piece, regions) for piece in parse.vehicles)
    return not all(_reach(parse, run, regions) > reach + WIDER or _tiled(parse, run, regions) for run in runs)


def floor_shows_between(parse: Parse) -> bool:
    """Whether floor shows at most of the borders between two pieces."""
    shown = _floor_between(parse)
    return sum(shown) > MOSTLY * max(1, len(shown))


def _tiled(parse: Parse, run: Piece, regions: Boxes) -> bool:
    """Whether every cell of a run is seen as a region of its own, and better so than the whole."""
    alone = overlap_with_regions(parse, [Piece(*cell, 1, False) for cell in run.cells], regions)
    whole = overlap_with_regions(parse, [run], regions)
    return bool(alone.min() > max(CONFIRMED, float(whole.max()) + CLEARER))


def _floor_between(parse: Parse) -> list[bool]:
    """For each border between two pieces, whether floor shows there."""
    owner = {cell: piece for piece in parse.cut.pieces for cell in piece.cells}
    return [
        bool(gaps[r, c])
        for gaps, (down, right) in zip(parse.gaps, ((0, 1), (1, 0)), strict=True)
        for (r, c), piece in owner.items()
        if owner.get((r + down, c + right), piece) != piece
    ]


def _reach(parse: Parse, run: Piece, regions: Boxes) -> float:
    """How much larger than a run of cells the largest region is that matches it, in cells and along the worse axis."""
    box, lattice = _box(parse, run), parse.cells.lattice
    matching = regions[_overlaps(box, regions, 1.0) > CONFIRMED]
    more = (matching[:, 2:] - matching[:, :2] - box[2:]) / (lattice.pitch_x, lattice.pitch_y)
    return float(more.min(axis=1).max(initial=-1.0))


def _is_run(group: list[Cell]) -> bool:
    rows, cols = {r for r, _ in group}, {c for _, c in group}
    return len(group) in (2, 3) and min(len(rows), len(cols)) == 1
