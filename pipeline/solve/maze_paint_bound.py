"""Branch and bound that proves a length too short, as a tree whose leaves carry integer certificates."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from math import floor

from pipeline.core.canonical import Json
from pipeline.core.outcome import Clock
from pipeline.solve.maze_paint_graph import SlideGraph
from pipeline.solve.maze_paint_relaxation import INTEGRAL, SLACK, Box, Dual, Group, Relaxation


@dataclass(frozen=True)
class Branch:
    """Either the slides of a group are used at most `most` times (`below`) or more often (`above`)."""

    group: Group
    most: int
    below: "Tree"
    above: "Tree"


Tree = Branch | Dual


class BoundProver:
    """Proves that no covering walk has `length` slides or fewer."""

    def __init__(self, relaxation: Relaxation, length: int, clock: Clock, max_nodes: int) -> None:
        self._relaxation, self._length = relaxation, length
        self._clock, self._max_nodes = clock, max_nodes
        self.nodes = 0

    def prove(self) -> Tree | None:
        """The tree, or None when the limits are reached or rounding stands in the way."""
        return self._prove({})

    def _prove(self, box: Box) -> Tree | None:
        self.nodes += 1
        if self.nodes > self._max_nodes or self._clock.left <= 0:
            return None
        value = self._relaxation.tighten(self._length + SLACK)
        if value > self._length + SLACK:
            dual = self._relaxation.dual(box, self._length + 1)
            if dual.least > self._length:
                return dual
        found = self._most_divided()
        if found is None:
            return None
        group, uses = found
        least, most = box.get(group, (0, None))
        at_most = floor(uses)
        below = self._under(box, group, (least, at_most))
        above = None if below is None else self._under(box, group, (at_most + 1, most))
        return None if below is None or above is None else Branch(group, at_most, below, above)

    def _under(self, box: Box, group: Group, bounds: tuple[int, int | None]) -> Tree | None:
        self._relaxation.bound_uses(group, *bounds)
        tree = self._prove({**box, group: bounds})
        self._relaxation.bound_uses(group, *box.get(group, (0, None)))
        return tree

    def _most_divided(self) -> tuple[Group, float] | None:
        """The group whose uses are furthest from an integer, and their number; None when all are integers.

        How often each stop is entered goes first: trees that branch there are a tenth of the size. Among equals the
        stop with the fewest slides into it is best, then the one entered least. Single slides follow where all those
        numbers are whole.
        """
        uses, graph = self._relaxation.uses, self._relaxation.graph
        for groups in (graph.entering, [(i,) for i in range(len(uses))]):
            totals = [(group, sum(uses[i] for i in group)) for group in groups]
            divided = [(group, total) for group, total in totals if abs(total - round(total)) > INTEGRAL]
            if divided:
                return max(divided, key=lambda d: (round(abs(d[1] - round(d[1])), 4), -len(d[0]), -round(d[1], 4)))
        return None


def leaves(tree: Tree) -> Iterator[Dual]:
    """The certificates of a tree, from left to right."""
    if isinstance(tree, Branch):
        yield from leaves(tree.below)
        yield from leaves(tree.above)
    else:
        yield tree


def document(tree: Tree, graph: SlideGraph, numbers: Mapping[int, int]) -> Json:
    """The tree as JSON: stops as cells, slides as row, column and direction, rows by the number given to them."""
    if isinstance(tree, Branch):
        shown: dict[str, Json] = {"slides": _named(graph, tree.group), "at_most": tree.most}
        branches = ("below", tree.below), ("above", tree.above)
        return shown | {name: document(branch, graph, numbers) for name, branch in branches}
    return {
        "scale": tree.scale,
        "rows": [[numbers[row], y] for row, y in tree.rows],
        "bounds": [[_named(graph, group), y] for group, y in tree.bounds],
        "potentials": [[*graph.stops[v], y] for v, y in enumerate(tree.potentials) if y],
    }


def _named(graph: SlideGraph, group: Group) -> Json:
    return [[*graph.stops[graph.slides[i].tail], graph.slides[i].direction] for i in group]
