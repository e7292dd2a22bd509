"""Level textures: tiny pictures in which every pixel is a cell, of two colours."""

import numpy as np

from pipeline.extract.contract import Element, Reading, Rejection
from pipeline.extract.image import Picture
from pipeline.extract.maze_paint_board import board_of, likely_start, marks_of, never_crossed, no_ball
from pipeline.extract.plan_lattice import PlanLattice

MOST_PIXELS = 40
"""Longest side of a picture that is read pixel by pixel: a maze has no more cells."""


def read_texture(picture: Picture) -> Reading | Rejection:
    """The border's colour is wall, the other one floor; where the ball starts is not drawn, so it is asked."""
    pixels = picture.bgr.reshape(-1, 3)
    colours = np.unique(pixels, axis=0)
    if len(colours) != 2:
        return Rejection("it is too small for a screenshot, and no texture of two colours either.")
    wall = picture.bgr[0, 0]
    floor = (picture.bgr != wall).any(axis=2)
    border = np.concatenate([floor[0], floor[-1], floor[:, 0], floor[:, -1]])
    if border.any():
        return Rejection("its border is of two colours, so it does not show which one is wall.", kinship=0.5)
    start = likely_start(floor)
    board = board_of(floor, start)
    lattice = PlanLattice((0.0, 1.0, 0.0, 0.0), (0.0, 0.0, 1.0, 0.0), *floor.shape)
    questions = ["the picture is no screenshot but a texture of one pixel a cell.", no_ball(start)]
    if never_crossed(board):
        questions.append("some floor can never be painted from there.")
    element = Element(f"grid[{start[0]}][{start[1]}]", lattice.cell_box(*start), 0.5, "start", "floor")
    return Reading(board, (element,), marks_of(lattice, board), tuple(questions))
