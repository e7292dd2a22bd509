"""What stands along each container's axis: one colour profile a container, from its ground upward.

Lengths are in steps: one step is one pixel of the reduced picture in a row drawn at the usual size, and proportionally
more or less in rows drawn larger or smaller. Step 0 is the container's ground line, steps grow upward.
"""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from pipeline.extract.colour import Lab, distance, median_colours
from pipeline.extract.nut_and_bolt_containers import Board, Container, pitch_of

Flags = NDArray[np.bool_]

CORE = (-0.12, 0.12)
"""The band around the axis, in container widths, that shows balls and liquids."""

FLANKS = ((-0.33, -0.22), (0.22, 0.33))
"""The bands beside a peg that show nuts and hoops but not the peg."""

NOTICEABLE = 14.0
"""ΔE to the empty colour above which a sample is content, where no empty container shows what empty looks like."""

NOTICEABLE_KNOWN = 10.0
"""The same where one does."""

FAINT = 3.0
"""ΔE to the empty colour that is more than compression makes of an even background."""

TINT = 24.0
"""An empty container's glass may differ from the background by this ΔE."""


@dataclass(frozen=True)
class Profile:
    """One container: `content` and `core`, shape (steps, 3), L*a*b*; `filled`, shape (steps,); pixels per step."""

    container: Container
    content: Lab
    core: Lab
    filled: Flags
    scale: float

    def y(self, step: float) -> float:
        """Pixel row of a step."""
        return self.container.bottom - step * self.scale


@dataclass(frozen=True)
class Profiles:
    """All containers' profiles; `pegged` says that the content is threaded on pegs (its profile is that of the flanks).

    `width` and `height` are the usual container's, in steps. `footing`, in [-1, 1], says how much wider containers are
    at their lower end than at their upper one: pegs stand on a wide foot and end in a narrow tip.
    """

    columns: tuple[Profile, ...]
    pegged: bool
    width: float
    height: float
    footing: float


def profile(lab: Lab, board: Board) -> list[Profiles]:
    """Profiles of all containers of a board found in a picture given in L*a*b*, in each band that may show the content.

    Beside a peg only the flanks do. Balls fill only the axis, and liquids with icons on the axis are clearer beside it.
    """
    containers = board.containers
    width = float(np.median([c.width for c in containers]))
    scales = _row_scales(containers, width)
    height = float(np.median([c.height / scales[c.row] for c in containers]))
    steps = int(max(c.height / scales[c.row] for c in containers)) + 1
    cores: list[Lab] = []
    flanks: list[Lab] = []
    backs: list[Lab] = []
    for c in containers:
        sample = _Sampler(lab, c, scales[c.row], width * scales[c.row], steps)
        cores.append(sample.band(*CORE))
        flanks.append(np.mean([sample.band(*side) for side in FLANKS], axis=0, dtype=np.float32))
        backs.append(_backdrop(sample, board, c, width * scales[c.row]))
    pegged = (
        _peg_tips(cores, flanks, backs, width)
        or _narrow_beside_wide(cores, flanks, backs)
        or _on_pegs(board, scales, width, cores, flanks, backs)
    )

    footing = _footing([c.height / scales[c.row] for c in containers], flanks, backs)

    def view(contents: list[Lab], *, low: bool = True) -> Profiles:
        filled = _filled(contents, backs, width, _Pegs(cores, low) if pegged else None)
        parts = zip(containers, contents, cores, filled, strict=True)
        columns = tuple(Profile(c, content, core, f, scales[c.row]) for c, content, core, f in parts)
        return Profiles(columns, pegged, width, height, footing)

    if not pegged:
        return [view(cores), view(flanks)]
    high_feet, low_feet = view(flanks, low=False), view(flanks)
    same = all((a.filled == b.filled).all() for a, b in zip(high_feet.columns, low_feet.columns, strict=True))
    return [high_feet] if same else [high_feet, low_feet]


def _footing(heights: list[float], flanks: list[Lab], backs: list[Lab]) -> float:
    """The share of the lowest tenth of the containers that is wide, less that of the highest tenth."""
    shares = []
    for height, flank, back in zip(heights, flanks, backs, strict=True):
        wide = distance(flank, back) > NOTICEABLE_KNOWN
        end, tenth = int(height), max(2, round(0.1 * height))
        shares.append(float(wide[1:tenth].mean()) - float(wide[end - tenth : end].mean()))
    return float(np.mean(shares))


def _row_scales(containers: tuple[Container, ...], width: float) -> dict[int, float]:
    scales = {}
    for row in sorted({c.row for c in containers}):
        ratio = float(np.median([c.width for c in containers if c.row == row])) / width
        scales[row] = ratio if abs(ratio - 1) > 0.04 else 1.0
    return scales


class _Sampler:
    """Median colours across a band of one container, step by step."""

    def __init__(self, lab: Lab, container: Container, scale: float, width: float, steps: int) -> None:
        rows = np.round(container.bottom - 1 - np.arange(steps) * scale).astype(int)
        self._lab, self._width, self._axis = lab, width, container.centre
        self._rows = np.clip(rows, 0, lab.shape[0] - 1)

    def band(self, left: float, right: float) -> Lab:
        """Shape (steps, 3): the medians across [left, right], in container widths from the axis."""
        first = round(self._axis + left * self._width)
        last = max(first + 1, round(self._axis + right * self._width))
        columns = np.clip(np.arange(first, last), 0, self._lab.shape[1] - 1)
        return median_colours(self._lab[self._rows[:, None], columns[None]])


def _backdrop(sample: _Sampler, board: Board, container: Container, width: float) -> Lab:
    """The background beside a container, smoothed along the axis."""
    pitch = pitch_of([c for c in board.containers if c.row == container.row])
    away = min(0.62, pitch / width / 2) if pitch else 0.62
    both = np.stack([sample.band(-away - 0.03, -away + 0.03), sample.band(away - 0.03, away + 0.03)])
    window = max(3, round(0.4 * width)) | 1
    return cv2.blur(np.ascontiguousarray(both.mean(axis=0)), (1, window), borderType=cv2.BORDER_REPLICATE)


def _peg_tips(cores: list[Lab], flanks: list[Lab], backs: list[Lab], width: float) -> bool:
    """Whether the axes of all containers show the same thing somewhere above, where their flanks show many colours."""
    core, flank, back = np.stack(cores), np.stack(flanks), np.stack(backs)
    same = spread(core) < NOTICEABLE
    something = np.median(distance(core, back), axis=0) > NOTICEABLE
    many = (np.percentile(distance(core, flank), 30, axis=0) > NOTICEABLE) & (spread(flank) > 2 * NOTICEABLE)
    upper = np.arange(core.shape[1]) > 0.5 * core.shape[1]
    return bool((same & something & many & upper).sum() > 0.06 * width)


def spread(stack: Lab) -> NDArray[np.float64]:
    """How far the containers' samples of one step lie apart: ΔE of the fourth of five to their median."""
    return np.percentile(distance(stack, median_colours(stack.swapaxes(0, 1))[None]), 80, axis=0)


def _narrow_beside_wide(cores: list[Lab], flanks: list[Lab], backs: list[Lab]) -> bool:
    """Whether what stands on some axes has nothing beside it, while on most others it is wide."""
    wide = narrow = 0
    for core, flank, back in zip(cores, flanks, backs, strict=True):
        something = distance(core, back) > NOTICEABLE
        if something.mean() > 0.6:
            beside = float((distance(flank, back)[something] > NOTICEABLE_KNOWN).mean())
            narrow += beside < 0.25
            wide += beside > 0.75
    return narrow > 0 and wide >= 2


def _on_pegs(
    board: Board, scales: dict[int, float], width: float, cores: list[Lab], flanks: list[Lab], backs: list[Lab]
) -> bool:
    """Whether some container shows a bare peg: along its upper part stands something on the axis and no rim beside."""
    bare: list[Lab] = []
    for c, core, flank, back in zip(board.containers, cores, flanks, backs, strict=True):
        usual = width * scales[c.row]
        rim = _rim(board, c, usual, len(core), scales[c.row])
        something = distance(core, back) > NOTICEABLE
        nothing_beside = distance(flank, back) < NOTICEABLE_KNOWN
        peg = something & nothing_beside & ~rim
        upper = slice(int(0.25 * c.height / scales[c.row]), int(0.97 * c.height / scales[c.row]))
        if peg[upper].mean() > 0.15:
            bare.append(core[upper][peg[upper]])
    if not bare:
        return False
    middles = np.array([np.median(b, axis=0) for b in bare])
    return bool(np.max(distance(middles, np.median(middles, axis=0)[None])) < 20)


def _rim(board: Board, container: Container, width: float, steps: int, scale: float) -> Flags:
    """For each step whether edges run within the container's outer fifths, on both sides."""
    edges = board.contrast > max(6.0, board.threshold / 3)
    rows = np.clip(np.round(container.bottom - 1 - np.arange(steps) * scale).astype(int), 0, edges.shape[0] - 1)
    rim = np.ones(steps, bool)
    for left, right in ((-0.55, -0.3), (0.3, 0.55)):
        first, last = round(container.centre + left * width), round(container.centre + right * width)
        columns = np.clip(np.arange(first, last + 1), 0, edges.shape[1] - 1)
        rim &= edges[rows[:, None], columns[None]].any(axis=1)
    return rim


@dataclass(frozen=True, eq=False)
class _Pegs:
    """What content is threaded on: the profiles of the axes, and whether the pegs' feet are only as high as they look
    alike in all containers, so that what stands higher on the foot of an empty one is a unit.
    """

    cores: list[Lab]
    low_feet: bool


def _filled(contents: list[Lab], backs: list[Lab], width: float, pegs: _Pegs | None) -> list[Flags]:
    """For each container and step whether there is content: it differs from the background and from an empty container.

    Rims and base plates are no content. Empty containers show them; where none is empty, they are what all containers
    have in common at their two ends. What hides a peg is content even where it is hardly lighter or darker than the
    background.
    """
    differences = np.stack([content - back for content, back in zip(contents, backs, strict=True)])
    empty = _empty(differences)
    if pegs is not None:
        empty = empty[_shows_peg(pegs.cores, contents)[empty]]
    steps, gap = differences.shape[1], max(2, round(0.06 * width))
    if len(empty):
        usual = _empty_look(differences, empty, pegged=pegs is not None)
        if pegs is not None and pegs.low_feet:
            usual[_run(_in_all(differences), gap) :] = np.median(usual[int(0.25 * steps) : int(0.7 * steps)], axis=0)
        away = np.linalg.norm(differences - usual, axis=2)
        if pegs is None:
            return list(away > NOTICEABLE_KNOWN)
        cores = np.stack(pegs.cores)
        hidden = distance(cores, np.median(cores[empty], axis=0)[None]) > NOTICEABLE
        return list((away > NOTICEABLE_KNOWN) | (hidden & (away > FAINT)))
    filled = np.linalg.norm(differences, axis=2) > NOTICEABLE
    stack = np.stack(contents)
    common = _in_all(stack) if pegs is not None and pegs.low_feet else spread(stack) < NOTICEABLE
    filled[:, : _run(common, gap)] = False
    filled[:, steps - _run(common[::-1], gap) :] = False
    return list(filled)


def _empty(differences: Lab) -> NDArray[np.intp]:
    """The containers that look like the background in their middle, where only glass may tint it."""
    steps = differences.shape[1]
    middle = np.linalg.norm(differences[:, int(0.25 * steps) : int(0.7 * steps)], axis=2)
    return np.flatnonzero((middle < TINT).mean(axis=1) > 0.95)


def _shows_peg(pegs: list[Lab], contents: list[Lab]) -> Flags:
    """For each container whether the axis shows something else than its sides along most of its middle."""
    steps = len(pegs[0])
    middle = slice(int(0.25 * steps), int(0.7 * steps))
    apart = distance(np.stack(pegs)[:, middle], np.stack(contents)[:, middle])
    return np.asarray((apart > NOTICEABLE_KNOWN).mean(axis=1) > 0.8)


def _empty_look(differences: Lab, empty: NDArray[np.intp], *, pegged: bool) -> Lab:
    """How an empty container differs from the background, step by step.

    What looks empty in the middle may hold a unit or two on its ground, so each step is taken from the container that
    differs least. An empty tube looks alike all along; only a peg has a base of its own.
    """
    steps = differences.shape[1]
    size = np.linalg.norm(differences, axis=2)
    middle, lower = slice(int(0.25 * steps), int(0.7 * steps)), slice(int(0.06 * steps), int(0.25 * steps))
    least = empty[size[empty].argmin(axis=0)]
    usual = differences[least, np.arange(steps)]
    if not pegged and (size[empty][:, lower] > TINT).mean(axis=1).min() > 0.05:
        usual[lower] = np.median(usual[middle], axis=0)
    return usual


def _in_all(stack: Lab) -> Flags:
    """For each step whether all containers look alike there."""
    return np.asarray(distance(stack, median_colours(stack.swapaxes(0, 1))[None]).max(axis=0) < NOTICEABLE)


def _run(flags: Flags, gap: int) -> int:
    """Length of the run of true flags at the start, gaps shorter than `gap` allowed."""
    holes = np.flatnonzero(~flags)
    for hole in holes:
        if not flags[hole : hole + gap].any():
            return int(hole)
    return len(flags)
