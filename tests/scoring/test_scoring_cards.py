"""Hand-made boards for every card, with the cases where tables go wrong."""

from __future__ import annotations

import pytest
from drawn import drawn, full_of

from scoring import CardScore, Species, neighbors, score_environment
from scoring.cards.family import family, intermediate

ONE_BEAR = "B"
PAIR = "B B"
TWO_PAIRS = "B B . B B"
THREE_PAIRS = "B B . B B . B B"
FIVE_PAIRS = "B B . B B . B B . B B . B B"
TRIANGLE = """
    B B
     B
"""
BEARS_1_2_3 = "B . B B . B B B"
BEARS_1_1_2_3 = "B . B . B B . B B B"
FOUR_BEARS = "B B B B"
FIVE_BEARS = "B B B B B"

LINE_OF_5 = "E E E E E"
LINE_OF_8 = "E E E E E E E E"
ELK_TRIANGLE = """
    E E
     E
"""
# A line of four crossed by two of three: the long line first leaves 13 + 2 + 2 + 2 + 2.
CROSSED = """
      E   E
     E E E E
      E   E
"""
RHOMBUS = """
    E E
     E E
"""
BENT_THREE = """
    E E
       E
"""
RING = """
     E E
    E . E
     E E
"""
RING_ROUND_ELK = """
     E E
    E E E
     E E
"""
RING_WITH_HOLE = """
     E E
    E   E
     E E
"""
ARC_OF_4 = """
     E E
    E . .
     E .
"""
EVERY_SECOND = """
     E .
    . . E
     E .
"""
# Sixteen that cannot be cut into two eights: 28 + 14 + 7.
THREE_ARMS = """
    E
     E
      E
       E
        E
         E E E E E E
        E
       E
      E
     E
    E
"""

RUN_WITH_BEND = """
    S S S
         S
        S
"""
SALMON_TRIANGLE = """
    S S
     S
"""
TAILED_TRIANGLE = """
    S S S
     S
"""
FORK = """
      S
     S S S
    S
"""
LOOP = """
     S S
    S . S
     S S
"""
RUN_WITH_GUESTS = """
     B .
    S S S
     F F E
"""

FOX_AMONG_ALL = """
     B E
    S F H
     F B
"""
FOX_AMONG_PAIRS = """
     B B
    E F E
     S S
"""
FOX_AMONG_BEARS = """
     B B
    B F B
     B B
"""
FOX_PAIR = """
     B B B
    E F F E
     S . S
"""
# The middle pair alone is worth 7, the two outer pairs 5 each.
FOX_ROW = """
    . . B S
     F F F F
      S B
"""


@pytest.mark.parametrize(
    ("card", "board", "points"),
    [
        ("bear A", ONE_BEAR, 0),
        ("bear A", PAIR, 4),
        ("bear A", TWO_PAIRS, 11),
        ("bear A", THREE_PAIRS, 19),
        ("bear A", "B B . B B . B B . B B", 27),
        ("bear A", FIVE_PAIRS, 27),
        ("bear A", TRIANGLE, 0),
        ("bear A", BEARS_1_2_3, 4),
        ("bear B", PAIR, 0),
        ("bear B", TRIANGLE, 10),
        ("bear B", "B B B . B B B", 20),
        ("bear B", FOUR_BEARS, 0),
        ("bear C", ONE_BEAR, 2),
        ("bear C", PAIR, 5),
        ("bear C", TRIANGLE, 8),
        ("bear C", FOUR_BEARS, 0),
        ("bear C", BEARS_1_2_3, 18),
        ("bear C", BEARS_1_1_2_3, 20),
        ("bear D", ONE_BEAR, 0),
        ("bear D", PAIR, 5),
        ("bear D", TRIANGLE, 8),
        ("bear D", FOUR_BEARS, 13),
        ("bear D", FIVE_BEARS, 0),
        ("elk A", "E", 2),
        ("elk A", "E E", 5),
        ("elk A", "E E E", 9),
        ("elk A", "E E E E", 13),
        ("elk A", LINE_OF_5, 15),
        ("elk A", LINE_OF_8, 26),
        ("elk A", ELK_TRIANGLE, 7),
        ("elk A", CROSSED, 21),
        ("elk A", "E . E", 4),
        ("elk B", "E", 2),
        ("elk B", "E E", 5),
        ("elk B", "E E E", 7),
        ("elk B", ELK_TRIANGLE, 9),
        ("elk B", RHOMBUS, 13),
        ("elk B", BENT_THREE, 7),
        ("elk B", RING_ROUND_ELK, 20),
        ("elk C", "E", 2),
        ("elk C", "E E", 4),
        ("elk C", "E E E", 7),
        ("elk C", "E E E E", 10),
        ("elk C", LINE_OF_5, 14),
        ("elk C", "E E E E E E", 18),
        ("elk C", "E E E E E E E", 23),
        ("elk C", LINE_OF_8, 28),
        ("elk C", LINE_OF_8 + " E", 30),
        ("elk C", LINE_OF_8 + " . E", 30),
        ("elk C", LINE_OF_8 + " " + LINE_OF_8, 56),
        ("elk C", THREE_ARMS, 49),
        ("elk D", "E", 2),
        ("elk D", "E E", 5),
        ("elk D", "E E E", 7),
        ("elk D", ELK_TRIANGLE, 7),
        ("elk D", BENT_THREE, 8),
        ("elk D", ARC_OF_4, 12),
        ("elk D", RING, 21),
        ("elk D", RING_WITH_HOLE, 21),
        ("elk D", RING_ROUND_ELK, 23),
        ("elk D", EVERY_SECOND, 6),
        ("salmon A", "S", 2),
        ("salmon A", "S S", 5),
        ("salmon A", "S S S", 8),
        ("salmon A", "S S S S", 12),
        ("salmon A", RUN_WITH_BEND, 16),
        ("salmon A", LOOP, 20),
        ("salmon A", "S S S S S S S", 25),
        ("salmon A", "S S S S S S S S S", 25),
        ("salmon A", SALMON_TRIANGLE, 8),
        ("salmon A", TAILED_TRIANGLE, 0),
        ("salmon A", FORK, 0),
        ("salmon A", "S . S S", 7),
        ("salmon B", "S", 2),
        ("salmon B", "S S", 4),
        ("salmon B", SALMON_TRIANGLE, 9),
        ("salmon B", "S S S S", 11),
        ("salmon B", RUN_WITH_BEND, 17),
        ("salmon B", LOOP, 17),
        ("salmon C", "S S", 0),
        ("salmon C", SALMON_TRIANGLE, 10),
        ("salmon C", "S S S S", 12),
        ("salmon C", LOOP, 15),
        ("salmon D", "B S S B", 0),
        ("salmon D", "S S S", 3),
        ("salmon D", "B S S S B", 5),
        ("salmon D", RUN_WITH_GUESTS, 7),
        ("salmon D", "S S S B S S S", 8),
        ("salmon D", LOOP, 6),
        ("hawk A", "H", 2),
        ("hawk A", "H . H", 5),
        ("hawk A", "H H", 0),
        ("hawk A", "H H . H", 2),
        ("hawk A", "H . H . H . H . H . H . H . H . H", 26),
        ("hawk B", "H", 0),
        ("hawk B", "H . H", 5),
        ("hawk B", "H   H", 5),
        ("hawk B", "H . H . H", 9),
        ("hawk B", "H H . H", 0),
        ("hawk B", "H . H H . H", 5),
        ("hawk B", "H . H . H . H . H . H . H . H . H", 28),
        ("hawk C", "H . H", 3),
        ("hawk C", "H   H", 3),
        ("hawk C", "H H", 0),
        ("hawk C", "H . H . H", 6),
        ("hawk C", "H B E . H", 3),
        ("hawk D", "H . H", 0),
        ("hawk D", "H B H", 4),
        ("hawk D", "H B B H", 4),
        ("hawk D", "H B   E H", 7),
        ("hawk D", "H B E S H", 9),
        ("hawk D", "H B E S F H", 9),
        ("hawk D", "H B H B H", 4),
        ("hawk D", "H B H B E H B H", 8),
        ("hawk D", "H B H B E S H . H", 9),
        ("hawk D", "H H", 0),
        ("fox A", "F", 0),
        ("fox A", "F F", 2),
        ("fox A", "B F B", 1),
        ("fox A", FOX_AMONG_ALL, 5 + 3),
        ("fox B", "B F B", 3),
        ("fox B", "F F F", 0),
        ("fox B", FOX_AMONG_PAIRS, 7),
        ("fox B", FOX_AMONG_BEARS, 3),
        ("fox C", "F", 0),
        ("fox C", "F F", 0),
        ("fox C", FOX_AMONG_PAIRS, 2),
        ("fox C", FOX_AMONG_BEARS, 6),
        ("fox D", "B F B", 0),
        ("fox D", "B F F B", 5),
        ("fox D", FOX_PAIR, 9),
        ("fox D", "B F F . B", 0),
        ("fox D", FOX_ROW, 10),
    ],
)
def test_card(card: str, board: str, points: int) -> None:
    name, letter = card.split()
    assert score_environment(drawn(board), Species(name), letter).points == points


@pytest.mark.parametrize(
    ("rule", "card", "board", "without", "with_rule"),
    [
        ("elk_d_gaps", "elk D", EVERY_SECOND, 6, 8),
        ("elk_d_gaps", "elk D", "E . E", 4, 5),
        ("elk_d_gaps", "elk D", "E . . E", 4, 4),
        ("elk_c_cap", "elk C", LINE_OF_8 + " E", 30, 28),
        ("elk_c_cap", "elk C", LINE_OF_8, 28, 28),
        ("salmon_lenient", "salmon A", TAILED_TRIANGLE, 0, 7),
        ("salmon_lenient", "salmon B", FORK, 0, 6),
        ("salmon_lenient", "salmon C", "S S S", 10, 10),
        ("salmon_lenient", "salmon D", FORK, 0, 0),
    ],
)
def test_house_rule(rule: str, card: str, board: str, without: int, with_rule: int) -> None:
    name, letter = card.split()
    env = drawn(board)
    assert score_environment(env, Species(name), letter).points == without
    assert score_environment(env, Species(name), letter, [rule]).points == with_rule


@pytest.mark.parametrize(
    ("size", "in_family", "in_intermediate"), [(1, 2, 0), (2, 5, 5), (3, 9, 8), (4, 9, 12), (7, 9, 12)]
)
@pytest.mark.parametrize("species", list(Species))
def test_variants(species: Species, size: int, in_family: int, in_intermediate: int) -> None:
    env = full_of(species, {(q, 0) for q in range(size)} | {(0, 5)})
    assert family(env, species).points == in_family + 2
    assert intermediate(env, species).points == in_intermediate


def reasons(score: CardScore) -> list[tuple[int, str]]:
    return [(group.points, group.reason) for group in score.groups]


@pytest.mark.parametrize(
    ("card", "board", "expected"),
    [
        ("bear A", TWO_PAIRS, [(11, "2 pairs")]),
        ("bear A", "B . B B", [(4, "1 pair"), (0, "group of 1: card A counts pairs only")]),
        (
            "bear C",
            BEARS_1_2_3,
            [
                (8, "group of 3"),
                (5, "group of 2"),
                (3, "groups of 1, 2 and 3 all occur"),
                (2, "group of 1"),
            ],
        ),
        ("elk A", LINE_OF_5, [(13, "line of 4"), (2, "elk alone")]),
        ("elk C", LINE_OF_8 + " E", [(28, "herd of 8"), (2, "herd of 1")]),
        ("elk D", RING, [(21, "6 of one ring")]),
        ("salmon A", "S S S", [(8, "run of 3")]),
        ("salmon A", TAILED_TRIANGLE, [(0, "no run: the salmon at (1, 0) touches three others")]),
        ("hawk A", "H H . H", [(2, "1 hawk that touches no other")] + [(0, "touches another hawk")] * 2),
        ("hawk C", "H . H", [(3, "(0, 0) sees (2, 0)")]),
        ("hawk D", "H B E H", [(7, "pair with bear and elk between")]),
        ("fox A", "B F E", [(2, "bear and elk beside it")]),
        ("fox D", "B F F B", [(5, "pair with two or more bear")]),
    ],
)
def test_reasons_are_in_the_words_of_the_game(card: str, board: str, expected: list[tuple[int, str]]) -> None:
    name, letter = card.split()
    assert reasons(score_environment(drawn(board), Species(name), letter)) == expected


def test_a_full_ring_is_worth_more_than_its_arcs_wherever_it_lies() -> None:
    ring = set(neighbors((7, -3)))
    assert score_environment(full_of(Species.ELK, ring), Species.ELK, "D").points == 21


@pytest.mark.parametrize("species", list(Species))
@pytest.mark.parametrize("letter", list("ABCD"))
def test_an_empty_environment_scores_nothing(species: Species, letter: str) -> None:
    assert score_environment(drawn("."), species, letter) == CardScore(0, ())


def test_unknown_letters_and_house_rules_are_refused() -> None:
    with pytest.raises(ValueError, match="bear has no card 'E'"):
        score_environment(drawn("B"), Species.BEAR, "E")
    with pytest.raises(ValueError, match="house rule 'flying' is not one of elk_d_gaps"):
        score_environment(drawn("B"), Species.BEAR, "A", ["flying"])
