"""Bolt Unscrew: the board document, the state of play and a move. The rules are in `bolt_unscrew`."""

from dataclasses import dataclass
from typing import Annotated, Literal, NamedTuple

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


class Pose(NamedTuple):
    """Where a plank lies: its centre of mass and its clockwise turn in radians since the start.

    `x` counts from the panel's vertical middle line, so that a mirrored pose is (-x, y, -angle) exactly.
    """

    x: float
    y: float
    angle: float

    def mirrored(self) -> "Pose":
        """The pose seen in a mirror that stands on the panel's middle line."""
        return Pose(0.0 - self.x, self.y, 0.0 - self.angle)


@dataclass(frozen=True, order=True)
class Move:
    """Take the screw out of one hole and put it into another; both are indexes of the level's holes."""

    source: int
    target: int


@dataclass(frozen=True)
class State:
    """The moves made and what they led to: screwed holes, rising; each plank's pose, None once it has exited."""

    moves: tuple[Move, ...]
    screws: tuple[int, ...]
    poses: tuple[Pose | None, ...]
