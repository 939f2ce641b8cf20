"""What every card returns."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from scoring.environment import Environment
from scoring.hexgrid import Cell, components
from scoring.pieces import SPECIES, Species


@dataclass(frozen=True, slots=True)
class Group:
    """Cells that earned ``points`` together and why; a group of 0 points says what it lacks."""

    points: int
    cells: tuple[Cell, ...]
    reason: str


@dataclass(frozen=True, slots=True)
class CardScore:
    """Points of one species under one card, and the groups that add up to them."""

    points: int
    groups: tuple[Group, ...]

    @classmethod
    def of(cls, groups: Iterable[Group]) -> CardScore:
        """The sum of ``groups``, those that earned most first."""
        ordered = tuple(sorted(groups, key=lambda group: (-group.points, group.cells)))
        return cls(sum(group.points for group in ordered), ordered)


def group(points: int, cells: Iterable[Cell], reason: str) -> Group:
    """A group with its cells in order."""
    return Group(points, tuple(sorted(cells)), reason)


def touching_groups(env: Environment, species: Species) -> list[frozenset[Cell]]:
    """The maximal connected groups of ``species``."""
    return components(env.tokens(species))


def from_table(table: tuple[int, ...], size: int) -> int:
    """Points for ``size`` by a printed row: the first entry is for one, the last for that many and more."""
    return table[min(size, len(table)) - 1] if size else 0


def counted(number: int, noun: str) -> str:
    """``1 pair``, ``2 pairs``."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def listed(species: Iterable[Species]) -> str:
    """``bear, elk and fox`` in the order of the score pad; ``nobody`` for none."""
    present = set(species)
    names = [name for name in SPECIES if name in present]
    if len(names) < 2:
        return names[0] if names else "nobody"
    return f"{', '.join(names[:-1])} and {names[-1]}"
