"""What a hand does: pointer and key events as the page reports them, and whole gestures as a player thinks of them.

Points are pixels of the board's square, `BOARD` × `BOARD`, which fills the left of the 1280 × 900 page: at that window
size they are pixels of the window. A pointer that is held may leave the square; its points then lie outside.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

BOARD = 900
"""Side of the square in which a board is drawn, pixels."""

Point = tuple[float, float]
Arrow = Literal["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown"]


@dataclass(frozen=True)
class Pointer:
    """The primary button goes down, the held pointer moves, or the button is let go."""

    kind: Literal["down", "move", "up"]
    at: Point


@dataclass(frozen=True)
class Key:
    """An arrow key is pressed. An event and a gesture at once."""

    name: Arrow


@dataclass(frozen=True)
class Cancel:
    """The browser took the pointer away (a lost window, a second finger): whatever was held is let go where it was."""


Event = Pointer | Key | Cancel


@dataclass(frozen=True)
class Click:
    """Press and release at one point."""

    at: Point


@dataclass(frozen=True)
class Drag:
    """Press at the first point, move through the others, release at the last; a swipe is a drag with two points."""

    points: tuple[Point, ...]


Gesture = Click | Drag | Key


def events(gesture: Gesture) -> Iterator[Event]:
    """The events a gesture consists of."""
    match gesture:
        case Click(at):
            yield Pointer("down", at)
            yield Pointer("up", at)
        case Drag(points):
            yield Pointer("down", points[0])
            for point in points[1:]:
                yield Pointer("move", point)
            yield Pointer("up", points[-1])
        case Key():
            yield gesture
