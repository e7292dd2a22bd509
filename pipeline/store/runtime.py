"""The runtime a snapshot was made with: Python, packages and their hashes from the lock, browser, project, commit."""

import platform
import re
import subprocess
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import pipeline
from pipeline.core.canonical import Json
from pipeline.core.chromium import chromium_build, find_chromium, launch_flags
from pipeline.core.resources import checkout, resource

_PINNED = re.compile(r"([A-Za-z0-9._-]+)==([^\s;\\]+)")
_HASH = re.compile(r"--hash=(sha256:[0-9a-f]{64})")


def gather_runtime() -> Json:
    """The present runtime as the manifest records it. The same installation always gives the same value."""
    browser = find_chromium()
    build = chromium_build(browser) if browser else None
    return {
        "python": f"{platform.python_implementation()} {platform.python_version()}",
        "packages": _packages(),
        "chromium": {"build": build, "flags": list(launch_flags())} if build else None,
        "project": {"version": pipeline.__version__, "commit": _commit()},
    }


def read_lock(path: Path) -> dict[str, tuple[str, list[str]]]:
    """Name → (version, hashes) of every pinned package in a requirements lock."""
    entries: dict[str, tuple[str, list[str]]] = {}
    name = ""
    for line in path.read_text(encoding="utf-8").splitlines():
        pinned = _PINNED.match(line)
        if pinned:
            name = pinned[1].lower()
            entries[name] = (pinned[2], [])
        if name and not line.lstrip().startswith("#"):
            entries[name][1].extend(_HASH.findall(line))
    return entries


def installed_version(package: str) -> str | None:
    """The installed version of a distribution, or None."""
    try:
        return version(package)
    except PackageNotFoundError:
        return None


def _packages() -> Json:
    """Installed packages of the lock; `hashes` is null for one whose version is not the locked one."""
    found = []
    for name, (locked, hashes) in sorted(read_lock(resource("requirements.lock")).items()):
        installed = installed_version(name)
        if installed is not None:
            found.append(
                {"name": name, "version": installed, "hashes": sorted(hashes) if installed == locked else None}
            )
    return found


def _commit() -> str | None:
    """The commit of the checkout the code runs from, with `-modified` when tracked files differ from it."""
    folder = checkout()
    if folder is None:
        return None
    commit = _git(folder, "rev-parse", "HEAD")
    if not commit:
        return None
    return f"{commit}-modified" if _git(folder, "status", "--porcelain", "--untracked-files=no") else commit


def _git(folder: Path, *arguments: str) -> str:
    command = ["git", "-C", str(folder), *arguments]
    try:
        return subprocess.run(command, capture_output=True, text=True, timeout=20, check=True).stdout.strip()
    except (OSError, subprocess.SubprocessError):
        return ""
