"""The rules of Cascadia: an environment goes in, the score sheet with its reasons comes out.

>>> from scoring import Environment, Species, Terrain, Tile, edges, score_game
>>> foxes = [Tile((q, 0), edges(Terrain.RIVER), Species.FOX) for q in range(3)]
>>> score_game([Environment.of(foxes)], names=["Ann"]).players[0].total
6

Three foxes that see one species each, and a river of three tiles.
"""

from scoring.cards.result import CardScore, Group
from scoring.environment import Environment, Problem, Tile, check
from scoring.game import (
    CARD_LETTERS,
    HOUSE_RULES,
    SOLO_STEPS,
    HabitatScore,
    PlayerScore,
    ScoreSheet,
    parse_cards,
    score_environment,
    score_game,
    solo_step,
)
from scoring.habitats import corridors, majority
from scoring.hexgrid import DIRECTIONS, Cell, components, mirror, neighbor, neighbors, turn
from scoring.layout import (
    Alternative,
    Layout,
    LayoutError,
    LayoutTile,
    PhotoInfo,
    load_layout,
    parse_layout,
    save_layout,
)
from scoring.pieces import SPECIES, TERRAINS, Box, BoxTile, Species, Terrain, box, edges, terrain_states
from scoring.review import Review, worth_of_doubt

__all__ = [
    "CARD_LETTERS",
    "DIRECTIONS",
    "HOUSE_RULES",
    "SOLO_STEPS",
    "SPECIES",
    "TERRAINS",
    "Alternative",
    "Box",
    "BoxTile",
    "CardScore",
    "Cell",
    "Environment",
    "Group",
    "HabitatScore",
    "Layout",
    "LayoutError",
    "LayoutTile",
    "PhotoInfo",
    "PlayerScore",
    "Problem",
    "Review",
    "ScoreSheet",
    "Species",
    "Terrain",
    "Tile",
    "box",
    "check",
    "components",
    "corridors",
    "edges",
    "load_layout",
    "majority",
    "mirror",
    "neighbor",
    "neighbors",
    "parse_cards",
    "parse_layout",
    "save_layout",
    "score_environment",
    "score_game",
    "solo_step",
    "terrain_states",
    "turn",
    "worth_of_doubt",
]
