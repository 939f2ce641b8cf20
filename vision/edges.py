"""What the dense maps say about the terrain on a tile's edges: a second opinion beside the patch network.

Part of stage 5 of the reader. Maps and places in, log probabilities out.
"""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import map_coordinates

from scoring.pieces import TERRAINS, terrain_states
from vision.evidence import TERRAIN_CLASS, Evidence
from vision.plane import directions

Floats = NDArray[np.float64]

RADII = (0.30, 0.37, 0.43)
"""Where an edge is looked at: distances from the tile's centre, pitches; outside most tokens."""
SPREAD = (-0.2, 0.0, 0.2)
"""And turns on both sides of the middle of the edge, sixths of a turn."""
FLOOR = 0.02
"""Probability that a terrain keeps whatever the maps say: a token or a glare may cover the edge."""


@cache
def _probes() -> Floats:
    """Plane offsets (6, K, 2) from a tile's centre, pitches, of the points looked at for each edge."""
    return np.stack([radius * directions(turn) for radius in RADII for turn in SPREAD], axis=1)


@cache
def _edge_terrains() -> NDArray[np.int64]:
    """Index into `TERRAINS` of each edge of each terrain state, (65, 6)."""
    return np.array([[TERRAINS.index(terrain) for terrain in state] for state in terrain_states()])


def edge_evidence(evidence: Evidence, centers: Floats, frames: Floats) -> Floats:
    """Log probability (M, 65) of each terrain state by the dense maps, up to a constant per tile.

    centers (M, 2): photo px. frames (M, 2, 2): photo px per pitch.
    """
    points = centers[:, None, None] + np.einsum("mij,ekj->meki", frames, _probes())
    cells = (points + 0.5) / evidence.step - 0.5
    maps = evidence.classes[[TERRAIN_CLASS[terrain] for terrain in TERRAINS]]
    seen = np.stack(
        [map_coordinates(one, (cells[..., 1], cells[..., 0]), order=1, mode="nearest") for one in maps],
        axis=-1,
    )
    logs = np.log(seen.mean(axis=2) + FLOOR)  # (M, 6, 5)
    return np.asarray(logs[:, np.arange(6), _edge_terrains()].sum(axis=2))
