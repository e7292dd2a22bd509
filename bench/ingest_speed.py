"""Seconds of one core to recognise a screenshot, whole and by extractor: handed pictures, and drawn phone screens.

One JSON line a figure. The pictures are decoded before; decoding has a figure of its own.
"""

import importlib
import statistics
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator

import cv2
import numpy as np

from bench.figures import SHARED, report
from bench.read_renderings import RENDERED
from bench.render.chrome import SIZES
from bench.render.distort import distort
from pipeline.core.memory import keep_freed_memory
from pipeline.extract.image import Picture, UnreadableImage, decode_picture, load_picture
from pipeline.extract.recognise import weigh
from pipeline.extract.table import EXTRACTORS

DRAWN = 5
"""Screens of each game."""

Seconds = dict[str, list[float]]


def measure(pictures: Iterable[tuple[Picture, float]]) -> Seconds:
    """CPU seconds per picture, by what they were spent on; the pictures come with those of their decoding."""
    spent: Seconds = defaultdict(list)
    for picture, decoding in pictures:
        spent["decode"].append(decoding)
        began = time.process_time()
        answers = {}
        for game, extractor in EXTRACTORS.items():
            start = time.process_time()
            answers[game] = extractor.read(picture)
            spent[game].append(time.process_time() - start)
        weigh(answers)
        spent["recognise"].append(time.process_time() - began)
    return spent


def handed() -> Iterator[tuple[Picture, float]]:
    """The handed pictures that can be decoded."""
    for path in sorted(SHARED.glob("cases/*/img/*")):
        try:
            yield _timed(lambda path=path: load_picture(path))
        except UnreadableImage:
            continue


def drawn() -> Iterator[tuple[Picture, float]]:
    """Phone screens of all games in all styles, distorted as on their way here."""
    for game in RENDERED:
        module = importlib.import_module(f"bench.render.{game}")
        for seed in range(DRAWN):
            rng = np.random.default_rng([seed, *game.encode()])
            screen = module.draw(
                module.random_board(rng), module.STYLES[seed % len(module.STYLES)], SIZES["phone"], rng
            )
            data = cv2.imencode(".png", _at_size(distort(screen, rng), SIZES["phone"]))[1].tobytes()
            yield _timed(lambda data=data: decode_picture(data))


def _at_size(bgr: np.ndarray, size: tuple[int, int]) -> np.ndarray:
    return bgr if (bgr.shape[1], bgr.shape[0]) == size else cv2.resize(bgr, size, interpolation=cv2.INTER_AREA)


def _timed(decode: Callable[[], Picture]) -> tuple[Picture, float]:
    began = time.process_time()
    picture = decode()
    return picture, time.process_time() - began


def main() -> None:
    cv2.setNumThreads(1)  # as in `ingest`, where every core has a picture of its own
    keep_freed_memory()
    for source, pictures in (("handed pictures", handed()), ("drawn screens", drawn())):
        for what, seconds in measure(pictures).items():
            report(f"ingest {source}, {what}, median", statistics.median(seconds), "s")
            report(f"ingest {source}, {what}, p95", sorted(seconds)[len(seconds) * 95 // 100], "s")


if __name__ == "__main__":
    main()
