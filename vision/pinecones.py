"""Loose nature tokens beside an environment, counted in the dense maps. Maps in, numbers out."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import find_objects, label

from vision.evidence import NATURE_TOKEN_CLASS, Evidence

Floats = NDArray[np.float64]

RADIUS = 0.3
"""Of a nature token, pitches."""
REACH = 3.5
"""A nature token farther than this from every tile belongs to nobody, pitches."""


def count_nature_tokens(evidence: Evidence, centers: Sequence[Floats], frames: Sequence[Floats]) -> list[int]:
    """Nature tokens nearest to each environment.

    centers: for each environment its tile centres (M, 2), photo px; frames (M, 2, 2): photo px per pitch.
    A spot counts if it is about as large as one token there; two that touch count by their area.
    """
    counts = [0] * len(centers)
    spots, many = label(evidence.classes[NATURE_TOKEN_CLASS] > 0.5)
    for index, window in enumerate(find_objects(spots, many), 1):
        rows, columns = np.nonzero(spots[window] == index)
        place = np.array([columns.mean() + window[1].start, rows.mean() + window[0].start])
        place = (place + 0.5) * evidence.step - 0.5
        area = len(rows) * evidence.step**2
        best: tuple[float, float, int] | None = None
        for which, (points, steps) in enumerate(zip(centers, frames, strict=True)):
            sizes = np.abs(np.linalg.det(steps))
            away = np.linalg.norm(points - place, axis=1) / np.sqrt(sizes)
            near = int(away.argmin())
            if best is None or away[near] < best[0]:
                best = (float(away[near]), area / (np.pi * RADIUS**2 * float(sizes[near])), which)
        if best is not None and best[0] < REACH and best[1] > 0.4:
            counts[best[2]] += max(1, round(best[1] / 1.15))
    return counts
