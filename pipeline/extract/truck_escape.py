"""Truck Escape from a screenshot: vehicles seen from above on a lot, each about to leave where its front points.

Bars of one paint that are equally broad and stand on a common lattice are its vehicles (`bars`, `bar_lattice`); those
that touch others of their paint are found by their likeness to the rest (`truck_escape_vehicles`), those far off by the
ground they stand on (`truck_escape_beside`); arrows, lamps and the likeness of all vehicles to one another say where
each one's front is (`truck_escape_fronts`); compact things on free cells are obstacles (`truck_escape_obstacles`). The
lot may be turned by some degrees and have any form; the board is the block of cells that holds all vehicles and reaches
to the edges of the lot that are seen (`truck_escape_extent`).

A board that cannot be solved is a hint that a front was read the wrong way round, so it is asked about.
"""

import math
from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from pipeline.extract.arrows import cut_patch
from pipeline.extract.bar_lattice import BarLattice, fit_bar_lattice, place_bar
from pipeline.extract.bars import Bar, find_bars
from pipeline.extract.colour import Lab
from pipeline.extract.contract import Element, Extractor, Mark, Reading, Rejection
from pipeline.extract.image import Picture
from pipeline.extract.lattice import Lattice
from pipeline.extract.silhouettes import find_silhouettes
from pipeline.extract.truck_escape_beside import on_ground, strays, without_buttons
from pipeline.extract.truck_escape_fronts import own_cues
from pipeline.extract.truck_escape_lot import SHOWN, Lot, Piece
from pipeline.extract.truck_escape_obstacles import Obstacle, find_obstacles
from pipeline.extract.truck_escape_vehicles import is_blank
from pipeline.games.truck_escape import GAME, Board, Heading, Vehicle

LONG_SIDE = 800
"""Pixels of the longer side of the picture that is searched."""

ROUGH_SIDE, ROUGH_BREADTH, ROUGH_OFFSETS = 480, 6.0, 2
"""Pixels of the longer side of a picture that is searched first, and of the narrowest vehicle there; sets of paints."""

ONE_WAY = 7
"""Bars of a coarse look that are enough though all of them lie one way: few other pictures have as many."""

SHOWING = 0.5
"""Share of the bars of a coarse look that must show fronts or arrows by themselves: few other things do."""

LONGEST = 0.45
"""Longest vehicle ÷ longer side of the picture."""

LOOSE = 0.035
"""RMS distance from the middles of their rows and columns, in cells, from which vehicles hardly fit their lattice."""

FRONTS_ONLY = 0.9
"""Kinship of a board whose vehicles show fronts but no arrows: those of other games have fronts as well."""


class TruckEscapeExtractor(Extractor):
    """Reads Truck Escape boards."""

    game = GAME.name
    version = "1"

    def read(self, picture: Picture) -> Reading | Rejection:
        if not _promising(picture):
            return Rejection("there are no bars with fronts or arrows along both rows and columns of a common lattice.")
        lab, factor = picture.reduced_lab(LONG_SIDE)
        seen = _bars_on_lattice(lab)
        if seen is None:
            return Rejection("no vehicles that stand on a common lattice of cells were found.")
        bars, fit = seen
        lot, apart = Lot.seen(lab, bars, fit), list[Bar]()
        if lot.may_hold_buttons():
            fit, apart = without_buttons(lab, fit)
            lot = Lot.seen(lab, bars, fit) if apart else lot
        if not lot.is_about_to_leave():
            return Rejection("the pieces on the lattice show no fronts or arrows: they are no vehicles about to leave.")
        if lot.is_cut_off(lab.shape[:2]):
            return Rejection("the board goes on beyond the edge of the picture: a vehicle there is cut off.", 0.8)
        reading = _reading(lot, 1 / factor)
        others = [bar for bar in apart if not lot.is_beyond_edge(bar) and on_ground(lab, bar, lot.fit, lot.floor)]
        questions, notes = _beside([*strays(lab, bars, lot.fit, lot.found), *others], lot.fit)
        questions += [*lot.goes_on(), *lot.may_be_longer(), *lot.extent.questions()]
        if not lot.extent.is_seen and lot.floor.reaches_edge():
            questions.append("Does the board go on beyond the edge of the picture? Its ground does.")
        if lot.is_one_way() and not lot.shows_arrows():
            questions.append(
                "Do the vehicles leave where their fronts point? Pieces that slide to and fro may be drawn so."
            )
        return replace(reading, questions=(*questions, *reading.questions), notes=(*notes, *reading.notes))


def _promising(picture: Picture) -> bool:
    """Whether a coarse look at the picture shows what may be vehicles, and a finer one at them where they leave."""
    lab, rough = picture.reduced_lab(ROUGH_SIDE)
    longest = LONGEST * max(lab.shape[:2])
    for find in (partial(find_bars, offsets=ROUGH_OFFSETS), find_silhouettes):
        fit = fit_bar_lattice(find(lab, longest, ROUGH_BREADTH))
        if fit is not None and (len({p.level for p in fit.placed}) == 2 or len(fit.placed) >= ONE_WAY):
            fine, factor = picture.reduced_lab(LONG_SIDE)
            patches = [cut_patch(fine, _enlarged(p.bar, factor / rough), level=p.level) for p in fit.placed]
            if sum(abs(own_cues(patch).odds) > SHOWN for patch in patches) >= SHOWING * len(patches):
                return True
    return False


def _enlarged(bar: Bar, by: float) -> Bar:
    """A bar as it lies in a picture so many times as large."""
    x, y = ((v + 0.5) * by - 0.5 for v in (bar.x, bar.y))
    return replace(bar, x=x, y=y, long=bar.long * by, short=bar.short * by)


def _bars_on_lattice(lab: Lab) -> tuple[list[Bar], BarLattice] | None:
    """What may be vehicles, by their paint or as silhouettes, whichever stand on a lattice in greater number."""
    found = []
    for find in (find_bars, find_silhouettes):
        bars = [bar for bar in find(lab, LONGEST * max(lab.shape[:2])) if not is_blank(lab, bar)]
        found.append((bars, fit_bar_lattice(bars)))
    fits = [(bars, fit) for bars, fit in found if fit is not None]
    return max(fits, key=lambda pair: pair[1].weight) if fits else None


def _reading(lot: Lot, scale: float) -> Reading:
    pieces = lot.pieces
    row, col, rows, cols = lot.block
    obstacles, doubts = find_obstacles(lot.floor, [f.placed for f in lot.found], lot.block)
    lattice = lot.fit.lattice.block(row, col, rows, cols).scaled(scale)
    names = _names(len(pieces))
    vehicles = tuple(_vehicle(p, name, (row, col)) for p, name in zip(pieces, names, strict=True))
    board = Board(rows=rows, cols=cols, obstacles=tuple(o.cell for o in obstacles), vehicles=vehicles)
    elements = [e for i, p in enumerate(pieces) for e in _elements(i, p, vehicles[i], lattice)]
    elements += [
        Element(f"obstacles[{i}]", lattice.cell_box(*o.cell), o.sure, "obstacle", "nothing")
        for i, o in enumerate(obstacles)
    ]
    marks = [*lattice.marks(), *(m for v in vehicles for m in _marks(v, lattice)), *_obstacle_marks(obstacles, lattice)]
    kinship = 1.0 if lot.shows_arrows() else FRONTS_ONLY
    return Reading(board, tuple(elements), tuple(marks), (*doubts, *_blocked(board)), kinship=kinship)


def _names(count: int) -> list[str]:
    """A, B, C … AA, AB …"""
    letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
    return [*letters, *(a + b for a in letters for b in letters)][:count]


def _vehicle(piece: Piece, name: str, shift: tuple[int, int]) -> Vehicle:
    placed = piece.found.placed
    row, col = placed.row - shift[0], placed.col - shift[1]
    return Vehicle(id=name, row=row, col=col, length=placed.length, heading=piece.heading)


OPPOSITE: dict[Heading, Heading] = {"up": "down", "down": "up", "left": "right", "right": "left"}


def _elements(index: int, piece: Piece, vehicle: Vehicle, lattice: Lattice) -> tuple[Element, Element]:
    """That a vehicle stands there, and where it points."""
    high, wide = (1, vehicle.length) if vehicle.heading in ("left", "right") else (vehicle.length, 1)
    box = lattice.cell_box(vehicle.row, vehicle.col, high, wide)
    where = f"vehicles[{index}]"
    sure = 1 / (1 + math.exp(-min(30.0, abs(piece.odds))))
    return (
        Element(where, box, piece.found.sure, f"a vehicle of {vehicle.length} cells"),
        Element(f"{where}.heading", box, sure, vehicle.heading, OPPOSITE[vehicle.heading]),
    )


def _marks(vehicle: Vehicle, lattice: Lattice) -> tuple[Mark, ...]:
    """Outline, arrow and id."""
    level = vehicle.heading in ("left", "right")
    high, wide = (1, vehicle.length) if level else (vehicle.length, 1)
    r, c, inset = vehicle.row, vehicle.col, 0.08
    corners = [(r + inset, c + inset), (r + inset, c + wide - inset)]
    corners += [(r + high - inset, c + wide - inset), (r + high - inset, c + inset)]
    ahead = 1 if vehicle.heading in ("right", "down") else -1
    middle, tip = (r + high / 2, c + wide / 2), vehicle.length / 2 - 0.2
    places = [(tip - 0.3, -0.25), (tip, 0.0), (tip - 0.3, 0.25)]
    head = [
        (middle[0] + b, middle[1] + ahead * a) if level else (middle[0] + ahead * a, middle[1] + b) for a, b in places
    ]
    return (
        Mark("piece", tuple(lattice.point(*p) for p in corners), closed=True),
        Mark("piece", tuple(lattice.point(*p) for p in head)),
        Mark("label", (lattice.point(*middle),), text=vehicle.id),
    )


def _obstacle_marks(obstacles: Sequence[Obstacle], lattice: Lattice) -> list[Mark]:
    radius = 0.4 * lattice.pitch_x
    return [Mark("circle", (lattice.cell_center(*o.cell),), radius=radius) for o in obstacles]


def _beside(others: Sequence[Bar], fit: BarLattice) -> tuple[list[str], list[str]]:
    """Questions and notes about vehicles that are not on the board, and about a lattice that hardly fits."""
    questions, notes = [], []
    if fit.error > LOOSE:
        questions.append(f"Do the vehicles stand on these cells? They are {fit.error:.2f} cells off on average.")
    for bar in others:
        row, col = fit.lattice.place(bar.x, bar.y)
        beyond = max(-row, -col, row - fit.lattice.rows, col - fit.lattice.cols)
        if beyond < 2 or place_bar(fit.lattice, bar) is not None:
            questions.append(f"Does the vehicle about row {row:.0f}, column {col:.0f} belong to the board?")
        else:
            notes.append("A vehicle that waits beside the lot was left out.")
    return questions, notes


def _blocked(board: Board) -> list[str]:
    blocked = _never_leave(board)
    if not blocked:
        return []
    return [f"Vehicles {', '.join(blocked)} block one another for ever: does one of them point the other way?"]


def _never_leave(board: Board) -> tuple[str, ...]:
    """The vehicles that are left when all that can leave have left."""
    state = GAME.start(board)
    while moves := GAME.moves(board, state):
        state = GAME.apply(board, state, moves[0])
    return state


EXTRACTOR = TruckEscapeExtractor()
