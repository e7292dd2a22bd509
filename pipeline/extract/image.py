"""Pictures: read by header first, decoded only when small enough, always 8-bit BGR.

Interim loader, being replaced by one that caps by header; the Picture type stays.
"""

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

Pixels = NDArray[np.uint8]


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
            size = (max(1, round(self.width * factor)), max(1, round(self.height * factor)))
            small = self.bgr if factor == 1.0 else cv2.resize(self.bgr, size, interpolation=cv2.INTER_AREA)
            cached = self._reductions[long_side] = (small, factor)
        return cached

    @cached_property
    def _reductions(self) -> dict[int, tuple[Pixels, float]]:
        return {}

    @cached_property
    def lab(self) -> NDArray[np.float32]:
        """CIE L*a*b* (L 0…100), float32, same shape: distances in it are perceptual (ΔE76)."""
        scaled: Any = self.bgr.astype(np.float32) / 255
        return cv2.cvtColor(scaled, cv2.COLOR_BGR2LAB)


def load_picture(path: Path) -> Picture:
    """Read and decode a picture file."""
    data = np.frombuffer(path.read_bytes(), np.uint8)
    bgr = cv2.imdecode(data, cv2.IMREAD_COLOR)
    if bgr is None:
        raise ValueError(f"{path}: not a picture")
    return Picture(bgr)
