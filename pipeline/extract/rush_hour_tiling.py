"""Which cells belong together: the likeliest cut of the occupied cells into straight vehicles.

Every border between two occupied cells carries the log-odds that it parts two vehicles. A cut pays, for each border,
the negative log-probability of what it says about it; a cell that joins no neighbour is no vehicle and pays a fine.
The least cost is found by depth-first search with a bound, and for each vehicle again without it: the difference is
the log-odds that the vehicle was read right.
"""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

Cell = tuple[int, int]
Border = tuple[Cell, Cell]
"""Two neighbouring cells, the upper or left one first."""

SURE = 5.0
"""Log-odds from which a border is taken as read while the cells are grouped for the search."""

LONG = 2.0
"""Cost of each cell of a vehicle beyond the third: games have cars of two and trucks of three cells, seldom more."""

LONGEST = 8
"""Cells of the longest vehicle that is looked for."""

STEPS_ALLOWED = 3_000
"""Placements tried before a search settles for the best cut met so far."""


@dataclass(frozen=True, order=True)
class Piece:
    """A straight run of cells; `length` 1 is a lone cell."""

    row: int
    col: int
    length: int
    down: bool

    @property
    def cells(self) -> tuple[Cell, ...]:
        """Top-left first."""
        return tuple((self.row + i * self.down, self.col + i * (not self.down)) for i in range(self.length))


@dataclass(frozen=True, eq=False)
class Cut:
    """The likeliest cut of the occupied cells: its pieces in reading order and its cost."""

    pieces: tuple[Piece, ...]
    cost: float
    _searches: tuple[tuple["_Search", tuple[Piece, ...], float], ...]

    @cached_property
    def margins(self) -> tuple[float, ...]:
        """For each piece, the log-odds of this cut against the best one without the piece."""
        found: dict[Piece, float] = {}
        for search, pieces, cost in self._searches:
            found |= {piece: search.best(piece)[1] - cost for piece in pieces}
        return tuple(found[piece] for piece in self.pieces)


def cut_pieces(alone: Mapping[Cell, float], parted: Mapping[Border, float], most: float = math.inf) -> Cut | None:
    """The likeliest cut of the occupied cells: `alone` gives what each one costs that belongs to no vehicle.

    `parted` gives each border's log-odds of parting two pieces. None when no cut was found that costs less than `most`.
    """
    if _least_cost(alone, parted) >= most:
        return None
    searches = [_Search({cell: alone[cell] for cell in group}, borders) for group, borders in _grouped(alone, parted)]
    left = most - sum(search.least for search in searches)
    if left <= 0:
        return None
    cuts = []
    for search in searches:
        pieces, cost = search.best(most=left + search.least)
        if not pieces:
            return None
        left -= cost - search.least
        cuts.append((search, tuple(pieces), cost))
    everything = tuple(sorted(piece for _, pieces, _ in cuts for piece in pieces))
    return Cut(everything, sum(cost for _, _, cost in cuts), tuple(cuts))


def _least_cost(alone: Mapping[Cell, float], parted: Mapping[Border, float]) -> float:
    """No cut costs less: the sum of what the searches say of their groups or a little less, at a fraction of the work.

    Borders that part surely cost next to nothing. What can be gained by joining is booked at the upper or left cell;
    a cell that joins nothing is alone, and joining costs either cell half of what speaks against it.
    """
    cost, gain, least = 0.0, dict[Cell, float](), dict(alone)
    for (first, second), odds in parted.items():
        half = odds / 2 if odds > 0 else 0.0
        if half < least[first]:
            least[first] = half
        if half < least[second]:
            least[second] = half
        if odds < SURE:
            cost += _said(odds, True)
        if odds < gain.get(first, 0.0):
            gain[first] = odds
    return cost + sum(gain.values()) + sum(least.values())


def _grouped(occupied: Iterable[Cell], parted: Mapping[Border, float]) -> list[tuple[list[Cell], dict[Border, float]]]:
    """The groups of cells, and the log-odds of the borders within each."""
    groups = _groups(frozenset(occupied), parted)
    number = {cell: i for i, group in enumerate(groups) for cell in group}
    within: list[dict[Border, float]] = [{} for _ in groups]
    for border, odds in parted.items():
        first, second = number[border[0]], number[border[1]]
        if first == second:
            within[first][border] = odds
    return list(zip(groups, within, strict=True))


def _groups(occupied: frozenset[Cell], parted: Mapping[Border, float]) -> list[list[Cell]]:
    """Occupied cells linked by borders that are not surely parting, each group in reading order."""
    return connected(occupied, frozenset(border for border, odds in parted.items() if odds >= SURE))


def connected(cells: frozenset[Cell], closed: frozenset[Border] = frozenset()) -> list[list[Cell]]:
    """Groups of neighbouring cells, borders in `closed` being no link; each group in reading order."""
    seen: set[Cell] = set()
    groups = []
    for start in sorted(cells):
        if start in seen:
            continue
        seen.add(start)
        group, todo = [], [start]
        while todo:
            cell = todo.pop()
            group.append(cell)
            for other in _neighbours(cell):
                border = (min(cell, other), max(cell, other))
                if other in cells and other not in seen and border not in closed:
                    seen.add(other)
                    todo.append(other)
        groups.append(sorted(group))
    return groups


def _neighbours(cell: Cell) -> tuple[Cell, ...]:
    row, col = cell
    return (row - 1, col), (row, col - 1), (row, col + 1), (row + 1, col)


def _said(odds: float, parts: bool) -> float:
    """Negative log-probability of a border parting (or not) that has these log-odds of parting."""
    x = -odds if parts else odds
    return max(x, 0.0) + math.log1p(math.exp(-abs(x)))


class _Search:
    """Least-cost cuts of one group of cells; sets of cells are bit masks over the group, in reading order."""

    def __init__(self, alone: Mapping[Cell, float], parted: Mapping[Border, float]) -> None:
        group, self._alone = list(alone), alone
        self._bits = {cell: 1 << i for i, cell in enumerate(group)}
        self._base = sum(_said(odds, True) for odds in parted.values())
        # Joining across a border instead of parting changes the cost by just the log-odds.
        self._gain = parted
        # hope[i]: the most that cells from the i-th on can still gain; a piece's gains are booked at its own cells,
        # all of which come later in reading order than the cell it was placed for
        self._group, self._hope = group, [0.0] * (len(group) + 1)
        for i in range(len(group) - 1, -1, -1):
            row, col = group[i]
            gains = (self._gain.get(((row, col), other), 0.0) for other in ((row, col + 1), (row + 1, col)))
            self._hope[i] = self._hope[i + 1] + min(0.0, *gains)

        self.least = self._base + self._hope[0] + self._least_alone()
        """No cut costs less."""

    def _least_alone(self) -> float:
        """What cells cost at least that have no border across which joining is free: each joins with a neighbour."""
        least = dict(self._alone)
        for (first, second), odds in self._gain.items():
            half = max(0.0, odds) / 2
            least[first], least[second] = min(least[first], half), min(least[second], half)
        return sum(least.values())

    @cached_property
    def _options(self) -> list[list[tuple[float, Piece, int]]]:
        return [self._pieces_from(cell) for cell in self._group]

    def _pieces_from(self, cell: Cell) -> list[tuple[float, Piece, int]]:
        """(change of cost, piece, its cells) for every piece whose first cell this is, the cheapest first."""
        found = [(self._alone[cell], Piece(*cell, 1, False), self._bits[cell])]
        for down in (False, True):
            change, last, mask = 0.0, cell, self._bits[cell]
            for length in range(2, LONGEST + 1):
                following = (last[0] + down, last[1] + (not down))
                if following not in self._bits:
                    break
                change += self._gain[(last, following)]
                mask |= self._bits[following]
                last = following
                found.append((change + LONG * max(0, length - 3), Piece(*cell, length, down), mask))
        return sorted(found)

    def best(self, banned: Piece | None = None, most: float = math.inf) -> tuple[list[Piece], float]:
        """The cheapest cut without the banned piece (in a search that grows too large: the cheapest one met).

        When none costs less than `most`: no pieces, and `most`.
        """
        self._banned, self._steps = banned, 0
        self._found: tuple[float, list[Piece]] = (most - self._base, [])
        self._place(0, 0, [], 0.0)
        cost, pieces = self._found
        return pieces, cost + self._base

    def _place(self, index: int, used: int, pieces: list[Piece], cost: float) -> None:
        while used >> index & 1:
            index += 1
        self._steps += 1
        if cost + self._hope[index] >= self._found[0] or self._steps > STEPS_ALLOWED:
            return
        if index == len(self._options):
            self._found = (cost, list(pieces))
            return
        for change, piece, mask in self._options[index]:
            if not mask & used and piece is not self._banned:
                pieces.append(piece)
                self._place(index + 1, used | mask, pieces, cost + change)
                pieces.pop()
