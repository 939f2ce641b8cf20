"""Dense evidence: what each small square of the photo shows, by a fully convolutional network.

Stage 2 of the reader. Photo pixels in, maps at a quarter of the resolution out. Frame: photo pixels,
x right, y down; map cell (i, j) covers photo pixels 4j to 4j + 3 by 4i to 4i + 3 of the scaled photo.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from scoring.pieces import SPECIES, TERRAINS

CLASSES = ("background", *TERRAINS, *SPECIES, "nature token")
"""What a pixel can show, in the order of the network's channels."""
TERRAIN_CLASS = {terrain: 1 + i for i, terrain in enumerate(TERRAINS)}
TOKEN_CLASS = {species: 6 + i for i, species in enumerate(SPECIES)}
NATURE_TOKEN_CLASS = 11

STRIDE = 4
"""Scaled photo pixels per map cell."""
GRAIN = 32
"""Both sides of the network's input are multiples of this, px."""
PITCH_UNIT = 48.0
"""The network's last channel is log(pitch / PITCH_UNIT), pitch in scaled photo pixels."""


@dataclass(frozen=True)
class Evidence:
    """Maps of one photo at one scale, each (h, w) or (C, h, w), h and w a quarter of the scaled photo.

    classes (12, h, w): probability of each of `CLASSES`. centers (h, w): 0 to 1, peaks at tile centres.
    pitches (h, w): tile pitch in photo pixels, meaningful on tiles only. step: photo pixels per map cell.
    """

    classes: NDArray[np.float32]
    centers: NDArray[np.float32]
    pitches: NDArray[np.float32]
    step: float


def dense_evidence(network: cv2.dnn.Net, pixels: NDArray[np.uint8], scale: float) -> Evidence:
    """Run the network on an RGB photo (H, W, 3) shrunk or enlarged by `scale`."""
    height, width = pixels.shape[:2]
    size = max(GRAIN, round(width * scale)), max(GRAIN, round(height * scale))
    way = cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR
    small = cv2.resize(pixels, size, interpolation=way)
    right, below = -size[0] % GRAIN, -size[1] % GRAIN
    padded = cv2.copyMakeBorder(small, 0, below, 0, right, cv2.BORDER_REPLICATE)
    network.setInput(cv2.dnn.blobFromImage(padded, scalefactor=1 / 255))
    maps = network.forward()[0]
    h, w = -(-size[1] // STRIDE), -(-size[0] // STRIDE)
    maps = maps[:, :h, :w]
    logits = maps[: len(CLASSES)]
    classes = np.exp(logits - logits.max(0))
    classes /= classes.sum(0)
    heat = 1 / (1 + np.exp(-maps[len(CLASSES)]))
    pitches = PITCH_UNIT * np.exp(np.clip(maps[len(CLASSES) + 1], -4, 4)) / scale
    return Evidence(classes, heat, pitches, STRIDE / scale)
