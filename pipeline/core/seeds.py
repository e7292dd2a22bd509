"""A random stream that is the same on every machine and Python version.

`random.Random.shuffle` may change between Python releases, so choices are drawn from SHA-256 in counter mode.
"""

import hashlib


class SeedStream:
    """Uniform choices derived from a tuple of strings, e.g. (snapshot digest, level digest, seed)."""

    def __init__(self, *parts: str) -> None:
        self._key = hashlib.sha256("\x1f".join(parts).encode()).digest()
        self._counter = 0

    def _word(self) -> int:
        block = hashlib.sha256(self._key + self._counter.to_bytes(8, "big")).digest()
        self._counter += 1
        return int.from_bytes(block[:8], "big")

    def below(self, n: int) -> int:
        """A uniform integer in [0, n), without modulo bias; ValueError when n < 1."""
        if n < 1:
            raise ValueError("n must be at least 1")
        limit = (2**64 // n) * n
        while (word := self._word()) >= limit:
            pass
        return word % n

    def permutation(self, n: int) -> list[int]:
        """A uniform permutation of range(n) (Fisher–Yates)."""
        order = list(range(n))
        for i in range(n - 1, 0, -1):
            j = self.below(i + 1)
            order[i], order[j] = order[j], order[i]
        return order
