"""Corridors, majority, the score sheet, ranking, and what is refused."""

from __future__ import annotations

import itertools
import json

import pytest
from drawn import drawn

from scoring import (
    HOUSE_RULES,
    Environment,
    Species,
    Terrain,
    Tile,
    corridors,
    edges,
    majority,
    parse_cards,
    score_game,
)

FOREST, RIVER = Terrain.FOREST, Terrain.RIVER


def row(*terrains: tuple[Terrain, Terrain, int]) -> Environment:
    """Tiles in a row: first terrain, second terrain, edge at which the first begins."""
    return Environment.of(Tile((q, 0), edges(*tile)) for q, tile in enumerate(terrains))


def forest_of(size: int, nature_tokens: int = 0) -> Environment:
    return Environment.of((Tile((q, 0), edges(FOREST)) for q in range(size)), nature_tokens)


def test_corridors_link_only_where_both_edges_match() -> None:
    # Direction 0 leads to the next tile of the row, direction 3 back.
    matching = row((FOREST, RIVER, 5), (RIVER, FOREST, 5))  # forest faces forest
    assert [len(corridor) for corridor in corridors(matching, FOREST)] == [2]
    assert [len(corridor) for corridor in corridors(matching, RIVER)] == [1, 1]
    one_sided = row((FOREST, RIVER, 5), (FOREST, RIVER, 5))  # forest faces river
    assert [len(corridor) for corridor in corridors(one_sided, FOREST)] == [1, 1]


def test_a_dual_tile_belongs_to_two_corridors() -> None:
    env = row((FOREST, FOREST, 0), (FOREST, RIVER, 2), (RIVER, RIVER, 0))
    assert corridors(env, FOREST) == [{(0, 0), (1, 0)}]
    assert corridors(env, RIVER) == [{(1, 0), (2, 0)}]


def test_a_corridor_may_run_in_a_circle_and_a_terrain_may_be_missing() -> None:
    circle = Environment.of(Tile(cell, edges(FOREST)) for cell in ((0, 0), (1, 0), (0, 1)))
    assert corridors(circle, FOREST) == [{(0, 0), (1, 0), (0, 1)}]
    assert corridors(circle, RIVER) == []


@pytest.mark.parametrize(
    ("sizes", "bonus"),
    [
        ([6], [0]),
        ([7], [2]),
        ([5, 3], [2, 0]),
        ([4, 4], [1, 1]),
        ([0, 0], [0, 0]),
        ([5, 4, 3], [3, 1, 0]),
        ([5, 4, 4], [3, 0, 0]),
        ([5, 5, 4], [2, 2, 0]),
        ([5, 5, 5], [1, 1, 1]),
        ([5, 0, 0], [3, 0, 0]),
        ([2, 3, 4, 5], [0, 0, 1, 3]),
        ([5, 4, 4, 1], [3, 0, 0, 0]),
        ([5, 5, 4, 3], [2, 2, 0, 0]),
        ([5, 5, 5, 4], [1, 1, 1, 0]),
        ([5, 5, 5, 5], [1, 1, 1, 1]),
        ([0, 0, 0, 0], [0, 0, 0, 0]),
    ],
)
def test_majority_with_every_tie_in_every_order(sizes: list[int], bonus: list[int]) -> None:
    for order in itertools.permutations(range(len(sizes))):
        assert list(majority([sizes[i] for i in order])) == [bonus[i] for i in order]


@pytest.mark.parametrize("players", [0, 5])
def test_majority_refuses_other_numbers_of_players(players: int) -> None:
    with pytest.raises(ValueError, match="for 1 to 4"):
        majority([3] * players)


def test_the_sheet_adds_up() -> None:
    env = drawn("B B . H . F", nature_tokens=2)
    (player,) = score_game([env], names=["Ann"]).players
    assert player.wildlife[Species.BEAR].points == 4
    assert player.wildlife[Species.HAWK].points == 2
    assert player.wildlife_total == 6
    assert player.habitats[FOREST].size == player.habitat_total == 6
    assert player.bonus_total == 0
    assert player.total == 6 + 6 + 2


def test_majority_can_be_skipped() -> None:
    sheet = score_game([forest_of(3), forest_of(2)])
    assert [player.bonus_total for player in sheet.players] == [2, 0]
    skipped = score_game([forest_of(3), forest_of(2)], majority=False)
    assert [player.bonus_total for player in skipped.players] == [0, 0]


@pytest.mark.parametrize(
    ("players", "ranks", "winners", "decided_by"),
    [
        ([(5, 0), (3, 0)], [1, 2], ("Ann",), "points"),
        ([(5, 0), (4, 1)], [2, 1], ("Ben",), "nature tokens"),
        ([(4, 1), (4, 1)], [1, 1], ("Ann", "Ben"), "shared"),
    ],
)
def test_ranking(
    players: list[tuple[int, int]], ranks: list[int], winners: tuple[str, ...], decided_by: str
) -> None:
    environments = [forest_of(size, tokens) for size, tokens in players]
    sheet = score_game(environments, names=["Ann", "Ben"], majority=False)
    assert [player.rank for player in sheet.players] == ranks
    assert sheet.winners == winners
    assert sheet.decided_by == decided_by


def test_after_a_shared_first_place_comes_the_third() -> None:
    sheet = score_game([forest_of(4), forest_of(4), forest_of(2)], majority=False)
    assert [player.rank for player in sheet.players] == [1, 1, 3]
    assert sheet.winners == ("Player 1", "Player 2")


def test_cards_and_variants_are_played() -> None:
    env = drawn("B B B")
    assert score_game([env]).players[0].wildlife_total == 0
    assert score_game([env], cards={Species.BEAR: "B"}).players[0].wildlife_total == 10
    assert score_game([env], variant="family").players[0].wildlife_total == 9
    assert score_game([env], variant="intermediate").players[0].wildlife_total == 8


def test_house_rules_are_played() -> None:
    env = drawn("E . E")
    cards = parse_cards("elk=D")
    assert score_game([env], cards=cards).players[0].wildlife_total == 4
    assert score_game([env], cards=cards, house_rules=HOUSE_RULES).players[0].wildlife_total == 5


def test_json_has_the_keys_of_the_format() -> None:
    sheet = score_game([drawn("B B", 1)], names=["Ann"], cards=parse_cards("ABCDA")).to_dict()
    assert json.loads(json.dumps(sheet)) == sheet
    assert list(sheet) == ["version", "cards", "variant", "players", "winners"]
    assert sheet["cards"] == {"bear": "A", "elk": "B", "salmon": "C", "hawk": "D", "fox": "A"}
    (player,) = sheet["players"]
    assert player["wildlife"]["bear"] == {
        "points": 4,
        "groups": [{"points": 4, "cells": [[0, 0], [1, 0]], "reason": "1 pair"}],
    }
    assert player["habitats"]["forest"] == {"size": 2, "cells": [[0, 0], [1, 0]], "bonus": 0}
    assert (player["total"], player["rank"], sheet["winners"]) == (7, 1, ["Ann"])


@pytest.mark.parametrize("text", ["BEAR=b, fox = D", "bear=B,fox=D"])
def test_cards_by_name(text: str) -> None:
    assert "".join(parse_cards(text).values()) == "BAAAD"


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "five letters"),
        ("AAAA", "five letters"),
        ("AAAAE", "five letters"),
        ("wolf=A", "'wolf' is not one of bear"),
        ("bear=E", "'E' is not a card letter"),
        ("bear=AB", "'AB' is not a card letter"),
        ("bear=A,bear=B", "bear is named twice"),
        ("bear=A,", "'' is not one of bear"),
    ],
)
def test_cards_that_are_none(text: str, complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        parse_cards(text)


def test_games_that_are_none() -> None:
    env = drawn("B")
    with pytest.raises(ValueError, match="0 environments"):
        score_game([])
    with pytest.raises(ValueError, match="5 environments"):
        score_game([env] * 5)
    with pytest.raises(ValueError, match="1 names for 2 players"):
        score_game([env, env], names=["Ann"])
    with pytest.raises(ValueError, match="variant 'solo' is not one of family, intermediate"):
        score_game([env], variant="solo")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="house rule 'flying'"):
        score_game([env], house_rules=["flying"])
    with pytest.raises(ValueError, match="'E' is not a card letter"):
        score_game([env], cards={Species.BEAR: "E"})
