"""The table of extractors: one row a game."""

from pipeline.extract.contract import Extractor

_ROWS: tuple[Extractor, ...] = ()

EXTRACTORS: dict[str, Extractor] = {extractor.game: extractor for extractor in _ROWS}
