"""Truck Escape (board model; the rules are being written)."""

from typing import Annotated, Literal

from pydantic import Field

from pipeline.core.model import Cell, Document, Name

Size = Annotated[int, Field(ge=1, le=40)]
Place = Annotated[int, Field(ge=0, le=39)]
Heading = Literal["up", "down", "left", "right"]


class Vehicle(Document):
    """A vehicle; `row`, `col` is its top-left cell and its body lies along the heading's axis."""

    id: Name
    row: Place
    col: Place
    length: Annotated[int, Field(ge=1, le=40)]
    heading: Heading


class Board(Document):
    """A grid with obstacles and vehicles."""

    rows: Size
    cols: Size
    obstacles: tuple[Cell, ...] = ()
    vehicles: Annotated[tuple[Vehicle, ...], Field(min_length=1, max_length=200)]
