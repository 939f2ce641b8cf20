"""Fox cards: what stands round a fox, or round a pair of foxes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

from scoring.cards.partition import best_partition
from scoring.cards.result import CardScore, from_table, group, listed
from scoring.cards.shape import Shape
from scoring.environment import Environment
from scoring.hexgrid import Cell, neighbors
from scoring.pieces import SPECIES, Species

TWICE_B = (3, 5, 7)
TWICE_D = (5, 7, 9, 11)


def card_a(env: Environment) -> CardScore:
    """For each fox the number of species among its neighbors, foxes included."""
    groups = []
    for fox in env.tokens(Species.FOX):
        round_it = _tokens_on(env, neighbors(fox))
        groups.append(group(len(round_it), [fox], f"{listed(round_it)} beside it"))
    return CardScore.of(groups)


def card_b(env: Environment) -> CardScore:
    """For each fox the species other than fox that stand at least twice round it: 1 = 3, 2 = 5, 3 = 7."""
    groups = []
    for fox in env.tokens(Species.FOX):
        twice = _twice(_tokens_on(env, neighbors(fox)))
        reason = f"two or more {listed(twice)}" if twice else "no other animal stands twice beside it"
        groups.append(group(from_table(TWICE_B, len(twice)), [fox], reason))
    return CardScore.of(groups)


def card_c(env: Environment) -> CardScore:
    """For each fox how often the most frequent species other than fox stands round it."""
    groups = []
    for fox in env.tokens(Species.FOX):
        round_it = _tokens_on(env, neighbors(fox))
        most = max(round_it[species] for species in SPECIES if species != Species.FOX)
        alike = [species for species in SPECIES if species != Species.FOX and round_it[species] == most]
        reason = f"{most} {' or '.join(alike)} beside it" if most else "no other animal beside it"
        groups.append(group(most, [fox], reason))
    return CardScore.of(groups)


def card_d(env: Environment) -> CardScore:
    """Pairs of touching foxes, by the species other than fox that stand twice round them: 5, 7, 9, 11.

    Round a pair are eight hexes. Each fox is in one pair; the pairing worth most counts, found as the best
    partition of the foxes into pairs and lone foxes (see :mod:`scoring.cards.partition`).
    """
    foxes = env.tokens(Species.FOX)
    shapes = []
    for fox in sorted(foxes):
        for other in neighbors(fox)[:3]:
            if other not in foxes:
                continue
            twice = _twice(_tokens_on(env, {*neighbors(fox), *neighbors(other)} - {fox, other}))
            if twice:
                reason = f"pair with two or more {listed(twice)}"
                shapes.append(Shape((fox, other), from_table(TWICE_D, len(twice)), reason))
    pairs = best_partition(shapes)
    groups = [group(pair.points, pair.cells, pair.name) for pair in pairs]
    paired = {fox for pair in pairs for fox in pair.cells}
    groups += [group(0, [fox], "in no pair with an animal twice round it") for fox in foxes - paired]
    return CardScore.of(groups)


def _tokens_on(env: Environment, cells: Iterable[Cell]) -> Counter[Species]:
    tiles = (env.tiles.get(cell) for cell in cells)
    return Counter(tile.token for tile in tiles if tile is not None and tile.token is not None)


def _twice(tokens: Mapping[Species, int]) -> list[Species]:
    return [species for species, count in tokens.items() if count > 1 and species != Species.FOX]
