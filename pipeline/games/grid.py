"""Mirrors and rotations of a grid: the eight turns every grid game shares."""

from dataclasses import dataclass
from typing import Literal, TypeVar

Direction = Literal["left", "right", "up", "down"]
D = TypeVar("D", bound=str)

STEPS: dict[Direction, tuple[int, int]] = {"left": (0, -1), "right": (0, 1), "up": (-1, 0), "down": (1, 0)}
"""(row, col) of one step in each direction."""


@dataclass(frozen=True)
class Turn:
    """First mirror rows and/or columns, then (if `transpose`) swap rows with columns."""

    mirror_rows: bool
    mirror_cols: bool
    transpose: bool

    @property
    def reverses_rows(self) -> bool:
        """Whether going down before the turn is going up or left after it."""
        return self.mirror_rows

    @property
    def reverses_cols(self) -> bool:
        """Whether going right before the turn is going left or up after it."""
        return self.mirror_cols

    def size(self, rows: int, cols: int) -> tuple[int, int]:
        """(rows, cols) of the turned grid."""
        return (cols, rows) if self.transpose else (rows, cols)

    def cell(self, rows: int, cols: int, cell: tuple[int, int]) -> tuple[int, int]:
        """Where a cell of a rows × cols grid lands."""
        row = rows - 1 - cell[0] if self.mirror_rows else cell[0]
        col = cols - 1 - cell[1] if self.mirror_cols else cell[1]
        return (col, row) if self.transpose else (row, col)

    def direction(self, direction: Direction) -> Direction:
        """What a direction becomes."""
        row, col = STEPS[direction]
        row = -row if self.mirror_rows else row
        col = -col if self.mirror_cols else col
        step = (col, row) if self.transpose else (row, col)
        return next(name for name, value in STEPS.items() if value == step)


GRID_TURNS: tuple[Turn, ...] = tuple(
    Turn(mirror_rows, mirror_cols, transpose)
    for transpose in (False, True)
    for mirror_rows in (False, True)
    for mirror_cols in (False, True)
)
"""All eight, the identity first."""


def turn_box(
    turn: Turn, size: tuple[int, int], first: tuple[int, int], last: tuple[int, int]
) -> tuple[int, int, int, int]:
    """(row, col, height, width) of a turned box given by two opposite corner cells (inclusive)."""
    a, b = turn.cell(*size, first), turn.cell(*size, last)
    row, col = min(a[0], b[0]), min(a[1], b[1])
    return row, col, abs(a[0] - b[0]) + 1, abs(a[1] - b[1]) + 1
