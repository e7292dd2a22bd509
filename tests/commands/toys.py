"""A reader that needs no real extractor: to it a picture of one plain colour means one thing."""

import os
import time
from pathlib import Path

import cv2
import numpy as np

from pipeline.commands.ingest import Job, Outcome, read_picture
from pipeline.extract.contract import Element, Extractor, Mark, Reading, Rejection
from pipeline.extract.image import Picture
from pipeline.extract.table import EXTRACTORS
from pipeline.games.rush_hour import Board, Vehicle

RED, AMBER, BLUE, GREY = (0, 0, 200), (0, 160, 255), (200, 0, 0), (128, 128, 128)
"""BGR: certain, uncertain, another certain board, rejected."""
BLACK, WHITE = (0, 0, 0), (255, 255, 255)
"""BGR: the process dies, the process hangs."""


class ToyExtractor(Extractor):
    """Knows what a picture shows by the colour of its middle."""

    game = "rush_hour"
    version = "toy-1"

    def read(self, picture: Picture) -> Reading | Rejection:
        blue, green, red = (int(v) for v in picture.bgr[picture.height // 2, picture.width // 2])
        color = (blue, green, red)
        if color == BLACK:
            os._exit(9)
        if color == WHITE:
            time.sleep(600)
        if color not in (RED, AMBER, BLUE):
            return Rejection("no board is seen.", 0.1)
        target = Vehicle(id="X", row=2, col=0 if color != BLUE else 1, length=2, axis="horizontal")
        board = Board(rows=6, cols=6, vehicles=(target,), target="X", exit="right")
        box = (10.0, 10.0, 30.0, 15.0)
        element = Element("vehicles[0]", box, 0.6 if color == AMBER else 0.98, "a car of length 2", "a truck")
        return Reading(board, (element,), (Mark("piece", ((10, 10), (40, 10), (40, 25), (10, 25)), closed=True),))


def read_with_toy(job: Job) -> Outcome:
    """`read_picture` with the toy as the only extractor."""
    EXTRACTORS.clear()
    EXTRACTORS["rush_hour"] = ToyExtractor()
    return read_picture(job)


def plain_picture(path: Path, color: tuple[int, int, int], width: int = 60) -> Path:
    """A PNG file of one colour; another width makes other bytes with the same meaning."""
    path.parent.mkdir(parents=True, exist_ok=True)
    _, data = cv2.imencode(".png", np.full((50, width, 3), color, np.uint8))
    path.write_bytes(data.tobytes())
    return path
