"""Bear cards: maximal connected groups of bears of a given size."""

from __future__ import annotations

from itertools import chain

from scoring.cards.result import CardScore, Group, counted, from_table, group, touching_groups
from scoring.environment import Environment
from scoring.pieces import Species

PAIRS_A = (4, 11, 19, 27)
TRIPLE_B = 10
SIZES_C = {1: 2, 2: 5, 3: 8}
ALL_SIZES_C = 3
SIZES_D = {2: 5, 3: 8, 4: 13}


def card_a(env: Environment) -> CardScore:
    """Pairs, read once for the whole environment: 1 = 4, 2 = 11, 3 = 19, 4 and more = 27."""
    found = touching_groups(env, Species.BEAR)
    pairs = [bears for bears in found if len(bears) == 2]
    others = [
        group(0, bears, f"group of {len(bears)}: card A counts pairs only")
        for bears in found
        if len(bears) != 2
    ]
    if pairs:
        together = group(
            from_table(PAIRS_A, len(pairs)), chain.from_iterable(pairs), counted(len(pairs), "pair")
        )
        return CardScore.of([together, *others])
    return CardScore.of(others)


def card_b(env: Environment) -> CardScore:
    """10 for each group of exactly three."""
    return CardScore.of(
        group(TRIPLE_B, bears, "group of 3")
        if len(bears) == 3
        else group(0, bears, f"group of {len(bears)}: card B counts groups of exactly 3")
        for bears in touching_groups(env, Species.BEAR)
    )


def card_c(env: Environment) -> CardScore:
    """Groups of 1 = 2, 2 = 5, 3 = 8, and 3 once if all three sizes occur."""
    found = touching_groups(env, Species.BEAR)
    groups: list[Group] = []
    for bears in found:
        size = len(bears)
        reason = f"group of {size}" if size in SIZES_C else f"group of {size}: card C counts groups of 1 to 3"
        groups.append(group(SIZES_C.get(size, 0), bears, reason))
    if {len(bears) for bears in found} >= set(SIZES_C):
        cells = chain.from_iterable(bears for bears in found if len(bears) in SIZES_C)
        groups.append(group(ALL_SIZES_C, cells, "groups of 1, 2 and 3 all occur"))
    return CardScore.of(groups)


def card_d(env: Environment) -> CardScore:
    """Groups of 2 = 5, 3 = 8, 4 = 13."""
    return CardScore.of(
        group(SIZES_D[len(bears)], bears, f"group of {len(bears)}")
        if len(bears) in SIZES_D
        else group(0, bears, f"group of {len(bears)}: card D counts groups of 2 to 4")
        for bears in touching_groups(env, Species.BEAR)
    )
