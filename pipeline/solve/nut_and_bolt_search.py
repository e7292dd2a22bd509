"""One waste search from one state: the compiled kernel driven under a budget."""

from collections.abc import Iterable

from pipeline.core.outcome import Budget, Clock
from pipeline.games import nut_and_bolt as rules
from pipeline.solve import nut_and_bolt_kernel as kernel
from pipeline.solve.nut_and_bolt_codes import Coding, coding_of, lower_bound

SLICE = 100_000
"""States between two looks at the clock: about a third of a second."""
FIRST_ROOM = 1 << 13
GROWTH = 4


class WasteSearch:
    """The codes and arrays of a search; `greedy` dives for any win without regard to waste."""

    def __init__(self, board: rules.Board, state: rules.State, greedy: bool = False) -> None:
        self._board, self._state, self._greedy = board, state, greedy
        self._coding = coding_of(state, board.capacity)
        self.bound = lower_bound(state, board.capacity)
        self._store, self._cursor = kernel.begin(self._coding.codes, self._coding.start, self.bound, FIRST_ROOM)

    @property
    def explored(self) -> int:
        """Distinct states found so far."""
        return int(self._cursor[kernel.COUNT])

    @property
    def waste(self) -> int:
        """The waste of the layer being searched: no solution wastes less."""
        return int(self._cursor[kernel.LAYER])

    def run(self, budget: Budget) -> bool | str:
        """True when a win was found, False when there is none, else the reason for stopping."""
        clock = Clock(budget)
        while True:
            stop = self.explored + SLICE
            if budget.states is not None:
                stop = min(stop, budget.states)
            why = kernel.search(self._coding.codes, self._store, self._cursor, stop, self._greedy)
            if why in (kernel.WON, kernel.EXHAUSTED):
                return bool(why == kernel.WON)
            if budget.states is not None and self.explored >= budget.states:
                return f"stopped after {self.explored:,} states"
            if clock.left <= 0:
                return f"stopped after {budget.seconds:g} seconds and {self.explored:,} states"
            if why == kernel.FULL:
                needed = kernel.bytes_of(GROWTH * self._store.sums.size, len(self._state))
                if budget.memory_bytes is not None and needed > budget.memory_bytes:
                    return f"stopped at {self.explored:,} states: larger tables would need {needed >> 20:,} MiB"
                self._store = kernel.grown(self._store, self.explored, GROWTH)

    def solution(self) -> tuple[rules.Move, ...]:
        """The moves to the win that `run` found."""
        taken = kernel.path_to(self._store, int(self._cursor[kernel.WINNER]))
        return real_moves(self._board, self._state, self._coding, taken)


def real_moves(
    board: rules.Board, state: rules.State, coding: Coding, taken: Iterable[tuple[int, int]]
) -> tuple[rules.Move, ...]:
    """Moves given as codes of source and target, on bolts in their real order (the first of equal bolts)."""
    moves = []
    for source, target in taken:
        i = state.index(coding.content(source))
        j = next(j for j, bolt in enumerate(state) if bolt == coding.content(target) and j != i)
        moves.append(rules.Move(i, j))
        state = rules.GAME.apply(board, state, moves[-1])
    return tuple(moves)
