"""Where places of the grid lie in the photo, as far as the tiles of a layout tell.

The overlay needs this for tiles without corners, the page for what no photo shows: the empty neighbour
places where a missed tile can be added, a grid that was laid wrong and is moved by hand, an environment built
without any photo.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from scoring.hexgrid import Cell
from scoring.layout import Layout, LayoutTile
from vision import plane

Points = NDArray[np.float64]

PLAIN_RADIUS = 100.0
"""Centre to corner, in pixels, of a hex in the plain drawing of a layout without a photo."""

_POINTS_FOR_PERSPECTIVE = 6
"""From fewer, a homography would follow every crooked tile."""


def plain_corners(cell: Cell) -> Points:
    """Corners (6, 2) of `cell` on a flat grid: x right, y down, centre of (0, 0) at the origin, radius 1."""
    return np.asarray(np.sqrt(3) * (plane.cell_points(cell) + plane.corners()))


def tile_outlines(layout: Layout, cells: Iterable[Cell]) -> dict[Cell, Points]:
    """Corners (6, 2) of each of `cells` in pixels of the photo, whether a tile is there or not.

    A tile's own corners are kept; all other places follow from one map that is fitted to all corners and
    centres known, about the tile's own centre where it has one. A layout without any is drawn plain, in the
    middle of its photo if it has one.
    """
    tiles = {tile.tile.cell: tile for tile in layout.tiles}
    fitted = _grid_to_photo(layout)
    matrix = _plain_map(layout) if fitted is None else fitted
    outlines: dict[Cell, Points] = {}
    for cell in cells:
        tile = tiles.get(cell)
        if tile is not None and tile.corners is not None:
            outlines[cell] = np.asarray(tile.corners, dtype=np.float64)
            continue
        corners = plain_corners(cell)
        outlines[cell] = _project(matrix, corners)
        if tile is not None and tile.center is not None:
            outlines[cell] += np.array(tile.center) - _project(matrix, corners.mean(axis=0, keepdims=True))
    return outlines


def known_outlines(layout: Layout) -> dict[Cell, Points]:
    """Corners (6, 2), in pixels of the photo, of the tiles of which the layout tells where they lie in it."""
    fitted = _grid_to_photo(layout) is not None
    cells = [t.tile.cell for t in layout.tiles if t.corners is not None or (fitted and t.center is not None)]
    return {
        cell: corners for cell, corners in tile_outlines(layout, cells).items() if np.isfinite(corners).all()
    }


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


def _grid_to_photo(layout: Layout) -> Points | None:
    """Matrix (3, 3) from the flat grid of `plain_corners` to pixels of the photo, None where nothing tells.

    A homography where there are enough points, else an affine map, else a turn and a stretch.
    """
    flat, photo = [np.zeros((0, 2))], [np.zeros((0, 2))]
    for tile in layout.tiles:
        corners = plain_corners(tile.tile.cell)
        if tile.corners is not None:
            flat.append(corners)
            photo.append(np.asarray(tile.corners, dtype=np.float64))
        elif tile.center is not None:
            flat.append(corners.mean(axis=0, keepdims=True))
            photo.append(np.asarray([tile.center], dtype=np.float64))
    grid, seen = np.concatenate(flat), np.concatenate(photo)
    if len(grid) < 2:
        return None
    spread = np.linalg.svd(grid - grid.mean(axis=0), compute_uv=False)
    if len(grid) < 3 or spread[1] <= 1e-6:  # all in one row
        return _similarity(grid, seen)
    if len(grid) >= _POINTS_FOR_PERSPECTIVE:
        found, _ = cv2.findHomography(grid, seen)
        if found is not None:
            matrix = np.asarray(found, dtype=np.float64)
            if _is_in_front(matrix, grid):
                return matrix
    affine = np.linalg.lstsq(np.column_stack([grid, np.ones(len(grid))]), seen, rcond=None)[0]
    return np.vstack([affine.T, [0.0, 0.0, 1.0]])


def _similarity(grid: Points, seen: Points) -> Points:
    """The turn and stretch that maps points (n, 2) best; as complex numbers z -> factor * z + shift."""
    source, target = grid @ [1, 1j], seen @ [1, 1j]
    centered = source - source.mean()
    factor = np.vdot(centered, target - target.mean()) / np.vdot(centered, centered)
    shift = target.mean() - factor * source.mean()
    return np.array(
        [[factor.real, -factor.imag, shift.real], [factor.imag, factor.real, shift.imag], [0.0, 0.0, 1.0]]
    )


def _is_in_front(matrix: Points, grid: Points) -> bool:
    """Whether every point (n, 2), and a tile's radius round it, lies on the camera's side of the horizon."""
    depth = grid @ matrix[2, :2] + matrix[2, 2]
    reach = float(np.linalg.norm(matrix[2, :2]))
    return bool(np.all(np.sign(depth) == np.sign(depth[0])) and np.all(np.abs(depth) > reach))


def _plain_map(layout: Layout) -> Points:
    if layout.photo is None:
        return np.diag([PLAIN_RADIUS, PLAIN_RADIUS, 1.0])
    width, height = layout.photo.width, layout.photo.height
    radius = min(width, height) / 12.0  # a full environment is about seven tiles across
    return np.array([[radius, 0.0, width / 2.0], [0.0, radius, height / 2.0], [0.0, 0.0, 1.0]])


def _project(matrix: Points, points: Points) -> Points:
    return np.asarray(cv2.perspectiveTransform(points[None], matrix)[0], dtype=np.float64)
