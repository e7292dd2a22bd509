"""From a lattice whose cells have been read to a board, its questions and its overlay, or to a refusal."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from pipeline.core.palette import PALETTE
from pipeline.extract.cell_masks import Cell
from pipeline.extract.clusters import Clustering
from pipeline.extract.color_connect_board import Region
from pipeline.extract.color_connect_content import Content
from pipeline.extract.colour import bgr_of_lab, palette_names
from pipeline.extract.contract import Element, Mark, Reading, Rejection
from pipeline.extract.lattice import Lattice
from pipeline.games.color_connect import Board, Pair

FEWEST_PAIRS = 2

LEAST_PAIRED = 0.6
"""A smaller share of ends that come in twos is another game's screen."""

MOST_STRANGE = 0.3
"""A larger share of cells that show something else is another game's screen."""


@dataclass(frozen=True, eq=False)
class Draft:
    """A lattice read as a board; `block` is the lattice of the board alone, in pixels of the copy it was read from.

    `content` and `ends` are in the board's own cells, `region` in those of the block it was found in. `joined` is the
    number of ends that go on into the next one; `notes` say what the pairs told.
    """

    block: Lattice
    content: Content
    region: Region
    ends: tuple[Cell, ...]
    colours: Clustering
    joined: int
    notes: tuple[str, ...] = ()

    @property
    def paired(self) -> int:
        """Ends whose colour has exactly two."""
        return sum(n for n in self.colours.sizes if n == 2)

    @cached_property
    def shades(self) -> list[tuple[int, int, int]]:
        """The ends' colours, 8-bit BGR."""
        colors = np.array([self.content.color[cell] for cell in self.ends], np.float32)
        return [(int(blue), int(green), int(red)) for blue, green, red in bgr_of_lab(colors)]

    @cached_property
    def holes(self) -> tuple[Cell, ...]:
        """Cells of the rectangle that are not the board's."""
        return self._own(self.region.holes)

    @cached_property
    def covered(self) -> tuple[Cell, ...]:
        """Cells of the board that something hides which does not belong to it."""
        return tuple(sorted({*self._own(self.region.covered), *self.content.cells("other")} - {*self.holes}))

    @cached_property
    def special(self) -> tuple[Cell, ...]:
        """Cells of the board that show something of their own that is neither an end nor a pipe."""
        return tuple(cell for cell in self.content.cells("special") if cell not in {*self.holes, *self.covered})

    @property
    def merit(self) -> float:
        """Paired ends less everything left over: what tells the right lattice from a wrong one."""
        odd = len(self.ends) - self.paired
        return self.paired - 2 * odd - self.joined - len(self.special) - len(self.covered) - len(self.region.doubtful)

    @property
    def flawless(self) -> bool:
        """Whether nothing is left over."""
        return self.merit == len(self.ends)

    @property
    def alone(self) -> float:
        """The share of ends that are pieces of one cell, as all of the game's are."""
        return 1 - self.joined / len(self.ends)

    @property
    def known(self) -> float:
        """The share of cells that show what the game has."""
        return 1 - float(np.isin(self.content.kinds, ("odd", "other", "special")).mean())

    def _own(self, cells: tuple[Cell, ...]) -> tuple[Cell, ...]:
        return tuple((r - self.region.top, c - self.region.left) for r, c in cells)


def reading_of(draft: Draft, scale: float) -> Reading | Rejection:
    """The board, or why there is none; `scale` is picture pixels per pixel of the draft's lattice."""
    cells = draft.region.rows * draft.region.cols
    if draft.paired < 2 * FEWEST_PAIRS or draft.paired < LEAST_PAIRED * len(draft.ends):
        return Rejection("a grid was found, but what stands in its cells does not come in pairs of one colour.")
    if len(draft.special) + len(draft.covered) + len(draft.region.doubtful) > MOST_STRANGE * cells:
        return Rejection("a grid was found, but many of its cells show neither an end nor a pipe.")
    if draft.special:
        places = ", ".join(str(list(cell)) for cell in draft.special[:4])
        why = f"bridges, portals or other special cells cannot be expressed (seen at {places})."
        return Rejection(why, 0.9 * draft.known * draft.alone)
    lattice = draft.block.scaled(scale)
    groups = [k for k, n in enumerate(draft.colours.sizes) if n == 2]
    if len(groups) > len(PALETTE):
        return Rejection("a grid was found, but its ends have more colours than there are names for.")
    names = palette_names([draft.colours.centres[k] for k in groups])
    pairs: list[Pair] = []
    elements: list[Element] = []
    marks = list(lattice.marks()) + _hole_marks(draft, lattice)
    for name, k in zip(names, groups, strict=True):
        members = draft.colours.members(k)
        for which, index in enumerate(members):
            elements.append(_element(draft, lattice, index, (f"pairs[{len(pairs)}].ends[{which}]", name)))
            marks += _end_marks(draft, lattice, index, name)
        pairs.append(Pair(color=name, ends=(draft.ends[members[0]], draft.ends[members[1]])))
    elements += [
        Element(f"walls[{i}]", lattice.cell_box(*cell), 0.5 if _is_doubtful(draft, cell) else 0.95, "wall", "empty")
        for i, cell in enumerate(draft.holes)
    ]
    board = Board(rows=draft.region.rows, cols=draft.region.cols, walls=draft.holes, pairs=tuple(pairs))
    notes = list(draft.notes) + [
        f"cell {list(c)} is covered; it holds no end, since every colour has two elsewhere." for c in draft.covered
    ]
    return Reading(board, tuple(elements), tuple(marks), tuple(_questions(draft)), tuple(notes), draft.alone)


def _questions(draft: Draft) -> list[str]:
    asked = []
    for k, n in enumerate(draft.colours.sizes):
        if n != 2:
            places = ", ".join(str(list(draft.ends[i])) for i in draft.colours.members(k))
            asked.append(f"the end at {places} has no partner." if n == 1 else f"{n} ends look alike: {places}.")
    for (r, c), why in draft.region.doubtful.items():
        asked.append(f"cell {[r - draft.region.top, c - draft.region.left]} may be a hole: {why}.")
    if draft.joined:
        asked.append(f"{draft.joined} ends go on into the next cell: are they longer pieces of another game?")
    if len(draft.covered) > 1:
        places = ", ".join(str(list(cell)) for cell in draft.covered)
        asked.append(f"something lies on the cells {places}: they may hide a pair of ends.")
    return asked + list(draft.region.doubts)


def _element(draft: Draft, lattice: Lattice, index: int, named: tuple[str, str]) -> Element:
    cell = draft.ends[index]
    second = draft.colours.second[index]
    shape = float(np.clip(0.5 + draft.content.roundness[cell] / 1.2, 0, 1))
    confidence = draft.colours.confidence[index] * shape
    other = palette_names([draft.colours.centres[second]])[0] if second >= 0 else ""
    where, name = named
    return Element(where, lattice.cell_box(*cell), confidence, name, other)


def _is_doubtful(draft: Draft, cell: Cell) -> bool:
    return (cell[0] + draft.region.top, cell[1] + draft.region.left) in draft.region.doubtful


def _end_marks(draft: Draft, lattice: Lattice, index: int, name: str) -> list[Mark]:
    cell = draft.ends[index]
    middle = lattice.cell_center(*cell)
    blue, green, red = draft.shades[index]
    radius = 1.12 * draft.content.radius * lattice.pitch_x
    return [Mark("circle", (middle,), radius=radius, color=(red, green, blue)), Mark("label", (middle,), text=name)]


def _hole_marks(draft: Draft, lattice: Lattice) -> list[Mark]:
    marks = []
    for r, c in draft.holes:
        for a, b in (((r, c), (r + 1, c + 1)), ((r + 1, c), (r, c + 1))):
            marks.append(Mark("piece", (lattice.point(*a), lattice.point(*b))))
    return marks
