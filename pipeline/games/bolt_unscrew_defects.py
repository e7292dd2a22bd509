"""Bolt Unscrew: what makes a board break the rules before anyone has played it."""

import math
from collections.abc import Iterator

from pipeline.core.errors import Problem
from pipeline.games.bolt_unscrew_geometry import distance, gridded, is_simple, outline_of, unplace
from pipeline.games.bolt_unscrew_model import Board, Plank, Polygon
from pipeline.games.bolt_unscrew_rig import ALIGNED, Rig, rig_of

_COVERED = 0.5
"""A seated screw counts as covered from this many hole radii on: boards read from pictures are a few units off.

Only in `hinged`, where screw and wood would stand in the same place; `pinned` levels that draw screws above all wood
are common and play well.
"""


MOST_POINTS = 4_096
"""Corners of all polygons together: judging them takes time that grows with their square."""


def defects_of(board: Board) -> list[Problem]:
    """Every defect; questions of geometry are asked only once all shapes and indexes make sense."""
    points = sum(len(plank.shape.points) for plank in board.boards if isinstance(plank.shape, Polygon))
    if points > MOST_POINTS:
        message = f"the polygons have {points:,} corners together; {MOST_POINTS:,} is the limit."
        return [Problem("too_many_points", message, "$.board.boards")]
    found = [*_holes(board), *_screws(board), *_planks(board)]
    return found or list(_placing(board, rig_of(board)))


def _holes(board: Board) -> Iterator[Problem]:
    for i, (x, y) in enumerate(board.holes):
        where = f"$.board.holes[{i}]"
        if not (0 <= x <= board.width and 0 <= y <= board.height):
            yield Problem("out_of_board", f"hole {i} lies outside the panel.", where)
        twin = next((j for j in range(i) if math.dist(board.holes[j], (x, y)) <= 2 * ALIGNED), None)
        if twin is not None:
            yield Problem("overlap", f"holes {twin} and {i} are one and the same place.", where)


def _screws(board: Board) -> Iterator[Problem]:
    for i, screw in enumerate(board.screws):
        where = f"$.board.screws[{i}]"
        if screw >= len(board.holes):
            yield Problem("unknown_hole", f"there is no hole {screw}.", where)
        if screw in board.screws[:i]:
            yield Problem("duplicate_screw", f"hole {screw} is given two screws.", where)


def _planks(board: Board) -> Iterator[Problem]:
    seen: set[str] = set()
    for i, plank in enumerate(board.boards):
        where = f"$.board.boards[{i}]"
        if plank.id in seen:
            yield Problem("duplicate_id", f"the id {plank.id!r} is used twice.", f"{where}.id")
        seen.add(plank.id)
        if isinstance(plank.shape, Polygon) and not is_simple(tuple(gridded(plank.shape.points, board.width / 2))):
            message = f"the polygon of board {plank.id!r} crosses or touches itself, or has no area."
            yield Problem("bad_shape", message, f"{where}.shape.points")
        for j, hole in enumerate(plank.holes):
            if hole >= len(board.holes):
                yield Problem("unknown_hole", f"there is no hole {hole}.", f"{where}.holes[{j}]")
            if hole in plank.holes[:j]:
                yield Problem("duplicate_hole", f"board {plank.id!r} lists hole {hole} twice.", f"{where}.holes[{j}]")


def _placing(board: Board, rig: Rig) -> Iterator[Problem]:
    for i, plank in enumerate(board.boards):
        where = f"$.board.boards[{i}]"
        outline, pose = outline_of(plank.shape, rig.half_width)
        for j, hole in enumerate(plank.holes):
            if distance(outline, unplace(rig.holes[hole], pose)) > board.hole_radius:
                message = f"hole {hole} lies off the wood of board {plank.id!r}."
                yield Problem("hole_off_board", message, f"{where}.holes[{j}]")
        aligned = rig.lying(i, pose).aligned
        for screw in () if rig.pinned else board.screws:
            gap = distance(outline, unplace(rig.holes[screw], pose))
            if gap < _COVERED * board.hole_radius and not aligned >> screw & 1:
                message = f"board {plank.id!r} covers the screw in hole {screw} and has no hole there."
                yield Problem("covered_screw", message, where)
        if not any(aligned >> screw & 1 for screw in board.screws):
            yield from _unheld(board, rig, plank, i)


def _unheld(board: Board, rig: Rig, plank: Plank, i: int) -> Iterator[Problem]:
    """A plank without a screw is a defect, unless it rests on screws (only `hinged` planks can)."""
    outline, pose = rig.outlines[i], rig.start[i]
    gaps = (distance(outline, unplace(rig.holes[screw], pose)) for screw in board.screws)
    if rig.pinned or not any(gap <= board.hole_radius for gap in gaps):
        message = f"no screw holds board {plank.id!r}" + ("." if rig.pinned else ", and it rests on none.")
        yield Problem("unheld", message, f"$.board.boards[{i}]")
