"""Every layout file that breaks the format gives one clear sentence; what is only odd is scored."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from cascadia.__main__ import main


def tile(**changes: Any) -> dict[str, Any]:
    return {"q": 0, "r": 0, "terrain": ["forest"] * 3 + ["river"] * 3, "token": "bear"} | changes


def layout(*tiles: Any, **changes: Any) -> dict[str, Any]:
    return {"version": 1, "tiles": list(tiles) or [tile()]} | changes


def as_json(data: Any) -> bytes:
    return json.dumps(data).encode()


BAD: dict[str, tuple[Callable[[], bytes], str]] = {
    "empty": (lambda: b"", "empty"),
    "blank": (lambda: b" \n\t ", "empty"),
    "text": (lambda: b"hello", "no JSON at line 1"),
    "cut off": (lambda: as_json(layout())[:-5], "no JSON at line 1"),
    "utf-16": (lambda: json.dumps(layout()).encode("utf-16"), "UTF-8"),
    "a list": (lambda: b"[]", "a layout is an object"),
    "null": (lambda: b"null", "a layout is an object"),
    "no version": (lambda: as_json({"tiles": []}), "version"),
    "a later version": (lambda: as_json(layout(version=2)), "version: 2 is not known"),
    "version as text": (lambda: as_json(layout(version="1")), "version"),
    "version true": (lambda: as_json(layout(version=True)), "version"),
    "no tiles": (lambda: as_json({"version": 1}), "tiles: is missing"),
    "tiles as object": (lambda: as_json({"version": 1, "tiles": {}}), "tiles"),
    "tile as number": (lambda: as_json(layout(7)), "tiles[0]"),
    "no token": (lambda: as_json(layout({"q": 0, "r": 0, "terrain": ["river"] * 6})), "tiles[0].token"),
    "q as text": (lambda: as_json(layout(tile(q="0"))), "tiles[0].q"),
    "q as fraction": (lambda: as_json(layout(tile(q=0.5))), "tiles[0].q"),
    "q true": (lambda: as_json(layout(tile(q=True))), "tiles[0].q"),
    "q NaN": (lambda: as_json(layout(tile(q=float("nan")))), "NaN"),
    "q out of reach": (lambda: as_json(layout(tile(q=10**9))), "tiles[0].q"),
    "q of 5000 digits": (lambda: as_json(layout()).replace(b'"q": 0', b'"q": 1' + b"0" * 5000), "a.json"),
    "five edges": (lambda: as_json(layout(tile(terrain=["river"] * 5))), "tiles[0].terrain"),
    "a lake": (lambda: as_json(layout(tile(), tile(q=1, terrain=["lake"] * 6))), "tiles[1].terrain: 'lake'"),
    "three terrains": (
        lambda: as_json(layout(tile(terrain=["river", "river", "forest", "forest", "prairie", "prairie"]))),
        "tiles[0].terrain",
    ),
    "a newt": (lambda: as_json(layout(tile(token="newt"))), "tiles[0].token: 'newt'"),
    "token as list": (lambda: as_json(layout(tile(token=["bear"]))), "tiles[0].token"),
    "two on one place": (lambda: as_json(layout(tile(), tile())), "same place"),
    "10,000 tiles": (lambda: as_json(layout(*(tile(q=i % 100, r=i // 100) for i in range(10_000)))), "10000"),
    "center NaN": (lambda: as_json(layout(tile(center=[float("nan"), 1]))), "NaN"),
    "center infinite": (lambda: as_json(layout()).replace(b'"q"', b'"center": [1e999, 1], "q"'), "center"),
    "five corners": (lambda: as_json(layout(tile(corners=[[0, 0]] * 5))), "tiles[0].corners"),
    "confidence of 2": (lambda: as_json(layout(tile(confidence={"terrain": 2}))), "confidence.terrain"),
    "fewer than no nature tokens": (lambda: as_json(layout(nature_tokens=-1)), "nature_tokens"),
    "photo without size": (lambda: as_json(layout(photo={"file": "a.jpg"})), "photo.width"),
    "nested lists": (lambda: b'{"version": 1, "tiles": ' + b"[" * 100_000, "nested"),
    "nested unknown key": (
        lambda: b'{"version": 1, "tiles": [], "x": ' + b"[" * 900 + b"]" * 900 + b"}",
        "nested",
    ),
    "6 megabytes": (lambda: as_json(layout(note="x" * 6_000_000)), "larger than 5 MB"),
    "a steering letter": (lambda: as_json(layout(tile(token="\x1b[31mbear"))), r"\x1b[31mbear"),
    "markup": (lambda: as_json(layout(tile(token="<script>alert(1)</script>"))), "<script>"),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_layout_gives_one_sentence(case: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    make, words = BAD[case]
    path = tmp_path / "a.json"
    path.write_bytes(make())
    assert main(["score", str(path)]) == 2
    output, errors = capsys.readouterr()
    assert output == ""
    assert errors.startswith("cascadia: a.json: ")
    assert errors.count("\n") == 1
    assert words in errors
    assert errors.rstrip("\n").isprintable()
    assert len(errors) < 400


ODD: dict[str, Callable[[], bytes]] = {
    "no tile at all": lambda: as_json({"version": 1, "tiles": []}),
    "one tile": lambda: as_json(layout()),
    "two islands": lambda: as_json(layout(tile(), tile(q=50))),
    "byte order mark": lambda: b"\xef\xbb\xbf" + as_json(layout()),
    "unknown keys": lambda: as_json(layout(tile(note={"by": "Ann"}), app="other")),
    "30 bears": lambda: as_json(layout(*(tile(q=i) for i in range(30)))),
    "500 tiles of one species": lambda: as_json(layout(*(tile(q=i % 25, r=i // 25) for i in range(500)))),
    "odd warnings": lambda: as_json(layout(warnings=["\x1b[2Jgone", "<b>bold</b>", "two\nlines"])),
}


@pytest.mark.parametrize("case", ODD)
def test_odd_layout_is_scored(case: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "a.json"
    path.write_bytes(ODD[case]())
    assert main(["score", str(path), "--cards", "BBBBB"]) == 0
    output, errors = capsys.readouterr()
    assert "Total" in output
    for line in (output + errors).splitlines():
        assert line.isprintable()
    assert all(line.startswith("cascadia: a.json: ") for line in errors.splitlines())


def test_a_layout_called_jpg_is_a_layout(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "a.jpg"
    path.write_bytes(as_json(layout()))
    assert main(["score", str(path)]) == 0
    assert "Total" in capsys.readouterr().out


scalars = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8)
anything = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=7) | st.dictionaries(st.text(max_size=5), inner, max_size=4),
)
OPTIONAL = ("keystone", "wildlife", "center", "corners", "confidence", "needs_review", "alternatives", "x")
terrain = st.sampled_from([["forest"] * 6, ["forest"] * 3 + ["river"] * 3, ["lake"] * 6])
tiles = st.fixed_dictionaries(
    {
        "q": st.integers(-3, 3) | anything,
        "r": st.integers(-3, 3),
        "terrain": terrain | anything,
        "token": st.sampled_from([None, "bear", "elk", "salmon", "hawk", "fox"]) | anything,
    },
    optional=dict.fromkeys(OPTIONAL, anything),
)
layouts = st.fixed_dictionaries(
    {"version": st.just(1) | anything, "tiles": st.lists(tiles, max_size=6) | anything},
    optional={"photo": anything, "nature_tokens": anything, "warnings": anything, "y": anything},
)


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=layouts | anything, flags=st.lists(st.sampled_from(["--json", "--explain", "--no-majority"])))
def test_any_json_gives_a_score_or_one_sentence(
    data: Any, flags: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "a.json"
    path.write_text(json.dumps(data))
    status = main(["score", str(path), *flags])
    output, errors = capsys.readouterr()
    if status == 0:
        assert output
    else:
        assert (status, output, errors.count("\n")) == (2, "", 1)
