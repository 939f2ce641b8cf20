"""What a tap in the score view does to the game. The browser is not trusted: nonsense is left out."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from scoring.game import CARD_LETTERS, HOUSE_RULES
from scoring.hexgrid import Cell
from scoring.layout import Layout
from vision.places import moved_grid
from webapp import edits
from webapp.game import VARIANTS, Game
from webapp.store import SavedGame

MAX_NATURE_TOKENS = 25
PAGES_KEPT = 20
"""Open pages of one game whose last action is remembered."""


def cell_name(cell: Cell) -> str:
    return f"{cell[0]},{cell[1]}"


def parse_cell(name: object) -> Cell:
    """The cell of `cell_name`. Raises ValueError where there is none."""
    q, r = str(name).split(",")
    return int(q), int(r)


def apply_outbox(saved: SavedGame, outbox: object) -> SavedGame:
    """The game after the actions that a page has sent and that are not done yet.

    `outbox` is {"page": name of the open page, "actions": [{"number": 1, "type": ..., ...}, ...]}. A page
    sends its list again until it is confirmed; an action whose number is done is passed over.
    """
    if not isinstance(outbox, Mapping) or not isinstance(outbox.get("actions"), list):
        return saved
    page = str(outbox.get("page"))[:40]
    done = saved.applied.get(page, 0)
    history = saved.history
    for action in outbox["actions"]:
        number = action.get("number") if isinstance(action, Mapping) else None
        if not isinstance(number, int) or number <= done:
            continue
        done = number
        match action.get("type"):
            case "undo":
                history = history.undo()
            case "redo":
                history = history.redo()
            case _:
                history = history.step(changed(history.game, action))
    others = {name: last for name, last in saved.applied.items() if name != page}
    kept = dict(list(others.items())[-(PAGES_KEPT - 1) :])
    return replace(saved, history=history, applied={**kept, page: done})


def changed(game: Game, action: Mapping[str, Any]) -> Game:
    """The game after one action; the same game if the action does not fit it."""
    try:
        change = _CHANGES[action["type"]]
        return change(game, action)
    except (KeyError, IndexError, TypeError, ValueError, AttributeError):
        return game


def _on_layout(
    edit: Callable[[Layout, Mapping[str, Any]], Layout],
) -> Callable[[Game, Mapping[str, Any]], Game]:
    def change(game: Game, action: Mapping[str, Any]) -> Game:
        seat = int(action["seat"])
        layout = game.players[seat].layout if seat >= 0 else None
        return game if layout is None else game.with_player(seat, layout=edit(layout, action))

    return change


def _number(value: object, least: float, most: float) -> float:
    return min(most, max(least, float(value)))  # type: ignore[arg-type]  # a TypeError drops the action


def _grid(layout: Layout, action: Mapping[str, Any]) -> Layout:
    return moved_grid(
        layout,
        right=_number(action.get("right", 0), -5, 5),
        down=_number(action.get("down", 0), -5, 5),
        turn=_number(action.get("turn", 0), -180, 180),
        scale=_number(action.get("scale", 1), 0.5, 2),
    )


def _nature(layout: Layout, action: Mapping[str, Any]) -> Layout:
    return edits.set_nature_tokens(layout, int(_number(action["count"], 0, MAX_NATURE_TOKENS)))


def _card(game: Game, action: Mapping[str, Any]) -> Game:
    known = action["letter"] in tuple(CARD_LETTERS)
    return game.with_card(action["species"], action["letter"]) if known else game


def _variant(game: Game, action: Mapping[str, Any]) -> Game:
    variant = action["variant"]
    return replace(game, variant=variant) if variant is None or variant in VARIANTS else game


def _house_rule(game: Game, action: Mapping[str, Any]) -> Game:
    rule = frozenset({action["rule"]}) & frozenset(HOUSE_RULES)
    return replace(game, house_rules=game.house_rules | rule if action["on"] else game.house_rules - rule)


_CHANGES: Mapping[str, Callable[[Game, Mapping[str, Any]], Game]] = {
    "token": _on_layout(lambda layout, a: edits.set_token(layout, parse_cell(a["cell"]), a["token"])),
    "terrain": _on_layout(lambda layout, a: edits.set_terrain(layout, parse_cell(a["cell"]), a["terrain"])),
    "confirm": _on_layout(lambda layout, a: edits.confirm(layout, parse_cell(a["cell"]))),
    "remove": _on_layout(lambda layout, a: edits.remove_tile(layout, parse_cell(a["cell"]))),
    "grid": _on_layout(_grid),
    "nature": _on_layout(_nature),
    "card": _card,
    "variant": _variant,
    "house_rule": _house_rule,
    "majority": lambda game, action: replace(game, majority=bool(action["majority"])),
}
