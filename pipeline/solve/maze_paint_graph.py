"""The slide graph of a maze: stops, the slides between them, and what follows from their order alone.

Painted cells never block a slide, so where the ball can go depends on the maze and its place only. A state is lost
exactly when no walk through the graph crosses all cells that are still bare; everything here is about such walks.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from pipeline.games import maze_paint as rules
from pipeline.games.grid import STEPS, Direction


@dataclass(frozen=True)
class Slide:
    """An arc from stop `tail` to stop `head`; `cells` is the mask of the floor cells it crosses."""

    tail: int
    head: int
    direction: Direction
    cells: int


@dataclass(frozen=True)
class SlideGraph:
    """All stops the ball can reach, stop 0 where it is now, and every slide between them."""

    stops: tuple[rules.Place, ...]
    slides: tuple[Slide, ...]

    @cached_property
    def leaving(self) -> tuple[tuple[int, ...], ...]:
        """Indexes of the slides that leave each stop."""
        return self._grouped(slide.tail for slide in self.slides)

    @cached_property
    def entering(self) -> tuple[tuple[int, ...], ...]:
        """Indexes of the slides that end at each stop."""
        return self._grouped(slide.head for slide in self.slides)

    def _grouped(self, keys: Iterable[int]) -> tuple[tuple[int, ...], ...]:
        groups: list[list[int]] = [[] for _ in self.stops]
        for index, key in enumerate(keys):
            groups[key].append(index)
        return tuple(tuple(group) for group in groups)


def slide_graph(board: rules.Board, ball: rules.Place) -> SlideGraph:
    """Every stop reachable from `ball`, in breadth-first order."""
    cells = {cell: 1 << i for i, cell in enumerate(rules.floor_cells(board))}
    numbers, stops, slides = {ball: 0}, [ball], []
    for tail, stop in enumerate(stops):  # grows while it is walked
        for direction in STEPS:
            entered = rules.crossed(board, stop, direction)
            if not entered:
                continue
            if entered[-1] not in numbers:
                numbers[entered[-1]] = len(stops)
                stops.append(entered[-1])
            mask = sum(cells[cell] for cell in entered)
            slides.append(Slide(tail, numbers[entered[-1]], direction, mask))
    return SlideGraph(tuple(stops), tuple(slides))


def reach(graph: SlideGraph, sources: Iterable[int], without: int = 0, backwards: bool = False) -> dict[int, int]:
    """Stops that walks from (or, backwards, to) the sources visit without crossing a cell of the mask `without`.

    Maps each stop to the slide it was first reached by, -1 for the sources, in breadth-first order.
    """
    found = dict.fromkeys(sources, -1)
    queue = list(found)
    arcs = graph.entering if backwards else graph.leaving
    for stop in queue:  # grows while it is walked
        for index in arcs[stop]:
            slide = graph.slides[index]
            following = slide.tail if backwards else slide.head
            if following not in found and not slide.cells & without:
                found[following] = index
                queue.append(following)
    return found


@dataclass(frozen=True)
class Need:
    """A bare cell (as a mask of one bit) and the slides that cross it, one of which every solution contains."""

    cell: int
    slides: frozenset[int]


def needs(graph: SlideGraph, bare: int) -> tuple[Need, ...]:
    """The bare cells that matter: a cell crossed by every slide that crosses another bare cell is painted anyway."""
    crossing: dict[frozenset[int], int] = {}
    rest = bare
    while rest:
        cell = rest & -rest
        rest ^= cell
        slides = frozenset(i for i, slide in enumerate(graph.slides) if slide.cells & cell)
        crossing.setdefault(slides, cell)
    least: list[Need] = []
    for slides, cell in sorted(crossing.items(), key=lambda item: (len(item[0]), item[1])):
        if not any(need.slides <= slides for need in least):
            least.append(Need(cell, slides))
    return tuple(least)


@dataclass(frozen=True)
class Trap:
    """A walk after which a cell (a mask of one bit) is still bare and can never be painted."""

    slides: tuple[int, ...]
    cell: int


def trap(graph: SlideGraph, bare: int) -> Trap | None:
    """Some way to lose, or None when every state that can be reached can still be finished.

    Suppose a lost state is reached. Play on until the stops that can still be reached all reach one another, and cross
    everything there. The level is still lost, so some cell was never crossed and is out of reach for ever. Hence there
    is a lost state exactly when, for one single cell, a walk that avoids it ends where no walk leads to it any more,
    and that is a search through the graph for each cell.
    """
    for need in needs(graph, bare):
        able = reach(graph, sorted({graph.slides[i].tail for i in need.slides}), backwards=True)
        avoiding = reach(graph, [0], without=need.cell)
        for stop in avoiding:
            if stop not in able:
                return Trap(_walk(graph, avoiding, stop), need.cell)
    return None


def _walk(graph: SlideGraph, found: dict[int, int], stop: int) -> tuple[int, ...]:
    slides = []
    while found[stop] >= 0:
        slides.append(found[stop])
        stop = graph.slides[found[stop]].tail
    return tuple(reversed(slides))


def components(graph: SlideGraph) -> list[int]:
    """For each stop the number of its strongly connected component."""
    number = [-1] * len(graph.stops)
    for stop in range(len(graph.stops)):
        if number[stop] < 0:
            back = reach(graph, [stop], backwards=True)
            for other in reach(graph, [stop]):
                if other in back:
                    number[other] = stop
    return number


@dataclass(frozen=True)
class Chains:
    """Whether some chain of components crosses every bare cell, and how many (component, bare cells) were seen."""

    finishable: bool
    seen: int


def finishable(graph: SlideGraph, bare: int, limit: int) -> Chains | None:
    """Whether the bare cells can all be crossed by one walk; None when more than `limit` cases would be needed.

    Inside a component of mutually reachable stops every slide can be used, in any order, before leaving it; so only the
    order of components and the one-way slides between them matter.
    """
    number = components(graph)
    inside = dict.fromkeys(number, 0)
    ways: dict[int, list[Slide]] = {component: [] for component in inside}
    for slide in graph.slides:
        if number[slide.tail] == number[slide.head]:
            inside[number[slide.tail]] |= slide.cells
        else:
            ways[number[slide.tail]].append(slide)
    first = (number[0], bare & ~inside[number[0]])
    seen, stack = {first}, [first]
    while stack:
        component, rest = stack.pop()
        if not rest:
            return Chains(True, len(seen))
        for slide in ways[component]:
            following = number[slide.head]
            case = (following, rest & ~slide.cells & ~inside[following])
            if case not in seen:
                seen.add(case)
                stack.append(case)
        if len(seen) > limit:
            return None
    return Chains(False, len(seen))


def euler_walk(graph: SlideGraph, uses: Sequence[int]) -> list[int]:
    """The slides of a walk from stop 0 that uses slide i exactly `uses[i]` times (Hierholzer's algorithm).

    The uses must be connected to stop 0 and balanced at every stop but 0 and the last one.
    """
    left = list(uses)
    pending = [[i for i in slides if left[i]] for slides in graph.leaving]
    stack, walk = [(0, -1)], []
    while stack:
        stop, came_by = stack[-1]
        if pending[stop]:
            index = pending[stop][-1]
            left[index] -= 1
            if not left[index]:
                pending[stop].pop()
            stack.append((graph.slides[index].head, index))
        else:
            stack.pop()
            if came_by >= 0:
                walk.append(came_by)
    return walk[::-1]
