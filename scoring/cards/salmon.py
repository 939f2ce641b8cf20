"""Salmon cards: runs, that is maximal connected groups in which no salmon touches more than two others.

House rule ``lenient``: a salmon that touches three or more is left out instead of spoiling its group, and
what remains is scored.
"""

from __future__ import annotations

from collections.abc import Iterator

from scoring.cards.result import CardScore, Group, counted, from_table, group
from scoring.environment import Environment
from scoring.hexgrid import Cell, components, neighbors
from scoring.pieces import Species

RUNS_A = (2, 5, 8, 12, 16, 20, 25)
RUNS_B = (2, 4, 9, 11, 17)
RUNS_C = (0, 0, 10, 12, 15)
SHORTEST_D = 3


def card_a(env: Environment, lenient: bool = False) -> CardScore:
    """Runs of 1 = 2, 2 = 5, 3 = 8, 4 = 12, 5 = 16, 6 = 20, 7 and more = 25."""
    return _by_length(env, RUNS_A, lenient)


def card_b(env: Environment, lenient: bool = False) -> CardScore:
    """Runs of 1 = 2, 2 = 4, 3 = 9, 4 = 11, 5 and more = 17."""
    return _by_length(env, RUNS_B, lenient)


def card_c(env: Environment, lenient: bool = False) -> CardScore:
    """Runs of 3 = 10, 4 = 12, 5 and more = 15."""
    return _by_length(env, RUNS_C, lenient)


def card_d(env: Environment, lenient: bool = False) -> CardScore:
    """Runs of at least three: 1 for each salmon and 1 for each token of another species beside the run."""
    runs, spoiled = _runs(env, lenient)
    groups = list(spoiled)
    for run in runs:
        if len(run) < SHORTEST_D:
            groups.append(group(0, run, f"run of {len(run)}: card D needs {SHORTEST_D}"))
            continue
        beside = {
            cell
            for salmon in run
            for cell in neighbors(salmon)
            if (tile := env.tiles.get(cell)) is not None and tile.token not in (None, Species.SALMON)
        }
        reason = f"run of {len(run)} with {counted(len(beside), 'other animal')} beside it"
        groups.append(group(len(run) + len(beside), run, reason))
    return CardScore.of(groups)


def _by_length(env: Environment, table: tuple[int, ...], lenient: bool) -> CardScore:
    runs, spoiled = _runs(env, lenient)
    groups = list(spoiled)
    for run in runs:
        points = from_table(table, len(run))
        reason = f"run of {len(run)}" if points else f"run of {len(run)}: too short for this card"
        groups.append(group(points, run, reason))
    return CardScore.of(groups)


def _runs(env: Environment, lenient: bool) -> tuple[list[frozenset[Cell]], list[Group]]:
    """The runs, and the salmon that are in none as groups of 0 points."""
    salmon = env.tokens(Species.SALMON)
    if lenient:
        crowded = {cell for cell in salmon if _touched(cell, salmon) > 2}
        left_out = [group(0, [cell], _spoiled_by(cell, salmon) + " and is left out") for cell in crowded]
        return components(salmon - crowded), left_out
    runs: list[frozenset[Cell]] = []
    spoiled: list[Group] = []
    for school in components(salmon):
        crowding = next(_crowding(school), None)
        if crowding is None:
            runs.append(school)
        else:
            spoiled.append(group(0, school, f"no run: {_spoiled_by(crowding, school)}"))
    return runs, spoiled


def _crowding(school: frozenset[Cell]) -> Iterator[Cell]:
    return (cell for cell in sorted(school) if _touched(cell, school) > 2)


def _touched(cell: Cell, salmon: frozenset[Cell]) -> int:
    return sum(other in salmon for other in neighbors(cell))


def _spoiled_by(cell: Cell, salmon: frozenset[Cell]) -> str:
    number = {3: "three", 4: "four", 5: "five", 6: "six"}[_touched(cell, salmon)]
    return f"the salmon at {cell} touches {number} others"
