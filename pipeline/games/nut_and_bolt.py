"""Nut and Bolt (board model; the rules are being written)."""

from typing import Annotated

from pydantic import Field

from pipeline.core.model import ColorName, Document


class Board(Document):
    """Bolts of one capacity; each lists its nuts bottom → top."""

    capacity: Annotated[int, Field(ge=1, le=32)]
    bolts: Annotated[
        tuple[Annotated[tuple[ColorName, ...], Field(max_length=32)], ...], Field(min_length=1, max_length=64)
    ]
