"""How likely a tile is read right, and which tiles to ask the user about. Stage 7 of the reader.

Logistic models over a few figures of each reading, fitted on photos held back from training
(`training.calibrate`); their quality is in `benchmarks/README.md`.
"""

from __future__ import annotations

import json
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.decision import Decision
from vision.tiles import TileEvidence

Floats = NDArray[np.float64]

LEAST_SURE_PRESENCE = 0.95
"""A place less likely a tile than this is marked however clearly it is read: what is seen there may be the
table. Of 4,455 tiles of the calibration photos 2 are."""


@dataclass(frozen=True)
class Logistic:
    """Probability of being right: 1 / (1 + exp(-(features @ weights + bias)))."""

    weights: Floats
    bias: float

    def __call__(self, features: Floats) -> Floats:
        """Probabilities (M,) for features (M, F)."""
        return 1 / (1 + np.exp(-np.clip(features @ self.weights + self.bias, -30, 30)))


@dataclass(frozen=True)
class Calibration:
    """Models for terrain and token, and the probability of a right tile below which it is marked."""

    terrain: Logistic
    token: Logistic
    review_below: float


@dataclass(frozen=True)
class Confidence:
    """Probabilities (M,) that terrain and token are right; needs_review (M,)."""

    terrain: Floats
    token: Floats
    needs_review: NDArray[np.bool_]


def load_calibration(text: str) -> Calibration:
    """From the text of models/calibration.json."""
    data = json.loads(text)

    def logistic(name: str) -> Logistic:
        return Logistic(np.array(data[name]["weights"], float), float(data[name]["bias"]))

    return Calibration(logistic("terrain"), logistic("token"), float(data["review_below"]))


def _logit(probability: Floats) -> Floats:
    p = np.clip(probability, 1e-5, 1 - 1e-5)
    return np.log(p / (1 - p))


def features(
    evidence: TileEvidence, decision: Decision, scores: Floats, residuals: Floats, frames: Floats
) -> tuple[Floats, Floats]:
    """Figures that tell a sure reading from a doubtful one: (M, 8) for the terrain, (M, 8) for the token.

    scores (M,): of the detections, 0 where the place was filled in. residuals (M,): pitches off the grid.
    frames (M, 2, 2): photo px per pitch.
    """
    rows = np.arange(len(scores))
    size = 0.5 * np.log(np.abs(np.linalg.det(frames)) + 1e-9)
    common = np.c_[
        np.minimum(size - np.log(60), 0.0),
        np.minimum(residuals, 0.5),
        _logit(np.minimum(evidence.presence, 0.9999)),
        np.minimum(scores, 0.9),
        (decision.prints < 0).astype(float),
    ]
    terrain = np.c_[
        _logit(decision.terrain[rows, decision.state]),
        _logit(np.exp(evidence.states[rows, decision.state])),
        evidence.spread[:, 0],
        common,
    ]
    token = np.c_[
        _logit(decision.tokens[rows, decision.token]),
        _logit(np.exp(evidence.tokens[rows, decision.token])),
        evidence.spread[:, 1],
        common,
    ]
    return terrain, token


def rate(calibration: Calibration, for_terrain: Floats, for_token: Floats, presence: Floats) -> Confidence:
    """Rate the decided tiles by their `features`. presence (M,): probability that a tile lies there."""
    terrain, token = calibration.terrain(for_terrain), calibration.token(for_token)
    doubtful = (terrain * token < calibration.review_below) | (presence < LEAST_SURE_PRESENCE)
    return Confidence(terrain, token, doubtful)
