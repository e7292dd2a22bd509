"""Packing a Rush Hour board into the integer arrays of the compiled search."""

from collections import defaultdict
from typing import Any

import numpy as np
from numba import njit

from pipeline.games import rush_hour as rules
from pipeline.solve.rush_hour_layout import PLACES, Layout

_WALL = 0
"""The length that stands for a wall in a line."""


def pack(board: rules.Board, start: rules.State, stop_at_win: bool) -> tuple[Layout, list[int]]:
    """The layout and the start's key words.

    Vehicles keep their order on a line, so each one's range is shortened by the lengths of those before and after it:
    fewer bits a key, and most boards up to 9 × 9 fit one word.
    """
    planes = (board.rows * board.cols + 63) // 64
    rows: list[tuple[int, ...]] = []
    key, used = [1], 1
    ranges = _ranges(board)
    for vehicle, offset, (low, high) in zip(board.vehicles, start.offsets, ranges, strict=True):
        bits = (high - low).bit_length()
        if used + bits > 64:
            key.append(0)
            used = 0
        place = (vehicle.col if vehicle.axis == "horizontal" else vehicle.row) + offset - low
        key[-1] |= place << used
        stride = 1 if vehicle.axis == "horizontal" else board.cols
        tail = (vehicle.row * board.cols if stride == 1 else vehicle.col) + low * stride
        head = tail + (vehicle.length - 1) * stride
        rows.append((head, tail, stride, len(key) - 1, used, (1 << bits) - 1, high - low))
        used += bits
    columns = np.array(rows, np.int64).T.copy()
    names = ("head", "tail", "stride", "word", "shift", "mask", "last")
    target, goal = _goal(board, ranges)
    layout = Layout(
        words=len(key),
        planes=planes,
        **dict(zip(names, columns, strict=True)),
        body=np.zeros(len(rows) * PLACES * planes, np.uint64),
        walls=np.zeros(planes, np.uint64),
        target=target,
        goal=goal if stop_at_win else -1,
    )
    for row, col in board.walls:
        plane, bit = divmod(row * board.cols + col, 64)
        layout.walls[plane] |= np.uint64(1 << bit)
    fill_bodies(layout)
    return layout, key


@njit(cache=True)
def fill_bodies(layout: Any) -> None:
    """Mark each vehicle's cells at each of its places."""
    for v in range(layout.tail.size):
        for place in range(layout.last[v] + 1):
            at, moved = (v * PLACES + place) * layout.planes, place * layout.stride[v]
            for cell in range(layout.tail[v] + moved, layout.head[v] + moved + 1, layout.stride[v]):
                layout.body[at + (cell >> 6)] |= np.uint64(1) << np.uint64(cell & 63)


def _ranges(board: rules.Board) -> list[tuple[int, int]]:
    """Least and greatest place of each vehicle's first cell, by walls and by the vehicles of its own line."""
    lines: dict[tuple[str, int], list[tuple[int, int]]] = defaultdict(list)
    for vehicle in board.vehicles:
        line, at = _spot(vehicle)
        lines[vehicle.axis, line].append((at, vehicle.length))
    for row, col in board.walls:
        lines["horizontal", row].append((col, _WALL))
        lines["vertical", col].append((row, _WALL))
    found = []
    for vehicle in board.vehicles:
        line, at = _spot(vehicle)
        size = board.cols if vehicle.axis == "horizontal" else board.rows
        low, high = _limits(sorted(lines[vehicle.axis, line]), at, size)
        found.append((low, high - vehicle.length))
    return found


def _limits(line: list[tuple[int, int]], at: int, size: int) -> tuple[int, int]:
    """First cell, and one past the last, that the vehicle at `at` can cover; walls have length `_WALL`."""
    low, behind = 0, 0
    for place, length in line:
        if place < at:
            low = place + 1 if length == _WALL else low + length
        elif place > at and length == _WALL:
            return low, place - behind
        elif place > at:
            behind += length
    return low, size - behind


def _spot(vehicle: rules.Vehicle) -> tuple[int, int]:
    """Its line and the place of its first cell on it."""
    return (vehicle.row, vehicle.col) if vehicle.axis == "horizontal" else (vehicle.col, vehicle.row)


def _goal(board: rules.Board, ranges: list[tuple[int, int]]) -> tuple[int, int]:
    """The target's index and its place when won; a place out of its range when it can never get there."""
    index = next(i for i, v in enumerate(board.vehicles) if v.id == board.target)
    target = board.vehicles[index]
    size = board.cols if target.axis == "horizontal" else board.rows
    return index, (0 if board.exit in ("left", "top") else size - target.length) - ranges[index][0]
