"""A small antialiased canvas: shapes are signed distances, so edges, outlines and soft shadows come from one formula.

Coordinates and lengths are pixels, x to the right, y down; colours are sRGB triples in 0…255. A *paint* is a colour or
a function of (u, v), each in [0, 1] across the shape's box, that gives colours.
"""

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from pipeline.extract.lettering import draw_text, fitted, text_size

Field = NDArray[np.float32]
Color = tuple[int, int, int]
Paint = Color | Callable[[Field, Field], Field]
Point = tuple[float, float]


class Canvas:
    """A picture being drawn."""

    def __init__(self, width: int, height: int, paint: Paint = (255, 255, 255)) -> None:
        self.width, self.height = width, height
        self._pixels = np.zeros((height, width, 3), np.float32)
        if callable(paint):
            self.box(-2, -2, width + 4, height + 4, paint)
        else:
            self._pixels[:] = paint

    def picture(self) -> NDArray[np.uint8]:
        """What was drawn, as 8-bit BGR of shape (height, width, 3)."""
        return np.ascontiguousarray(np.clip(np.rint(self._pixels), 0, 255).astype(np.uint8)[:, :, ::-1])

    def box(
        self,
        x: float,
        y: float,
        width: float,
        height: float,
        paint: Paint,
        *,
        radius: float = 0,
        alpha: float = 1,
        soft: float = 0,
        ring: float = 0,
    ) -> None:
        """A rounded box. `soft` blurs its edge over that many pixels; `ring` draws only an inner outline that wide."""
        radius = min(radius, width / 2, height / 2)

        def outside(px: Field, py: Field) -> Field:
            qx = np.abs(px - (x + width / 2)) - (width / 2 - radius)
            qy = np.abs(py - (y + height / 2)) - (height / 2 - radius)
            corner = np.hypot(np.maximum(qx, 0), np.maximum(qy, 0))
            return corner + np.minimum(np.maximum(qx, qy), 0) - radius

        self._compose(outside, (x, y, width, height), paint, alpha, soft, ring)

    def disc(
        self, x: float, y: float, radius: float, paint: Paint, *, alpha: float = 1, soft: float = 0, ring: float = 0
    ) -> None:
        """A disc around (x, y)."""
        box = (x - radius, y - radius, 2 * radius, 2 * radius)
        self.box(*box, paint, radius=radius, alpha=alpha, soft=soft, ring=ring)

    def stroke(
        self, a: Point, b: Point, width: float, paint: Paint, *, alpha: float = 1, soft: float = 0, ring: float = 0
    ) -> None:
        """A round-ended stroke from a to b."""
        dx, dy = b[0] - a[0], b[1] - a[1]
        norm = max(1e-9, dx * dx + dy * dy)

        def outside(px: Field, py: Field) -> Field:
            along = np.clip(((px - a[0]) * dx + (py - a[1]) * dy) / norm, 0, 1)
            return np.hypot(px - a[0] - along * dx, py - a[1] - along * dy) - width / 2

        x, y = min(a[0], b[0]) - width / 2, min(a[1], b[1]) - width / 2
        self._compose(outside, (x, y, abs(dx) + width, abs(dy) + width), paint, alpha, soft, ring)

    def polygon(
        self, points: Sequence[Point], paint: Paint, *, alpha: float = 1, soft: float = 0, ring: float = 0
    ) -> None:
        """A simple polygon."""
        corners = list(points)

        def outside(px: Field, py: Field) -> Field:
            shape = np.broadcast_shapes(px.shape, py.shape)
            nearest = np.full(shape, np.inf, np.float32)
            inside = np.zeros(shape, bool)
            for (ax, ay), (bx, by) in zip(corners, corners[1:] + corners[:1], strict=True):
                dx, dy = bx - ax, by - ay
                along = np.clip(((px - ax) * dx + (py - ay) * dy) / max(1e-9, dx * dx + dy * dy), 0, 1)
                nearest = np.minimum(nearest, np.hypot(px - ax - along * dx, py - ay - along * dy))
                crosses = (ay > py) != (by > py)
                inside ^= crosses & (px < ax + dx * (py - ay) / (dy if dy else 1e-9))
            return np.where(inside, -nearest, nearest)

        xs, ys = [p[0] for p in corners], [p[1] for p in corners]
        bounds = (min(xs), min(ys), max(xs) - min(xs), max(ys) - min(ys))
        self._compose(outside, bounds, paint, alpha, soft, ring)

    def text(self, text: str, x: float, y: float, cap_height: float, color: Color, *, width: float = 1e9) -> None:
        """One line centred on (x, y), capitals `cap_height` high, cut to `width`."""
        text = fitted(text, cap_height, width)
        wide, high = text_size(text, cap_height)
        x0, x1 = max(0, int(x - wide)), min(self.width, int(x + wide) + 1)
        y0, y1 = max(0, int(y - 2 * high)), min(self.height, int(y + 2 * high) + 1)
        layer = np.ascontiguousarray(self._pixels[y0:y1, x0:x1, ::-1].astype(np.uint8))
        draw_text(layer, text, (x - wide / 2 - x0, y + high / 2 - y0), cap_height, color)
        self._pixels[y0:y1, x0:x1] = layer[:, :, ::-1]

    def paste(self, bgr: NDArray[np.uint8], x: int, y: int) -> None:
        """Copy a picture to (x, y); what falls outside is cut."""
        height, width = min(bgr.shape[0], self.height - y), min(bgr.shape[1], self.width - x)
        self._pixels[y : y + height, x : x + width] = bgr[:height, :width, ::-1]

    def _compose(
        self,
        outside: Callable[[Field, Field], Field],
        bounds: tuple[float, float, float, float],
        paint: Paint,
        alpha: float,
        soft: float,
        ring: float,
    ) -> None:
        """Blend the paint where the signed distance `outside` (pixels, negative inside) is below 0.

        `outside` is given a row of x and a column of y, for numpy to spread them out only where it must.
        """
        x, y, width, height = bounds
        reach = soft + 1
        x0, y0 = max(0, int(x - reach)), max(0, int(y - reach))
        x1, y1 = min(self.width, int(x + width + reach) + 1), min(self.height, int(y + height + reach) + 1)
        if x0 >= x1 or y0 >= y1:
            return
        py = np.arange(y0, y1, dtype=np.float32)[:, None] + np.float32(0.5)
        px = np.arange(x0, x1, dtype=np.float32) + np.float32(0.5)
        distance = outside(px, py)
        if ring:
            distance = np.abs(distance + ring / 2) - ring / 2
        distance /= max(1.0, 2 * soft)
        cover = np.clip(np.subtract(0.5, distance, out=distance), 0, 1, out=distance)
        if soft:
            cover = cover * cover * (3 - 2 * cover)
        cover = (cover * alpha)[:, :, None]
        if callable(paint):
            u, v = np.clip((px - x) / max(1, width), 0, 1), np.clip((py - y) / max(1, height), 0, 1)
            color = paint(*np.broadcast_arrays(u, v))
        else:
            color = np.array(paint, np.float32)
        part = self._pixels[y0:y1, x0:x1]
        part += (color - part) * cover


def shade(color: Color, factor: float) -> Color:
    """Darker (factor < 1) or lighter, towards white (factor > 1: 2 is white)."""
    if factor <= 1:
        return tuple(round(c * factor) for c in color)  # type: ignore[return-value]
    return tuple(round(c + (255 - c) * min(1.0, factor - 1)) for c in color)  # type: ignore[return-value]


def downwards(top: Color, bottom: Color) -> Paint:
    """A gradient from top to bottom."""
    a, b = np.array(top, np.float32), np.array(bottom, np.float32)
    return lambda _, v: a + (b - a) * v[:, :, None]


def glossy(color: Color, at: Point = (0.35, 0.3)) -> Paint:
    """A ball lit from above: a bright spot at `at`, dark towards the far rim."""
    base = np.array(color, np.float32)

    def paint(u: Field, v: Field) -> Field:
        far = np.hypot(u - at[0], v - at[1])[:, :, None]
        lit = base * (1.1 - 0.55 * far)
        return lit + (255 - lit) * np.clip(1 - far / 0.28, 0, 1) ** 2 * 0.85

    return paint


def wood(color: Color, rng: np.random.Generator, *, upright: bool = False) -> Paint:
    """Planed wood: grain along the longer side, a few dark streaks."""
    base = np.array(color, np.float32)
    phases, rates = rng.uniform(0, 6.28, 5), rng.uniform(9, 60, 5)

    def paint(u: Field, v: Field) -> Field:
        along, across = (v, u) if upright else (u, v)
        bend = across + 0.02 * np.sin(5 * along + phases[0])
        grain = sum(np.sin(r * bend + p) for r, p in zip(rates, phases, strict=True)) / 5
        return base * (1 + 0.10 * grain)[:, :, None]

    return paint


def blurred_noise(color: Color, rng: np.random.Generator, amount: float = 0.15) -> Paint:
    """A calm, cloudy background around one colour."""
    base = np.array(color, np.float32)
    waves = rng.uniform(1, 9, (6, 2)), rng.uniform(0, 6.28, 6)

    def paint(u: Field, v: Field) -> Field:
        cloud = sum(np.sin(a * u + b * v + p) for (a, b), p in zip(*waves, strict=True)) / 6
        return base * (1 + amount * cloud)[:, :, None]

    return paint
