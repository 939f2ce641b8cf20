"""Scenes for measuring are repeatable, whole, of the wanted size, and go on where they stopped."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

import numpy as np
import pytest

from benchmarks import scenes
from benchmarks.scenes import EMPTY_KINDS, Wanted, empty_photo, market, scene, written
from scoring.layout import load_layout
from training.data import load_stocks, local_pitches
from training.photos import Stock
from training.truth import true_layout, whole_environment_visible


@pytest.fixture(autouse=True)
def small_photos(monkeypatch: pytest.MonkeyPatch) -> None:
    """Small photos, and one stock for all tests, which takes seconds to draw."""
    monkeypatch.setattr(scenes, "SIZES", ((400, 300),))
    monkeypatch.setattr(scenes, "held_back_stock", lambda *_: _stock())


@lru_cache(maxsize=1)
def _stock() -> tuple[Stock, None]:
    own, _ = load_stocks(3_000_000, None, held_back=True, runs=1)
    return own, None


def test_the_same_seed_draws_the_same_photo() -> None:
    first, again, other = scene(Wanted(1), 0), scene(Wanted(1), 0), scene(Wanted(2), 0)
    assert (first.pixels == again.pixels).all()
    assert first.pixels.shape != other.pixels.shape or (first.pixels != other.pixels).any()


@pytest.mark.parametrize("number", range(3))
def test_the_whole_environment_is_in_the_photo(number: int) -> None:
    view = scene(Wanted(4, tilt=40), number)
    assert whole_environment_visible(view)
    assert 8 <= len(true_layout(view, "x.jpg").tiles) <= 37


@pytest.mark.parametrize("pitch", [20, 60])
def test_tiles_have_the_wanted_size(pitch: float) -> None:
    view = scene(Wanted(5, tilt=10, pitch=pitch), 1)
    first = [i for i, tile in enumerate(view.tiles) if tile.cell is not None and tile.board == 0.0]
    assert np.median(local_pitches(view)[first]) == pytest.approx(pitch, rel=0.05)


@pytest.mark.parametrize("number", range(len(EMPTY_KINDS)))
def test_empty_photos_show_no_environment(number: int) -> None:
    view = empty_photo(Wanted(6), number)
    assert true_layout(view, "x.jpg").tiles == ()


def test_a_market_has_four_tiles_apart_and_a_starter_tile() -> None:
    one = market(_stock()[0].materials[0], np.random.default_rng(1))
    places = np.array([(tile.x, tile.y) for tile in one.tiles])
    away = np.linalg.norm(places[:, None] - places[None], axis=2)
    touching = (away < 1.15).sum(1) - 1
    assert sorted(touching) == [0, 0, 0, 0, 2, 2, 2]


def test_a_set_goes_on_where_it_stopped(tmp_path: Path) -> None:
    list(written(tmp_path, 1, Wanted(7)))
    before = (tmp_path / "0000.jpg").stat().st_mtime_ns
    files = list(written(tmp_path, 2, Wanted(7)))
    assert [file.name for file in files] == ["0000.json", "0001.json"]
    assert (tmp_path / "0000.jpg").stat().st_mtime_ns == before
    assert len(load_layout(files[1]).tiles) >= 8
