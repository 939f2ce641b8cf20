"""Which tiles the user is asked about."""

from __future__ import annotations

import numpy as np

from vision.confidence import Calibration, Logistic, rate

SURE = Logistic(np.zeros(8), 7.0)  # 0.9991
DOUBTFUL = Logistic(np.zeros(8), 3.0)  # 0.953
SEEN = np.zeros((3, 8))


def test_a_place_that_may_be_no_tile_is_marked_however_clearly_it_is_read():
    rated = rate(Calibration(SURE, SURE, 0.99), SEEN, SEEN, np.array([0.999, 0.8, 0.96]))
    assert rated.needs_review.tolist() == [False, True, False]
    assert (rated.terrain > 0.999).all()


def test_doubt_about_the_terrain_or_the_token_marks_a_tile():
    there = np.full(3, 0.999)
    assert rate(Calibration(DOUBTFUL, SURE, 0.99), SEEN, SEEN, there).needs_review.all()
    assert rate(Calibration(SURE, DOUBTFUL, 0.99), SEEN, SEEN, there).needs_review.all()
