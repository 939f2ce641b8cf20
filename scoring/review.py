"""What doubt about a reading is worth: which flagged tiles may move the score, and between which totals.

Every flagged tile (``needs_review``) is read by each of its likely alternatives alone, the others as they
are; the largest change of the total is the tile's swing. Low and high are found by going through the
flagged tiles from the largest swing down and keeping, at each, the reading that lowers (raises) the total
most, given those already changed. Both are totals of possible readings, so the range is never too wide; it
may be too narrow where several changes pay only together. The number of totals computed is linear in the
number of alternatives.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from itertools import product

from scoring.environment import Environment, Tile
from scoring.game import Variant, score_habitat, score_wildlife
from scoring.hexgrid import Cell
from scoring.layout import Layout, LayoutTile
from scoring.pieces import SPECIES, TERRAINS, Species

#: An alternative counts from this probability on; the likeliest of a flagged tile always does.
LIKELY = 0.02
#: Of terrain and of token no more alternatives than this are tried, the likeliest ones.
MOST_ALTERNATIVES = 3


@dataclass(frozen=True, slots=True)
class Review:
    """Flagged tiles, those first that may move the total most, then the most doubtful; the total's range.

    The first ``deciding`` of the tiles may move the total, the others cannot.
    """

    tiles: tuple[Cell, ...]
    low: int
    high: int
    deciding: int = 0

    def with_bonus(self, bonus: int) -> Review:
        """The range of totals with a majority bonus of so many points, taken as it is."""
        return replace(self, low=self.low + bonus, high=self.high + bonus)


def worth_of_doubt(
    layout: Layout,
    *,
    cards: Mapping[Species, str] | None = None,
    variant: Variant | None = None,
    house_rules: Collection[str] = (),
) -> Review | None:
    """What the doubt in ``layout`` is worth for these rules; None for a layout without confidences.

    The total is that of this environment alone, without the majority bonus.
    """
    if all(placed.confidence_terrain is None and placed.confidence_token is None for placed in layout.tiles):
        return None
    scorer = _Scorer(cards or {}, variant, house_rules)
    env = layout.environment()
    base = scorer.total(env)
    flagged = [placed for placed in layout.tiles if placed.needs_review]
    readings = {placed.tile.cell: _readings(placed) for placed in flagged}
    swings = {
        cell: max((abs(scorer.total(_with(env, tile)) - base) for tile in others), default=0)
        for cell, others in readings.items()
    }
    ordered = sorted(
        flagged, key=lambda placed: (-swings[placed.tile.cell], -_doubt(placed), placed.tile.cell)
    )
    cells = tuple(placed.tile.cell for placed in ordered)
    moving = [readings[cell] for cell in cells if swings[cell]]
    return Review(cells, scorer.extreme(env, moving, -1), scorer.extreme(env, moving, 1), len(moving))


class _Scorer:
    """Totals under one set of rules; remembers those of the environments it has seen."""

    def __init__(self, cards: Mapping[Species, str], variant: Variant | None, house_rules: Collection[str]):
        self._cards = cards
        self._variant = variant
        self._house_rules = house_rules
        self._wildlife: dict[tuple[tuple[Cell, Species | None], ...], int] = {}
        self._habitats: dict[tuple[Tile, ...], int] = {}

    def total(self, env: Environment) -> int:
        """Wildlife, corridors and nature tokens."""
        tokens = tuple((cell, tile.token) for cell, tile in env.tiles.items())
        if tokens not in self._wildlife:
            self._wildlife[tokens] = sum(
                score_wildlife(env, species, self._cards, self._variant, self._house_rules).points
                for species in SPECIES
            )
        lands = tuple(Tile(tile.cell, tile.terrain) for tile in env.tiles.values())
        if lands not in self._habitats:
            self._habitats[lands] = sum(score_habitat(env, terrain).size for terrain in TERRAINS)
        return self._wildlife[tokens] + self._habitats[lands] + env.nature_tokens

    def extreme(self, env: Environment, readings: list[tuple[Tile, ...]], sign: int) -> int:
        """The total after taking for each tile in turn the reading that moves it most towards ``sign``."""
        best = self.total(env)
        for others in readings:
            for tile in others:
                changed = _with(env, tile)
                total = self.total(changed)
                if sign * total > sign * best:
                    best, env = total, changed
        return best


def _readings(placed: LayoutTile) -> tuple[Tile, ...]:
    """The tile by its likely alternatives, in terrain, in token, and in both."""
    by_terrain = sorted(placed.terrain_alternatives, key=lambda other: -other.probability)
    by_token = sorted(placed.token_alternatives, key=lambda other: -other.probability)
    strongest = max(
        [other.probability for other in by_terrain] + [other.probability for other in by_token] + [0.0]
    )
    needed = min(LIKELY, strongest)
    terrains = [other.value for other in by_terrain[:MOST_ALTERNATIVES] if other.probability >= needed]
    tokens = [other.value for other in by_token[:MOST_ALTERNATIVES] if other.probability >= needed]
    tile = placed.tile
    variants = product([tile.terrain, *terrains], [tile.token, *tokens])
    readings = dict.fromkeys(replace(tile, terrain=terrain, token=token) for terrain, token in variants)
    return tuple(reading for reading in readings if reading != tile)


def _with(env: Environment, tile: Tile) -> Environment:
    return Environment({**env.tiles, tile.cell: tile}, env.nature_tokens)


def _doubt(placed: LayoutTile) -> float:
    """The probability that the tile is wrong, terrain or token."""
    right = 1.0
    for confidence in (placed.confidence_terrain, placed.confidence_token):
        right *= 1.0 if confidence is None else confidence
    return 1.0 - right
