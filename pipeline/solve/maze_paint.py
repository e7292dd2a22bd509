"""Exact Maze Paint: the shortest walk through the slide graph that crosses every bare cell.

    1  `trap` decides whether the level can be lost, `finishable` whether it can be won (both exact, both without search
       over painted sets: painted cells never block a slide).
    2  A linear relaxation with connectivity cuts bounds the length from below.
    3  CP-SAT finds a shortest walk over the same rows.
    4  Branch and bound on the relaxation proves again that one slide less is too few, as a tree of integer certificates
       that `proofs.maze_paint` checks by adding up: the minimum rests on no search and no floating-point number.

Painted sets are Python integers of any size, so boards of more than 64 or 128 cells are nothing special.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from math import ceil

from pipeline.core.canonical import Json
from pipeline.core.outcome import Budget, Clock, Outcome, Proof, Solved, Unknown, Unsolvable
from pipeline.games import maze_paint as rules
from pipeline.solve.contract import Solver
from pipeline.solve.maze_paint_bound import BoundProver, Tree, document, leaves
from pipeline.solve.maze_paint_graph import SlideGraph, finishable, needs, slide_graph, trap
from pipeline.solve.maze_paint_program import IntegerProgram, relaxed_walk
from pipeline.solve.maze_paint_relaxation import SLACK, Relaxation

MAX_CHAINS = 2_000_000
"""Chains of components tried before `finishable` gives up."""
MAX_NODES = 2_000
"""Nodes of the proof tree before the minimum is reported with the root bound only."""


class MazePaintSolver(Solver[rules.Board, rules.State, rules.Move]):
    """Least slides with a checkable bound, solvability, and whether the level can be lost."""

    game = "maze_paint"
    version = "1"

    def solve(self, board: rules.Board, budget: Budget, state: rules.State | None = None) -> Outcome[rules.Move]:
        clock = Clock(budget)
        start = rules.GAME.start(board) if state is None else state
        graph = slide_graph(board, start.ball)
        bare = rules.whole_floor(board) & ~start.painted
        safety = _safety(board, graph, bare)
        facts = {"can_dead_end": safety is not None}
        crossed = 0
        for slide in graph.slides:
            crossed |= slide.cells
        if bare & ~crossed:
            cells = [list(cell) for cell in rules.cells_of(board, bare & ~crossed)]
            return Unsolvable(Proof("unreachable_cells", {"cells": cells}), len(graph.stops), facts)
        chains = finishable(graph, bare, min(MAX_CHAINS, budget.states or MAX_CHAINS))
        if chains is None:
            return Unknown(1, MAX_CHAINS, "stopped: too many orders of one-way parts", facts)
        if not chains.finishable:
            return Unsolvable(Proof("one_way", {"chains": chains.seen}), chains.seen, facts)
        found = _shortest(board, Relaxation(graph, needs(graph, bare)), budget, clock)
        if isinstance(found, Unknown):
            return Unknown(found.lower_bound, found.explored, found.reason, facts)
        moves = tuple(rules.Move(graph.slides[i].direction) for i in found.slides)
        body = found.body if safety is None else {**found.body, "trap": safety}
        proven = found.lower_bound == len(moves)
        return Solved(moves, found.lower_bound, proven, Proof(found.kind, body), found.nodes, facts)

    def warm_up(self) -> None:
        self.solve(rules.Board(grid=("@.", "..")), Budget())


@dataclass(frozen=True)
class _Found:
    """A walk, the bound proved for it, and the proof's kind and body."""

    slides: tuple[int, ...]
    lower_bound: int
    kind: str
    body: Mapping[str, Json]
    nodes: int


def _shortest(board: rules.Board, relaxation: Relaxation, budget: Budget, clock: Clock) -> _Found | Unknown:
    root = relaxation.dual({}, ceil(relaxation.tighten() - SLACK))
    walk = relaxed_walk(relaxation) or IntegerProgram(relaxation, root.least).solve(clock)
    if walk is None:
        return Unknown(root.least, 1, f"stopped after {clock.spent:.1f} seconds without a solution")
    length = len(walk.slides)
    if length == root.least or not walk.optimal:
        return _Found(walk.slides, root.least, "bound_tree", _body(board, relaxation, root), 1)
    prover = BoundProver(relaxation, length - 1, clock, min(MAX_NODES, budget.states or MAX_NODES))
    tree = prover.prove()
    if tree is None:
        return _Found(walk.slides, length, "integer_program", _body(board, relaxation, root), prover.nodes)
    return _Found(walk.slides, length, "bound_tree", _body(board, relaxation, tree), prover.nodes)


def _body(board: rules.Board, relaxation: Relaxation, tree: Tree) -> Mapping[str, Json]:
    """The rows that the tree's leaves use, as cells and sets of stops, and the tree."""
    stops = relaxation.graph.stops
    used = sorted({row for leaf in leaves(tree) for row, _ in leaf.rows})
    rows: list[Json] = []
    for number in used:
        row = relaxation.rows[number]
        inside = [list(stops[v]) for v in sorted(row.inside)]
        rows.append({"cell": list(rules.cells_of(board, row.cell)[0]), "inside": inside})
    numbers = {row: i for i, row in enumerate(used)}
    return {"rows": rows, "tree": document(tree, relaxation.graph, numbers)}


def _safety(board: rules.Board, graph: SlideGraph, bare: int) -> Json:
    """How the level is lost: slides to play and the cell they put out of reach. None when it cannot be lost."""
    lost = trap(graph, bare)
    if lost is None:
        return None
    after: list[Json] = [graph.slides[i].direction for i in lost.slides]
    return {"after": after, "cell": list(rules.cells_of(board, lost.cell)[0])}


SOLVER = MazePaintSolver()
