"""What a table is playing: players with their layouts, the cards, and every step that can be taken back.

All values are frozen; a change makes a new `Game`, so that undo is a matter of keeping the old one.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from scoring.game import CARD_LETTERS, HOUSE_RULES
from scoring.layout import Layout, parse_layout
from scoring.pieces import SPECIES, Species

MAX_PLAYERS = 4
MAX_NAME = 24
"""Longest name kept, in characters; the pad's columns have no room for more."""

VARIANTS = ("family", "intermediate")
STEPS_KEPT = 200


def clean_name(name: str) -> str:
    """A name as it is kept: one line, no control characters, at most `MAX_NAME` characters."""
    printable = "".join(character if character.isprintable() else " " for character in name)
    return " ".join(printable.split())[:MAX_NAME].strip()


@dataclass(frozen=True)
class Player:
    """One seat at the table. `photo` names the picture in the store (None: built by hand or from a file)."""

    name: str = ""
    layout: Layout | None = None
    photo: str | None = None


@dataclass(frozen=True)
class Game:
    """Everything that decides the score sheet. `cards` holds one letter per species in the pad's order."""

    players: tuple[Player, ...] = (Player(),)
    cards: str = "AAAAA"
    variant: str | None = None
    majority: bool = True
    house_rules: frozenset[str] = frozenset()

    def cards_by_species(self) -> dict[Species, str]:
        return dict(zip(SPECIES, self.cards, strict=True))

    def with_card(self, species: str, letter: str) -> Game:
        """The game with another card for one species, which also leaves a variant."""
        cards = {**self.cards_by_species(), Species(species): letter}
        return replace(self, cards="".join(cards[each] for each in SPECIES), variant=None)

    def with_player(self, seat: int, **changes: Any) -> Game:
        players = list(self.players)
        players[seat] = replace(players[seat], **changes)
        return replace(self, players=tuple(players))

    def with_seats(self, count: int) -> Game:
        """The game with `count` players: empty seats are added at the end, or the last ones leave."""
        count = max(1, min(MAX_PLAYERS, count))
        added = (Player(),) * (count - len(self.players))
        return replace(self, players=(self.players + added)[:count])

    def free_seat(self) -> int | None:
        """The first seat without a layout; None if all have one."""
        return next((seat for seat, player in enumerate(self.players) if player.layout is None), None)

    def seated(self, layout: Layout, photo: str | None) -> Game:
        """The game with `layout` at the first free seat, a new one if all are taken.

        Raises ValueError if four players have theirs already.
        """
        seat = self.free_seat()
        game = self
        if seat is None:
            if len(self.players) >= MAX_PLAYERS:
                raise ValueError("all four players have an environment")
            seat = len(self.players)
            game = self.with_seats(seat + 1)
        return game.with_player(seat, layout=layout, photo=photo)

    def to_dict(self) -> dict[str, Any]:
        """JSON of the game without pixels, for the browser's own backup."""
        return {
            "players": [
                {
                    "name": player.name,
                    "layout": None if player.layout is None else player.layout.to_dict(),
                    "photo": player.photo,
                }
                for player in self.players
            ],
            "cards": self.cards,
            "variant": self.variant,
            "majority": self.majority,
            "house_rules": sorted(self.house_rules),
        }


def parse_game(data: object) -> Game:
    """The game of a browser's backup.

    Raises ValueError (LayoutError is one) if `data` is not what `Game.to_dict` writes: it comes from outside.
    """
    if not isinstance(data, Mapping) or not isinstance(data.get("players"), list):
        raise ValueError("no saved game")
    players = []
    for entry in data["players"][:MAX_PLAYERS]:
        if not isinstance(entry, Mapping):
            raise ValueError("no saved game")
        layout = None if entry.get("layout") is None else parse_layout(entry["layout"])
        photo = entry.get("photo") if isinstance(entry.get("photo"), str) else None
        players.append(Player(clean_name(str(entry.get("name") or "")), layout, photo))
    cards = data.get("cards")
    if not isinstance(cards, str) or len(cards) != len(SPECIES) or set(cards) - set(CARD_LETTERS):
        raise ValueError("no saved game")
    variant = data.get("variant") if data.get("variant") in VARIANTS else None
    rules = data.get("house_rules")
    return Game(
        players=tuple(players) or (Player(),),
        cards=cards,
        variant=variant,
        majority=bool(data.get("majority", True)),
        house_rules=frozenset(rule for rule in HOUSE_RULES if isinstance(rules, list) and rule in rules),
    )


@dataclass(frozen=True)
class History:
    """A game with the way back and forth. The newest step is the last of `past` and the first of `future`."""

    game: Game = field(default_factory=Game)
    past: tuple[Game, ...] = ()
    future: tuple[Game, ...] = ()

    def step(self, game: Game) -> History:
        """After a change; a change that changes nothing is no step."""
        if game == self.game:
            return self
        return History(game, (*self.past, self.game)[-STEPS_KEPT:], ())

    def undo(self) -> History:
        if not self.past:
            return self
        return History(self.past[-1], self.past[:-1], (self.game, *self.future))

    def redo(self) -> History:
        if not self.future:
            return self
        return History(self.future[0], (*self.past, self.game), self.future[1:])
