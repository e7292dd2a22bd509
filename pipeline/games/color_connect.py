"""Color Connect (board model; the rules are being written)."""

from typing import Annotated

from pydantic import Field

from pipeline.core.model import Cell, ColorName, Document

Size = Annotated[int, Field(ge=1, le=40)]


class Pair(Document):
    """Two ends of one colour."""

    color: ColorName
    ends: tuple[Cell, Cell]


class Board(Document):
    """A grid with blocked cells and pairs of ends; `must_fill` also demands that every free cell is used."""

    rows: Size
    cols: Size
    walls: tuple[Cell, ...] = ()
    pairs: Annotated[tuple[Pair, ...], Field(min_length=1, max_length=128)]
    must_fill: bool = False
