"""Read drawn screens back: `python -m bench.read_renderings [--games GAME…] [--boards 300] [--arrived worn]`.

Boards are drawn at random in every style and size, distorted as screenshots are on their way, and recognised among all
games. One JSON line per game: how many were read exactly, how many were asked about, refused, or read wrongly without
a question (`silent`, which must be 0), the seconds per picture, and how often readings of a confidence were right.
`--arrived plain` leaves the distortion out, `--arrived worn` adds what pictures suffer that were passed on often. Exit
status 1 when there is a silent error.
"""

import argparse
import importlib
import json
import pkgutil
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Callable
from functools import partial
from typing import Any, Literal, NamedTuple, get_args

import numpy as np

import bench.render
from bench.render.chrome import SIZES
from bench.render.distort import distort, wear
from pipeline.core.workers import Lost, Pool
from pipeline.extract.compare import differences
from pipeline.extract.contract import Reading
from pipeline.extract.image import Picture
from pipeline.extract.recognise import Recognition, recognise
from pipeline.games.table import GAMES

RENDERED = tuple(sorted(m.name for m in pkgutil.iter_modules(bench.render.__path__) if m.name in GAMES))
"""Games that can be drawn."""

Arrived = Literal["plain", "sent", "worn"]
"""How a screen came here: as drawn, distorted as screenshots are on their way, or passed on many times."""

Compare = Callable[[str, Any, Any], list[str]]


class Result(NamedTuple):
    """One picture: its style, what came of it, and for readings their confidence."""

    style: str
    outcome: str
    confidence: float
    seconds: float
    detail: str


def drawn(game: str, seed: int, arrived: Arrived = "sent") -> tuple[Any, str, Picture]:
    """A random board, the style it was drawn in, and its picture."""
    module: Any = importlib.import_module(f"bench.render.{game}")
    rng = np.random.default_rng([seed, *game.encode()])
    style = module.STYLES[seed % len(module.STYLES)]
    size = list(SIZES.values())[int(rng.integers(len(SIZES)))]
    board = module.random_board(rng)
    bgr = module.draw(board, style, size, rng)
    if arrived != "plain":
        bgr = distort(bgr, rng)
    return board, style, Picture(wear(bgr, rng) if arrived == "worn" else bgr)


def read_back(seed: int, game: str, arrived: Arrived = "sent") -> Result:
    """Draw and read one board (in a worker process)."""
    board, style, picture = drawn(game, seed, arrived)
    start = time.process_time()
    found = recognise(picture)
    seconds = time.process_time() - start
    outcome, detail = judged(game, board, found)
    confidence = found.answer.confidence if isinstance(found.answer, Reading) else 0.0
    return Result(style, outcome, confidence, seconds, detail)


def judged(game: str, board: Any, found: Recognition, compare: Compare | None = None) -> tuple[str, str]:
    """What came of reading a picture of a board of `game`, and the first few words about it."""
    if not isinstance(found.answer, Reading):
        return "rejected", f"{found.game}: {found.answer.reason}"
    reading = found.answer
    wrong = (compare or mistakes)(game, board, reading.board) if found.game == game else ["game"]
    outcome = ("silent" if wrong else "exact") if reading.certain else ("asked_wrong" if wrong else "asked_right")
    return outcome, "; ".join([f"{found.game}", *wrong[:3], *reading.questions[:2]])


def mistakes(game: str, board: Any, reading: Any) -> list[str]:
    """What differs between a drawn board and what was read, as the game's renderer compares them."""
    compare = getattr(importlib.import_module(f"bench.render.{game}"), "mistakes", differences)
    return [str(difference) for difference in compare(board, reading)]


def mistakes_in_play(game: str, board: Any, reading: Any) -> list[str]:
    """The same of boards that were not drawn by a renderer: walls around a maze show no extent, names no order."""
    rules = GAMES[game]
    return [] if rules.canonical(board) == rules.canonical(reading) else mistakes(game, board, reading)


def measure(game: str, boards: int, arrived: Arrived, *, verbose: bool) -> int:
    """Print one game's figures; the number of silent errors and lost pictures."""
    results: list[Result] = []
    job = partial(read_back, game=game, arrived=arrived)
    for seed, result in Pool(None, 120.0).run(job, range(boards)):
        result = Result("", "lost", 0.0, 0.0, result.reason) if isinstance(result, Lost) else result
        results.append(result)
        if verbose and result.outcome != "exact":
            print(f"{game} seed {seed} {result.style}: {result.outcome} ({result.detail})", file=sys.stderr)
    counts = Counter(r.outcome for r in results)
    styles: dict[str, Counter[str]] = defaultdict(Counter)
    for r in results:
        styles[r.style][r.outcome] += 1
    seconds = sorted(r.seconds for r in results)
    figures = {
        "readings": game,
        "boards": boards,
        **dict(sorted(counts.items())),
        "cpu_s_median": round(seconds[len(seconds) // 2], 2),
        "cpu_s_p95": round(seconds[len(seconds) * 95 // 100], 2),
        "styles": {style: dict(sorted(c.items())) for style, c in sorted(styles.items())},
        "right_by_confidence": _calibration(results),
    }
    print(json.dumps(figures), flush=True)
    return counts["silent"] + counts["lost"]


def _calibration(results: list[Result]) -> dict[str, str]:
    """Right of all readings, by confidence of the least certain element."""
    bins: dict[str, list[bool]] = defaultdict(list)
    for r in results:
        if r.outcome not in ("rejected", "lost"):
            low = next(edge for edge in (0.99, 0.95, 0.9, 0.75, 0.5, 0.0) if r.confidence >= edge)
            bins[f">={low}"].append(r.outcome in ("exact", "asked_right"))
    return {name: f"{sum(rights)}/{len(rights)}" for name, rights in sorted(bins.items(), reverse=True)}


def main() -> int:
    """Parse, measure, and tell the exit status."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", nargs="*", default=RENDERED, choices=RENDERED)
    parser.add_argument("--boards", type=int, default=300)
    parser.add_argument("--arrived", default="sent", choices=get_args(Arrived))
    parser.add_argument("-v", "--verbose", action="store_true", help="name every picture that was not read exactly")
    arguments = parser.parse_args()
    wrong = [measure(game, arguments.boards, arguments.arrived, verbose=arguments.verbose) for game in arguments.games]
    return 1 if any(wrong) else 0


if __name__ == "__main__":
    sys.exit(main())
