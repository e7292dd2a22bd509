"""Measure how often elements of a confidence are right: `python -m bench.calibrate [--games GAME…] [--boards 200]`.

Random boards are drawn and distorted as in `bench.read_renderings`, with seeds of their own, and read by their game's
extractor: each as it was sent, and worn, for few elements of well-kept pictures are wrong. The first half of the boards
make each game's curve in `pipeline/extract/calibration.json`; the others, held back, tell how well the curve holds:
one JSON line per game with the share that was right in bins of the calibrated confidence, and the expected calibration
error (Guo et al. 2017) before and after. A curve that does not lower that error is not kept, and the extractor is taken
at its word. `--dry` leaves the file as it is.
"""

import argparse
import importlib
import json
import sys
from collections import defaultdict
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

import pipeline.extract
from bench.read_renderings import RENDERED, Arrived, drawn
from pipeline.core.files import write_atomic
from pipeline.core.workers import Lost, Pool
from pipeline.extract.compare import differences
from pipeline.extract.confidence import Curve, fitted, probability
from pipeline.extract.contract import Reading
from pipeline.extract.table import EXTRACTORS

FIRST_SEED = 100_000
"""Boards of their own: no other measurement draws them."""
TABLE = Path(pipeline.extract.__file__).with_name("calibration.json")
EDGES = (0.99, 0.95, 0.9, 0.75, 0.5, 0.0)

Observed = list[tuple[float, bool]]


def observe(seed: int, game: str) -> Observed:
    """Confidence, as the extractor gives it, and rightness of every element read in two pictures of one board."""
    return [*_observe(seed, game, "sent"), *_observe(seed, game, "worn")]


def _observe(seed: int, game: str, arrived: Arrived) -> Observed:
    board, _, picture = drawn(game, seed, arrived)
    answer = EXTRACTORS[game].read(picture)
    if not isinstance(answer, Reading):
        return []
    module = importlib.import_module(f"bench.render.{game}")
    wrong = getattr(module, "wrong_paths", _wrong_paths)(board, answer.board)
    return [(e.confidence, not any(_is_at(path, e.where) for path in wrong)) for e in answer.elements]


def _wrong_paths(board: Any, reading: Any) -> list[str]:
    return [d.reading_path for d in differences(board, reading)]


def _is_at(path: str, where: str) -> bool:
    """Whether a difference is in the element, or the element in what differs (`grid` when the sizes disagree)."""
    return bool(path) and (path == where or path.startswith((f"{where}.", f"{where}[")) or where.startswith(f"{path}["))


def calibration_error(observed: Observed, curve: Curve | None = None) -> float:
    """Mean distance between confidence and share that was right, over bins, weighted by their elements."""
    bins: dict[float, list[tuple[float, bool]]] = defaultdict(list)
    for raw, right in observed:
        value = raw if curve is None else probability(curve, raw)
        bins[_edge(value)].append((value, right))
    gaps = (abs(sum(v - right for v, right in found)) for found in bins.values())
    return sum(gaps) / max(1, len(observed))


def _edge(value: float) -> float:
    return next(edge for edge in EDGES if value >= edge)


def measure(game: str, boards: int) -> tuple[dict[str, Any], Curve]:
    """One game's figures on the boards held back, and its curve from the others."""
    halves: tuple[Observed, Observed] = [], []
    for seed, found in Pool(None, 120.0).run(partial(observe, game=game), range(FIRST_SEED, FIRST_SEED + boards)):
        halves[seed % 2].extend([] if isinstance(found, Lost) else found)
    fit, held_back = halves
    curve = fitted(fit)
    bins: dict[float, list[bool]] = defaultdict(list)
    for raw, right in held_back:
        bins[_edge(probability(curve, raw))].append(right)
    figures = {
        "calibration": game,
        "elements": len(held_back),
        "error_before": round(calibration_error(held_back), 4),
        "error_after": round(calibration_error(held_back, curve), 4),
        "right_by_confidence": {f">={edge}": f"{sum(r)}/{len(r)}" for edge, r in sorted(bins.items(), reverse=True)},
    }
    return figures, curve


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure, print, and keep the curves."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", nargs="*", default=RENDERED, choices=RENDERED)
    parser.add_argument("--boards", type=int, default=200)
    parser.add_argument("--dry", action="store_true", help="only measure")
    options = parser.parse_args(arguments)
    table = json.loads(TABLE.read_text(encoding="utf-8"))
    for game in options.games:
        figures, curve = measure(game, options.boards)
        table.pop(game, None)
        if figures["error_after"] < figures["error_before"]:
            table[game] = curve
        print(json.dumps(figures), flush=True)
    if not options.dry:
        rows = (f" {json.dumps(game)}: {json.dumps(table[game])}" for game in sorted(table))
        write_atomic(TABLE, ("{\n" + ",\n".join(rows) + "\n}\n").encode())
    return 0


if __name__ == "__main__":
    sys.exit(main())
