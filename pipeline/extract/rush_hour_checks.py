"""Whether a reading is a Rush Hour board at all, and what about it needs a person.

Any grid of shapes can be cut into straight runs somehow. What tells a board: the cut costs next to nothing, the
vehicles were seen as regions of their own before any lattice was known, some of them cross one another's way, and the
empty cells could not be a vehicle themselves.
"""

import math

import numpy as np

from pipeline.extract.arrows import arrow, cut_patch, whiteness
from pipeline.extract.bars import Bar
from pipeline.extract.colour import Lab
from pipeline.extract.regions import Boxes
from pipeline.extract.rush_hour_board import COSTLY, Parse, most_blocks
from pipeline.extract.rush_hour_cells import Floats
from pipeline.extract.rush_hour_glance import SMALLEST
from pipeline.extract.rush_hour_seen import (
    CONFIRMED,
    clear_blocks,
    floor_could_be_vehicles,
    patched,
    reaches_out,
)

FAULTLESS = 0.05
"""Greatest cost per cell of a board that may be one although all its vehicles point the same way."""

DIRECTED = "arrows on the shapes say which way each one goes, so they are no blocks that slide to and fro."

ONE_WAY = "all shapes point the same way, so that none can block another."

BODY, POINTED = 0.8, 0.4
"""Breadth of a vehicle in cells; and how clearly an arrow on it must point one way to count."""


def objection(parse: Parse, seen: Floats, picture_area: int) -> str:
    """Why a reading is no board of this game, as the end of a sentence; "" when it may be one.

    `seen` says how well a region matches each vehicle (`overlap_with_regions`).
    """
    pieces = parse.vehicles
    if not pieces or _too_many_lone(parse) or parse.cost_of_cut > COSTLY:
        return "the shapes on the lattice are no set of straight vehicles at least two cells long."
    if parse.area < SMALLEST * picture_area:
        return "what looks like a board covers too little of the picture."
    if len(pieces) == 1 and not all(parse.bounded):
        return "there is one block, but no board drawn around it."
    if not parse.crossing and not (all(parse.bounded) and parse.cost < FAULTLESS):
        return ONE_WAY
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


def price(parse: Parse, regions: Boxes) -> float:
    """Cost per occupied cell as in `Parse.cost`, but plain fixed blocks are free."""
    if not parse.walls:
        return parse.cost
    plain = (cell for cell, clear in zip(parse.walls, clear_blocks(parse, regions), strict=True) if clear)
    return parse.cost - sum(parse.alone[cell] for cell in plain) / len(parse.occupied)


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


def questions(parse: Parse, regions: Boxes) -> list[str]:
    """What a person should look at, whole sentences."""
    found = []
    rows, cols = parse.cells.shape
    if parse.goes_on:
        sides = " and ".join(parse.goes_on)
        found.append(f"Does the board end where it was cut ({rows} × {cols})? Cells seem to go on at the {sides}.")
    elif rows != cols and not all(parse.bounded):
        found.append(f"Is the board {rows} × {cols}? Its edge is not drawn on every side.")
    if not parse.pieces_apart and reaches_out(parse, regions):
        found.append("Does the board end where it was cut? A vehicle seems to go on beyond it.")
    if parse.cost_of_cut > (0.3 if parse.pieces_apart else 0.15):
        found.append("Are the vehicles cut right? Some of their borders are faint.")
    if not parse.pieces_apart and patched(parse, regions):
        found.append("Is each vehicle one? A vehicle seems put together of parts that differ in colour.")
    found += [
        f"Is the cell at row {r}, column {c} empty? It is a little unlike the others." for r, c in parse.unclear[:2]
    ]
    if parse.contested or floor_could_be_vehicles(parse, regions):
        found.append("Which cells are empty? What was taken for the floor could be vehicles of one colour.")
    return found
