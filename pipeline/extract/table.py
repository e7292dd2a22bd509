"""The table of extractors: one row a game."""

from pipeline.extract import color_connect, nut_and_bolt
from pipeline.extract.contract import Extractor

_ROWS: tuple[Extractor, ...] = (color_connect.EXTRACTOR, nut_and_bolt.EXTRACTOR)

EXTRACTORS: dict[str, Extractor] = {extractor.game: extractor for extractor in _ROWS}
