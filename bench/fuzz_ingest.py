"""Throw broken files and senseless pictures at the reader: `python -m bench.fuzz_ingest [COUNT [FIRST]]`.

COUNT of each, 5,000 unless told; FIRST is the seed to begin with. Prints one JSON line each: how often which status
came, the slowest picture (in CPU seconds, so that other work on the machine does not count), the largest process.
Exit status 1 when a reader crashed, took over ten seconds, grew beyond 1 GiB or stood by a board in a picture that
has none.
"""

import importlib
import json
import resource
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import Any, NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from bench.read_renderings import RENDERED
from bench.render.canvas import Canvas
from pipeline.commands.ingest import Job, prepare_worker, read_picture
from pipeline.core.workers import Lost, Pool

Rng = np.random.Generator

_SUFFIXES = (".png", ".jpg", ".webp", ".gif", ".bmp")


class Attempt(NamedTuple):
    """What happened to one file."""

    status: str
    seconds: float
    peak_bytes: int
    reason: str


def mutated_file(seed: int) -> bytes:
    """A small valid picture file with some of its bytes changed, moved, repeated or missing."""
    rng = np.random.default_rng(seed)
    game: Any = importlib.import_module(f"bench.render.{RENDERED[int(rng.integers(len(RENDERED)))]}")
    style = game.STYLES[int(rng.integers(len(game.STYLES)))]
    picture = game.draw(game.random_board(rng), style, (240, 400), rng)
    _, encoded = cv2.imencode(_SUFFIXES[seed % len(_SUFFIXES)], picture)
    data = bytearray(encoded.tobytes())
    for _ in range(int(rng.integers(1, 6))):
        _mutate(data, rng)
    return bytes(data)


def _mutate(data: bytearray, rng: Rng) -> None:
    """One change; headers are hit more often than pixels, because there it hurts."""
    if not data:
        return
    reach = len(data) if rng.random() < 0.5 else min(len(data), 64)
    at, length = int(rng.integers(reach)), int(rng.integers(1, 40))
    how = int(rng.integers(6))
    if how == 0:
        data[at] = int(rng.integers(256))
    elif how == 1:
        data[at] ^= 1 << int(rng.integers(8))
    elif how == 2:
        data[at : at + 4] = (0xFFFFFFFF, 0, 0x7FFFFFFF, len(data))[int(rng.integers(4))].to_bytes(4, "big")
    elif how == 3:
        del data[at : at + length]
    elif how == 4:
        data[at:at] = data[at : at + length]
    else:
        del data[int(rng.integers(len(data))) :]


def random_picture(seed: int) -> NDArray[np.uint8]:
    """A picture of nothing, BGR: noise, one colour, gradients, shapes, stripes or a bare grid, of any size."""
    rng = np.random.default_rng(seed)
    width, height = (int(n) for n in 2 ** rng.uniform(0, 10.5, 2))
    how = seed % 6
    if how == 0:
        return rng.integers(0, 256, (height, width, 3)).astype(np.uint8)
    if how == 1:
        return np.full((height, width, 3), rng.integers(0, 256, 3), np.uint8)
    if how == 2:
        small = rng.integers(0, 256, (int(rng.integers(2, 9)), int(rng.integers(2, 9)), 3)).astype(np.uint8)
        return np.asarray(cv2.resize(small, (width, height), interpolation=cv2.INTER_CUBIC), np.uint8)
    canvas = Canvas(width, height, _color(rng))
    if how == 3:
        for _ in range(int(rng.integers(1, 60))):
            _scatter(canvas, rng)
    else:
        _stripes(canvas, rng, both=how == 5)
    return canvas.picture()


def _scatter(canvas: Canvas, rng: Rng) -> None:
    x, y = rng.uniform(0, canvas.width), rng.uniform(0, canvas.height)
    size = 1 + float(rng.uniform(0, 0.3)) * max(canvas.width, canvas.height)
    if rng.random() < 0.5:
        canvas.disc(x, y, size / 2, _color(rng))
    else:
        canvas.box(x, y, size, float(rng.uniform(0.5, 1)) * size, _color(rng), radius=float(rng.uniform(0, size / 3)))


def _stripes(canvas: Canvas, rng: Rng, *, both: bool) -> None:
    step, thick, color = float(rng.uniform(4, 120)), float(rng.uniform(1, 6)), _color(rng)
    for i in range(int(canvas.width / step) + 1):
        canvas.box(i * step, 0, thick, canvas.height, color)
    for i in range(int(canvas.height / step) + 1 if both else 0):
        canvas.box(0, i * step, canvas.width, thick, color)


def _color(rng: Rng) -> tuple[int, int, int]:
    red, green, blue = (int(n) for n in rng.integers(0, 256, 3))
    return red, green, blue


def attempt_mutated(seed: int) -> Attempt:
    """Read one mutated file (in a worker process)."""
    return _attempt(mutated_file(seed))


def attempt_random(seed: int) -> Attempt:
    """Read one random picture (in a worker process)."""
    _, encoded = cv2.imencode(".png", random_picture(seed))
    return _attempt(encoded.tobytes())


def _attempt(data: bytes) -> Attempt:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "fuzz.png")
        path.write_bytes(data)
        start = time.process_time()
        outcome = read_picture(Job(path, path.name, None))
        seconds = time.process_time() - start
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    return Attempt(outcome.status, seconds, peak, " ".join(outcome.reasons))


def main(count: int, first: int = 0) -> int:
    """Run both kinds; the exit status."""
    wrong = 0
    for name, function in (("mutated files", attempt_mutated), ("random pictures", attempt_random)):
        statuses: Counter[str] = Counter()
        slowest, largest = 0.0, 0
        for index, result in Pool(None, 30.0, prepare_worker).run(function, range(first, first + count)):
            lost = isinstance(result, Lost)
            broken = result.reason if isinstance(result, Lost) or "extractor failed" in result.reason else ""
            statuses["lost" if lost else result.status] += 1
            if not isinstance(result, Lost):
                slowest, largest = max(slowest, result.seconds), max(largest, result.peak_bytes)
            silent = function is attempt_random and not lost and result.status == "ok"
            if broken or silent:
                wrong += 1
                what = broken or "a board was read where there is none"
                print(f"{name}, seed {first + index}: {what}", file=sys.stderr)
        wrong += slowest > 10 or largest > 2**30
        figures = {"fuzz": name, "files": count, **dict(sorted(statuses.items()))}
        print(json.dumps(figures | {"slowest_s": round(slowest, 2), "peak_mib": largest // 2**20}), flush=True)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(*(int(word) for word in sys.argv[1:] or ["5000"])))
