"""What the pairs tell where one end alone is left over: every colour has two ends, and a stone has none.

Where one cell of the colour shows something that was taken for no end, it is the partner; where the lonely end has the
colour of the board's stones, it is one of them. More than one end left over is no single slip: then nothing is mended.
"""

from dataclasses import replace

import numpy as np

from pipeline.extract.cell_masks import Cell
from pipeline.extract.clusters import Clustering, cluster, exactly
from pipeline.extract.color_connect_content import SAME_COLOUR, Content
from pipeline.extract.color_connect_reading import Draft
from pipeline.extract.colour import distance

LEAST_ROUND = 0.5
"""Share of rays that agree with the ends' radius from which on a cell may show an end: noise or gloss hid its rim."""

LEAST_DISC = 0.8
"""The same from which on it surely does not show a stone."""

ONE_PAINT = 4.0
"""ΔE76 within which two things have one paint."""


def paired_up(content: Content, ends: list[Cell]) -> Clustering:
    """The ends' colours, two of each where that can be."""
    return cluster(np.array([content.color[cell] for cell in ends], np.float32), exactly(2), lightness_weight=1.0)


def completed(draft: Draft) -> Draft:
    """The draft with its only lonely end paired or told to be a stone, where exactly one reading does that."""
    odd = [k for k, n in enumerate(draft.colours.sizes) if n != 2]
    if len(odd) != 1 or draft.colours.sizes[odd[0]] != 1:
        return draft
    lonely = draft.ends[draft.colours.members(odd[0])[0]]
    stone, partners = _is_stone(draft.content, lonely), _partners(draft, lonely)
    if stone and not partners:
        return _changed(draft, lonely, "block", f"cell {list(lonely)} has a stone's colour and no partner: it is one.")
    if len(partners) == 1 and not stone:
        return _changed(draft, partners[0], "end", f"cell {list(partners[0])} is the partner of {list(lonely)}.")
    return draft


def _is_stone(content: Content, cell: Cell) -> bool:
    stones = content.color[content.kinds == "block"]
    if content.roundness[cell] >= LEAST_DISC and not content.square:
        return False
    return bool(len(stones)) and bool(distance(stones, content.color[cell]).min() < ONE_PAINT)


def _partners(draft: Draft, lonely: Cell) -> list[Cell]:
    """Cells of the board that may show another end of a colour, though something about them is unusual."""
    content = draft.content
    unusual = np.isin(content.kinds, ("special", "other", "knob", "pipe"))
    alike = distance(content.color, content.color[lonely]) < SAME_COLOUR
    found = np.argwhere(unusual & alike & (content.roundness >= LEAST_ROUND))
    return [(int(r), int(c)) for r, c in found if (int(r), int(c)) not in draft.holes]


def _changed(draft: Draft, cell: Cell, kind: str, note: str) -> Draft:
    """The draft with a cell of another kind, its region and pairs in keeping with it."""
    kinds = draft.content.kinds.copy()
    kinds[cell] = kind
    content, region = replace(draft.content, kinds=kinds), draft.region
    place = (cell[0] + region.top, cell[1] + region.left)
    if kind == "block":
        region = replace(region, holes=tuple(sorted((*region.holes, place))))
    else:
        region = replace(region, covered=tuple(other for other in region.covered if other != place))
    ends = content.cells("end")
    return replace(
        draft, content=content, region=region, ends=tuple(ends), colours=paired_up(content, ends), notes=(note,)
    )
