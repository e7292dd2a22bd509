"""Small random mazes for the tests of rules, solver and proofs."""

import random
from collections.abc import Iterator

from pipeline.games.grid import STEPS
from pipeline.games.maze_paint import GAME, Board, crossed


def maze(*rows: str) -> Board:
    """A maze from its rows."""
    return Board(grid=rows)


def mazes(seed: int, count: int, most: int = 5) -> Iterator[Board]:
    """Mazes of up to `most` × `most` cells, by turns plain noise, one carved walk, and two walks from one start.

    Noise leaves floor out of reach (every other maze has it walled up), one walk is mostly solvable, and two walks
    cannot always be followed both.
    """
    choices = random.Random(seed)
    for number in range(count):
        rows, cols = choices.randint(1, most), choices.randint(1, most)
        grid = [["#"] * cols for _ in range(rows)]
        row, col = choices.randrange(rows), choices.randrange(cols)
        if number % 3 == 0:
            wall = choices.choice((0.1, 0.3, 0.5))
            grid = [["#" if choices.random() < wall else "." for _ in range(cols)] for _ in range(rows)]
        for _ in range(number % 3):
            _carve(grid, (row, col), choices)
        grid[row][col] = "@"
        board = Board(grid=tuple("".join(line) for line in grid))
        yield _without_unreachable(board) if number % 2 else board


def _carve(grid: list[list[str]], place: tuple[int, int], choices: random.Random) -> None:
    """Clear a walk of one to ten straight pieces of one to four cells, cut short by the border."""
    row, col = place
    for _ in range(choices.randint(1, 10)):
        down, right = choices.choice(((0, 1), (1, 0), (0, -1), (-1, 0)))
        for _ in range(choices.randint(1, 4)):
            if 0 <= row + down < len(grid) and 0 <= col + right < len(grid[0]):
                row, col = row + down, col + right
                grid[row][col] = "."


def _without_unreachable(board: Board) -> Board:
    """The maze with floor that no slide ever crosses turned into wall: what is left may need two plays."""
    ball = GAME.start(board).ball
    stops, kept = [ball], {ball}
    for stop in stops:  # grows while it is walked
        for direction in STEPS:
            cells = crossed(board, stop, direction)
            kept.update(cells)
            if cells and cells[-1] not in stops:
                stops.append(cells[-1])
    lines = enumerate(board.grid)
    return Board(grid=tuple("".join(m if (r, c) in kept else "#" for c, m in enumerate(line)) for r, line in lines))
