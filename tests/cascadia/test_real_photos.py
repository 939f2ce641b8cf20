"""The command on real photos, from the file to the sheet."""

from __future__ import annotations

import json
from pathlib import Path

from PIL import Image

from cascadia.__main__ import main
from scoring.layout import load_layout


def test_read_then_score(shared: Path, tmp_path: Path, capsys) -> None:
    photo = shared / "photos" / "wood-dark.jpg"
    layout, picture = tmp_path / "read.json", tmp_path / "drawn.jpg"
    assert main(["read", str(photo), "--out", str(layout), "--overlay", str(picture)]) == 0
    assert len(load_layout(layout).tiles) == 23
    assert Image.open(picture).size == Image.open(photo).size
    capsys.readouterr()
    sheets = []
    for source in (photo, layout):
        assert main(["score", str(source), "--json", "--names", "Ann"]) == 0
        sheets.append(json.loads(capsys.readouterr().out))
        assert sheets[-1]["players"][0].pop("source") == source.name
    assert sheets[0] == sheets[1]


def test_a_photo_of_the_box_is_no_environment(shared: Path, capsys) -> None:
    assert main(["score", str(shared / "negatives" / "box-and-insert.jpg")]) == 2
    output, errors = capsys.readouterr()
    assert output == ""
    assert errors.startswith("cascadia: 'box-and-insert.jpg' shows no ")
    assert errors.count("\n") == 1
