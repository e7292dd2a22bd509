"""Where compiled kernels are kept."""

from pathlib import Path

import pytest

from pipeline import solve


def test_a_user_without_a_home_still_has_a_place_for_kernels(monkeypatch: pytest.MonkeyPatch) -> None:
    def homeless(path: Path) -> Path:
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.setattr(Path, "expanduser", homeless)
    assert solve._kernel_cache().is_dir()
