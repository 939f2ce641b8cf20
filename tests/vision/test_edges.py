"""The dense maps' opinion of the edges agrees with what is painted there."""

from __future__ import annotations

import numpy as np

from scoring.pieces import TERRAINS, Terrain, terrain_states
from vision.edges import edge_evidence
from vision.evidence import CLASSES, TERRAIN_CLASS, Evidence
from vision.tiles import TileEvidence, with_edges

PITCH = 60.0


def painted(state: tuple[Terrain, ...], turn: float = 0.0) -> Evidence:
    """Maps (100, 100) at 4 px a cell of one tile at photo point (200, 200), its grid turned by `turn`."""
    classes = np.full((len(CLASSES), 100, 100), 0.01, np.float32)
    y, x = np.mgrid[:100, :100] * 4 + 1.5 - 200
    edge = np.round(np.degrees(np.arctan2(y, x) - turn) / 60).astype(int) % 6
    inside = np.hypot(x, y) < PITCH * 0.6
    for which, terrain in enumerate(state):
        classes[TERRAIN_CLASS[terrain]][inside & (edge == which)] = 0.9
    blank = np.zeros((100, 100), np.float32)
    return Evidence(classes, blank, blank, 4.0)


def test_each_of_the_65_states_is_its_own_best_explanation():
    center, frame = np.array([[200.0, 200.0]]), PITCH * np.eye(2)[None]
    for index, state in enumerate(terrain_states()):
        assert edge_evidence(painted(state), center, frame)[0].argmax() == index


def test_a_turned_grid_is_followed():
    turn = np.radians(25)
    frame = PITCH * np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])[None]
    state = terrain_states()[17]
    assert edge_evidence(painted(state, turn), np.array([[200.0, 200.0]]), frame)[0].argmax() == 17


def test_a_tile_beyond_the_maps_rim_still_gets_an_answer():
    found = edge_evidence(painted(terrain_states()[3]), np.array([[-50.0, 1000.0]]), PITCH * np.eye(2)[None])
    assert found.shape == (1, 65)
    assert np.isfinite(found).all()


def test_the_second_opinion_decides_between_equals_and_stays_normed():
    first, second = 0, len(TERRAINS)
    states = np.full((1, 65), np.log(1e-4))
    states[0, [first, second]] = np.log(0.49)
    edges = np.zeros((1, 65))
    edges[0, second] = 2.0
    ones = np.ones(1)
    given = TileEvidence(states, np.zeros((1, 6)), np.zeros((1, 5)), ones, ones, np.zeros((1, 2)))
    weighed = with_edges(given, edges).states
    assert weighed[0].argmax() == second
    np.testing.assert_allclose(np.exp(weighed).sum(), 1.0)
