"""What every game offers. Rules exist once, here below `games/`; everything else calls them."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from pipeline.core.canonical import Json
from pipeline.core.errors import IllegalMove, Problem
from pipeline.core.model import Document

B = TypeVar("B", bound=Document)
S = TypeVar("S", bound=Hashable)
M = TypeVar("M", bound=Hashable)


@dataclass(frozen=True)
class Variant(Generic[B, S, M]):
    """An isomorphic board and how states and moves of the original map onto it."""

    board: B
    move: Callable[[M], M]
    state: Callable[[S], S]


@dataclass(frozen=True)
class Distance:
    """Exact remaining moves of a state and of the start: what a reference path knows (see `Game.progress`)."""

    remaining: int
    at_start: int


class Game(ABC, Generic[B, S, M]):
    """Rules of one game. Every method is pure and deterministic; boards given to any but `defects` have none."""

    name: str
    board_type: type[B]
    must_be_safe: bool = False
    """Whether a level may be released only when no reachable state is lost."""
    has_undo: bool = False
    """Whether a player may take moves back, one by one to the start."""
    progress_needs_distance: bool = False
    """Whether `progress` is only exact when it is given the distance."""

    # -- boards ---------------------------------------------------------------------------------
    @abstractmethod
    def defects(self, board: B) -> list[Problem]:
        """Everything that makes the board break the format's or the game's own laws; paths start with `$.board`."""

    @abstractmethod
    def symmetries(self, board: B) -> tuple[Variant[B, S, M], ...]:
        """Mirrors and rotations the game allows (for Nut and Bolt: bolt orders worth naming); the identity first."""

    @abstractmethod
    def labels(self, board: B) -> int:
        """How many interchangeable names (ids, colours) the board uses; 0 when it has none."""

    @abstractmethod
    def relabel(self, board: B, order: Sequence[int]) -> Variant[B, S, M]:
        """Give label i the name that label order[i] had; `order` is a permutation of range(labels(board))."""

    @abstractmethod
    def canonical(self, board: B) -> B:
        """The one board that all renamed, reordered, mirrored and rotated forms of this puzzle share."""

    # -- play -----------------------------------------------------------------------------------
    @abstractmethod
    def start(self, board: B) -> S:
        """The state before the first move."""

    @abstractmethod
    def moves(self, board: B, state: S) -> list[M]:
        """All legal moves, in a fixed order; a won state may still have some."""

    @abstractmethod
    def apply(self, board: B, state: S, move: M) -> S:
        """The state after a move; IllegalMove with an English sentence when the rules do not allow it."""

    @abstractmethod
    def won(self, board: B, state: S) -> bool:
        """Whether the level is finished."""

    @abstractmethod
    def progress(self, board: B, state: S, distance: Distance | None = None) -> float:
        """Progress in [0, 1]; 1 exactly when won. Games whose formula needs it use `distance` when given."""

    @abstractmethod
    def lost_at_sight(self, board: B, state: S) -> bool:
        """Whether an observer sees, without search, that the state can no longer be won."""

    def key(self, board: B, state: S) -> Hashable:
        """What a search may identify states by (for Nut and Bolt bolt order is irrelevant, for instance)."""
        return state

    @abstractmethod
    def view(self, board: B, state: S) -> Json:
        """Only what a player can see, as JSON for the page."""

    # -- text -----------------------------------------------------------------------------------
    @abstractmethod
    def state_text(self, board: B, state: S) -> str:
        """One printable line (ASCII, no spaces) that `parse_state` reads back."""

    @abstractmethod
    def parse_state(self, board: B, text: str) -> S:
        """The inverse of `state_text`; PipelineError with an English sentence for anything else."""

    @abstractmethod
    def move_text(self, move: M) -> str:
        """One printable word (ASCII, no spaces) that `parse_move` reads back."""

    @abstractmethod
    def parse_move(self, text: str) -> M:
        """The inverse of `move_text`; PipelineError with an English sentence for anything else."""

    @abstractmethod
    def move_document(self, move: M) -> Json:
        """The move as `level-format` writes it."""

    @abstractmethod
    def parse_move_document(self, document: Json) -> M:
        """The inverse of `move_document`; PipelineError with an English sentence for anything else."""

    @abstractmethod
    def sketch(self, board: B, state: S) -> str:
        """The state drawn as a few lines of text for a person."""


AnyGame = Game[Any, Any, Any]


def replay(game: Game[B, S, M], board: B, moves: Sequence[M], state: S | None = None) -> S:
    """Apply moves one after another, from the start unless a state is given; IllegalMove names the step that fails."""
    current = game.start(board) if state is None else state
    for number, move in enumerate(moves, 1):
        try:
            current = game.apply(board, current, move)
        except IllegalMove as error:
            raise IllegalMove(f"move {number} ({game.move_text(move)}): {error}") from None
    return current
