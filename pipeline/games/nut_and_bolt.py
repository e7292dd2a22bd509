"""Nut and Bolt.

Bolts of one capacity hold nuts, listed bottom → top. A move takes the top run of one colour of a bolt and puts as many
of it as fit onto another bolt that is empty, or shows the same colour on top and is not full. The level is won when
every nonempty bolt is full and of one colour.

    |   |   |          capacity 3. Bolt 0 has two blue nuts on top of a red one, bolt 1 one blue nut;
    | b |   |          `0-1` moves both blue nuts at once and is one move. Nobody may take fewer than fit;
    | b |   | r        a run longer than the room is split: what does not fit stays.
    | r | b | r

Moves cannot always be taken back, so a state can be lost. Undo belongs to the suite, not to the moves.
"""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

from pydantic import Field

from pipeline.core.canonical import Json
from pipeline.core.errors import IllegalMove, PipelineError, Problem
from pipeline.core.model import ColorName, Document
from pipeline.games.colour_renaming import canonical_words
from pipeline.games.contract import Distance, Game, Variant

Bolt = tuple[str, ...]
"""Nuts bottom → top."""

State = tuple[Bolt, ...]
"""The bolts in the board's order."""


MOST_BOLTS, MOST_UNITS = 64, 32
"""How many bolts a board may have, and how many nuts one bolt may take."""


class Board(Document):
    """Bolts of one capacity; each lists its nuts bottom → top."""

    capacity: Annotated[int, Field(ge=1, le=MOST_UNITS)]
    bolts: Annotated[
        tuple[Annotated[tuple[ColorName, ...], Field(max_length=MOST_UNITS)], ...],
        Field(min_length=1, max_length=MOST_BOLTS),
    ]


@dataclass(frozen=True)
class Move:
    """Move what fits of the top run of bolt `source` onto bolt `target` (0-based places)."""

    source: int
    target: int


class NutAndBolt(Game[Board, State, Move]):
    """The rules."""

    name = "nut_and_bolt"
    board_type = Board
    has_undo = True

    def defects(self, board: Board) -> list[Problem]:
        found = []
        for i, bolt in enumerate(board.bolts):
            if len(bolt) > board.capacity:
                message = f"bolt {i} holds {len(bolt)} nuts, the capacity is {board.capacity}."
                found.append(Problem("over_capacity", message, f"$.board.bolts[{i}]"))
        counts = Counter(nut for bolt in board.bolts for nut in bolt)
        if not counts:
            found.append(Problem("no_nuts", "no bolt holds a nut.", "$.board.bolts"))
        for color in sorted(counts):
            if counts[color] % board.capacity:
                message = (
                    f"there are {counts[color]} {color} nuts, which is no multiple of the capacity {board.capacity}."
                )
                found.append(Problem("color_count", message, "$.board.bolts"))
        return found

    def symmetries(self, board: Board) -> tuple[Variant[Board, State, Move], ...]:
        """The identity, the reversed order, the halves exchanged, and both (bolt order never matters)."""
        order = list(range(len(board.bolts)))
        half = order[len(order) // 2 :] + order[: len(order) // 2]
        return tuple(_reordered(board, places) for places in (order, order[::-1], half, half[::-1]))

    def labels(self, board: Board) -> int:
        return len(_colors(board))

    def relabel(self, board: Board, order: Sequence[int]) -> Variant[Board, State, Move]:
        old = _colors(board)
        new = {old[i]: old[order[i]] for i in range(len(old))}

        def renamed(state: State) -> State:
            return tuple(tuple(new[nut] for nut in bolt) for bolt in state)

        return Variant(board.model_copy(update={"bolts": renamed(board.bolts)}), lambda m: m, renamed)

    def canonical(self, board: Board) -> Board:
        letter = {color: i for i, color in enumerate(_colors(board))}
        words = canonical_words([tuple(letter[nut] for nut in bolt) for bolt in board.bolts])
        return board.model_copy(update={"bolts": tuple(tuple(f"c{i}" for i in word) for word in words)})

    def start(self, board: Board) -> State:
        return board.bolts

    def moves(self, board: Board, state: State) -> list[Move]:
        roomy = [j for j, bolt in enumerate(state) if len(bolt) < board.capacity]
        candidates = (Move(i, j) for i in range(len(state)) for j in roomy)
        return [move for move in candidates if _refusal(board, state, move) is None]

    def apply(self, board: Board, state: State, move: Move) -> State:
        refusal = _refusal(board, state, move)
        if refusal is not None:
            raise IllegalMove(refusal)
        source, target = state[move.source], state[move.target]
        amount = min(_top_run(source), board.capacity - len(target))
        bolts = list(state)
        bolts[move.source], bolts[move.target] = source[:-amount], target + source[-amount:]
        return tuple(bolts)

    def won(self, board: Board, state: State) -> bool:
        return all(not bolt or (len(bolt) == board.capacity and len(set(bolt)) == 1) for bolt in state)

    def progress(self, board: Board, state: State, distance: Distance | None = None) -> float:
        """A colour that needs several bolts can show a full one before the win: unfinished is capped at 0.99."""
        if self.won(board, state):
            return 1.0
        largest: dict[str, int] = {}
        for bolt in state:
            if len(set(bolt)) == 1:
                largest[bolt[0]] = max(largest.get(bolt[0], 0), len(bolt))
        return min(0.99, sum(largest.values()) / (board.capacity * self.labels(board)))

    def lost_at_sight(self, board: Board, state: State) -> bool:
        """Not won and no legal move at all; every other loss takes a search to see."""
        return not self.won(board, state) and not self.moves(board, state)

    def key(self, board: Board, state: State) -> State:
        return tuple(sorted(state))

    def view(self, board: Board, state: State) -> Json:
        return {"capacity": board.capacity, "bolts": [list(bolt) for bolt in state]}

    def state_text(self, board: Board, state: State) -> str:
        return "/".join(",".join(bolt) or "-" for bolt in state)

    def parse_state(self, board: Board, text: str) -> State:
        state: State = tuple(() if part == "-" else tuple(part.split(",")) for part in text.split("/"))
        if len(state) != len(board.bolts):
            raise PipelineError(f"bolts in the state: {len(state)}, bolts on the board: {len(board.bolts)}.")
        if any(len(bolt) > board.capacity for bolt in state):
            raise PipelineError(f"in that state a bolt holds more than {board.capacity} nuts.")
        if Counter(nut for bolt in state for nut in bolt) != Counter(nut for bolt in board.bolts for nut in bolt):
            raise PipelineError("that state does not hold the nuts of the board (bolts look like red,blue/-/green).")
        return state

    def move_text(self, move: Move) -> str:
        return f"{move.source}-{move.target}"

    def parse_move(self, text: str) -> Move:
        match = re.fullmatch(r"(0|[1-9][0-9]?)-(0|[1-9][0-9]?)", text)
        if not match:
            raise PipelineError(f"{text[:40]!r} is not a move like 0-3 (from bolt 0 to bolt 3).")
        return Move(int(match[1]), int(match[2]))

    def move_document(self, move: Move) -> Json:
        return {"from": move.source, "to": move.target}

    def parse_move_document(self, document: Json) -> Move:
        match document:
            case {"from": int(source), "to": int(target)} if len(document) == 2:
                if type(source) is int and type(target) is int and 0 <= source < 100 and 0 <= target < 100:
                    return Move(source, target)
        raise PipelineError('a Nut and Bolt move looks like {"from": 0, "to": 3}.')

    def sketch(self, board: Board, state: State) -> str:
        width = max(2, *(len(nut) for bolt in state for nut in bolt))
        lines = []
        for level in reversed(range(board.capacity)):
            cells = (bolt[level] if level < len(bolt) else "." for bolt in state)
            lines.append(" ".join(cell.ljust(width) for cell in cells).rstrip())
        lines.append(" ".join("-" * width for _ in state))
        lines.append(" ".join(str(i).ljust(width) for i in range(len(state))).rstrip())
        return "\n".join(lines)


def _colors(board: Board) -> list[str]:
    """The colours in order of first appearance."""
    return list(dict.fromkeys(nut for bolt in board.bolts for nut in bolt))


def _top_run(bolt: Bolt) -> int:
    """How many nuts on top share one colour; 0 on an empty bolt."""
    return next((i for i, nut in enumerate(reversed(bolt)) if nut != bolt[-1]), len(bolt))


def _refusal(board: Board, state: State, move: Move) -> str | None:
    """Why the rules do not allow the move, None when they do."""
    for place in (move.source, move.target):
        if not 0 <= place < len(state):
            return f"there is no bolt {place}."
    if move.source == move.target:
        return "a bolt cannot be moved onto itself."
    source, target = state[move.source], state[move.target]
    if not source:
        return f"bolt {move.source} is empty."
    if len(target) >= board.capacity:
        return f"bolt {move.target} is full."
    if target and target[-1] != source[-1]:
        return f"bolt {move.target} shows {target[-1]}, not {source[-1]}."
    return None


def _reordered(board: Board, places: Sequence[int]) -> Variant[Board, State, Move]:
    """The board whose bolt i is the original's bolt places[i]."""
    new = {old: i for i, old in enumerate(places)}

    def reorder(state: State) -> State:
        return tuple(state[old] for old in places)

    image = board.model_copy(update={"bolts": reorder(board.bolts)})
    return Variant(image, lambda m: Move(new[m.source], new[m.target]), reorder)


GAME = NutAndBolt()
