"""Maze Paint (board model; the rules are being written)."""

from typing import Annotated

from pydantic import Field

from pipeline.core.model import Document

Row = Annotated[str, Field(min_length=1, max_length=40, pattern=r"^[#.@]+$")]


class Board(Document):
    """Rows of `#` wall, `.` floor, `@` start (floor)."""

    grid: Annotated[tuple[Row, ...], Field(min_length=1, max_length=40)]
