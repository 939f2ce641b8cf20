"""The plane's geometry agrees with the grid's own directions."""

from __future__ import annotations

import numpy as np
import pytest

from scoring.hexgrid import DIRECTIONS
from vision.plane import cell_points, corners, directions, rotation


def test_neighbours_lie_one_pitch_away_in_the_six_directions():
    np.testing.assert_allclose(cell_points(DIRECTIONS), directions(), atol=1e-12)
    np.testing.assert_allclose(cell_points((2, -3)), 2 * directions()[0] - 3 * directions()[1], atol=1e-12)


def test_a_corner_lies_between_its_two_edges():
    middles = (corners() + np.roll(corners(), -1, axis=0)) / 2
    np.testing.assert_allclose(middles, directions() / 2, atol=1e-12)


@pytest.mark.parametrize("sixths", [1, -2, 6])
def test_a_turn_by_sixths_takes_directions_to_directions(sixths: int):
    turned = directions() @ rotation(sixths).T
    np.testing.assert_allclose(turned, np.roll(directions(), -sixths, axis=0), atol=1e-12)
