"""Bolt Unscrew, `hinged`: a schedule of searches, first for some win, then for a shorter one or the proof of none."""

from dataclasses import dataclass

from pipeline.games.bolt_unscrew import GAME, Board, State
from pipeline.games.bolt_unscrew_rig import rig_of
from pipeline.games.contract import replay
from pipeline.solve.bolt_unscrew_best_first import PROOF, Effort, Guide, search
from pipeline.solve.bolt_unscrew_dead_end import dead_end
from pipeline.solve.bolt_unscrew_look import look_at
from pipeline.solve.bolt_unscrew_shorten import shortened

FIRST_PROOF = 25_000
"""Simulated moves of A* before anything else: it decides most boards at once, and proves what it decides."""
FIRST_QUOTA = 20_000
"""Simulated moves of each hurried search in the first round; every further round has four times as many."""
ROUNDS = 5
TAIL_QUOTA = 4_000
TAIL_STEP = 6
"""After a win its ends are searched again, from every sixth move backwards, by so many simulated moves each."""
LAST_PROOF = 60_000
"""Simulated moves of A* below the best length found."""

_HURRIED = (Guide(2.0), Guide(4.0, 16.0), Guide(3.0, 9.0), Guide(3.0, 6.0))
_PATIENT = (Guide(1.5), Guide(2.0), Guide(2.0, 4.0))
_TAIL = Guide(1.2)


@dataclass
class Findings:
    """What is known of a board so far."""

    lower_bound: int
    best: State | None = None
    exhausted: bool = False
    """Whether every state that could lead to a win, or to a shorter one than `best`, was seen."""

    def below(self, start: State) -> int | None:
        """The length that a further solution must stay below; None while there is none."""
        return None if self.best is None else len(self.best.moves) - len(start.moves)


class Hunt:
    """The searches of one board, sharing one effort."""

    def __init__(self, board: Board, start: State, effort: Effort) -> None:
        self.board, self.start, self.effort = board, start, effort
        self.found = Findings(look_at(rig_of(board), start).bound)

    def run(self) -> Findings:
        """Search until the least length is proved, the limit is reached or the schedule is through."""
        self._search(PROOF, FIRST_PROOF)
        for round_ in range(ROUNDS):
            for guide in _HURRIED:
                if self.found.best is None:
                    self._search(guide, FIRST_QUOTA * 4**round_)
        for guide in _PATIENT:
            self._search(guide, FIRST_QUOTA)
        self._search(PROOF, LAST_PROOF)
        if self.effort.dead_end is None:
            self.effort.dead_end = dead_end(self.board, self.start, self.effort)
        return self.found

    def _search(self, guide: Guide, quota: int) -> None:
        """One search, unless nothing is left to be found; a win is shortened at once."""
        if self.found.exhausted or self._least() or self.effort.spent():
            return
        below = self.found.below(self.start)
        ending = search(self.board, self.start, guide, below, self.effort, quota)
        self.found.lower_bound = max(self.found.lower_bound, ending.lower_bound)
        self.found.exhausted = ending.exhausted
        if ending.won is not None:
            self.found.best = ending.won
            self._polish()

    def _polish(self) -> None:
        """Leave moves out of the best solution and search its ends anew, until neither makes it shorter."""
        length = None
        while self.found.best is not None and length != len(self.found.best.moves) and not self._least():
            length = len(self.found.best.moves)
            moves = self.found.best.moves[len(self.start.moves) :]
            shorter = shortened(rig_of(self.board), self.start, moves, self.effort)
            self.found.best = replay(GAME, self.board, shorter, self.start)
            self._search_tails(self.found.best)

    def _search_tails(self, best: State) -> None:
        """Better ends of the best solution, the shortest first: few planks are left there, so A* gets far."""
        for cut in range(len(best.moves) - TAIL_STEP, len(self.start.moves), -TAIL_STEP):
            middle = replay(GAME, self.board, best.moves[len(self.start.moves) : cut], self.start)
            ending = search(self.board, middle, _TAIL, len(best.moves) - cut, self.effort, TAIL_QUOTA)
            best = ending.won or best
        self.found.best = best

    def _least(self) -> bool:
        """Whether the best solution is known to be a shortest one."""
        below = self.found.below(self.start)
        return below is not None and below <= self.found.lower_bound
