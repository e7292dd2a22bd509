"""The overlay: what was read, drawn on the screenshot, to be judged by a person in two seconds.

Around the board the screenshot is darkened, on the board only a little, so that pieces and their outlines can be
compared. The lattice is thin, pieces are bold, elements in doubt are boxed in one warning colour that nothing else
uses, and a strip on top tells status, game, size, confidence and the first reasons.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from pipeline.extract.contract import Box, Mark, Reading
from pipeline.extract.image import Picture
from pipeline.extract.lettering import draw_text, fitted, text_size

Pixels = NDArray[np.uint8]
Color = tuple[int, int, int]

LONG_SIDE = 1400
SHORT_SIDE = 480  # smaller pictures are enlarged to it: the strip must stay readable

_WARNING: Color = (255, 60, 220)
_LATTICE: Color = (190, 190, 190)
_PIECE: Color = (0, 255, 190)
_STATUS: dict[str, Color] = {"ok": (40, 170, 80), "uncertain": (240, 160, 20)}
_OTHER_STATUS: Color = (200, 60, 50)
_INK: Color = (240, 240, 240)
_STRIP_BACK: Color = (28, 30, 34)
_MAX_BOXES = 40
_SUBPIXEL = 4  # fractional bits of coordinates handed to OpenCV


@dataclass(frozen=True)
class Caption:
    """What the strip says: a status word, a line of facts, and reasons in order of weight."""

    status: str
    facts: str
    reasons: Sequence[str] = ()


def draw_overlay(picture: Picture, reading: Reading, caption: Caption) -> bytes:
    """PNG bytes of the overlay; the same input gives the same bytes under one version of OpenCV."""
    canvas, scale = _resized(picture)
    marks = [_scaled(mark, scale) for mark in reading.marks]
    _dim(canvas, _extent(marks))
    line = max(1.0, min(canvas.shape[:2]) / 450)
    for kind, weight in (("lattice", 0.6), ("piece", 2.2), ("circle", 2.2)):
        for mark in marks:
            if mark.kind == kind:
                _outline(canvas, mark, weight * line)
    _labels(canvas, [mark for mark in marks if mark.kind == "label"])
    for element in reading.doubts[:_MAX_BOXES]:
        _warn(canvas, tuple(v * scale for v in element.box), f"{element.confidence:.2f}", line)
    ok, data = cv2.imencode(".png", np.vstack([_strip(canvas.shape[1], caption), canvas]))
    assert ok
    return bytes(data.tobytes())


def _resized(picture: Picture) -> tuple[Pixels, float]:
    """A writable copy at overlay size, and overlay pixels per picture pixel."""
    small, scale = picture.reduced(LONG_SIDE)
    short, long = min(small.shape[:2]), max(small.shape[:2])
    larger = max(1.0, min(SHORT_SIDE / short, LONG_SIDE / long))
    if larger == 1.0:
        return small.copy(), scale
    size = (round(small.shape[1] * larger), round(small.shape[0] * larger))
    return np.asarray(cv2.resize(small, size, interpolation=cv2.INTER_CUBIC), np.uint8), scale * larger


def _scaled(mark: Mark, scale: float) -> Mark:
    points = tuple((x * scale, y * scale) for x, y in mark.points)
    return Mark(mark.kind, points, mark.text, mark.radius * scale, mark.closed, mark.color)


def _extent(marks: Sequence[Mark]) -> tuple[int, int, int, int] | None:
    """Left, top, right, bottom of everything marked; None without marks."""
    points = [(x + dx, y + dx) for m in marks for x, y in m.points for dx in (-m.radius, m.radius)]
    if not points:
        return None
    xs, ys = zip(*points, strict=True)
    return int(min(xs)), int(min(ys)), int(max(xs)) + 1, int(max(ys)) + 1


def _dim(canvas: Pixels, board: tuple[int, int, int, int] | None) -> None:
    """Darken and grey everything, the board only a little."""
    bright = canvas.copy()
    grey = canvas.mean(axis=2, keepdims=True)
    canvas[:] = (0.28 * (0.4 * canvas + 0.6 * grey)).astype(np.uint8)
    if board is not None:
        pad = round(0.02 * max(canvas.shape[:2]))
        x0, y0 = max(0, board[0] - pad), max(0, board[1] - pad)
        part = (slice(y0, max(y0, board[3] + pad)), slice(x0, max(x0, board[2] + pad)))
        canvas[part] = (0.80 * bright[part]).astype(np.uint8)


def _outline(canvas: Pixels, mark: Mark, width: float) -> None:
    """A line with a dark casing, so that it stands out from any colour below it."""
    color = mark.color if mark.color is not None else (_LATTICE if mark.kind == "lattice" else _PIECE)
    for paint, extra in (((0, 0, 0), 2), (color, 0)):
        thickness = max(1, round(width)) + extra
        if mark.kind == "circle":
            center = _fixed(mark.points[0])
            radius = max(1, round(mark.radius * 2**_SUBPIXEL))
            cv2.circle(canvas, center, radius, paint[::-1], thickness, cv2.LINE_AA, _SUBPIXEL)
        else:
            points = np.array([_fixed(p) for p in mark.points], np.int32).reshape(-1, 1, 2)
            closed = mark.closed or (mark.kind == "piece" and len(mark.points) > 2)
            cv2.polylines(canvas, [points], closed, paint[::-1], thickness, cv2.LINE_AA, _SUBPIXEL)


def _fixed(point: tuple[float, float]) -> tuple[int, int]:
    return round(point[0] * 2**_SUBPIXEL), round(point[1] * 2**_SUBPIXEL)


def _labels(canvas: Pixels, labels: Sequence[Mark]) -> None:
    """Names centred on their points, all of one size, small enough that neighbours do not touch."""
    if not labels:
        return
    room = min(_room([m.points[0] for m in labels]), 0.5 * min(canvas.shape[:2]))
    widest = max(text_size(m.text, 100)[0] for m in labels) / 100  # width per pixel of capital height
    height = min(0.26 * room, 0.9 * room / max(1.0, widest), min(canvas.shape[:2]) / 26)
    if height < 4.5:  # unreadable: first letters are still a help
        labels = [Mark("label", m.points, m.text[:2]) for m in labels]
        height = min(0.3 * room, 8.0)
    for mark in labels:
        _halo_text(canvas, mark.text, mark.points[0], height, _INK)


def _room(points: Sequence[tuple[float, float]]) -> float:
    """The least distance between two points, in the larger of x and y; infinite for a single one."""
    at = np.array(points, np.float64)
    apart = np.abs(at[:, None] - at[None]).max(axis=2)
    apart[np.diag_indices(len(at))] = np.inf
    return float(max(1.0, apart.min()))


def _halo_text(canvas: Pixels, text: str, center: tuple[float, float], height: float, color: Color) -> None:
    width, _ = text_size(text, height)
    x, y = center[0] - width / 2, center[1] + height / 2
    reach = max(1, round(height / 9))
    for dx in (-reach, 0, reach):
        for dy in (-reach, 0, reach):
            if dx or dy:
                draw_text(canvas, text, (x + dx, y + dy), height, (0, 0, 0))
    draw_text(canvas, text, (x, y), height, color)


def _warn(canvas: Pixels, box: Any, text: str, line: float) -> None:
    """A box in the warning colour with a small flag that tells the confidence."""
    x, y, w, h = box
    corners = np.array([_fixed(p) for p in ((x, y), (x + w, y), (x + w, y + h), (x, y + h))], np.int32)
    cv2.polylines(canvas, [corners.reshape(-1, 1, 2)], True, (0, 0, 0), round(3 * line) + 2, cv2.LINE_AA, _SUBPIXEL)
    cv2.polylines(canvas, [corners.reshape(-1, 1, 2)], True, _WARNING[::-1], round(3 * line), cv2.LINE_AA, _SUBPIXEL)
    height = float(np.clip(0.2 * min(w, h), 6, min(canvas.shape[:2]) / 45))
    width, _ = text_size(text, height)
    x0, y0 = round(x), round(y)
    x1, y1 = round(x + width + height), round(y + 1.9 * height)
    cv2.rectangle(canvas, (x0, y0), (x1, y1), _WARNING[::-1], cv2.FILLED)
    draw_text(canvas, text, (x + height / 2, y + 1.45 * height), height, (0, 0, 0))


def _strip(width: int, caption: Caption) -> Pixels:
    """The header: a coloured status word and the facts beside it, then up to three lines of reasons."""
    big, small = float(np.clip(width / 48, 13, 22)), float(np.clip(width / 66, 10, 16))
    lines = _wrapped(caption.reasons, small, width - 4 * small, most=4)
    height = round(3.2 * big + len(lines) * 1.9 * small + (0.8 * small if lines else 0))
    strip = np.full((height, width, 3), _STRIP_BACK[::-1], np.uint8)
    status_width, _ = text_size(caption.status, big)
    pill = (round(2 * small + status_width + 2 * big), round(2.6 * big))
    color = _STATUS.get(caption.status, _OTHER_STATUS)
    cv2.rectangle(strip, (round(2 * small), round(0.6 * big)), pill, color[::-1], cv2.FILLED)
    draw_text(strip, caption.status, (2 * small + big, 2.1 * big), big, (255, 255, 255))
    left = pill[0] + big
    draw_text(strip, fitted(caption.facts, big, width - left - small), (left, 2.1 * big), big, _INK)
    for i, text in enumerate(lines):
        draw_text(strip, text, (2 * small, 3.2 * big + (1.9 * i + 1.2) * small), small, (200, 204, 210))
    return strip


def _wrapped(texts: Sequence[str], cap_height: float, width: float, most: int) -> list[str]:
    """The texts broken into lines of at most `width` pixels; the last one allowed ends in dots when more follows."""
    lines: list[str] = []
    for text in texts:
        line = ""
        for word in text.split():
            longer = f"{line} {word}".strip()
            if line and text_size(longer, cap_height)[0] > width:
                lines.append(line)
                longer = word
            line = longer
        lines.append(fitted(line, cap_height, width))
    if len(lines) > most:
        lines = [*lines[: most - 1], fitted(lines[most - 1], cap_height, 0.9 * width).rstrip(".") + " ..."]
    return lines


def box_text(box: Box) -> str:
    """A pixel box in words."""
    x, y, width, height = (round(v) for v in box)
    return f"at x {x}, y {y}, {width} x {height} px"
