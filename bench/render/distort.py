"""What happens to screenshots on their way: resizing, JPEG, a cut edge, other gamma and hue, bars and ads added."""

from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from bench.render.chrome import advertisement

Pixels = NDArray[np.uint8]
Rng = np.random.Generator


def distort(bgr: Pixels, rng: Rng) -> Pixels:
    """Every distortion once, each by a random amount within what real screenshots show."""
    if rng.random() < 0.3:
        bgr = add_banner(bgr, rng)
    if rng.random() < 0.3:
        bgr = add_bars(bgr, rng)
    bgr = rescale(bgr, float(2 ** rng.uniform(-1, 1)))
    bgr = crop(bgr, [int(n) for n in rng.integers(0, 4, 4)])
    bgr = shift_hue(gamma(bgr, float(rng.uniform(0.8, 1.2))), float(rng.uniform(-15, 15)))
    return jpeg(bgr, int(rng.integers(60, 96)))


def wear(bgr: Pixels, rng: Rng, smallest: int = 420) -> Pixels:
    """A screenshot passed on many times: shrunk (long side `smallest` or more), blurred, noisy, pressed hard."""
    bgr = rescale(bgr, min(1.0, max(float(rng.uniform(0.3, 0.8)), smallest / max(bgr.shape[:2]))))
    if rng.random() < 0.5:
        bgr = _pixels(cv2.GaussianBlur(bgr, (0, 0), float(rng.uniform(0.4, 1.5))))
    if rng.random() < 0.5:
        noise = rng.normal(0, float(rng.uniform(2, 10)), bgr.shape)
        bgr = _pixels(np.clip(np.rint(bgr + noise), 0, 255))
    return jpeg(gamma(bgr, float(rng.uniform(0.6, 1.6))), int(rng.integers(25, 70)))


def rescale(bgr: Pixels, factor: float) -> Pixels:
    """Resize by a factor: area-averaged when smaller, bilinear when larger."""
    how = cv2.INTER_AREA if factor < 1 else cv2.INTER_LINEAR
    return _pixels(cv2.resize(bgr, None, fx=factor, fy=factor, interpolation=how))


def crop(bgr: Pixels, cut: list[int]) -> Pixels:
    """Cut pixels off the left, top, right and bottom edge."""
    left, top, right, bottom = cut
    return np.ascontiguousarray(bgr[top : bgr.shape[0] - bottom, left : bgr.shape[1] - right])


def gamma(bgr: Pixels, exponent: float) -> Pixels:
    """Raise normalised values to a power: below 1 brightens, above 1 darkens."""
    table = np.rint(255 * (np.arange(256) / 255) ** exponent).astype(np.uint8)
    return table[bgr]


def shift_hue(bgr: Pixels, degrees: float) -> Pixels:
    """Turn every hue by some degrees."""
    hsv = cv2.cvtColor(bgr, cv2.COLOR_BGR2HSV_FULL)
    hsv[:, :, 0] = (hsv[:, :, 0].astype(np.int32) + round(degrees * 256 / 360)) % 256
    return _pixels(cv2.cvtColor(hsv, cv2.COLOR_HSV2BGR_FULL))


def jpeg(bgr: Pixels, quality: int) -> Pixels:
    """What JPEG of that quality (1…100) leaves of the picture."""
    _, data = cv2.imencode(".jpg", bgr, [cv2.IMWRITE_JPEG_QUALITY, quality])
    return _pixels(cv2.imdecode(data, cv2.IMREAD_COLOR))


def add_banner(bgr: Pixels, rng: Rng) -> Pixels:
    """An ad banner above or below the screen."""
    width = bgr.shape[1]
    banner = advertisement(width, max(40, width // 7), rng)
    return np.vstack([banner, bgr] if rng.random() < 0.3 else [bgr, banner])


def add_bars(bgr: Pixels, rng: Rng) -> Pixels:
    """A notch bar at the top and a navigation bar at the bottom, black or white."""
    height, width = max(16, bgr.shape[1] // 16), bgr.shape[1]
    bar = np.full((height, width, 3), 0 if rng.random() < 0.6 else 255, np.uint8)
    notch = bar.copy()
    notch[:, width // 3 : width * 2 // 3] = 12
    return np.vstack([notch, bgr, bar])


def _pixels(image: Any) -> Pixels:
    return np.ascontiguousarray(image, np.uint8)
