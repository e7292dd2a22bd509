"""Bolt Unscrew.

A panel with holes; planks, discs and polygons ("planks" below) lie on it and are held by screws. A screw sits in a
panel hole and holds every plank that has a hole of its own there (within 2.5 units). One move takes any screw out of
its hole and puts it into a free hole; it then holds whatever is drilled there. The level is won when every plank has
left the panel.

    o . . . o        `@` screws, `o` free holes, `#` a plank held by the two screws. Taking the left screw to the
    . @###@ .   ->   upper left hole lets the plank swing down about the right one; taking that one too drops it.
    . . . . .

A hole is free when no screw is in it and no remaining plank covers it: every plank's shape keeps at least
`hole_radius` from its centre or has one of its own holes there. Two physics, a field of the board:

* `pinned`: a plank keeps its pose while any screw holds it and exits with the last one. Exact.
* `hinged`: two screws hold a plank still, one lets it swing, none lets it fall. Nothing moves before the first move;
  then every plank that is not held still comes to rest, and from rest it moves again only when a screw that held it or
  that it leaned on is taken, or a screw is put through it. It collides with screws that do not hold it, never with
  other planks. A plank at rest on screws is released, not exited, and can be held again through an aligned hole.

`games/` counts in integers; `hinged` cannot. `bolt_unscrew_physics` says what makes its floats reproducible, and
`docs/decisions/hinged-physics.md` why it is so.
"""

import re
from collections.abc import Sequence

from pipeline.core.canonical import Json, canonical_bytes
from pipeline.core.errors import IllegalMove, PipelineError, Problem
from pipeline.games.bolt_unscrew_defects import defects_of
from pipeline.games.bolt_unscrew_forms import mirrored, sorted_and_renamed
from pipeline.games.bolt_unscrew_model import (
    Board,
    Coordinate,
    Disc,
    Index,
    Length,
    Move,
    Plank,
    Point,
    Polygon,
    Pose,
    Shape,
    State,
    Strip,
)
from pipeline.games.bolt_unscrew_rig import Rig, rig_of
from pipeline.games.bolt_unscrew_view import sketch_of, view_of
from pipeline.games.contract import Distance, Game, Variant, replay

__all__ = [
    "GAME",
    "Board",
    "BoltUnscrew",
    "Coordinate",
    "Disc",
    "Index",
    "Length",
    "Move",
    "Plank",
    "Point",
    "Polygon",
    "Pose",
    "Shape",
    "State",
    "Strip",
    "free_holes",
    "released",
    "successor",
]

_MAX_MOVES = 2_000
"""Longest list of moves that `parse_state` replays."""


class BoltUnscrew(Game[Board, State, Move]):
    """The rules."""

    name = "bolt_unscrew"
    board_type = Board

    def defects(self, board: Board) -> list[Problem]:
        return defects_of(board)

    def symmetries(self, board: Board) -> tuple[Variant[Board, State, Move], ...]:
        image = mirrored(board)

        def state_image(state: State) -> State:
            poses = tuple(None if pose is None else pose.mirrored() for pose in state.poses)
            return State(state.moves, state.screws, poses)

        return Variant(board, lambda m: m, lambda s: s), Variant(image, lambda m: m, state_image)

    def labels(self, board: Board) -> int:
        return len(board.boards)

    def relabel(self, board: Board, order: Sequence[int]) -> Variant[Board, State, Move]:
        planks = tuple(
            plank.model_copy(update={"id": board.boards[order[i]].id}) for i, plank in enumerate(board.boards)
        )
        return Variant(board.model_copy(update={"boards": planks}), lambda m: m, lambda s: s)

    def canonical(self, board: Board) -> Board:
        forms = (sorted_and_renamed(variant.board) for variant in self.symmetries(board))
        return min(forms, key=lambda b: canonical_bytes(b.model_dump(mode="json")))

    def start(self, board: Board) -> State:
        return State((), tuple(sorted(board.screws)), rig_of(board).start)

    def moves(self, board: Board, state: State) -> list[Move]:
        free = free_holes(rig_of(board), state)
        return [Move(source, target) for source in state.screws for target in free]

    def apply(self, board: Board, state: State, move: Move) -> State:
        rig = rig_of(board)
        _check(board, rig, state, move)
        return successor(rig, state, move)

    def won(self, board: Board, state: State) -> bool:
        return all(pose is None for pose in state.poses)

    def progress(self, board: Board, state: State, distance: Distance | None = None) -> float:
        exited = sum(pose is None for pose in state.poses)
        return (exited + 0.5 * len(released(rig_of(board), state))) / len(state.poses)

    def lost_at_sight(self, board: Board, state: State) -> bool:
        """The verdict `no_free_hole`: everything is at rest and no screw has a hole to go to."""
        return not self.won(board, state) and not self.moves(board, state)

    def key(self, board: Board, state: State) -> tuple[tuple[int, ...], tuple[Pose | None, ...]]:
        """Screws and poses: play goes on alike from states that share them (poses at rest lie on a grid already)."""
        if not state.moves and not rig_of(board).pinned:
            return (-1, *state.screws), state.poses  # nothing has moved yet, which the first move changes
        return state.screws, state.poses

    def view(self, board: Board, state: State) -> Json:
        return view_of(board, rig_of(board), state)

    def state_text(self, board: Board, state: State) -> str:
        return ",".join(self.move_text(move) for move in state.moves) or "-"

    def parse_state(self, board: Board, text: str) -> State:
        if text == "-":
            return self.start(board)
        if not re.fullmatch(r"[\d>,]+", text, re.ASCII):
            raise PipelineError(f"{text[:40]!r} is not a list of moves like 0>3,5>1, or - for the start.")
        moves = [self.parse_move(part) for part in text.split(",")]
        if len(moves) > _MAX_MOVES:
            raise PipelineError(f"the state lists {len(moves):,} moves; {_MAX_MOVES:,} is the limit.")
        return replay(self, board, moves)

    def move_text(self, move: Move) -> str:
        return f"{move.source}>{move.target}"

    def parse_move(self, text: str) -> Move:
        match = re.fullmatch(r"(0|[1-9]\d{0,2})>(0|[1-9]\d{0,2})", text, re.ASCII)
        if not match:
            raise PipelineError(f"{text[:40]!r} is not a move like 3>7.")
        return Move(int(match[1]), int(match[2]))

    def move_document(self, move: Move) -> Json:
        return {"from": move.source, "to": move.target}

    def parse_move_document(self, document: Json) -> Move:
        match document:
            case {"from": int(source), "to": int(target)} if len(document) == 2 and {type(source), type(target)} == {
                int
            }:
                return Move(source, target)
        raise PipelineError('a Bolt Unscrew move looks like {"from": 3, "to": 7}.')

    def sketch(self, board: Board, state: State) -> str:
        return sketch_of(board, rig_of(board), state)


def free_holes(rig: Rig, state: State) -> list[int]:
    """Holes a screw can be put into, in rising order."""
    taken = _mask(state.screws)
    for plank, pose in enumerate(state.poses):
        if pose is not None:
            taken |= rig.lying(plank, pose).blocked
    return [hole for hole in range(len(rig.holes)) if not taken >> hole & 1]


def released(rig: Rig, state: State) -> list[int]:
    """Planks that no screw holds and that are still on the panel."""
    screws = _mask(state.screws)
    poses = enumerate(state.poses)
    return [plank for plank, pose in poses if pose is not None and not rig.lying(plank, pose).aligned & screws]


def _mask(holes: Sequence[int]) -> int:
    return sum(1 << hole for hole in holes)


def _check(board: Board, rig: Rig, state: State, move: Move) -> None:
    """IllegalMove when the screw cannot go there."""
    for hole in (move.source, move.target):
        if not 0 <= hole < len(rig.holes):
            raise IllegalMove(f"there is no hole {hole}.")
    if move.source not in state.screws:
        raise IllegalMove(f"there is no screw in hole {move.source}.")
    if move.target in state.screws:
        raise IllegalMove(f"hole {move.target} already has a screw.")
    for plank, pose in enumerate(state.poses):
        if pose is not None and rig.lying(plank, pose).blocked >> move.target & 1:
            raise IllegalMove(f"hole {move.target} is covered by board {board.boards[plank].id!r}.")


def successor(rig: Rig, state: State, move: Move) -> State:
    """The state after a legal move: the screw is in its new hole and everything has come to rest."""
    before = _mask(state.screws)
    after = before & ~(1 << move.source) | 1 << move.target
    poses: list[Pose | None] = []
    for plank, pose in enumerate(state.poses):
        if pose is None:
            poses.append(None)
            continue
        lying = rig.lying(plank, pose)
        holding = lying.aligned & after
        if rig.pinned:
            poses.append(pose if holding else None)
        elif holding.bit_count() >= 2:
            poses.append(pose)
        elif not state.moves or holding != lying.aligned & before or lying.touched >> move.source & 1:
            poses.append(rig.settled(plank, pose, after))
        else:
            poses.append(pose)
    screws = tuple(sorted({*state.screws, move.target} - {move.source}))
    return State((*state.moves, move), screws, tuple(poses))


GAME = BoltUnscrew()
