"""What can be taken away: layout files, the score sheet as JSON and CSV, a picture for the group."""

from __future__ import annotations

import csv
import io
import json
import re
from typing import Any

from scoring.game import ScoreSheet
from scoring.layout import Layout
from scoring.pieces import SPECIES, TERRAINS
from vision.share import board_picture, share_sheet
from webapp.game import Game
from webapp.store import SavedGame
from webapp.view import headline, review_of, seated_players
from webapp.words import Words


def file_name(*parts: str, suffix: str) -> str:
    """A name that every system takes: letters and digits of any script, joined by hyphens."""
    words = [word for part in parts for word in re.findall(r"\w+", part)]
    return "-".join(words or ["cascadia"]) + suffix


def layout_json(layout: Layout) -> str:
    return json.dumps(layout.to_dict(), ensure_ascii=False, indent=1)


def sheet_json(game: Game, sheet: ScoreSheet) -> str:
    """The sheet as `cascadia score --json` prints it, the source being the photo's name."""
    data = sheet.to_dict()
    for (_, _, layout), player, score in zip(
        seated_players(game), data["players"], sheet.players, strict=True
    ):
        player["source"] = None if layout.photo is None else layout.photo.file
        player["review"] = _review_data(layout, game, score.bonus_total)
    return json.dumps({"version": 1} | data, ensure_ascii=False, indent=1)


def _review_data(layout: Layout, game: Game, bonus: int) -> dict[str, Any] | None:
    review = review_of(layout, game, bonus)
    if review is None:
        return None
    return {"tiles": [list(cell) for cell in review.tiles], "low": review.low, "high": review.high}


def pad_rows(sheet: ScoreSheet, words: Words) -> list[list[str]]:
    """The pad as rows of text: a label, then a cell for every player."""
    players = sheet.players

    def row(label: str, *cells: object) -> list[str]:
        return [label, *(str(cell) for cell in cells)]

    rows = [row("", *(player.name for player in players))]
    for species in SPECIES:
        label = words(str(species)) if sheet.variant else f"{words(str(species))} {sheet.cards[species]}"
        rows.append(row(label, *(player.wildlife[species].points for player in players)))
    rows.append(row(words("wildlife_total"), *(player.wildlife_total for player in players)))
    for terrain in TERRAINS:
        scores = [player.habitats[terrain] for player in players]
        rows.append(
            row(words(str(terrain)), *(f"{s.size} + {s.bonus}" if s.bonus else s.size for s in scores))
        )
    rows.append(row(words("habitat_total"), *(player.habitat_total for player in players)))
    rows.append(row(words("bonus_total"), *(player.bonus_total for player in players)))
    rows.append(row(words("nature_tokens"), *(player.nature_tokens for player in players)))
    rows.append(row(words("total"), *(player.total for player in players)))
    rows.append(row(words("rank"), *(player.rank for player in players)))
    return rows


STRONG_ROWS = (0, 6, 12, 15)
"""Rows of `pad_rows` that stand out: names, wildlife total, habitat total, total."""


def sheet_csv(sheet: ScoreSheet, words: Words) -> bytes:
    """The pad as CSV for a spreadsheet, UTF-8 with a byte order mark (without it Excel garbles Hangul)."""
    text = io.StringIO()
    csv.writer(text).writerows([[_plain(cell) for cell in row] for row in pad_rows(sheet, words)])
    return text.getvalue().encode("utf-8-sig")


def _plain(cell: str) -> str:
    """A cell that no spreadsheet takes for a formula: names come from strangers."""
    return f"'{cell}" if cell[:1] in ("=", "+", "-", "@") else cell


def share_picture(saved: SavedGame, sheet: ScoreSheet, words: Words) -> bytes:
    """Every player's photo with the reading over it, and the pad below, as one JPEG."""
    game = saved.history.game
    boards = []
    for (_, player, layout), score in zip(seated_players(game), sheet.players, strict=True):
        if layout.tiles:
            photo = saved.photos.get(player.photo or "")
            boards.append((f"{score.name}: {score.total}", board_picture(layout, photo)))
    rows = [[headline(sheet, words)], *pad_rows(sheet, words)]
    return share_sheet(boards, rows, strong_rows=[0, *(number + 1 for number in STRONG_ROWS)])
