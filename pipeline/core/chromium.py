"""Which Chromium is used, and how it is started. The flags are part of the pinned runtime."""

import os
import shutil
import subprocess
from functools import cache
from pathlib import Path

FLAGS: tuple[str, ...] = (
    "--headless=new",
    "--disable-gpu",
    "--disable-quic",
    "--disable-sync",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-lcd-text",
    "--disable-partial-raster",
    "--font-render-hinting=none",
    "--force-color-profile=srgb",
    "--force-device-scale-factor=1",
    "--hide-scrollbars",
    "--no-first-run",
)
"""Launch flags: software rendering, no hinting, one colour profile, so that equal states give equal pixels.

Partial raster repaints only what has changed of a tile, which may leave edges a level off what a page painted at once
has there.
"""

_NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")


def launch_flags() -> tuple[str, ...]:
    """`FLAGS`, and `--no-sandbox` for root, for whom Chromium has no sandbox."""
    as_root = hasattr(os, "geteuid") and os.geteuid() == 0
    return (*FLAGS, "--no-sandbox") if as_root else FLAGS


def find_chromium() -> Path | None:
    """The browser to use: $LPB_CHROMIUM, else Chromium or Chrome on the path, else the newest of Playwright's own."""
    named = os.environ.get("LPB_CHROMIUM")
    if named:
        return Path(named) if Path(named).is_file() else None
    for name in _NAMES:
        found = shutil.which(name)
        if found:
            return Path(found)
    cache = Path(os.environ.get("PLAYWRIGHT_BROWSERS_PATH", Path.home() / ".cache" / "ms-playwright"))
    own = sorted(cache.glob("chromium-*/chrome-linux*/chrome"), key=lambda path: (len(str(path)), str(path)))
    return own[-1] if own else None


@cache
def chromium_build(browser: Path) -> str | None:
    """What `--version` prints, e.g. `Chromium 156.0.8078.73`; None when it cannot be run within 20 s."""
    try:
        ran = subprocess.run([browser, "--version"], capture_output=True, text=True, timeout=20, check=True)
    except (OSError, subprocess.SubprocessError):
        return None
    words = ran.stdout.strip().split()
    number = next((i for i, word in enumerate(words) if word[:1].isdigit()), None)
    return None if number is None else " ".join(words[: number + 1])
