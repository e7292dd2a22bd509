"""Bolt Unscrew: what a player sees, as JSON for the page and as text for a person."""

import math

from pipeline.core.canonical import Json
from pipeline.games.bolt_unscrew_geometry import distance, place, unplace
from pipeline.games.bolt_unscrew_model import Board, Point, Pose, State
from pipeline.games.bolt_unscrew_rig import Rig

_KINDS = {1: "disc", 2: "strip"}
_SAMPLES = [(0.0, 0.0)] + [(math.cos(k * math.pi / 8), math.sin(k * math.pi / 8)) for k in range(16)]
_COLUMNS, _CELL_RATIO = 36, 2.0
_LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"


def view_of(board: Board, rig: Rig, state: State) -> Json:
    """Panel, screws, remaining planks from the lowest to the highest, and of all holes those that show.

    A plank comes as the points of its core in panel coordinates and the margin around them (see `level-format`: a
    strip's ends and half its width, a disc's centre and radius, a polygon's points and 0).
    """
    order = drawing_order(board, state)
    planks = []
    for rank, i in enumerate(order):
        pose = state.poses[i]
        assert pose is not None
        above = order[rank + 1 :]
        outline = rig.outlines[i]
        own = [place(hole, pose) for hole in rig.drilled[i]]
        planks.append(
            {
                "id": board.boards[i].id,
                "kind": _KINDS.get(len(outline.core), "polygon"),
                "points": [_shown(rig, place(point, pose)) for point in outline.core],
                "margin": outline.margin,
                "holes": [_shown(rig, hole) for hole in own if _shows(rig, state, hole, above)],
            }
        )
    holes = [_shown(rig, hole) for hole in rig.holes if _shows(rig, state, hole, order)]
    return {
        "width": board.width,
        "height": board.height,
        "hole_radius": board.hole_radius,
        "holes": holes,
        "boards": planks,
        "screws": [_shown(rig, rig.holes[screw]) for screw in state.screws],
    }


def drawing_order(board: Board, state: State) -> list[int]:
    """Planks still on the panel, the lowest first; equal layers in the board's order."""
    remaining = (i for i, pose in enumerate(state.poses) if pose is not None)
    return sorted(remaining, key=lambda i: (board.boards[i].layer, i))


def _shown(rig: Rig, point: Point) -> list[float]:
    return [round(point[0] + rig.half_width, 3), round(point[1], 3)]


def _shows(rig: Rig, state: State, hole: Point, above: list[int]) -> bool:
    """Whether any of 17 points of a hole is in sight between the planks above it and through their own holes."""
    radius = 0.9 * rig.hole_radius
    points = [(hole[0] + radius * x, hole[1] + radius * y) for x, y in _SAMPLES]
    return any(all(not _hides(rig, i, state.poses[i], point) for i in above) for point in points)


def _hides(rig: Rig, plank: int, pose: Pose | None, point: Point) -> bool:
    if pose is None:
        return False
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
