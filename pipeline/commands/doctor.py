"""`doctor`: what this machine has and lacks, with one fix line for everything missing."""

import os
import platform
import shutil
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

from pipeline.core.canonical import Json
from pipeline.core.chromium import chromium_build, find_chromium, launch_flags
from pipeline.core.errors import UsageError
from pipeline.core.resources import resource
from pipeline.store.runtime import installed_version, read_lock

NEEDED = (
    "click",
    "jinja2",
    "numba",
    "numpy",
    "opencv-python-headless",
    "ortools",
    "pydantic",
    "pymunk",
    "rfc8785",
    "starlette",
    "uvicorn",
    "websockets",
)
"""Packages without which the main job does not run."""
MIN_FREE_BYTES = 1 << 30
PAGE = "data:text/html,<title>lpb</title><canvas id=c></canvas>"


@dataclass(frozen=True)
class Finding:
    """One thing looked at. `needed` says whether the main job fails without it; `fix` is empty when it is well."""

    name: str
    ok: bool
    detail: str
    fix: str = ""
    needed: bool = True


def doctor(root: Path = Path()) -> list[Finding]:
    """Look at Python, packages, the browser, folders and space. Changes nothing."""
    return [_python(), *_packages(), _kernels(), _templates(), _browser(), _folder(root), _space(root)]


def doctor_document(findings: list[Finding]) -> Json:
    """The machine output of `--json`."""
    healthy = all(finding.ok for finding in findings if finding.needed)
    return {"ok": healthy, "findings": [asdict(finding) for finding in findings]}


def _python() -> Finding:
    found = (
        f"{platform.python_implementation()} {platform.python_version()} on {platform.system()} {platform.machine()}"
    )
    return Finding(
        "Python", sys.version_info >= (3, 11), found, "" if sys.version_info >= (3, 11) else "install Python 3.11"
    )


def _packages() -> Iterator[Finding]:
    fix = "pip install --require-hashes -r requirements.lock"
    try:
        lock = read_lock(resource("requirements.lock"))
    except UsageError as error:
        yield Finding("packages", False, str(error), "install the package again")
        return
    for name in NEEDED:
        if installed_version(name) is None:
            yield Finding(f"package {name}", False, "not installed", fix)
    different = sorted(n for n, (v, _) in lock.items() if installed_version(n) not in (None, v))
    if different:
        detail = f"{len(different)} packages are not of the locked version: {', '.join(different[:5])}"
        yield Finding("lock", False, detail, fix, needed=False)
    else:
        yield Finding("lock", True, f"every installed package of the lock's {len(lock)} has the locked version")


def _kernels() -> Finding:
    """Compiled kernels are kept beside the code, or in numba's own folder where the code cannot be written."""
    import numba

    import pipeline.solve as solve

    beside = Path(solve.__file__).parent
    kept = os.environ.get("NUMBA_CACHE_DIR", "beside the code" if os.access(beside, os.W_OK) else "in the user's cache")
    return Finding("compiled kernels", True, f"numba {numba.__version__}, cached {kept}")


def _templates() -> Finding:
    try:
        return Finding("templates", True, f"{len(list(resource('templates').iterdir()))} folders")
    except UsageError as error:
        return Finding("templates", False, str(error), "install the package again")


def _browser() -> Finding:
    """Start the very browser a run would use, with its flags, and open a page."""
    browser = find_chromium()
    fix = "install Chromium (`apt install chromium` or `playwright install chromium`), or set LPB_CHROMIUM"
    if browser is None:
        return Finding("Chromium", False, "not found", fix, needed=False)
    build = chromium_build(browser)
    if build is None:
        return Finding("Chromium", False, f"{browser} does not run", fix, needed=False)
    try:
        _launch(browser)
    except Exception as error:  # whatever the launcher raises is the diagnosis
        reason = str(error).strip().splitlines()[0][:200]
        return Finding("Chromium", False, f"{build} does not open a page: {reason}", fix, needed=False)
    return Finding("Chromium", True, f"{build}, opens a page", needed=False)


def _launch(browser: Path) -> None:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=str(browser), args=list(launch_flags()), timeout=20_000)
        page = running.new_page()
        page.goto(PAGE)
        page.screenshot()
        running.close()


def _folder(root: Path) -> Finding:
    try:
        with tempfile.TemporaryFile(dir=root):
            pass
    except OSError as error:
        return Finding(
            "working folder", False, f"{root.resolve()}: {error.strerror}", "choose a folder you may write to"
        )
    return Finding("working folder", True, "can be written")


def _space(root: Path) -> Finding:
    free = shutil.disk_usage(root).free
    detail = f"{free / 2**30:.1f} GiB free"
    enough = free >= MIN_FREE_BYTES
    return Finding("disk space", enough, detail, "" if enough else "free at least 1 GiB", needed=False)
