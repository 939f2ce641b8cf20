"""What the patch network says of tiles does not depend on how many are looked at together."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path

import cv2
import numpy as np
import pytest

from scoring.layout import load_layout
from vision import load_photo
from vision.patches import PhotoPyramid
from vision.reader import shipped_models
from vision.tiles import TileEvidence, joined, tile_evidence

PHOTO = sorted((Path(__file__).resolve().parents[2] / "sample_images").glob("*.jpg"))[0]


def evidence_for(which: slice) -> TileEvidence:
    network = cv2.dnn.readNetFromONNX(np.frombuffer(shipped_models().patch, np.uint8))
    layout = load_layout(PHOTO.with_suffix(".json"))
    centers = np.array([tile.center for tile in layout.tiles])[which]
    frames = np.repeat(90.0 * np.eye(2)[None], len(centers), axis=0)
    return tile_evidence(network, PhotoPyramid(load_photo(PHOTO).pixels), centers, frames)


def assert_alike(one: TileEvidence, other: TileEvidence) -> None:
    for field in fields(TileEvidence):
        np.testing.assert_allclose(getattr(one, field.name), getattr(other, field.name), atol=1e-3)


def test_small_batches_and_tiles_by_themselves_say_the_same(monkeypatch: pytest.MonkeyPatch):
    together = evidence_for(slice(0, 9))
    assert_alike(joined(evidence_for(slice(0, 4)), evidence_for(slice(4, 9))), together)
    monkeypatch.setattr("vision.tiles.BATCH", 7)
    assert_alike(evidence_for(slice(0, 9)), together)
