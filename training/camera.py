"""A pinhole camera over the table: plane coordinates in tile pitches to photo pixels.

Plane frame: x right, y down as seen from above, z up; the unit is one tile pitch (centre to centre).
Photo frame: pixels, x right, y down.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Camera:
    """Where the phone is and what it sees.

    target: plane point (x, y) in pitches that lands on `principal`.
    pitch: pixels of one tile pitch at the target, seen from straight above.
    tilt: angle between the optical axis and the table's normal, radians.
    yaw: turn of the board about the normal, radians, clockwise in the photo.
    roll: turn of the phone about its optical axis, radians.
    focal: focal length in pixels. principal: photo point (x, y) of the optical axis, pixels.
    """

    target: tuple[float, float]
    pitch: float
    tilt: float
    yaw: float
    roll: float
    focal: float
    principal: tuple[float, float]

    def plane_to_photo(self, height: float = 0.0) -> Array:
        """Homography (3, 3) from the plane at `height` pitches above the table to photo pixels."""
        cy, sy = np.cos(self.yaw), np.sin(self.yaw)
        ct, st = np.cos(self.tilt), np.sin(self.tilt)
        cr, sr = np.cos(self.roll), np.sin(self.roll)
        tx, ty = self.target
        turned = np.array([[cy, -sy, -cy * tx + sy * ty], [sy, cy, -sy * tx - cy * ty], [0.0, 0.0, 1.0]])
        distance = self.focal / self.pitch
        # Far points lie towards the top of the photo, so depth grows as y falls; a raised point moves
        # up in the photo and towards the camera.
        tilted = np.array([[1.0, 0.0, 0.0], [0.0, ct, -st * height], [0.0, -st, distance - ct * height]])
        rolled = np.array([[cr, -sr, 0.0], [sr, cr, 0.0], [0.0, 0.0, 1.0]])
        px, py = self.principal
        inside = np.array([[self.focal, 0.0, px], [0.0, self.focal, py], [0.0, 0.0, 1.0]])
        return inside @ rolled @ tilted @ turned

    def depth(self, points: Array) -> Array:
        """Distance along the optical axis of plane points (N, 2), in pitches; larger is farther."""
        cy, sy = np.cos(self.yaw), np.sin(self.yaw)
        y = sy * (points[:, 0] - self.target[0]) + cy * (points[:, 1] - self.target[1])
        return self.focal / self.pitch - np.sin(self.tilt) * y


def project(homography: Array, points: Array) -> Array:
    """Map points (N, 2) through a homography (3, 3); returns (N, 2)."""
    mapped = np.c_[points, np.ones(len(points))] @ homography.T
    return mapped[:, :2] / mapped[:, 2:]


def jacobian(homography: Array, point: Array) -> Array:
    """Derivative (2, 2) of a homography at a point (2,): photo pixels per plane unit."""
    x, y, w = homography @ np.array([point[0], point[1], 1.0])
    return (homography[:2, :2] - np.outer([x / w, y / w], homography[2, :2])) / w
