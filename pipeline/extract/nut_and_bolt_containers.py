"""Where the bolts, tubes, bottles or pegs of a picture stand: outlines of equal width that stand in rows.

Nothing is known of the theme. Pixels with local contrast form connected outlines; at the right contrast every container
is one of them, whatever it holds, because its rim or silhouette joins its content. Containers betray themselves by
repetition: the largest family of upright boxes of equal width, standing on common ground lines, is the board. The
contrast is not chosen but tried: the threshold that yields the largest family wins.
"""

from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from pipeline.extract.colour import Lab
from pipeline.extract.nut_and_bolt_families import (
    FULL_HEIGHT,
    at_one_height,
    largest_family,
    members_in,
    overlapping,
    row_of,
    same_size,
    worth_of,
)
from pipeline.extract.nut_and_bolt_outlines import Box, local_contrast, outlines_of
from pipeline.extract.nut_and_bolt_recall import overlooked

THRESHOLDS = (6.0, 9.0, 13.0, 18.0, 25.0, 35.0)
"""Local contrasts tried, ΔE within a 3×3 window; a just visible line has about 6."""

EVEN_HEIGHT = 0.95
"""The lowest member of a row has at least this share of the highest one's height where no rim is broken."""

RAGGED = 1.06
"""Members of one row whose widths are farther apart than by this factor have something else in their outlines."""

SHARP = 0.5
"""The share of the best family's worth that must be whole at a higher contrast."""

STUB_HEIGHT = 0.62
"""Below this share of the usual height a box is a locked stub or a decoration, above it a container of another size."""

ROD_WIDTH = 0.08
"""A bare peg has at least this share of a container's width."""

SHADOW_CONTRAST = 9.0
"""Shadows and glows have no more local contrast than this."""

MOST_BELOW = 0.2
"""A shadow, or a foot seen from above, lies below at most this share of a container's height.

Outlines that end higher are parts of a container whose lower units look like the ground.
"""

LEAST_CONTAINERS = 3


@dataclass(frozen=True)
class Container:
    """One container's outline box in pixels of the reduced picture, and the row (0 = top) it stands in."""

    x: int
    y: int
    width: int
    height: int
    row: int

    @property
    def bottom(self) -> int:
        """First pixel row below the box."""
        return self.y + self.height

    @property
    def centre(self) -> float:
        """x of the axis."""
        return self.x + self.width / 2


@dataclass(frozen=True)
class Board:
    """The containers in reading order.

    `odd` are boxes (x, y, width, height) of a container's size that stand in a row without being its members; `stubs`
    are lower ones of a container's width anywhere: locked bolts, buttons.
    """

    containers: tuple[Container, ...]
    odd: tuple[tuple[int, int, int, int], ...]
    stubs: tuple[tuple[int, int, int, int], ...]
    threshold: float
    contrast: NDArray[np.float32]


def find_containers(lab: Lab) -> Board | None:
    """The board's containers in a picture given in L*a*b*, or None when nothing repeats like containers."""
    contrast = local_contrast(lab)
    outlines = {threshold: outlines_of(contrast > threshold) for threshold in THRESHOLDS}
    families = {threshold: largest_family(boxes) for threshold, boxes in outlines.items()}
    found = {t: rows for t, rows in families.items() if members_in(rows) >= LEAST_CONTAINERS}
    if not found:
        return None
    best = max(found.values(), key=worth_of)
    alike = [
        t
        for t, rows in found.items()
        if worth_of(rows) >= 0.7 * worth_of(best) and members_in(rows) >= members_in(best)
    ]
    # Of like families the one at the highest contrast has the least shadow and glow around it, unless rims are broken.
    threshold = max(alike, key=lambda t: (_even(found[t]), t))
    everywhere = [box for boxes in outlines.values() for box in boxes]
    rows, perhaps = overlooked(contrast, _completed(found[threshold], everywhere))
    # Noise around containers joins their outlines. Where it does not, fewer are whole; the others stand where their
    # ends do.
    sharper = [t for t in found if t > threshold and worth_of(found[t]) > SHARP * worth_of(best)]
    for higher in sorted(sharper if _ragged(found[threshold]) else [], reverse=True):
        clearer = overlooked(contrast, _completed(found[higher], everywhere))
        if members_in(clearer[0]) >= members_in(rows):
            threshold, (rows, perhaps) = higher, clearer
            break
    containers = tuple(Container(*box, row=i) for i, row in enumerate(rows) for box in row)
    odd = (*_odd_boxes(outlines[threshold], rows), *_rods(everywhere, rows), *perhaps)
    stubs = tuple(low_boxes(everywhere, rows))
    return _without_shadows(Board(containers, odd, stubs, threshold, contrast))


def _even(rows: list[list[Box]]) -> bool:
    """Whether the members of each row have one height."""
    return all(min(b[3] for b in row) >= EVEN_HEIGHT * max(b[3] for b in row) for row in rows)


def _ragged(rows: list[list[Box]]) -> bool:
    """Whether the members of some row have different widths."""
    return any(max(b[2] for b in row) > RAGGED * min(b[2] for b in row) for row in rows)


def _completed(rows: list[list[Box]], boxes: list[Box]) -> list[list[Box]]:
    """The rows with members and whole rows that show only at other contrasts (`boxes`: the outlines at all of them)."""
    completed = [list(row) for row in rows]
    typical = sorted((b for row in rows for b in row), key=lambda b: b[3])[members_in(rows) // 2]
    for box in sorted(boxes, key=lambda b: abs(b[2] - typical[2]) / typical[2] + abs(b[3] - typical[3]) / typical[3]):
        if any(overlapping(box, member) for row in completed for member in row):
            continue
        home = next((row for row in completed if box in row_of([box], row[0])), None)
        if home is not None:
            home.append(box)
        elif same_size(box, typical) and not any(at_one_height(box, row[0]) for row in completed):
            completed.append([box])
    return sorted((sorted(row) for row in completed), key=lambda row: row[0][1] + row[0][3])


def _without_shadows(board: Board) -> Board:
    """Boxes narrowed and shifted to the container itself where a shadow on one side belongs to the outline.

    Shadows have little contrast, so higher thresholds show some containers of a row without; the others of the row have
    the same shadow on the same side.
    """
    if board.threshold > SHADOW_CONTRAST:
        return board
    outlines = [outlines_of(board.contrast > t) for t in THRESHOLDS if SHADOW_CONTRAST < t <= SHADOW_CONTRAST * 2]
    moved: list[Container] = []
    for row in sorted({c.row for c in board.containers}):
        members = [c for c in board.containers if c.row == row]
        found = [[inset for c in members if (inset := _inset(c, boxes)) is not None] for boxes in outlines]
        insets = next((f for f in reversed(found) if f), [(0, 0, 0)])
        left, right = (round(float(np.median([inset[side] for inset in insets]))) for side in (0, 1))
        below = min(inset[2] for inset in insets)  # others may lack a lower unit that looks like the ground
        moved += [Container(c.x + left, c.y, c.width - left - right, c.height - below, row) for c in members]
    return replace(board, containers=tuple(moved))


def _inset(container: Container, boxes: list[Box]) -> tuple[int, int, int] | None:
    """How far inside the container's left, right and lower sides the largest outline within it lies."""
    inner = [
        b
        for b in boxes
        if b[0] >= container.x - 2
        and b[0] + b[2] <= container.x + container.width + 2
        and b[1] >= container.y - 2
        and container.bottom - MOST_BELOW * container.height <= b[1] + b[3] <= container.bottom + 2
        and b[2] >= 0.7 * container.width
        and b[3] >= 0.6 * container.height
    ]
    if not inner:
        return None
    x, y, w, h = max(inner, key=lambda b: b[2] * b[3])
    return x - container.x, container.x + container.width - x - w, container.bottom - y - h


def _odd_boxes(boxes: list[Box], rows: list[list[Box]]) -> list[Box]:
    """Boxes of a container's order of size that stand in a row's band without being its members."""
    odd: list[Box] = []
    members = [box for row in rows for box in row]
    for row in rows:
        height = float(np.median([b[3] for b in row]))
        width = float(np.median([b[2] for b in row]))
        bottom = float(np.median([b[1] + b[3] for b in row]))
        for box in boxes:
            _, y, w, h = box
            alike = 0.6 * width <= w <= 1.8 * width and STUB_HEIGHT * height <= h <= 1.8 * height
            standing = abs(y + h - bottom) <= 0.12 * height or abs(y - bottom + height) <= 0.06 * height
            if alike and standing and not any(overlapping(box, m) for m in [*members, *odd]):
                odd.append(box)
    return odd


def _rods(boxes: list[Box], rows: list[list[Box]]) -> list[Box]:
    """Narrow boxes as high as a row's members, level with and beside them: bare pegs whose foot is not seen."""
    rods: list[Box] = []
    members = [box for row in rows for box in row]
    for row in rows:
        width, height = (float(np.median([b[side] for b in row])) for side in (2, 3))
        upper = float(np.median([b[1] for b in row]))
        for box in sorted(boxes):
            alike = ROD_WIDTH * width <= box[2] < 0.6 * width and FULL_HEIGHT <= box[3] / height <= 1 / FULL_HEIGHT
            level = abs(box[1] - upper) <= 0.1 * height and abs(box[1] + box[3] - upper - height) <= 0.15 * height
            if alike and level and not any(overlapping(box, m) for m in [*members, *rods]):
                rods.append(box)
    return rods


def low_boxes(boxes: list[Box], rows: list[list[Box]]) -> list[Box]:
    """Boxes about as wide as a container and clearly lower, where no contrast shows anything higher."""
    width, height = rows[0][0][2:]
    low = {b for b in boxes if 0.6 * width <= b[2] <= 1.3 * width and 0.15 * height <= b[3] <= STUB_HEIGHT * height}
    high = {b for b in boxes if 0.6 * width <= b[2] <= 1.8 * width and b[3] > STUB_HEIGHT * height}
    return [b for b in sorted(low) if not any(overlapping(b, other) for other in high)]


def pitch_of(row: list[Container]) -> float | None:
    """The distance of neighbours in a row, in pixels; None for a row of one."""
    steps = [b.centre - a.centre for a, b in pairwise(row)]
    return float(min(steps)) if steps else None
