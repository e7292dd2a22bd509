"""What the game guarantees, held against a reading of the slots.

Containers have one capacity; content lies on the closed end without a gap; every colour fills whole containers. A
screen that breaks this is not a board that the format can express (hidden units, curtains, something in mid-air), or it
was misread. Either way it must not pass.
"""

from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from pipeline.extract.clusters import Clustering, cluster, multiples_of
from pipeline.extract.colour import Lab, distance
from pipeline.extract.contract import DOUBT_BELOW, Rejection
from pipeline.extract.nut_and_bolt_containers import Board
from pipeline.extract.nut_and_bolt_places import covered, missing
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

LIKELY, DECIDED = 0.5, 0.92
"""Confidence of a single unit in doubt from which on the counts confirm it, and that of one whose colour they tell."""

BY_COUNTS = 0.95
"""Confidence of a capacity that they tell."""

NEARLY, PLAIN_LEAD = 0.6, 3.0
"""A reading of at least this share of the best one's quality, or not so much below it (ΔE), may be the right one."""

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
    if isinstance(evidence, Rejection):
        return evidence
    rivals = [_settled(board, other, lab, 0.0, sure) for other in _rivals(evidence, readings)]
    fitting = [other for other in rivals if isinstance(other, Evidence) and other.colours.counts_fit]
    return _balanced(_told_by_counts(evidence, fitting), kinship)


def _rivals(evidence: Evidence, readings: list[Units]) -> list[Units]:
    """Other readings that may be right, where the best one's counts do not fit or it is hardly better than they are."""
    if evidence.colours.counts_fit and evidence.capacity_confidence >= DOUBT_BELOW:
        return []
    best = readings[0].quality
    rivals = [other for other in readings[1:] if other.quality > min(NEARLY * best, best - PLAIN_LEAD)]
    if not evidence.colours.counts_fit and _may_show_faces(evidence):
        rivals.append(without_highest(evidence.units))
    return rivals


def _told_by_counts(evidence: Evidence, fitting: list[Evidence]) -> Evidence:
    """The reading whose counts fit; `fitting` are the rivals whose counts do."""
    enough = len(evidence.colours.centres) >= ENOUGH_COLOURS
    same = all(other.units.slots.count == evidence.units.slots.count for other in fitting)
    if evidence.colours.counts_fit:
        sure = max(evidence.capacity_confidence, BY_COUNTS)
        return replace(evidence, capacity_confidence=sure) if enough and same else evidence
    fitting = [other for other in fitting if min(other.colours.confidence) > DOUBT_BELOW]
    if len({tuple(map(len, other.stacks)) for other in fitting}) != 1:
        return evidence
    how_many = "how many units the stacks have is told by the counts of their colours"
    if not same and not enough:
        return replace(fitting[0], questions=(*fitting[0].questions, f"{how_many} alone: is it right?"))
    sure = evidence.capacity_confidence if same else BY_COUNTS
    return replace(fitting[0], capacity_confidence=sure, notes=(*fitting[0].notes, how_many))


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
    questions = (*doubt, *asked, *covered(board), *missing(board))
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


def _balanced(evidence: Evidence, kinship: float) -> Evidence | Rejection:
    """The evidence with its counts in order, repaired or asked about where they are not."""
    colours, capacity = evidence.colours, evidence.capacity
    settled = confirmed(colours) if colours.counts_fit else _repaired(colours, capacity)
    if settled is not None:
        note = "one unit's colour was decided by the counts: every colour fills whole containers"
        return replace(evidence, colours=settled, notes=(*evidence.notes, note))
    if colours.counts_fit:
        return evidence
    surplus = [size for size in colours.sizes if size % capacity]
    text = f"{len(surplus)} of {len(colours.sizes)} colours do not fill whole containers of {capacity}"
    if min(colours.confidence) > DOUBT_BELOW:
        fitting = 1 - len(surplus) / len(colours.sizes)
        return Rejection(f"{text}: a unit is hidden, in mid-air or out of sight", kinship * fitting)
    return replace(evidence, questions=(*evidence.questions, f"{text}: which units were misread?"))


def confirmed(colours: Clustering) -> Clustering | None:
    """The grouping where only one unit is in doubt: in any other colour it would break the counts, which fit."""
    doubtful = [i for i, sure in enumerate(colours.confidence) if sure < DOUBT_BELOW]
    if len(doubtful) != 1 or colours.confidence[doubtful[0]] < LIKELY:
        return None
    return replace(colours, confidence=tuple(max(sure, DECIDED) for sure in colours.confidence))


def _repaired(colours: Clustering, capacity: int) -> Clustering | None:
    """The grouping with one doubtful unit given its second-best colour, where one such change alone fits the counts."""
    fitting = []
    for i, second in enumerate(colours.second):
        if second < 0 or colours.confidence[i] > DOUBT_BELOW:
            continue
        labels = [second if j == i else label for j, label in enumerate(colours.labels)]
        if multiples_of(capacity)(np.bincount(labels, minlength=len(colours.sizes)).tolist()):
            fitting.append((i, tuple(labels)))
    if len(fitting) != 1:
        return None
    changed, fitted = fitting[0]
    others = tuple(colours.labels[j] if j == changed else s for j, s in enumerate(colours.second))
    confidence = tuple(DECIDED if j == changed else c for j, c in enumerate(colours.confidence))
    return replace(colours, labels=fitted, second=others, confidence=confidence, counts_fit=True)
