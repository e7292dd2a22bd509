"""Text on pictures, placed by its box: OpenCV's built-in font, sized by the height of a capital letter."""

from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

_FONT = cv2.FONT_HERSHEY_SIMPLEX
_REFERENCE = "HX"


def text_size(text: str, cap_height: float) -> tuple[float, float]:
    """Width and height in pixels of a line whose capitals are `cap_height` pixels high."""
    (width, _), _ = cv2.getTextSize(text, _FONT, _scale(cap_height), _thickness(cap_height))
    return float(width), float(cap_height)


def draw_text(
    bgr: NDArray[np.uint8], text: str, at: tuple[float, float], cap_height: float, color: tuple[int, int, int]
) -> None:
    """Draw one line in place; `at` is the left end of its baseline in pixels, `color` is sRGB."""
    target: Any = bgr
    origin = (round(at[0]), round(at[1]))
    cv2.putText(
        target, text, origin, _FONT, _scale(cap_height), color[::-1], _thickness(cap_height), lineType=cv2.LINE_AA
    )


def fitted(text: str, cap_height: float, width: float) -> str:
    """The text, cut short with an ellipsis where it is wider than `width` pixels."""
    if text_size(text, cap_height)[0] <= width:
        return text
    while text and text_size(text + "...", cap_height)[0] > width:
        text = text[:-1]
    return text.rstrip() + "..."


def _scale(cap_height: float) -> float:
    (_, at_one), _ = cv2.getTextSize(_REFERENCE, _FONT, 1.0, 1)
    return max(0.05, cap_height / at_one)


def _thickness(cap_height: float) -> int:
    return max(1, round(cap_height / 10))
