"""A player's environment: habitat tiles on the grid with their tokens, and what is odd about it."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Literal

from scoring.hexgrid import Cell, components, mirror, turn
from scoring.pieces import SPECIES, TERRAINS, Edges, Species, Terrain, box, terrain_states

FULL_ENVIRONMENT = 23
MOST_TOKENS = 20

#: What makes a tile of the box this tile and no other: its terrains and the wildlife printed on it.
Kind = tuple[frozenset[Terrain], frozenset[Species]]


@dataclass(frozen=True, slots=True)
class Tile:
    """One habitat tile where it lies.

    ``terrain[i]`` is the terrain at edge i. ``token`` is the wildlife token on it, ``wildlife`` what is
    printed on it, ``keystone`` whether it carries the keystone mark; None where unknown (for ``token``:
    none). Nothing is checked here, see :func:`check`.
    """

    cell: Cell
    terrain: Edges
    token: Species | None = None
    keystone: bool | None = None
    wildlife: tuple[Species, ...] | None = None

    @property
    def terrains(self) -> tuple[Terrain, ...]:
        """The different terrains of the tile in the order of ``TERRAINS``."""
        return tuple(terrain for terrain in TERRAINS if terrain in self.terrain)


@dataclass(frozen=True, slots=True)
class Environment:
    """Tiles by cell, and the player's unused nature tokens.

    >>> from scoring.pieces import edges
    >>> env = Environment.of([Tile((0, 0), edges(Terrain.FOREST), Species.BEAR)], nature_tokens=2)
    >>> env.tokens(Species.BEAR)
    frozenset({(0, 0)})
    """

    tiles: Mapping[Cell, Tile]
    nature_tokens: int = 0

    @classmethod
    def of(cls, tiles: Iterable[Tile], nature_tokens: int = 0) -> Environment:
        """An environment of ``tiles``; ValueError where two lie on one cell."""
        by_cell: dict[Cell, Tile] = {}
        for tile in tiles:
            if tile.cell in by_cell:
                raise ValueError(f"two tiles lie on {tile.cell}")
            by_cell[tile.cell] = tile
        return cls(by_cell, nature_tokens)

    def tokens(self, species: Species) -> frozenset[Cell]:
        """The cells where a token of ``species`` stands."""
        return frozenset(cell for cell, tile in self.tiles.items() if tile.token == species)

    def turned(self, turns: int) -> Environment:
        """The same environment turned clockwise by ``turns`` times 60 degrees about (0, 0)."""
        return Environment.of(
            (
                replace(
                    tile, cell=turn(tile.cell, turns), terrain=_reordered(tile.terrain, lambda i: i - turns)
                )
                for tile in self.tiles.values()
            ),
            self.nature_tokens,
        )

    def mirrored(self) -> Environment:
        """The mirror image (see :func:`scoring.hexgrid.mirror`); edge i becomes edge -i."""
        return Environment.of(
            (
                replace(tile, cell=mirror(tile.cell), terrain=_reordered(tile.terrain, lambda i: -i))
                for tile in self.tiles.values()
            ),
            self.nature_tokens,
        )


def _reordered(terrain: Edges, source: Callable[[int], int]) -> Edges:
    """Edges of which number i is number ``source(i)`` of ``terrain``."""
    a, b, c, d, e, f = (terrain[source(i) % 6] for i in range(6))
    return (a, b, c, d, e, f)


@dataclass(frozen=True, slots=True)
class Problem:
    """Something wrong ("error": cannot be) or unusual ("warning") about an environment, and where."""

    level: Literal["error", "warning"]
    message: str
    cells: tuple[Cell, ...] = ()


def check(tiles: Iterable[Tile], nature_tokens: int = 0) -> list[Problem]:
    """Every problem of ``tiles``: errors first, then warnings. An empty list means a full, legal environment.

    Errors are what cannot be (two tiles in one place, halves that no tile has); warnings are what a real
    table may show all the same: an unfinished game, an expansion, a token put on the wrong tile.
    """
    given = list(tiles)
    return [
        *_impossible(given, nature_tokens),
        *_odd_counts(given, nature_tokens),
        *_islands(given),
        *_odd_tokens(given),
        *_odd_keystones(given),
        *_not_in_box(given),
    ]


def _impossible(tiles: list[Tile], nature_tokens: int) -> Iterator[Problem]:
    for cell, count in Counter(tile.cell for tile in tiles).items():
        if count > 1:
            yield Problem("error", f"{count} tiles lie on the same place", (cell,))
    legal = set(terrain_states())
    for tile in tiles:
        if tile.terrain not in legal:
            yield Problem(
                "error", "a tile has one terrain, or two on three edges in a row each", (tile.cell,)
            )
    if nature_tokens < 0:
        yield Problem("error", f"{nature_tokens} nature tokens: there cannot be fewer than none")


def _odd_counts(tiles: list[Tile], nature_tokens: int) -> Iterator[Problem]:
    if len(tiles) != FULL_ENVIRONMENT:
        count = "1 tile" if len(tiles) == 1 else f"{len(tiles)} tiles"
        yield Problem("warning", f"{count}: a full environment has {FULL_ENVIRONMENT}")
    tokens = Counter(tile.token for tile in tiles if tile.token is not None)
    if tokens.total() > MOST_TOKENS:
        yield Problem("warning", f"{tokens.total()} tokens: a full environment has at most {MOST_TOKENS}")
    held = box().tokens_per_species
    for species in SPECIES:
        if tokens[species] > held:
            cells = tuple(tile.cell for tile in tiles if tile.token == species)
            message = f"{tokens[species]} {species} tokens: the box holds {held}"
            yield Problem("warning", message, cells)
    if nature_tokens > box().nature_tokens:
        yield Problem("warning", f"{nature_tokens} nature tokens: the box holds {box().nature_tokens}")


def _islands(tiles: list[Tile]) -> Iterator[Problem]:
    parts = sorted(components(tile.cell for tile in tiles), key=len, reverse=True)
    for part in parts[1:]:
        what = "1 tile lies" if len(part) == 1 else f"{len(part)} tiles lie"
        yield Problem("warning", f"{what} apart from the rest", tuple(sorted(part)))


def _odd_tokens(tiles: list[Tile]) -> Iterator[Problem]:
    for tile in tiles:
        if tile.token is None:
            continue
        if _seen_whole(tile):
            if tile.token not in _shown(tile):
                message = f"{_a(tile.token)} stands on a tile that shows {_words(tile.wildlife or ())}"
                yield Problem("warning", message, (tile.cell,))
        elif not any(tile.token in kind[1] for kind in _possible(tile)) and _possible(tile):
            message = f"no {_description(tile)} in the box shows {_a(tile.token)}"
            yield Problem("warning", message, (tile.cell,))


def _odd_keystones(tiles: list[Tile]) -> Iterator[Problem]:
    for tile in tiles:
        single = len(tile.terrains) == 1
        if tile.keystone is True and not single:
            yield Problem("warning", "a keystone tile has one terrain, this one has two", (tile.cell,))
        if tile.keystone is False and single:
            yield Problem("warning", "every tile of one terrain in the box is a keystone tile", (tile.cell,))


def _not_in_box(tiles: list[Tile]) -> Iterator[Problem]:
    """Tiles that the box lacks or holds less often."""
    held = _box_kinds()
    legal = {terrains for terrains, _ in held}
    same_terrains: dict[frozenset[Terrain], list[Tile]] = defaultdict(list)
    same_kind: dict[Kind, list[Tile]] = defaultdict(list)
    for tile in tiles:
        terrains = frozenset(tile.terrain)
        if terrains in legal:
            same_terrains[terrains].append(tile)
            if tile.wildlife is not None:
                same_kind[terrains, _shown(tile)].append(tile)
    for terrains, alike in same_terrains.items():
        most = sum(count for kind, count in held.items() if kind[0] == terrains)
        if len(alike) > most:
            message = f"{len(alike)} {'-'.join(alike[0].terrains)} tiles: the box has {most} for one player"
            yield Problem("warning", message, tuple(tile.cell for tile in alike))
    for kind, alike in same_kind.items():
        cells = tuple(tile.cell for tile in alike)
        if not _possible(alike[0]):
            yield Problem("warning", f"the box has no {_description(alike[0])}", cells)
        elif _seen_whole(alike[0]) and len(alike) > held[kind]:
            message = (
                f"{len(alike)} times a {_description(alike[0])}: the box has {held[kind]} for one player"
            )
            yield Problem("warning", message, cells)


def _box_kinds() -> Counter[Kind]:
    """How many tiles of each kind one player can have: those of the box and the hexes of one starter.

    No two starters have hexes alike, so each hex of any starter adds one.
    """
    contents = box()
    hexes = [tile for starter in contents.starters for tile in starter]
    return Counter((tile.terrains, frozenset(tile.wildlife)) for tile in (*contents.tiles, *hexes))


def _possible(tile: Tile) -> list[Kind]:
    """The kinds of the box that ``tile`` may be, by its terrains and what is seen of its wildlife."""
    terrains, shown = frozenset(tile.terrain), _shown(tile)
    whole = _seen_whole(tile)
    return [
        kind
        for kind in _box_kinds()
        if kind[0] == terrains and (kind[1] == shown if whole else kind[1] >= shown)
    ]


def _shown(tile: Tile) -> frozenset[Species]:
    return frozenset(tile.wildlife or ())


def _seen_whole(tile: Tile) -> bool:
    """Whether ``wildlife`` is all that is printed: tiles of two terrains print two or three species.

    Where a token stands, often one icon only peeks out beside it.
    """
    return tile.wildlife is not None and len(tile.wildlife) >= len(tile.terrains)


def _description(tile: Tile) -> str:
    name = f"{'-'.join(tile.terrains)} tile"
    return f"{name} with {_words(tile.wildlife)}" if tile.wildlife else name


def _a(species: Species) -> str:
    return f"an {species}" if species == Species.ELK else f"a {species}"


def _words(names: Iterable[str]) -> str:
    """``bear, elk and fox``; ``nothing`` for none."""
    words = list(names)
    if not words:
        return "nothing"
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"
