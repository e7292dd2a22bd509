"""Bolt Unscrew: mirrored and canonical forms of a board."""

from pipeline.core.canonical import canonical_bytes
from pipeline.games.bolt_unscrew_geometry import doubled_area
from pipeline.games.bolt_unscrew_model import Board, Disc, Plank, Point, Polygon, Shape, Strip


def mirrored(board: Board) -> Board:
    """Left and right exchanged; indexes, ids and the order of everything stay."""
    holes = tuple(_flip(board.width, hole) for hole in board.holes)
    planks = (plank.model_copy(update={"shape": _flip_shape(board.width, plank.shape)}) for plank in board.boards)
    return board.model_copy(update={"holes": holes, "boards": tuple(planks)})


def _flip(width: float, point: Point) -> Point:
    return width - point[0], point[1]


def _flip_shape(width: float, shape: Shape) -> Shape:
    match shape:
        case Strip(ends=(a, b)):
            return shape.model_copy(update={"ends": (_flip(width, a), _flip(width, b))})
        case Disc():
            return shape.model_copy(update={"center": _flip(width, shape.center)})
        case Polygon():
            return shape.model_copy(update={"points": tuple(_flip(width, point) for point in shape.points)})


def sorted_and_renamed(board: Board) -> Board:
    """Holes by place, screws and planks sorted, ids by position, layers without gaps, shapes from a fixed end."""
    order = sorted(range(len(board.holes)), key=lambda i: board.holes[i])
    new = {old: i for i, old in enumerate(order)}
    ranks = {layer: rank for rank, layer in enumerate(sorted({plank.layer for plank in board.boards}))}
    planks = [
        Plank(
            id="b",
            layer=ranks[plank.layer],
            shape=_fixed(plank.shape),
            holes=tuple(sorted(new[hole] for hole in plank.holes)),
        )
        for plank in board.boards
    ]
    planks.sort(key=lambda plank: (plank.layer, canonical_bytes(plank.model_dump(mode="json"))))
    update = {
        "holes": tuple(board.holes[i] for i in order),
        "screws": tuple(sorted(new[screw] for screw in board.screws)),
        "boards": tuple(plank.model_copy(update={"id": f"b{i}"}) for i, plank in enumerate(planks)),
    }
    return board.model_copy(update=update)


def _fixed(shape: Shape) -> Shape:
    match shape:
        case Strip(ends=(a, b)):
            return shape.model_copy(update={"ends": (min(a, b), max(a, b))})
        case Disc():
            return shape
        case Polygon(points=points):
            if doubled_area(points) < 0:
                points = points[::-1]
            first = points.index(min(points))
            return shape.model_copy(update={"points": points[first:] + points[:first]})
