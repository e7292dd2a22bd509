"""Color Connect as a constraint model for CP-SAT: the second method, sharing nothing with the frontier sweep.

Every edge between neighbouring cells is used or not, every cell has at most one colour; ends have one used edge, other
coloured cells two, and a used edge joins equal colours. Such a model also accepts stray rings beside the paths: without
`must_fill` a ring only costs cells and may be left out; with it every ring found is forbidden and the model solved
again. CP-SAT does not promise the same layout in every version, so only verdicts and minima may be relied upon.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Literal

from ortools.sat.python import cp_model

from pipeline.core.outcome import Clock
from pipeline.games.color_connect import Board
from pipeline.games.color_connect_paths import Path, Spot

Edge = tuple[Spot, Spot]
SEED = 1


@dataclass(frozen=True)
class Answer:
    """`optimal`: a layout with the least cells; `feasible`: some layout; `infeasible`: none exists; `unknown`."""

    status: Literal["optimal", "feasible", "infeasible", "unknown"]
    paths: tuple[Path, ...] | None = None
    at_least: int = 0
    """A proved lower bound on the cells of any layout."""


class _OutOfTime(Exception):
    """The time was used up before the model was complete: large boards have hundreds of thousands of constraints."""


@dataclass
class _Model:
    """The model and what its variables stand for; _OutOfTime when there is no time to build it."""

    board: Board
    clock: Clock
    model: cp_model.CpModel = field(default_factory=cp_model.CpModel)
    color: dict[Spot, list[cp_model.IntVar]] = field(default_factory=dict)
    edges: dict[Edge, cp_model.IntVar] = field(default_factory=dict)

    def __post_init__(self) -> None:
        board, walls = self.board, set(self.board.walls)
        spots = [(r, c) for r in range(board.rows) for c in range(board.cols) if (r, c) not in walls]
        for spot in spots:
            self._check_time()
            self.color[spot] = [self.model.new_bool_var("") for _ in board.pairs]
        for row, col in spots:
            for ahead in ((row + 1, col), (row, col + 1)):
                if ahead in self.color:
                    self.edges[(row, col), ahead] = self.model.new_bool_var("")
        self._constrain()
        self.model.minimize(sum(variable for colors in self.color.values() for variable in colors))

    def _constrain(self) -> None:
        end_of = {end: i for i, pair in enumerate(self.board.pairs) for end in pair.ends}
        beside: dict[Spot, list[cp_model.IntVar]] = {spot: [] for spot in self.color}
        for (a, b), used in self.edges.items():
            self._check_time()
            beside[a].append(used)
            beside[b].append(used)
            for one, other in zip(self.color[a], self.color[b], strict=True):
                self.model.add(one == other).only_enforce_if(used)
        for spot, colors in self.color.items():
            self._check_time()
            if spot in end_of:
                self.model.add(sum(beside[spot]) == 1)
                for i, variable in enumerate(colors):
                    self.model.add(variable == (1 if i == end_of[spot] else 0))
            else:
                self.model.add(sum(beside[spot]) == 2 * sum(colors))
                self.model.add(sum(colors) == 1) if self.board.must_fill else self.model.add_at_most_one(colors)

    def _check_time(self) -> None:
        if self.clock.left <= 0:
            raise _OutOfTime

    def hint(self, paths: Sequence[Path]) -> None:
        """Start from a known layout."""
        joined = {edge for path in paths for step in pairwise(path) for edge in (step, step[::-1])}
        for edge, used in self.edges.items():
            self.model.add_hint(used, edge in joined)

    def forbid(self, edges: Sequence[Edge]) -> None:
        """Not all of these edges together."""
        self.model.add(sum(self.edges[edge] for edge in edges) <= len(edges) - 1)


def solve_model(board: Board, clock: Clock, known: Sequence[Path] | None = None) -> Answer:
    """The least number of cells within the time left (wall-clock and CP-SAT's own deterministic seconds alike)."""
    try:
        model = _Model(board, clock)
    except _OutOfTime:
        return Answer("unknown")
    if known is not None:
        model.hint(known)
    while clock.left > 0:
        solver = _solver(clock.left)
        status = solver.solve(model.model)
        if status == cp_model.INFEASIBLE:
            return Answer("infeasible")
        if status not in (cp_model.OPTIMAL, cp_model.FEASIBLE):
            break
        used = [edge for edge, variable in model.edges.items() if solver.boolean_value(variable)]
        paths, rings = _traced(board, used)
        at_least = round(solver.best_objective_bound)
        if not rings or not board.must_fill:
            return Answer("optimal" if status == cp_model.OPTIMAL else "feasible", paths, at_least)
        for ring in rings:
            model.forbid(ring)
    return Answer("unknown")


def _solver(seconds: float) -> cp_model.CpSolver:
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    solver.parameters.random_seed = SEED
    if seconds != float("inf"):
        solver.parameters.max_time_in_seconds = seconds
        solver.parameters.max_deterministic_time = seconds
    return solver


def _traced(board: Board, used: Sequence[Edge]) -> tuple[tuple[Path, ...], list[list[Edge]]]:
    """The path of every pair from `ends[0]` to `ends[1]`, and the stray rings."""
    links: dict[Spot, list[Spot]] = {}
    for a, b in used:
        links.setdefault(a, []).append(b)
        links.setdefault(b, []).append(a)
    paths = tuple(_followed(links, pair.ends[0]) for pair in board.pairs)
    on_paths = {spot for path in paths for spot in path}
    rings: list[list[Edge]] = []
    left = {edge: None for edge in used if edge[0] not in on_paths}
    while left:
        ring = set(_followed(links, next(iter(left))[0]))
        rings.append([edge for edge in left if edge[0] in ring])
        left = {edge: None for edge in left if edge[0] not in ring}
    return paths, rings


def _followed(links: dict[Spot, list[Spot]], start: Spot) -> Path:
    """The cells from `start` along used edges until they end or come round."""
    path = [start]
    while True:
        ahead = [spot for spot in links[path[-1]] if spot not in path[-2:-1]]
        if not ahead or (ahead[0] == start and len(path) > 1):
            return tuple(path)
        path.append(ahead[0])
