"""Canonical JSON (RFC 8785) and the digests made of it."""

import hashlib
import json
from typing import Any

import rfc8785

DIGEST_PREFIX = "sha256:"

Json = Any  # a JSON value: None, bool, int, float, str, list or dict with str keys


def canonical_bytes(value: Json) -> bytes:
    """The one RFC 8785 byte string of a JSON value (no NaN, integers below 2**53)."""
    return rfc8785.dumps(value)


def readable_bytes(value: Json) -> bytes:
    """The form files are written in: indented UTF-8 JSON, keys in the order given, the same bytes on every machine."""
    return (json.dumps(value, ensure_ascii=False, indent=1, allow_nan=False) + "\n").encode()


def digest_of_bytes(data: bytes) -> str:
    """`sha256:` and 64 hex digits."""
    return DIGEST_PREFIX + hashlib.sha256(data).hexdigest()


def digest_of(value: Json) -> str:
    """The digest of a JSON value: that of its canonical bytes."""
    return digest_of_bytes(canonical_bytes(value))


def hex_of(digest: str) -> str:
    """The hex part of a digest, used as a folder name; ValueError if it is not a digest."""
    hexes = digest.removeprefix(DIGEST_PREFIX)
    if hexes == digest or len(hexes) != 64 or set(hexes) - set("0123456789abcdef"):
        raise ValueError(f"not a sha256 digest: {digest!r}")
    return hexes
