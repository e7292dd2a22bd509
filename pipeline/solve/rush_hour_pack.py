"""Packing a Rush Hour board into the integer arrays of the compiled search."""

import numpy as np

from pipeline.games import rush_hour as rules
from pipeline.solve.rush_hour_layout import PLACES, Layout


def pack(board: rules.Board, start: rules.State, stop_at_win: bool) -> tuple[Layout, list[int]]:
    """The layout and the start's key words.

    Vehicles keep their order on a line, so each one's range is shortened by the lengths of those before and after it:
    fewer bits a key, and most boards up to 9 × 9 fit one word.
    """
    planes = (board.rows * board.cols + 63) // 64
    rows: list[tuple[int, ...]] = []
    body = [0] * (len(board.vehicles) * PLACES * planes)
    key, used = [1], 1
    for index, (vehicle, offset) in enumerate(zip(board.vehicles, start.offsets, strict=True)):
        low, high = _range(board, vehicle)
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
        at_place_0 = sum(1 << cell for cell in range(tail, head + 1, stride))
        for p in range(high - low + 1):
            at = (index * PLACES + p) * planes
            body[at : at + planes] = _planes(at_place_0 << (p * stride), planes)
        used += bits
    columns = np.array(rows, np.int64).T.copy()
    names = ("head", "tail", "stride", "word", "shift", "mask", "last")
    target, goal = _goal(board)
    layout = Layout(
        words=len(key),
        planes=planes,
        **dict(zip(names, columns, strict=True)),
        body=np.array(body, np.uint64),
        walls=np.array(_planes(sum(1 << (r * board.cols + c) for r, c in board.walls), planes), np.uint64),
        target=target,
        goal=goal if stop_at_win else -1,
    )
    return layout, key


def _range(board: rules.Board, vehicle: rules.Vehicle) -> tuple[int, int]:
    """Least and greatest row or column its first cell can have, by walls and by the vehicles of its own line."""
    horizontal = vehicle.axis == "horizontal"
    line, at = (vehicle.row, vehicle.col) if horizontal else (vehicle.col, vehicle.row)
    walls = [c if horizontal else r for r, c in board.walls if (r if horizontal else c) == line]
    low = max((w + 1 for w in walls if w < at), default=0)
    high = min((w for w in walls if w > at), default=board.cols if horizontal else board.rows)
    for other in board.vehicles:
        if other.axis != vehicle.axis or (other.row if horizontal else other.col) != line:
            continue
        place = other.col if horizontal else other.row
        if low <= place < at:
            low += other.length
        elif at < place < high:
            high -= other.length
    return low, high - vehicle.length


def _planes(bits: int, planes: int) -> list[int]:
    return [(bits >> (64 * plane)) & (2**64 - 1) for plane in range(planes)]


def _goal(board: rules.Board) -> tuple[int, int]:
    """The target's index and its place when won; a place out of its range when it can never get there."""
    index = next(i for i, v in enumerate(board.vehicles) if v.id == board.target)
    target = board.vehicles[index]
    low, _ = _range(board, target)
    size = board.cols if target.axis == "horizontal" else board.rows
    return index, (0 if board.exit in ("left", "top") else size - target.length) - low
