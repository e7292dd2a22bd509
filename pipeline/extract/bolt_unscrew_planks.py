"""Bolt Unscrew screens: the boards, from their edges and from what covers the panel.

A plank between two screws shows two parallel edges, equally far from the line through the screws, and one texture
between them. Planks on top show them all the way; once those are known, the edges of the planks below only have to be
seen where nothing lies on top. So layers are peeled off one after the other. What stands alone on the panel and is no
plank between screws (a bar on one screw, a disc, a plate) is read from its outline instead.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pipeline.extract.bolt_unscrew_plates import find_discs
from pipeline.extract.bolt_unscrew_shapes import FoundBoard, Scene, Shape, hidden_by, painted
from pipeline.extract.circles import LEAST_STEP, Floats

WIDTHS = (0.8, 3.0)
"""Half widths of planks in screw radii."""

SAMPLES = 40
"""Places along a plank at which its edges are looked for."""

SEEN = 0.3
"""Least share of a plank's edges that nothing covers, for the plank to be judged at all."""

EDGED = 0.72
"""Least share of the uncovered places where both edges of a plank stand."""

PLAIN = 0.7
"""Least share of a plank's uncovered middle that has one colour."""

ONE_COLOUR = 12.0
"""Distance (weighted ΔE) of colours within one board."""

RIM = 1.3
"""A plank is at most so many times as broad as what lies within its rim."""

EDGE = 2.5
"""Pixels that the edge of a screw reaches outwards."""

EVEN_ENDS = 0.35
"""Largest difference of how far both ends of a plank reach beyond their screws, in half widths."""

MOST_LAYERS = 6


@dataclass(frozen=True, eq=False)
class _Pairs:
    """Lines through two screws: starts (n, 2), unit directions (n, 2), lengths (n)."""

    start: Floats
    along: Floats
    length: Floats

    def points(self, places: Floats, offset: Floats) -> tuple[Floats, Floats]:
        """x and y at `places` (shares of the length) and `offset` pixels to the side: (n, places, offsets)."""
        ahead = (self.length[:, None] * places)[:, :, None]
        x = self.start[:, 0, None, None] + ahead * self.along[:, 0, None, None] - offset * self.along[:, 1, None, None]
        y = self.start[:, 1, None, None] + ahead * self.along[:, 1, None, None] + offset * self.along[:, 0, None, None]
        return x.astype(np.float32), y.astype(np.float32)

    def take(self, rows: NDArray[Any]) -> "_Pairs":
        return _Pairs(self.start[rows], self.along[rows], self.length[rows])


def find_planks(scene: Scene, among: NDArray[np.bool_]) -> list[FoundBoard]:
    """Planks and discs on screws, of which `among` tells those to look at; those on top come first."""
    screws = np.array([(s.circle.x, s.circle.y) for s in scene.spots.screws], np.float32).reshape(-1, 2)
    radius = scene.spots.radius
    first, second = np.triu_indices(len(screws), 1)
    apart = np.hypot(*(screws[second] - screws[first]).T)
    keep = (apart > 1.7 * radius) & among[first] & among[second]
    first, second, apart = first[keep], second[keep], apart[keep]
    pairs = _Pairs(screws[first], (screws[second] - screws[first]) / apart[:, None], apart)
    covered = np.zeros(scene.lab.shape[:2], np.uint8)
    for x, y in screws:
        painted(covered, Shape("disc", ((float(x), float(y)),), 2 * (radius + EDGE)))
    found: list[FoundBoard] = []
    for depth in range(MOST_LAYERS):
        layer = _layer(scene, pairs, covered, found, depth) if len(apart) else []
        layer += find_discs(scene, among, [*found, *layer], depth)
        if not layer:
            break
        found += layer
        for board in layer:
            painted(covered, board.shape, shrink=1.5)
    return found


def _layer(
    scene: Scene, pairs: _Pairs, covered: NDArray[np.uint8], above: list[FoundBoard], depth: int
) -> list[FoundBoard]:
    """The planks whose edges are whole wherever nothing that is known covers them."""
    half, edged, seen = _edges_beside(scene, pairs, covered)
    plain, colour = _texture(scene, pairs, half, covered, np.nonzero((edged >= EDGED) & (seen >= SEEN))[0])
    off_panel = np.linalg.norm(colour - scene.spots.colour, axis=1) > 0.6 * scene.spots.tolerance
    good = (plain >= PLAIN) & off_panel
    order = np.nonzero(good)[0]
    order = order[np.argsort(-(edged * plain * np.sqrt(pairs.length))[order], kind="stable")]
    taken = list(above)
    hidden = hidden_by(above, covered.shape)
    for screw in scene.spots.screws:
        painted(hidden, Shape("disc", ((screw.circle.x, screw.circle.y),), 2 * (scene.spots.radius + EDGE)))
    layer: list[FoundBoard] = []
    for i in order:
        shape = _capped(scene, pairs, int(i), float(half[i]), hidden)
        if shape is None or any(_same_line(shape, board.shape) for board in taken):
            continue
        confidence = float(edged[i] * plain[i] * (0.6 + 0.4 * min(1.0, seen[i] / 0.7)))
        layer.append(FoundBoard(shape, depth, confidence))
        taken.append(layer[-1])
    return layer


def _edges_beside(scene: Scene, pairs: _Pairs, covered: NDArray[np.uint8]) -> tuple[Floats, Floats, Floats]:
    """For every pair the half width with the most edge on both sides, that share, and the share that is uncovered."""
    radius = scene.spots.radius
    offsets = np.arange(WIDTHS[0] * radius, WIDTHS[1] * radius, 1.0, dtype=np.float32)
    places = ((np.arange(SAMPLES) + 0.5) / SAMPLES).astype(np.float32)
    shares, uncovered, steepness = [], [], []
    for side in (1, -1):
        x, y = pairs.points(places, side * offsets)
        slope = _sample(scene.down, x, y) * pairs.along[:, 0, None, None]
        slope -= _sample(scene.across, x, y) * pairs.along[:, 1, None, None]
        steep = np.abs(slope)
        edge = steep >= LEAST_STEP
        edge[:, :, 1:-1] |= edge[:, :, 2:] | edge[:, :, :-2]
        free = _sample(covered, x, y) < 128
        count = np.maximum(1, free.sum(axis=1))
        shares.append((edge & free).sum(axis=1) / count)
        uncovered.append(free.mean(axis=1))
        steepness.append((np.minimum(steep, 8 * LEAST_STEP) * free).sum(axis=1) / count)
    both = np.minimum(*shares) * (np.minimum(*uncovered) >= SEEN)
    best = _outer_edge(both, np.minimum(*steepness), offsets)
    rows = np.arange(len(best))
    return offsets[best], both[rows, best].astype(np.float32), np.minimum(*uncovered)[rows, best].astype(np.float32)


def _outer_edge(shares: Floats, steepness: Floats, offsets: Floats) -> NDArray[np.intp]:
    """Of each plank (row) the column of its edge: of a rim's two edges the outer one, where it is steepest."""
    inner = shares.argmax(axis=1)
    as_good = shares >= 0.92 * shares.max(axis=1)[:, None]
    as_good &= offsets <= RIM * offsets[inner][:, None] + 2
    ahead = np.pad(steepness, ((0, 0), (1, 1)))
    summit = as_good & (steepness >= ahead[:, :-2]) & (steepness >= ahead[:, 2:])
    outermost = len(offsets) - 1 - summit[:, ::-1].argmax(axis=1)
    return np.where(summit.any(axis=1), outermost, inner)


def _texture(
    scene: Scene, pairs: _Pairs, half: Floats, covered: NDArray[np.uint8], rows: NDArray[np.intp]
) -> tuple[Floats, Floats]:
    """The share of a plank's uncovered middle that has its commonest colour, and that colour; 0 except for `rows`."""
    places = ((np.arange(SAMPLES) + 0.5) / SAMPLES).astype(np.float32)
    plain, colours = np.zeros(len(half), np.float32), np.zeros((len(half), 3), np.float32)
    for i in rows:
        x, y = pairs.take(np.array([i])).points(places, half[i] * np.array([-0.6, -0.3, 0, 0.3, 0.6], np.float32))
        free = _sample(covered, x, y) < 128
        if free.sum() < 12:
            continue
        pixels = _sample(scene.lab, x, y)[free]
        colours[i] = np.median(pixels, axis=0)
        plain[i] = (np.linalg.norm(pixels - colours[i], axis=1) < ONE_COLOUR).mean()
    return plain, colours


def _capped(scene: Scene, pairs: _Pairs, i: int, half: float, hidden: NDArray[np.uint8]) -> Shape | None:
    """The strip of a pair, its ends placed by the edges across it beyond the screws.

    An end that is covered is taken to be round; None when an end is in view, but no edge closes it, or when the ends
    reach unequally far: the nearer edge is then another board's.
    """
    radius = scene.spots.radius
    pair = pairs.take(np.array([i]))
    length = float(pair.length[0])
    beyond = np.arange(max(radius + EDGE, 0.8 * half), 3 * half + radius, 1.0, dtype=np.float32)
    reach: list[float] = []
    seen: list[float] = []
    for places in (-beyond / length, 1 + beyond / length):
        x, y = pair.points(places, np.linspace(-0.5 * half, 0.5 * half, 7, dtype=np.float32))
        slope = _sample(scene.across, x, y) * pair.along[:, 0, None, None]
        slope += _sample(scene.down, x, y) * pair.along[:, 1, None, None]
        free = _sample(hidden, x, y)[0] == 0
        across = ((np.abs(slope[0]) >= LEAST_STEP) & free).mean(axis=1) >= 0.6
        near = beyond < max(1.4 * half, beyond[0] + 3)
        if across.any():
            reach.append(float(beyond[across.argmax()]))
            seen.append(reach[-1])
        elif free[near].mean() <= 0.5:
            reach.append(half)
        else:
            return None
    if len(seen) == 2 and abs(seen[0] - seen[1]) > EVEN_ENDS * half:
        return None
    start = pair.start[0] - pair.along[0] * (reach[0] - half)
    end = pair.start[0] + pair.along[0] * (length + reach[1] - half)
    return Shape("strip", ((float(start[0]), float(start[1])), (float(end[0]), float(end[1]))), 2 * half)


def _same_line(a: Shape, b: Shape) -> bool:
    """Whether two strips have one direction and lie on one another."""
    if a.kind != "strip" or b.kind != "strip":
        return False
    p, q = (np.array(point, np.float32) for point in a.points)
    r, s = (np.array(point, np.float32) for point in b.points)
    u, v = (q - p) / max(1e-6, float(np.hypot(*(q - p)))), (s - r) / max(1e-6, float(np.hypot(*(s - r))))
    if abs(float(u[0] * v[1] - u[1] * v[0])) > 0.15:
        return False
    away = [abs(float(v[0] * (e - r)[1] - v[1] * (e - r)[0])) for e in (p, q)]
    ends = sorted(float(np.dot(e - r, v)) for e in (p, q))
    overlap = min(ends[1], float(np.hypot(*(s - r)))) - max(ends[0], 0.0)
    return max(away) < 0.4 * max(a.width, b.width) and overlap > 0.25 * (ends[1] - ends[0])


def _sample(image: NDArray[Any], x: Floats, y: Floats) -> NDArray[Any]:
    """The image at points of shape (n, …), nearest pixel, the border going on outwards."""
    rows = np.clip(np.rint(y).astype(np.int32), 0, image.shape[0] - 1)
    cols = np.clip(np.rint(x).astype(np.int32), 0, image.shape[1] - 1)
    return image[rows, cols]
