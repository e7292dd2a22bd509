"""Small random boards for the tests of rules and solvers."""

import random
from collections.abc import Iterator

from pipeline.games import nut_and_bolt, truck_escape

NUT_SIZES = ((2, 1), (3, 2), (4, 2), (5, 2), (2, 3), (3, 3), (4, 3), (2, 4), (3, 4), (2, 5))
"""(colours, capacity) of small boards; a colour fills one bolt, now and then two."""


def nut_boards(seed: int, count: int) -> Iterator[nut_and_bolt.Board]:
    """Boards of at most twelve nuts on up to two bolts more than they fill, in any distribution."""
    choices = random.Random(seed)
    for _ in range(count):
        colors, capacity = choices.choice(NUT_SIZES)
        copies = [1] * colors
        if colors * capacity <= 8 and choices.random() < 0.3:
            copies[0] = 2
        nuts = [f"k{c}" for c in range(colors) for _ in range(copies[c] * capacity)]
        choices.shuffle(nuts)
        heights = _heights(len(nuts), sum(copies) + choices.randrange(3), capacity, choices)
        bolts = [tuple(nuts.pop() for _ in range(height)) for height in heights]
        yield nut_and_bolt.Board(capacity=capacity, bolts=tuple(bolts))


def truck_boards(seed: int, count: int) -> Iterator[truck_escape.Board]:
    """Boards of up to 5 × 5 cells with up to eight vehicles of 1 to 3 cells and up to two obstacles."""
    choices = random.Random(seed)
    for _ in range(count):
        rows, cols = choices.randint(1, 5), choices.randint(1, 5)
        free = {(row, col) for row in range(rows) for col in range(cols)}
        obstacles = choices.sample(sorted(free), choices.choice((0, 0, 0, 1, 2)) if rows * cols > 4 else 0)
        free -= set(obstacles)
        vehicles: list[truck_escape.Vehicle] = []
        for _ in range(choices.randint(1, 12)):
            vehicle = truck_escape.Vehicle(
                id=f"t{len(vehicles)}",
                row=choices.randrange(rows),
                col=choices.randrange(cols),
                length=choices.randint(1, 3),
                heading=choices.choice(("up", "down", "left", "right")),
            )
            if len(vehicles) < 8 and free.issuperset(vehicle.cells()):
                free -= set(vehicle.cells())
                vehicles.append(vehicle)
        if vehicles:
            yield truck_escape.Board(rows=rows, cols=cols, obstacles=tuple(obstacles), vehicles=tuple(vehicles))


def _heights(nuts: int, bolts: int, capacity: int, choices: random.Random) -> list[int]:
    """Heights of `bolts` bolts, full ones first half of the time, else at random."""
    if choices.random() < 0.5:
        return [min(capacity, max(0, nuts - i * capacity)) for i in range(bolts)]
    heights = [0] * bolts
    for _ in range(nuts):
        heights[choices.choice([i for i in range(bolts) if heights[i] < capacity])] += 1
    return heights
