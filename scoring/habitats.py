"""Habitat corridors and the majority bonus."""

from __future__ import annotations

from collections.abc import Sequence

from scoring.environment import Environment
from scoring.hexgrid import Cell, neighbors
from scoring.pieces import Terrain

SOLO_BONUS_FROM = 7


def corridors(env: Environment, terrain: Terrain) -> list[frozenset[Cell]]:
    """The corridors of ``terrain``, largest first: tiles linked where both touching edges show it.

    A tile with no such link is a corridor of one; a dual tile may belong to a corridor of each terrain.
    """
    left = {cell for cell, tile in env.tiles.items() if terrain in tile.terrain}
    found = []
    for start in sorted(left):
        if start not in left:
            continue
        left.remove(start)
        corridor = {start}
        border = [start]
        while border:
            cell = border.pop()
            edges = env.tiles[cell].terrain
            for i, other in enumerate(neighbors(cell)):
                if other in left and edges[i] == terrain == env.tiles[other].terrain[(i + 3) % 6]:
                    left.remove(other)
                    corridor.add(other)
                    border.append(other)
        found.append(frozenset(corridor))
    return sorted(found, key=len, reverse=True)


def majority(sizes: Sequence[int]) -> tuple[int, ...]:
    """The bonus of each player for one terrain, from the size of each one's largest corridor.

    One player: 2 from seven tiles on. Two: the largest 2, tied 1 each. Three and four: the largest 3 and the
    only second 1; two tied for largest 2 each, three or four tied 1 each, and then nothing for the next.
    No corridor at all earns nothing. ValueError for other numbers of players.

    >>> majority([6, 4, 8])
    (1, 0, 3)
    """
    players = len(sizes)
    if not 1 <= players <= 4:
        raise ValueError(f"{players} players: the game is for 1 to 4")
    if players == 1:
        return (2 if sizes[0] >= SOLO_BONUS_FROM else 0,)
    largest = max(sizes)
    if largest == 0:
        return (0,) * players
    leaders = list(sizes).count(largest)
    if players == 2:
        first, second = (2, 0) if leaders == 1 else (1, 0)
    else:
        first, second = {1: (3, 1), 2: (2, 0)}.get(leaders, (1, 0))
    next_size = max((size for size in sizes if size < largest), default=0)
    if next_size == 0 or list(sizes).count(next_size) > 1:
        second = 0
    return tuple(first if size == largest else second if size == next_size else 0 for size in sizes)
