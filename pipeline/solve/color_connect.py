"""Exact Color Connect: the least number of cells all paths need, or that no layout exists.

The work is done by a frontier sweep (`color_connect_sweep`) under a bound on the number of cells. The bound starts at
the sum of the pairs' shortest paths and is raised until a pass finds a layout: that layout is a least one, because the
pass considered all layouts within its bound. A pass that cuts nothing and finds nothing proves that there is none.

Where time or memory end first, a narrow pass that keeps only promising states may still find some layout, and CP-SAT
(`color_connect_cpsat`) may still prove it least or impossible.
"""

from collections.abc import Iterator
from dataclasses import replace

from pipeline.core.canonical import Json
from pipeline.core.outcome import Budget, Clock, Outcome, Proof, Solved, Unknown, Unsolvable
from pipeline.games import color_connect as rules
from pipeline.games.color_connect_paths import Path
from pipeline.solve.color_connect_cpsat import solve_model
from pipeline.solve.color_connect_frontier import UNBOUNDED, Frontier, Pass
from pipeline.solve.contract import Solver

SAFE, LOST = {"can_dead_end": False}, {"can_dead_end": True}
"""A finished path can be taken away again: states are lost in unsolvable levels only."""
SWEEP_SHARE = 0.6
"""Of the seconds; the rest is for the fall-backs."""
NARROW = (300, 3_000, 30_000)
"""States a layer keeps in passes that look for some layout and prove nothing, one after another."""


class ColorConnectSolver(Solver[rules.Board, rules.State, rules.Move]):
    """Least cells, uniqueness of filled layouts, or proof that there is no layout."""

    game = "color_connect"
    version = "1"

    def solve(self, board: rules.Board, budget: Budget, state: rules.State | None = None) -> Outcome[rules.Move]:
        """See `Solver.solve`. `proven` is about the least number of cells; the number of moves is known from the board.

        Facts: `min_cells` when proven, else `cells` of the layout and `cells_at_least`; `unique` with `must_fill`.
        From a state, finished paths that are in the way are taken away first.
        """
        outcome = _Search(board, budget).run()
        if state is None or isinstance(outcome, Unsolvable):
            return outcome
        left = sum(not path for path in state.paths)
        if isinstance(outcome, Unknown):
            return replace(outcome, lower_bound=left)
        return replace(outcome, moves=_moves_from(board, state, outcome.moves), lower_bound=left)

    def warm_up(self) -> None:
        pair = rules.Pair(color="red", ends=((0, 0), (0, 1)))
        for must_fill in (False, True):
            board = rules.Board(rows=2, cols=2, pairs=(pair,), must_fill=must_fill)
            first_layout(board, Budget())


def first_layout(board: rules.Board, budget: Budget) -> tuple[Path, ...] | None:
    """Some layout, soon: paths in pair order. None says nothing about the board."""
    frontier, clock = Frontier(board), Clock(budget)
    if not frontier.fits or None in frontier.least_cells:
        return None
    shortest = sum(cells or 0 for cells in frontier.least_cells)
    for keep in NARROW:
        for bound in (UNBOUNDED,) if board.must_fill else _bounds(shortest):
            found = frontier.run(bound, budget, clock, keep)
            if found is None:
                return None
            if found.paths is not None:
                return found.paths
            if found.exhausted and not found.cut:
                return None
    return None


def _moves_from(board: rules.Board, state: rules.State, moves: tuple[rules.Move, ...]) -> tuple[rules.Move, ...]:
    """Removals of the finished paths that differ from the layout's, then the layout's missing paths."""
    if rules.GAME.won(board, state):
        return ()
    drawn = {pair.color: path for pair, path in zip(board.pairs, state.paths, strict=True) if path}
    kept = {move.color for move in moves if drawn.get(move.color) == move.path}
    removals = tuple(rules.Move(color, ()) for color in drawn if color not in kept)
    return removals + tuple(move for move in moves if move.color not in kept)


class _Search:
    """One board's search: what is known so far, and the outcomes it may end in."""

    def __init__(self, board: rules.Board, budget: Budget) -> None:
        self._board = board
        self._budget = budget
        self._clock = Clock(budget)
        self._frontier = Frontier(board)
        self._explored = 0
        self._layout: tuple[Path, ...] | None = None
        self._at_least = 0

    def run(self) -> Outcome[rules.Move]:
        least = self._frontier.least_cells
        if None in least:
            color = self._board.pairs[least.index(None)].color
            return self._unsolvable("cut_off", {"color": color})
        free = self._board.rows * self._board.cols - len(self._board.walls)
        if self._board.must_fill and not _balanced(self._board):
            return self._unsolvable("checkerboard", {})
        self._at_least = free if self._board.must_fill else sum(cells or 0 for cells in least)
        decided = None
        if self._frontier.fits:
            decided = self._filled() if self._board.must_fill else self._least()
        return decided or self._fallen_back()

    def _least(self) -> Outcome[rules.Move] | None:
        """Raise the bound until a layout or a proof is found."""
        shortest = self._at_least
        for bound in _bounds(shortest):
            found = self._pass(bound)
            if found is None:
                return None
            if found.paths is not None:
                self._layout = found.paths
                kind = "shortest_each" if found.value == shortest else "swept"
                return self._solved(kind) if found.exhausted or found.value == shortest else None
            if not found.exhausted:
                return None
            if not found.cut:
                return self._unsolvable("swept", {"states": self._explored})
            self._at_least = bound + 2  # each pair's number of cells is odd or even once and for all
        return None

    def _filled(self) -> Outcome[rules.Move] | None:
        """Count the layouts that fill the board: none, one, or more. On open boards a narrow pass meets two soon."""
        for keep in (*NARROW, None):
            found = self._pass(UNBOUNDED, keep)
            if found is None:
                return None
            if found.paths is not None:
                self._layout = found.paths
            if found.exhausted or found.value > 1:
                if self._layout is None:
                    return self._unsolvable("swept", {"states": self._explored})
                return self._solved("filled", unique=found.value == 1)
        return None if self._layout is None else self._solved("filled")

    def _pass(self, bound: int, keep: int | None = None) -> Pass | None:
        seconds = None if self._budget.seconds is None else SWEEP_SHARE * self._budget.seconds - self._clock.spent
        found = self._frontier.run(bound, self._budget, Clock(replace(self._budget, seconds=seconds)), keep)
        self._explored += found.states if found else 0
        return found

    def _fallen_back(self) -> Outcome[rules.Move]:
        """Some layout by narrow passes, then CP-SAT with the time left."""
        if self._layout is None:
            self._layout = first_layout(self._board, replace(self._budget, seconds=self._seconds_left()))
        answer = solve_model(self._board, self._clock, self._layout)
        if answer.status == "infeasible" and self._layout is None:
            return self._unsolvable("cp_sat", {})
        self._at_least = max(self._at_least, answer.at_least)
        if answer.paths is not None:
            self._layout = answer.paths
        if self._layout is None:
            reason = f"stopped after {self._clock.spent:.0f} seconds and {self._explored:,} states"
            facts = SAFE | {"cells_at_least": self._at_least}
            return Unknown(len(self._board.pairs), self._explored, reason, facts)
        if self._board.must_fill:
            return self._solved("filled")
        return self._solved("cp_sat" if answer.status == "optimal" else "layout")

    def _seconds_left(self) -> float | None:
        return None if self._budget.seconds is None else self._clock.left

    def _solved(self, kind: str, **facts: Json) -> Outcome[rules.Move]:
        assert self._layout is not None
        moves = tuple(rules.Move(pair.color, path) for pair, path in zip(self._board.pairs, self._layout, strict=True))
        cells = sum(map(len, self._layout))
        proven = kind != "layout"
        known = {"min_cells": cells} if proven else {"cells": cells, "cells_at_least": self._at_least}
        body: dict[str, Json] = {"cells": cells} if proven else {"cells_at_least": self._at_least}
        proof = Proof(kind, body | ({"states": self._explored} if kind == "swept" else {}))
        return Solved(moves, len(moves), proven, proof, self._explored, SAFE | known | facts)

    def _unsolvable(self, kind: str, body: dict[str, Json]) -> Unsolvable:
        return Unsolvable(Proof(kind, body), self._explored, LOST)


def _bounds(shortest: int) -> Iterator[int]:
    """Growing bounds on the cells: the cost of a pass grows with its bound, so little is lost before the last."""
    yield shortest
    slack = 4
    while shortest + slack < UNBOUNDED:
        yield shortest + slack
        slack *= 4
    yield UNBOUNDED


def _balanced(board: rules.Board) -> bool:
    """Whether paths can fill the board as far as its checkerboard colouring tells.

    A path alternates between light and dark cells: with ends of different shades it uses as many of one as of the
    other, with ends of one shade one more of that. So the sum over the pairs must be the surplus of the free cells.
    """
    spots = {(r, c) for r in range(board.rows) for c in range(board.cols)} - set(board.walls)
    surplus = sum(1 - 2 * ((r + c) % 2) for r, c in spots)
    return 2 * surplus == sum(1 - 2 * ((r + c) % 2) for pair in board.pairs for r, c in pair.ends)


SOLVER = ColorConnectSolver()
