"""Which borders between occupied cells part two vehicles: several ways to read them, and the cut that costs least."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from pipeline.extract.rush_hour_cells import Bools, Cells, Floats, Floor, Places
from pipeline.extract.rush_hour_tiling import Border, Cell, Cut, cut_pieces

SEAM_SLOPE = 5.0
"""Log-odds of parting per e-fold of seam contrast over the level that parts joined from parted borders."""

LONE, SINGLE = 5.0, 1.5
"""Cost of a cell that belongs to no vehicle; and of one that was seen as a region of its own."""

SEEN = 4.0
"""Log-odds of parting where a block ends that was seen as a region."""


@dataclass(frozen=True, eq=False)
class View:
    """One way to read the borders: log-odds of parting for each, and what it costs to believe in this way."""

    odds: dict[Border, float]
    penalty: float
    apart: bool = False


def best_cut(
    alone: Mapping[Cell, float], ways: Sequence[View], most: float
) -> tuple[Cut, View, tuple[View, ...]] | None:
    """The cheapest cut under any view, that view, and the other views; None when every cut costs `most` or more."""
    best: tuple[float, Cut, View] | None = None
    for view in sorted(ways, key=lambda v: v.penalty):
        if best is None or view.penalty < best[0]:  # else no cut can cost less under this view
            cut = cut_pieces(alone, view.odds, most if best is None else min(most, best[0] - view.penalty))
            if cut is not None:
                best = (cut.cost + view.penalty, cut, view)
    if best is None:
        return None
    return best[1], best[2], tuple(view for view in ways if view is not best[2])


def seen_borders(places: Places, shape: tuple[int, int]) -> tuple[Bools, Bools]:
    """At which borders between columns, and between rows, a block ends that was seen, and none goes across.

    Single cells say nothing: they may be a roof or a window, or what lies between lines drawn over a vehicle.
    """
    (rows, cols), blocks = shape, places[places[:, 2:].max(axis=1) > 1]
    return _between_columns(blocks, rows, cols), _between_columns(blocks[:, [1, 0, 3, 2]], cols, rows).T


def costs_alone(cells: Iterable[Cell], places: Places, *, apart: bool) -> dict[Cell, float]:
    """What each of some cells costs that belongs to no vehicle; `apart` when vehicles are drawn as one piece a cell."""
    single = {(y, x) for x, y, wide, high in places.tolist() if wide == high == 1 and not apart}
    return {cell: SINGLE if cell in single else LONE for cell in cells}


def _between_columns(blocks: Places, rows: int, cols: int) -> Bools:
    ends, spans = np.zeros((2, rows, cols + 1), np.bool_)
    for x, y, wide, high in blocks:
        ends[y : y + high, [x, x + wide]] = True
        spans[y : y + high, x + 1 : x + wide] = True
    return (ends & ~spans)[:, 1:-1]


def views(cells: Cells, floor: Floor, taken: Bools, told: tuple[Bools, Bools]) -> list[View]:
    """Ways to read the borders between occupied cells; `told` says where blocks end (`seen_borders`).

    Floor that shows between two cells parts them, unless it shows between all of them: then the vehicles are drawn
    as one piece a cell, and their colours tell. Where no floor shows, either seams and changes of colour tell, or
    (with cars whose roofs, windows and loads differ in colour) the vehicles are whole and everything is joined.
    """
    borders, seam, step, gap, seen = _border_values(cells, floor, taken, told)
    if not borders:
        return [View({}, 0.0)]
    same = step < 10
    if same.any() and gap[same].mean() > 0.8 and (gap | ~same).mean() > 0.9:
        odds = np.where(step < 8, -3.0 + step / 4, np.clip(step - 12, -1, 7))
        return [View(dict(zip(borders, odds.tolist(), strict=True)), 0.0, apart=True)]
    other = np.clip((step - 18) / 4, 0, 5.0)
    found = []
    for level, penalty in _seam_levels(seam[~gap]):
        odds = np.clip(SEAM_SLOPE * np.log((seam + 1) / (level + 1)) + other + SEEN * seen, -7, 7)
        found.append(View(dict(zip(borders, np.where(gap, 6.5, odds).tolist(), strict=True)), penalty))
    whole = np.where(gap, 6.5, SEEN * seen - 2.5)
    return [*found, View(dict(zip(borders, whole.tolist(), strict=True)), 1.0)]


def _border_values(
    cells: Cells, floor: Floor, taken: Bools, told: tuple[Bools, Bools]
) -> tuple[list[Border], Floats, Floats, Bools, Bools]:
    """The borders between occupied cells: seam, change of colour, whether floor shows, whether a block ends."""
    borders: list[Border] = []
    values: list[tuple[Floats, Floats, Bools, Bools]] = []
    for axis, (down, right) in enumerate(((0, 1), (1, 0))):
        both = taken[: taken.shape[0] - down, : taken.shape[1] - right] & taken[down:, right:]
        borders += [((r, c), (r + down, c + right)) for r, c in np.argwhere(both).tolist()]
        values.append((cells.seams[axis][both], cells.steps[axis][both], floor.gaps[axis][both], told[axis][both]))
    seam, step, gap, seen = (np.concatenate(parts) for parts in zip(*values, strict=True))
    return borders, seam, step, gap, seen


def _seam_levels(seams: Floats, most: int = 3) -> list[tuple[float, float]]:
    """Seam contrasts (ΔE) that may part joined from parted borders, each with a penalty.

    They are the middles of the widest gaps in the values; a gap narrower than the widest pays for it.
    """
    logs = np.sort(np.log(np.maximum(np.concatenate([seams, [1.0, 60.0]]), 1.0) + 1))
    middle = (logs[:-1] + logs[1:]) / 2
    width = np.where((middle > np.log(3.5)) & (middle < np.log(45)), logs[1:] - logs[:-1], 0.0)
    widest = np.argsort(-width, kind="stable")[:most]
    best = float(width.max())
    levels = [
        (float(np.exp(middle[i]) - 1), 3 * (1 - float(width[i]) / best)) for i in widest if width[i] > 0.25 * best
    ]
    return levels or [(12.0, 0.0)]
