"""What the controls of every game offer."""

from abc import ABC, abstractmethod
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from pipeline.core.canonical import Json
from pipeline.core.model import Document
from pipeline.games.contract import Game
from pipeline.suite.gestures import Event, Gesture, events

B = TypeVar("B", bound=Document)
S = TypeVar("S", bound=Hashable)
M = TypeVar("M", bound=Hashable)
H = TypeVar("H", bound=Hashable)


@dataclass(frozen=True)
class Touch(Generic[M, H]):
    """What an event leads to.

    `hand` is what the player holds or has selected afterwards, None when nothing. `move` is legal in the state at hand.
    `refused` names, in the terms of the view, what bumps or shakes because the rules did not allow what was asked for.
    """

    hand: H | None
    move: M | None = None
    refused: Json = None


class Controls(ABC, Generic[B, S, M, H]):
    """Pure and deterministic, as the rules are. No event whatever raises or leads to an illegal move."""

    game: Game[B, S, M]

    @abstractmethod
    def layout(self, board: B) -> Json:
        """Where things stand, in pixels of the board's square: all the page needs beside the view to draw it."""

    @abstractmethod
    def touch(self, board: B, state: S, hand: H | None, event: Event) -> Touch[M, H]:
        """What an event does to what the hand holds, and the move it makes, if any."""

    @abstractmethod
    def shown(self, board: B, state: S, hand: H | None) -> Json:
        """What a player sees of the hand (a selection, a lifted vehicle, an unfinished path); None when nothing."""

    @abstractmethod
    def perform(self, board: B, state: S, move: M) -> tuple[Gesture, ...]:
        """Gestures that make the move, from any hand that earlier gestures of this method can have left."""

    def motion(self, board: B, state: S, move: M) -> Json:
        """How things travel when the move is made, where the views before and after do not tell; None otherwise."""
        return None

    def interpret(self, board: B, state: S, gestures: Sequence[Gesture], hand: H | None = None) -> list[M]:
        """The moves that gestures make: the inverse of `perform`."""
        made: list[M] = []
        for event in (event for gesture in gestures for event in events(gesture)):
            touch = self.touch(board, state, hand, event)
            hand = touch.hand
            if touch.move is not None:
                made.append(touch.move)
                state = self.game.apply(board, state, touch.move)
        return made


AnyControls = Controls[Any, Any, Any, Any]
