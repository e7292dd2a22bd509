"""Bolt Unscrew (board model; the rules are being written)."""

from typing import Annotated, Literal

from pydantic import Field

from pipeline.core.model import Document, Name

Coordinate = Annotated[float, Field(ge=-10_000, le=10_000)]
Point = tuple[Coordinate, Coordinate]
Length = Annotated[float, Field(gt=0, le=10_000)]
Index = Annotated[int, Field(ge=0, le=511)]


class Strip(Document):
    """A round-ended plank: all points within width/2 of the segment between its ends."""

    kind: Literal["strip"]
    ends: tuple[Point, Point]
    width: Length


class Disc(Document):
    """A disc."""

    kind: Literal["disc"]
    center: Point
    radius: Length


class Polygon(Document):
    """A simple polygon."""

    kind: Literal["polygon"]
    points: Annotated[tuple[Point, ...], Field(min_length=3, max_length=256)]


Shape = Annotated[Strip | Disc | Polygon, Field(discriminator="kind")]


class Plank(Document):
    """One board of the puzzle, called plank here to tell it from the level's board; `holes` index the level's holes."""

    id: Name
    layer: Annotated[int, Field(ge=0, le=255)]
    shape: Shape
    holes: tuple[Index, ...]


class Board(Document):
    """A panel with holes, screws in some of them, and boards in layers held by the screws."""

    width: Length
    height: Length
    hole_radius: Length
    physics: Literal["hinged", "pinned"] = "hinged"
    holes: Annotated[tuple[Point, ...], Field(min_length=1, max_length=512)]
    screws: Annotated[tuple[Index, ...], Field(max_length=512)]
    boards: Annotated[tuple[Plank, ...], Field(min_length=1, max_length=256)]
