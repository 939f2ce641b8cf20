"""The plane: the ideal grid of hexagonal tiles, in which what a photo shows is measured. Pure geometry.

The unit is the pitch, from centre to centre of tiles that touch. Cell (q, r) stands at
(q + r/2, r * sqrt(3)/2). Direction 0 is +x, directions turn clockwise as seen in a photo, where y points
down. A tile's edge i faces direction i; its corner i lies between edges i-1 and i.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float64]

STEPS: Floats = np.array([[1.0, 0.0], [0.5, np.sqrt(3) / 2]])
"""Rows: one step in q, one step in r."""


def cell_points(cells: ArrayLike) -> Floats:
    """Plane points (..., 2) of the centres of cells (..., 2)."""
    return np.asarray(np.asarray(cells, np.float64) @ STEPS)


def directions(offset: float = 0.0) -> Floats:
    """Unit vectors (6, 2) in directions 0 to 5, each turned clockwise by `offset` sixths of a turn."""
    angles = np.pi / 3 * (np.arange(6) + offset)
    return np.stack([np.cos(angles), np.sin(angles)], axis=1)


def corners() -> Floats:
    """Corners (6, 2) of the tile about the origin."""
    return np.asarray(directions(-0.5) / np.sqrt(3))


def rotation(sixths: float) -> Floats:
    """Matrix (2, 2) that turns column vectors clockwise by so many sixths of a turn."""
    x, y = directions(sixths)[0]
    return np.array([[x, -y], [y, x]])
