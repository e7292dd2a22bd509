"""Bolt Unscrew screens: boards in layers on a panel with holes, held by screws.

The way down: round things are found whatever they look like (`circles`, `bolt_unscrew_rounds`); among them screws and
free holes that belong to one panel (`bolt_unscrew_spots`); boards that stand alone on it are read from their outlines
(`bolt_unscrew_outlines`), others from the edges between screws, layer by layer (`bolt_unscrew_planks`), from rims
around screws and from what is left unexplained (`bolt_unscrew_plates`); crossings tell which lies on top
(`bolt_unscrew_layers`). Boards that lie on one another are certain only when together they explain all that is seen
(`bolt_unscrew_evidence`): else a person is asked. A board that others hide wholly cannot be seen by anybody.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from pipeline.extract.bolt_unscrew_bare import bare_holes
from pipeline.extract.bolt_unscrew_closer import look_closer
from pipeline.extract.bolt_unscrew_evidence import explains
from pipeline.extract.bolt_unscrew_kinship import FEW_SCREWS, like_a_button, plain, strange
from pipeline.extract.bolt_unscrew_layers import Order, stacked
from pipeline.extract.bolt_unscrew_outlines import Area, find_areas, shape_of
from pipeline.extract.bolt_unscrew_recall import with_missed_holes
from pipeline.extract.bolt_unscrew_rounds import find_rounds
from pipeline.extract.bolt_unscrew_shapes import FoundBoard, Scene, Shape, depth_in, outline
from pipeline.extract.bolt_unscrew_sight import Sight, sight_of
from pipeline.extract.bolt_unscrew_spots import Spot, find_spots
from pipeline.extract.bolt_unscrew_stack import find_stack, joined_areas
from pipeline.extract.circles import Circle, gradient
from pipeline.extract.clusters import weigh_lightness
from pipeline.extract.contract import Box, Element, Extractor, Mark, Reading, Rejection
from pipeline.extract.image import Picture
from pipeline.games.bolt_unscrew_model import Board, Disc, Plank, Polygon, Strip

LONG_SIDE, AREA = 800, 290_000
"""Most pixels on the longer side, and in all, of the picture that is worked on: screws have then radii of 5 to 20."""

PROPER = 0.5
"""Confidence of a board that counts as seen; half of the screws must be held by such boards."""

EXPLAINED = 0.95
"""Confidence of boards that lie on one another and together explain all that is seen."""

STRANGE = 0.4
"""Kinship of a reading with few screws that is not certain."""

SCREW_COLOR, HOLE_COLOR = (255, 70, 60), (60, 200, 255)

_MOST_NAMED = 6


@dataclass(frozen=True, eq=False)
class _Layout:
    """Everything read, in working pixels; `spots` are screws and holes in reading order, `held` each board's spots."""

    spots: list[Spot]
    is_screw: list[bool]
    boards: list[FoundBoard]
    held: list[tuple[int, ...]]
    order: Order


class BoltUnscrewExtractor(Extractor):
    """Reads any theme of the game; see the module's text."""

    game = "bolt_unscrew"
    version = "1"

    def read(self, picture: Picture) -> Reading | Rejection:
        side = _long_side(picture)
        small, factor = picture.reduced(side)
        lab = weigh_lightness(picture.reduced_lab(side)[0])
        gradients = gradient(small)
        rounds = find_rounds(small, lab, gradients)
        spots = find_spots(rounds)
        spots = with_missed_holes(rounds, spots) if spots else None
        bare = bare_holes(rounds) if spots is None or len(spots.screws) < FEW_SCREWS else []
        if spots is None or len(bare) > len(spots.screws) + len(spots.holes):
            return _without_screws(bare)
        return _read_boards(picture, factor, Scene(lab, *gradients, spots))


def _read_boards(picture: Picture, factor: float, scene: Scene) -> Reading | Rejection:
    """The reading of a picture in which screws and holes were found."""
    areas = find_areas(scene)
    joined = joined_areas(sight_of(scene, [area.mask for area in areas]), areas)
    areas = [replace(area, board=None) if k in joined else area for k, area in enumerate(areas)]
    alone = [area.board for area in areas if area.board is not None]
    compound = [area for area in areas if area.screws and area.board is None]
    sight = sight_of(scene, [area.mask for area in compound])
    among = np.ones(len(scene.spots.screws), bool)
    among[[i for area in areas if area.board is not None for i in area.screws]] = False
    stack = _stack(sight, compound, among)
    boards, order, explained = _judged(picture, sight, [*alone, *stack], len(alone))
    layout = _arranged(scene, boards, order)
    questions = [
        f"what lies on the panel at {_place(area, factor)} without a screw?" for area in areas if not area.screws
    ]
    if not explained:
        questions.append("boards lie on one another: are there more below, and does each have the right holes?")
    questions += _questions(scene, layout, factor)
    sure = plain(scene.spots)
    unheld = _share_held(scene, [*alone, *stack]) < 0.5
    if not boards or (questions and not sure and (unheld or strange(scene.spots))):
        return Rejection("round things, but no boards that they hold as screws do", 0.6 if sure else 0.1)
    reading = _reading(picture, factor, layout, questions)
    if stack:
        reading = replace(reading, notes=("boards that lie wholly under others cannot be seen",))
    few = len(scene.spots.screws) < FEW_SCREWS and not reading.certain and not sure
    return replace(reading, kinship=STRANGE) if few else reading


def _without_screws(bare: Sequence[Circle]) -> Rejection:
    if not bare:
        return Rejection("no panel with free holes and screws")
    return Rejection(
        f"boards with {len(bare)} holes that show the panel, but no screw is drawn: nothing holds them", 0.7
    )


def _long_side(picture: Picture) -> int:
    """That of the working copy."""
    long, short = max(picture.width, picture.height), min(picture.width, picture.height)
    return max(8, min(LONG_SIDE, round((AREA * long / short) ** 0.5)))


def _stack(sight: Sight, compound: list[Area], among: NDArray[np.bool_]) -> list[FoundBoard]:
    """The boards on the screws `among`, where several lie on one another."""
    stack = find_stack(sight, among)
    for area in compound:
        if not any(depth_in(b.shape, *_middle(sight.scene, i)) > 0 for i in area.screws for b in stack):
            stack.append(FoundBoard(shape_of(area.mask)[0], 0, 0.3))
    return stack


def _judged(
    picture: Picture, sight: Sight, boards: list[FoundBoard], first: int
) -> tuple[list[FoundBoard], Order, bool]:
    """The boards, those from `first` on sure when they explain all that is seen; their order; whether they do."""
    order = stacked(sight, boards, lambda: look_closer(picture, sight, boards))
    if not sight.cover.any():
        return boards, order, True
    lone = len(sight.scene.spots.screws) < 2  # one disc on one round thing is found on many a screen
    if lone or order.unclear or not explains(sight, boards[first:], order.ranks[first:]):
        return boards, order, False
    return boards[:first] + [replace(b, confidence=EXPLAINED) for b in boards[first:]], order, True


def _place(area: Area, factor: float) -> str:
    x, y, width, height = cv2.boundingRect(area.mask)
    return f"({(x + width / 2) / factor:.0f}, {(y + height / 2) / factor:.0f})"


def _share_held(scene: Scene, boards: list[FoundBoard]) -> float:
    """The share of the screws that go through boards that are really seen."""
    shapes = [b.shape for b in boards if b.confidence >= PROPER]
    held = [any(depth_in(shape, *_middle(scene, i)) > 0 for shape in shapes) for i in range(len(scene.spots.screws))]
    return sum(held) / len(held)


def _middle(scene: Scene, screw: int) -> tuple[float, float]:
    circle = scene.spots.screws[screw].circle
    return circle.x, circle.y


def _arranged(scene: Scene, boards: list[FoundBoard], order: Order) -> _Layout:
    """Spots in reading order, and which of them go through which board."""
    spots = [(s, True) for s in scene.spots.screws] + [(h, False) for h in scene.spots.holes]
    step = 2 * scene.spots.radius
    spots.sort(key=lambda item: (round(item[0].circle.y / step), item[0].circle.x))
    reach = -0.5 * float(np.median([h.circle.radius for h in scene.spots.holes]))
    held = [
        tuple(i for i, (s, _) in enumerate(spots) if depth_in(board.shape, s.circle.x, s.circle.y) > reach)
        for board in boards
    ]
    return _Layout([s for s, _ in spots], [screw for _, screw in spots], boards, held, order)


def _questions(scene: Scene, layout: _Layout, factor: float) -> list[str]:
    """What a person has to look at, with pixels of the picture."""
    asked = []
    loose = [s for i, s in enumerate(layout.spots) if layout.is_screw[i] and not any(i in held for held in layout.held)]
    if loose:
        asked.append(f"which boards do the screws at {_places(loose, factor)} hold?")
    if scene.spots.relatives:
        strange = [Spot(c, 0.0) for c in scene.spots.relatives]
        asked.append(f"are the round things at {_places(strange, factor)} screws or free holes too?")
    if like_a_button(scene.spots):
        asked.append("is this a board of the game? A single screw lies on what may be the app's background.")
    if layout.order.unclear:
        pairs = ", ".join(f"{_name(i)} or {_name(j)}" for i, j in layout.order.unclear[:_MOST_NAMED])
        more = len(layout.order.unclear) - _MOST_NAMED
        asked.append(f"which board lies on top: {pairs}{f' and {more} more pairs' if more > 0 else ''}?")
    return asked


def _places(spots: list[Spot], factor: float) -> str:
    named = ", ".join(f"({s.circle.x / factor:.0f}, {s.circle.y / factor:.0f})" for s in spots[:_MOST_NAMED])
    return named + (f" and {len(spots) - _MOST_NAMED} more" if len(spots) > _MOST_NAMED else "")


def _name(index: int) -> str:
    """The id of a board: a letter, and a number after the first 26."""
    letter = "abcdefghijklmnopqrstuvwxyz"[index % 26]
    return letter if index < 26 else f"{letter}{index // 26 + 1}"


def _reading(picture: Picture, factor: float, layout: _Layout, questions: list[str]) -> Reading:
    points = tuple((_unit(s.circle.x, factor), _unit(s.circle.y, factor)) for s in layout.spots)
    free = [s.circle.radius for s, screw in zip(layout.spots, layout.is_screw, strict=True) if not screw]
    board = Board(
        width=picture.width,
        height=picture.height,
        hole_radius=_unit(float(np.median(free)), factor),
        holes=points,
        screws=tuple(i for i, screw in enumerate(layout.is_screw) if screw),
        boards=tuple(
            Plank(id=_name(i), layer=layout.order.layers[i], shape=_shape(b.shape, factor), holes=layout.held[i])
            for i, b in enumerate(layout.boards)
        ),
    )
    return Reading(board, _elements(layout, factor), _marks(layout, factor), tuple(questions))


def _unit(pixels: float, factor: float) -> float:
    """Working pixels in pixels of the picture, to a tenth."""
    return round(pixels / factor, 1)


def _shape(shape: Shape, factor: float) -> Strip | Disc | Polygon:
    points = tuple((_unit(x, factor), _unit(y, factor)) for x, y in shape.points)
    if shape.kind == "strip":
        return Strip(kind="strip", ends=(points[0], points[-1]), width=_unit(shape.width, factor))
    if shape.kind == "disc":
        return Disc(kind="disc", center=points[0], radius=_unit(shape.width / 2, factor))
    return Polygon(kind="polygon", points=points)


def _elements(layout: _Layout, factor: float) -> tuple[Element, ...]:
    elements = []
    for i, (spot, screw) in enumerate(zip(layout.spots, layout.is_screw, strict=True)):
        names = ("screw", "hole") if screw else ("hole", "screw")
        elements.append(Element(f"holes[{i}]", _round_box(spot, factor), spot.confidence, *names))
    for i, found in enumerate(layout.boards):
        points = np.array(outline(found.shape)) / factor
        (left, top), (right, bottom) = points.min(axis=0), points.max(axis=0)
        box = (float(left), float(top), float(right - left), float(bottom - top))
        elements.append(Element(f"boards[{i}]", box, found.confidence, found.shape.kind))
    return tuple(elements)


def _round_box(spot: Spot, factor: float) -> Box:
    x, y, r = spot.circle.x / factor, spot.circle.y / factor, spot.circle.radius / factor
    return x - r, y - r, 2 * r, 2 * r


def _marks(layout: _Layout, factor: float) -> tuple[Mark, ...]:
    """Outlines and ids of the boards, lower ones first, and circles: screws in one colour, free holes in another."""
    marks = []
    for i in sorted(range(len(layout.boards)), key=lambda i: layout.order.layers[i]):
        points = tuple((x / factor, y / factor) for x, y in outline(layout.boards[i].shape))
        middle = np.mean(points, axis=0)
        marks.append(Mark("piece", points, closed=True))
        marks.append(Mark("label", ((float(middle[0]), float(middle[1])),), text=_name(i)))
    for spot, screw in zip(layout.spots, layout.is_screw, strict=True):
        centre = (spot.circle.x / factor, spot.circle.y / factor)
        color = SCREW_COLOR if screw else HOLE_COLOR
        marks.append(Mark("circle", (centre,), radius=1.1 * spot.circle.radius / factor, color=color))
    return tuple(marks)


EXTRACTOR = BoltUnscrewExtractor()
