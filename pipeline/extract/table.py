"""The table of extractors: one row a game."""

from pipeline.extract import bolt_unscrew, color_connect, maze_paint, nut_and_bolt, rush_hour, truck_escape
from pipeline.extract.contract import Extractor

_ROWS: tuple[Extractor, ...] = (
    rush_hour.EXTRACTOR,
    maze_paint.EXTRACTOR,
    color_connect.EXTRACTOR,
    nut_and_bolt.EXTRACTOR,
    bolt_unscrew.EXTRACTOR,
    truck_escape.EXTRACTOR,
)

EXTRACTORS: dict[str, Extractor] = {extractor.game: extractor for extractor in _ROWS}
