"""A note inside a PNG file: the `tEXt` chunk, so that a drawn picture can say what it shows."""

import struct
import zlib

_SIGNATURE_AND_HEADER = 33  # eight bytes of signature, then the IHDR chunk of 25


def with_note(png: bytes, key: str, text: str) -> bytes:
    """The PNG with a Latin-1 note put right behind its header."""
    body = key.encode("latin-1") + b"\0" + text.encode("latin-1")
    checksum = zlib.crc32(b"tEXt" + body)
    chunk = struct.pack(">I", len(body)) + b"tEXt" + body + struct.pack(">I", checksum)
    return png[:_SIGNATURE_AND_HEADER] + chunk + png[_SIGNATURE_AND_HEADER:]


def note_of(png: bytes, key: str) -> str | None:
    """The note that `with_note` put there; None when the file has none."""
    at = _SIGNATURE_AND_HEADER
    if png[at + 4 : at + 8] != b"tEXt":
        return None
    (length,) = struct.unpack(">I", png[at : at + 4])
    name, _, text = png[at + 8 : at + 8 + length].partition(b"\0")
    return text.decode("latin-1") if name == key.encode("latin-1") else None
