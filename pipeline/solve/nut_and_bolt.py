"""Exact Nut and Bolt: least moves by the waste search of `nut_and_bolt_kernel`, or proof that no win can be reached."""

from pipeline.core.outcome import Budget, Clock, Outcome, Proof, Solved, Unknown, Unsolvable
from pipeline.games import nut_and_bolt as rules
from pipeline.solve import nut_and_bolt_kernel as kernel
from pipeline.solve.contract import Solver
from pipeline.solve.nut_and_bolt_codes import Coding, lower_bound

SLICE = 100_000
"""States between two looks at the clock: about a tenth of a second."""
FIRST_ROOM = 1 << 13
GROWTH = 4


class WasteSearch:
    """One search from one state: its codes, its arrays, and why it had to stop."""

    def __init__(self, board: rules.Board, state: rules.State, greedy: bool = False) -> None:
        self._board, self._state, self._greedy = board, state, greedy
        self._coding = Coding(state, board.capacity)
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
        """The moves to the win that `run` found, on the bolts in their real order (the first of equal bolts)."""
        taken, index = [], int(self._cursor[kernel.WINNER])
        while index:
            taken.append([self._coding.content(int(code)) for code in self._store.taken[index]])
            index = int(self._store.parent[index])
        moves, state = [], self._state
        for source, target in reversed(taken):
            i = state.index(source)
            j = next(j for j, bolt in enumerate(state) if bolt == target and j != i)
            moves.append(rules.Move(i, j))
            state = rules.GAME.apply(self._board, state, moves[-1])
        return tuple(moves)


class NutAndBoltSolver(Solver[rules.Board, rules.State, rules.Move]):
    """Least moves, or proof that the state is lost."""

    game = "nut_and_bolt"
    version = "1"

    def solve(self, board: rules.Board, budget: Budget, state: rules.State | None = None) -> Outcome[rules.Move]:
        start = rules.GAME.start(board) if state is None else state
        if rules.GAME.won(board, start):
            return Solved((), 0, True, Proof("bound", {"bound": 0}), 1)
        search = WasteSearch(board, start)
        won = search.run(budget)
        if won is True:
            moves = search.solution()
            return Solved(moves, len(moves), True, _proof(search), search.explored)
        if won is False:
            return Unsolvable(Proof("exhausted", {"states": search.explored}), search.explored)
        return Unknown(search.bound + search.waste, search.explored, won)

    def warm_up(self) -> None:
        board = rules.Board(capacity=2, bolts=(("red", "blue"), ("blue", "red"), ()))
        self.solve(board, Budget())


def _proof(search: WasteSearch) -> Proof:
    """The bound alone, or the bound and the exhausted layers of less waste."""
    if search.waste == 0:
        return Proof("bound", {"bound": search.bound})
    return Proof("exhausted", {"bound": search.bound, "waste": search.waste, "states": search.explored})


SOLVER = NutAndBoltSolver()
