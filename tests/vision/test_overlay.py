"""The drawing: right places, right colours, readable without colour, never a crash on odd layouts."""

from __future__ import annotations

import itertools
from dataclasses import replace

import cv2
import numpy as np
import pytest

from scoring.environment import Tile
from scoring.hexgrid import Cell
from scoring.layout import Layout, LayoutTile, PhotoInfo
from scoring.pieces import SPECIES, TERRAINS, Species, Terrain
from vision import palette
from vision.overlay import draw_layout, draw_overlay, draws_over_photo
from vision.photo import load_photo

FOREST, RIVER = Terrain.FOREST, Terrain.RIVER
PITCH = 120.0
DUAL = (FOREST, FOREST, FOREST, RIVER, RIVER, RIVER)


def on_table(q: float, r: float) -> tuple[float, float]:
    return (150 + PITCH * (q + r / 2), 150 + PITCH * r * 0.75**0.5)


def corners_at(center: tuple[float, float]) -> tuple[tuple[float, float], ...]:
    angles = np.radians(60 * np.arange(6) - 30)
    radius = PITCH / 3**0.5
    return tuple(
        (center[0] + radius * float(np.cos(a)), center[1] + radius * float(np.sin(a))) for a in angles
    )


def placed(cell: Cell, token: Species | None = None, **fields: object) -> LayoutTile:
    return LayoutTile(Tile(cell, DUAL, token), **{"center": on_table(*cell), **fields})


def layout_of(*tiles: LayoutTile, size: tuple[int, int] = (600, 450)) -> Layout:
    return Layout(tiles, photo=PhotoInfo("a.jpg", *size))


def grey(width: int = 600, height: int = 450) -> np.ndarray:
    return np.full((height, width, 3), 128, np.uint8)


ROW = tuple(placed((q, 0)) for q in range(3))
BOARD = tuple(placed((q, r)) for q in range(3) for r in range(3))


def assert_color(picture: np.ndarray, x: float, y: float, color: tuple[int, int, int]) -> None:
    found = picture[round(y), round(x)].astype(int)
    assert np.abs(found - color).max() <= 25, f"({x}, {y}) is {found}, not {color}"


def assert_bands(picture: np.ndarray, center: tuple[float, float], pitch: float = PITCH) -> None:
    """Each edge of a `DUAL` tile has its terrain's colour just inside the outline, beside the letter."""
    for edge in range(6):
        angle = np.radians(60 * edge)
        along = np.radians(60 * edge + 90)
        x = center[0] + pitch * (0.44 * np.cos(angle) + 0.17 * np.cos(along))
        y = center[1] + pitch * (0.44 * np.sin(angle) + 0.17 * np.sin(along))
        assert_color(picture, x, y, palette.TERRAIN_COLORS[DUAL[edge]])


def test_terrain_of_each_edge_with_given_corners() -> None:
    tile = placed((0, 0), corners=corners_at(on_table(0, 0)))
    assert_bands(draw_overlay(grey(), layout_of(tile)), on_table(0, 0))


@pytest.mark.parametrize("tiles", [ROW[:2], ROW, BOARD], ids=["two", "row", "board"])
def test_corners_come_from_the_centres(tiles: tuple[LayoutTile, ...]) -> None:
    picture = draw_overlay(grey(), layout_of(*tiles))
    for tile in tiles:
        assert_bands(picture, on_table(*tile.tile.cell))


def test_corners_follow_the_perspective() -> None:
    matrix = np.array([[1.0, 0.2, 10], [0.0, 0.9, 20], [0.0, 0.0008, 1.0]])

    def seen(x: float, y: float) -> tuple[float, float]:
        u, v, w = matrix @ (x, y, 1.0)
        return (float(u / w), float(v / w))

    tiles = [replace(tile, center=seen(*on_table(*tile.tile.cell))) for tile in BOARD]
    given = [
        replace(tile, corners=tuple(seen(*corner) for corner in corners_at(on_table(*tile.tile.cell))))
        for tile in tiles
    ]
    fitted = draw_overlay(grey(), layout_of(*tiles)).astype(int)
    exact = draw_overlay(grey(), layout_of(*given)).astype(int)
    assert np.abs(fitted - exact).max() <= 40  # rounding of a sixteenth of a pixel at the edges


def test_reduced_pixels_take_the_full_photo_s_coordinates() -> None:
    doubled = [
        replace(t, center=(2 * on_table(*t.tile.cell)[0], 2 * on_table(*t.tile.cell)[1])) for t in BOARD
    ]
    picture = draw_overlay(grey(), layout_of(*doubled, size=(1200, 900)))
    assert_bands(picture, on_table(1, 1))


def test_small_tiles_are_enlarged_on_request() -> None:
    assert draw_overlay(grey(300, 225), layout_of(*BOARD), tile_width=120).shape == (450, 600, 3)
    assert draw_overlay(grey(), layout_of(*BOARD), tile_width=100).shape == (450, 600, 3)


def test_the_photo_is_left_alone_outside_and_in_memory() -> None:
    pixels = grey()
    picture = draw_overlay(pixels, layout_of(*BOARD))
    assert (pixels == 128).all()
    assert (picture[:60] == 128).all()


def test_a_token_stays_visible_within_its_ring() -> None:
    x, y = on_table(1, 1)
    tiles = [placed(t.tile.cell, Species.FOX if t.tile.cell == (1, 1) else None) for t in BOARD]
    picture = draw_overlay(grey(), layout_of(*tiles))
    assert_color(picture, x + 0.30 * PITCH * 0.5, y - 0.30 * PITCH * 0.75**0.5, palette.SPECIES_COLORS["fox"])
    assert_color(picture, x, y, (128, 128, 128))


def test_doubt_shows_without_colour() -> None:
    sure = draw_overlay(grey(), layout_of(*BOARD))
    tiles = [replace(tile, needs_review=tile.tile.cell == (1, 1)) for tile in BOARD]
    doubtful = draw_overlay(grey(), layout_of(*tiles))
    grey_sure, grey_doubtful = (cv2.cvtColor(p, cv2.COLOR_RGB2GRAY).astype(int) for p in (sure, doubtful))
    changed = np.argwhere(np.abs(grey_sure - grey_doubtful) > 60)
    assert len(changed) > 500
    x, y = on_table(1, 1)
    assert np.linalg.norm(changed - (y, x), axis=1).max() < 0.64 * PITCH


def test_highlight_dims_the_others() -> None:
    pixels = np.full((450, 600, 3), 200, np.uint8)
    picture = draw_overlay(pixels, layout_of(*BOARD), highlight={(1, 1): "", (9, 9): "2"})
    x, y = on_table(1, 1)
    assert_color(picture, x, y, (200, 200, 200))
    assert_color(picture, 590, 10, (80, 80, 80))


@pytest.mark.parametrize(
    "tiles",
    [
        (),
        (placed((0, 0)),),
        (placed((0, 0), center=None), placed((1, 0), center=None)),
        (placed((0, 0)), placed((1, 0), center=on_table(0, 0))),
        tuple(placed((q, q), center=(5.0, 5.0)) for q in range(9)),
        (placed((0, 0), corners=((1.0, 1.0),) * 6), placed((1000, -1000), center=(1e6, -1e6))),
        (placed((0, 0), center=None, corners=corners_at((-5000.0, -5000.0))),),
    ],
    ids=["none", "one", "no centres", "same centre", "all on one point", "flat and far", "outside"],
)
def test_odd_places_are_no_crash(tiles: tuple[LayoutTile, ...]) -> None:
    tiles = tuple(replace(tile, needs_review=True) for tile in tiles)
    picture = draw_overlay(grey(), layout_of(*tiles), highlight={(0, 0): "1"}, tile_width=100)
    assert picture.dtype == np.uint8
    assert draw_layout(layout_of(*tiles), highlight={(0, 0): "1"}).shape == (900, 1200, 3)


def test_nothing_to_draw_over_is_known_beforehand() -> None:
    assert draws_over_photo(layout_of(*ROW))
    assert not draws_over_photo(layout_of(placed((0, 0))))
    assert not draws_over_photo(layout_of(*(replace(tile, center=None) for tile in BOARD)))


def test_plan_shows_halves_and_tokens() -> None:
    picture = draw_layout(layout_of(placed((4, -2), Species.BEAR)), (400, 400))
    assert_color(picture, 200 + 60, 200 + 30, palette.TERRAIN_COLORS[FOREST])
    assert_color(picture, 200 - 60, 200 - 30, palette.TERRAIN_COLORS[RIVER])
    assert_color(picture, 200 + 45, 200, palette.SPECIES_COLORS[Species.BEAR])


@pytest.mark.parametrize(
    "colors",
    [list(palette.TERRAIN_COLORS.values()), list(palette.SPECIES_COLORS.values())],
    ids=["terrain", "species"],
)
def test_colours_stay_apart_in_grey(colors: list[tuple[int, int, int]]) -> None:
    lab = cv2.cvtColor(np.array([colors], np.float32) / 255, cv2.COLOR_RGB2LAB)[0, :, 0]
    closest = min(abs(a - b) for a, b in itertools.combinations(lab, 2))
    assert closest >= 10


def test_letters_are_unmistakable() -> None:
    letters = [palette.TERRAIN_LETTERS[t] for t in TERRAINS] + [palette.SPECIES_LETTERS[s] for s in SPECIES]
    assert len(set(letters)) == 10


def test_real_photos(shared) -> None:
    from scoring.layout import load_layout

    for path in sorted((shared / "photos").glob("*.json")):
        layout = load_layout(path)
        assert layout.photo is not None
        photo = load_photo(path.parent / layout.photo.file)
        picture = draw_overlay(photo.pixels, layout)
        assert picture.shape == photo.pixels.shape
        centers = [tile.center for tile in layout.tiles if tile.center]
        x, y = np.mean(centers, axis=0)
        area = np.abs(picture.astype(int) - photo.pixels).max(axis=2) > 30
        drawn = np.argwhere(area).mean(axis=0)
        assert np.linalg.norm(drawn - (y, x)) < 0.05 * max(area.shape)
