"""The score view: what the script in the browser is given to draw.

The script holds no rule and knows no geometry but that of six corners: corners, labels, scores and reasons
all come from here, which has them from `vision` and `scoring`.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Sequence
from functools import lru_cache
from importlib.resources import files
from typing import Any

import numpy as np
import streamlit as st

from scoring.environment import check
from scoring.game import CARD_LETTERS, HOUSE_RULES, ScoreSheet, score_game, solo_step
from scoring.hexgrid import Cell, neighbors
from scoring.layout import Alternative, Layout, LayoutTile, parse_layout
from scoring.review import Review, worth_of_doubt
from vision import PHOTO_WARNINGS
from vision.places import Points, tile_outlines, view_box
from webapp.actions import cell_name
from webapp.game import Game, Player
from webapp.reasons import reason_in, warning_in
from webapp.store import SavedGame
from webapp.words import Words

ALTERNATIVES_SHOWN = 3
"""Likeliest other readings offered above all the rest."""

FEW_TILES = 4
"""Fewer tiles than a starter tile and its first neighbour are shown with the whole photo."""

_STATIC = files("webapp") / "static"
LEAST_LIKELY = 0.02
"""A reading less likely than this is among all the rest, not among the likely ones."""

_SCRIPTS = ("icons.js", "board.js", "panel.js", "pad.js", "view.js")


def _static(name: str) -> str:
    return (_STATIC / name).read_text(encoding="utf-8")


# An inline component takes one module, so the parts are joined; only the last one exports.
score_view = st.components.v2.component(
    "cascadia_score_view",
    html=_static("view.html"),
    css=_static("view.css"),
    js="\n".join(_static(name) for name in _SCRIPTS),
)
photo_keeper = st.components.v2.component("cascadia_photo", js=_static("photo.js"))
backup_keeper = st.components.v2.component("cascadia_backup", js=_static("backup.js"))


def page_style(words: Words) -> str:
    """Style sheet of the page round the components. It also gives Streamlit's upload button its words."""
    label = json.dumps(words("upload"), ensure_ascii=False).replace("<", "")
    return f":root {{ --upload-label: {label}; }}\n{_static('page.css')}"


def data_url(jpeg: bytes) -> str:
    return "data:image/jpeg;base64," + base64.b64encode(jpeg).decode("ascii")


def player_name(player: Player, seat: int, words: Words) -> str:
    return player.name or words("player", number=seat + 1)


def seated_players(game: Game) -> list[tuple[int, Player, Layout]]:
    """Seat, player and layout of everyone who has a layout."""
    return [
        (seat, player, player.layout) for seat, player in enumerate(game.players) if player.layout is not None
    ]


def sheet_of(game: Game, words: Words) -> ScoreSheet | None:
    """The score sheet of all players with a layout; None if there is none."""
    seated = seated_players(game)
    if not seated:
        return None
    return score_game(
        [layout.environment() for _, _, layout in seated],
        cards=game.cards_by_species(),
        variant=game.variant,  # type: ignore[arg-type]  # one of VARIANTS or None
        names=_distinct([player_name(player, seat, words) for seat, player, _ in seated]),
        majority=game.majority,
        house_rules=game.house_rules,
    )


def _distinct(names: Sequence[str]) -> list[str]:
    """The names with a number behind those that stood before: the sheet tells winners by name."""
    distinct: list[str] = []
    for name in names:
        number, different = 1, name
        while different in distinct:
            number += 1
            different = f"{name} {number}"
        distinct.append(different)
    return distinct


def headline(sheet: ScoreSheet, words: Words) -> str:
    """Who won, by how much and by what."""
    best = max(player.total for player in sheet.players)
    if len(sheet.players) == 1:
        alone = words("score.alone", total=best)
        return alone if sheet.variant else f"{alone}: {words(f'solo.{solo_step(best)}')}"
    if len(sheet.winners) > 1:
        return words("winner.shared", names=", ".join(sheet.winners), total=best)
    key = "winner.tie_break" if sheet.decided_by == "nature tokens" else "winner"
    return words(key, name=sheet.winners[0], total=best)


def review_of(layout: Layout, game: Game, bonus: int) -> Review | None:
    """What the doubt in a layout is worth under the game's cards; None where nothing is known of doubt.

    Its totals have the majority bonus as it is.
    """
    review = _review(json.dumps(layout.to_dict()), game.cards, game.variant, game.house_rules)
    return review and review.with_bonus(bonus)


def view_data(key: str, saved: SavedGame, words: Words, show: int | None = None) -> dict[str, Any]:
    """All that the score view draws of a game, as JSON data. `show` is the seat to open with."""
    game = saved.history.game
    sheet = sheet_of(game, words)
    seated = seated_players(game)
    scores = () if sheet is None else sheet.players
    bonus = {seat: score.bonus_total for (seat, _, _), score in zip(seated, scores, strict=True)}
    return {
        "game": key,
        "show": show,
        "words": words.table(),
        "applied": dict(saved.applied),
        "cards": {str(species): letter for species, letter in game.cards_by_species().items()},
        "letters": list(CARD_LETTERS),
        "variant": game.variant,
        "majority": game.majority,
        "house_rules": {rule: rule in game.house_rules for rule in HOUSE_RULES},
        "can_undo": bool(saved.history.past),
        "can_redo": bool(saved.history.future),
        "headline": "" if sheet is None else headline(sheet, words),
        "sheet": None if sheet is None else _sheet_data(sheet, seated, words),
        "players": [
            _player_data(player, seat, game, saved, words, bonus.get(seat, 0))
            for seat, player in enumerate(game.players)
        ],
    }


def _sheet_data(
    sheet: ScoreSheet, seated: Sequence[tuple[int, Player, Layout]], words: Words
) -> dict[str, Any]:
    data = sheet.to_dict()
    for (seat, _, _), player in zip(seated, data["players"], strict=True):
        player["seat"] = seat
        for score in player["wildlife"].values():
            for group in score["groups"]:
                group["reason"] = reason_in(words.language, group["reason"])
    return data


def _player_data(
    player: Player, seat: int, game: Game, saved: SavedGame, words: Words, bonus: int
) -> dict[str, Any]:
    data: dict[str, Any] = {"name": player_name(player, seat, words), "photo": None, "tiles": None}
    layout = player.layout
    if layout is None:
        return data
    cells = [tile.tile.cell for tile in layout.tiles]
    around = _places_around(cells)
    outlines = tile_outlines(layout, [*cells, *around])
    review = review_of(layout, game, bonus)
    doubtful = [tile.tile.cell for tile in layout.tiles if tile.needs_review]
    deciding = [] if review is None else list(review.tiles[: review.deciding])
    if layout.photo is not None and player.photo in saved.photos:
        data |= {"photo": player.photo, "photo_size": [layout.photo.width, layout.photo.height]}
    return data | {
        "photo_gone": player.photo is not None and data["photo"] is None,
        "view": [
            round(value, 1) for value in _view(layout, {cell: outlines[cell] for cell in cells or around})
        ],
        "tiles": [_tile_data(tile, outlines[tile.tile.cell], deciding, words) for tile in layout.tiles],
        "places": [{"cell": cell_name(cell), "corners": _rounded(outlines[cell])} for cell in around],
        "review": [cell_name(cell) for cell in _in_order(deciding, doubtful)],
        "warnings": [warning_in(words.language, sentence) for sentence in unusual_things(layout)],
        **_review_lines(review, len(deciding), len(doubtful), _was_read(layout), words),
    }


def _places_around(cells: Sequence[Cell]) -> list[Cell]:
    """Empty places beside the tiles; the first place of all where there is no tile."""
    taken = set(cells)
    around = {place for cell in cells for place in neighbors(cell)} - taken
    return sorted(around) if taken else [(0, 0)]


def _view(layout: Layout, outlines: dict[Cell, Points]) -> tuple[float, float, float, float]:
    """The part of the photo to show: the tiles, and of the empty places around what their marks need.

    The whole photo while few tiles have been laid over it by hand: they do not tell yet where the others are.
    """
    if layout.photo is not None and len(layout.tiles) < FEW_TILES:
        return 0.0, 0.0, float(layout.photo.width), float(layout.photo.height)
    widths = [float(np.ptp(outline[:, 0])) for outline in outlines.values()]
    return view_box(outlines, margin=0.62 * float(np.mean(widths)))


def _tile_data(tile: LayoutTile, outline: Points, deciding: Sequence[Cell], words: Words) -> dict[str, Any]:
    doubt = _doubt(tile)
    return {
        "cell": cell_name(tile.tile.cell),
        "corners": _rounded(outline),
        "terrain": [str(terrain) for terrain in tile.tile.terrain],
        "token": None if tile.tile.token is None else str(tile.tile.token),
        "doubt": doubt,
        "decides": tile.tile.cell in deciding,
        "label": tile_label(tile, words),
        "terrains": [
            {"terrain": [str(terrain) for terrain in other.value], "probability": other.probability}
            for other in _worth_showing(tile.terrain_alternatives)
        ],
        "tokens": [
            {"token": None if other.value is None else str(other.value), "probability": other.probability}
            for other in _worth_showing(tile.token_alternatives)
        ],
    }


def _worth_showing(alternatives: Sequence[Alternative[Any]]) -> list[Alternative[Any]]:
    return [each for each in alternatives[:ALTERNATIVES_SHOWN] if each.probability >= LEAST_LIKELY]


def _doubt(tile: LayoutTile) -> str | None:
    """What of a tile marked for review is the less certain: its "token" or its "terrain"; None if certain."""
    if not tile.needs_review:
        return None
    terrain = 1.0 if tile.confidence_terrain is None else tile.confidence_terrain
    token = 1.0 if tile.confidence_token is None else tile.confidence_token
    return "token" if token <= terrain else "terrain"


def tile_label(tile: LayoutTile, words: Words) -> str:
    """A tile in the game's words, for ears as well as for eyes."""
    names = [words(str(terrain)) for terrain in tile.tile.terrains]
    habitat = names[0] if len(names) == 1 else words("pair", first=names[0], second=names[1])
    token = words("no_token") if tile.tile.token is None else words(str(tile.tile.token))
    parts = [habitat, token]
    doubt = _doubt(tile)
    if doubt:
        parts.append(words(f"doubt.{doubt}"))
    return " · ".join(parts)


def _was_read(layout: Layout) -> bool | None:
    """Whether a photo was read for this layout, or all of it laid by hand; None if there is no tile."""
    if not layout.tiles:
        return None
    return any(tile.confidence_terrain is not None for tile in layout.tiles)


def _review_lines(
    review: Review | None, deciding: int, doubtful: int, was_read: bool | None, words: Words
) -> dict[str, str]:
    """The sentence about doubtful tiles: first what decides the score, then the rest."""
    if not doubtful:
        key = {None: "review.first", False: "review.by_hand", True: "review.none"}[was_read]
        return {"review_line": words(key), "review_rest": ""}
    if review is None or not deciding:
        return {"review_line": words.count("review.same", doubtful), "review_rest": ""}
    rest = doubtful - deciding
    return {
        "review_line": words.count("review", deciding, low=review.low, high=review.high),
        "review_rest": words.count("review.rest", rest) if rest > 0 else "",
    }


def _in_order(first: Sequence[Cell], then: Sequence[Cell]) -> list[Cell]:
    return [*first, *(cell for cell in then if cell not in first)]


@lru_cache(maxsize=256)
def _review(layout: str, cards: str, variant: str | None, house_rules: frozenset[str]) -> Review | None:
    """What the doubt in a layout (as JSON text, which can be a key) is worth; kept: it costs many scores."""
    game = Game(cards=cards)
    return worth_of_doubt(
        parse_layout(json.loads(layout)),
        cards=game.cards_by_species(),
        variant=variant,  # type: ignore[arg-type]  # one of VARIANTS or None
        house_rules=house_rules,
    )


def unusual_things(layout: Layout) -> list[str]:
    """What the rules find odd about the layout as it is now, and what the reader says of the photo."""
    problems = check([tile.tile for tile in layout.tiles], layout.nature_tokens or 0)
    of_photo = [sentence for sentence in layout.warnings if sentence.startswith(PHOTO_WARNINGS)]
    return [problem.message for problem in problems] + of_photo


def _rounded(outline: Points) -> list[list[float]]:
    return [[round(float(x), 1), round(float(y), 1)] for x, y in outline]
