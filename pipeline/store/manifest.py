"""The manifest of a snapshot: what it holds and what it was made with.

manifest.json   tag, parent, seeds, levels (place, digests, least moves, evidence), runtime, and its own digest
SHA256SUMS      one line per level, certificate and the manifest, as `sha256sum -c` reads it
made.json       the time of making, sealed; outside every digest, so that equal catalogues give equal snapshots
levels/<game>/<difficulty>/NN.json   certificates/<game>/<difficulty>/NN.json
"""

import re
from collections.abc import Mapping
from typing import Annotated, Literal

from pydantic import Field, JsonValue, TypeAdapter, ValidationError

from pipeline.core.canonical import Json, digest_of, digest_of_bytes, hex_of, readable_bytes
from pipeline.core.errors import InvalidDocument, Problem, UsageError
from pipeline.core.model import Document
from pipeline.core.strict_json import parse_strict

FORMAT = "lpb-snapshot/1"
MANIFEST, SUMS, MADE = "manifest.json", "SHA256SUMS", "made.json"
_TAG = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")
_PLACE = r"^[a-z_]{1,40}/[a-z][a-z0-9_-]{0,39}/[0-9]{2,4}$"

Digest = Annotated[str, Field(pattern=r"^sha256:[0-9a-f]{64}$")]
Count = Annotated[int, Field(ge=0)]


class FrozenLevel(Document):
    """One level of a snapshot. `min_cells` is the least number of cells where the game has one."""

    place: Annotated[str, Field(pattern=_PLACE)]
    game: str
    digest: Digest
    canonical_digest: Digest
    level_file: Digest
    certificate_file: Digest
    min_moves: Count
    lower_bound: Count
    proven: bool
    min_cells: Count | None = None
    evidence: tuple[str, ...]

    @property
    def paths(self) -> dict[str, str]:
        """Relative path → file digest of its two files."""
        return {f"levels/{self.place}.json": self.level_file, f"certificates/{self.place}.json": self.certificate_file}


class Parent(Document):
    """The snapshot this one follows."""

    tag: str
    digest: Digest


class Manifest(Document):
    """See the module. `content` is the digest of seeds and levels alone, `digest` that of all fields but itself."""

    format: Literal["lpb-snapshot/1"]
    tag: str
    parent: Parent | None
    seeds: tuple[Annotated[int, Field(ge=0)], ...]
    levels: tuple[FrozenLevel, ...]
    content: Digest
    runtime: dict[str, JsonValue]
    digest: Digest

    def document(self) -> Json:
        """The manifest as JSON."""
        return self.model_dump(mode="json")

    def to_bytes(self) -> bytes:
        """Its file."""
        return readable_bytes(self.document())

    @property
    def files(self) -> dict[str, str]:
        """Relative path → digest of every level and certificate file, by path."""
        return dict(sorted(item for level in self.levels for item in level.paths.items()))


def make_manifest(
    tag: str, parent: Parent | None, seeds: tuple[int, ...], levels: tuple[FrozenLevel, ...], runtime: Json
) -> Manifest:
    """A manifest with its two digests filled in."""
    listed = [level.model_dump(mode="json") for level in levels]
    body: dict[str, Json] = {
        "format": FORMAT,
        "tag": tag,
        "parent": parent.model_dump(mode="json") if parent else None,
        "seeds": list(seeds),
        "levels": listed,
        "content": digest_of({"seeds": list(seeds), "levels": listed}),
        "runtime": runtime,
    }
    return _typed({**body, "digest": digest_of(body)}, MANIFEST)


def parse_manifest(data: bytes, name: str) -> Manifest:
    """Read a manifest; InvalidDocument when it is not byte for byte what `make_manifest` would write."""
    document = parse_strict(data, name)
    manifest = _typed(document, name)
    body = {key: value for key, value in document.items() if key != "digest"}
    content = digest_of({"seeds": body["seeds"], "levels": body["levels"]})
    if manifest.digest != digest_of(body) or manifest.content != content or manifest.to_bytes() != data:
        raise InvalidDocument(name, [Problem("digest", "its content does not match its own digest.", "$.digest")])
    return manifest


def _typed(document: Json, name: str) -> Manifest:
    try:
        return TypeAdapter(Manifest).validate_json(readable_bytes(document), strict=True)
    except ValidationError as error:
        detail = error.errors(include_url=False)[0]
        where = "$" + "".join(f".{part}" for part in detail["loc"])
        raise InvalidDocument(name, [Problem("manifest", f"{detail['msg']}.", where)]) from None


def sums_bytes(digests: Mapping[str, str]) -> bytes:
    """SHA256SUMS for relative path → digest, sorted by path."""
    return "".join(f"{hex_of(digest)}  {path}\n" for path, digest in sorted(digests.items())).encode()


def made_bytes(time: str, manifest: Manifest) -> bytes:
    """made.json: an ISO 8601 time in UTC, the manifest it belongs to, and a seal over both."""
    body = {"made": time, "manifest": manifest.digest}
    return readable_bytes({**body, "seal": digest_of(body)})


def made_is_sound(data: bytes, manifest: Manifest) -> bool:
    """Whether made.json is undamaged and belongs to this manifest."""
    try:
        document = parse_strict(data, MADE)
    except InvalidDocument:
        return False
    time = document.get("made") if isinstance(document, dict) else None
    return isinstance(time, str) and data == made_bytes(time, manifest)


def manifest_files(manifest: Manifest) -> dict[str, str]:
    """Relative path → digest of every file that SHA256SUMS lists."""
    return {**manifest.files, MANIFEST: digest_of_bytes(manifest.to_bytes())}


def is_tag(name: str) -> bool:
    """Whether a name can be a tag: a folder name on every system."""
    return _TAG.fullmatch(name) is not None and not name.endswith(".")


def check_tag(tag: str) -> None:
    """UsageError unless `is_tag`."""
    if not is_tag(tag):
        message = "letters, digits, dots, dashes and underscores, at most 64, starting with a letter or digit"
        raise UsageError(f"{tag[:80]!r} is no tag: use {message}.")
