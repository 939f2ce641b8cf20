"""Probabilities are fitted, judged and cut off as the figures claim."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from benchmarks.calibration import Group, Rated, calibration_error, flags_text, rated, reliability
from benchmarks.comparing import Match
from scoring.environment import Tile
from scoring.layout import LayoutTile
from scoring.pieces import Species, Terrain
from training.calibrate import Samples, calibrate, fit_logistic, held_out, review_threshold, to_json
from vision.confidence import load_calibration


def drawn(many: int, seed: int = 0) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Features (N, 8) on different scales, whether right (N,), and the true probability of that (N,)."""
    rng = np.random.default_rng(seed)
    features = rng.normal(0, 1, (many, 8)) * [5, 3, 0.1, 1, 1, 2, 0.3, 1] + [4, 2, 0, 0, 0, 1, 0.5, 0]
    probability = 1 / (1 + np.exp(-(0.6 * features[:, 0] - 8 * features[:, 2] - 1)))
    return features, rng.random(many) < probability, probability


def test_fitted_weights_apply_to_raw_features() -> None:
    features, right, probability = drawn(20_000)
    assert np.abs(fit_logistic(features, right)(features) - probability).mean() < 0.01


def test_disagreement_never_makes_a_tile_surer() -> None:
    features, _, _ = drawn(5_000)
    # By chance the tiles on which the turns disagreed were right.
    right = features[:, 0] + 40 * features[:, 2] > 0
    model = fit_logistic(features, right)
    assert model.weights[2] == 0
    assert model.weights[0] > 0


def test_probabilities_for_the_threshold_come_from_other_photos() -> None:
    rng = np.random.default_rng(1)
    features = rng.normal(0, 1, (60, 8))
    right = rng.random(60) < 0.5
    photo = np.repeat(np.arange(6), 10)
    # Pure noise: a model that saw the tiles themselves would seem to know better.
    seen = ((fit_logistic(features, right)(features) > 0.5) == right).mean()
    unseen = ((held_out(features, right, photo) > 0.5) == right).mean()
    assert seen > unseen


def test_nothing_can_be_held_out_of_one_photo() -> None:
    with pytest.raises(ValueError, match="render more"):
        held_out(np.zeros((10, 8)), np.arange(10) > 2, np.zeros(10, np.int64))


def test_nothing_can_be_fitted_without_tiles() -> None:
    with pytest.raises(ValueError, match="nothing to fit"):
        fit_logistic(np.zeros((0, 8)), np.zeros(0, bool))


def test_where_all_tiles_are_right_the_order_is_that_of_the_networks_own_probability() -> None:
    features, _, _ = drawn(500)
    features[:, 1:] = 0
    fitted = fit_logistic(features, np.ones(500, bool))(features)
    own = np.argsort(features[:, 0])
    assert (np.diff(fitted[own]) >= 0).all()
    assert fitted[own[-1]] - fitted[own[0]] > 0.01
    assert fitted.mean() > 0.98


def test_the_threshold_leaves_no_more_silent_faults_than_allowed() -> None:
    rng = np.random.default_rng(2)
    probability = rng.beta(30, 1, 10_000)
    right = rng.random(10_000) < probability
    threshold = review_threshold(probability, right, silent_share=0.001, most_flagged=1.0)
    silent = (probability >= threshold) & ~right
    assert silent.sum() == 10


def test_the_threshold_flags_no_more_than_bearable() -> None:
    probability = np.linspace(0, 1, 1001)
    right = np.arange(1001) % 2 == 0
    threshold = review_threshold(probability, right, silent_share=0.0, most_flagged=0.15)
    assert (probability < threshold).mean() == pytest.approx(0.15, abs=0.002)


def test_the_file_says_what_was_fitted(tmp_path: Path) -> None:
    terrain, terrain_right, _ = drawn(3000, 3)
    token, token_right, _ = drawn(3000, 4)
    samples = Samples(terrain, token, terrain_right, token_right, np.repeat(np.arange(100), 30))
    calibration, words = calibrate(samples)
    data = to_json(calibration, samples)
    (tmp_path / "calibration.json").write_text(json.dumps(data))
    loaded = load_calibration((tmp_path / "calibration.json").read_text(encoding="utf-8"))
    assert np.allclose(loaded.terrain(terrain), calibration.terrain(terrain), atol=1e-4)
    assert np.allclose(loaded.token(token), calibration.token(token), atol=1e-4)
    assert loaded.review_below == pytest.approx(calibration.review_below, abs=1e-6)
    assert data["fitted_on"] == {"photos": 100, "tiles": 3000}
    assert words.startswith("3000 tiles")


def test_groups_hold_what_was_claimed_and_what_came_true() -> None:
    probability = np.array([0.2, 0.4, 0.99, 1.0])
    right = np.array([False, True, True, True])
    groups = reliability(probability, right, (0.0, 0.5, 0.9, 1.0))
    assert groups == [Group(2, pytest.approx(0.3), 0.5), Group(2, pytest.approx(0.995), 1.0)]
    assert calibration_error(groups) == pytest.approx(0.5 * 0.2 + 0.5 * 0.005)


def test_an_honest_reader_has_no_calibration_error() -> None:
    probability = np.random.default_rng(5).beta(5, 1, 200_000)
    right = np.random.default_rng(6).random(200_000) < probability
    assert calibration_error(reliability(probability, right)) < 0.003


def test_flags_are_counted_against_all_true_tiles() -> None:
    tiles = Rated(
        np.ones(4), np.ones(4),
        np.array([True, True, False, False]), np.array([True, True, True, True]),
        np.array([False, True, True, False]),
    )  # fmt: skip
    words = flags_text(tiles, missing=1, true_tiles=5)
    assert "2 flagged, 1 of them right" in words
    assert "2 silent faults, 400.00 in 1000" in words


def test_missing_tiles_have_no_probability_and_invented_ones_are_wrong() -> None:
    forest = (Terrain.FOREST,) * 6
    placed = LayoutTile(
        Tile((0, 0), forest, Species.ELK), (0, 0), confidence_terrain=0.75, confidence_token=0.5
    )
    tiles = rated([Match(placed, None), Match(None, placed)])
    assert (tiles.terrain.tolist(), tiles.token.tolist()) == ([0.75], [0.5])
    assert not tiles.terrain_right.any()
    assert not tiles.token_right.any()
