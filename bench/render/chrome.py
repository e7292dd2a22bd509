"""What stands around a board on a real screen: status bar, notch, title, buttons, navigation bar, browser window, ad.

`screen` draws it and says which rectangle is left for the board.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from bench.render.canvas import Canvas, Color, Paint, shade

SIZES: dict[str, tuple[int, int]] = {
    "phone": (1080, 2400),
    "small phone": (720, 1280),
    "tablet": (1536, 2048),
    "desktop": (1280, 900),
}
"""Usual screenshot sizes, (width, height) in pixels."""


class Area(NamedTuple):
    """A rectangle in pixels."""

    x: float
    y: float
    width: float
    height: float


class Grid(NamedTuple):
    """Where a grid of square cells stands: its top-left corner and cell size in pixels."""

    x: float
    y: float
    cell: float

    def corner(self, row: float, col: float) -> tuple[float, float]:
        """Top-left corner of a cell."""
        return self.x + col * self.cell, self.y + row * self.cell

    def centre(self, row: float, col: float) -> tuple[float, float]:
        """Middle of a cell."""
        return self.corner(row + 0.5, col + 0.5)


@dataclass(frozen=True)
class Theme:
    """Background paint, the colour of buttons, and the colour of text."""

    background: Paint
    button: Color
    ink: Color


def screen(size: tuple[int, int], theme: Theme, title: str, rng: np.random.Generator) -> tuple[Canvas, Area]:
    """An app's screen around an empty middle: a browser window when wide, a phone when tall, a tablet between."""
    width, height = size
    canvas = Canvas(width, height, theme.background)
    if width >= height:
        return canvas, _browser(canvas, theme, title)
    if width >= 0.65 * height:
        return canvas, _handheld(canvas, theme, title, rng, notch=False)
    return canvas, _handheld(canvas, theme, title, rng, notch=bool(rng.random() < 0.5))


def fit_grid(area: Area, rows: int, cols: int, margin: float = 0.6) -> Grid:
    """The largest centred grid of square cells with `margin` cells left free on every side."""
    cell = float(int(min(area.width / (cols + 2 * margin), area.height / (rows + 2 * margin))))
    return Grid(area.x + (area.width - cell * cols) / 2, area.y + (area.height - cell * rows) / 2, cell)


def advertisement(width: int, height: int, rng: np.random.Generator) -> np.ndarray:
    """An ad banner as BGR: loud colours, a picture, words and a button."""
    back = tuple(int(c) for c in rng.integers(30, 230, 3))
    canvas = Canvas(width, height, back)
    loud = tuple(int(c) for c in rng.integers(0, 255, 3))
    canvas.box(height * 0.15, height * 0.15, height * 0.7, height * 0.7, loud, radius=height * 0.1)
    canvas.disc(height * 0.5, height * 0.5, height * 0.2, (255, 255, 255))
    ink = (20, 20, 20) if sum(back) > 380 else (250, 250, 250)
    canvas.text("Play 1000 levels for free!", width * 0.5, height * 0.5, height * 0.17, ink, width=width * 0.5)
    button = (width - height * 1.6, height * 0.25, height * 1.4, height * 0.5)
    canvas.box(*button, (40, 120, 240), radius=height * 0.12)
    canvas.text("Install", width - height * 0.9, height * 0.5, height * 0.15, (255, 255, 255))
    return canvas.picture()


def _handheld(canvas: Canvas, theme: Theme, title: str, rng: np.random.Generator, *, notch: bool) -> Area:
    unit = canvas.width / 100
    _status_bar(canvas, theme, unit, notch=notch)
    top = 8 * unit
    canvas.text(title, canvas.width / 2, top + 5 * unit, 3.2 * unit, theme.ink)
    for x in (9 * unit, canvas.width - 9 * unit):
        _round_button(canvas, theme, x, top + 5 * unit, 4.2 * unit)
    canvas.polygon(_arrow(9 * unit, top + 5 * unit, 1.8 * unit), theme.ink)
    canvas.disc(canvas.width - 9 * unit, top + 5 * unit, 1.9 * unit, theme.ink, ring=0.8 * unit)
    canvas.text(f"Moves: {int(rng.integers(0, 30))}", canvas.width / 2, top + 13 * unit, 2.2 * unit, theme.ink)
    low = canvas.height - 20 * unit
    for i in range(4):
        x = canvas.width * (i + 1) / 5
        _round_button(canvas, theme, x, low, 5.5 * unit)
        canvas.box(x - 2 * unit, low - 2 * unit, 4 * unit, 4 * unit, theme.ink, radius=unit * (i % 3), ring=0.7 * unit)
    _navigation_bar(canvas, unit)
    return Area(0, top + 18 * unit, canvas.width, low - 8 * unit - (top + 18 * unit))


def _status_bar(canvas: Canvas, theme: Theme, unit: float, *, notch: bool) -> None:
    canvas.text("14:48", 9 * unit, 3.4 * unit, 1.7 * unit, theme.ink)
    right = canvas.width - 6 * unit
    canvas.box(right - 4 * unit, 2.4 * unit, 4 * unit, 2 * unit, theme.ink, radius=0.4 * unit, ring=0.3 * unit)
    canvas.box(right - 3.6 * unit, 2.8 * unit, 2.2 * unit, 1.2 * unit, theme.ink)
    for i in range(4):
        x, high = right - (11 - 1.2 * i) * unit, (0.6 + 0.45 * i) * unit
        canvas.box(x, 4.4 * unit - high, 0.8 * unit, high, theme.ink)
    if notch:
        canvas.box(canvas.width / 2 - 17 * unit, -4 * unit, 34 * unit, 8.5 * unit, (0, 0, 0), radius=3 * unit)


def _navigation_bar(canvas: Canvas, unit: float) -> None:
    top = canvas.height - 9 * unit
    canvas.box(0, top, canvas.width, 9 * unit + 2, (0, 0, 0))
    middle, pale = top + 4.5 * unit, (200, 200, 200)
    canvas.polygon(_arrow(canvas.width * 0.25, middle, 1.6 * unit), pale, ring=0.4 * unit)
    canvas.disc(canvas.width * 0.5, middle, 1.7 * unit, pale, ring=0.4 * unit)
    canvas.box(canvas.width * 0.75 - 1.5 * unit, middle - 1.5 * unit, 3 * unit, 3 * unit, pale, ring=0.4 * unit)


def _browser(canvas: Canvas, theme: Theme, title: str) -> Area:
    unit = canvas.height / 100
    canvas.box(0, 0, canvas.width, 5 * unit, (222, 225, 230))
    canvas.box(2 * unit, unit, 26 * unit, 4 * unit + 2, (250, 250, 250), radius=unit)
    canvas.text(title, 15 * unit, 3 * unit, 1.4 * unit, (50, 50, 50), width=22 * unit)
    canvas.box(0, 5 * unit, canvas.width, 5 * unit, (250, 250, 250))
    bar = (14 * unit, 5.9 * unit, canvas.width - 24 * unit, 3.2 * unit)
    canvas.box(*bar, (235, 237, 240), radius=1.6 * unit)
    canvas.text("https://puzzles.example/play", 34 * unit, 7.5 * unit, 1.2 * unit, (90, 90, 90))
    for i in range(3):
        canvas.disc((3 + 4 * i) * unit, 7.5 * unit, 1.1 * unit, (120, 120, 120), ring=0.35 * unit)
    canvas.text(title, canvas.width / 2, 15 * unit, 2.6 * unit, theme.ink)
    for i, word in enumerate(("Undo", "Restart", "Hint")):
        box = (3 * unit, (30 + 9 * i) * unit, 16 * unit, 6 * unit)
        canvas.box(*box, theme.button, radius=1.2 * unit)
        canvas.text(word, 11 * unit, (33 + 9 * i) * unit, 1.7 * unit, theme.ink)
    return Area(22 * unit, 19 * unit, canvas.width - 44 * unit, 79 * unit)


def _round_button(canvas: Canvas, theme: Theme, x: float, y: float, radius: float) -> None:
    canvas.disc(x, y + radius * 0.12, radius, (0, 0, 0), alpha=0.25, soft=radius * 0.15)
    canvas.disc(x, y, radius, theme.button)
    canvas.disc(x, y, radius, shade(theme.button, 0.7), ring=max(1.0, radius * 0.08))


def _arrow(x: float, y: float, radius: float) -> list[tuple[float, float]]:
    return [(x - radius, y), (x + radius * 0.7, y - radius), (x + radius * 0.7, y + radius)]
