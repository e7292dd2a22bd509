"""Bolt Unscrew panels composed by hand for the catalogue of the browser tests."""

from collections.abc import Sequence

from pipeline.games.bolt_unscrew_model import Board, Disc, Plank, Point, Polygon, Shape, Strip

WIDTH, HEIGHT, HOLE = 600.0, 600.0, 20.0
"""The panel and a hole's radius, in board units."""

Part = tuple[Shape, Sequence[Point]]
"""A plank's shape and its holes."""


def strip(*holes: Point, width: float = 60) -> Part:
    """A round-ended plank from its first hole to its last."""
    return Strip(kind="strip", ends=(holes[0], holes[-1]), width=width), holes


def disc(hole: Point, radius: float, *more: Point) -> Part:
    """A disc around its first hole."""
    return Disc(kind="disc", center=hole, radius=radius), (hole, *more)


def polygon(points: Sequence[Point], *holes: Point) -> Part:
    """A polygon with its holes."""
    return Polygon(kind="polygon", points=tuple(points)), holes


def panel(parts: Sequence[Part], free: Sequence[Point]) -> Board:
    """Parts from the lowest to the highest, every one of their holes screwed, and free holes in the panel."""
    screwed = sorted({hole for _, holes in parts for hole in holes})
    places = [*screwed, *free]
    planks = tuple(
        Plank(id=f"p{layer}", layer=layer, shape=shape, holes=tuple(screwed.index(hole) for hole in holes))
        for layer, (shape, holes) in enumerate(parts)
    )
    return Board(
        width=WIDTH,
        height=HEIGHT,
        hole_radius=HOLE,
        holes=tuple(places),
        screws=tuple(range(len(screwed))),
        boards=planks,
    )


PANELS: tuple[tuple[str, Board], ...] = (
    (
        "gate",
        panel(
            [
                strip((150, 200), (150, 460)),
                strip((450, 200), (450, 460)),
                strip((150, 200), (450, 200)),
            ],
            free=[(300, 80), (300, 330)],
        ),
    ),
    (
        "arrow",
        panel(
            [
                strip((300, 330), (300, 540)),
                polygon([(300, 60), (440, 280), (160, 280)], (300, 140), (370, 245), (230, 245)),
                strip((180, 420), (420, 420)),
            ],
            free=[(90, 100), (510, 100), (510, 300)],
        ),
    ),
    (
        "house",
        panel(
            [
                strip((160, 290), (160, 520)),
                strip((440, 290), (440, 520)),
                strip((160, 520), (440, 520)),
                polygon([(300, 70), (520, 320), (80, 320)], (300, 140), (160, 290), (440, 290)),
            ],
            free=[(80, 110), (520, 110), (300, 420)],
        ),
    ),
    (
        "balance",
        panel(
            [
                strip((300, 150), (300, 520)),
                strip((110, 240), (490, 240)),
                disc((110, 240), 80, (110, 290)),
                disc((490, 240), 80, (490, 290)),
                strip((190, 520), (300, 520), (410, 520)),
            ],
            free=[(150, 80), (450, 80), (110, 420), (490, 420)],
        ),
    ),
    (
        "windmill",
        panel(
            [
                polygon([(200, 352), (400, 352), (430, 560), (170, 560)], (220, 520), (380, 520)),
                strip((300, 260), (120, 120)),
                strip((300, 260), (480, 120)),
                strip((300, 260), (120, 400)),
                strip((300, 260), (480, 400)),
                disc((300, 260), 62),
            ],
            free=[(60, 260), (540, 260), (300, 60)],
        ),
    ),
)
