"""Picture files of every kind, made byte by byte where no encoder would make them."""

import struct
import zlib
from collections.abc import Callable

import cv2
import numpy as np
from numpy.typing import NDArray

Pixels = NDArray[np.uint8]


def quarters() -> Pixels:
    """40 x 24 pixels, BGR: red, green / blue, white in its quarters, so that every turn and mirror shows."""
    picture = np.zeros((24, 40, 3), np.uint8)
    picture[:12, :20], picture[:12, 20:] = (0, 0, 255), (0, 255, 0)
    picture[12:, :20], picture[12:, 20:] = (255, 0, 0), (255, 255, 255)
    return picture


def encoded(picture: NDArray[np.generic], suffix: str, *options: int) -> bytes:
    ok, data = cv2.imencode(suffix, picture, list(options))
    assert ok
    return bytes(data.tobytes())


def png_chunk(name: bytes, body: bytes) -> bytes:
    return struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body))


def png(width: int, height: int, depth: int, colour: int, rows: bytes, *chunks: bytes) -> bytes:
    """A PNG with the given header, raw (unfiltered, filter byte included) rows and extra chunks before them."""
    header = png_chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, depth, colour, 0, 0, 0))
    data = png_chunk(b"IDAT", zlib.compress(rows, 9))
    return b"\x89PNG\r\n\x1a\n" + header + b"".join(chunks) + data + png_chunk(b"IEND", b"")


def exif(orientation: int, order: str = "<") -> bytes:
    """A TIFF block with the orientation tag alone."""
    start = b"II*\0" if order == "<" else b"MM\0*"
    entry = struct.pack(order + "HHIHH", 274, 3, 1, orientation, 0)
    return start + struct.pack(order + "IH", 8, 1) + entry + struct.pack(order + "I", 0)


def jpeg_with_exif(jpeg: bytes, orientation: int, order: str = "<") -> bytes:
    body = b"Exif\0\0" + exif(orientation, order)
    return jpeg[:2] + b"\xff\xe1" + struct.pack(">H", len(body) + 2) + body + jpeg[2:]


def jpeg_frame(width: int, height: int, components: int, precision: int = 8) -> bytes:
    """A JPEG that consists of a frame header and an empty scan."""
    planes = b"".join(bytes((i + 1, 0x11, 0)) for i in range(components))
    frame = struct.pack(">BHHB", precision, height, width, components) + planes
    return b"\xff\xd8\xff\xc0" + struct.pack(">H", len(frame) + 2) + frame + b"\xff\xda\0\x02\xff\xd9"


def gif(frames: int, picture: Pixels | None = None) -> bytes:
    """A GIF of some equal frames."""
    single = encoded(quarters() if picture is None else picture, ".gif")
    flags = single[10]
    first = 13 + (3 * 2 ** ((flags & 7) + 1) if flags & 0x80 else 0)
    return single[:first] + single[first:-1] * frames + b";"


def webp_extended(flags: int, width: int = 40, height: int = 24) -> bytes:
    body = bytes((flags, 0, 0, 0)) + (width - 1).to_bytes(3, "little") + (height - 1).to_bytes(3, "little")
    chunks = b"VP8X" + struct.pack("<I", 10) + body + encoded(quarters(), ".webp", cv2.IMWRITE_WEBP_QUALITY, 101)[12:]
    return b"RIFF" + struct.pack("<I", 4 + len(chunks)) + b"WEBP" + chunks


ENCODERS: dict[str, Callable[[Pixels], bytes]] = {
    "PNG": lambda p: encoded(p, ".png"),
    "JPEG": lambda p: encoded(p, ".jpg", cv2.IMWRITE_JPEG_QUALITY, 98),
    "WebP": lambda p: encoded(p, ".webp", cv2.IMWRITE_WEBP_QUALITY, 101),
    "GIF": lambda p: encoded(p, ".gif"),
    "BMP": lambda p: encoded(p, ".bmp"),
}
"""An encoder for every kind of file that is read."""
