"""Three outcomes of a search, and what it may spend.

A search that ran out is `Unknown`, never `Unsolvable`.
"""

import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from pipeline.core.canonical import Json

M = TypeVar("M")


@dataclass(frozen=True)
class Budget:
    """Limits of one search: wall-clock seconds, distinct states, bytes of table. None is no limit."""

    seconds: float | None = 60.0
    states: int | None = 200_000_000
    memory_bytes: int | None = 4 * 1024**3


class Clock:
    """Time spent against a budget."""

    def __init__(self, budget: Budget) -> None:
        self._start = time.monotonic()
        self._seconds = budget.seconds

    @property
    def spent(self) -> float:
        """Seconds since the search began."""
        return time.monotonic() - self._start

    @property
    def left(self) -> float:
        """Seconds left, 0 when the budget is used up, infinite without a limit."""
        return float("inf") if self._seconds is None else max(0.0, self._seconds - self.spent)


@dataclass(frozen=True)
class Proof:
    """Why a claim holds: a kind the checker knows and its plain-JSON body (deterministic: no times, no paths)."""

    kind: str
    body: Mapping[str, Json] = field(default_factory=dict)


@dataclass(frozen=True)
class Solved(Generic[M]):
    """A replayable solution, a valid lower bound on its length, and whether the level's minimum is proved."""

    moves: tuple[M, ...]
    lower_bound: int
    proven: bool
    proof: Proof
    explored: int
    facts: Mapping[str, Json] = field(default_factory=dict)


@dataclass(frozen=True)
class Unsolvable:
    """No solution exists, and why."""

    proof: Proof
    explored: int
    facts: Mapping[str, Json] = field(default_factory=dict)


@dataclass(frozen=True)
class Unknown:
    """The budget ran out: what is still known (a solution needs at least `lower_bound` moves) and what was spent."""

    lower_bound: int
    explored: int
    reason: str
    facts: Mapping[str, Json] = field(default_factory=dict)


Outcome = Solved[M] | Unsolvable | Unknown
