"""Families of like boxes: upright ones of equal width that stand in rows on common ground lines, as containers do."""

from pipeline.extract.nut_and_bolt_outlines import Box

SAME_WIDTH = 0.13
"""Relative difference in width (and in the height of tubes) below which two boxes belong to one family."""

FULL_HEIGHT = 0.74
"""A member of a row has at least this share of the row's usual height."""

UPRIGHT = 1.08
"""A container is at least so much higher than wide; buttons are round or square."""


def worth_of(rows: list[list[Box]]) -> float:
    """How much of the picture a family explains: its members' heights, since round buttons are wide for theirs."""
    return float(sum(box[3] for row in rows for box in row))


def largest_family(boxes: list[Box]) -> list[list[Box]]:
    """Rows (top to bottom, each left to right) of the largest family of like boxes standing on common ground lines."""
    best: list[list[Box]] = []
    for seed in boxes:
        if seed[3] < UPRIGHT * seed[2]:
            continue
        rows = _family(boxes, seed)
        if worth_of(rows) > worth_of(best):
            best = rows
    return best


def members_in(rows: list[list[Box]]) -> int:
    """How many boxes a family has."""
    return sum(len(row) for row in rows)


def _family(boxes: list[Box], seed: Box) -> list[list[Box]]:
    own = row_of(boxes, seed)
    rows = [own]
    taken = set(own)
    for box in sorted(boxes, key=lambda b: -b[2] * b[3]):
        if (
            box in taken
            or box[3] < UPRIGHT * box[2]
            or not (0.75 <= box[2] / seed[2] <= 1.34 and 0.75 <= box[3] / seed[3] <= 1.34)
        ):
            continue
        # Rows further back may be drawn smaller, but in proportion.
        if not 0.82 <= (box[3] / box[2]) / (seed[3] / seed[2]) <= 1.22:
            continue
        row = row_of(boxes, box)
        if len(row) == 1 and abs(box[2] - seed[2]) > max(2, SAME_WIDTH * seed[2]):
            continue
        if any(at_one_height(row[0], other[0]) for other in rows):
            continue
        rows.append(row)
        taken.update(row)
    return sorted(rows, key=lambda row: row[0][1] + row[0][3])


def row_of(boxes: list[Box], seed: Box) -> list[Box]:
    """Boxes like the seed on the seed's ground line, outermost only, left to right."""
    _, y, w, h = seed
    like = [
        b
        for b in boxes
        if abs(b[1] + b[3] - y - h) <= max(2, 0.05 * h)
        and abs(b[2] - w) <= max(2, SAME_WIDTH * w)
        and FULL_HEIGHT <= b[3] / h <= 1 / FULL_HEIGHT
    ]
    kept: list[Box] = []
    for box in sorted(like, key=lambda b: -b[2] * b[3]):
        if not any(overlapping(box, other) for other in kept):
            kept.append(box)
    return sorted(kept)


def overlapping(a: Box, b: Box) -> bool:
    """Whether two boxes share more than a sliver."""
    wide = min(a[0] + a[2], b[0] + b[2]) - max(a[0], b[0])
    high = min(a[1] + a[3], b[1] + b[3]) - max(a[1], b[1])
    return wide > 0.1 * min(a[2], b[2]) and high > 0.1 * min(a[3], b[3])


def at_one_height(a: Box, b: Box) -> bool:
    """Whether two boxes stand at one height, so that they cannot belong to different rows."""
    return min(a[1] + a[3], b[1] + b[3]) - max(a[1], b[1]) > 0.3 * min(a[3], b[3])


def same_size(a: Box, b: Box) -> bool:
    """Whether two boxes could be two containers of one size."""
    return all(abs(a[i] - b[i]) <= max(2, SAME_WIDTH * b[i] / 2) for i in (2, 3))
