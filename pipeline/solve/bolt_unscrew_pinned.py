"""Bolt Unscrew, `pinned`: exact search on a reduced game.

Planks never move, so a state is the set of screws and the set of remaining planks. Call a screw idle when it holds no
remaining plank, and a hole neutral when nothing covers it and no remaining plank has a hole there; both stay so for
ever. Two exchanges cut the game down without losing a shortest solution:

* an idle screw never needs to move. If it goes from c to d and later some screw goes from x to c, let that one go from
  x to d instead and leave the idle one at c: the screws then stand in the same places, one move sooner, and in
  between no plank is held that was not held before. If nobody uses c afterwards the move was in vain.
* neutral holes are interchangeable: a screw put into one is idle, never moves again, and only its number counts.

So a state is (screws that hold, remaining planks), and a screw goes to the first empty neutral hole or to a hole
through which it holds planks again. Moves of idle screws into such holes matter only to the question whether play can
be lost: they are part of the game then, as `Reduced.all_moves`.
"""

import heapq
from collections.abc import Iterator
from dataclasses import dataclass

from pipeline.core.outcome import Clock
from pipeline.games.bolt_unscrew import GAME, Board, Move, State, free_holes
from pipeline.games.bolt_unscrew_rig import Rig, rig_of
from pipeline.solve.bolt_unscrew_look import holes_of

Node = tuple[int, int]
"""(holes whose screw holds a remaining plank, remaining planks), as bit masks."""


@dataclass(frozen=True)
class Found:
    """How a search ended: a shortest solution, or none (`exhausted`), or out of budget; and what it saw."""

    moves: tuple[Move, ...] | None
    exhausted: bool
    lower_bound: int
    explored: int


class Reduced:
    """The reduced game of one board, from a state on."""

    def __init__(self, board: Board, state: State) -> None:
        rig: Rig = rig_of(board)
        self._aligned = [rig.lying(i, pose).aligned for i, pose in enumerate(rig.start)]
        self._blocked = [rig.lying(i, pose).blocked for i, pose in enumerate(rig.start)]
        self._all = (1 << len(rig.holes)) - 1
        self._screws = len(state.screws)
        self._facts: dict[int, tuple[int, int]] = {}
        seated = sum(1 << hole for hole in state.screws)
        remaining = sum(1 << i for i, pose in enumerate(state.poses) if pose is not None)
        self.root: Node = self._node(seated, remaining)
        self._idle_from_the_start = seated & ~self.root[0]

    def _node(self, screws: int, remaining: int) -> Node:
        staying = sum(1 << i for i in holes_of(remaining) if self._aligned[i] & screws)
        return screws & self._holes(staying)[1], staying

    def _holes(self, remaining: int) -> tuple[int, int]:
        """(holes nothing covers, holes through which a remaining plank can be held)."""
        if remaining not in self._facts:
            blocked = drilled = 0
            for i in holes_of(remaining):
                blocked |= self._blocked[i]
                drilled |= self._aligned[i]
            self._facts[remaining] = (self._all & ~blocked, drilled)
        return self._facts[remaining]

    def neutral_left(self, node: Node) -> int:
        """Empty neutral holes."""
        uncovered, drilled = self._holes(node[1])
        idle = self._screws - node[0].bit_count() - (self._idle_from_the_start & ~uncovered).bit_count()
        return (uncovered & ~drilled).bit_count() - idle

    @property
    def buried(self) -> bool:
        """Whether an idle screw stands under a plank: `pinned` boards may start so, and no later one comes to it."""
        return bool(self._idle_from_the_start & ~self._holes(self.root[1])[0])

    def moves(self, node: Node) -> Iterator[tuple[int, int, Node]]:
        """(source, target, next) of the moves a shortest solution needs; target -1 is any empty neutral hole."""
        holding, remaining = node
        uncovered, drilled = self._holes(remaining)
        gripping = uncovered & drilled & ~holding
        for source in holes_of(holding):
            rest = holding & ~(1 << source)
            if self.neutral_left(node) > 0:
                yield source, -1, self._node(rest, remaining)
            for target in holes_of(gripping):
                yield source, target, self._node(rest | 1 << target, remaining)

    def all_moves(self, node: Node) -> Iterator[Node]:
        """The nodes that any legal move leads to, those of idle screws included."""
        for _, _, after in self.moves(node):
            yield after
        holding, remaining = node
        if self._screws > holding.bit_count():
            uncovered, drilled = self._holes(remaining)
            for target in holes_of(uncovered & drilled & ~holding):
                yield holding | 1 << target, remaining


def shortest(reduced: Reduced, clock: Clock, limit: int) -> Found:
    """A*: the bound `screws that hold a plank` falls by at most one a move, so it is consistent."""
    root = reduced.root
    distance = {root: 0}
    came: dict[Node, tuple[Node, int, int]] = {}
    heap = [(root[0].bit_count(), 0, root)]
    least = root[0].bit_count()
    while heap:
        estimate, minus_depth, node = heapq.heappop(heap)
        depth = -minus_depth
        if depth > distance[node]:
            continue
        least = estimate
        if node[1] == 0:
            return Found(tuple(_way(came, node)), True, depth, len(distance))
        if len(distance) > limit or clock.left <= 0:
            return Found(None, False, least, len(distance))
        for source, target, after in reduced.moves(node):
            if depth + 1 < distance.get(after, 1 << 30):
                distance[after] = depth + 1
                came[after] = (node, source, target)
                heapq.heappush(heap, (depth + 1 + after[0].bit_count(), -depth - 1, after))
    return Found(None, True, least, len(distance))


def _way(came: dict[Node, tuple[Node, int, int]], node: Node) -> list[Move]:
    steps = []
    while node in came:
        node, source, target = came[node]
        steps.append(Move(source, target))
    return steps[::-1]


def can_be_lost(reduced: Reduced, clock: Clock, limit: int) -> bool | None:
    """Whether some reachable state has no way to a win; None when that is not decided.

    It is not where the reachable set is too large to list, nor with buried screws, whose moves `all_moves` lacks.
    """
    if reduced.buried:
        return None
    before: dict[Node, list[Node]] = {reduced.root: []}
    waiting = [reduced.root]
    while waiting:
        node = waiting.pop()
        for after in reduced.all_moves(node):
            if after not in before:
                if len(before) >= limit or clock.left <= 0:
                    return None
                before[after] = []
                waiting.append(after)
            before[after].append(node)
    safe = {node for node in before if node[1] == 0}
    waiting = list(safe)
    while waiting:
        for node in before[waiting.pop()]:
            if node not in safe:
                safe.add(node)
                waiting.append(node)
    return len(safe) < len(before)


def placed(board: Board, state: State, moves: tuple[Move, ...]) -> tuple[Move, ...]:
    """The solution with every `-1` replaced by the first empty neutral hole at that moment."""
    rig, made = rig_of(board), []
    for move in moves:
        target = move.target
        if target < 0:
            poses = [(i, pose) for i, pose in enumerate(state.poses) if pose is not None]
            drilled = sum(
                1 << h for h in range(len(rig.holes)) if any(rig.lying(i, p).aligned >> h & 1 for i, p in poses)
            )
            target = next(hole for hole in free_holes(rig, state) if not drilled >> hole & 1)
        made.append(Move(move.source, target))
        state = GAME.apply(board, state, made[-1])
    return tuple(made)
