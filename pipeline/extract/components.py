"""Connected parts of a mask and their boxes: as `cv2.connectedComponentsWithStats`, in a fraction of its time.

OpenCV's statistics visit every pixel and cost several times as much as its labels; here they are taken from the runs of
equal pixels in each row, of which there are few.
"""

from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int32]


def components(mask: NDArray[Any], connectivity: int = 4) -> tuple[Ints, Ints]:
    """The label of every pixel of a mask (0 where it is zero), and n × 5: left, top, width, height, area of each label.

    `mask` is height × width, bool or uint8. Labels are numbered as OpenCV does; row 0 is about the zeros.
    """
    image = mask.view(np.uint8) if mask.dtype == np.bool_ else mask
    count, found = cv2.connectedComponents(image, connectivity=connectivity)
    labels: Ints = np.asarray(found, np.int32)
    return labels, _boxes(image, labels, count)


def _boxes(image: NDArray[np.uint8], labels: Ints, count: int) -> Ints:
    height, width = labels.shape
    breaks = np.empty(labels.shape, np.bool_)
    breaks[:, 0] = True
    np.not_equal(image[:, 1:], image[:, :-1], out=breaks[:, 1:])  # labels change only where the mask does
    starts = np.flatnonzero(breaks).astype(np.int32)
    label = labels.ravel()[starts]
    length = np.empty_like(starts)
    np.subtract(starts[1:], starts[:-1], out=length[:-1])
    length[-1] = labels.size - starts[-1]
    row, first = np.divmod(starts, np.int32(width))
    left, right = np.full(count, width, np.int32), np.zeros(count, np.int32)
    top, bottom = np.full(count, height, np.int32), np.zeros(count, np.int32)
    np.minimum.at(left, label, first)
    np.maximum.at(right, label, first + length)
    top[label[::-1]] = row[::-1]  # runs come row by row; of several values for a label the last one stays
    bottom[label] = row + 1
    area = np.bincount(label, length, count)
    return np.stack([left, top, right - left, bottom - top, area], axis=1).astype(np.int32)
