"""Nut, ball, water and hoop sort screens: stacks of equal units in containers of one capacity.

The way down: containers are what repeats (`nut_and_bolt_containers`); along each axis runs a colour profile
(`nut_and_bolt_profiles`); its changes stand on one comb for all containers, which gives unit height and capacity
(`nut_and_bolt_slots`); the slots are sampled (`nut_and_bolt_units`); their colours are grouped (`clusters`). What the
game guarantees is then held against the reading: content lies on the container's closed end without gaps, and every
colour's count is a multiple of the capacity.
"""

import cv2

from pipeline.core.palette import PALETTE
from pipeline.extract.colour import bgr_of_lab, lab_of_bgr, palette_names
from pipeline.extract.contract import Box, Element, Extractor, Mark, Reading, Rejection
from pipeline.extract.image import Picture, Pixels
from pipeline.extract.nut_and_bolt_checks import Evidence, settle
from pipeline.extract.nut_and_bolt_containers import Container, find_containers
from pipeline.extract.nut_and_bolt_profiles import profile
from pipeline.extract.nut_and_bolt_units import read_units
from pipeline.games.nut_and_bolt import MOST_BOLTS, MOST_UNITS, Board

LONG_SIDE = 960
"""Pixels of the longer side of the picture that is worked on: a unit is then about 15 to 80 pixels high.

Smaller pictures are enlarged to it: outlines and gaps of one pixel are then still lines.
"""


class NutAndBoltExtractor(Extractor):
    """Reads any theme of the game; see the module's text."""

    game = "nut_and_bolt"
    version = "1"

    def read(self, picture: Picture) -> Reading | Rejection:
        small, factor = _working_copy(picture)
        lab = lab_of_bgr(small)
        board = find_containers(lab)
        if board is None:
            return Rejection("nothing repeats like bolts, tubes, bottles or pegs")
        settled = settle(board, read_units(profile(lab, board)), lab)
        if isinstance(settled, Rejection):
            return settled
        if len(settled.colours.centres) > len(PALETTE):
            return Rejection("more colours repeat on it than a board of bolts could have")
        if len(settled.stacks) > MOST_BOLTS or settled.capacity > MOST_UNITS:
            return Rejection("more repeats on it than the bolts and nuts of a board")
        return _reading(settled, factor)


def _working_copy(picture: Picture) -> tuple[Pixels, float]:
    """The picture with its longer side at `LONG_SIDE`, and its pixels per pixel of the picture."""
    small, factor = picture.reduced(LONG_SIDE)
    side = max(small.shape[:2])
    if side >= LONG_SIDE:
        return small, factor
    factor = LONG_SIDE / side
    size = (max(1, round(small.shape[1] * factor)), max(1, round(small.shape[0] * factor)))
    return cv2.resize(small, size, interpolation=cv2.INTER_CUBIC), factor


def _reading(evidence: Evidence, factor: float) -> Reading:
    names = palette_names(list(evidence.colours.centres))
    board = Board(
        capacity=evidence.capacity,
        bolts=tuple(tuple(names[evidence.colours.labels[e]] for e in stack) for stack in evidence.stacks),
    )
    elements = [Element("capacity", _bounds(evidence, factor), evidence.capacity_confidence, str(evidence.capacity))]
    for i, stack in enumerate(evidence.stacks):
        elements.extend(_element(evidence, names, i, position, e, factor) for position, e in enumerate(stack))
    return Reading(board, tuple(elements), _marks(evidence, names, factor), evidence.questions, evidence.notes)


def _element(evidence: Evidence, names: list[str], bolt: int, position: int, index: int, factor: float) -> Element:
    colours = evidence.colours
    second = names[colours.second[index]] if colours.second[index] >= 0 else ""
    box = _unit_box(evidence, index, factor)
    reading = names[colours.labels[index]]
    return Element(f"bolts[{bolt}][{position}]", box, colours.confidence[index], reading, second)


def _unit_box(evidence: Evidence, index: int, factor: float) -> Box:
    """The box of a unit in pixels of the picture."""
    bolt, slot = evidence.places[index]
    column, slots = evidence.units.profiles.columns[bolt], evidence.units.slots
    upper, lower = column.y(slots.base + (slot + 1) * slots.height), column.y(slots.base + slot * slots.height)
    container = column.container
    return container.x / factor, upper / factor, container.width / factor, (lower - upper) / factor


def _container_box(container: Container, factor: float) -> Box:
    return container.x / factor, container.y / factor, container.width / factor, container.height / factor


def _bounds(evidence: Evidence, factor: float) -> Box:
    """The box around all containers in pixels of the picture."""
    boxes = [_container_box(c.container, factor) for c in evidence.units.profiles.columns]
    left, upper = min(b[0] for b in boxes), min(b[1] for b in boxes)
    return left, upper, max(b[0] + b[2] for b in boxes) - left, max(b[1] + b[3] for b in boxes) - upper


def _marks(evidence: Evidence, names: list[str], factor: float) -> tuple[Mark, ...]:
    """Outlines of the containers, their numbers, a line between units and the name of each unit's colour."""
    marks: list[Mark] = []
    for i, (column, stack) in enumerate(zip(evidence.units.profiles.columns, evidence.stacks, strict=True)):
        x, y, w, h = _container_box(column.container, factor)
        marks.append(Mark("piece", ((x, y), (x + w, y), (x + w, y + h), (x, y + h)), closed=True))
        marks.append(Mark("label", ((x + w / 2, y),), text=str(i)))
        for e in stack:
            left, upper, width, height = _unit_box(evidence, e, factor)
            cluster = evidence.colours.labels[e]
            blue, green, red = (int(v) for v in bgr_of_lab(evidence.colours.centres[cluster]))
            marks.append(Mark("lattice", ((left, upper), (left + width, upper))))
            centre = (left + width / 2, upper + height / 2)
            marks.append(Mark("label", (centre,), text=names[cluster], color=(red, green, blue)))
    return tuple(marks)


EXTRACTOR = NutAndBoltExtractor()
