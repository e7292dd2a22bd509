"""Evidence by content: what is known of a level is filed under the level's digest.

    <catalogue>/evidence/<64 hex digits>/certificate.json

Edit a level and it has another digest, so its evidence is gone; change a solver's version and its certificates are
stale. Time plays no part.
"""

from pathlib import Path

from pipeline.core.canonical import Json, hex_of, readable_bytes
from pipeline.core.errors import InvalidDocument
from pipeline.core.files import write_atomic
from pipeline.core.strict_json import read_strict
from pipeline.games.level import Level
from pipeline.solve.certificate import CHECKER_VERSION, check_certificate
from pipeline.solve.table import SOLVERS

REQUIRED_KINDS = ("certificate",)
"""Kinds without which no level enters a snapshot; the others join when the stages that make them exist."""


def evidence_path(catalogue: Path, digest: str, kind: str) -> Path:
    """Where evidence of a kind about a level is filed."""
    return catalogue / "evidence" / hex_of(digest) / f"{kind}.json"


def write_certificate(catalogue: Path, digest: str, certificate: Json) -> None:
    """File a certificate, replacing an older one."""
    write_atomic(evidence_path(catalogue, digest, "certificate"), readable_bytes(certificate))


def fresh_certificate(catalogue: Path, level: Level) -> Json | None:
    """The level's certificate if it is there, made by the present solver and checker, and holds; else None."""
    path = evidence_path(catalogue, level.digest, "certificate")
    if not path.is_file():
        return None
    try:
        certificate = read_strict(path)
    except InvalidDocument:
        return None
    versions = (SOLVERS[level.game.name].version, CHECKER_VERSION)
    if not isinstance(certificate, dict) or (certificate.get("solver"), certificate.get("checker")) != versions:
        return None
    return None if check_certificate(level, certificate) else certificate
