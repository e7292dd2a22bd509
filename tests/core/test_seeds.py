import pytest

from pipeline.core.seeds import SeedStream

GOLDEN_BELOW = [59, 542, 362, 812, 250]
GOLDEN_PERMUTATION = [5, 0, 3, 4, 6, 1, 2, 7]


def test_known_values_hold_on_every_machine() -> None:
    """Golden: a change here would change every seeded variant ever published."""
    stream = SeedStream("sha256:aa", "sha256:bb", "1")
    assert [stream.below(1000) for _ in range(5)] == GOLDEN_BELOW
    assert stream.permutation(8) == GOLDEN_PERMUTATION


def test_parts_are_not_glued_together() -> None:
    assert SeedStream("ab", "c").below(2**40) != SeedStream("a", "bc").below(2**40)


def test_permutations_are_fair() -> None:
    counts: dict[tuple[int, ...], int] = {}
    for seed in range(6000):
        order = tuple(SeedStream("fair", str(seed)).permutation(3))
        counts[order] = counts.get(order, 0) + 1
    assert len(counts) == 6
    assert all(850 < count < 1150 for count in counts.values())


def test_below_refuses_an_empty_range() -> None:
    with pytest.raises(ValueError, match="at least 1"):
        SeedStream("x").below(0)
