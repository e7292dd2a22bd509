"""What can be wrong with fixed cells and vehicles placed on a grid, shared by the games that have both."""

from collections.abc import Iterator, Sequence
from typing import Protocol

from pipeline.core.errors import Problem

Cell = tuple[int, int]


class Piece(Protocol):
    """A vehicle as far as its place matters."""

    @property
    def id(self) -> str:
        """Its name, unique on the board."""

    def cells(self) -> list[Cell]:
        """The cells it covers, top-left first."""


def placement_defects(
    size: tuple[int, int], fixed: tuple[str, Sequence[Cell]], vehicles: Sequence[Piece]
) -> list[Problem]:
    """Cells out of a (rows, cols) board, listed or covered twice, and ids used twice.

    `fixed` is the board's key of its fixed cells, a plural like "walls", and those cells.
    """
    rows, cols = size
    key, blocked = fixed
    found = list(_fixed_defects(size, key, blocked))
    seen_ids: set[str] = set()
    owner = dict.fromkeys(blocked, f"{_article(key[:-1])} {key[:-1]}")
    for i, vehicle in enumerate(vehicles):
        where = f"$.board.vehicles[{i}]"
        if vehicle.id in seen_ids:
            found.append(Problem("duplicate_id", f"the id {vehicle.id!r} is used twice.", f"{where}.id"))
        seen_ids.add(vehicle.id)
        cells = vehicle.cells()
        if cells[-1][0] >= rows or cells[-1][1] >= cols:
            found.append(Problem("out_of_board", f"vehicle {vehicle.id!r} reaches out of the board.", where))
            continue
        shared = next((cell for cell in cells if cell in owner), None)
        if shared is not None:
            message = f"vehicle {vehicle.id!r} and {owner[shared]} both cover cell {list(shared)}."
            found.append(Problem("overlap", message, where))
        owner.update(dict.fromkeys(cells, f"vehicle {vehicle.id!r}"))
    return found


def _fixed_defects(size: tuple[int, int], key: str, cells: Sequence[Cell]) -> Iterator[Problem]:
    seen: set[Cell] = set()
    for i, (row, col) in enumerate(cells):
        name, where = f"{key[:-1]} [{row}, {col}]", f"$.board.{key}[{i}]"
        if row >= size[0] or col >= size[1]:
            yield Problem("out_of_board", f"{name} is out of the board.", where)
        if (row, col) in seen:
            yield Problem("overlap", f"{name} is listed twice.", where)
        seen.add((row, col))


def _article(noun: str) -> str:
    return "an" if noun[0] in "aeiou" else "a"
