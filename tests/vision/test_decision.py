"""The joint decision: the box speaks where the evidence is weak and is silent where it is strong."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from scoring.pieces import SPECIES, Species, Terrain, terrain_states
from vision.decision import TOKENS, box_prints, decide
from vision.tiles import STATES, TileEvidence, turned_states

STATE = {state: i for i, state in enumerate(terrain_states())}


def single(terrain: Terrain) -> int:
    return STATE[(terrain,) * 6]


def dual(a: Terrain, b: Terrain, start: int = 0) -> int:
    return STATE[tuple(a if (i - start) % 6 < 3 else b for i in range(6))]


def evidence(
    states: list[dict[int, float]],
    tokens: list[dict[Species | None, float]],
    printed: list[dict[Species, float]],
) -> TileEvidence:
    """Probabilities given sparsely; what is left is shared by the others."""
    many = len(states)
    s, t = np.zeros((many, STATES)), np.zeros((many, 6))
    for row, given in enumerate(states):
        s[row] = (1 - sum(given.values())) / (STATES - len(given))
        for state, p in given.items():
            s[row, state] = p
    for row, token in enumerate(tokens):
        t[row] = (1 - sum(token.values())) / (6 - len(token))
        for species, p in token.items():
            t[row, TOKENS.index(species)] = p
    marks = np.array([[given.get(sp, 0.1) for sp in SPECIES] for given in printed])
    return TileEvidence(np.log(s), np.log(t), marks, np.full(many, 0.5), np.ones(many), np.zeros((many, 2)))


def test_the_prints_are_those_of_the_box():
    assert sum(count for _, _, count in box_prints()) == 100
    assert len({(terrains, wildlife) for terrains, wildlife, _ in box_prints()}) == len(box_prints())


def test_clear_evidence_is_taken_as_it_is():
    state = dual(Terrain.FOREST, Terrain.RIVER, 2)
    decision = decide(evidence([{state: 0.99}], [{Species.BEAR: 0.99}], [{}]))
    assert decision.state.tolist() == [state]
    assert TOKENS[decision.token[0]] == Species.BEAR
    assert decision.terrain[0].sum() == np.float64(1).round() or abs(decision.terrain[0].sum() - 1) < 1e-9


def test_a_keystone_mark_speaks_for_a_single_terrain_and_its_absence_for_two():
    one, two = single(Terrain.FOREST), dual(Terrain.FOREST, Terrain.MOUNTAIN)
    given = evidence([{one: 0.49, two: 0.49}] * 2, [{None: 0.99}] * 2, [{}] * 2)
    marked = replace(given, keystone=np.array([0.9, 0.1]))
    assert decide(marked).state.tolist() == [one, two]


def test_a_keystone_mark_alone_does_not_overrule_what_is_plain_to_see():
    two = dual(Terrain.FOREST, Terrain.MOUNTAIN)
    given = replace(evidence([{two: 0.9999}], [{None: 0.99}], [{}]), keystone=np.ones(1))
    assert decide(given).state.tolist() == [two]


def test_a_doubtful_token_goes_to_the_species_that_the_tile_shows():
    # A mountain keystone tile of the box never shows a salmon; a hawk stands on one.
    tile = single(Terrain.MOUNTAIN)
    given = evidence([{tile: 0.99}], [{Species.SALMON: 0.5, Species.HAWK: 0.48}], [{Species.HAWK: 0.6}])
    assert TOKENS[decide(given).token[0]] == Species.HAWK


def test_strong_evidence_for_an_odd_token_wins():
    tile = single(Terrain.MOUNTAIN)
    given = evidence([{tile: 0.99}], [{Species.SALMON: 0.999}], [{Species.HAWK: 0.6}])
    assert TOKENS[decide(given).token[0]] == Species.SALMON


def test_more_keystone_tiles_than_the_box_holds_are_not_forced_away():
    tile = single(Terrain.RIVER)
    many = 9  # the box has five keystone tiles of the river and one starter hex
    given = evidence([{tile: 0.999}] * many, [{None: 0.99}] * many, [{Species.HAWK: 0.9}] * many)
    decision = decide(given)
    assert (decision.state == tile).all()
    assert (decision.prints < 0).any()


def test_a_scarce_print_goes_to_the_tile_that_shows_it_best():
    # One tile is sure, the other leans to a seventh keystone tile of the same terrain only a little.
    tile, other = single(Terrain.PRAIRIE), dual(Terrain.PRAIRIE, Terrain.WETLAND)
    states = [{tile: 0.98}] * 6 + [{tile: 0.5, other: 0.49}]
    given = evidence(states, [{None: 0.99}] * 7, [{Species.ELK: 0.9}] * 7)
    decision = decide(given)
    assert (decision.state[:6] == tile).all()
    assert decision.state[6] == other


def test_no_tiles_no_decisions():
    empty = TileEvidence(
        np.zeros((0, 65)), np.zeros((0, 6)), np.zeros((0, 5)), np.zeros(0), np.zeros(0), np.zeros((0, 2))
    )
    assert len(decide(empty).state) == 0


def test_turning_the_view_six_times_gives_each_state_back():
    states = terrain_states()
    for turns in range(6):
        seen = turned_states(turns)
        assert sorted(seen) == list(range(65))
        for index, state in enumerate(states):
            assert states[seen[index]] == tuple(state[(edge + turns) % 6] for edge in range(6))
