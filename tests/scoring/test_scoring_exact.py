"""The searches against brute force, and laws that every score obeys."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

import pytest
from drawn import full_of
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring import (
    CARD_LETTERS,
    HOUSE_RULES,
    SPECIES,
    TERRAINS,
    Cell,
    Environment,
    Species,
    Tile,
    components,
    corridors,
    neighbors,
    score_environment,
    terrain_states,
)
from scoring.cards import elk, wide
from scoring.cards.family import family, intermediate
from scoring.cards.herd import _Tree, cut_herd
from scoring.cards.partition import best_partition
from scoring.cards.shape import Shape
from scoring.cards.wide import best_choice

WINDOW = [(q, r) for q in range(-3, 4) for r in range(-3, 4) if abs(q + r) <= 3]

small_herds = st.sets(st.sampled_from(WINDOW[10:30]), min_size=1, max_size=11).map(frozenset)


@st.composite
def environments(draw: st.DrawFn) -> Environment:
    cells = draw(st.lists(st.sampled_from(WINDOW), min_size=1, max_size=30, unique=True))
    return Environment.of(
        Tile(cell, draw(st.sampled_from(terrain_states())), draw(st.sampled_from([None, *SPECIES])))
        for cell in cells
    )


def everything(env: Environment) -> dict[str, int]:
    """Points of all cards with and without house rules, the variants, and the sizes of all corridors."""
    points = {}
    for species in SPECIES:
        for letter in CARD_LETTERS:
            points[f"{species} {letter}"] = score_environment(env, species, letter).points
            points[f"{species} {letter}, house rules"] = score_environment(
                env, species, letter, HOUSE_RULES
            ).points
        points[f"family {species}"] = family(env, species).points
        points[f"intermediate {species}"] = intermediate(env, species).points
    for terrain in TERRAINS:
        for i, corridor in enumerate(corridors(env, terrain)):
            points[f"corridor {terrain} {i}"] = len(corridor)
    return points


@settings(max_examples=25, deadline=None)
@given(environments(), st.integers(1, 5))
def test_turning_and_mirroring_change_no_score(env: Environment, turns: int) -> None:
    points = everything(env)
    assert everything(env.turned(turns)) == points
    assert everything(env.mirrored()) == points


@settings(max_examples=25, deadline=None)
@given(environments(), st.sampled_from(SPECIES))
def test_a_far_token_changes_no_group_of_other_species(env: Environment, stranger: Species) -> None:
    far = Tile((101, 57), terrain_states()[0], stranger)  # in line with no cell of the window
    wider = Environment({**env.tiles, far.cell: far})
    for species in SPECIES:
        if species != stranger:
            for letter in CARD_LETTERS:
                assert score_environment(wider, species, letter) == score_environment(env, species, letter)


@settings(max_examples=25, deadline=None)
@given(environments())
def test_groups_add_up_and_hold_tokens_of_their_species(env: Environment) -> None:
    for species in SPECIES:
        tokens = env.tokens(species)
        for letter in CARD_LETTERS:
            score = score_environment(env, species, letter)
            assert score.points == sum(group.points for group in score.groups)
            assert {cell for group in score.groups for cell in group.cells} == tokens


def brute_partition(cells: frozenset[Cell], shapes: Sequence[Shape]) -> int:
    """The best division of ``cells`` into ``shapes`` by trying all."""
    if not cells:
        return 0
    first = min(cells)
    return max(
        shape.points + brute_partition(cells - set(shape.cells), shapes)
        for shape in shapes
        if first in shape.cells and cells.issuperset(shape.cells)
    )


@settings(max_examples=60, deadline=None)
@given(small_herds)
@pytest.mark.parametrize(
    "shapes", [elk.line_shapes, elk.figure_shapes, elk.arc_shapes, lambda herd: elk.arc_shapes(herd, True)]
)
def test_divisions_of_elk_equal_brute_force(
    shapes: Callable[[frozenset[Cell]], list[Shape]], herd: frozenset[Cell]
) -> None:
    found = shapes(herd)
    chosen = best_partition(found)
    covered = [cell for shape in chosen for cell in shape.cells]
    assert sorted(covered) == sorted(herd)
    assert sum(shape.points for shape in chosen) == brute_partition(herd, found)


@settings(max_examples=6, deadline=None)
@given(small_herds)
@pytest.mark.parametrize("most", [wide.MOST, 0])
@pytest.mark.parametrize("bits", [wide.TABLE_BITS, 0])
@pytest.mark.parametrize(
    "shapes", [elk.line_shapes, elk.figure_shapes, elk.arc_shapes, lambda herd: elk.arc_shapes(herd, True)]
)
def test_the_search_for_large_herds_equals_brute_force(
    shapes: Callable[[frozenset[Cell]], list[Shape]], bits: int, most: int, herd: frozenset[Cell]
) -> None:
    """With a beam of one state, so that the second pass (or, with ``most`` 0, the program) has to find it."""
    found = shapes(herd)
    larger = [shape for shape in found if len(shape.cells) > 1]
    if not larger:
        return
    gains = [shape.points - 2 * len(shape.cells) for shape in larger]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(wide, "BEAM", 1)
        patch.setattr(wide, "MOST", most)
        patch.setattr(wide, "TABLE_BITS", bits)
        chosen = best_choice(larger, gains)
    assert chosen is not None
    covered = [cell for i in chosen for cell in larger[i].cells]
    assert len(covered) == len(set(covered))
    assert 2 * len(herd) + sum(gains[i] for i in chosen) == brute_partition(herd, found)


@settings(max_examples=100, deadline=None)
@given(
    st.dictionaries(st.tuples(st.integers(0, 8), st.integers(0, 8)), st.sampled_from([4, 7, 9]), max_size=12)
)
def test_pairings_equal_brute_force(weights: dict[tuple[int, int], int]) -> None:
    pairs = [Shape(((a, 0), (b, 0)), points, "") for (a, b), points in weights.items() if a < b]
    alone = [Shape(((i, 0),), 0, "") for i in range(9)]
    everyone = frozenset((i, 0) for i in range(9))
    best = sum(shape.points for shape in best_partition(pairs))
    assert best == brute_partition(everyone, [*pairs, *alone])


def connected_parts(cells: frozenset[Cell], first: Cell) -> set[frozenset[Cell]]:
    """All connected parts of ``cells`` of at most eight that hold ``first``."""
    found = {frozenset([first])}
    newest = found
    for _ in range(7):
        newest = {
            part | {cell}
            for part in newest
            for inner in part
            for cell in neighbors(inner)
            if cell in cells - part
        }
        found = found | newest
    return found


def brute_herd(cells: frozenset[Cell]) -> int:
    if not cells:
        return 0
    return max(
        elk.HERDS_C[len(part) - 1] + brute_herd(cells - part) for part in connected_parts(cells, min(cells))
    )


def grown(number: int, seed: int, roundness: int) -> frozenset[Cell]:
    """A connected herd grown at random; the rounder, the fewer arms."""
    generator = random.Random(seed)
    cells = {(0, 0)}
    while len(cells) < number:
        border = sorted({other for cell in cells for other in neighbors(cell)} - cells)
        weights = [float(sum(other in cells for other in neighbors(cell))) ** roundness for cell in border]
        cells.add(generator.choices(border, weights)[0])
    return frozenset(cells)


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("roundness", [-4, 0])
def test_cuts_of_herds_equal_brute_force(seed: int, roundness: int) -> None:
    herd = grown(9 + seed % 3, seed, roundness)
    assert sum(elk.HERDS_C[len(part) - 1] for part in cut_herd(herd, elk.HERDS_C)) == brute_herd(herd)


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("roundness", [-4, 0, 2])
def test_cuts_along_the_tree_of_blocks_equal_brute_force(seed: int, roundness: int) -> None:
    """Without the help of peeling, which settles most herds before."""
    herd = grown(9 + seed % 3, seed, roundness)
    losses = (0, *(size * 28 - 8 * points for size, points in enumerate(elk.HERDS_C, 1)))
    parts = _Tree(herd, losses).cut(10**6)
    assert all(len(components(part)) == 1 for part in parts)
    assert sorted(cell for part in parts for cell in part) == sorted(herd)
    assert sum(elk.HERDS_C[len(part) - 1] for part in parts) == brute_herd(herd)


@pytest.mark.parametrize("seed", range(20))
def test_cuts_of_herds_are_connected_and_whole(seed: int) -> None:
    herd = grown(10 + seed, seed, -3 + seed % 6)
    parts = cut_herd(herd, elk.HERDS_C)
    assert sum(len(part) for part in parts) == len(herd)
    assert frozenset().union(*parts) == herd
    assert all(len(part) <= 8 and len(components(part)) == 1 for part in parts)


def test_the_loss_of_odd_elk_is_least_as_one_group() -> None:
    """What the bound in scoring/cards/herd.py rests on."""
    loss = [0, *(size * 28 - 8 * points for size, points in enumerate(elk.HERDS_C, 1))]
    assert loss[8] == 0
    for a in range(1, 9):
        for b in range(1, 9):
            assert loss[a] + loss[b] >= loss[(a + b) % 8]


@pytest.mark.parametrize("species", list(Species))
@pytest.mark.parametrize("number", [23, 40])
def test_boards_full_of_one_species_score_under_every_card(species: Species, number: int) -> None:
    env = full_of(species, grown(number, number, 2))
    for letter in CARD_LETTERS:
        score = score_environment(env, species, letter)
        assert {cell for group in score.groups for cell in group.cells} == env.tokens(species)


def test_forty_elk_known_optima() -> None:
    """A parallelogram of 4 by 10 divides without a loss under cards A, B and C."""
    env = full_of(Species.ELK, {(q, r) for q in range(4) for r in range(10)})
    points = [score_environment(env, Species.ELK, letter).points for letter in "ABC"]
    assert points == [10 * 13, 10 * 13, 5 * 28]
