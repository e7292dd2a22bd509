from dataclasses import replace

import numpy as np
import pytest

from pipeline.extract.contract import Element, Extractor, Reading, Rejection
from pipeline.extract.image import Picture
from pipeline.extract.recognise import Answer, Broken, recognise, weigh
from pipeline.extract.table import EXTRACTORS
from pipeline.games.rush_hour import Board, Vehicle

BOARD = Board(
    rows=6,
    cols=6,
    vehicles=(Vehicle(id="X", row=2, col=0, length=2, axis="horizontal"),),
    target="X",
    exit="right",
)
PICTURE = Picture(np.zeros((8, 8, 3), np.uint8))


def reading(confidence: float, *questions: str) -> Reading:
    return Reading(BOARD, (Element("vehicles[0]", (0, 0, 1, 1), confidence, "a car"),), (), questions)


CERTAIN, LESS_CERTAIN, UNCERTAIN, ASKING = reading(0.99), reading(0.95), reading(0.6), reading(0.99, "which side?")
KIN, KINDER, STRANGER = Rejection("hidden nuts.", 0.5), Rejection("half covered.", 0.9), Rejection("a menu.", 0.1)
BROKEN = Broken("the a extractor failed.")

CASES: dict[str, tuple[list[Answer], str | None, Answer]] = {
    "a certain reading wins": ([STRANGER, CERTAIN, UNCERTAIN], "b", CERTAIN),
    "a certain reading outranks a kin rejection": ([KINDER, CERTAIN], "b", CERTAIN),
    "a kin rejection outranks an uncertain reading": ([UNCERTAIN, KIN], "b", KIN),
    "the most akin of two rejections": ([KIN, KINDER, ASKING], "b", KINDER),
    "the most confident uncertain reading": ([UNCERTAIN, ASKING, STRANGER], "b", ASKING),
    "only strangers: no game, the most akin reason": ([Rejection("x.", 0.0), STRANGER], None, STRANGER),
    "a broken extractor is no rejection": ([BROKEN, STRANGER], None, BROKEN),
    "a kin rejection outranks a broken extractor": ([BROKEN, KIN], "b", KIN),
}


def test_an_uncertain_reading_of_a_strange_picture_is_a_refusal_that_says_why() -> None:
    found = weigh({"a": replace(ASKING, kinship=0.4), "b": STRANGER})
    assert found.game is None
    assert found.answer == Rejection("it could be a board of a, but too much is unclear: which side?", 0.4)
    assert weigh({"a": replace(CERTAIN, kinship=0.4)}).game == "a"


@pytest.mark.parametrize("case", CASES)
def test_answers_are_weighed(case: str) -> None:
    answers, game, expected = CASES[case]
    found = weigh(dict(zip("abc", answers, strict=False)))
    assert (found.game, found.answer) == (game, expected)


def test_an_uncertain_reading_that_sees_clearly_more_of_its_own_game_wins() -> None:
    found = weigh({"a": replace(ASKING, kinship=0.7), "b": UNCERTAIN})
    assert (found.game, found.answer) == ("b", UNCERTAIN)
    nearly = replace(ASKING, kinship=0.95)
    assert weigh({"a": nearly, "b": UNCERTAIN}).answer == nearly


def test_two_certain_games_are_a_question_for_a_person() -> None:
    found = weigh({"a": LESS_CERTAIN, "b": CERTAIN, "c": STRANGER})
    assert found.game == "b"
    assert isinstance(found.answer, Reading)
    assert not found.answer.certain
    assert found.answer.questions == ("it can also be read as a, with confidence 0.95.",)


def test_a_certain_reading_that_sees_clearly_more_of_its_own_game_wins() -> None:
    fronts, plain, between = replace(CERTAIN, kinship=0.9), LESS_CERTAIN, replace(LESS_CERTAIN, kinship=0.95)
    found = weigh({"a": fronts, "b": plain})
    assert (found.game, found.answer) == ("b", plain)
    for other in (between, fronts):
        asked = weigh({"a": fronts, "b": other, "c": STRANGER}).answer
        assert isinstance(asked, Reading)
        assert not asked.certain
    uncertain = weigh({"a": fronts, "b": UNCERTAIN})
    assert (uncertain.game, uncertain.answer) == ("a", fronts)


def test_beside_a_broken_extractor_nothing_is_certain() -> None:
    found = weigh({"a": BROKEN, "b": CERTAIN})
    assert found.game == "b"
    assert isinstance(found.answer, Reading)
    assert found.answer.questions == (BROKEN.reason,)


class Raising(Extractor):
    game = "b"
    version = "1"

    def read(self, picture: Picture) -> Reading | Rejection:
        raise ValueError("two\nlines")


def test_an_extractor_that_raises_does_not_end_the_batch(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in list(EXTRACTORS):
        monkeypatch.delitem(EXTRACTORS, name)
    assert recognise(PICTURE).answer == Rejection("no extractor is installed.")
    monkeypatch.setitem(EXTRACTORS, "b", Raising())
    broken = Broken("the b extractor failed on this picture (ValueError: two lines).")
    assert recognise(PICTURE).answer == broken
    assert recognise(PICTURE, "b") == recognise(PICTURE, "b")
    assert recognise(PICTURE, "b").game == "b"
