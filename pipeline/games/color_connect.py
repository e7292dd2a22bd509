"""Color Connect.

Every pair of coloured ends is to be joined by a path of orthogonally neighbouring cells; no cell is shared. With
`must_fill` every free cell must be used as well. One move draws one path from end to end, whatever its length.

    A . . B        A . . B      `#` is a blocked cell. Two moves win: one down the left side, one down the right.
    . . # .   ->   a . # b      6 cells are used, 5 stay empty, which is allowed unless the board says `must_fill`.
    A . . B        A . . B

A finished path blocks all others. Pressing one of its ends takes it away again: that is the move with the empty path.
So no state is ever lost. A path may touch itself; it is drawn from either end, so both directions are the same move.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Annotated

from pydantic import Field

from pipeline.core.canonical import Json, canonical_bytes
from pipeline.core.errors import IllegalMove, PipelineError, Problem
from pipeline.core.model import Cell, ColorName, Document
from pipeline.games.color_connect_paths import Path, shortest_paths
from pipeline.games.contract import Distance, Game, Variant
from pipeline.games.grid import GRID_TURNS, STEPS, Turn

Size = Annotated[int, Field(ge=1, le=40)]
_CELL = r"(?:0|[1-9]\d?)\.(?:0|[1-9]\d?)"
LETTERS = {"L": STEPS["left"], "R": STEPS["right"], "U": STEPS["up"], "D": STEPS["down"]}


class Pair(Document):
    """Two ends of one colour."""

    color: ColorName
    ends: tuple[Cell, Cell]


class Board(Document):
    """A grid with blocked cells and pairs of ends; `must_fill` also demands that every free cell is used."""

    rows: Size
    cols: Size
    walls: tuple[Cell, ...] = ()
    pairs: Annotated[tuple[Pair, ...], Field(min_length=1, max_length=128)]
    must_fill: bool = False


@dataclass(frozen=True)
class State:
    """For each pair, in the board's order, its finished path from `ends[0]` to `ends[1]`; empty when it has none."""

    paths: tuple[Path, ...]


@dataclass(frozen=True)
class Move:
    """Draw a colour's path end to end, or take its finished path away (the empty path)."""

    color: str
    path: Path


class ColorConnect(Game[Board, State, Move]):
    """The rules."""

    name = "color_connect"
    board_type = Board

    def defects(self, board: Board) -> list[Problem]:
        found: list[Problem] = []
        owner: dict[tuple[int, int], str] = {}
        for i, wall in enumerate(board.walls):
            found += _claim_cell(board, owner, wall, "a wall", f"$.board.walls[{i}]")
        colors: set[str] = set()
        for i, pair in enumerate(board.pairs):
            if pair.color in colors:
                message = f"the colour {pair.color!r} is used by two pairs."
                found.append(Problem("duplicate_color", message, f"$.board.pairs[{i}].color"))
            colors.add(pair.color)
            for k, end in enumerate(pair.ends):
                found += _claim_cell(board, owner, end, f"an end of {pair.color!r}", f"$.board.pairs[{i}].ends[{k}]")
        return found

    def symmetries(self, board: Board) -> tuple[Variant[Board, State, Move], ...]:
        return tuple(_turned(board, turn) for turn in GRID_TURNS)

    def labels(self, board: Board) -> int:
        return len(board.pairs)

    def relabel(self, board: Board, order: Sequence[int]) -> Variant[Board, State, Move]:
        old = [pair.color for pair in board.pairs]
        new = {old[i]: old[order[i]] for i in range(len(old))}
        pairs = tuple(pair.model_copy(update={"color": new[pair.color]}) for pair in board.pairs)
        return Variant(board.model_copy(update={"pairs": pairs}), lambda m: Move(new[m.color], m.path), lambda s: s)

    def canonical(self, board: Board) -> Board:
        forms = (_sorted_and_renamed(variant.board) for variant in self.symmetries(board))
        return min(forms, key=lambda form: canonical_bytes(form.model_dump(mode="json")))

    def start(self, board: Board) -> State:
        return State(((),) * len(board.pairs))

    def moves(self, board: Board, state: State) -> list[Move]:
        """Paths of unfinished pairs, the shortest first, then the removals.

        Unlike in other games the list may be incomplete (see `shortest_paths`): a pair can have more paths than there
        are atoms. `apply` takes any legal path, listed or not.
        """
        blocked = _used(board, state) | set(board.walls) | {end for pair in board.pairs for end in pair.ends}
        drawn = []
        for pair, path in zip(board.pairs, state.paths, strict=True):
            if not path:
                free = _free_cells(board, blocked - {pair.ends[1]})
                drawn += [Move(pair.color, found) for found in shortest_paths(free, *pair.ends)]
        taken = [Move(p.color, ()) for p, path in zip(board.pairs, state.paths, strict=True) if path]
        return drawn + taken

    def apply(self, board: Board, state: State, move: Move) -> State:
        index = next((i for i, pair in enumerate(board.pairs) if pair.color == move.color), None)
        if index is None:
            raise IllegalMove(f"there is no pair of colour {move.color!r}.")
        if bool(move.path) == bool(state.paths[index]):
            message = "already has a path; take it away first" if move.path else "has no path to take away"
            raise IllegalMove(f"{move.color!r} {message}.")
        ends = board.pairs[index].ends
        path = move.path[::-1] if move.path[:1] == ends[1:] else move.path
        if path:
            _check_path(board, state, index, path)
        return State((*state.paths[:index], path, *state.paths[index + 1 :]))

    def won(self, board: Board, state: State) -> bool:
        if not all(state.paths):
            return False
        free = board.rows * board.cols - len(board.walls)
        return not board.must_fill or sum(map(len, state.paths)) == free

    def progress(self, board: Board, state: State, distance: Distance | None = None) -> float:
        if self.won(board, state):
            return 1.0
        return min(0.99, sum(map(bool, state.paths)) / len(board.pairs))

    def lost_at_sight(self, board: Board, state: State) -> bool:
        return False

    def view(self, board: Board, state: State) -> Json:
        pairs: list[Json] = [
            {"color": pair.color, "ends": [list(end) for end in pair.ends], "path": [list(cell) for cell in path]}
            for pair, path in zip(board.pairs, state.paths, strict=True)
        ]
        walls = [list(cell) for cell in board.walls]
        return {"rows": board.rows, "cols": board.cols, "walls": walls, "pairs": pairs, "must_fill": board.must_fill}

    def state_text(self, board: Board, state: State) -> str:
        return ",".join(_directions(path) if path else "-" for path in state.paths)

    def parse_state(self, board: Board, text: str) -> State:
        words = text.split(",")
        if not all(re.fullmatch(r"-|[LRUD]{1,1600}", word) for word in words):
            raise PipelineError(f"{text[:40]!r} is not a list of paths like RRD,-,UL.")
        if len(words) != len(board.pairs):
            raise PipelineError(f"paths in the state: {len(words)}, pairs on the board: {len(board.pairs)}.")
        state = self.start(board)
        for pair, word in zip(board.pairs, words, strict=True):
            if word != "-":
                state = self.apply(board, state, Move(pair.color, _walked(pair.ends[0], word)))
        return state

    def move_text(self, move: Move) -> str:
        return f"{move.color}:" + "-".join(f"{row}.{col}" for row, col in move.path)

    def parse_move(self, text: str) -> Move:
        match = re.fullmatch(rf"([a-z0-9][a-z0-9_-]{{0,39}}):((?:{_CELL}-)+{_CELL})?", text, re.ASCII)
        if not match:
            raise PipelineError(f"{text[:40]!r} is not a path like red:0.0-0.1-1.1, nor a removal like red:.")
        cells = (match[2] or "").split("-") if match[2] else []
        return Move(match[1], tuple((int(row), int(col)) for row, col in (cell.split(".") for cell in cells)))

    def move_document(self, move: Move) -> Json:
        return {"color": move.color, "path": [list(cell) for cell in move.path]}

    def parse_move_document(self, document: Json) -> Move:
        match document:
            case {"color": str(color), "path": list(path)} if len(document) == 2 and all(map(_is_cell, path)):
                return Move(color, tuple((row, col) for row, col in path))
        raise PipelineError('a Color Connect move looks like {"color": "red", "path": [[0, 0], [0, 1]]}.')

    def sketch(self, board: Board, state: State) -> str:
        names = [_letters(i) for i in range(len(board.pairs))]
        grid = [["."] * board.cols for _ in range(board.rows)]
        for row, col in board.walls:
            grid[row][col] = "#"
        for name, pair, path in zip(names, board.pairs, state.paths, strict=True):
            for row, col in path:
                grid[row][col] = name.lower()
            for row, col in pair.ends:
                grid[row][col] = name
        width = max(len(text) for line in grid for text in line)
        lines = [" ".join(text.ljust(width) for text in line).rstrip() for line in grid]
        legend = ", ".join(f"{name} {pair.color}" for name, pair in zip(names, board.pairs, strict=True))
        return "\n".join([*lines, legend + (", every cell must be used" if board.must_fill else "")])


def _claim_cell(
    board: Board, owner: dict[tuple[int, int], str], cell: tuple[int, int], who: str, where: str
) -> Iterator[Problem]:
    """Note who stands on a cell; a problem when it is out of the board or already taken."""
    if not _inside(board, cell):
        yield Problem("out_of_board", f"{who} at {list(cell)} is out of the board.", where)
    elif cell in owner:
        yield Problem("overlap", f"{who} stands on cell {list(cell)}, where {owner[cell]} is already.", where)
    owner.setdefault(cell, who)


def _check_path(board: Board, state: State, index: int, path: Path) -> None:
    """IllegalMove unless the path joins the ends of pair `index` through free cells."""
    pair = board.pairs[index]
    if len(path) < 2 or (path[0], path[-1]) != pair.ends:
        raise IllegalMove(f"the path does not lead from one end of {pair.color!r} to the other.")
    taken = dict.fromkeys(board.walls, "blocked")
    for other, drawn in zip(board.pairs, state.paths, strict=True):
        taken |= dict.fromkeys(drawn, f"on the path of {other.color!r}")
    taken |= {end: f"an end of {other.color!r}" for other in board.pairs if other is not pair for end in other.ends}
    for before, cell in zip((None, *path), path, strict=False):
        if not _inside(board, cell):
            raise IllegalMove(f"cell {list(cell)} is out of the board.")
        if before is not None and abs(cell[0] - before[0]) + abs(cell[1] - before[1]) != 1:
            raise IllegalMove(f"the step from {list(before)} to {list(cell)} is not to a neighbouring cell.")
        if cell in taken:
            raise IllegalMove(f"cell {list(cell)} is {taken[cell]}.")
        taken[cell] = "already on this path"


def _inside(board: Board, cell: tuple[int, int]) -> bool:
    return 0 <= cell[0] < board.rows and 0 <= cell[1] < board.cols


def _used(board: Board, state: State) -> set[tuple[int, int]]:
    return {cell for path in state.paths for cell in path}


def _free_cells(board: Board, blocked: set[tuple[int, int]]) -> set[tuple[int, int]]:
    return {(r, c) for r in range(board.rows) for c in range(board.cols)} - blocked


def _directions(path: Path) -> str:
    steps = {step: letter for letter, step in LETTERS.items()}
    return "".join(steps[b[0] - a[0], b[1] - a[1]] for a, b in pairwise(path))


def _walked(start: tuple[int, int], word: str) -> Path:
    path = [start]
    for letter in word:
        row, col = LETTERS[letter]
        path.append((path[-1][0] + row, path[-1][1] + col))
    return tuple(path)


def _letters(number: int) -> str:
    """A, B … Z, AA, AB …"""
    first, last = divmod(number, 26)
    return (chr(ord("A") + first - 1) if first else "") + chr(ord("A") + last)


def _is_cell(value: Json) -> bool:
    return isinstance(value, list) and len(value) == 2 and all(type(part) is int for part in value)


def _turned(board: Board, turn: Turn) -> Variant[Board, State, Move]:
    """The board mirrored or rotated."""

    def path(cells: Path) -> Path:
        return tuple(turn.cell(board.rows, board.cols, cell) for cell in cells)

    rows, cols = turn.size(board.rows, board.cols)
    pairs = tuple(Pair(color=p.color, ends=(path(p.ends)[0], path(p.ends)[1])) for p in board.pairs)
    image = Board(rows=rows, cols=cols, walls=path(board.walls), pairs=pairs, must_fill=board.must_fill)
    return Variant(
        image,
        lambda m: Move(m.color, path(m.path)),
        lambda s: State(tuple(path(cells) for cells in s.paths)),
    )


def _sorted_and_renamed(board: Board) -> Board:
    ends = sorted(tuple(sorted(pair.ends)) for pair in board.pairs)
    pairs = tuple(Pair(color=f"c{i}", ends=(first, second)) for i, (first, second) in enumerate(ends))
    return board.model_copy(update={"pairs": pairs, "walls": tuple(sorted(board.walls))})


GAME = ColorConnect()
