"""Stepping Stones, a toy: walk along a line of stones from the first to the last.

stones "o o . o o"    a step of 1 or 2 onto a stone `o`; a gap `.` cannot be stood on. One move is one step.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

from pydantic import Field

from pipeline.core.canonical import Json
from pipeline.core.errors import IllegalMove, PipelineError, Problem
from pipeline.core.model import Document
from pipeline.games.contract import Distance, Game, Variant


class Board(Document):
    stones: Annotated[str, Field(min_length=2, max_length=60, pattern=r"^[o.]+$")]


@dataclass(frozen=True)
class State:
    at: int


@dataclass(frozen=True)
class Move:
    step: int


class SteppingStones(Game[Board, State, Move]):
    name = "stepping_stones"
    board_type = Board

    def defects(self, board: Board) -> list[Problem]:
        if board.stones[0] == "o" == board.stones[-1]:
            return []
        return [Problem("no_ends", "the first and last place need a stone.", "$.board.stones")]

    def symmetries(self, board: Board) -> tuple[Variant[Board, State, Move], ...]:
        return (Variant(board, lambda m: m, lambda s: s),)

    def labels(self, board: Board) -> int:
        return 0

    def relabel(self, board: Board, order: Sequence[int]) -> Variant[Board, State, Move]:
        return self.symmetries(board)[0]

    def canonical(self, board: Board) -> Board:
        return board

    def start(self, board: Board) -> State:
        return State(0)

    def moves(self, board: Board, state: State) -> list[Move]:
        return [Move(s) for s in (1, 2) if board.stones[state.at + s : state.at + s + 1] == "o"]

    def apply(self, board: Board, state: State, move: Move) -> State:
        if move not in self.moves(board, state):
            raise IllegalMove(f"there is no stone {move.step} ahead.")
        return State(state.at + move.step)

    def won(self, board: Board, state: State) -> bool:
        return state.at == len(board.stones) - 1

    def progress(self, board: Board, state: State, distance: Distance | None = None) -> float:
        return state.at / (len(board.stones) - 1)

    def lost_at_sight(self, board: Board, state: State) -> bool:
        return not self.won(board, state) and not self.moves(board, state)

    def view(self, board: Board, state: State) -> Json:
        return {"stones": board.stones, "at": state.at}

    def state_text(self, board: Board, state: State) -> str:
        return str(state.at)

    def parse_state(self, board: Board, text: str) -> State:
        if not text.isdecimal() or int(text) >= len(board.stones):
            raise PipelineError(f"{text!r} is no place.")
        return State(int(text))

    def move_text(self, move: Move) -> str:
        return f"+{move.step}"

    def parse_move(self, text: str) -> Move:
        if text not in ("+1", "+2"):
            raise PipelineError(f"{text!r} is no step like +1.")
        return Move(int(text))

    def move_document(self, move: Move) -> Json:
        return {"step": move.step}

    def parse_move_document(self, document: Json) -> Move:
        if document not in ({"step": 1}, {"step": 2}):
            raise PipelineError('a step looks like {"step": 1}.')
        return Move(document["step"])

    def sketch(self, board: Board, state: State) -> str:
        return board.stones[: state.at] + "@" + board.stones[state.at + 1 :]


GAME = SteppingStones()
