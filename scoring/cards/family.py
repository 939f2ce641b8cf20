"""Family and Intermediate variant: one card for every species, by the size of its connected groups."""

from __future__ import annotations

from scoring.cards.result import CardScore, from_table, group, touching_groups
from scoring.environment import Environment
from scoring.pieces import Species

FAMILY = (2, 5, 9)
INTERMEDIATE = (0, 5, 8, 12)


def family(env: Environment, species: Species) -> CardScore:
    """Groups of 1 = 2, 2 = 5, 3 and more = 9."""
    return _by_size(env, species, FAMILY)


def intermediate(env: Environment, species: Species) -> CardScore:
    """Groups of 1 = 0, 2 = 5, 3 = 8, 4 and more = 12."""
    return _by_size(env, species, INTERMEDIATE)


def _by_size(env: Environment, species: Species, table: tuple[int, ...]) -> CardScore:
    groups = []
    for cells in touching_groups(env, species):
        points = from_table(table, len(cells))
        reason = f"group of {len(cells)}" if points else f"group of {len(cells)}: too small for this variant"
        groups.append(group(points, cells, reason))
    return CardScore.of(groups)
