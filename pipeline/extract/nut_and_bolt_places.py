"""Doubts about where containers stand: things in their rows that are none, and places where one may be overlooked."""

from itertools import pairwise

from pipeline.extract.nut_and_bolt_containers import Board, Container, pitch_of
from pipeline.extract.nut_and_bolt_outlines import panel

TOUCHING = 0.04
"""Two rows lie farther apart than this share of a container's height."""


def covered(board: Board) -> tuple[str, ...]:
    """Questions about things that stand in a row like a container but do not look like one."""
    return tuple(
        f"what stands in a row of containers at x = {x}, y = {y} (reduced picture) is none that can be read"
        for x, y, _, _ in board.odd
    )


def missing(board: Board) -> tuple[str, ...]:
    """Questions about places in the rows where a container may have been overlooked.

    Neighbours stand at one pitch, and rows have one middle, a single one that of its panel, or begin at one place. A
    locked stub stands for a container.
    """
    rows = [[c for c in board.containers if c.row == row] for row in sorted({c.row for c in board.containers})]
    widest = max(rows, key=len)
    middle = (widest[0].centre + widest[-1].centre) / 2
    if len(rows) == 1:
        middle = sum(panel(board.contrast, widest[0].x, widest[-1].x + widest[-1].width)) / 2
    asked = [
        f"containers of rows {number} and {number + 1} touch: are they parts of higher ones?"
        for number, (upper, lower) in enumerate(pairwise(rows), 1)
        if max(c.bottom for c in upper) + TOUCHING * lower[0].height > min(c.y for c in lower)
    ]
    for number, row in enumerate(rows, 1):
        pitch = pitch_of(row) or pitch_of(widest) or 1.5 * row[0].width
        if any(b.centre - a.centre > 1.6 * pitch for a, b in pairwise(row)):
            asked.append(f"is there a container in the gap of row {number}?")
        off = (row[0].centre + row[-1].centre) / 2 - middle
        aligned = len(rows) > 1 and number == len(rows) and abs(row[0].centre - widest[0].centre) < 0.2 * pitch
        if abs(off) < 0.35 * pitch or aligned:
            continue
        place = row[0].centre - pitch if off > 0 else row[-1].centre + pitch
        if not any(abs(x + w / 2 - place) < 0.35 * pitch and _touch(row[0], y, h) for x, y, w, h in board.stubs):
            asked.append(f"row {number} is not centred: is a container missing at x = {place:.0f} (reduced picture)?")
    return tuple(asked)


def _touch(container: Container, y: int, height: int) -> bool:
    """Whether something from y downwards stands on the ground line of a container."""
    return abs(y + height - container.bottom) < 0.15 * container.height
