"""Bolt Unscrew: what a player sees, as JSON for the page and as text for a person."""

import math
from collections.abc import Iterator, Sequence
from functools import lru_cache
from hashlib import sha256
from typing import NamedTuple

import shapely

from pipeline.core.canonical import Json, canonical_bytes
from pipeline.games.bolt_unscrew_geometry import distance, place, unplace
from pipeline.games.bolt_unscrew_model import Board, Point, Pose, State
from pipeline.games.bolt_unscrew_rig import Rig, rig_of
from pipeline.games.bolt_unscrew_sight import COARSE, Parts, Placed, parts_in_sight, parts_shown, shape_at, shown_point

TINTS = 8
_BESIDE = 8.0
"""Units within which two planks count as touching when tints are chosen."""
_KINDS = {1: "disc", 2: "strip"}
_SAMPLES = [(0.0, 0.0)] + [(math.cos(k * math.pi / 8), math.sin(k * math.pi / 8)) for k in range(16)]
_COLUMNS, _CELL_RATIO = 36, 2.0
_LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"


class Look(NamedTuple):
    """How a plank is told from others: a name that says nothing about the rest of the level, and a colour's number."""

    name: str
    tint: int


def view_of(board: Board, rig: Rig, state: State) -> Json:
    """Panel, screws, the planks in sight from the lowest to the highest, and of all holes those that show.

    A plank comes as the polygons of it that are in sight (see `bolt_unscrew_sight`) in panel coordinates.
    """
    planks = []
    for placed, parts, above in planks_in_sight(board, state):
        own = [place(hole, placed.pose) for hole in rig.drilled[placed.plank]]
        planks.append(plank_shown(board, placed, parts, [hole for hole in own if _shows(rig, hole, above)]))
    return {
        "width": board.width,
        "height": board.height,
        "hole_radius": board.hole_radius,
        "holes": [list(shown_point(rig, rig.holes[hole])) for hole in holes_in_sight(board, state)],
        "boards": planks,
        "screws": [list(shown_point(rig, rig.holes[screw])) for screw in state.screws],
    }


def plank_shown(board: Board, placed: Placed, parts: Parts, holes: Sequence[Point]) -> dict[str, Json]:
    """A plank as the page gets it; `parts` and `holes` (in the coordinates of play) are what of it is in sight."""
    rig, look = rig_of(board), looks_of(board)[placed.plank]
    core = rig.outlines[placed.plank].core
    along = math.atan2(core[1][1] - core[0][1], core[1][0] - core[0][0]) if len(core) == 2 else 0.0
    return {
        "id": look.name,
        "kind": _KINDS.get(len(core), "polygon"),
        "tint": look.tint,
        "grain": round((along + placed.pose.angle) % math.pi, 3),
        "parts": parts_shown(parts),
        "holes": [list(shown_point(rig, hole)) for hole in holes],
    }


def planks_in_sight(board: Board, state: State) -> Iterator[tuple[Placed, Parts, list[Placed]]]:
    """The planks of which anything is in sight, the lowest first: the plank, those parts, and the planks above it."""
    rig, order = rig_of(board), placed_planks(board, state)
    for rank, placed in enumerate(order, 1):
        parts = parts_in_sight(rig, placed, order[rank:], state.screws)
        if parts:
            yield placed, parts, order[rank:]


def placed_planks(board: Board, state: State) -> list[Placed]:
    """The planks still on the panel as they lie, the lowest first."""
    poses = ((i, state.poses[i]) for i in drawing_order(board, state))
    return [Placed(i, pose) for i, pose in poses if pose is not None]


def holes_in_sight(board: Board, state: State) -> list[int]:
    """The panel's holes of which anything shows, in rising order."""
    rig, order = rig_of(board), placed_planks(board, state)
    return [i for i, hole in enumerate(rig.holes) if _shows(rig, hole, order)]


@lru_cache(maxsize=64)
def looks_of(board: Board) -> tuple[Look, ...]:
    """The look of each plank: one tint for planks that touch at the start only where that cannot be avoided."""
    rig, seal = rig_of(board), canonical_bytes(board.model_dump(mode="json"))
    names = [sha256(seal + plank.id.encode()).hexdigest()[:12] for plank in board.boards]
    shapes = [shape_at(rig, i, pose, COARSE) for i, pose in enumerate(rig.start)]
    tints: dict[int, int] = {}
    for i in sorted(range(len(names)), key=lambda i: names[i]):
        beside = [tints[j] for j in tints if shapely.dwithin(shapes[i], shapes[j], _BESIDE)]
        used = list(tints.values())
        tints[i] = min(range(TINTS), key=lambda tint: (beside.count(tint), used.count(tint), tint))
    return tuple(Look(name, tints[i]) for i, name in enumerate(names))


def drawing_order(board: Board, state: State) -> list[int]:
    """Planks still on the panel, the lowest first; equal layers in the board's order."""
    remaining = (i for i, pose in enumerate(state.poses) if pose is not None)
    return sorted(remaining, key=lambda i: (board.boards[i].layer, i))


def _shows(rig: Rig, hole: Point, above: Sequence[Placed]) -> bool:
    """Whether any of 17 points of a hole is in sight between the planks above it and through their own holes."""
    radius = 0.9 * rig.hole_radius
    points = [(hole[0] + radius * x, hole[1] + radius * y) for x, y in _SAMPLES]
    return any(all(not _hides(rig, *placed, point) for placed in above) for point in points)


def _hides(rig: Rig, plank: int, pose: Pose, point: Point) -> bool:
    local = unplace(point, pose)
    if distance(rig.outlines[plank], local) > 0:
        return False
    return all(math.dist(local, own) > rig.hole_radius for own in rig.drilled[plank])


def sketch_of(board: Board, rig: Rig, state: State) -> str:
    """The panel as characters: `@` screw, `o` free hole, `x` covered hole, letters the topmost plank, `.` panel."""
    cell = board.width / _COLUMNS
    rows = max(1, math.ceil(board.height / (cell * _CELL_RATIO)))
    order = drawing_order(board, state)
    grid = [[_top(rig, state, order, _at(rig, cell, row, col)) for col in range(_COLUMNS)] for row in range(rows)]
    for i, (x, y) in enumerate(rig.holes):
        covered = any(rig.lying(p, pose).blocked >> i & 1 for p, pose in enumerate(state.poses) if pose is not None)
        mark = "@" if i in state.screws else "x" if covered else "o"
        row, col = int(y / (cell * _CELL_RATIO)), int((x + rig.half_width) / cell)
        grid[min(row, rows - 1)][min(max(col, 0), _COLUMNS - 1)] = mark
    names = ", ".join(f"{_letter(i)} {board.boards[i].id}" for i in order)
    return "\n".join(["".join(line).rstrip() for line in grid] + [f"boards: {names or 'none left'}"])


def _at(rig: Rig, cell: float, row: int, col: int) -> Point:
    """The panel point in the middle of a character."""
    return (col + 0.5) * cell - rig.half_width, (row + 0.5) * cell * _CELL_RATIO


def _top(rig: Rig, state: State, order: list[int], point: Point) -> str:
    for i in reversed(order):
        pose = state.poses[i]
        if pose is not None and distance(rig.outlines[i], unplace(point, pose)) == 0:
            return _letter(i)
    return "."


def _letter(plank: int) -> str:
    return _LETTERS[plank % len(_LETTERS)]
