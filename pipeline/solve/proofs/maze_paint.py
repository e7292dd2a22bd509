"""What is re-checked of a Maze Paint claim: everything but the record of an integer program that had no proof tree.

Lower bound. Let a solution use slide e exactly x_e times. These inequalities hold for it:

    cell c, stops S:    x summed over the slides that enter S, or cross c from a stop outside S,  is at least 1
                        (c bare at the start, which is not in S: c is crossed from outside S, or S is entered)
    a branch:           a set of slides is used at most k times in all, or at least k + 1 times

and it leaves every stop as often as it enters it, but for its two ends. A leaf gives integer multipliers of these
inequalities (not negative, but for "at most") and a potential of every stop, so that for each slide from u to v

    multipliers of the inequalities it is in  +  potential(u) - potential(v)  <=  scale.

Summed over the solution: length * scale >= multipliers * right-hand sides + potential(start) - potential(end). The
leaves of a tree of branches leave no case out, so the weakest leaf bounds every solution. All of it is integer sums.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

from pipeline.core.canonical import Json
from pipeline.core.errors import Problem
from pipeline.games import maze_paint as rules
from pipeline.games.grid import STEPS
from pipeline.solve.proofs.facts import unknown_facts

Slide = tuple[rules.Place, str]
"""A slide by the stop it leaves and its direction."""

MAX_CHAINS = 2_000_000
MAX_DEPTH = 200


@dataclass(frozen=True)
class _Arc:
    head: rules.Place
    cells: frozenset[rules.Place]


class _Maze:
    """Stops and slides, worked out again from the rules."""

    def __init__(self, board: rules.Board) -> None:
        self.board = board
        self.start = rules.GAME.start(board).ball
        self.bare = frozenset(rules.floor_cells(board)) - {self.start}
        self.arcs: dict[Slide, _Arc] = {}
        pending, self.stops = [self.start], {self.start}
        while pending:
            stop = pending.pop()
            for direction in STEPS:
                entered = rules.crossed(board, stop, direction)
                if entered:
                    self.arcs[stop, direction] = _Arc(entered[-1], frozenset(entered))
                    if entered[-1] not in self.stops:
                        self.stops.add(entered[-1])
                        pending.append(entered[-1])

    @cached_property
    def crossing(self) -> dict[rules.Place, set[Slide]]:
        """For each bare cell the slides that cross it."""
        found: dict[rules.Place, set[Slide]] = {cell: set() for cell in self.bare}
        for slide, arc in self.arcs.items():
            for cell in arc.cells & self.bare:
                found[cell].add(slide)
        return found

    def onward(self, stop: rules.Place, without: rules.Place | None = None) -> set[rules.Place]:
        """Stops that can be reached from `stop` without crossing a cell."""
        found, pending = {stop}, [stop]
        while pending:
            here = pending.pop()
            for direction in STEPS:
                arc = self.arcs.get((here, direction))
                if arc is not None and arc.head not in found and without not in arc.cells:
                    found.add(arc.head)
                    pending.append(arc.head)
        return found


def check(board: rules.Board, claim: Mapping[str, Json], proof: Mapping[str, Json]) -> list[Problem]:
    """Problems of a claim about a maze (see `proofs.table`)."""
    maze = _Maze(board)
    problems = unknown_facts(claim) or _check_safety(maze, claim)
    if problems:
        return problems
    if claim["solvable"]:
        return _check_bound(maze, claim, proof)
    if proof["kind"] == "unreachable_cells":
        cells = sorted(list(cell) for cell, slides in maze.crossing.items() if not slides)
        if not cells or proof["cells"] != cells:
            return [Problem("reason_wrong", "those are not the cells that no slide reaches.", "$.proof.cells")]
        return []
    if proof["kind"] != "one_way":
        return [Problem("proof_malformed", "that is no reason known for a maze.", "$.proof.kind")]
    if _finishable(maze):
        return [Problem("verdict_wrong", "some order of the one-way parts paints everything.", "$.claim.solvable")]
    return []


def _check_safety(maze: _Maze, claim: Mapping[str, Json]) -> list[Problem]:
    """A level can be lost exactly when one cell can be put out of reach while it is bare.

    (From a lost state play on until all stops in reach reach one another and cross all there is: a cell that is still
    bare was avoided all along and is out of reach.)
    """
    onward = {stop: maze.onward(stop) for stop in maze.stops}
    able = {cell: {stop for stop, _ in slides} for cell, slides in maze.crossing.items()}
    can_be_lost = any(
        not onward[stop] & stops for cell, stops in able.items() for stop in maze.onward(maze.start, without=cell)
    )
    if claim["facts"].get("can_dead_end") is not can_be_lost:
        message = f"the level {'can' if can_be_lost else 'cannot'} be lost."
        return [Problem("fact_wrong", message, "$.claim.facts.can_dead_end")]
    return []


def _finishable(maze: _Maze) -> bool:
    """Whether some chain of mutually reachable parts and one-way slides crosses every bare cell."""
    onward = {stop: maze.onward(stop) for stop in maze.stops}
    part = {a: frozenset(b for b in onward[a] if a in onward[b]) for a in maze.stops}
    inside = {p: frozenset[rules.Place]() for p in part.values()}
    ways: dict[frozenset[rules.Place], list[_Arc]] = {p: [] for p in part.values()}
    for (tail, _), arc in maze.arcs.items():
        if arc.head in part[tail]:
            inside[part[tail]] |= arc.cells
        else:
            ways[part[tail]].append(arc)
    first = (part[maze.start], maze.bare - inside[part[maze.start]])
    seen, pending = {first}, [first]
    while pending:
        here, rest = pending.pop()
        if not rest:
            return True
        for arc in ways[here]:
            case = (part[arc.head], rest - arc.cells - inside[part[arc.head]])
            if case not in seen:
                seen.add(case)
                pending.append(case)
        if len(seen) > MAX_CHAINS:
            raise ValueError(f"more than {MAX_CHAINS} chains of one-way parts")
    return False


def _check_bound(maze: _Maze, claim: Mapping[str, Json], proof: Mapping[str, Json]) -> list[Problem]:
    rows = [_row(maze, row) for row in proof["rows"]]
    bound = _Tree(maze, rows).least(proof["tree"], {})
    recorded = proof["kind"] == "integer_program"  # its minimum stands as the solver's word, above the tree's bound
    if proof["kind"] != "bound_tree" and not recorded:
        return [Problem("proof_malformed", "that is no proof known of a least number of slides.", "$.proof.kind")]
    if claim["lower_bound"] > bound and not recorded:
        message = f"the proof bounds every solution by {bound} slides only."
        return [Problem("bound_wrong", message, "$.claim.lower_bound")]
    if claim["proven"] is not (claim["lower_bound"] == claim["min_moves"]) or bound > claim["min_moves"]:
        return [Problem("counts_disagree", "the bound and the minimum do not fit together.", "$.claim.proven")]
    return []


def _row(maze: _Maze, row: Mapping[str, Json]) -> set[Slide]:
    """The slides of a covering inequality; ValueError when it is none."""
    cell, inside = _place(row["cell"]), {_place(stop) for stop in row["inside"]}
    if cell not in maze.bare or maze.start in inside:
        raise ValueError(f"no inequality holds for cell {cell}")
    enters = {slide for slide, arc in maze.arcs.items() if arc.head in inside and slide[0] not in inside}
    return enters | {slide for slide in maze.crossing[cell] if slide[0] not in inside}


Bounds = dict[frozenset[Slide], tuple[int, int | None]]


@dataclass(frozen=True)
class _Tree:
    maze: _Maze
    rows: list[set[Slide]]

    def least(self, node: Mapping[str, Json], bounds: Bounds) -> int:
        """The least length that the leaves below a node leave possible."""
        if "slides" not in node:
            return self._leaf(node, bounds)
        if len(bounds) > MAX_DEPTH:
            raise ValueError("the tree is too deep")
        group, most = self._group(node["slides"]), _whole(node["at_most"])
        low, high = bounds.get(group, (0, None))
        below = self.least(node["below"], {**bounds, group: (low, most)})
        return min(below, self.least(node["above"], {**bounds, group: (most + 1, high)}))

    def _leaf(self, leaf: Mapping[str, Json], bounds: Bounds) -> int:
        load = dict.fromkeys(self.maze.arcs, 0)
        total = 0
        for number, multiplier in leaf["rows"]:
            if _whole(multiplier) < 0 or _whole(number) < 0:
                raise ValueError("a multiplier of a covering inequality is negative")
            total += multiplier
            _add(load, self.rows[number], multiplier)
        for named, multiplier in leaf["bounds"]:
            group = self._group(named)
            low, high = bounds[group]
            right = low if _whole(multiplier) > 0 else high
            if right is None:
                raise ValueError("a multiplier of an 'at least' is negative")
            total += multiplier * right
            _add(load, group, multiplier)
        potential = dict.fromkeys(self.maze.stops, 0)
        potential |= {(row, col): _whole(value) for row, col, value in leaf["potentials"]}
        scale = _whole(leaf["scale"])
        steepest = max((y + potential[s[0]] - potential[self.maze.arcs[s].head] for s, y in load.items()), default=0)
        if scale < 1 or steepest > scale:
            raise ValueError("a slide weighs more than the scale")
        total += potential[self.maze.start] - max(potential.values())
        return max(0, -(-total // scale))

    def _group(self, named: Iterable[Json]) -> frozenset[Slide]:
        group = frozenset(((row, col), direction) for row, col, direction in named)
        if not group <= set(self.maze.arcs):
            raise ValueError("a branch names a slide that does not exist")
        return group


def _add(load: dict[Slide, int], slides: Iterable[Slide], multiplier: int) -> None:
    for slide in slides:
        load[slide] += multiplier


def _place(cell: Json) -> rules.Place:
    row, col = cell
    return _whole(row), _whole(col)


def _whole(value: Json) -> int:
    if type(value) is not int:
        raise TypeError(f"{value!r} is no whole number")
    return value
