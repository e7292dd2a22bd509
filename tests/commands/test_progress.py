import io

import pytest

from pipeline.commands import progress as module
from pipeline.commands.progress import Progress


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_elsewhere_than_on_a_terminal_a_line_now_and_then(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [0.0]
    monkeypatch.setattr(module.time, "monotonic", lambda: now[0])
    stream = io.StringIO()
    with Progress(100, "pictures", stream) as progress:
        for i in range(100):
            now[0] = float(i)
            progress.step("a.png")
    assert stream.getvalue() == ("31 of 100 pictures, 30 s\n61 of 100 pictures, 60 s\n91 of 100 pictures, 90 s\n")


def test_on_a_terminal_one_line_that_is_gone_at_the_end() -> None:
    stream = Terminal()
    with Progress(3, "pictures", stream) as progress:
        progress.step("a picture with a long name.png")
        progress.advance(2)
    shown = stream.getvalue()
    assert "\n" not in shown
    assert "1 of 3 pictures, 0 s  a picture with a long name.png" in shown
    assert shown.split("\r")[-2].strip() == ""
