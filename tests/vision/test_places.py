"""Where places of the grid lie in the photo."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from scoring.environment import Tile
from scoring.layout import Layout, LayoutTile, PhotoInfo
from scoring.pieces import Terrain, edges
from vision.places import moved_grid, plain_corners, tile_outlines, view_box, with_place

TILT = np.array([[90.0, 12.0, 700.0], [-8.0, 70.0, 500.0], [0.01, 0.03, 1.0]])


def seen(cell):
    return cv2.perspectiveTransform(plain_corners(cell)[None], TILT)[0]


def layout(cells, photo=True) -> Layout:
    tiles = [with_place(LayoutTile(Tile(cell, edges(Terrain.RIVER))), seen(cell)) for cell in cells]
    return Layout(tuple(tiles), photo=PhotoInfo("a.jpg", 1600, 1200) if photo else None)


def test_corner_i_lies_between_edges_i_minus_1_and_i():
    corners = plain_corners((0, 0))
    for edge, direction in enumerate([(1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1)]):
        middle = (corners[edge] + corners[(edge + 1) % 6]) / 2
        np.testing.assert_allclose(2 * middle, plain_corners(direction).mean(axis=0), atol=1e-9)


def test_an_empty_place_follows_the_perspective_of_the_tiles():
    placed = layout([(0, 0), (1, 0), (0, 1), (2, -1), (-1, 2)])
    outline = tile_outlines(placed, [(3, -1)])[(3, -1)]
    np.testing.assert_allclose(outline, seen((3, -1)), atol=1.0)


def test_one_tile_tells_where_its_neighbours_are():
    outline = tile_outlines(layout([(0, 0)]), [(1, 0)])[(1, 0)]
    np.testing.assert_allclose(outline.mean(axis=0), seen((1, 0)).mean(axis=0), atol=10.0)


def test_centres_alone_tell_it_too():
    placed = layout([(0, 0), (1, 0), (0, 1), (2, -1), (-1, 2), (2, 1), (-2, 0)])
    bare = replace(placed, tiles=tuple(replace(tile, corners=None) for tile in placed.tiles))
    np.testing.assert_allclose(tile_outlines(bare, [(1, 1)])[(1, 1)], seen((1, 1)), atol=4.0)


def test_without_tiles_the_grid_is_in_the_middle_of_the_photo():
    empty = Layout((), photo=PhotoInfo("a.jpg", 1600, 1200))
    np.testing.assert_allclose(tile_outlines(empty, [(0, 0)])[(0, 0)].mean(axis=0), [800, 600])
    assert np.isfinite(tile_outlines(Layout(()), [(2, 2)])[(2, 2)]).all()


def test_moving_the_grid_moves_outlines_and_nothing_else():
    before = layout([(0, 0), (1, 0)])
    after = moved_grid(moved_grid(before, right=1, down=-0.5, turn=90), turn=-90)
    after = moved_grid(after, right=-1, down=0.5)
    for one, other in zip(before.tiles, after.tiles, strict=True):
        assert one.tile == other.tile
        np.testing.assert_allclose(one.corners, other.corners, atol=0.5)
    larger = moved_grid(before, scale=2)
    assert np.ptp(np.array([tile.center for tile in larger.tiles])[:, 0]) == pytest.approx(
        2 * np.ptp(np.array([tile.center for tile in before.tiles])[:, 0]), abs=0.5
    )
    assert moved_grid(Layout(()), right=1) == Layout(())


def test_the_view_holds_every_outline_with_its_margin():
    outlines = {(0, 0): seen((0, 0)), (1, 1): seen((1, 1))}
    x, y, width, height = view_box(outlines, 10)
    corners = np.concatenate(list(outlines.values()))
    np.testing.assert_allclose([x, y], corners.min(axis=0) - 10)
    np.testing.assert_allclose([x + width, y + height], corners.max(axis=0) + 10)
