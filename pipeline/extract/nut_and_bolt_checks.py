"""What the game guarantees, held against a reading of the slots.

Containers have one capacity; content lies on the closed end without a gap; every colour fills whole containers. A
screen that breaks this is not a board that the format can express (hidden units, curtains, something in mid-air), or it
was misread. Either way it must not pass.
"""

from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Literal

import numpy as np

from pipeline.extract.clusters import Clustering, cluster, multiples_of
from pipeline.extract.colour import Lab, distance
from pipeline.extract.contract import Rejection
from pipeline.extract.nut_and_bolt_containers import Board, Container, pitch_of
from pipeline.extract.nut_and_bolt_outlines import panel
from pipeline.extract.nut_and_bolt_signs import contrasts, hidden_units, patches, two_signs
from pipeline.extract.nut_and_bolt_units import Units, peg_in_highest, without_highest

LEAST_QUALITY = 1.5
"""Quality of a reading (ΔE) below which the picture shows no equal units."""

PLAIN_QUALITY = 8.0
"""Quality above which the picture certainly shows equal units in containers."""

PLAIN_DIFFERENCE = 20.0
"""ΔE between two units that are certainly of two colours."""

ENOUGH_STACKS = 7
"""So many stacks do not all end in two units of one colour by chance."""

ENOUGH_COLOURS = 4
"""Counts of so many colours do not come out right by chance."""

SOME_PEG = 0.25
"""Share of the highest slot's height along which the peg is seen, where that slot may show top faces."""

LEAST_FOOTING = 0.05
"""How much wider pegs are at their foot than at their tip (share of a tenth of their height)."""

Opening = Literal["up", "down"]


@dataclass(frozen=True)
class Evidence:
    """What is settled about a board: its units, the capacity, the open end, the colours, and what must be asked.

    `stacks[i]` lists the element numbers (indices into `colours`) of container i, bottom first.
    """

    units: Units
    capacity: int
    capacity_confidence: float
    stacks: tuple[tuple[int, ...], ...]
    places: tuple[tuple[int, int], ...]
    colours: Clustering
    questions: tuple[str, ...]
    notes: tuple[str, ...]


def settle(board: Board, readings: list[Units], lab: Lab) -> Evidence | Rejection:
    """The board as far as it can be settled, or why it cannot be; `lab` is the picture in L*a*b*."""
    if not readings or readings[0].quality < LEAST_QUALITY:
        return Rejection("no equal units stand in the containers")
    kinship = min(0.9, max(0.1, readings[0].quality / PLAIN_QUALITY * 0.6))
    sure = _capacity_confidence(readings)
    evidence = _settled(board, readings[0], lab, kinship, sure)
    if isinstance(evidence, Evidence) and not evidence.colours.counts_fit and _may_show_faces(evidence):
        fewer = _settled(board, without_highest(evidence.units), lab, kinship, sure)
        if isinstance(fewer, Evidence) and fewer.colours.counts_fit and min(fewer.colours.confidence) > 0.9:
            return replace(fewer, notes=(*fewer.notes, "the counts show that each stack ends in a top face"))
    return evidence if isinstance(evidence, Rejection) else _balanced(evidence, kinship)


def _may_show_faces(evidence: Evidence) -> bool:
    """Whether the pegs' ends are seen so low that the highest units may be top faces, which counts would tell."""
    many = len(evidence.colours.centres) >= ENOUGH_COLOURS and min(map(len, filter(None, evidence.stacks))) > 1
    return many and evidence.units.profiles.pegged and peg_in_highest(evidence.units) > SOME_PEG


def _settled(board: Board, units: Units, lab: Lab, kinship: float, sure: float) -> Evidence | Rejection:
    """The same for one reading, its counts not yet in order; `sure` is the confidence of the capacity."""
    heights = _unequal(board, units)
    if heights:
        return Rejection(heights, kinship)
    opening, doubt = _opening(units)
    if opening is None:
        return Rejection(
            "content hangs above empty space: something is in mid-air, or this is another game", kinship / 2
        )
    places, stacks = _stacks(units, opening)
    samples = np.array([units.colours[i, k] for i, k in places], np.float32)
    signs = patches(units, places, lab)
    hidden = hidden_units(units, places, samples, signs)
    if hidden:
        return Rejection(
            f"{len(hidden)} units are hidden ('?'), the first in container {places[hidden[0]][0] + 1}", 0.9
        )
    if _resembles_other_games(units, stacks, samples, doubt):
        return Rejection("what repeats are cells of a grid or pieces, not stacks in containers", 0.2)
    capacity, colours, asked, notes = _capacity(units, stacks, samples)
    if max(colours.sizes) >= 2 * capacity and two_signs(colours, capacity, contrasts(units, places, lab)):
        asked = (*asked, "units of one colour carry two different signs: are they two colours?")
    asked = (*asked, *_doubts_about_ends(units, stacks, capacity, colours))
    questions = (*doubt, *asked, *_covered(board), *_missing(board))
    return Evidence(units, capacity, sure, stacks, places, colours, questions, notes)


def _doubts_about_ends(
    units: Units, stacks: tuple[tuple[int, ...], ...], capacity: int, colours: Clustering
) -> tuple[str, ...]:
    """Questions about the upper ends of the stacks, and about the room above them."""
    asked = []
    is_sorted = all(len({colours.labels[e] for e in stack}) == 1 for stack in stacks if stack)
    if min(map(len, stacks)) == capacity and not is_sorted:
        asked.append("every container is full, so that no unit can be moved: was an empty one overlooked?")
    inferred = capacity > max(map(len, stacks))
    if (units.supposed_faces and sum(map(bool, stacks)) < ENOUGH_STACKS) or (inferred and units.strange > 0):
        asked.append("is the upper end of each stack the top face of its highest unit, or one more unit?")
    return tuple(asked)


def _unequal(board: Board, units: Units) -> str:
    """Why the containers do not have one capacity; empty when they do."""
    if units.profiles.pegged:
        return ""
    for row in sorted({c.row for c in board.containers}):
        heights = [c.height for c in board.containers if c.row == row]
        if max(heights) - min(heights) > 0.6 * units.slots.height * units.profiles.columns[0].scale:
            return "the containers have different heights, so different capacities"
    return ""


def _opening(units: Units) -> tuple[Opening | None, tuple[str, ...]]:
    """Which end the containers are open at, and what must be asked about it; None when content hangs in the air."""
    if units.profiles.pegged and units.profiles.footing < LEAST_FOOTING:
        return "up", ("the pegs stand on no wide foot: is the picture upside down?",)
    filled = units.filled
    settled_down = (np.diff(filled.astype(int), axis=1) <= 0).all(axis=1)
    settled_up = (np.diff(filled.astype(int), axis=1) >= 0).all(axis=1)
    partial = filled.any(axis=1) & ~filled.all(axis=1)
    if settled_down.all() and partial.any():
        return "up", ()
    if partial.any():
        if settled_up.all():
            return "down", ("the content hangs at the upper end of the containers: is the picture upside down?",)
        return None, ()
    slots, profiles = units.slots, units.profiles
    below = slots.base / slots.height
    above = (profiles.height - slots.base) / slots.height - slots.count
    if profiles.pegged or above - below > 0.15:
        return "up", ()
    if below - above > 0.15:
        return "down", ("the free space is at the lower end of the containers: is the picture upside down?",)
    return "up", ("nothing shows which end of the containers is open: is the lowest unit the first of its stack?",)


def _resembles_other_games(
    units: Units, stacks: tuple[tuple[int, ...], ...], samples: Lab, doubt: tuple[str, ...]
) -> bool:
    """Whether so little speaks for stacks that a grid or a few pieces of another game explain the picture as well."""
    held = [stack for stack in stacks if stack]
    if len(held) < 2 or sum(map(len, held)) < 2 * units.slots.count:
        return True
    mixed = any(distance(samples[e], samples[stack[0]]) > PLAIN_DIFFERENCE for stack in held for e in stack)
    if units.slots.count == 2:
        return bool(doubt) or len(held) < 4 or not mixed
    return bool(doubt) and not mixed


def _stacks(units: Units, opening: Opening) -> tuple[tuple[tuple[int, int], ...], tuple[tuple[int, ...], ...]]:
    """The places (container, slot) of all units, and each container's units as indices into them, bottom first."""
    places: list[tuple[int, int]] = []
    stacks: list[tuple[int, ...]] = []
    for i, row in enumerate(units.filled):
        slots = [k for k, f in enumerate(row) if f]
        if opening == "down":
            slots.reverse()
        stacks.append(tuple(range(len(places), len(places) + len(slots))))
        places.extend((i, k) for k in slots)
    return tuple(places), tuple(stacks)


def _capacity(
    units: Units, stacks: tuple[tuple[int, ...], ...], samples: Lab
) -> tuple[int, Clustering, tuple[str, ...], tuple[str, ...]]:
    """The capacity, the colours grouped with it, questions and notes."""
    seen = max(len(stack) for stack in stacks)
    slots, profiles = units.slots, units.profiles
    room = int((profiles.height - slots.base) / slots.height + 0.1)
    candidates = [seen, *range(seen + 1, min(32, max(seen, room)) + 1)]
    grouped = {n: cluster(samples, multiples_of(n)) for n in candidates}
    fitting = [n for n in candidates if grouped[n].counts_fit]
    full = sum(len(stack) == seen for stack in stacks)
    if not fitting:
        return seen, grouped[seen], (), ()
    if fitting[0] == seen and (full >= 2 or len(fitting) == 1):
        return seen, grouped[seen], (), ()
    if len(fitting) == 1:
        note = f"no container is full; the drawn space and the counts of the colours give a capacity of {fitting[0]}"
        return fitting[0], grouped[fitting[0]], (), (note,)
    choice = " or ".join(str(n) for n in fitting)
    return fitting[-1], grouped[fitting[-1]], (f"is the capacity {choice}? no container is full",), ()


def _capacity_confidence(readings: list[Units]) -> float:
    """How far the best reading stands above the best one with another number of units."""
    best = readings[0]
    rivals = [r.quality for r in readings if r.slots.count != best.slots.count]
    ahead = best.quality - max(0.0, *rivals) if rivals else best.quality
    return float(1 / (1 + np.exp(-ahead)))


def _covered(board: Board) -> tuple[str, ...]:
    """Questions about things that stand in a row like a container but do not look like one."""
    return tuple(
        f"what stands in a row of containers at x = {x}, y = {y} (reduced picture) is none that can be read"
        for x, y, _, _ in board.odd
    )


def _missing(board: Board) -> tuple[str, ...]:
    """Questions about places in the rows where a container may have been overlooked.

    Neighbours stand at one pitch, and rows have one middle, a single one that of its panel, or begin at one place. A
    locked stub stands for a container.
    """
    rows = [[c for c in board.containers if c.row == row] for row in sorted({c.row for c in board.containers})]
    widest = max(rows, key=len)
    middle = (widest[0].centre + widest[-1].centre) / 2
    if len(rows) == 1:
        middle = sum(panel(board.contrast, widest[0].x, widest[-1].x + widest[-1].width)) / 2
    asked: list[str] = []
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


def _balanced(evidence: Evidence, kinship: float) -> Evidence | Rejection:
    """The evidence with its counts in order, repaired or asked about where they are not."""
    colours, capacity = evidence.colours, evidence.capacity
    if colours.counts_fit:
        return evidence
    repaired = _repaired(colours, capacity)
    if repaired is not None:
        note = "one unit's colour was decided by the counts: every colour fills whole containers"
        return replace(evidence, colours=repaired, notes=(*evidence.notes, note))
    surplus = [size for size in colours.sizes if size % capacity]
    text = f"{len(surplus)} of {len(colours.sizes)} colours do not fill whole containers of {capacity}"
    if min(colours.confidence) > 0.9:
        fitting = 1 - len(surplus) / len(colours.sizes)
        return Rejection(f"{text}: a unit is hidden, in mid-air or out of sight", kinship * fitting)
    return replace(evidence, questions=(*evidence.questions, f"{text}: which units were misread?"))


def _repaired(colours: Clustering, capacity: int) -> Clustering | None:
    """The grouping with one doubtful unit given its second-best colour, where one such change alone fits the counts."""
    fitting = []
    for i, second in enumerate(colours.second):
        if second < 0 or colours.confidence[i] > 0.9:
            continue
        labels = [second if j == i else label for j, label in enumerate(colours.labels)]
        if multiples_of(capacity)(np.bincount(labels, minlength=len(colours.sizes)).tolist()):
            fitting.append((i, tuple(labels)))
    if len(fitting) != 1:
        return None
    changed, fitted = fitting[0]
    others = tuple(colours.labels[j] if j == changed else s for j, s in enumerate(colours.second))
    confidence = tuple(0.92 if j == changed else c for j, c in enumerate(colours.confidence))
    return replace(colours, labels=fitted, second=others, confidence=confidence, counts_fit=True)
