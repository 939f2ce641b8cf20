"""Terrains, species and the contents of the box (base game: 85 habitat tiles, 5 starters, the tokens)."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from importlib.resources import files
from itertools import combinations
from typing import Any

from scoring.hexgrid import Cell


class Terrain(StrEnum):
    """The five habitats, in the order of the score pad."""

    MOUNTAIN = "mountain"
    FOREST = "forest"
    PRAIRIE = "prairie"
    WETLAND = "wetland"
    RIVER = "river"


class Species(StrEnum):
    """The five kinds of wildlife, in the order of the score pad."""

    BEAR = "bear"
    ELK = "elk"
    SALMON = "salmon"
    HAWK = "hawk"
    FOX = "fox"


TERRAINS: tuple[Terrain, ...] = tuple(Terrain)
SPECIES: tuple[Species, ...] = tuple(Species)

#: The terrain at each of the six edges of a tile.
Edges = tuple[Terrain, Terrain, Terrain, Terrain, Terrain, Terrain]

#: Where the three hexes of an upright starter stand: top, lower left, lower right.
STARTER_CELLS: tuple[Cell, Cell, Cell] = ((0, 0), (-1, 1), (0, 1))


def edges(first: Terrain, second: Terrain | None = None, start: int = 0) -> Edges:
    """Six edges with ``first`` on edges ``start``, ``start + 1``, ``start + 2`` and ``second`` on the rest.

    >>> [str(terrain) for terrain in edges(Terrain.FOREST, Terrain.RIVER, 5)]
    ['forest', 'forest', 'river', 'river', 'river', 'forest']
    """
    other = first if second is None else second
    a, b, c, d, e, f = (first if (i - start) % 6 < 3 else other for i in range(6))
    return (a, b, c, d, e, f)


@cache
def terrain_states() -> tuple[Edges, ...]:
    """The 65 legal sets of edges: five of one terrain, then ten pairs in their six turns.

    Pairs come in the order of ``TERRAINS``; in turn k the first terrain of the pair starts at edge k.
    """
    single = [edges(terrain) for terrain in TERRAINS]
    dual = [edges(a, b, start) for a, b in combinations(TERRAINS, 2) for start in range(6)]
    return (*single, *dual)


@dataclass(frozen=True, slots=True)
class BoxTile:
    """One tile as the box holds it: its edges in one of the six turns, what is printed on it."""

    terrain: Edges
    wildlife: tuple[Species, ...]

    @property
    def terrains(self) -> frozenset[Terrain]:
        """The one or two terrains, whatever the turn."""
        return frozenset(self.terrain)

    @property
    def keystone(self) -> bool:
        """Whether this is a keystone tile; in the box these are exactly the tiles of one terrain."""
        return len(self.terrains) == 1


@dataclass(frozen=True, slots=True)
class Box:
    """What the box holds. Each starter is its top, lower left and lower right hex, as edges when upright."""

    tiles: tuple[BoxTile, ...]
    starters: tuple[tuple[BoxTile, BoxTile, BoxTile], ...]
    tokens_per_species: int
    nature_tokens: int


@cache
def box() -> Box:
    """The box of the base game, read from ``box.json``.

    >>> len(box().tiles), sum(tile.keystone for tile in box().tiles), len(box().starters)
    (85, 25, 5)
    """
    data: Mapping[str, Any] = json.loads(files("scoring").joinpath("box.json").read_text(encoding="utf-8"))
    printed = data["keystone_tiles"] | data["dual_tiles"]
    return Box(
        tiles=tuple(
            _box_tile((terrains, shown), 0) for terrains, tiles in printed.items() for shown in tiles
        ),
        starters=tuple(
            (
                _box_tile(starter["top"], 0),
                _box_tile(starter["lower_left"], 3),
                _box_tile(starter["lower_right"], 4),
            )
            for starter in data["starters"]
        ),
        tokens_per_species=data["tokens_per_species"],
        nature_tokens=data["nature_tokens"],
    )


def _box_tile(words: Sequence[str], start: int) -> BoxTile:
    """A tile from its terrains and wildlife in ``box.json``; the first terrain starts at edge ``start``."""
    terrains, wildlife = words
    names = [Terrain(word) for word in terrains.split()]
    shown = tuple(Species(word) for word in wildlife.split())
    return BoxTile(edges(names[0], names[-1], start), shown)
