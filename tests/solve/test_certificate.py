"""Certificates of every game: the honest one holds, a changed one never does."""

import copy
import json
import random
from typing import Any

import pytest

from pipeline.core.canonical import canonical_bytes
from pipeline.core.errors import InvalidDocument
from pipeline.core.strict_json import parse_strict
from pipeline.games.level import Level, level_of
from pipeline.solve.certificate import check_certificate
from tests.samples import BOARDS, SAMPLED, sample_document, sample_level
from tests.solve.certificates import Certificate, certified, codes

MUTATIONS = 1000


@pytest.fixture(scope="module", params=SAMPLED)
def honest(request: pytest.FixtureRequest) -> tuple[Level, Certificate]:
    level = sample_level(request.param)
    _, certificate = certified(level.game, level.board)
    return level, certificate


def test_samples_cover_every_game() -> None:
    assert set(SAMPLED) == set(BOARDS)


def test_the_honest_certificate_holds(honest: tuple[Level, Certificate]) -> None:
    level, certificate = honest
    assert check_certificate(level, certificate) == []
    assert check_certificate(level, json.loads(json.dumps(certificate))) == []
    assert certificate["claim"]["solvable"]


def test_a_flipped_bit_is_refused_1000_times_of_1000(honest: tuple[Level, Certificate]) -> None:
    level, certificate = honest
    good = canonical_bytes(certificate)
    rng = random.Random(level.digest)
    refused = 0
    for _ in range(MUTATIONS):
        bad = bytearray(good)
        bit = rng.randrange(8 * len(good))
        bad[bit // 8] ^= 1 << (bit % 8)
        try:
            refused += bool(check_certificate(level, parse_strict(bytes(bad), "c")))
        except InvalidDocument:
            refused += 1
    assert refused == MUTATIONS


def test_a_dropped_doubled_or_exchanged_move_is_refused_even_under_a_new_seal(
    honest: tuple[Level, Certificate],
) -> None:
    level, certificate = honest
    solution = certificate["claim"]["solution"]
    for number in range(len(solution)):
        shorter = solution[:number] + solution[number + 1 :]
        counts = {"min_moves": len(shorter), "lower_bound": min(len(shorter), certificate["claim"]["lower_bound"])}
        assert codes(level, certificate, {"solution": shorter, **counts}, {}), f"without move {number}"
        doubled = [*solution[:number], solution[number], *solution[number:]]
        assert codes(level, certificate, {"solution": doubled, "min_moves": len(doubled)}, {})


def test_another_levels_certificate_is_refused(honest: tuple[Level, Certificate]) -> None:
    level, _ = honest
    for game in SAMPLED:
        if game != level.game.name:
            other = sample_level(game)
            assert check_certificate(level, certified(other.game, other.board)[1])[0].code == "other_level"


@pytest.mark.parametrize(
    ("claim", "proof"),
    [
        ({"solvable": False, "solution": None, "min_moves": None, "lower_bound": None}, {}),
        ({"lower_bound": 99}, {}),
        ({"lower_bound": -1}, {}),
        ({"min_moves": 1000}, {}),
        ({"solution": None}, {}),
        ({"solution": [{}]}, {}),
        ({}, {"kind": "because"}),
        ({"facts": {}}, {"kind": None}),
    ],
)
def test_false_claims_are_refused_under_a_fitting_seal(
    honest: tuple[Level, Certificate], claim: dict[str, Any], proof: dict[str, Any]
) -> None:
    level, certificate = honest
    assert codes(level, certificate, claim, proof)


@pytest.mark.parametrize("value", [None, 3, [], {}, {"seal": 1}, "text"])
def test_anything_else_is_refused_in_words(honest: tuple[Level, Certificate], value: object) -> None:
    assert check_certificate(honest[0], value)[0].message.endswith(".")


def test_a_certificate_of_another_board_of_the_game_is_refused(honest: tuple[Level, Certificate]) -> None:
    level, certificate = honest
    if level.game.name == "rush_hour":
        doc = copy.deepcopy(sample_document("rush_hour"))
        doc["board"]["vehicles"][2]["col"] = 1  # type: ignore[index]
        assert check_certificate(level_of(doc, "x"), certificate)[0].code == "other_level"


JUNK = (None, True, 1, -1, 1.5, "yes", [], {}, [[0, 0]])


@pytest.mark.parametrize("field", ["solvable", "min_moves", "lower_bound", "proven", "explored", "solution", "facts"])
def test_a_field_of_the_wrong_type_is_refused_even_under_a_new_seal(
    honest: tuple[Level, Certificate], field: str
) -> None:
    level, certificate = honest
    value = certificate["claim"][field]
    for junk in JUNK:
        if type(junk) is not type(value):
            assert codes(level, certificate, {field: junk}, {}), f"{field} = {junk!r}"


def test_a_fact_that_the_game_does_not_know_is_refused_even_under_a_new_seal(honest: tuple[Level, Certificate]) -> None:
    level, certificate = honest
    assert "fact_wrong" in codes(level, certificate, {"facts": certificate["claim"]["facts"] | {"easy": True}}, {})


def test_whether_it_can_be_lost_is_true_or_false(honest: tuple[Level, Certificate]) -> None:
    level, certificate = honest
    for junk in (None, 0, 1, "yes", [], {}):
        assert codes(level, certificate, {"facts": certificate["claim"]["facts"] | {"can_dead_end": junk}}, {})
