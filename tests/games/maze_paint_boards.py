"""Small random mazes for the tests of rules, solver and proofs."""

import random
from collections.abc import Iterator

from pipeline.games.maze_paint import Board


def maze(*rows: str) -> Board:
    """A maze from its rows."""
    return Board(grid=rows)


def mazes(seed: int, count: int, most: int = 5) -> Iterator[Board]:
    """Mazes of up to `most` × `most` cells: half plain noise, half carved by slides, which are mostly solvable."""
    choices = random.Random(seed)
    for number in range(count):
        rows, cols = choices.randint(1, most), choices.randint(1, most)
        grid = [["#"] * cols for _ in range(rows)]
        row, col = choices.randrange(rows), choices.randrange(cols)
        if number % 2:
            wall = choices.choice((0.1, 0.3, 0.5))
            grid = [["#" if choices.random() < wall else "." for _ in range(cols)] for _ in range(rows)]
        else:
            _carve(grid, (row, col), choices)
        grid[row][col] = "@"
        yield Board(grid=tuple("".join(line) for line in grid))


def _carve(grid: list[list[str]], place: tuple[int, int], choices: random.Random) -> None:
    row, col = place
    for _ in range(choices.randint(1, 10)):
        down, right = choices.choice(((0, 1), (1, 0), (0, -1), (-1, 0)))
        for _ in range(choices.randint(1, 4)):
            if 0 <= row + down < len(grid) and 0 <= col + right < len(grid[0]):
                row, col = row + down, col + right
                grid[row][col] = "."
