"""What a picture file says about itself before a single pixel is decoded.

A file of a few kilobytes can declare gigabytes of pixels, and decoders fill the missing half of a truncated file with
grey and say nothing. So size, kind and completeness are read from the bytes here, by hand, from the formats' own
specifications: PNG (3rd edition), JPEG (ITU-T T.81) with Exif 2.3, WebP container (RFC 9649), GIF89a, BMP.
"""

import re
import struct
import zlib
from collections.abc import Iterator
from dataclasses import dataclass

from pipeline.core.errors import PipelineError

MAX_SCANS = 100  # of a progressive JPEG: each scan may cost a pass over all pixels, real files have about ten

_SIGNATURES: tuple[tuple[bytes, str], ...] = (
    (rb"\x89PNG\r\n\x1a\n", "PNG"),
    (rb"\xff\xd8\xff", "JPEG"),
    (rb"RIFF....WEBP", "WebP"),
    (rb"GIF8[79]a", "GIF"),
    (rb"BM.{4}\0{4}", "BMP"),
    (rb"....ftyp(?:hei|hev|mif|msf)", "HEIC"),
    (rb"....ftypavi", "AVIF"),
    (rb"II\*\0|MM\0\*", "TIFF"),
    (rb"\xff\x0a|\0{3}\x0cJXL ", "JPEG XL"),
    (rb"8BPS", "Photoshop"),
)
SIGNATURE_BYTES = 16


class UnreadableImage(PipelineError):
    """A picture file that is damaged, too large or of a kind that is not read; the text says which."""


@dataclass(frozen=True)
class Header:
    """Kind of file, size in pixels as stored, Exif orientation 1…8, and whether pixels may be transparent."""

    kind: str
    width: int
    height: int
    orientation: int = 1
    alpha: bool = False


def image_kind(start: bytes) -> str | None:
    """The kind of picture a file's first `SIGNATURE_BYTES` bytes announce, also of kinds that are not read."""
    for pattern, kind in _SIGNATURES:
        if re.match(pattern, start, re.DOTALL):
            return kind
    return None


def read_header(data: bytes) -> Header:
    """The header of a complete, still picture; UnreadableImage for anything else."""
    kind = image_kind(data[:SIGNATURE_BYTES])
    if kind is None:
        raise UnreadableImage("it is empty." if not data else "it is not a picture file.")
    readers = {"PNG": _png, "JPEG": _jpeg, "WebP": _webp, "GIF": _gif, "BMP": _bmp}
    if kind not in readers:
        raise UnreadableImage(f"{kind} files are not read; save it as PNG.")
    try:
        return readers[kind](data)
    except (struct.error, IndexError):
        raise UnreadableImage(f"the {kind} file is cut short.") from None


def check_size(header: Header, max_side: int, max_pixels: int) -> None:
    """UnreadableImage when a side or the number of pixels is beyond the limits, or either side is 0."""
    width, height = header.width, header.height
    if width < 1 or height < 1:
        raise UnreadableImage(f"it declares a size of {width} x {height} pixels.")
    if max(width, height) > max_side or width * height > max_pixels:
        limit = f"{max_side} pixels a side and {max_pixels // 1_000_000} megapixels are the limit"
        raise UnreadableImage(f"it has {width} x {height} pixels; {limit}.")


# -- PNG -------------------------------------------------------------------------------------------------------------
def _png(data: bytes) -> Header:
    if data[12:16] != b"IHDR":
        raise UnreadableImage("the PNG file does not begin with its header.")
    width, height, _, colour = struct.unpack(">IIBB", data[16:26])
    # The chunks are walked even when the size is beyond every limit: it costs the file's bytes, not its pixels.
    orientation, alpha, ended = 1, colour in (4, 6), False
    for name, body in _png_chunks(data):
        if name == b"acTL" and struct.unpack(">I", body[:4])[0] != 1:
            raise UnreadableImage("the PNG file is animated; save one frame.")
        if name == b"eXIf":
            orientation = exif_orientation(body)
        alpha = alpha or name == b"tRNS"
        ended = name == b"IEND"
    if not ended:
        raise UnreadableImage("the PNG file is cut short.")
    return Header("PNG", width, height, orientation, alpha)


def _png_chunks(data: bytes) -> Iterator[tuple[bytes, bytes]]:
    """Name and body of each chunk up to IEND, checksums compared; what follows IEND is not the picture's."""
    at = 8
    while at < len(data):
        length, name = struct.unpack(">I4s", data[at : at + 8])
        body = data[at + 8 : at + 8 + length]
        (checksum,) = struct.unpack(">I", data[at + 8 + length : at + 12 + length])
        if zlib.crc32(body, zlib.crc32(name)) != checksum:
            raise UnreadableImage("the PNG file is damaged (a checksum does not fit).")
        yield name, body
        if name == b"IEND":
            return
        at += 12 + length


# -- JPEG ------------------------------------------------------------------------------------------------------------
_FRAME_MARKERS = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}  # SOF0…15 without DHT, JPG, DAC
_NEXT_MARKER = re.compile(rb"\xff+[^\x00\xff\xd0-\xd7]")  # stuffed zeros and restart markers belong to the scan


def _jpeg(data: bytes) -> Header:
    size: tuple[int, int] | None = None
    orientation, scans = 1, 0
    for marker, body in _jpeg_segments(data):
        if marker in _FRAME_MARKERS and size is None:
            precision, height, width, components = struct.unpack(">BHHB", body[:6])
            size = (width, height)
            if components == 4:
                raise UnreadableImage("the JPEG file has CMYK colours; save it as an RGB picture.")
            if precision != 8:
                raise UnreadableImage(f"the JPEG file has {precision} bits per colour; 8 are read.")
        if marker == 0xE1 and body[:6] == b"Exif\0\0":
            orientation = exif_orientation(body[6:])
        scans += marker == 0xDA
    if size is None or scans == 0:
        raise UnreadableImage("the JPEG file holds no picture.")
    if scans > MAX_SCANS:
        raise UnreadableImage(f"the JPEG file has {scans} scans; no camera or screen writes that many.")
    return Header("JPEG", *size, orientation)


def _jpeg_segments(data: bytes) -> Iterator[tuple[int, bytes]]:
    """Marker and body of each segment up to the end marker, which must be there; scan data is skipped."""
    at = 2
    while True:
        found = _NEXT_MARKER.search(data, at)
        if found is None:
            raise UnreadableImage("the JPEG file is cut short.")
        marker, at = data[found.end() - 1], found.end()
        if marker == 0xD9:
            return
        if marker in (0x01, 0xD8):
            continue
        (length,) = struct.unpack(">H", data[at : at + 2])
        if length < 2 or at + length > len(data):
            raise UnreadableImage("the JPEG file is cut short.")
        yield marker, data[at + 2 : at + length]
        at += length


def exif_orientation(tiff: bytes) -> int:
    """The orientation tag (274) of an Exif block; 1 where it is missing or the block is damaged."""
    order = {b"II": "<", b"MM": ">"}.get(tiff[:2])
    if order is None:
        return 1
    try:
        (start,) = struct.unpack(order + "I", tiff[4:8])
        (count,) = struct.unpack(order + "H", tiff[start : start + 2])
        for i in range(min(count, 200)):
            tag, _, _, value = struct.unpack_from(order + "HHIH", tiff, start + 2 + 12 * i)
            if tag == 274:
                return value if 1 <= value <= 8 else 1
    except struct.error:
        pass
    return 1


# -- WebP ------------------------------------------------------------------------------------------------------------
def _webp(data: bytes) -> Header:
    (riff,) = struct.unpack("<I", data[4:8])
    if riff + 8 > len(data):
        raise UnreadableImage("the WebP file is cut short.")
    name, body = data[12:16], data[20:30]
    if name == b"VP8X":
        flags = body[0]
        if flags & 0x02:
            raise UnreadableImage("the WebP file is animated; save one frame.")
        width, height = (1 + int.from_bytes(body[i : i + 3], "little") for i in (4, 7))
        exif = dict(_riff_chunks(data)).get(b"EXIF", b"")
        return Header("WebP", width, height, exif_orientation(exif.removeprefix(b"Exif\0\0")), bool(flags & 0x10))
    if name == b"VP8L":
        (bits,) = struct.unpack("<I", body[1:5])
        return Header("WebP", 1 + (bits & 0x3FFF), 1 + (bits >> 14 & 0x3FFF), alpha=bool(bits >> 28 & 1))
    if name == b"VP8 ":
        width, height = struct.unpack("<HH", body[6:10])
        return Header("WebP", width & 0x3FFF, height & 0x3FFF)
    raise UnreadableImage("the WebP file holds no picture.")


def _riff_chunks(data: bytes) -> Iterator[tuple[bytes, bytes]]:
    at = 12
    while at + 8 <= len(data):
        name, length = struct.unpack("<4sI", data[at : at + 8])
        yield name, data[at + 8 : at + 8 + length]
        at += 8 + length + length % 2


# -- GIF -------------------------------------------------------------------------------------------------------------
def _gif(data: bytes) -> Header:
    width, height, flags = struct.unpack("<HHB", data[6:11])
    at = 13 + _colour_table(flags)
    frames, alpha = 0, False
    while data[at] != 0x3B:
        if data[at] == 0x2C:
            x, y, w, h, local = struct.unpack("<HHHHB", data[at + 1 : at + 10])
            if x + w > width or y + h > height:
                raise UnreadableImage("the GIF file is damaged (its picture is larger than its screen).")
            frames += 1
            at = _after_sub_blocks(data, at + 11 + _colour_table(local))
        elif data[at] == 0x21:
            alpha = alpha or (data[at + 1] == 0xF9 and bool(data[at + 3] & 1))
            at = _after_sub_blocks(data, at + 2)
        else:
            raise UnreadableImage("the GIF file is damaged.")
    if frames != 1:
        raise UnreadableImage("the GIF file is animated; save one frame." if frames else "the GIF file is empty.")
    return Header("GIF", width, height, alpha=alpha)


def _colour_table(flags: int) -> int:
    """Bytes of the colour table that a flag byte announces."""
    return 3 * 2 ** ((flags & 7) + 1) if flags & 0x80 else 0


def _after_sub_blocks(data: bytes, at: int) -> int:
    while data[at]:
        at += 1 + data[at]
    return at + 1


# -- BMP -------------------------------------------------------------------------------------------------------------
def _bmp(data: bytes) -> Header:
    start, size = struct.unpack("<II", data[10:18])
    if size == 12:
        width, height, _, depth = struct.unpack("<HHHH", data[18:26])
        packing = 0
    else:
        width, height, _, depth, packing = struct.unpack("<iiHHI", data[18:34])
    height = abs(height)  # negative: rows are stored from the top
    row = (max(0, width) * depth + 31) // 32 * 4
    if packing in (0, 3) and start + row * height > len(data) and row * height < 2**32:
        raise UnreadableImage("the BMP file is cut short.")
    return Header("BMP", width, height)
