"""Two witnesses decide whether a tile lies at a place, and the place is looked for near by."""

from __future__ import annotations

import numpy as np
import pytest

from vision.evidence import CLASSES, NATURE_TOKEN_CLASS, TERRAIN_CLASS, TOKEN_CLASS, Evidence
from vision.presence import FARTHEST, Floats, cover, settled, tile_probability

PITCH = 60.0
FRAME = PITCH * np.eye(2)[None]


def disc(label: int, radius: float) -> Evidence:
    """Maps (100, 100) at 4 px a cell: `label` within `radius` px of photo point (200, 200), bare round it."""
    classes = np.zeros((len(CLASSES), 100, 100), np.float32)
    y, x = np.mgrid[:100, :100] * 4 + 1.5 - 200
    inside = np.hypot(x, y) < radius
    classes[label] = inside
    classes[0] = ~inside
    blank = np.zeros((100, 100), np.float32)
    return Evidence(classes, blank, blank, 4.0)


def test_cover_is_the_share_that_is_neither_table_nor_nature_token():
    here = np.array([[200.0, 200.0]])
    label = next(iter(TERRAIN_CLASS.values()))
    assert cover(disc(label, PITCH), here, FRAME)[0] == pytest.approx(1.0)
    assert cover(disc(label, PITCH), here + 150, FRAME)[0] == pytest.approx(0.0)
    assert cover(disc(NATURE_TOKEN_CLASS, PITCH), here, FRAME)[0] == pytest.approx(0.0)
    token = next(iter(TOKEN_CLASS.values()))
    assert 0.3 < cover(disc(token, 0.28 * PITCH), here, FRAME)[0] < 0.8


def test_a_witness_who_is_not_quite_sure_is_overruled_by_the_other():
    sure_both, light_table, loose_token, unlikely_patch = tile_probability(
        np.array([0.999, 0.8, 0.55, 0.02]), np.array([0.99, 0.05, 0.55, 0.99])
    )
    assert sure_both > 0.98
    assert light_table < 0.1
    assert loose_token < 0.2
    assert unlikely_patch < 0.2


def hill(top: Floats):
    """Likeliest at photo point `top` (2,), falling off over a tenth of a pitch."""

    def look(centers: Floats, frames: Floats) -> Floats:
        away = np.linalg.norm(np.linalg.solve(frames, (centers - top)[..., None])[..., 0], axis=1)
        return np.exp(-0.5 * (away / 0.1) ** 2)

    return look


@pytest.mark.parametrize("turn", np.radians([0.0, 40.0, 155.0]))
def test_a_tile_a_fifth_of_a_pitch_beside_its_place_is_found(turn: float):
    frame = np.array([[90.0, 10.0], [0.0, 50.0]])  # seen from the side
    center = np.array([300.0, 200.0])
    top = center + frame @ (0.2 * np.array([np.cos(turn), np.sin(turn)]))
    moved = settled(hill(top), center[None], frame[None])[0]
    assert np.linalg.norm(np.linalg.solve(frame, moved - top)) < 0.07


def test_no_place_wanders_to_the_next_tile():
    center = np.array([300.0, 200.0])
    moved = settled(hill(center + np.array([0.45 * PITCH, 0.0])), center[None], FRAME)[0]
    assert 0 < np.linalg.norm(moved - center) <= FARTHEST * PITCH + 1e-9


def test_a_place_that_is_right_stays():
    centers = np.array([[300.0, 200.0], [10.0, 20.0]])
    np.testing.assert_allclose(settled(hill(centers[0]), centers[:1], FRAME), centers[:1])
    assert settled(hill(centers[0]), np.zeros((0, 2)), np.zeros((0, 2, 2))).shape == (0, 2)
