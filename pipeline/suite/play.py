"""A player's way through a shelf: home, difficulties, levels, level, and which levels are won. Pure, like the rules."""

from collections.abc import Mapping
from dataclasses import dataclass

from pipeline.core.canonical import Json
from pipeline.core.errors import PipelineError
from pipeline.suite.attempt import NOTHING, Attempt, Change
from pipeline.suite.controls.contract import AnyControls
from pipeline.suite.gestures import Event
from pipeline.suite.messages import Command
from pipeline.suite.shelf import Objective, Shelf
from pipeline.suite.variant import variant_of


@dataclass(frozen=True)
class Spot:
    """Where a player is: a level's number is 1 for the first; parts that are None have not been chosen yet."""

    game: str | None = None
    difficulty: str | None = None
    number: int | None = None

    @property
    def screen(self) -> str:
        """The name of the screen shown there."""
        if self.game is None:
            return "home"
        if self.difficulty is None:
            return "difficulties"
        return "levels" if self.number is None else "level"

    def up(self) -> "Spot":
        """One screen back."""
        if self.number is not None:
            return Spot(self.game, self.difficulty)
        return Spot(self.game) if self.difficulty is not None else Spot()


class Play:
    """One player. Levels of an objective open one after another; entering a level always begins it anew."""

    def __init__(self, shelf: Shelf, seed: int, controls: Mapping[str, AnyControls]) -> None:
        self._shelf, self._seed, self._controls = shelf, seed, controls
        self.spot = Spot()
        self.won: set[Spot] = set()
        self.attempts: dict[Spot, Attempt] = {}
        """The last attempt at every level reached so far, in the order of reaching them."""

    @property
    def attempt(self) -> Attempt | None:
        """The level on the screen."""
        return self.attempts[self.spot] if self.spot.number is not None else None

    # -- what a player does ---------------------------------------------------------------------
    def touch(self, event: Event) -> Change:
        """A pointer or key event on the board."""
        attempt = self.attempt
        return self._noticed(attempt.touch(event)) if attempt else NOTHING

    def command(self, command: Command) -> Change:
        """A button. One that is not there for the player does nothing."""
        self.release()
        match command.name:
            case "home":
                self.spot = Spot()
            case "menu":
                self.spot = self.spot.up()
            case "game" if command.game in self._shelf.games:
                self.spot = Spot(command.game)
            case "difficulty" if self.spot.game and self._shelf.objective(self.spot.game, command.difficulty or ""):
                self.spot = Spot(self.spot.game, command.difficulty)
            case "level" if command.number is not None:
                self._choose(command.number)
            case "next" if self.attempt and self.attempt.won and self.spot.number is not None:
                self._choose(self.spot.number + 1)
            case "restart" if self.attempt:
                return self.attempt.restart()
            case "undo" if self.attempt:
                return self.attempt.undo()
        return NOTHING

    def release(self) -> None:
        """Let go of whatever is held or selected."""
        if self.attempt:
            self.attempt.release()

    def _choose(self, number: int) -> None:
        objective = self._objective(self.spot)
        if objective and self._status(objective, number) in ("open", "won"):
            self.enter(Spot(objective.game, objective.difficulty, number))

    # -- what the evaluator, a launch and a journal do ------------------------------------------
    def enter(self, spot: Spot, state: str | None = None) -> None:
        """Go to a screen; a level begins at its start or in the state given. PipelineError for no such place."""
        attempt = self._attempt_at(spot, state) if spot.number is not None else None
        if spot.game is not None and attempt is None and not self._is_there(spot):
            raise PipelineError(f"there are no levels of {spot.game} {spot.difficulty or ''}".rstrip() + ".")
        self.release()
        self.spot = spot
        if attempt:
            self.attempts.pop(spot, None)
            self.attempts[spot] = attempt
            self._noticed(NOTHING)

    def replay(self, move: str) -> None:
        """Make a move of a journal; PipelineError when there is no level or the move cannot be made."""
        if self.attempt is None:
            raise PipelineError("a move was made where no level was played.")
        self.attempt.replay(move)
        self._noticed(NOTHING)

    def board_digest(self) -> str | None:
        """The digest of the level on the screen, before the seed turned it into a variant."""
        objective = self._objective(self.spot)
        return objective.digests[self.spot.number - 1] if objective and self.spot.number else None

    def _is_there(self, spot: Spot) -> bool:
        return self._objective(spot) is not None if spot.difficulty is not None else spot.game in self._shelf.games

    def _attempt_at(self, spot: Spot, state: str | None) -> Attempt:
        objective = self._objective(spot)
        if objective is None or spot.number is None or not 1 <= spot.number <= len(objective.levels):
            raise PipelineError(f"there is no level {spot.number} of {spot.game} {spot.difficulty}.")
        level = objective.levels[spot.number - 1]
        board = variant_of(level, self._shelf.digest, self._seed).board
        start = None if state is None else level.game.parse_state(board, state)
        return Attempt(self._controls[objective.game], board, start)

    def _noticed(self, change: Change) -> Change:
        """Note a win; it stays noted."""
        if self.attempt and self.attempt.won:
            self.won.add(self.spot)
        return change

    # -- what the page may know -----------------------------------------------------------------
    def screen(self) -> dict[str, Json]:
        """The screen as the page gets it."""
        name = self.spot.screen
        if name == "home":
            return {"name": name, "games": [self._counted(game) for game in self._shelf.games]}
        if name == "difficulties":
            assert self.spot.game is not None
            offered = [self._tried(objective) for objective in self._shelf.of_game(self.spot.game)]
            return {"name": name, "game": self.spot.game, "difficulties": offered}
        objective = self._objective(self.spot)
        assert objective is not None
        here = {"name": name, "game": objective.game, "difficulty": objective.difficulty}
        if name == "levels":
            numbers = range(1, len(objective.levels) + 1)
            return {**here, "levels": [{"number": n, "status": self._status(objective, n)} for n in numbers]}
        return {**here, **self._level(objective)}

    def _level(self, objective: Objective) -> dict[str, Json]:
        attempt, number, of = self.attempt, self.spot.number, len(objective.levels)
        assert attempt is not None
        facts = {"number": number, "of": of, "won": attempt.won, "last": number == of}
        return {**facts, "undo": attempt.controls.game.has_undo, **attempt.scene()}

    def _counted(self, game: str) -> Json:
        return {"game": game, "levels": sum(len(objective.levels) for objective in self._shelf.of_game(game))}

    def _tried(self, objective: Objective) -> Json:
        won = sum(self._status(objective, n) == "won" for n in range(1, len(objective.levels) + 1))
        return {"difficulty": objective.difficulty, "levels": len(objective.levels), "won": won}

    def _objective(self, spot: Spot) -> Objective | None:
        if spot.game is None or spot.difficulty is None:
            return None
        return self._shelf.objective(spot.game, spot.difficulty)

    def _status(self, objective: Objective, number: int) -> str:
        """`won`, `open` or `locked`; locked, too, for numbers beyond the last."""
        spot = Spot(objective.game, objective.difficulty, number)
        before = Spot(objective.game, objective.difficulty, number - 1)
        if spot in self.won:
            return "won"
        there = 1 <= number <= len(objective.levels)
        return "open" if there and (number == 1 or before in self.won or spot in self.attempts) else "locked"
