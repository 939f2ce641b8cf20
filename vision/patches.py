"""Rectified tile patches: each tile cut out upright, as if seen from straight above.

Stage 4 of the reader. In a patch the tile's centre is the middle, direction 0 of the grid points right and
directions turn clockwise; `PATCH_SPAN` pitches lie across it, so the rim shows a little of the neighbours.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.plane import rotation

PATCH_SIZE = 96
"""Side of a patch, px."""
PATCH_SPAN = 1.44
"""Side of a patch, tile pitches: a token that hangs over the tile's edge is still inside."""


def patch_to_photo(center: NDArray[np.float64], frame: NDArray[np.float64]) -> NDArray[np.float64]:
    """Affine map (2, 3) from patch pixels to photo pixels.

    center (2,): the tile's centre, photo px. frame (2, 2): photo px per pitch along plane x and y.
    """
    linear = frame * (PATCH_SPAN / PATCH_SIZE)
    middle = (PATCH_SIZE - 1) / 2
    affine: NDArray[np.float64] = np.c_[linear, center - linear @ (middle, middle)]
    return affine


def turned_frame(frame: NDArray[np.float64], turns: int) -> NDArray[np.float64]:
    """The frame whose direction 0 is direction `turns` of `frame`."""
    turned: NDArray[np.float64] = frame @ rotation(turns)
    return turned


class PhotoPyramid:
    """A photo with its halved copies, made on demand, so that big tiles are cut without aliasing."""

    def __init__(self, pixels: NDArray[np.uint8]) -> None:
        self._levels = [pixels]

    def shows(self, points: NDArray[np.float64]) -> NDArray[np.bool_]:
        """Which of the points (N, 2), px, lie in the photo; (N,)."""
        size = np.array(self._levels[0].shape[1::-1])
        return np.asarray(((points >= 0) & (points < size)).all(axis=1))

    def cut(self, center: NDArray[np.float64], frame: NDArray[np.float64]) -> NDArray[np.uint8]:
        """Patch (PATCH_SIZE, PATCH_SIZE, 3) of the tile at `center` (photo px) with local `frame`."""
        affine = patch_to_photo(center, frame)
        shrink = np.sqrt(abs(np.linalg.det(affine[:, :2])))
        level = int(np.clip(np.floor(np.log2(max(shrink, 1.0) * 1.2)), 0, 6))
        while len(self._levels) <= level and min(self._levels[-1].shape[:2]) > 1:
            last = self._levels[-1]
            half = (max(1, last.shape[1] // 2), max(1, last.shape[0] // 2))
            self._levels.append(np.asarray(cv2.resize(last, half, interpolation=cv2.INTER_AREA), np.uint8))
        level = min(level, len(self._levels) - 1)
        source, full = self._levels[level], self._levels[0]
        ratio = np.array([source.shape[1] / full.shape[1], source.shape[0] / full.shape[0]])
        affine = affine * ratio[:, None]
        affine[:, 2] += ratio / 2 - 0.5  # pixel centres, not corners, are at whole numbers
        patch = cv2.warpAffine(
            source,
            affine,
            (PATCH_SIZE, PATCH_SIZE),
            flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
            borderMode=cv2.BORDER_REPLICATE,
        )
        return np.asarray(patch, np.uint8)
