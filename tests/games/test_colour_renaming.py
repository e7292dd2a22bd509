import random
from itertools import permutations

import pytest

from pipeline.games.colour_renaming import canonical_words


def disguised(words: list[tuple[int, ...]], choices: random.Random) -> list[tuple[int, ...]]:
    letters = 1 + max(max(word) for word in words if word)
    names = list(range(letters))
    choices.shuffle(names)
    image = [tuple(names[letter] for letter in word) for word in words]
    choices.shuffle(image)
    return image


def random_words(choices: random.Random) -> list[tuple[int, ...]]:
    letters, length = choices.randint(1, 9), choices.randint(1, 5)
    pool = [letter for letter in range(letters) for _ in range(length)]
    choices.shuffle(pool)
    return [*(tuple(pool[i : i + length]) for i in range(0, len(pool), length)), ()]


def test_every_renaming_and_order_gives_one_form() -> None:
    choices = random.Random(1)
    for _ in range(400):
        words = random_words(choices)
        form = canonical_words(words)
        for _ in range(5):
            assert canonical_words(disguised(words, choices)) == form


def test_the_form_is_a_renaming_of_the_words() -> None:
    """So that different puzzles can never share one: checked against all renamings of small collections."""
    choices = random.Random(2)
    for _ in range(150):
        pool = [letter for letter in range(choices.randint(1, 4)) for _ in range(3)]
        choices.shuffle(pool)
        words = [tuple(pool[i : i + 3]) for i in range(0, len(pool), 3)]
        letters = 1 + max(pool)
        every = {tuple(sorted(tuple(p[x] for x in word) for word in words)) for p in permutations(range(letters))}
        assert canonical_words(words) in every


@pytest.mark.parametrize(
    "words",
    [
        [(i,) * 4 for i in range(40)],
        [word for i in range(0, 40, 2) for word in ((i, i + 1), (i + 1, i))],
        [(i, (i + 1) % 36) for i in range(36)],
        [tuple(range(32)), tuple(reversed(range(32)))],
        [((3 * i) % 20, (3 * i + 1) % 20, (i + 7) % 20) for i in range(20)],
    ],
    ids=["finished", "pairs", "ring", "mirror", "circulant"],
)
def test_symmetric_collections_take_no_exponential_time(words: list[tuple[int, ...]]) -> None:
    choices = random.Random(3)
    assert canonical_words(disguised(words, choices)) == canonical_words(words)


def test_no_words_at_all() -> None:
    assert canonical_words([(), ()]) == ((), ())
