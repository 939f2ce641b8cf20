"""Files to take away."""

from __future__ import annotations

import csv
import io
import json

from fake_reader import in_doubt, sample_layout
from PIL import Image

from scoring.layout import parse_layout
from webapp.game import Game, History, Player
from webapp.keep import file_name, layout_json, share_picture, sheet_csv, sheet_json
from webapp.store import SavedGame
from webapp.view import sheet_of, view_data
from webapp.words import Words

WORDS = Words("en")


def two_players() -> Game:
    layout = in_doubt(sample_layout("01-from-above.jpg"))
    return Game((Player("=Ann", layout), Player("", layout), Player("Cem")))


def test_a_layout_file_leads_back_to_the_layout():
    layout = two_players().players[0].layout
    assert parse_layout(json.loads(layout_json(layout))) == layout


def test_the_sheet_as_json_has_source_and_review():
    game = two_players()
    data = json.loads(sheet_json(game, sheet_of(game, WORDS)))
    assert data["version"] == 1
    assert [player["name"] for player in data["players"]] == ["=Ann", "Player 2"]
    assert len(data["players"][0]["review"]["tiles"]) == 2
    for player in data["players"]:
        assert player["review"]["low"] <= player["total"] <= player["review"]["high"]
    assert data["players"][0]["source"]


def test_the_sheet_as_csv_has_a_column_for_every_player_and_no_formula():
    game = two_players()
    sheet = sheet_of(game, WORDS)
    rows = list(csv.reader(io.StringIO(sheet_csv(sheet, WORDS).decode("utf-8-sig"))))
    assert rows[0] == ["", "'=Ann", "Player 2"]
    assert all(len(row) == 3 for row in rows)
    totals = next(row for row in rows if row[0] == "Total")
    assert totals[1:] == [str(player.total) for player in sheet.players]


def test_the_picture_has_every_board_and_the_pad():
    game = two_players()
    saved = SavedGame(History(game))
    picture = Image.open(io.BytesIO(share_picture(saved, sheet_of(game, WORDS), WORDS)))
    assert picture.format == "JPEG"
    assert picture.width >= 1000
    assert picture.height > 16 * 40


def test_names_make_file_names():
    assert file_name("Ann/Lee", "지민", suffix=".json") == "Ann-Lee-지민.json"
    assert file_name("..", suffix=".jpg") == "cascadia.jpg"


def test_equal_names_are_told_apart():
    layout = sample_layout("01-from-above.jpg")
    game = Game((Player("Ann", layout), Player("Ann", layout)))
    assert [player.name for player in sheet_of(game, WORDS).players] == ["Ann", "Ann 2"]


def test_the_view_asks_first_about_what_decides_the_score():
    data = view_data("key", SavedGame(History(two_players())), WORDS)
    ann, _, cem = data["players"]
    deciding = [tile["cell"] for tile in ann["tiles"] if tile["decides"]]
    assert ann["review"][: len(deciding)] == sorted(deciding, key=ann["review"].index)
    assert len(ann["review"]) == 2
    assert cem["tiles"] is None
    assert json.loads(json.dumps(data)) == data
    assert {place["cell"] for place in ann["places"]}.isdisjoint(tile["cell"] for tile in ann["tiles"])
