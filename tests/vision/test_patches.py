"""Patches are upright: the middle is the tile's centre, direction 0 points right."""

from __future__ import annotations

import numpy as np
import pytest

from scoring.hexgrid import DIRECTIONS
from vision.patches import PATCH_SIZE, PATCH_SPAN, PhotoPyramid, patch_to_photo, turned_frame


def test_the_middle_of_a_patch_is_the_tiles_centre():
    frame = np.array([[50.0, 5.0], [-4.0, 40.0]])
    affine = patch_to_photo(np.array([200.0, 100.0]), frame)
    middle = (PATCH_SIZE - 1) / 2
    np.testing.assert_allclose(affine @ (middle, middle, 1), [200, 100])


def test_a_pitch_to_the_right_in_the_patch_is_a_step_in_direction_0():
    frame = np.array([[50.0, 5.0], [-4.0, 40.0]])
    affine = patch_to_photo(np.array([200.0, 100.0]), frame)
    middle = (PATCH_SIZE - 1) / 2
    right = affine @ (middle + PATCH_SIZE / PATCH_SPAN, middle, 1)
    np.testing.assert_allclose(right, np.array([200, 100]) + frame[:, 0])


@pytest.mark.parametrize("turns", range(6))
def test_a_turned_frame_points_along_the_grids_direction(turns: int):
    q, r = DIRECTIONS[turns]
    plane = np.array([q + r / 2, r * np.sqrt(3) / 2])
    np.testing.assert_allclose(turned_frame(np.eye(2), turns)[:, 0], plane, atol=1e-12)


@pytest.mark.parametrize("pitch", [20.0, 60.0, 300.0])
def test_a_patch_shows_the_tile_at_any_size(pitch: float):
    side = int(pitch * 6)
    y, x = np.mgrid[:side, :side]
    center = np.array([side * 0.45, side * 0.55])
    pixels = np.zeros((side, side, 3), np.uint8)
    pixels[..., 0] = np.where((x - center[0]) ** 2 + (y - center[1]) ** 2 < (0.2 * pitch) ** 2, 255, 0)
    pixels[..., 1] = np.where(x > center[0] + 0.4 * pitch, 255, 0)
    patch = PhotoPyramid(pixels).cut(center, pitch * np.eye(2))
    assert patch.shape == (PATCH_SIZE, PATCH_SIZE, 3)
    rows, columns = np.nonzero(patch[..., 0] > 127)
    np.testing.assert_allclose([columns.mean(), rows.mean()], (PATCH_SIZE - 1) / 2, atol=1.0)
    assert len(rows) == pytest.approx(np.pi * (0.2 * PATCH_SIZE / PATCH_SPAN) ** 2, rel=0.2)
    first = np.nonzero(patch[PATCH_SIZE // 2, :, 1] > 127)[0].min()
    assert first == pytest.approx(PATCH_SIZE / 2 + 0.4 * PATCH_SIZE / PATCH_SPAN, abs=2)


def test_a_tile_at_the_photos_rim_is_continued_not_black():
    pixels = np.full((50, 50, 3), 200, np.uint8)
    patch = PhotoPyramid(pixels).cut(np.array([0.0, 0.0]), 40 * np.eye(2))
    assert (patch == 200).all()
