"""Grid, pieces and box, environment and its problems."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import pytest

from scoring import (
    DIRECTIONS,
    SPECIES,
    TERRAINS,
    Environment,
    Problem,
    Species,
    Terrain,
    Tile,
    box,
    check,
    components,
    edges,
    mirror,
    neighbor,
    neighbors,
    terrain_states,
    turn,
)

FOREST, RIVER, WETLAND, PRAIRIE = Terrain.FOREST, Terrain.RIVER, Terrain.WETLAND, Terrain.PRAIRIE


def test_turning_moves_direction_i_to_the_next_and_mirroring_to_its_opposite() -> None:
    for i in range(6):
        assert turn(DIRECTIONS[i]) == DIRECTIONS[(i + 1) % 6]
        assert mirror(DIRECTIONS[i]) == DIRECTIONS[-i % 6]
        assert neighbors((4, -2))[i] == neighbor((4, -2), i)
    assert turn((3, -5), 6) == (3, -5)
    assert mirror(mirror((3, -5))) == (3, -5)


def test_a_turned_environment_turns_its_edges_along() -> None:
    tile = Tile((1, 0), edges(FOREST, RIVER, 0), Species.ELK)
    (turned,) = Environment.of([tile]).turned(1).tiles.values()
    assert turned == Tile((0, 1), edges(FOREST, RIVER, 1), Species.ELK)
    (mirrored,) = Environment.of([tile]).mirrored().tiles.values()
    assert mirrored == Tile((1, 0), edges(FOREST, RIVER, 4), Species.ELK)


def test_components() -> None:
    assert components([]) == []
    assert components([(2, 0), (0, 0), (0, 1)]) == [{(0, 0), (0, 1)}, {(2, 0)}]


def test_two_tiles_on_a_cell_are_no_environment() -> None:
    with pytest.raises(ValueError, match=r"two tiles lie on \(0, 0\)"):
        Environment.of([Tile((0, 0), edges(FOREST)), Tile((0, 0), edges(RIVER))])


def test_the_65_states_are_all_legal_and_different() -> None:
    states = terrain_states()
    assert len(set(states)) == len(states) == 65
    assert states[:5] == tuple(edges(terrain) for terrain in TERRAINS)
    assert states[5] == edges(Terrain.MOUNTAIN, FOREST, 0)
    for state in states[5:]:
        changes = [i for i in range(6) if state[i] != state[i - 1]]
        assert len(changes) == 2
        assert changes[1] - changes[0] == 3


def test_the_box_is_that_of_the_base_game() -> None:
    contents = box()
    keystones = [tile for tile in contents.tiles if tile.keystone]
    assert len(contents.tiles) == 85
    assert Counter(terrain for tile in keystones for terrain in tile.terrains) == dict.fromkeys(TERRAINS, 5)
    duals = Counter(tile.terrains for tile in contents.tiles if not tile.keystone)
    assert duals == {frozenset(pair): 6 for pair in combinations(TERRAINS, 2)}
    assert all(len(tile.wildlife) == 1 for tile in keystones)
    assert all(2 <= len(tile.wildlife) <= 3 for tile in contents.tiles if not tile.keystone)
    assert (contents.tokens_per_species, contents.nature_tokens) == (20, 25)


def test_each_starter_has_every_terrain_once() -> None:
    assert len(box().starters) == 5
    for top, left, right in box().starters:
        assert (top.keystone, left.keystone, right.keystone) == (True, False, False)
        assert top.terrains | left.terrains | right.terrains == set(TERRAINS)
    top, left, right = box().starters[1]
    assert (top.terrain, top.wildlife) == (edges(FOREST), (Species.ELK,))
    assert left.terrain == edges(Terrain.MOUNTAIN, RIVER, 3)
    assert right.terrain == edges(WETLAND, PRAIRIE, 4)


def full_environment() -> list[Tile]:
    """23 tiles of the box in a block, five to a row, each with its first wildlife as token on 20 of them."""
    kinds = [tile for tile in box().tiles if tile.terrains != {FOREST, RIVER}][::3][:23]
    return [
        Tile(
            (i % 5, i // 5),
            kind.terrain,
            kind.wildlife[0] if i < 20 else None,
            kind.keystone,
            kind.wildlife,
        )
        for i, kind in enumerate(kinds)
    ]


def test_a_full_legal_environment_has_no_problem() -> None:
    assert check(full_environment(), nature_tokens=3) == []


BAD_HALVES = (FOREST, RIVER, FOREST, RIVER, RIVER, RIVER)
THREE_TERRAINS = (FOREST, FOREST, RIVER, RIVER, PRAIRIE, PRAIRIE)


@pytest.mark.parametrize(
    ("extra", "expected"),
    [
        (
            [Tile((0, 0), edges(FOREST, RIVER))],
            [Problem("error", "2 tiles lie on the same place", ((0, 0),))],
        ),
        (
            [Tile((-1, 0), BAD_HALVES)],
            [Problem("error", "a tile has one terrain, or two on three edges in a row each", ((-1, 0),))],
        ),
        (
            [Tile((-1, 0), THREE_TERRAINS)],
            [Problem("error", "a tile has one terrain, or two on three edges in a row each", ((-1, 0),))],
        ),
        (
            [Tile((8, 8), edges(FOREST, RIVER))],
            [Problem("warning", "1 tile lies apart from the rest", ((8, 8),))],
        ),
        (
            [Tile((8, 8), edges(FOREST, RIVER)), Tile((9, 8), edges(FOREST, RIVER))],
            [Problem("warning", "2 tiles lie apart from the rest", ((8, 8), (9, 8)))],
        ),
        (
            [Tile((-1, 0), edges(FOREST, RIVER), Species.FOX, wildlife=(Species.BEAR, Species.ELK))],
            [Problem("warning", "a fox stands on a tile that shows bear and elk", ((-1, 0),))],
        ),
        (
            [Tile((-1, 0), edges(PRAIRIE), Species.BEAR)],
            [Problem("warning", "no prairie tile in the box shows a bear", ((-1, 0),))],
        ),
        (
            [Tile((-1, 0), edges(Terrain.MOUNTAIN, FOREST), Species.SALMON)],
            [Problem("warning", "no mountain-forest tile in the box shows a salmon", ((-1, 0),))],
        ),
        (
            [Tile((-1, 0), edges(FOREST, RIVER), keystone=True)],
            [Problem("warning", "a keystone tile has one terrain, this one has two", ((-1, 0),))],
        ),
        (
            [Tile((-1, 0), edges(PRAIRIE), keystone=False)],
            [Problem("warning", "every tile of one terrain in the box is a keystone tile", ((-1, 0),))],
        ),
        (
            [Tile((-1, 0), edges(FOREST, RIVER), wildlife=(Species.BEAR, Species.HAWK))],
            [Problem("warning", "the box has no forest-river tile with bear and hawk", ((-1, 0),))],
        ),
        (
            [Tile((-1, 0), edges(RIVER), wildlife=(Species.FOX,))],
            [Problem("warning", "the box has no river tile with fox", ((-1, 0),))],
        ),
        (
            [Tile((-1, r), edges(FOREST, RIVER, r), wildlife=(Species.ELK, Species.BEAR)) for r in range(2)],
            [
                Problem(
                    "warning",
                    "2 times a forest-river tile with elk and bear: the box has 1 for one player",
                    ((-1, 0), (-1, 1)),
                )
            ],
        ),
        (
            [Tile((q, -1), edges(FOREST, RIVER)) for q in range(8)],
            [
                Problem(
                    "warning",
                    "8 forest-river tiles: the box has 7 for one player",
                    tuple((q, -1) for q in range(8)),
                )
            ],
        ),
    ],
)
def test_one_oddity_is_one_problem(extra: list[Tile], expected: list[Problem]) -> None:
    found = check([*full_environment(), *extra])
    assert [problem for problem in found if "a full environment has" not in problem.message] == expected


def test_a_single_icon_beside_a_token_is_taken_for_a_part_of_what_is_printed() -> None:
    partly_seen = Tile((-1, 0), edges(FOREST, RIVER), Species.BEAR, wildlife=(Species.ELK,))
    assert len(check([*full_environment(), partly_seen])) == 2  # 24 tiles, 21 tokens


def test_counts() -> None:
    many_bears = [Tile((q, 0), edges(FOREST, RIVER), Species.BEAR) for q in range(21)]
    messages = [problem.message for problem in check(many_bears, nature_tokens=26)]
    assert messages == [
        "21 tiles: a full environment has 23",
        "21 tokens: a full environment has at most 20",
        "21 bear tokens: the box holds 20",
        "26 nature tokens: the box holds 25",
        "21 forest-river tiles: the box has 7 for one player",
    ]
    assert [problem.message for problem in check([])] == ["0 tiles: a full environment has 23"]
    (negative,) = [problem for problem in check(full_environment(), -1) if problem.level == "error"]
    assert negative.message == "-1 nature tokens: there cannot be fewer than none"


def test_every_problem_is_told_not_the_first_one() -> None:
    tiles = [Tile((0, 0), BAD_HALVES, SPECIES[0]), Tile((0, 0), BAD_HALVES), Tile((5, 5), edges(FOREST))]
    assert Counter(problem.level for problem in check(tiles)) == {"error": 3, "warning": 2}
