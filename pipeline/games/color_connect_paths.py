"""Paths through free cells of a grid, for the Color Connect rules."""

from collections import deque

from pipeline.games.grid import STEPS

Spot = tuple[int, int]
Path = tuple[Spot, ...]

PATHS_LISTED = 1_000
STEPS_TRIED = 50_000


def neighbours(cell: Spot) -> list[Spot]:
    """The four cells beside a cell, inside the board or not: left, right, up, down."""
    return [(cell[0] + row, cell[1] + col) for row, col in STEPS.values()]


def distances(free: set[Spot], end: Spot) -> dict[Spot, int]:
    """Steps to `end` from every free cell that reaches it through free cells."""
    found, queue = {end: 0}, deque([end])
    while queue:
        cell = queue.popleft()
        for beside in neighbours(cell):
            if beside in free and beside not in found:
                found[beside] = found[cell] + 1
                queue.append(beside)
    return found


def shortest_paths(free: set[Spot], start: Spot, end: Spot) -> list[Path]:
    """Simple paths from start to end through free cells, in order of length; `free` holds `end`.

    At most `PATHS_LISTED` of them, and not more than are found in `STEPS_TRIED` steps.
    """
    to_end = distances(free | {start}, end)
    found: list[Path] = []
    tried = 0
    for steps in range(to_end.get(start, len(free) + 1), len(free) + 1):
        stack: list[Path] = [(start,)]
        while stack:
            path = stack.pop()
            tried += 1
            if tried > STEPS_TRIED or len(found) == PATHS_LISTED:
                return found
            if path[-1] == end:
                found += [path] if len(path) == steps + 1 else []
                continue
            left = steps - len(path)
            beside = [c for c in neighbours(path[-1]) if c in free and c not in path and to_end[c] <= left]
            stack += [(*path, cell) for cell in reversed(beside)]
    return found
