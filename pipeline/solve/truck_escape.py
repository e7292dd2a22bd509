"""Exact Truck Escape: let every free vehicle leave until none is free.

Leaving only frees space, so a vehicle that can leave now can leave in any order of play, and letting it go never
harms: the level is solvable exactly when this empties the board. Every vehicle has to be asked once and no click moves
two, so the number of vehicles is the least number of moves. When vehicles stay, each of them is blocked by another that
stays or by an obstacle: following the blockers ends in a ring of vehicles that wait for each other, or at an obstacle.
"""

from collections import deque
from collections.abc import Iterable

from pipeline.core.outcome import Budget, Outcome, Proof, Solved, Unsolvable
from pipeline.games import truck_escape as rules
from pipeline.solve.contract import Solver

Blockers = dict[str, tuple[str, ...]]
"""For each vehicle left, the vehicles left that stand ahead of it, nearest first."""


class TruckEscapeSolver(Solver[rules.Board, rules.State, rules.Move]):
    """An order of leaving, or a reason why there is none. Needs no budget: the work is the size of the board."""

    game = "truck_escape"
    version = "1"

    def solve(self, board: rules.Board, budget: Budget, state: rules.State | None = None) -> Outcome[rules.Move]:
        start = rules.GAME.start(board) if state is None else state
        walled = _obstacles_ahead(board, start)
        blockers = blocking_relation(board, start)
        order = _leaving_order(blockers, walled)
        if len(order) == len(start):
            proof = Proof("each_leaves_once", {"vehicles": len(start)})
            return Solved(order, len(start), True, proof, len(start), {"can_dead_end": False})
        gone = set(order)
        stuck = {name: ahead for name, ahead in blockers.items() if name not in gone}
        return Unsolvable(_reason(stuck, walled), len(order), {"can_dead_end": True})


def blocking_relation(board: rules.Board, state: rules.State) -> Blockers:
    """Who waits for whom."""
    left = set(state)
    vehicles = [v for v in board.vehicles if v.id in left]
    owner = {cell: v.id for v in vehicles for cell in v.cells()}
    ahead = {v.id: [owner[cell] for cell in rules.lane(board, v) if cell in owner] for v in vehicles}
    return {name: tuple(dict.fromkeys(found)) for name, found in ahead.items()}


def _obstacles_ahead(board: rules.Board, state: rules.State) -> dict[str, tuple[int, int]]:
    """The vehicles left that have an obstacle ahead, and its nearest cell."""
    blocked, left = set(board.obstacles), set(state)
    vehicles = (v for v in board.vehicles if v.id in left)
    firsts = ((v.id, next((c for c in rules.lane(board, v) if c in blocked), None)) for v in vehicles)
    return {name: cell for name, cell in firsts if cell is not None}


def _leaving_order(blockers: Blockers, walled: Iterable[str]) -> tuple[str, ...]:
    """Vehicles in an order in which they can leave, first come first served; those that never can are left out."""
    waiting = {name: len(ahead) for name, ahead in blockers.items()} | dict.fromkeys(walled, -1)
    behind: dict[str, list[str]] = {name: [] for name in blockers}
    for name, ahead in blockers.items():
        for other in ahead:
            behind[other].append(name)
    order: list[str] = []
    free = deque(name for name, count in waiting.items() if count == 0)
    while free:
        order.append(free.popleft())
        for name in behind[order[-1]]:
            waiting[name] -= 1
            if waiting[name] == 0:
                free.append(name)
    return tuple(order)


def _reason(stuck: Blockers, walled: dict[str, tuple[int, int]]) -> Proof:
    """A shortest ring of vehicles that wait for each other, else a vehicle that faces an obstacle."""
    ring = shortest_ring(stuck)
    if ring:
        return Proof("blocking_cycle", {"vehicles": list(ring)})
    name = next(name for name in stuck if name in walled)
    return Proof("obstacle_ahead", {"vehicle": name, "cell": list(walled[name])})


def shortest_ring(blockers: Blockers) -> tuple[str, ...]:
    """A shortest cycle, each blocked by the next and the last by the first; the first in order among equals."""
    best: tuple[str, ...] = ()
    for root in blockers:
        before: dict[str, str] = {}
        reached = deque([root])
        while reached and root not in before:
            name = reached.popleft()
            for other in blockers[name]:
                if other in blockers and other not in before:
                    before[other] = name
                    reached.append(other)
        if root not in before:
            continue
        ring = [before[root]]
        while ring[-1] != root:
            ring.append(before[ring[-1]])
        if not best or len(ring) < len(best):
            best = tuple(reversed(ring))
    return best


SOLVER = TruckEscapeSolver()
