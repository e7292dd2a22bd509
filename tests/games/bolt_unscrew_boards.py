"""Small Bolt Unscrew boards for the tests of rules and solvers."""

import math
import random
from collections.abc import Iterator, Sequence
from typing import Literal

from pipeline.games.bolt_unscrew import GAME, Board, Disc, Plank, Point, Strip


def strip(name: str, a: Point, b: Point, holes: Sequence[int], width: float = 40.0, layer: int = 0) -> Plank:
    return Plank(id=name, layer=layer, shape=Strip(kind="strip", ends=(a, b), width=width), holes=tuple(holes))


def disc(name: str, center: Point, radius: float, holes: Sequence[int], layer: int = 0) -> Plank:
    return Plank(id=name, layer=layer, shape=Disc(kind="disc", center=center, radius=radius), holes=tuple(holes))


def panel(
    holes: Sequence[Point],
    screws: Sequence[int],
    planks: Sequence[Plank],
    physics: Literal["hinged", "pinned"] = "hinged",
    width: float = 400.0,
) -> Board:
    return Board(
        width=width,
        height=600.0,
        hole_radius=15.0,
        physics=physics,
        holes=tuple(holes),
        screws=tuple(screws),
        boards=tuple(planks),
    )


def random_boards(seed: int, count: int, physics: Literal["hinged", "pinned"]) -> Iterator[Board]:
    """Boards without defects: up to five planks between the holes of a grid, and at least one hole without a screw."""
    choices = random.Random(seed)
    made = 0
    while made < count:
        rows, cols = choices.choice(((2, 3), (3, 3), (2, 4), (3, 2)))
        holes = [(60.0 + 90 * c, 60.0 + 90 * r) for r in range(rows) for c in range(cols)]
        planks = [_plank(f"p{i}", holes, choices, i) for i in range(choices.randint(1, 5))]
        drilled = sorted({hole for plank in planks for hole in plank.holes})
        screws = [hole for hole in drilled if choices.random() < 0.8]
        screws += [h for h in range(len(holes)) if h not in drilled and choices.random() < 0.15]
        if len(screws) == len(holes):
            continue
        board = panel(holes, screws, planks, physics)
        if not GAME.defects(board):
            made += 1
            yield board


def _plank(name: str, holes: Sequence[Point], choices: random.Random, layer: int) -> Plank:
    first = choices.randrange(len(holes))
    if choices.random() < 0.2:
        return disc(name, holes[first], choices.choice((30.0, 45.0)), [first], layer)
    near = [h for h in range(len(holes)) if h != first and math.dist(holes[h], holes[first]) < 200]
    second = choices.choice(near)
    on_it = [h for h in range(len(holes)) if _between(holes[first], holes[second], holes[h])]
    return strip(name, holes[first], holes[second], on_it, choices.choice((36.0, 50.0)), layer)


def _between(a: Point, b: Point, point: Point) -> bool:
    return abs(math.dist(a, point) + math.dist(point, b) - math.dist(a, b)) < 1e-6
