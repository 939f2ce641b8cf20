"""The renderer's pictures and labels fit together."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from scoring.hexgrid import DIRECTIONS
from scoring.pieces import terrain_states
from training.camera import Camera, jacobian, project
from training.data import dense_labels, load_stocks, local_pitches, patch_samples, random_look, tile_labels
from training.light import shine
from training.photos import Look, Stock, random_photo
from training.render import Shadows, View, render
from training.scene import Scene, cell_center, random_environment, random_outline
from training.truth import true_layout
from vision.evidence import STRIDE, TERRAIN_CLASS, TOKEN_CLASS
from vision.patches import PATCH_SIZE

CAMERA = Camera((1.0, 2.0), 80.0, 0.6, 0.4, 0.2, 900.0, (400.0, 300.0))


@pytest.fixture(scope="module")
def stock() -> Stock:
    return load_stocks(5, None, held_back=False, runs=1)[0]


@pytest.fixture(scope="module")
def view(stock: Stock) -> View:
    rng = np.random.default_rng(3)
    return random_photo(stock, Look(640, 480, 60.0, strength=0.2), rng, whole=True, count=20, neighbour=0.0)


def test_the_target_lands_on_the_principal_point():
    np.testing.assert_allclose(project(CAMERA.plane_to_photo(), np.array([[1.0, 2.0]])), [[400.0, 300.0]])


def test_the_jacobian_is_the_derivative():
    homography, point, step = CAMERA.plane_to_photo(0.1), np.array([2.0, 1.0]), 1e-6
    numeric = [
        (project(homography, (point + step * axis)[None]) - project(homography, point[None]))[0] / step
        for axis in np.eye(2)
    ]
    np.testing.assert_allclose(jacobian(homography, point), np.transpose(numeric), rtol=1e-4)


def test_what_is_farther_is_higher_up_and_smaller():
    upright = Camera((0.0, 0.0), 80.0, 0.6, 0.0, 0.0, 900.0, (400.0, 300.0))
    near, far = project(upright.plane_to_photo(), np.array([[0.0, 2.0], [0.0, -2.0]]))
    assert far[1] < near[1]
    depths = upright.depth(np.array([[0.0, 2.0], [0.0, -2.0]]))
    assert depths[1] > depths[0]


def test_a_raised_point_moves_up_in_the_photo():
    upright = Camera((0.0, 0.0), 80.0, 0.6, 0.0, 0.0, 900.0, (400.0, 300.0))
    low, high = (project(upright.plane_to_photo(h), np.zeros((1, 2)))[0] for h in (0.0, 0.2))
    assert high[1] < low[1]


@pytest.mark.parametrize("count", [1, 5, 23, 60])
def test_outlines_hang_together(count: int):
    cells = random_outline(count, np.random.default_rng(count))
    assert len(set(cells)) == count
    linked, queue = {cells[0]}, [cells[0]]
    while queue:
        q, r = queue.pop()
        for dq, dr in DIRECTIONS:
            if (q + dq, r + dr) in set(cells) - linked:
                linked.add((q + dq, r + dr))
                queue.append((q + dq, r + dr))
    assert linked == set(cells)


def test_tiles_lie_near_their_cells(stock: Stock):
    for tile in random_environment(stock.materials[0], 23, np.random.default_rng(1)):
        assert tile.cell is not None
        assert np.hypot(*np.subtract((tile.x, tile.y), cell_center(tile.cell))) < 0.25


def test_the_same_seed_gives_the_same_photo(stock: Stock):
    look = Look(200, 160, 40.0)
    one, same, other = (random_photo(stock, look, np.random.default_rng(s), whole=False) for s in (7, 7, 8))
    assert np.array_equal(one.pixels, same.pixels)
    assert not np.array_equal(one.pixels, other.pixels)


def test_the_classes_show_each_tiles_terrain_and_token(view: View):
    tokens = 0
    for tile, center, frame in zip(view.tiles, view.centers, view.frames, strict=True):
        if tile.cell is None:
            continue
        if tile.token is not None and tile.token.species is not None:
            x, y = np.round(center + frame @ (tile.token.x - tile.x, tile.token.y - tile.y)).astype(int)
            tokens += view.classes[y, x] == TOKEN_CLASS[tile.token.species]
        else:
            seen = {
                view.classes[tuple(np.round(center + frame @ p).astype(int)[::-1])] for p in _edge_points()
            }
            assert {TERRAIN_CLASS[t] for t in tile.terrain} <= seen | set(TOKEN_CLASS.values())
    assert tokens >= 0.9 * sum(t.token is not None for t in view.tiles)


def _edge_points() -> np.ndarray:
    angles = np.radians(60 * np.arange(6))
    return 0.38 * np.c_[np.cos(angles), np.sin(angles)]


def test_dense_labels_peak_at_the_centres(view: View):
    labels = dense_labels(view)
    assert labels.classes.shape == labels.heat.shape == (120, 160)
    for center, pitch, seen in zip(view.centers, local_pitches(view), view.visible, strict=True):
        column, row = np.round((center - 1.5) / STRIDE).astype(int)
        if seen and 0 < row < 119 and 0 < column < 159:
            assert labels.heat[row, column] > 200
            assert labels.pitch[row, column] == pytest.approx(pitch, rel=0.2)


def test_patches_carry_their_tiles_labels(view: View):
    samples = patch_samples(view, np.random.default_rng(2))
    assert all(patch.shape == (PATCH_SIZE, PATCH_SIZE, 3) for patch, _ in samples)
    present = [labels for _, labels in samples if labels[-1] == 1]
    absent = [labels for _, labels in samples if labels[-1] == 0]
    assert present
    assert absent
    assert all(terrain_states()[labels[0]] for labels in present)
    assert all(labels[0] == labels[1] == -1 for labels in absent)
    first = tile_labels(view.tiles[0])
    assert terrain_states()[first[0]] == view.tiles[0].terrain


def test_the_truth_is_what_was_drawn(view: View):
    layout = true_layout(view, "photo.jpg")
    drawn = {t.cell: t for t in view.tiles if t.cell is not None}
    assert len(layout.tiles) == len(drawn)
    for placed in layout.tiles:
        assert placed.tile.terrain == drawn[placed.tile.cell].terrain


@pytest.mark.parametrize("seed", range(6))
def test_no_gloss_hides_all_of_a_print(stock: Stock, seed: int):
    """The glossiest tiles keep half of the contrast, from pixel to pixel, of the same tiles without gloss."""
    material = stock.materials[0]
    tiles = random_environment(material, 7, np.random.default_rng(seed), token_share=0.0)
    camera = Camera((0.0, 0.0), 80.0, 0.3, 0.0, 0.0, 900.0, (300.0, 300.0))
    table, no_shadows = np.full((600, 600, 3), 90, np.uint8), Shadows(0.0, 0.0, 0.0, 0.01)

    def contrasts(gloss: float) -> np.ndarray:
        scene = Scene((tuple(replace(tile, gloss=gloss) for tile in tiles),), (), ())
        seen = render(scene, material, camera, table, (), no_shadows, np.random.default_rng(seed))
        insides = [seen.pixels[y - 35 : y + 35, x - 35 : x + 35] for x, y in seen.centers.astype(int)]
        return np.array([np.abs(np.diff(inside.astype(float), axis=1)).mean() for inside in insides])

    assert (contrasts(1.0) > 0.5 * contrasts(0.0)).all()


@pytest.mark.parametrize("seed", range(6))
def test_a_hard_light_burns_out_a_small_part_only(view: View, seed: int):
    lit = shine(view.pixels, np.random.default_rng(seed), strength=1.0, held_back=True)
    assert (lit.min(axis=2) == 255).mean() < 0.1


def test_windows_are_of_any_scale():
    rng = np.random.default_rng(0)
    pitches = [random_look(rng, 320, False).pitch for _ in range(300)]
    assert min(pitches) < 30
    assert max(pitches) > 100
