"""A lattice from the middles of pieces, some of which stand elsewhere: every piece votes, the most agreed one wins."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pipeline.extract.colour import median
from pipeline.extract.lattice import Floats, Lattice, refined

NEAR = 0.14
"""A point belongs to a lattice when it lies this near to a cell's middle on both axes, in cells."""

LEAST_NEAR = 0.05
"""The same once the lattice has settled, where most points fit perfectly."""

TURN = 1 << 16
"""Parts of a cell in which the votes are counted."""

AT_MOST = 40
"""Points that vote; more add time and no certainty."""


@dataclass(frozen=True, eq=False)
class Vote:
    """A lattice just large enough for the points that agree on it, which of the points those are, their cells.

    `agree` is a mask over all points; `cells` (m × 2: row, col) belongs to the agreeing ones; `error` is the RMS
    distance from cell middles in cells.
    """

    lattice: Lattice
    agree: NDArray[np.bool_]
    cells: NDArray[np.int64]
    error: float


def vote(points: Floats, shortest: float, longest: float, shapes: Sequence[tuple[float, float]] = ()) -> Vote | None:
    """The lattice most points (n × 2: x, y) agree on, its pitch between two bounds in pixels; None with under 4.

    `shapes` are (angle in radians, pitch_y ÷ pitch_x) to try; upright squares by default. Each pitch is scored by the
    most points that lie on cell middles of a lattice through one of them; halves of the right pitch score no less, so
    the largest pitch that is nearly as good as the best wins.
    """
    if len(points) < 4 or longest <= shortest:
        return None
    thinned = points[np.linspace(0, len(points) - 1, min(len(points), AT_MOST)).astype(int)]
    best: tuple[int, float, float, float, int] | None = None
    for angle, ratio in shapes or ((0.0, 1.0),):
        count, pitch, seed = _best_pitch(_turned_back(thinned, angle, ratio), shortest, longest)
        if best is None or count > best[0] + 1:
            best = (count, pitch, angle, ratio, seed)
    assert best is not None
    if best[0] < 4:
        return None
    _, pitch, angle, ratio, seed = best
    x, y = thinned[seed]
    rough = Lattice((float(x), float(y)), pitch, pitch * ratio, 1, 1, angle)
    return _settled(rough.block(-0.5, -0.5, 1, 1), points)


def _turned_back(points: Floats, angle: float, ratio: float) -> Floats:
    """The points as they would lie if the lattice were upright and its cells square with side pitch_x."""
    cos, sin = math.cos(angle), math.sin(angle)
    x, y = points[:, 0], points[:, 1]
    return np.column_stack([x * cos + y * sin, (y * cos - x * sin) / ratio])


def _best_pitch(points: Floats, shortest: float, longest: float) -> tuple[int, float, int]:
    """(agreeing points, pitch, index of the point the lattice goes through)."""
    span = float(np.ptp(points, axis=0).max())
    count = math.ceil(span * (1 / shortest - 1 / longest) / NEAR) + 1
    pitches = 1 / np.linspace(1 / longest, 1 / shortest, min(count, 240))
    # Places within a cell as whole turns of an unsigned number: differences wrap around just as cells repeat.
    turns = np.rint(points.T[:, None] * (TURN / pitches[:, None])).astype(np.int64).astype(np.uint16)
    reach = np.uint16(NEAR * TURN)
    agreeing = np.ones((len(pitches), len(points), len(points)), bool)
    for places in turns:
        agreeing &= (places + reach)[:, :, None] - places[:, None] < 2 * reach
    tallies = agreeing.sum(axis=2)
    most = tallies.max(axis=1)
    pick = int(np.flatnonzero(most >= 0.93 * most.max())[0])
    while pick + 1 < len(pitches) and most[pick + 1] > most[pick]:
        pick += 1
    return int(most[pick]), float(pitches[pick]), int(tallies[pick].argmax())


def _settled(rough: Lattice, points: Floats) -> Vote | None:
    """Least squares on the agreeing points, repeated because a better lattice reaches further."""
    lattice, near = rough, NEAR
    for _ in range(4):
        places = lattice.places(points) - 0.5
        off = np.abs(places - np.rint(places)).max(axis=1)
        agree = off < near
        if agree.sum() < 4:
            return None
        cells = np.rint(places[agree])
        lattice, _ = refined(lattice, points[agree], cells)
        # Strangers that lie near a cell's middle by chance bend the lattice: only what fits as well as most do stays.
        near = min(NEAR, max(LEAST_NEAR, 5 * median(off[agree])))
    left = lattice.places(points[agree]) - 0.5 - cells
    low, high = cells.min(axis=0), cells.max(axis=0)
    rows, cols = (int(v) for v in high - low + 1)
    fitted = lattice.block(float(low[0]), float(low[1]), rows, cols)
    return Vote(fitted, agree, (cells - low).astype(np.int64), float(np.sqrt((left**2).mean())))
