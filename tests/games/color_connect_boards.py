"""Small random Color Connect boards for the tests of rules and solver."""

import random
from collections.abc import Iterator, Sequence

from pipeline.games.color_connect import Board, Pair

Spot = tuple[int, int]


def color_boards(seed: int, count: int, most: int = 4, must_fill: bool | None = None) -> Iterator[Board]:
    """Boards of up to `most` × `most` cells, a wall in every third or so.

    Half of them have pairs at random places; the others the ends of random walks that do not cross and use most of
    the board, so that winding layouts exist.
    """
    choices = random.Random(seed)
    for _ in range(count):
        rows, cols = choices.randint(most // 2, most), choices.randint(most // 2, most)
        spots = [(row, col) for row in range(rows) for col in range(cols)]
        choices.shuffle(spots)
        if choices.random() < 0.5:
            number = choices.randint(1, 1 + len(spots) // 4)
            ends = [(spots.pop(), spots.pop()) for _ in range(number)]
        else:
            ends = _ends_of_walks(spots, choices)
        if not ends:
            continue
        walls = tuple(spots[: choices.choice((0, 0, 0, 0, 1, 2, 3))])
        drawn = tuple(Pair(color=f"k{i}", ends=both) for i, both in enumerate(ends))
        fill = choices.random() < 0.5 if must_fill is None else must_fill
        yield Board(rows=rows, cols=cols, walls=walls, pairs=drawn, must_fill=fill)


def _ends_of_walks(spots: list[Spot], choices: random.Random) -> list[tuple[Spot, Spot]]:
    """Ends of random walks over the spots, which are taken out; walks prefer to go along what is taken already."""
    ends = []
    rest, longest = choices.choice((0.1, 0.3)) * len(spots), choices.randint(3, 9)
    while len(spots) > rest:
        walk = [spots.pop()]
        while len(walk) < longest:
            ways = {spot: len(_beside(spot, spots)) for spot in _beside(walk[-1], spots)}
            if not ways:
                break
            walk.append(min(ways, key=lambda spot: (ways[spot], choices.random())))
            spots.remove(walk[-1])
        if len(walk) > 1:
            ends.append((walk[0], walk[-1]))
    return ends


def _beside(spot: Spot, spots: list[Spot]) -> list[Spot]:
    row, col = spot
    return [s for s in ((row - 1, col), (row + 1, col), (row, col - 1), (row, col + 1)) if s in spots]


def drawn_board(lines: Sequence[str], must_fill: bool = False) -> Board:
    """A board from a drawing: letters are ends (`A` those of colour a), `#` walls, `.` free cells."""
    ends: dict[str, list[tuple[int, int]]] = {}
    for row, line in enumerate(lines):
        for col, letter in enumerate(line):
            ends.setdefault(letter, []).append((row, col))
    walls = tuple(ends.pop("#", ()))
    ends.pop(".", None)
    names = {letter: letter.lower() if letter.isupper() else f"k{ord(letter)}" for letter in ends}
    pairs = tuple(Pair(color=names[letter], ends=(both[0], both[1])) for letter, both in sorted(ends.items()))
    return Board(rows=len(lines), cols=len(lines[0]), walls=walls, pairs=pairs, must_fill=must_fill)
