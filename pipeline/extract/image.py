"""Pictures: read by header first, decoded only when small enough, always 8-bit BGR as a viewer would show them.

Exif rotation is applied; 16-bit colours are reduced; transparent pixels are shown on white, as web pages show them.
Refused with a sentence: pictures over the size limits, animations (which frame is the board?), CMYK JPEG (colours
depend on a press profile), files that are cut short or damaged, and kinds other than PNG, JPEG, WebP, GIF and BMP.
Colour profiles are ignored.
"""

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from pipeline.extract.colour import Lab, lab_of_bgr
from pipeline.extract.image_header import Header, UnreadableImage, check_size, read_header

Pixels = NDArray[np.uint8]

MAX_SIDE = 8192
MAX_PIXELS = 33_000_000
MAX_BYTES = 32 * 1024 * 1024

_STRIP = 256  # rows converted at a time, so that peak memory stays near the result's own size


@dataclass(frozen=True, eq=False)
class Picture:
    """A decoded screenshot. `bgr` has shape (height, width, 3), dtype uint8, sRGB, and must not be written to."""

    bgr: Pixels

    @property
    def height(self) -> int:
        """Pixels."""
        return int(self.bgr.shape[0])

    @property
    def width(self) -> int:
        """Pixels."""
        return int(self.bgr.shape[1])

    def reduced(self, long_side: int) -> tuple[Pixels, float]:
        """The picture with its longer side at most `long_side`, and reduced pixels per picture pixel (≤ 1)."""
        cached = self._reductions.get(long_side)
        if cached is None:
            factor = min(1.0, long_side / max(self.height, self.width))
            cached = self._reductions[long_side] = (self.shrunk(factor), factor)
        return cached

    def reduced_lab(self, long_side: int) -> tuple[Lab, float]:
        """As `reduced`, in CIE L*a*b* (L 0…100, float32); the same array every time: it must not be written to."""
        small, factor = self.reduced(long_side)
        cached = self._labs.get(small.shape)
        if cached is None:
            cached = self._labs[small.shape] = lab_of_bgr(small)
        return cached, factor

    def shrunk(self, factor: float) -> Pixels:
        """The picture resized by a factor of at most 1, by averaging areas.

        Halved while that is not too small, which is quick and done once for all factors; little is left to do.
        Of pixels that are averages already, where two remain of three or more, interpolation makes nearly the same in
        a fifth of the time.
        """
        size = (max(1, round(self.width * factor)), max(1, round(self.height * factor)))
        image, halvings = self.bgr, 0
        while image.shape[1] >= 2 * size[0] and image.shape[0] >= 2 * size[1]:
            halvings += 1
            if len(self._halves) < halvings:
                self._halves.append(_halved(image))
            image = self._halves[halvings - 1]
        if image.shape[1::-1] == size:
            return image
        near = halvings > 0 and 2 * max(image.shape[:2]) <= 3 * max(size)
        how = cv2.INTER_LINEAR if near else cv2.INTER_AREA
        return np.asarray(cv2.resize(image, size, interpolation=how), np.uint8)

    @cached_property
    def _halves(self) -> list[Pixels]:
        return []

    @cached_property
    def _reductions(self) -> dict[int, tuple[Pixels, float]]:
        return {}

    @cached_property
    def _labs(self) -> dict[tuple[int, ...], Lab]:
        return {}


def _halved(image: Pixels) -> Pixels:
    """Every two by two pixels averaged to one; an odd last row or column is left out."""
    height, width = image.shape[0] // 2, image.shape[1] // 2
    even = image[: 2 * height, : 2 * width]
    return np.asarray(cv2.resize(even, (width, height), interpolation=cv2.INTER_AREA), np.uint8)


def load_picture(path: Path) -> Picture:
    """Read and decode a picture file; UnreadableImage with a sentence when it cannot or must not be decoded."""
    return decode_picture(read_image_bytes(path))


def read_image_bytes(path: Path) -> bytes:
    """The bytes of a picture file, unless it is too large to be a screenshot (UnreadableImage)."""
    try:
        size = path.stat().st_size
        if size > MAX_BYTES:
            raise UnreadableImage(f"the file has {size:,} bytes; {MAX_BYTES // 1024**2} MiB is the limit.")
        return path.read_bytes()
    except OSError as error:
        raise UnreadableImage(f"the file cannot be read ({error.strerror}).") from None


def decode_picture(data: bytes) -> Picture:
    """Decode the bytes of a picture file as `load_picture` does."""
    header = read_header(data)
    check_size(header, MAX_SIDE, MAX_PIXELS)
    how = cv2.IMREAD_UNCHANGED if header.alpha else cv2.IMREAD_COLOR | cv2.IMREAD_IGNORE_ORIENTATION
    try:
        decoded: Any = cv2.imdecode(np.frombuffer(data, np.uint8), how)
    except cv2.error:
        decoded = None
    if decoded is None or decoded.shape[:2] != (header.height, header.width):
        raise UnreadableImage(f"the {header.kind} file is damaged.")
    return Picture(_upright(_opaque(decoded), header))


def _opaque(decoded: Any) -> Pixels:
    """8-bit BGR of whatever the decoder gave: any depth, grey or colour, with or without transparency (on white)."""
    channels = 1 if decoded.ndim == 2 else decoded.shape[2]
    if decoded.dtype == np.uint8 and channels == 3:
        return decoded
    result = np.empty((*decoded.shape[:2], 3), np.uint8)
    for top in range(0, len(decoded), _STRIP):
        part = decoded[top : top + _STRIP].reshape(-1, decoded.shape[1], channels)
        if part.dtype == np.uint16:
            part = ((part.astype(np.uint32) + 128) // 257).astype(np.uint8)
        opaque = channels in (1, 3)
        colour = part[:, :, : channels if opaque else channels - 1].astype(np.uint16)
        alpha = np.uint16(255) if opaque else part[:, :, -1:].astype(np.uint16)
        result[top : top + _STRIP] = (colour * alpha + 255 * (255 - alpha) + 127) // 255
    return result


def _upright(bgr: Pixels, header: Header) -> Pixels:
    """The picture turned as its Exif orientation asks."""
    if header.orientation >= 5:
        bgr = np.transpose(bgr, (1, 0, 2))
    if header.orientation in (2, 3, 6, 7):
        bgr = bgr[:, ::-1]
    if header.orientation in (3, 4, 7, 8):
        bgr = bgr[::-1]
    return np.ascontiguousarray(bgr)
