"""Elk cards: the herd is divided into groups, which may touch; the division worth most counts.

Cards A, B and D name shapes, and :mod:`scoring.cards.partition` finds the best division into them; card C
takes any connected group, see :mod:`scoring.cards.herd`.
"""

from __future__ import annotations

from itertools import combinations

from scoring.cards.herd import cut_herd
from scoring.cards.partition import best_partition
from scoring.cards.result import CardScore, from_table, group, touching_groups
from scoring.cards.shape import Shape
from scoring.environment import Environment
from scoring.hexgrid import Cell, neighbor, neighbors
from scoring.pieces import Species

LINES_A = (2, 5, 9, 13)
FIGURES_B = {"elk alone": 2, "two touching": 5, "triangle": 9, "rhombus": 13}
HERDS_C = (2, 4, 7, 10, 14, 18, 23, 28)
ARCS_D = (2, 5, 8, 12, 16, 21)


def card_a(env: Environment) -> CardScore:
    """Straight lines of 1 = 2, 2 = 5, 3 = 9, 4 = 13; longer lines are cut."""
    return _divided(line_shapes(env.tokens(Species.ELK)))


def card_b(env: Environment) -> CardScore:
    """One elk = 2, two touching = 5, triangle = 9, rhombus of four = 13."""
    return _divided(figure_shapes(env.tokens(Species.ELK)))


def card_c(env: Environment, cap: bool = False) -> CardScore:
    """Connected groups of 1 to 8 elk: 2, 4, 7, 10, 14, 18, 23, 28; larger herds are cut for what is best.

    House rule ``cap``: a herd of more than eight is one group of 28 points.
    """
    groups = []
    for herd in touching_groups(env, Species.ELK):
        for part in [herd] if cap else cut_herd(herd, HERDS_C):
            groups.append(group(from_table(HERDS_C, len(part)), part, f"herd of {len(part)}"))
    return CardScore.of(groups)


def card_d(env: Environment, gaps: bool = False) -> CardScore:
    """Arcs, consecutive places of a ring round any centre, of 1 to 6 elk: 2, 5, 8, 12, 16, 21.

    House rule ``gaps``: any elk on one ring are a group.
    """
    return _divided(arc_shapes(env.tokens(Species.ELK), gaps))


def line_shapes(elk: frozenset[Cell]) -> list[Shape]:
    """Every straight line of one to four elk."""
    shapes = [Shape((cell,), LINES_A[0], "elk alone") for cell in sorted(elk)]
    for cell in sorted(elk):
        for direction in range(3):
            line = [cell]
            while len(line) < len(LINES_A) and (ahead := neighbor(line[-1], direction)) in elk:
                line.append(ahead)
                shapes.append(Shape(tuple(line), from_table(LINES_A, len(line)), f"line of {len(line)}"))
    return shapes


def figure_shapes(elk: frozenset[Cell]) -> list[Shape]:
    """Every elk, touching pair, triangle and rhombus."""
    found: dict[frozenset[Cell], str] = {}
    for cell in sorted(elk):
        found[frozenset([cell])] = "elk alone"
        round_it = neighbors(cell)
        for i in range(6):
            side, other = round_it[i], round_it[(i + 1) % 6]
            if side not in elk:
                continue
            found[frozenset([cell, side])] = "two touching"
            if other in elk:
                found[frozenset([cell, side, other])] = "triangle"
                # The rhombus whose short diagonal joins `side` and `other`.
                if (tip := neighbor(side, i + 1)) in elk:
                    found[frozenset([cell, side, other, tip])] = "rhombus"
    return [Shape(tuple(sorted(cells)), FIGURES_B[name], name) for cells, name in found.items()]


def arc_shapes(elk: frozenset[Cell], gaps: bool = False) -> list[Shape]:
    """Every arc of a ring; with ``gaps`` every set of elk on a ring."""
    found = {frozenset([cell]): "elk alone" for cell in sorted(elk)}
    for centre in sorted({cell for one in elk for cell in neighbors(one)}):
        ring = neighbors(centre)
        if gaps:
            present = [cell for cell in ring if cell in elk]
            arcs = [arc for size in range(2, 7) for arc in combinations(present, size)]
        else:
            arcs = [
                tuple(ring[(start + step) % 6] for step in range(size))
                for size in range(2, 7)
                for start in range(6 if size < 6 else 1)
            ]
        for arc in arcs:
            if all(cell in elk for cell in arc):
                found.setdefault(frozenset(arc), f"{len(arc)} of one ring")
    return [
        Shape(tuple(sorted(cells)), from_table(ARCS_D, len(cells)), name) for cells, name in found.items()
    ]


def _divided(shapes: list[Shape]) -> CardScore:
    return CardScore.of(group(shape.points, shape.cells, shape.name) for shape in best_partition(shapes))
