"""What can be played: objectives, each a game at one difficulty with its levels in order."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

from pipeline.core.errors import UsageError
from pipeline.games.level import Level
from pipeline.games.table import GAMES

_LADDER = ("easy", "medium", "hard", "extreme", "nightmare")
"""Difficulties that have an order; others follow by name."""


@dataclass(frozen=True)
class Objective:
    """The levels of one game at one difficulty; level n of the page is `levels[n - 1]`."""

    game: str
    difficulty: str
    levels: tuple[Level, ...]

    @cached_property
    def digests(self) -> tuple[str, ...]:
        """The digest of each level."""
        return tuple(level.digest for level in self.levels)


@dataclass(frozen=True)
class Shelf:
    """All objectives in the order they are offered. `digest` names the whole set; seed variants depend on it."""

    objectives: tuple[Objective, ...]
    digest: str

    @property
    def games(self) -> tuple[str, ...]:
        """The games there are levels of."""
        return tuple(dict.fromkeys(objective.game for objective in self.objectives))

    def of_game(self, game: str) -> tuple[Objective, ...]:
        """The objectives of a game; none for a game that is not here."""
        return tuple(objective for objective in self.objectives if objective.game == game)

    def objective(self, game: str, difficulty: str) -> Objective | None:
        """One objective, or None."""
        return next((o for o in self.of_game(game) if o.difficulty == difficulty), None)

    def only(self, game: str, difficulty: str) -> "Shelf":
        """This shelf with one objective alone, under the same digest: the same variants."""
        return Shelf(tuple(o for o in self.of_game(game) if o.difficulty == difficulty), self.digest)


def make_shelf(levels: Iterable[tuple[str, Level]], digest: str) -> Shelf:
    """A shelf of (place, level) pairs, a place being `<game>/<difficulty>/<number>`; UsageError when there are none."""
    sorted_by_place: dict[tuple[str, str], list[tuple[int, Level]]] = {}
    for place, level in levels:
        game, difficulty, number = place.split("/")
        sorted_by_place.setdefault((game, difficulty), []).append((int(number), level))
    if not sorted_by_place:
        raise UsageError("there are no levels to play.")
    return Shelf(tuple(_objectives(sorted_by_place)), digest)


def _objectives(levels: Mapping[tuple[str, str], list[tuple[int, Level]]]) -> Iterable[Objective]:
    games = list(GAMES)

    def order(key: tuple[str, str]) -> tuple[int, str, int, str]:
        game, difficulty = key
        known = games.index(game) if game in GAMES else len(games)
        step = _LADDER.index(difficulty) if difficulty in _LADDER else len(_LADDER)
        return known, game, step, difficulty

    for key in sorted(levels, key=order):
        numbered = sorted(levels[key], key=lambda item: item[0])
        yield Objective(*key, tuple(level for _, level in numbered))
