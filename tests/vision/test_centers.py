"""Peaks of the centre heat become points in photo pixels."""

from __future__ import annotations

import numpy as np

from vision.centers import MOST_CENTERS, find_centers
from vision.evidence import CLASSES, Evidence


def heat_map(
    points: list[tuple[float, float]], height: int = 60, width: int = 80, sigma: float = 2.0
) -> np.ndarray:
    y, x = np.mgrid[:height, :width]
    spots = [np.exp(-((x - a) ** 2 + (y - b) ** 2) / (2 * sigma**2)) for a, b in points]
    return np.maximum.reduce(spots).astype(np.float32)


def evidence(heat: np.ndarray, step: float = 4.0, pitch: float = 60.0) -> Evidence:
    classes = np.zeros((len(CLASSES), *heat.shape), np.float32)
    return Evidence(classes, heat, np.full(heat.shape, pitch, np.float32), step)


def test_peaks_are_found_to_a_tenth_of_a_map_cell():
    points = [(20.3, 15.6), (40.0, 30.25), (61.7, 44.9)]
    found = find_centers(evidence(heat_map(points)))
    expected = (np.array(points) + 0.5) * 4.0 - 0.5
    order = np.argsort(found.centers[:, 0])
    np.testing.assert_allclose(found.centers[order], expected, atol=0.4)
    assert (found.scores > 0.9).all()


def test_of_two_peaks_in_one_tile_the_stronger_stays():
    heat = np.maximum(heat_map([(30.0, 30.0)]), 0.6 * heat_map([(34.0, 30.0)], sigma=1.0))
    found = find_centers(evidence(heat, pitch=60.0))
    assert len(found.centers) == 1
    assert abs(found.centers[0, 0] - 121.5) < 1


def test_peaks_of_neighbouring_tiles_both_stay():
    found = find_centers(evidence(heat_map([(30.0, 30.0), (45.0, 30.0)]), pitch=60.0))
    assert len(found.centers) == 2


def test_of_more_centers_than_any_photo_has_the_strongest_stay():
    rng = np.random.default_rng(1)
    heat = rng.uniform(0.3, 0.9, (120, 120)).astype(np.float32)
    found = find_centers(evidence(heat, pitch=4.0))
    assert len(found.centers) == MOST_CENTERS
    assert (np.diff(found.scores) <= 0).all()
    assert found.scores.min() > np.median(heat)


def test_no_heat_no_centers():
    found = find_centers(evidence(np.full((20, 20), 0.1, np.float32)))
    assert found.centers.shape == (0, 2)
    assert len(found.scores) == len(found.pitches) == 0


def test_a_peak_at_the_rim_is_kept_inside_the_map():
    found = find_centers(evidence(heat_map([(0.0, 0.0)])))
    assert found.centers.shape == (1, 2)
    assert np.isfinite(found.centers).all()
