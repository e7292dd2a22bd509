"""Bolt Unscrew, `hinged`: beam search over simulated moves.

Layer by layer the most promising states are kept. What makes a state promising is a weighted count of what still hangs
(planks, the screws that hold them) against free holes. Two things keep the beam wide in what matters: states that
differ only in where idle screws stand share a small number of places, and so do states from which the same planks are
gone. A search is a pure function of board, state and limits: it is ended by a count of simulated moves, and by the
clock only in so far as the caller then reports less.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from pipeline.core.outcome import Clock
from pipeline.games.bolt_unscrew import Move, State, successor
from pipeline.games.bolt_unscrew_model import Pose
from pipeline.games.bolt_unscrew_rig import Rig
from pipeline.solve.bolt_unscrew_look import Look, holes_of, look_at

Key = tuple[tuple[int, ...], tuple[Pose | None, ...]]


@dataclass(frozen=True)
class Taste:
    """Weights of the score (less is better): planks, released ones more, holding screws, grips, minus free holes."""

    planks: float
    released: float
    holding: float
    grips: float
    free: float

    def score(self, look: Look) -> float:
        """The score of a state."""
        return (
            self.planks * look.remaining
            + self.released * look.released
            + self.holding * look.holding.bit_count()
            + self.grips * look.grips
            - self.free * look.free.bit_count()
        )


@dataclass(frozen=True)
class Beam:
    """One search: how many states a layer keeps, how many of them alike, and by which taste."""

    width: int
    taste: Taste
    alike: int
    """Most states, over all layers, that differ in idle screws only."""
    same_gone: int
    """Most states of a layer that have lost the same planks."""


class Effort:
    """Simulated moves, counted over all searches of one board against a limit; and the clock."""

    def __init__(self, clock: Clock, limit: int) -> None:
        self.moves = 0
        self.limit = limit
        self.clock = clock
        self.dead_end: State | None = None
        """A state met on the way that is lost at sight, if any was."""

    def spent(self) -> bool:
        """Whether a search must stop."""
        return self.moves >= self.limit or self.clock.left <= 0


def run(rig: Rig, start: State, beam: Beam, below: int, effort: Effort) -> State | None:
    """The first won state found by fewer than `below` moves from the start; None when the beam runs dry or time out."""
    layer, used = [start], Counter[object]()
    expanded: set[Key] = set()
    for depth in range(1, below):
        met: dict[Key, tuple[float, int, State, Look]] = {}
        for state in layer:
            expanded.add((state.screws, state.poses))
            if effort.spent():
                return None
            for after in _successors(rig, state, effort):
                key = (after.screws, after.poses)
                if key in expanded or key in met:
                    continue
                look = look_at(rig, after)
                if not look.remaining:
                    return after
                if not look.free:
                    effort.dead_end = effort.dead_end or after
                elif depth + look.bound < below and used[_essence(after, look)] < beam.alike:
                    met[key] = (beam.taste.score(look), len(met), after, look)
        layer = _kept(list(met.values()), beam, used)
    return None


def _successors(rig: Rig, state: State, effort: Effort) -> Iterator[State]:
    targets = holes_of(look_at(rig, state).free)
    for source in state.screws:
        for target in targets:
            effort.moves += 1
            yield successor(rig, state, Move(source, target))


def _essence(state: State, look: Look) -> tuple[object, ...]:
    """What is left of a state when idle screws are taken for places like any free hole."""
    return state.poses, look.holding, look.idle | look.free


def _kept(met: list[tuple[float, int, State, Look]], beam: Beam, used: Counter[object]) -> list[State]:
    """The best of a layer within the beam's limits on likeness."""
    kept, gone = [], Counter[object]()
    for _, _, state, look in sorted(met, key=lambda entry: entry[:2]):
        essence, left = _essence(state, look), tuple(pose is None for pose in state.poses)
        if used[essence] >= beam.alike or gone[left] >= beam.same_gone:
            continue
        used[essence] += 1
        gone[left] += 1
        kept.append(state)
        if len(kept) == beam.width:
            break
    return kept
