"""Hawk cards: hawks that touch no other, and lines of sight between hawks.

A line of sight runs straight from flat side to flat side, over anything but a hawk; touching hawks have none.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from itertools import pairwise

from scoring.cards.partition import best_partition
from scoring.cards.result import CardScore, Group, from_table, group, listed
from scoring.cards.shape import Shape
from scoring.environment import Environment
from scoring.hexgrid import Cell, neighbors
from scoring.pieces import SPECIES, Species

APART_A = (2, 5, 8, 11, 14, 18, 22, 26)
SEEING_B = (0, 5, 9, 12, 16, 20, 24, 28)
LINE_C = 3
BETWEEN_D = (4, 7, 9)

Sight = tuple[Cell, Cell]


def card_a(env: Environment) -> CardScore:
    """Hawks that touch no hawk: 1 = 2, 2 = 5, 3 = 8, 4 = 11, 5 = 14, 6 = 18, 7 = 22, 8 and more = 26."""
    hawks = env.tokens(Species.HAWK)
    apart = _apart(hawks)
    groups = [group(0, [hawk], "touches another hawk") for hawk in hawks - apart]
    if apart:
        alone = "touches" if len(apart) == 1 else "touch"
        reason = f"{_number_of_hawks(apart)} that {alone} no other"
        groups.append(group(from_table(APART_A, len(apart)), apart, reason))
    return CardScore.of(groups)


def card_b(env: Environment) -> CardScore:
    """Hawks that touch no hawk and see one: 2 = 5, 3 = 9, 4 = 12, 5 = 16, 6 = 20, 7 = 24, 8 and more = 28.

    The hawk that is seen may touch others.
    """
    hawks = env.tokens(Species.HAWK)
    apart = _apart(hawks)
    seeing = {cell for sight in lines_of_sight(hawks) for cell in sight}
    counting = apart & seeing
    groups = [group(0, [hawk], "touches another hawk") for hawk in hawks - apart]
    groups += [group(0, [hawk], "sees no hawk") for hawk in apart - seeing]
    if len(counting) == 1:
        groups.append(group(0, counting, "the only hawk apart that sees a hawk: card B needs two"))
    elif counting:
        reason = f"{_number_of_hawks(counting)} that touch no other and see one"
        groups.append(group(from_table(SEEING_B, len(counting)), counting, reason))
    return CardScore.of(groups)


def card_c(env: Environment) -> CardScore:
    """3 for each line of sight between two hawks; a hawk may serve many lines."""
    hawks = env.tokens(Species.HAWK)
    sights = lines_of_sight(hawks)
    groups = [group(LINE_C, sight, f"{sight[0]} sees {sight[1]}") for sight in sights]
    return CardScore.of([*groups, *_unused(hawks, sights, "has no line of sight to a hawk")])


def card_d(env: Environment) -> CardScore:
    """Pairs of hawks that see each other, by the species between them: 1 = 4, 2 = 7, 3 and more = 9.

    Each hawk is in one pair; the pairing worth most counts, found as the best partition of the hawks into
    pairs and lone hawks (see :mod:`scoring.cards.partition`).
    """
    hawks = env.tokens(Species.HAWK)
    shapes = []
    for sight in lines_of_sight(hawks):
        between = species_between(env, sight)
        if between:
            names = listed(between)
            shapes.append(Shape(sight, from_table(BETWEEN_D, len(between)), f"pair with {names} between"))
    pairs = best_partition(shapes)
    groups = [group(pair.points, pair.cells, pair.name) for pair in pairs]
    paired = [pair.cells for pair in pairs]
    return CardScore.of([*groups, *_unused(hawks, paired, "in no pair with another animal between")])


def lines_of_sight(hawks: Iterable[Cell]) -> list[Sight]:
    """Every pair of hawks that see each other, each once, in order."""
    rows: dict[tuple[int, int], list[tuple[int, Cell]]] = defaultdict(list)
    for q, r in hawks:
        for axis, line, place in ((0, r, q), (1, q, r), (2, q + r, q)):
            rows[axis, line].append((place, (q, r)))
    sights = []
    for row in rows.values():
        row.sort()
        for (place, hawk), (next_place, next_hawk) in pairwise(row):
            if next_place - place > 1:
                sights.append((min(hawk, next_hawk), max(hawk, next_hawk)))
    return sorted(sights)


def species_between(env: Environment, sight: Sight) -> list[Species]:
    """The different species on the spaces between two hawks in line, in the order of ``SPECIES``."""
    (q, r), (to_q, to_r) = sight
    steps = max(abs(to_q - q), abs(to_r - r))
    dq, dr = (to_q - q) // steps, (to_r - r) // steps
    tiles = (env.tiles.get((q + i * dq, r + i * dr)) for i in range(1, steps))
    tokens = {tile.token for tile in tiles if tile is not None}
    return [species for species in SPECIES if species in tokens]


def _apart(hawks: frozenset[Cell]) -> frozenset[Cell]:
    return frozenset(hawk for hawk in hawks if not any(cell in hawks for cell in neighbors(hawk)))


def _unused(hawks: frozenset[Cell], used: Iterable[Iterable[Cell]], reason: str) -> list[Group]:
    in_use = {cell for cells in used for cell in cells}
    return [group(0, [hawk], reason) for hawk in hawks - in_use]


def _number_of_hawks(hawks: frozenset[Cell]) -> str:
    return "1 hawk" if len(hawks) == 1 else f"{len(hawks)} hawks"
