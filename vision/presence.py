"""Whether a tile lies at a place of the grid, and where exactly. Part of stage 5 of the reader.

Two witnesses are heard: the patch network, which was shown tiles and tables, and the dense maps, which know
how much of the place is covered by pieces at all. Each alone is sometimes fooled, by a light table between
tiles or by a token that lies loose where a tile would lie; both together hardly ever.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import map_coordinates

from vision.evidence import CLASSES, NATURE_TOKEN_CLASS, Evidence
from vision.plane import directions

Floats = NDArray[np.float64]
Look = Callable[[Floats, Floats], Floats]
"""Probability (M,) of a tile at centres (M, 2), photo px, with frames (M, 2, 2), photo px per pitch."""

PATCH_WEIGHT, COVER_WEIGHT, BIAS = 0.9, 0.6, -4.3
"""Logistic model of "a tile lies here" on the logits of both witnesses, fitted on all places of the grid,
tiles and free ones, of 160 calibration photos (8,100 places, 3,782 of them tiles)."""
LEAST_COVER = 0.3
"""Less of it covered, and a place is bare: of 5,505 tiles of the calibration photos the barest had 0.78."""
FARTHEST = 0.28
"""So far, pitches, a tile may lie from where the grid puts it; half-way to the next tile is 0.5."""
RINGS = (0.12, 0.24)
"""Radii, pitches, at which a better place is looked for; then half a ring finer about the best."""


def _wheel(radii: tuple[float, ...]) -> Floats:
    """Plane offsets (6 * len(radii), 2), pitches."""
    return np.concatenate([radius * directions(0.5) for radius in radii])


def cover(evidence: Evidence, centers: Floats, frames: Floats) -> Floats:
    """Share (M,), 0 to 1, of each place that is neither table nor nature token by the dense maps.

    centers (M, 2): photo px. frames (M, 2, 2): photo px per pitch.
    """
    probes = np.concatenate([np.zeros((1, 2)), _wheel((0.15, 0.28, 0.4))])
    points = centers[:, None] + np.einsum("mij,kj->mki", frames, probes)
    cells = (points + 0.5) / evidence.step - 0.5
    bare = evidence.classes[CLASSES.index("background")] + evidence.classes[NATURE_TOKEN_CLASS]
    seen = map_coordinates(bare, (cells[..., 1], cells[..., 0]), order=1, mode="nearest")
    return np.asarray(1.0 - seen.mean(axis=1), np.float64)


def tile_probability(presence: Floats, covered: Floats) -> Floats:
    """Probability (M,) of a tile by what the patch network says, `presence` (M,), and the `cover` (M,)."""
    logit = PATCH_WEIGHT * _logit(presence) + COVER_WEIGHT * _logit(covered) + BIAS
    return np.asarray(1 / (1 + np.exp(-logit)))


def _logit(probability: Floats) -> Floats:
    p = np.clip(probability, 1e-4, 1 - 1e-4)
    return np.log(p / (1 - p))


def settled(look: Look, centers: Floats, frames: Floats) -> Floats:
    """The centres (M, 2), photo px, moved to where near by a tile is likeliest, at most `FARTHEST` away.

    At the end of a branch seen at a steep angle the grid, which hangs there by one tile, may put a tile a
    quarter of a pitch beside its place, and a tall token may draw its detection away as far; the patch then
    shows no tile.
    """
    best = np.array(centers, np.float64)
    for offsets in (_wheel(RINGS), _wheel((RINGS[0] / 2,))):
        tried = np.concatenate([np.zeros((1, 2)), offsets])
        places = best[:, None] + np.einsum("mij,kj->mki", frames, tried)
        many = len(tried)
        likely = look(places.reshape(-1, 2), np.repeat(frames, many, axis=0)).reshape(-1, many)
        best = places[np.arange(len(best)), likely.argmax(axis=1)]
    away = np.linalg.solve(frames, (best - centers)[..., None])[..., 0]
    far = np.maximum(np.linalg.norm(away, axis=1) / FARTHEST, 1.0)
    return np.asarray(centers + np.einsum("mij,mj->mi", frames, away / far[:, None]))
