"""The shortest covering walk as an integer program: the rows of the relaxation, integral, and cuts when needed."""

from dataclasses import dataclass

from ortools.sat.python import cp_model

from pipeline.core.outcome import Clock
from pipeline.solve.maze_paint_graph import SlideGraph, euler_walk, reach
from pipeline.solve.maze_paint_relaxation import INTEGRAL, Relaxation, Row


@dataclass(frozen=True)
class Walk:
    """Slides of a walk that crosses every need, and whether the program proved that none is shorter."""

    slides: tuple[int, ...]
    optimal: bool


def relaxed_walk(relaxation: Relaxation) -> Walk | None:
    """The walk that the relaxation's own optimum is, where all its numbers are whole."""
    uses = [round(use) for use in relaxation.uses]
    if any(abs(use - whole) > INTEGRAL for use, whole in zip(relaxation.uses, uses, strict=True)):
        return None
    walk = euler_walk(relaxation.graph, uses)
    return Walk(tuple(walk), True) if len(walk) == sum(uses) else None


class IntegerProgram:
    """CP-SAT with one worker and a fixed seed: the same answer on every run."""

    def __init__(self, relaxation: Relaxation, lower_bound: int) -> None:
        self._relaxation, self._graph = relaxation, relaxation.graph
        graph = self._graph
        most = len(relaxation.cover) + 1
        # Between two cells painted for the first time a shortest walk repeats no slide, hence `most`.
        self._model = cp_model.CpModel()
        self._use = [self._model.new_int_var(0, most, "") for _ in graph.slides]
        ends = [self._model.new_bool_var("") for _ in graph.stops]
        self._model.add_exactly_one(ends)
        for stop, end in enumerate(ends):
            leaving = sum(self._use[i] for i in graph.leaving[stop])
            entering = sum(self._use[i] for i in graph.entering[stop])
            self._model.add(leaving - entering + end == int(stop == 0))
        for row in relaxation.rows:
            self._add(row)
        self._model.add(sum(self._use) >= lower_bound)
        self._model.minimize(sum(self._use))

    def _add(self, row: Row) -> None:
        self._model.add(sum(self._use[i] for i in sorted(row.slides)) >= 1)

    def solve(self, clock: Clock) -> Walk | None:
        """A shortest walk; one not proved shortest, or None, when time runs out."""
        solver = cp_model.CpSolver()
        solver.parameters.num_workers = 1
        solver.parameters.random_seed = 1
        solver.parameters.linearization_level = 2
        while True:
            solver.parameters.max_time_in_seconds = min(clock.left, 1e9)
            status = solver.solve(self._model)
            if status not in (cp_model.OPTIMAL, cp_model.FEASIBLE):
                return None
            uses = [solver.value(variable) for variable in self._use]
            cuts = self._violated(uses)
            if not cuts:
                return Walk(tuple(euler_walk(self._graph, uses)), status == cp_model.OPTIMAL)
            for cut in cuts:
                self._add(cut)

    def _violated(self, uses: list[int]) -> list[Row]:
        """New rows that loops away from stop 0 violate; none when the slides used hang together."""
        used = SlideGraph(self._graph.stops, tuple(s for s, n in zip(self._graph.slides, uses, strict=True) if n))
        left = {slide.tail for slide in used.slides} - set(reach(used, [0]))
        cuts = []
        while left:
            loop = frozenset(reach(used, [min(left)]))  # balanced, so whatever is reached leads back
            left -= loop
            for need in self._relaxation.cover:
                if all(self._graph.slides[i].tail in loop for i in need.slides if uses[i]):
                    row = self._relaxation.add_cut(need, loop)
                    cuts += [] if row is None else [row]
        return cuts
