"""Tile centres from the dense maps. Stage 3 of the reader: maps in, points in photo pixels out."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import maximum_filter

from vision.evidence import Evidence

MOST_CENTERS = 250
"""Most centres looked at; four environments of 40 tiles and what lies beside them have half of it."""


@dataclass(frozen=True)
class Detections:
    """Tile centres (N, 2) in photo px, their scores (N,) 0 to 1 and local pitches (N,) in photo px."""

    centers: NDArray[np.float64]
    scores: NDArray[np.float64]
    pitches: NDArray[np.float64]


def find_centers(evidence: Evidence, least_score: float = 0.25) -> Detections:
    """Peaks of the centre heat, refined to a fraction of a map cell, strongest first.

    Of two peaks closer than 0.45 of the local pitch only the stronger stays, and of more than `MOST_CENTERS`
    the strongest: a picture of noise has thousands, with which the lattice would be busy for hours.
    """
    heat = evidence.centers
    peaks = (heat == maximum_filter(heat, size=3)) & (heat >= least_score)
    rows, columns = np.nonzero(peaks)
    order = np.argsort(-heat[rows, columns], kind="stable")
    rows, columns = rows[order], columns[order]
    points = np.c_[columns + _vertex(heat, rows, columns, 1), rows + _vertex(heat, rows, columns, 0)]
    # Map cell (0, 0) covers scaled pixels 0 to 3, whose middle is 1.5; photo pixels likewise.
    points = (points + 0.5) * evidence.step - 0.5
    pitches = evidence.pitches[rows, columns].astype(float)
    kept: list[int] = []
    for i in range(len(points)):
        near = np.linalg.norm(points[kept] - points[i], axis=1) < 0.45 * pitches[i] if kept else np.zeros(0)
        if not near.any():
            kept.append(i)
        if len(kept) == MOST_CENTERS:
            break
    return Detections(points[kept], heat[rows, columns][kept].astype(float), pitches[kept])


def _vertex(
    heat: NDArray[np.float32], rows: NDArray[np.int64], columns: NDArray[np.int64], axis: int
) -> NDArray[np.float64]:
    """Offset of a parabola's top through a peak and its two neighbours along an axis, in map cells."""
    last = heat.shape[axis] - 1
    index = (rows, columns)[axis]
    before, after = np.maximum(index - 1, 0), np.minimum(index + 1, last)
    here = heat[rows, columns]
    left = heat[before, columns] if axis == 0 else heat[rows, before]
    right = heat[after, columns] if axis == 0 else heat[rows, after]
    bend = left - 2 * here + right
    flat = np.abs(bend) < 1e-6
    return np.where(flat, 0.0, np.clip((left - right) / np.where(flat, 1, 2 * bend), -0.5, 0.5))
