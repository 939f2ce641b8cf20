"""Where places of the grid lie in the photo, as far as the tiles of a layout tell.

The page needs this for what no photo shows: the empty neighbour places where a missed tile can be added, a
grid that was laid wrong and is moved by hand, an environment built without any photo.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from scoring.hexgrid import Cell
from scoring.layout import Layout, LayoutTile

Points = NDArray[np.float64]

PLAIN_RADIUS = 100.0
"""Centre to corner, in pixels, of a hex in the plain drawing of a layout without a photo."""

_STEP = np.array([[np.sqrt(3.0), 0.0], [np.sqrt(3.0) / 2.0, 1.5]])  # rows: one step in q, one step in r
_CORNER_ANGLES = np.deg2rad(60.0 * np.arange(6) - 30.0)  # corner i lies between edges i-1 and i
_UNIT_CORNERS = np.stack([np.cos(_CORNER_ANGLES), np.sin(_CORNER_ANGLES)], axis=1)


def plain_corners(cell: Cell) -> Points:
    """Corners (6, 2) of `cell` on a flat grid: x right, y down, centre of (0, 0) at the origin, radius 1."""
    return np.asarray(np.array(cell) @ _STEP + _UNIT_CORNERS, dtype=np.float64)


def tile_outlines(layout: Layout, cells: Iterable[Cell]) -> dict[Cell, Points]:
    """Corners (6, 2) of each of `cells` in pixels of the photo, whether a tile is there or not.

    A tile's own corners are kept. All other places follow from one homography that is fitted to all corners
    (or centres) known; a layout without any is drawn plain, in the middle of its photo if it has one.
    """
    known = {tile.tile.cell: tile for tile in layout.tiles if tile.corners is not None}
    plane_to_photo = _homography(layout)
    outlines: dict[Cell, Points] = {}
    for cell in cells:
        tile = known.get(cell)
        if tile is not None:
            outlines[cell] = np.asarray(tile.corners, dtype=np.float64)
        else:
            outlines[cell] = _project(plane_to_photo, plain_corners(cell))
    return outlines


def with_place(tile: LayoutTile, outline: Points) -> LayoutTile:
    """The tile with the corners `outline` (6, 2) and their mean as its centre."""
    x, y = outline.mean(axis=0)
    corners = tuple((round(float(a), 1), round(float(b), 1)) for a, b in outline)
    return replace(tile, center=(round(float(x), 1), round(float(y), 1)), corners=corners)


def moved_grid(
    layout: Layout, *, right: float = 0.0, down: float = 0.0, turn: float = 0.0, scale: float = 1.0
) -> Layout:
    """The layout with its whole grid laid elsewhere over the photo; what stands on the tiles stays.

    `right` and `down` are in tile widths, `turn` in degrees clockwise and `scale` a factor, both about the
    middle of the grid. Tiles without corners get theirs first.
    """
    if not layout.tiles:
        return layout
    outlines = tile_outlines(layout, [tile.tile.cell for tile in layout.tiles])
    middle = np.mean([outline.mean(axis=0) for outline in outlines.values()], axis=0)
    width = float(np.mean([_width(outline) for outline in outlines.values()]))
    angle = np.deg2rad(turn)
    rotation = scale * np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
    shift = width * np.array([right, down])
    moved = [
        with_place(tile, (outlines[tile.tile.cell] - middle) @ rotation + middle + shift)
        for tile in layout.tiles
    ]
    return replace(layout, tiles=tuple(moved))


def view_box(outlines: Mapping[Cell, Points], margin: float) -> tuple[float, float, float, float]:
    """x, y, width, height of the box round all outlines, `margin` pixels wider on every side.

    Raises ValueError if there is no outline.
    """
    corners = np.concatenate(list(outlines.values()))
    low, high = corners.min(axis=0) - margin, corners.max(axis=0) + margin
    return float(low[0]), float(low[1]), float(high[0] - low[0]), float(high[1] - low[1])


def _width(outline: Points) -> float:
    """Mean distance between opposite edges' middles: how wide the tile is, in pixels."""
    middles = (outline + np.roll(outline, -1, axis=0)) / 2.0
    return float(np.linalg.norm(middles[:3] - middles[3:], axis=1).mean())


def _homography(layout: Layout) -> Points:
    """3 x 3 matrix from the flat grid of `plain_corners` to pixels of the photo."""
    plane: list[Points] = []
    photo: list[Points] = []
    for tile in layout.tiles:
        corners = plain_corners(tile.tile.cell)
        if tile.corners is not None:
            plane.append(corners)
            photo.append(np.asarray(tile.corners, dtype=np.float64))
        elif tile.center is not None:
            plane.append(corners.mean(axis=0, keepdims=True))
            photo.append(np.asarray([tile.center], dtype=np.float64))
    if sum(len(points) for points in plane) >= 6:
        matrix, _ = cv2.findHomography(np.concatenate(plane), np.concatenate(photo), 0)
        if matrix is not None and np.isfinite(matrix).all():
            return np.asarray(matrix, dtype=np.float64)
    return _plain_homography(layout)


def _plain_homography(layout: Layout) -> Points:
    if layout.photo is None:
        return np.diag([PLAIN_RADIUS, PLAIN_RADIUS, 1.0])
    width, height = layout.photo.width, layout.photo.height
    radius = min(width, height) / 12.0  # a full environment is about seven tiles across
    return np.array([[radius, 0.0, width / 2.0], [0.0, radius, height / 2.0], [0.0, 0.0, 1.0]])


def _project(matrix: Points, points: Points) -> Points:
    return np.asarray(cv2.perspectiveTransform(points[None], matrix)[0], dtype=np.float64)
