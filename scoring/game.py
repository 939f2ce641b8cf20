"""The score sheet of a game: wildlife, habitats, nature tokens, ranking."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Literal

from scoring.cards import bear, elk, fox, hawk, salmon
from scoring.cards.family import family, intermediate
from scoring.cards.result import CardScore
from scoring.environment import Environment
from scoring.habitats import corridors, majority
from scoring.hexgrid import Cell
from scoring.pieces import SPECIES, TERRAINS, Species, Terrain

CARD_LETTERS = "ABCD"
#: Elk D with gaps, crowded salmon left out, herds of more than eight not cut; all off by default.
HOUSE_RULES = ("elk_d_gaps", "salmon_lenient", "elk_c_cap")
MOST_PLAYERS = 4
SOLO_STEPS = (60, 70, 80, 90, 100, 110)
"""Points from which one player alone reaches each step of the rulebook's solo scale."""

Variant = Literal["family", "intermediate"]

_VARIANTS: Mapping[str, Callable[[Environment, Species], CardScore]] = MappingProxyType(
    {"family": family, "intermediate": intermediate}
)
_CARDS: Mapping[tuple[Species, str], Callable[[Environment], CardScore]] = MappingProxyType(
    {
        (Species.BEAR, "A"): bear.card_a,
        (Species.BEAR, "B"): bear.card_b,
        (Species.BEAR, "C"): bear.card_c,
        (Species.BEAR, "D"): bear.card_d,
        (Species.ELK, "A"): elk.card_a,
        (Species.ELK, "B"): elk.card_b,
        (Species.ELK, "C"): elk.card_c,
        (Species.ELK, "D"): elk.card_d,
        (Species.SALMON, "A"): salmon.card_a,
        (Species.SALMON, "B"): salmon.card_b,
        (Species.SALMON, "C"): salmon.card_c,
        (Species.SALMON, "D"): salmon.card_d,
        (Species.HAWK, "A"): hawk.card_a,
        (Species.HAWK, "B"): hawk.card_b,
        (Species.HAWK, "C"): hawk.card_c,
        (Species.HAWK, "D"): hawk.card_d,
        (Species.FOX, "A"): fox.card_a,
        (Species.FOX, "B"): fox.card_b,
        (Species.FOX, "C"): fox.card_c,
        (Species.FOX, "D"): fox.card_d,
    }
)
_UNDER_HOUSE_RULE: Mapping[str, Mapping[tuple[Species, str], Callable[[Environment], CardScore]]] = (
    MappingProxyType(
        {
            "elk_d_gaps": {(Species.ELK, "D"): lambda env: elk.card_d(env, gaps=True)},
            "elk_c_cap": {(Species.ELK, "C"): lambda env: elk.card_c(env, cap=True)},
            "salmon_lenient": {
                (Species.SALMON, "A"): lambda env: salmon.card_a(env, lenient=True),
                (Species.SALMON, "B"): lambda env: salmon.card_b(env, lenient=True),
                (Species.SALMON, "C"): lambda env: salmon.card_c(env, lenient=True),
                (Species.SALMON, "D"): lambda env: salmon.card_d(env, lenient=True),
            },
        }
    )
)


@dataclass(frozen=True, slots=True)
class HabitatScore:
    """The largest corridor of one terrain (a point a tile) and the majority bonus for it."""

    size: int
    cells: tuple[Cell, ...]
    bonus: int = 0


@dataclass(frozen=True, slots=True)
class PlayerScore:
    """One column of the score pad. ``rank`` is 1 for the winners."""

    name: str
    wildlife: Mapping[Species, CardScore]
    wildlife_total: int
    habitats: Mapping[Terrain, HabitatScore]
    habitat_total: int
    bonus_total: int
    nature_tokens: int
    total: int
    rank: int

    def to_dict(self) -> dict[str, Any]:
        """The player's column as JSON data."""
        return {
            "name": self.name,
            "wildlife": {
                str(species): {
                    "points": score.points,
                    "groups": [
                        {
                            "points": group.points,
                            "cells": [list(cell) for cell in group.cells],
                            "reason": group.reason,
                        }
                        for group in score.groups
                    ],
                }
                for species, score in self.wildlife.items()
            },
            "wildlife_total": self.wildlife_total,
            "habitats": {
                str(terrain): {
                    "size": score.size,
                    "cells": [list(cell) for cell in score.cells],
                    "bonus": score.bonus,
                }
                for terrain, score in self.habitats.items()
            },
            "habitat_total": self.habitat_total,
            "bonus_total": self.bonus_total,
            "nature_tokens": self.nature_tokens,
            "total": self.total,
            "rank": self.rank,
        }


@dataclass(frozen=True, slots=True)
class ScoreSheet:
    """The whole score pad. With a variant in play the cards are not used."""

    cards: Mapping[Species, str]
    variant: Variant | None
    players: tuple[PlayerScore, ...]
    winners: tuple[str, ...]

    @property
    def decided_by(self) -> Literal["points", "nature tokens", "shared"]:
        """What decided the game: the points, the nature tokens among equals, or nothing (win shared)."""
        if len(self.winners) > 1:
            return "shared"
        best = max(player.total for player in self.players)
        return "points" if sum(player.total == best for player in self.players) == 1 else "nature tokens"

    def to_dict(self) -> dict[str, Any]:
        """The sheet as the JSON data that ``cascadia score --json`` prints (without source and review)."""
        return {
            "version": 1,
            "cards": {str(species): letter for species, letter in self.cards.items()},
            "variant": self.variant,
            "players": [player.to_dict() for player in self.players],
            "winners": list(self.winners),
        }


def solo_step(total: int) -> int:
    """How many of the six steps of the solo scale `total` points reach.

    >>> solo_step(59), solo_step(85), solo_step(130)
    (0, 3, 6)
    """
    return sum(total >= step for step in SOLO_STEPS)


def parse_cards(text: str) -> dict[Species, str]:
    """Card letters as typed: five in the pad's order, or ``bear=A,elk=B`` (species left out play card A).

    ValueError, one sentence, for anything else.

    >>> parse_cards("abcda")[Species.HAWK], parse_cards("fox=C")[Species.FOX]
    ('D', 'C')
    """
    cards = dict.fromkeys(SPECIES, "A")
    if "=" not in text:
        letters = text.strip().upper()
        if len(letters) != len(SPECIES) or any(letter not in CARD_LETTERS for letter in letters):
            raise ValueError(
                f"cards {text[:40]!r}: give five letters A to D for {', '.join(SPECIES)}, or bear=A,elk=B,..."
            )
        return dict(zip(SPECIES, letters, strict=True))
    seen = set()
    for item in text.split(","):
        name, _, letter = (part.strip() for part in item.partition("="))
        if name.lower() not in SPECIES:
            raise ValueError(f"cards {text[:40]!r}: {name[:20]!r} is not one of {', '.join(SPECIES)}")
        species = Species(name.lower())
        if len(letter) != 1 or letter.upper() not in CARD_LETTERS:
            raise ValueError(f"cards {text[:40]!r}: {letter[:20]!r} is not a card letter from A to D")
        if species in seen:
            raise ValueError(f"cards {text[:40]!r}: {species} is named twice")
        seen.add(species)
        cards[species] = letter.upper()
    return cards


def score_environment(
    env: Environment, species: Species, letter: str, house_rules: Collection[str] = frozenset()
) -> CardScore:
    """What ``species`` scores under card ``letter`` (A to D); ValueError for an unknown letter or house rule.

    >>> from scoring.environment import Tile
    >>> from scoring.pieces import edges
    >>> bears = [Tile((q, 0), edges(Terrain.FOREST), Species.BEAR) for q in (0, 1)]
    >>> score_environment(Environment.of(bears), Species.BEAR, "A")
    CardScore(points=4, groups=(Group(points=4, cells=((0, 0), (1, 0)), reason='1 pair'),))
    """
    _check_house_rules(house_rules)
    key = (species, letter)
    if key not in _CARDS:
        raise ValueError(f"{species} has no card {letter!r}, the cards are A to D")
    for rule in house_rules:
        if key in _UNDER_HOUSE_RULE[rule]:
            return _UNDER_HOUSE_RULE[rule][key](env)
    return _CARDS[key](env)


def score_wildlife(
    env: Environment,
    species: Species,
    cards: Mapping[Species, str],
    variant: str | None,
    house_rules: Collection[str],
) -> CardScore:
    """What ``species`` scores in this game: under its card, or under the variant if there is one."""
    if variant is not None:
        return _VARIANTS[variant](env, species)
    return score_environment(env, species, cards.get(species, "A"), house_rules)


def score_habitat(env: Environment, terrain: Terrain) -> HabitatScore:
    """The largest corridor of ``terrain``, without bonus."""
    found = corridors(env, terrain)
    return HabitatScore(len(found[0]), tuple(sorted(found[0]))) if found else HabitatScore(0, ())


def score_game(
    environments: Sequence[Environment],
    *,
    cards: Mapping[Species, str] | None = None,
    variant: Variant | None = None,
    names: Sequence[str] | None = None,
    house_rules: Collection[str] = (),
    majority: bool = True,
) -> ScoreSheet:
    """The score sheet of one game, one environment a player (1 to 4).

    ``cards`` gives the letter of each species' card (left out: A), ``variant`` plays Family or Intermediate
    instead of cards, ``house_rules`` are some of ``HOUSE_RULES``, ``majority=False`` skips majority bonuses.
    Raises ValueError, one sentence, for a number of players, a name or a rule that does not fit.

    >>> from scoring import Environment, Species, Terrain, Tile, edges, score_game
    >>> forest = edges(Terrain.FOREST)
    >>> ann = Environment.of([Tile((0, 0), forest, Species.BEAR), Tile((1, 0), forest, Species.BEAR)])
    >>> ben = Environment.of([Tile((0, 0), forest, Species.HAWK)], nature_tokens=2)
    >>> sheet = score_game([ann, ben], names=["Ann", "Ben"])
    >>> [(player.name, player.total, player.rank) for player in sheet.players]
    [('Ann', 8, 1), ('Ben', 5, 2)]
    >>> sheet.players[0].wildlife[Species.BEAR].groups[0].reason
    '1 pair'
    >>> sheet.players[0].habitats[Terrain.FOREST]
    HabitatScore(size=2, cells=((0, 0), (1, 0)), bonus=2)
    """
    if not 1 <= len(environments) <= MOST_PLAYERS:
        raise ValueError(f"{len(environments)} environments: the game is for 1 to {MOST_PLAYERS} players")
    if variant is not None and variant not in _VARIANTS:
        raise ValueError(f"variant {variant!r} is not one of {', '.join(_VARIANTS)}")
    _check_house_rules(house_rules)
    players = _names(names, len(environments))
    letters = _letters(cards)
    wildlife = [
        {species: score_wildlife(env, species, letters, variant, house_rules) for species in SPECIES}
        for env in environments
    ]
    habitats = [{terrain: score_habitat(env, terrain) for terrain in TERRAINS} for env in environments]
    if majority:
        habitats = _with_bonus(habitats)
    totals = [
        sum(score.points for score in animals.values())
        + sum(score.size + score.bonus for score in lands.values())
        + env.nature_tokens
        for env, animals, lands in zip(environments, wildlife, habitats, strict=True)
    ]
    standing = [(total, env.nature_tokens) for total, env in zip(totals, environments, strict=True)]
    scores = tuple(
        PlayerScore(
            name=name,
            wildlife=animals,
            wildlife_total=sum(score.points for score in animals.values()),
            habitats=lands,
            habitat_total=sum(score.size for score in lands.values()),
            bonus_total=sum(score.bonus for score in lands.values()),
            nature_tokens=env.nature_tokens,
            total=own[0],
            rank=1 + sum(other > own for other in standing),
        )
        for name, env, animals, lands, own in zip(
            players, environments, wildlife, habitats, standing, strict=True
        )
    )
    winners = tuple(player.name for player in scores if player.rank == 1)
    return ScoreSheet(letters, variant, scores, winners)


def _with_bonus(habitats: Sequence[Mapping[Terrain, HabitatScore]]) -> list[dict[Terrain, HabitatScore]]:
    bonuses = {terrain: majority([lands[terrain].size for lands in habitats]) for terrain in TERRAINS}
    return [
        {
            terrain: HabitatScore(score.size, score.cells, bonuses[terrain][player])
            for terrain, score in lands.items()
        }
        for player, lands in enumerate(habitats)
    ]


def _letters(cards: Mapping[Species, str] | None) -> dict[Species, str]:
    letters = dict.fromkeys(SPECIES, "A")
    for name, letter in (cards or {}).items():
        if name not in SPECIES:
            raise ValueError(f"cards: {str(name)[:20]!r} is not one of {', '.join(SPECIES)}")
        if letter not in tuple(CARD_LETTERS):
            raise ValueError(f"cards: {str(letter)[:20]!r} is not a card letter from A to D")
        letters[Species(name)] = letter
    return letters


def _names(names: Sequence[str] | None, players: int) -> list[str]:
    if names is None:
        return [f"Player {i}" for i in range(1, players + 1)]
    if len(names) != players:
        raise ValueError(f"{len(names)} names for {players} players: give one each")
    return [name.strip() or f"Player {i}" for i, name in enumerate(names, 1)]


def _check_house_rules(house_rules: Collection[str]) -> None:
    for rule in house_rules:
        if rule not in HOUSE_RULES:
            raise ValueError(f"house rule {rule!r} is not one of {', '.join(HOUSE_RULES)}")
