"""The canonical form of a collection of words under renaming of their letters and reordering of the words.

Two collections get the same form exactly when some renaming of letters turns one into the other (as multisets). Letters
are told apart by refinement: a letter's class is split by where it stands in words spelled in classes, until nothing
splits. Where letters stay tied, each is tried first and the least spelling wins. Ties that are true symmetries would
make this exponential; they show as two equal spellings, whose difference is an automorphism: letters in one orbit
need only one trial, and the search falls back to where the two trials parted (McKay's individualisation–refinement).
"""

from collections import Counter
from collections.abc import Sequence

Word = tuple[int, ...]
Spelling = tuple[Word, ...]


def canonical_words(words: Sequence[Word]) -> Spelling:
    """The form; letters are 0 … n − 1, each in use, and so are those of the result (which is sorted)."""
    return _Canonizer(words).run()


class _Canonizer:
    """One run. A `colouring` gives each letter its class; classes are ranks, so a discrete one is a renaming."""

    def __init__(self, words: Sequence[Word]) -> None:
        self._words = tuple(words)
        self._letters = 1 + max((max(word) for word in words if word), default=-1)
        self._best: Spelling | None = None
        self._best_names: tuple[int, ...] = ()
        self._best_trials: tuple[int, ...] = ()
        self._automorphisms: list[tuple[int, ...]] = []

    def run(self) -> Spelling:
        self._visit(self._refined((0,) * self._letters), ())
        assert self._best is not None  # every branch ends in a discrete colouring
        return self._best

    def _spelled(self, names: Sequence[int]) -> Spelling:
        return tuple(sorted(tuple(names[letter] for letter in word) for word in self._words))

    def _refined(self, classes: tuple[int, ...]) -> tuple[int, ...]:
        """Split classes by (own class, places in words spelled in classes) until the number of classes stays."""
        while True:
            places: list[list[tuple[Word, int]]] = [[] for _ in range(self._letters)]
            for word in self._words:
                spelled = tuple(classes[letter] for letter in word)
                for place, letter in enumerate(word):
                    places[letter].append((spelled, place))
            signs = [(classes[i], sorted(places[i])) for i in range(self._letters)]
            ranks: dict[str, int] = {}
            for sign in sorted(signs):
                ranks.setdefault(repr(sign), len(ranks))
            if len(ranks) == len(set(classes)):
                return classes
            classes = tuple(ranks[repr(sign)] for sign in signs)

    def _visit(self, classes: tuple[int, ...], trials: tuple[int, ...]) -> int:
        """Search below a colouring; the return value is the depth to fall back to."""
        tied = _first_tie(classes)
        if not tied:
            return self._leaf(classes, trials)
        tried: list[int] = []
        for letter in tied:
            if tried and self._in_one_orbit(letter, tried, trials):
                continue
            tried.append(letter)
            apart = tuple(2 * c + (c == classes[letter] and i != letter) for i, c in enumerate(classes))
            back = self._visit(self._refined(apart), (*trials, letter))
            if back < len(trials):
                return back
        return len(trials)

    def _leaf(self, classes: tuple[int, ...], trials: tuple[int, ...]) -> int:
        order = sorted(range(self._letters), key=lambda i: classes[i])
        names = [0] * self._letters
        for rank, letter in enumerate(order):
            names[letter] = rank
        spelling = self._spelled(names)
        if self._best is None or spelling < self._best:
            self._best, self._best_names, self._best_trials = spelling, tuple(names), trials
            return len(trials)
        if spelling > self._best:
            return len(trials)
        old = sorted(range(self._letters), key=lambda i: self._best_names[i])
        self._automorphisms.append(tuple(old[names[i]] for i in range(self._letters)))
        return next(i for i, (a, b) in enumerate(zip(trials, self._best_trials, strict=False)) if a != b)

    def _in_one_orbit(self, letter: int, tried: Sequence[int], trials: Sequence[int]) -> bool:
        """Whether automorphisms that keep the trials above take the letter to one already tried."""
        usable = [a for a in self._automorphisms if all(a[t] == t for t in trials)]
        orbit, fresh = {letter}, [letter]
        while fresh:
            at = fresh.pop()
            for automorphism in usable:
                for to in (automorphism[at], automorphism.index(at)):
                    if to not in orbit:
                        orbit.add(to)
                        fresh.append(to)
        return not orbit.isdisjoint(tried)


def _first_tie(classes: tuple[int, ...]) -> list[int]:
    """The letters of the smallest class with more than one (the least class among equals); empty if all are apart."""
    sizes = Counter(classes)
    chosen = min(((size, c) for c, size in sizes.items() if size > 1), default=None)
    return [] if chosen is None else [i for i, c in enumerate(classes) if c == chosen[1]]
