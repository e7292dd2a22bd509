"""Lower bounds on a covering walk: a linear relaxation with connectivity cuts, and its duals as integer certificates.

x_e counts how often slide e is used. A walk from stop 0 is balanced at every stop (but its ends) and satisfies:

    need c:              sum of x_e over the slides that cross c                                        >= 1
    need c, stops S:     sum of x_e over the slides that enter S, or cross c and leave a stop outside S   >= 1

The second (0 outside S) says that c is crossed from outside S, or else S must be entered. With these rows integral
solutions are walks: a loop away from stop 0 that is the only one to cross c violates the row of its own stops.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from math import inf

import numpy as np
from numpy.typing import NDArray
from ortools.graph.python import max_flow
from ortools.linear_solver import pywraplp

from pipeline.solve.maze_paint_graph import Need, SlideGraph

UNIT = 1_000_000
"""Flow of 1 in the integer maximum flows that separate cuts."""
SLACK = 1e-3
"""How far beyond an integer a relaxation's value must be for its rounded duals to be trusted to prove it."""
INTEGRAL = 1e-5
"""A number of uses this close to an integer is one."""
SCALES = (12, 5040, 1_000_000)
"""Denominators tried when duals are rounded to integers: most are halves, thirds and quarters."""

Group = tuple[int, ...]
"""Indexes of slides whose uses are bounded together, ascending."""

Box = Mapping[Group, tuple[int, int | None]]
"""Bounds on how often the slides of a group are used in all: (least, most), most None when there is none."""


@dataclass(frozen=True)
class Row:
    """A covering inequality: at least one of `slides` is used (see the head of this file)."""

    cell: int
    inside: frozenset[int]
    slides: frozenset[int]


@dataclass(frozen=True)
class Dual:
    """Integer multipliers that prove length * scale >= `bound`: of rows, of bounded groups, and a potential a stop."""

    scale: int
    rows: tuple[tuple[int, int], ...]
    bounds: tuple[tuple[Group, int], ...]
    potentials: tuple[int, ...]
    bound: int

    @property
    def least(self) -> int:
        """The least length the multipliers leave possible."""
        return -(-self.bound // self.scale)


@dataclass(frozen=True)
class _Duals:
    """Dual values of the rows, of the bounded groups and of the balance at each stop."""

    rows: list[float]
    groups: dict[Group, float]
    balance: list[float]


class Relaxation:
    """The linear program over one slide graph; rows are only ever added, bounds of groups come and go."""

    def __init__(self, graph: SlideGraph, cover: Iterable[Need]) -> None:
        self.graph, self.cover = graph, tuple(cover)
        self.rows: list[Row] = []
        self.uses: list[float] = []
        self._known: set[frozenset[int]] = set()
        self._program = pywraplp.Solver.CreateSolver("GLOP")
        # Few pivots lead from one program to the next, so the simplex must start where it ended, unpreprocessed.
        self._program.SetSolverSpecificParametersAsString("use_preprocessing:false use_dual_simplex:true")
        infinity = self._program.infinity()
        stops = range(len(graph.stops))
        self._use = [self._program.NumVar(0, infinity, "") for _ in graph.slides]
        self._end = [self._program.NumVar(0, 1, "") for _ in stops]
        self._missing = self._program.NumVar(0, infinity, "")
        self._balance = [self._program.Constraint(int(v == 0), int(v == 0)) for v in stops]
        one_end = self._program.Constraint(1, 1)
        for v in stops:
            self._balance[v].SetCoefficient(self._end[v], 1)
            one_end.SetCoefficient(self._end[v], 1)
        for variable, slide in zip(self._use, graph.slides, strict=True):
            if slide.tail != slide.head:
                self._balance[slide.tail].SetCoefficient(variable, 1)
                self._balance[slide.head].SetCoefficient(variable, -1)
            self._program.Objective().SetCoefficient(variable, 1)
        self._program.Objective().SetCoefficient(self._missing, 10.0 * len(graph.slides) + 10)
        self._row_constraints: list[pywraplp.Constraint] = []
        self._bounded: dict[Group, tuple[pywraplp.Constraint, pywraplp.Constraint]] = {}
        for need in self.cover:
            self._add(Row(need.cell, frozenset(), need.slides))

    def _add(self, row: Row) -> bool:
        """Add a row unless an equal one is there. `_missing` keeps the program feasible at a price no walk pays."""
        if row.slides in self._known:
            return False
        self._known.add(row.slides)
        constraint = self._program.Constraint(1, self._program.infinity())
        for index in sorted(row.slides):
            constraint.SetCoefficient(self._use[index], 1)
        constraint.SetCoefficient(self._missing, 1)
        self.rows.append(row)
        self._row_constraints.append(constraint)
        return True

    def bound_uses(self, group: Group, least: int, most: int | None) -> None:
        """Bound how often a group is used in all; (0, None) lifts the bound."""
        infinity = self._program.infinity()
        if group not in self._bounded:
            pair = self._program.Constraint(0, infinity), self._program.Constraint(-infinity, infinity)
            for constraint in pair:
                for index in group:
                    constraint.SetCoefficient(self._use[index], 1)
            pair[0].SetCoefficient(self._missing, 1)
            self._bounded[group] = pair
        at_least, at_most = self._bounded[group]
        at_least.SetBounds(least, infinity)
        at_most.SetBounds(-infinity, infinity if most is None else most)

    def tighten(self, beyond: float = inf) -> float:
        """Solve and add violated cuts until none is left or the value exceeds `beyond`; the value."""
        while True:
            if self._program.Solve() != pywraplp.Solver.OPTIMAL:
                raise ArithmeticError("the linear solver failed on a bounded feasible program")
            self.uses = [variable.solution_value() for variable in self._use]
            value = self._program.Objective().Value()
            if value > beyond or not self.separate():
                return float(value)

    def separate(self) -> int:
        """Add the cuts that the present solution violates (one maximum flow a need); how many were new."""
        flows = np.rint(np.array(self.uses) * UNIT).astype(np.int64)
        used = np.flatnonzero(flows)
        tails = np.array([s.tail for s in self.graph.slides], np.int32)
        heads = np.array([s.head for s in self.graph.slides], np.int32)
        added = 0
        for need in self.cover:
            crossing = np.array([i for i in sorted(need.slides) if flows[i]], np.intp)
            inside = self._short_of_flow(tails, heads, flows, used, crossing)
            if inside is not None:
                added += self._add(self.cut(need, inside))
        return added

    def cut(self, need: Need, inside: frozenset[int]) -> Row:
        """The row of a need and a set of stops."""
        slides = self.graph.slides
        enters = {i for v in inside for i in self.graph.entering[v] if slides[i].tail not in inside}
        outside = {i for i in need.slides if slides[i].tail not in inside}
        return Row(need.cell, inside, frozenset(enters | outside))

    def add_cut(self, need: Need, inside: frozenset[int]) -> Row | None:
        """Add a row from elsewhere; None when an equal one is there."""
        row = self.cut(need, inside)
        return row if self._add(row) else None

    def _short_of_flow(
        self,
        tails: NDArray[np.int32],
        heads: NDArray[np.int32],
        flows: NDArray[np.int64],
        used: NDArray[np.intp],
        crossing: NDArray[np.intp],
    ) -> frozenset[int] | None:
        """The sink side of a minimum cut between stop 0 and the crossing slides, where it is clearly below 1."""
        sink = len(self.graph.stops)
        network = max_flow.SimpleMaxFlow()
        network.add_arcs_with_capacity(
            np.concatenate([tails[used], tails[crossing]]),
            np.concatenate([heads[used], np.full(len(crossing), sink, np.int32)]),
            np.concatenate([flows[used], flows[crossing]]),
        )
        network.solve(0, sink)
        if network.optimal_flow() > 0.999 * UNIT:
            return None
        side = frozenset(int(v) for v in network.get_sink_side_min_cut() if v != sink)
        return None if 0 in side else side

    def dual(self, box: Box, wanted: int) -> Dual:
        """The last duals as integers, under the bounds of `box`: the coarsest that prove a length of `wanted`.

        Where none does, the finest: a valid certificate, of less.
        """
        duals = _Duals(
            [c.dual_value() for c in self._row_constraints],
            {group: sum(c.dual_value() for c in self._bounded[group]) for group in sorted(box)},
            [c.dual_value() for c in self._balance],
        )
        for scale in SCALES:
            found = self._rounded(duals, box, scale)
            if found.least >= wanted:
                break
        return found

    def _rounded(self, duals: _Duals, box: Box, scale: int) -> Dual:
        """Round, then raise the scale until every slide's inequality holds exactly; what remains is always valid."""
        rows = [max(0, round(y * scale)) for y in duals.rows]
        bounds = {g: round(y * scale) for g, y in duals.groups.items()}
        bounds = {g: y if box[g][1] is not None else max(0, y) for g, y in bounds.items() if y}
        potentials = [round(y * scale) for y in duals.balance]
        load = [potentials[s.tail] - potentials[s.head] for s in self.graph.slides]
        total = sum(rows) + potentials[0] - max(potentials)
        for row, multiplier in zip(self.rows, rows, strict=True):
            for index in row.slides if multiplier else ():
                load[index] += multiplier
        for group, multiplier in bounds.items():
            least, most = box[group]
            total += multiplier * (least if multiplier > 0 or most is None else most)
            for index in group:
                load[index] += multiplier
        used = tuple((i, y) for i, y in enumerate(rows) if y)
        return Dual(max([scale, *load]), used, tuple(bounds.items()), tuple(potentials), total)
