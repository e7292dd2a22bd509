"""Whether a reading is a Rush Hour board at all, and what about it needs a person.

Any grid of shapes can be cut into straight runs somehow. What tells a board: the cut costs next to nothing, the
vehicles were seen as regions of their own before any lattice was known, some of them cross one another's way, and the
empty cells could not be a vehicle themselves.
"""

import math
from collections.abc import Sequence

import numpy as np

from pipeline.extract.arrows import arrow, cut_patch, whiteness
from pipeline.extract.bars import Bar
from pipeline.extract.colour import Lab, lengths
from pipeline.extract.regions import Boxes
from pipeline.extract.rush_hour_board import COSTLY, Parse, most_blocks
from pipeline.extract.rush_hour_cells import Floats
from pipeline.extract.rush_hour_tiling import Cell, Piece, connected

SMALLEST = 0.055
"""Least share of the picture that a board covers; smaller ones are previews, icons and look-alikes."""

CONFIRMED = 0.62
"""Overlap (intersection over union) from which a region is taken to be the vehicle."""

MOSTLY = 0.7
"""Share of the borders between pieces at which floor shows where it lies below all of them."""

FAULTLESS = 0.05
"""Greatest cost per cell of a board that may be one although all its vehicles point the same way."""

DIRECTED = "arrows on the shapes say which way each one goes, so they are no blocks that slide to and fro."

ONE_WAY = "all shapes point the same way, so that none can block another."

CLEARER = 0.1
"""How much better a region must match a part of a vehicle than the whole to speak against it."""

FEW = 0.34
"""Share of the vehicles; of more than these it is how they are drawn."""

BODY, POINTED = 0.8, 0.4
"""Breadth of a vehicle in cells; and how clearly an arrow on it must point one way to count."""

UNLIKE = 12.0
"""Least ΔE between a fixed block and any vehicle's cell; a block like a vehicle may be a part of one."""

PATCHY = 25.0
"""ΔE between neighbouring cells from which they may be parts of different vehicles."""


def overlap_with_regions(parse: Parse, pieces: Sequence[Piece], regions: Boxes) -> Floats:
    """For each piece, how well the best region matches it (intersection over union), in [0, 1].

    Where a vehicle is drawn as one piece a cell, its worst piece counts, and a disc is compared with its own box.
    """
    lattice, shrink = parse.cells.lattice, 0.88 if parse.pieces_apart else 0.97
    found = []
    for piece in pieces:
        height, width = (piece.length, 1) if piece.down else (1, piece.length)
        if parse.pieces_apart:
            boxes = [lattice.cell_box(r, c) for r, c in piece.cells]
        else:
            boxes = [lattice.cell_box(piece.row, piece.col, height, width)]
        found.append(min(_best_overlap(box, regions, shrink) for box in boxes))
    return np.array(found, np.float32)


def _best_overlap(box: tuple[float, float, float, float], regions: Boxes, shrink: float) -> float:
    x, y, w, h = box
    short = min(w, h) * (1 - shrink) / 2
    x, y, w, h = x + short, y + short, w - 2 * short, h - 2 * short
    across = np.minimum(regions[:, 2], x + w) - np.maximum(regions[:, 0], x)
    down = np.minimum(regions[:, 3], y + h) - np.maximum(regions[:, 1], y)
    shared = np.clip(across, 0, None) * np.clip(down, 0, None)
    area = (regions[:, 2:] - regions[:, :2]).prod(axis=1)
    return float((shared / (area + w * h - shared)).max(initial=0.0))


def objection(parse: Parse, regions: Boxes, picture_area: int) -> str:
    """Why a reading is no board of this game, as the end of a sentence; "" when it may be one."""
    pieces = parse.vehicles
    if not pieces or _too_many_lone(parse) or parse.cost_of_cut > COSTLY:
        return "the shapes on the lattice are no set of straight vehicles at least two cells long."
    if parse.area < SMALLEST * picture_area:
        return "what looks like a board covers too little of the picture."
    if len(pieces) == 1 and not all(parse.bounded):
        return "there is one block, but no board drawn around it."
    if not parse.crossing and not (all(parse.bounded) and parse.cost < FAULTLESS):
        return ONE_WAY
    seen = overlap_with_regions(parse, pieces, regions)
    enough = 0.5 if parse.pieces_apart else CONFIRMED
    if float(np.median(seen)) < enough or float((seen > enough).mean()) < 0.5:
        return "the cells seem occupied, but no vehicles stand out in them."
    return ""


def _too_many_lone(parse: Parse) -> bool:
    """Whether more cells stand alone than a board has fixed blocks, or they do not look alike."""
    if not parse.walls:
        return False
    colours = np.stack([parse.cells.colour[cell] for cell in parse.walls])
    spread = float(np.linalg.norm(colours - np.median(colours, axis=0), axis=1).max())
    return parse.pieces_apart or len(parse.walls) > most_blocks(len(parse.occupied)) or spread > 12


def directed(parse: Parse, lab: Lab) -> bool:
    """Whether arrows on half of the vehicles say which way each one goes: blocks of this game go either way.

    `lab` is the picture that the board was found in. Arrows that all point one way are a decoration.
    """
    lattice = parse.cells.lattice
    signs = set()
    shown = 0
    for piece in parse.vehicles:
        high, wide = (piece.length, 1) if piece.down else (1, piece.length)
        x, y = lattice.point(piece.row + high / 2, piece.col + wide / 2)
        pitch, across = (lattice.pitch_y, lattice.pitch_x) if piece.down else (lattice.pitch_x, lattice.pitch_y)
        angle = lattice.angle + (math.pi / 2 if piece.down else 0.0)
        body = Bar(x, y, piece.length * BODY * pitch, BODY * across, angle, 1.0)
        sign = arrow(whiteness(cut_patch(lab, body, level=not piece.down)))
        if abs(sign) > POINTED:
            shown += 1
            signs.add((piece.down, sign > 0))
    return shown >= max(3, len(parse.vehicles) / 2) and len(signs) > 1


def clear_blocks(parse: Parse, regions: Boxes) -> list[bool]:
    """For each lone cell, whether it is a fixed block beyond doubt: a region of its own, unlike every vehicle."""
    seen = overlap_with_regions(parse, parse.blocks, regions)
    vehicles = np.stack([parse.cells.colour[cell] for piece in parse.vehicles for cell in piece.cells])
    unlike = [float(lengths(vehicles - parse.cells.colour[cell]).min()) > UNLIKE for cell in parse.walls]
    return [bool(overlap > CONFIRMED and other) for overlap, other in zip(seen, unlike, strict=True)]


def questions(parse: Parse, regions: Boxes) -> list[str]:
    """What a person should look at, whole sentences."""
    found = []
    rows, cols = parse.cells.shape
    if parse.goes_on:
        sides = " and ".join(parse.goes_on)
        found.append(f"Does the board end where it was cut ({rows} × {cols})? Cells seem to go on at the {sides}.")
    elif rows != cols and not all(parse.bounded):
        found.append(f"Is the board {rows} × {cols}? Its edge is not drawn on every side.")
    if parse.cost_of_cut > (0.3 if parse.pieces_apart else 0.15):
        found.append("Are the vehicles cut right? Some of their borders are faint.")
    if not parse.pieces_apart and _patched(parse, regions):
        found.append("Is each vehicle one? A vehicle seems put together of parts that differ in colour.")
    found += [
        f"Is the cell at row {r}, column {c} empty? It is a little unlike the others." for r, c in parse.unclear[:2]
    ]
    if _floor_could_be_vehicles(parse):
        found.append("Which cells are empty? What was taken for the floor could be vehicles of one colour.")
    return found


def _patched(parse: Parse, regions: Boxes) -> bool:
    """Whether a vehicle's cells differ in colour and no region shows it as a whole, or one shows a part of it better.

    Where lines are drawn over the vehicles, parts of many of them are seen better than the whole.
    """
    across, down = parse.cells.steps
    seen = overlap_with_regions(parse, parse.vehicles, regions)
    parted = 0
    for piece, overlap in zip(parse.vehicles, seen, strict=True):
        steps = [(down if piece.down else across)[cell] for cell in piece.cells[:-1]]
        if overlap < CONFIRMED and max(steps) > PATCHY:
            return True
        part = float(overlap_with_regions(parse, _parts(piece), regions).max())
        parted += part > max(CONFIRMED, overlap + CLEARER)
    return 0 < parted <= FEW * len(parse.vehicles)


def _parts(piece: Piece) -> list[Piece]:
    """All straight runs of some, but not all of its cells."""
    return [
        Piece(*piece.cells[first], length, piece.down)
        for length in range(1, piece.length)
        for first in range(piece.length - length + 1)
    ]


def _floor_could_be_vehicles(parse: Parse) -> bool:
    """Whether every connected group of empty cells is a straight run of two or three cells.

    Where the same floor shows between vehicles it is one.
    """
    if _floor_shows_between(parse):
        return False
    rows, cols = parse.cells.shape
    empty = frozenset((r, c) for r in range(rows) for c in range(cols)) - parse.occupied
    return all(_is_run(group) for group in connected(empty))


def _floor_shows_between(parse: Parse) -> bool:
    """Whether floor shows at most of the borders between two pieces."""
    owner = {cell: piece for piece in parse.cut.pieces for cell in piece.cells}
    shown = [
        bool(gaps[r, c])
        for gaps, (down, right) in zip(parse.gaps, ((0, 1), (1, 0)), strict=True)
        for (r, c), piece in owner.items()
        if owner.get((r + down, c + right), piece) != piece
    ]
    return len(shown) > 0 and sum(shown) > MOSTLY * len(shown)


def _is_run(group: list[Cell]) -> bool:
    rows, cols = {r for r, _ in group}, {c for _, c in group}
    return len(group) in (2, 3) and min(len(rows), len(cols)) == 1
