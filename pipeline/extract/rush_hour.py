"""Rush Hour from a screenshot of any app: blocks, cars or discs on a board of equal cells.

The picture is searched for regions that could be pieces or empty cells (`regions`); a lattice on which many of them
lie gives the cells (`rush_hour_lattice`); what repeats in the cells is the floor, and seams, gaps and colours say
which of the other cells belong together (`rush_hour_board`, `rush_hour_cells`, `rush_hour_tiling`); marks on a vehicle
and in the board's rim say which one has to leave, and where (`rush_hour_target`).
"""

import math
from collections.abc import Sequence
from dataclasses import replace
from itertools import zip_longest
from typing import NamedTuple

import numpy as np

from pipeline.extract.contract import Element, Extractor, Mark, Reading, Rejection
from pipeline.extract.image import Picture, Pixels
from pipeline.extract.lattice import Lattice
from pipeline.extract.regions import Boxes, contrast_regions, smooth_regions
from pipeline.extract.rush_hour_board import Parse, parses
from pipeline.extract.rush_hour_checks import (
    DIRECTED,
    FAULTLESS,
    ONE_WAY,
    directed,
    objection,
    price,
    questions,
)
from pipeline.extract.rush_hour_glance import promising
from pipeline.extract.rush_hour_lattice import Support, fit_lattices
from pipeline.extract.rush_hour_seen import (
    clear_blocks,
    floor_could_be_vehicles,
    floor_shows_between,
    overlap_with_regions,
)
from pipeline.extract.rush_hour_target import MARKED, SHOWN, Choice, choices, mixed_rim
from pipeline.extract.rush_hour_tiling import Piece
from pipeline.extract.tilt import tilt_of, turned_back
from pipeline.games.rush_hour import GAME, Axis, Board, Vehicle

WALL, CLEAR_WALL = 0.85, 0.95
"""Confidence of a fixed 1 × 1 block (many games have none, so a person should look), and of one that is plain."""

PLAIN_EXIT = 0.95
"""How clearly an exit shows that is beyond doubt; see `Choice`."""

LONG_SIDE, GLANCED_SIDE = 800, 200
"""Pixels of the longer side of the picture that is searched, and of the one that is only glanced at."""

UNLIKELY = 3
"""With so many questions about the whole board it is probably none."""

RIVAL = 0.2
"""Cost per occupied cell up to which a board with other empty cells may be the right one."""

FLOOR_IN_DOUBT = 0.2
"""Cost per occupied cell of a floor that could be vehicles of one colour."""

BLOCKS = 0.95
"""Kinship of a board without a marked target before a plain exit: other games move bars on a lattice as well."""

MOST_REGIONS = 5000
"""Regions of all views from which on the picture is a texture (a crowded board has 1,400); their pairs take long."""


class RushHourExtractor(Extractor):
    """Reads Rush Hour boards."""

    game = GAME.name
    version = "1"

    def read(self, picture: Picture) -> Reading | Rejection:
        bgr, factor = picture.reduced(LONG_SIDE)
        tilt = tilt_of(picture.reduced_lab(GLANCED_SIDE)[0])
        upright, rest = (Picture(turned_back(bgr, tilt)), 1.0) if tilt else (picture, factor)
        bgr, _ = upright.reduced(LONG_SIDE)
        lab, _ = upright.reduced_lab(LONG_SIDE)
        smooth, frames = smooth_regions(bgr)
        contrasting, outlines = contrast_regions(bgr, lab)
        views = smooth + contrasting
        if sum(map(len, views)) > MOST_REGIONS:
            return Rejection("it falls into more pieces than a board of blocks or cars has.")
        colours, small = upright.reduced_lab(GLANCED_SIDE)
        supports = [s for s in fit_lattices(views, frames, outlines) if promising(colours, small / rest, s)]
        if not supports:
            return Rejection("no blocks or cars that lie on a common lattice of cells were found.")
        regions = np.concatenate(views)
        best, reason = _best(bgr, supports, regions)
        if best is None:
            return Rejection(reason)
        if directed(best, lab):
            return Rejection(DIRECTED)
        size = (bgr.shape[1], bgr.shape[0])
        return _answer(best, regions, size, best.cells.lattice.turned(tilt, size).scaled(1 / factor))


def _best(bgr: Pixels, supports: Sequence[Support], regions: Boxes) -> tuple[Parse | None, str]:
    """The reading to stand by, or None and why there is none."""
    found: list[_Found] = []
    reasons: list[tuple[float, str]] = []
    for support, following in zip_longest(supports, supports[1:]):
        for parse in parses(bgr, support):
            seen = overlap_with_regions(parse, parse.vehicles, regions)
            reason = objection(parse, seen, bgr.shape[0] * bgr.shape[1])
            if reason:
                reasons.append((-_worth(parse, parse.cost), reason))
            else:
                in_doubt = floor_could_be_vehicles(parse, regions)
                found.append(_Found(parse, price(parse, regions), float(seen.mean()), in_doubt))
                if found[-1].cost < FAULTLESS and not in_doubt:
                    break
        settled = following is None or support.score > 1.5 * following.score
        if settled and any(each.cost < 0.1 for each in found):
            break
    if found:
        return _chosen(found), ""
    return None, min(reasons)[1] if reasons else "no blocks or cars on a floor of at least 3 × 3 cells were found."


class _Found(NamedTuple):
    """A board that may be, its cost, how well its vehicles fit what was seen, and whether its floor could be some."""

    parse: Parse
    cost: float
    fit: float
    in_doubt: bool


def _chosen(found: Sequence[_Found]) -> Parse:
    """The best board; contested where other cells may be the empty ones, unless floor shows between its vehicles."""
    best = max(found, key=lambda f: (f.parse.crossing, _worth(f.parse, f.cost + FLOOR_IN_DOUBT * f.in_doubt, f.fit)))
    rivals = [f.parse for f in found if f.cost < RIVAL and f.parse.cells.shape == best.parse.cells.shape]
    other_floor = any(rival.occupied != best.parse.occupied for rival in rivals)
    return replace(best.parse, contested=other_floor and not floor_shows_between(best.parse))


def _worth(parse: Parse, cost: float, fit: float = 1.0) -> float:
    """Large boards that cost little, with vehicles that fit what was seen of them.

    Fixed blocks count less than faint borders, else a part without them would win; a lattice that is stretched covers
    more, but fits less.
    """
    return parse.area * fit**3 * math.exp(-3 * parse.cost_of_cut - cost)


def _answer(parse: Parse, regions: Boxes, size: tuple[int, int], lattice: Lattice) -> Reading | Rejection:
    """The reading; `size` is that of the picture it was found in, `lattice` holds the cells in the given picture."""
    pieces = parse.vehicles
    ranked = choices(pieces, parse.cells, parse.ring, size)
    first = ranked[0]
    rival = next((c for c in ranked if c.piece != first.piece), None)
    if first.score < 0.6:
        return Rejection("no vehicle is marked as the one to free, and no exit shows which one it is.", 0.3)
    if not parse.crossing and (first.exit < PLAIN_EXIT or first.mark < 1):
        return Rejection(ONE_WAY)  # stacks, rows of buttons: a marked target before an exit is a board all the same
    asked, notes, leaves = _about_exit(pieces, ranked)
    target = _likely(2.5 * (first.score - (rival.score if rival else 0.0)) + 1.5)
    board, ids = _board(parse, first)
    elements = _elements(parse, lattice, clear_blocks(parse, regions))
    box = next(e.box for e, name in zip(elements, ids, strict=False) if name == "X")
    elements += (Element("target", box, target, "target"),)
    elements += (Element("exit", elements[-1].box, leaves, first.side),)
    marks = _marks(parse, ids, first, lattice)
    doubts = (*questions(parse, regions), *asked)
    if board.rows != board.cols and mixed_rim(parse.ring, size):
        doubts += (f"Is the board {board.rows} × {board.cols}? What lies beyond it differs along a side.",)
    kinship = (1.0 if first.plain else BLOCKS) if len(doubts) < UNLIKELY else 0.4
    return Reading(board, elements, marks, doubts, tuple(notes), kinship)


def _about_exit(pieces: Sequence[Piece], ranked: Sequence[Choice]) -> tuple[list[str], list[str], float]:
    """Questions about the target and its exit, notes, and the probability that the exit's side is right."""
    first = ranked[0]
    other = next(c for c in ranked if c.piece == first.piece and c.side != first.side)
    asked: list[str] = []
    notes: list[str] = []
    if first.blocked:
        asked.append("Are target and exit right? Another vehicle stands before the target on its own line.")
    elsewhere = any(c.exit > SHOWN for c in ranked if c.piece != first.piece and c.side != first.side)
    if first.mark < MARKED and elsewhere:
        asked.append("Which exit is it? There seem to be some on several sides, and no vehicle is marked.")
    if first.mark < MARKED and first.exit < PLAIN_EXIT:
        asked.append("Is this the target? It is marked by nothing, and the exit before it is not clear.")
    if first.doubtful:
        asked.append("Is this the target? Nothing stands in its way, as if the board were solved.")
    if max(first.exit, other.exit) > SHOWN or (first.exit >= 0.2 and first.side != "right"):
        return asked, notes, _likely(1.5 + 3 * (first.score - other.score))
    if pieces[first.piece].down or first.side != "right":
        asked.append("Which side does the target leave on? No exit is visible.")
    else:
        notes.append("No exit is visible; it was assumed on the right, as is usual.")
    return asked, notes, 0.92


def _likely(log_odds: float) -> float:
    return 1 / (1 + math.exp(-max(-30.0, min(30.0, log_odds))))


def _board(parse: Parse, choice: Choice) -> tuple[Board, list[str]]:
    rows, cols = parse.cells.shape
    names = _names(len(parse.vehicles), choice.piece)
    vehicles = tuple(_vehicle(piece, name) for piece, name in zip(parse.vehicles, names, strict=True))
    return Board(rows=rows, cols=cols, walls=parse.walls, vehicles=vehicles, target="X", exit=choice.side), names


def _vehicle(piece: Piece, name: str) -> Vehicle:
    axis: Axis = "vertical" if piece.down else "horizontal"
    return Vehicle(id=name, row=piece.row, col=piece.col, length=piece.length, axis=axis)


def _names(count: int, target: int) -> list[str]:
    """X for the target, else A, B, C … AA, AB … without X."""
    letters = "ABCDEFGHIJKLMNOPQRSTUVWYZ"
    plain = [*letters, *(a + b for a in letters for b in letters)]
    return [("X" if i == target else plain[i - (i > target)]) for i in range(count)]


def _elements(parse: Parse, lattice: Lattice, clear: Sequence[bool]) -> tuple[Element, ...]:
    found = []
    for i, piece in enumerate(parse.vehicles):
        height, width = (piece.length, 1) if piece.down else (1, piece.length)
        box = lattice.cell_box(piece.row, piece.col, height, width)
        reading = f"{'vertical' if piece.down else 'horizontal'} {piece.length}"
        found.append(Element(f"vehicles[{i}]", box, _likely(parse.margins[piece]), reading))
    for i, (block, plain) in enumerate(zip(parse.blocks, clear, strict=True)):
        confidence = min(CLEAR_WALL if plain else WALL, _likely(parse.margins[block]))
        box = lattice.cell_box(block.row, block.col)
        found.append(Element(f"walls[{i}]", box, confidence, "wall", "part of a vehicle"))
    return tuple(found)


def _marks(parse: Parse, ids: Sequence[str], choice: Choice, lattice: Lattice) -> tuple[Mark, ...]:
    marks = list(lattice.marks())
    for name, piece in zip(ids, parse.vehicles, strict=True):
        height, width = (piece.length, 1) if piece.down else (1, piece.length)
        r, c, inset = piece.row, piece.col, 0.08
        corners = [(r + inset, c + inset), (r + inset, c + width - inset)]
        corners += [(r + height - inset, c + width - inset), (r + height - inset, c + inset)]
        color = (255, 0, 0) if name == "X" else None
        marks.append(Mark("piece", tuple(lattice.point(*p) for p in corners), closed=True, color=color))
        marks.append(Mark("label", (lattice.point(r + height / 2, c + width / 2),), text=name))
    marks.append(_exit_mark(lattice, parse.vehicles[choice.piece], choice))
    return tuple(marks)


def _exit_mark(lattice: Lattice, piece: Piece, choice: Choice) -> Mark:
    """An arrowhead beyond the board's side, on the target's line."""
    line = (piece.col if piece.down else piece.row) + 0.5
    edge, out = {
        "right": (lattice.cols, 0.45),
        "left": (0, -0.45),
        "bottom": (lattice.rows, 0.45),
        "top": (0, -0.45),
    }[choice.side]
    places = [(line - 0.35, edge), (line, edge + out), (line + 0.35, edge)]
    points = [(across, along) if choice.side in ("left", "right") else (along, across) for across, along in places]
    return Mark("piece", tuple(lattice.point(*p) for p in points), closed=True, color=(255, 0, 0))


EXTRACTOR = RushHourExtractor()
