"""Screens of the games as an app might show them, drawn from boards.

Samples to ship, and input to measure extraction with.

One module a game, each with

* `STYLES`: the names of its clearly different looks;
* `draw(board, style, size, rng) -> bgr`: a whole screenshot of `size` = (width, height) pixels, with device chrome;
* `random_board(rng) -> board`: a valid board to draw.

`rng` is a `numpy.random.Generator`; the same seed draws the same picture.
"""
