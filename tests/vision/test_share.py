"""Pictures made to be sent."""

from __future__ import annotations

import io

import numpy as np
from PIL import Image

from scoring.environment import Tile
from scoring.layout import Layout, LayoutTile, PhotoInfo
from scoring.pieces import Terrain, edges
from vision.places import tile_outlines, with_place
from vision.share import board_picture, screen_jpeg, share_sheet


def picture(data: bytes) -> Image.Image:
    return Image.open(io.BytesIO(data))


def test_the_screen_picture_keeps_the_shape_and_bounds_the_side():
    assert picture(screen_jpeg(np.zeros((3000, 4000, 3), np.uint8))).size == (1600, 1200)
    assert picture(screen_jpeg(np.zeros((90, 120, 3), np.uint8))).size == (120, 90)


def test_a_board_is_cut_to_its_environment():
    photo = PhotoInfo("a.jpg", 3200, 2400)
    empty = Layout((), photo=photo)
    cells = [(0, 0), (1, 0), (0, 1)]
    outlines = tile_outlines(empty, cells)
    tiles = tuple(with_place(LayoutTile(Tile(cell, edges(Terrain.RIVER))), outlines[cell]) for cell in cells)
    jpeg = screen_jpeg(np.full((2400, 3200, 3), 128, np.uint8))
    cut = board_picture(Layout(tiles, photo=photo), jpeg)
    assert cut.shape[1] < 1600
    assert len(np.unique(cut.reshape(-1, 3), axis=0)) > 10
    assert board_picture(Layout(tiles), None).shape == (1000, 1000, 3)


def test_the_sheet_grows_with_players_and_rows():
    board = np.full((400, 500, 3), 90, np.uint8)
    one = picture(share_sheet([("Ann: 88", board)], [["", "Ann"], ["Total", "88"]], strong_rows=[1]))
    four = picture(share_sheet([("지민", board)] * 4, [["", *"abcd"]] * 16))
    assert one.width == four.width
    assert four.height > one.height
    assert picture(share_sheet([], [["Total", "0"]])).height > 46
