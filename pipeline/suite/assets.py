"""The files of the page, read once when the server starts: what is not here then is never served."""

import hashlib
import json
from dataclasses import dataclass
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined, Template, TemplateNotFound

from pipeline.core.errors import UsageError
from pipeline.core.resources import resource
from pipeline.suite.launch import Looks

_TYPES = {
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".json": "application/json",
    ".txt": "text/plain; charset=utf-8",
    ".woff2": "font/woff2",
    ".png": "image/png",
    ".svg": "image/svg+xml",
}


@dataclass(frozen=True)
class StaticFile:
    """A file as it is served; `tag` tells browsers whether they have it already."""

    body: bytes
    media_type: str
    tag: str


@dataclass(frozen=True)
class Assets:
    """Static files by path below `/static/`, the two page templates, themes and languages."""

    files: dict[str, StaticFile]
    page: Template
    message: Template
    looks: Looks


def load_assets(folder: Path | None = None) -> Assets:
    """Read the page's files; UsageError when the installation lacks one that must be there."""
    folder = folder or resource("templates") / "suite"
    files = {path.relative_to(folder).as_posix(): _read(path) for path in sorted(folder.rglob("*")) if _served(path)}
    templates = Environment(loader=FileSystemLoader(folder), autoescape=True, undefined=StrictUndefined)
    try:
        themes = json.loads(files["themes.json"].body)
        page, message = templates.get_template("page.html"), templates.get_template("message.html")
    except (KeyError, TemplateNotFound) as error:
        raise UsageError(f"{folder.as_posix()} lacks {error}; install the package again.") from None
    languages = sorted(path.stem for path in (folder / "text").glob("*.json"))
    return Assets(files, page, message, Looks(tuple(themes), tuple(languages)))


def _served(path: Path) -> bool:
    hidden = any(part.startswith(".") for part in path.parts[-2:])
    return path.is_file() and not path.is_symlink() and path.suffix in _TYPES and not hidden


def _read(path: Path) -> StaticFile:
    body = path.read_bytes()
    return StaticFile(body, _TYPES[path.suffix], f'"{hashlib.sha256(body).hexdigest()[:16]}"')
