"""One line that tells how far a long command is."""

import sys
import time
from types import TracebackType
from typing import TextIO

_EVERY_SECONDS = 30.0


class Progress:
    """A counter on stderr: rewritten in place on a terminal, a plain line every 30 seconds anywhere else."""

    def __init__(self, total: int, noun: str, stream: TextIO | None = None) -> None:
        self._total, self._noun = total, noun
        self._stream = stream if stream is not None else sys.stderr
        self._live = self._stream.isatty()
        self._done, self._width = 0, 0
        self._began = self._told = time.monotonic()

    def __enter__(self) -> "Progress":
        self._show()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._live:
            self._stream.write("\r" + " " * self._width + "\r")
            self._stream.flush()

    def step(self, note: str = "") -> None:
        """One more done; `note` (what was done last) is shown on a terminal."""
        self.advance(1, note)

    def advance(self, count: int, note: str = "") -> None:
        """`count` more done at once."""
        self._done += count
        self._show(note)

    def _show(self, note: str = "") -> None:
        now = time.monotonic()
        text = f"{self._done} of {self._total} {self._noun}, {now - self._began:.0f} s"
        if self._live:
            text = f"{text}  {note}"[:100]
            self._stream.write("\r" + text.ljust(self._width))
            self._width = len(text)
        elif now - self._told >= _EVERY_SECONDS:
            self._told = now
            self._stream.write(text + "\n")
        self._stream.flush()
