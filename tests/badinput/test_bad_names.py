"""Names from strangers are text wherever the page puts them: pad, CSV, JSON, picture, Markdown, files."""

from __future__ import annotations

import csv
import io
import json
import re

import pytest
from PIL import Image

from benchmarks.bad_inputs import layout, tile
from scoring.layout import parse_layout
from webapp.game import MAX_NAME, Game, History, Player, clean_name
from webapp.keep import file_name, share_picture, sheet_csv, sheet_json
from webapp.store import SavedGame
from webapp.text import plain
from webapp.view import sheet_of, view_data
from webapp.words import Words

NAMES = {
    "markup": "<script>alert(1)</script>",
    "image": "<img src=x onerror=alert(1)>",
    "markdown": "[win](javascript:alert(1)) **x** $x$ :red[y]",
    "steers the terminal": "\x1b[2J\x07Ann",
    "several lines": "Ann\r\nBen,99",
    "formula": '=HYPERLINK("http://x")',
    "formula behind a tab": "\t=1+1",
    "other formulas": "@SUM(1)",
    "right to left": "\u202enoitcejni",
    "a path": "../../etc/passwd",
    "marks without end": "A" + "\u0301" * 5000,
    "long": "x" * 100_000,
    "wide": "김" * 50,
    "faces": "👨‍👩‍👧" * 20,
    "null": "A\x00B",
}


@pytest.mark.parametrize("case", NAMES)
@pytest.mark.parametrize("language", ["en", "ko"])
def test_a_name_is_text_wherever_it_stands(case: str, language: str) -> None:
    words = Words(language)
    name = clean_name(NAMES[case])
    assert len(name) <= MAX_NAME
    assert not name or name.isprintable()
    game = Game((Player(name, parse_layout(layout(tile()))), Player("Ben", parse_layout(layout(tile())))))
    sheet = sheet_of(game, words)
    assert sheet is not None
    shown = name or words("player", number=1)
    rows = list(csv.reader(io.StringIO(sheet_csv(sheet, words).decode("utf-8-sig"))))
    assert {len(row) for row in rows} == {3}
    assert rows[0][1].removeprefix("'") == shown
    assert rows[0][1][:1] not in ("=", "+", "-", "@", "\t")
    assert json.loads(sheet_json(game, sheet))["players"][0]["name"] == shown
    saved = SavedGame(History(game))
    assert json.loads(json.dumps(view_data("key", saved, words)))["players"][0]["name"] == shown
    with Image.open(io.BytesIO(share_picture(saved, sheet, words))) as picture:
        picture.load()
    assert re.fullmatch(r"[\w-]+\.json", file_name(name, suffix=".json"))
    marks = r"[<>\[\]()*_`$:&]"
    assert re.search(r"(?<!\\)" + marks, plain(name)) is None, "a mark that Markdown would take"
