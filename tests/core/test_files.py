import os
from pathlib import Path
from unittest import mock

import pytest

from pipeline.core.files import write_atomic


def test_writes_once_and_leaves_equal_files_alone(tmp_path: Path) -> None:
    path = tmp_path / "new folder" / "日本 é.json"
    assert write_atomic(path, b"a") is True
    before = path.stat().st_mtime_ns
    assert write_atomic(path, b"a") is False
    assert path.stat().st_mtime_ns == before
    assert write_atomic(path, b"b") is True
    assert [p.name for p in path.parent.iterdir()] == [path.name]


@pytest.mark.parametrize("failing", ["os.fsync", "pathlib.Path.replace", "pathlib.Path.chmod"])
def test_a_failure_leaves_the_old_file_and_nothing_else(tmp_path: Path, failing: str) -> None:
    path = tmp_path / "a.json"
    path.write_bytes(b"old")
    with mock.patch(failing, side_effect=OSError(28, os.strerror(28))), pytest.raises(OSError, match="space"):
        write_atomic(path, b"new")
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]
