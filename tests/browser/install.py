"""Find a Chromium that runs, or get one: `python -m tests.browser.install` (what `make browser` does)."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

from pipeline.core.chromium import chromium_build, find_chromium

NO_BROWSER = "no Chromium was found and none could be installed; install one, or name it in LPB_CHROMIUM"
_SECONDS = 600


def usable_chromium() -> Path | None:
    """The browser tests use, if it can be started at all."""
    found = find_chromium()
    return found if found is not None and chromium_build(found) is not None else None


def ensure_chromium(*, system: bool) -> Path | None:
    """A browser that runs, installed for this user if need be; `system`: with the system's package manager, too."""
    if usable_chromium() is None and "LPB_CHROMIUM" not in os.environ:
        may = _as_root() if system else None
        _run([sys.executable, "-m", "playwright", "install", "--no-shell", "chromium"])
        if usable_chromium() is None and may is not None:
            _run([sys.executable, "-m", "playwright", "install-deps", "chromium"])
        if usable_chromium() is None and may is not None:
            _run([*may, "apt-get", "update"])
            _run([*may, "apt-get", "install", "--yes", "--no-install-recommends", "chromium"])
    return usable_chromium()


def _as_root() -> list[str] | None:
    """What to put before a command that root must run; None when this user cannot."""
    if os.geteuid() == 0:
        return []
    sudo = shutil.which("sudo")
    return [sudo, "--non-interactive"] if sudo and _run([sudo, "--non-interactive", "true"]) else None


def _run(command: list[str]) -> bool:
    """Whether a command succeeds; what it prints is for a person on stderr."""
    patience = {"PLAYWRIGHT_DOWNLOAD_CONNECTION_TIMEOUT": "5000", "DEBIAN_FRONTEND": "noninteractive"}
    try:
        ran = subprocess.run(command, stdout=sys.stderr, env={**os.environ, **patience}, timeout=_SECONDS, check=False)
    except (OSError, subprocess.SubprocessError):
        return False
    return ran.returncode == 0


if __name__ == "__main__":
    browser = ensure_chromium(system=True)
    print(f"{chromium_build(browser)} at {browser}" if browser else NO_BROWSER)
    sys.exit(browser is None)
