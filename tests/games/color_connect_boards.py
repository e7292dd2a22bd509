"""Small random Color Connect boards for the tests of rules and solver."""

import random
from collections.abc import Iterator, Sequence

from pipeline.games.color_connect import Board, Pair


def color_boards(
    seed: int, count: int, most: int = 4, pairs: int = 3, must_fill: bool | None = None
) -> Iterator[Board]:
    """Boards of up to `most` × `most` cells, up to `pairs` pairs at random places, a wall in every third or so."""
    choices = random.Random(seed)
    for _ in range(count):
        rows, cols = choices.randint(1, most), choices.randint(2, most)
        spots = [(row, col) for row in range(rows) for col in range(cols)]
        choices.shuffle(spots)
        number = choices.randint(1, min(pairs, len(spots) // 2))
        ends = [(spots.pop(), spots.pop()) for _ in range(number)]
        walls = tuple(spots[: choices.choice((0, 0, 0, 0, 1, 2, 3))])
        drawn = tuple(Pair(color=f"k{i}", ends=both) for i, both in enumerate(ends))
        fill = choices.random() < 0.5 if must_fill is None else must_fill
        yield Board(rows=rows, cols=cols, walls=walls, pairs=drawn, must_fill=fill)


def drawn_board(lines: Sequence[str], must_fill: bool = False) -> Board:
    """A board from a drawing: letters are ends, `#` walls, `.` free cells."""
    ends: dict[str, list[tuple[int, int]]] = {}
    for row, line in enumerate(lines):
        for col, letter in enumerate(line):
            ends.setdefault(letter, []).append((row, col))
    walls = tuple(ends.pop("#", ()))
    ends.pop(".", None)
    pairs = tuple(Pair(color=letter.lower(), ends=(both[0], both[1])) for letter, both in sorted(ends.items()))
    return Board(rows=len(lines), cols=len(lines[0]), walls=walls, pairs=pairs, must_fill=must_fill)
