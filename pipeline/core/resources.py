"""Files that come with the package: found in a checkout and in an installed wheel alike."""

from pathlib import Path

from pipeline.core.errors import UsageError

_PACKAGE = Path(__file__).resolve().parents[1]
_CHECKOUT = _PACKAGE.parent
_IN_WHEEL = {"templates": "_templates", "requirements.lock": "_requirements.lock"}


def resource(name: str) -> Path:
    """The path of `templates` or `requirements.lock`; UsageError when the installation lacks it."""
    installed = _PACKAGE / _IN_WHEEL[name]
    for place in (installed, _CHECKOUT / name):
        if place.exists():
            return place
    raise UsageError(f"this installation lacks {name}; install the package again.")


def checkout() -> Path | None:
    """The git checkout this package runs from, or None when it was installed from a wheel."""
    return _CHECKOUT if (_CHECKOUT / ".git").exists() else None
