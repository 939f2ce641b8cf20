"""Loose nature tokens are counted by spots of their size near an environment."""

from __future__ import annotations

import numpy as np

from vision.evidence import CLASSES, NATURE_TOKEN_CLASS, Evidence
from vision.pinecones import count_nature_tokens

PITCH = 60.0


def evidence(spots: list[tuple[float, float, float]]) -> Evidence:
    """Round spots (x, y, radius) in photo px on a photo of 800 x 600 px."""
    classes = np.zeros((len(CLASSES), 150, 200), np.float32)
    y, x = np.mgrid[:150, :200] * 4 + 1.5
    for a, b, radius in spots:
        classes[NATURE_TOKEN_CLASS][(x - a) ** 2 + (y - b) ** 2 < radius**2] = 0.9
    blank = np.zeros((150, 200), np.float32)
    return Evidence(classes, blank, blank, 4.0)


def board(x: float, y: float) -> tuple[np.ndarray, np.ndarray]:
    return np.array([[x, y]]), PITCH * np.eye(2)[None]


def count(spots: list[tuple[float, float, float]], boards: list[tuple[np.ndarray, np.ndarray]]) -> list[int]:
    return count_nature_tokens(evidence(spots), [c for c, _ in boards], [f for _, f in boards])


def test_two_tokens_beside_the_environment():
    assert count([(300, 200, 18), (300, 260, 18)], [board(200, 200)]) == [2]


def test_a_speck_is_no_token():
    assert count([(300, 200, 7)], [board(200, 200)]) == [0]


def test_two_that_touch_are_two():
    assert count([(300, 200, 18), (332, 200, 18)], [board(200, 200)]) == [2]


def test_each_environment_gets_its_own():
    assert count([(150, 200, 18), (650, 200, 18), (650, 260, 18)], [board(100, 200), board(600, 230)]) == [
        1,
        2,
    ]


def test_far_from_every_tile_it_belongs_to_nobody():
    assert count([(700, 500, 18)], [board(100, 100)]) == [0]
