"""The layout file: what is kept, and the sentence for everything that is no layout."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring import Layout, LayoutError, LayoutTile, Species, Terrain, Tile, edges, load_layout, parse_layout
from scoring import save_layout as save
from scoring.layout import MAX_TILES, Alternative, PhotoInfo


def tile_data(**changes: Any) -> dict[str, Any]:
    return {"q": 0, "r": 0, "terrain": ["forest"] * 3 + ["river"] * 3, "token": "bear"} | changes


def layout_data(*tiles: object, **changes: Any) -> dict[str, Any]:
    return {"version": 1, "tiles": list(tiles)} | changes


FULL = layout_data(
    tile_data(
        keystone=False,
        wildlife=["bear", "elk"],
        center=[512.0, 388.5],
        corners=[[float(x), 1.0] for x in range(6)],
        confidence={"terrain": 0.998, "token": 0.93, "keystone": 0.5},
        needs_review=True,
        alternatives={
            "terrain": [{"terrain": ["river"] * 6, "probability": 0.01, "note": "glare"}],
            "token": [{"token": "elk", "probability": 0.06}, {"token": None, "probability": 0.01}],
            "wildlife": [],
        },
        seen_by="camera 2",
    ),
    photo={"file": "küche.jpg", "width": 4032, "height": 3024, "iso": 400},
    nature_tokens=2,
    warnings=["31 tiles: a full environment has 23"],
    author={"name": "Ann", "since": [2021, None, True]},
)


def test_a_full_layout_is_understood() -> None:
    layout = parse_layout(FULL)
    (placed,) = layout.tiles
    assert placed.tile == Tile(
        (0, 0),
        edges(Terrain.FOREST, Terrain.RIVER),
        Species.BEAR,
        keystone=False,
        wildlife=(Species.BEAR, Species.ELK),
    )
    assert (placed.center, placed.needs_review) == ((512.0, 388.5), True)
    assert (placed.confidence_terrain, placed.confidence_token) == (0.998, 0.93)
    assert placed.terrain_alternatives == (Alternative(edges(Terrain.RIVER), 0.01, {"note": "glare"}),)
    assert [other.value for other in placed.token_alternatives] == [Species.ELK, None]
    assert layout.photo == PhotoInfo("küche.jpg", 4032, 3024, {"iso": 400})
    assert layout.environment().nature_tokens == 2


def test_unknown_keys_are_written_back() -> None:
    assert parse_layout(FULL).to_dict() == FULL


def test_a_file_gives_back_the_same_layout(tmp_path: Path) -> None:
    layout = parse_layout(FULL)
    save(layout, tmp_path / "ann.json")
    assert load_layout(tmp_path / "ann.json") == layout
    assert [path.name for path in tmp_path.iterdir()] == ["ann.json"]


def test_what_is_optional_may_be_left_out_or_null() -> None:
    bare = parse_layout(layout_data(tile_data(token=None)))
    assert bare == Layout((LayoutTile(Tile((0, 0), edges(Terrain.FOREST, Terrain.RIVER))),))
    optional = ("keystone", "wildlife", "center", "corners", "confidence", "needs_review", "alternatives")
    nulls = parse_layout(
        layout_data(
            tile_data(token=None, **dict.fromkeys(optional)), photo=None, nature_tokens=None, warnings=None
        )
    )
    assert nulls == bare


NAN, INFINITY = float("nan"), float("inf")
DEEP: list[Any] = []
for _ in range(3000):
    DEEP = [DEEP]


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (None, "a layout is an object with 'version' and 'tiles', not null"),
        ([], "a layout is an object with 'version' and 'tiles', not a list of 0"),
        ({}, "version: is missing (this program reads version 1)"),
        ({"version": 2, "tiles": []}, "version: 2 is not known (this program reads version 1)"),
        ({"version": True, "tiles": []}, "version: true is not known (this program reads version 1)"),
        ({"version": "1", "tiles": []}, "version: '1' is not known (this program reads version 1)"),
        ({"version": 1}, "tiles: is missing"),
        ({"version": 1, "tiles": {}}, "tiles: must be a list, not an object"),
        (
            layout_data(*[tile_data()] * 10_000),
            f"tiles: 10000 are more than the {MAX_TILES} that a layout may have",
        ),
        (layout_data(7), "tiles[0]: must be an object, not 7"),
        (layout_data({"q": 0, "terrain": [], "token": None}), "tiles[0].r: is missing"),
        (layout_data(tile_data(q=NAN)), "tiles[0].q: must be a whole number, not nan"),
        (layout_data(tile_data(q=True)), "tiles[0].q: must be a whole number, not true"),
        (layout_data(tile_data(r=1.0)), "tiles[0].r: must be a whole number, not 1.0"),
        (layout_data(tile_data(r=10**6)), "tiles[0].r: 1000000 does not lie between -1000 and 1000"),
        (
            layout_data(tile_data(r=10**5000)),
            "tiles[0].r: so large a number does not lie between -1000 and 1000",
        ),
        (
            layout_data(tile_data(), tile_data(q=1, terrain=["lake"] * 6)),
            "tiles[1].terrain: 'lake' is not one of mountain, forest, prairie, wetland, river",
        ),
        (
            layout_data(tile_data(terrain=["forest"])),
            "tiles[0].terrain: must be a list of six terrains, one for each edge, not a list of 1",
        ),
        (
            layout_data(tile_data(terrain=["forest", "river"] * 3)),
            "tiles[0].terrain: a tile has one terrain, or two on three edges in a row each",
        ),
        (
            layout_data(tile_data(terrain=[["forest"]] * 6)),
            "tiles[0].terrain: a list of 1 is not one of mountain, forest, prairie, wetland, river",
        ),
        (
            layout_data(tile_data(token="<b>\x07")),
            "tiles[0].token: '<b>\\x07' is not one of bear, elk, salmon, hawk, fox",
        ),
        (layout_data(tile_data(token="")), "tiles[0].token: '' is not one of bear, elk, salmon, hawk, fox"),
        (layout_data(tile_data(keystone=1)), "tiles[0].keystone: must be true or false, not 1"),
        (
            layout_data(tile_data(wildlife="bear")),
            "tiles[0].wildlife: must be null or a list of the species shown, not 'bear'",
        ),
        (layout_data(tile_data(wildlife=["elk", "elk"])), "tiles[0].wildlife: names a species twice"),
        (
            layout_data(tile_data(center=[1, 2, 3])),
            "tiles[0].center: must be [x, y] in pixels, not a list of 3",
        ),
        (layout_data(tile_data(center=[1, INFINITY])), "tiles[0].center: inf does not lie between"),
        (layout_data(tile_data(corners=[[0, 0]])), "tiles[0].corners: must be a list of six points"),
        (layout_data(tile_data(confidence=0.5)), "tiles[0].confidence: must be an object, not 0.5"),
        (
            layout_data(tile_data(confidence={"token": 1.5})),
            "tiles[0].confidence.token: 1.5 does not lie between 0 and 1",
        ),
        (
            layout_data(tile_data(needs_review="yes")),
            "tiles[0].needs_review: must be true or false, not 'yes'",
        ),
        (
            layout_data(tile_data(alternatives={"token": [{"token": "elk"}]})),
            "tiles[0].alternatives.token[0].probability: is missing",
        ),
        (
            layout_data(tile_data(alternatives={"terrain": [{"terrain": "x", "probability": 1}]})),
            "tiles[0].alternatives.terrain[0].terrain: must be a list of six terrains",
        ),
        (layout_data(tile_data(note=NAN)), "tiles[0].note: nan is not a number that JSON has"),
        (layout_data(tile_data(note=DEEP)), "tiles[0].note: lists or objects are nested too deeply"),
        (layout_data(tile_data(note="\ud800")), "tiles[0].note: is not valid Unicode text"),
        (
            layout_data(tile_data(), tile_data(q=1), tile_data()),
            "tiles[2]: lies on the same place (q, r) as tiles[0]",
        ),
        (layout_data(nature_tokens=-1), "nature_tokens: -1 does not lie between 0 and 1000"),
        (layout_data(nature_tokens=True), "nature_tokens: must be a whole number, not true"),
        (layout_data(photo={"file": "a.jpg"}), "photo.width: is missing"),
        (layout_data(photo={"file": 1, "width": 1, "height": 1}), "photo.file: must be text, not 1"),
        (layout_data(warnings="none"), "warnings: must be a list of sentences, not 'none'"),
        (layout_data(warnings=[1]), "warnings[0]: must be text, not 1"),
    ],
)
def test_data_that_is_no_layout(data: object, sentence: str) -> None:
    with pytest.raises(LayoutError) as caught:
        parse_layout(data)
    assert str(caught.value).startswith(sentence)
    assert "\n" not in str(caught.value)


def test_every_broken_tile_is_named() -> None:
    with pytest.raises(LayoutError, match=r"and 2 more like this") as caught:
        parse_layout(layout_data(tile_data(q=None), tile_data(token=3), tile_data(q=2), nature_tokens="two"))
    assert [problem.split(":")[0] for problem in caught.value.problems] == [
        "tiles[0].q",
        "tiles[1].token",
        "nature_tokens",
    ]


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"", "ann.json: the file is empty"),
        (b" \n ", "ann.json: the file is empty"),
        (b"\xff\xd8\xff\xe0 JFIF", "ann.json: no layout file, its bytes are not UTF-8 text"),
        (b"{\n 'version': 1}", "ann.json: no layout file, no JSON at line 2, column 2 "),
        (b"[" * 200_000, "ann.json: lists or objects are nested too deeply"),
        (b'{"version": 1, "tiles": [], "x": NaN}', "ann.json: NaN is not a number that JSON has"),
        (b'{"version": 1, "tiles": [], "x": ' + b"9" * 5000 + b"}", "ann.json: "),
        (b" " * 5_000_000 + b"{}", "ann.json: larger than 5 MB, which no layout file is"),
        (b'{"version": 3}', "ann.json: version: 3 is not known"),
    ],
)
def test_files_that_are_no_layout(tmp_path: Path, content: bytes, sentence: str) -> None:
    path = tmp_path / "ann.json"
    path.write_bytes(content)
    with pytest.raises(LayoutError) as caught:
        load_layout(path)
    assert str(caught.value).startswith(sentence)


def test_files_that_are_none(tmp_path: Path) -> None:
    with pytest.raises(LayoutError, match=r"ann\.json: there is no such file"):
        load_layout(tmp_path / "ann.json")
    with pytest.raises(LayoutError, match="cannot be read"):
        load_layout(tmp_path)


def test_a_byte_order_mark_does_no_harm(tmp_path: Path) -> None:
    (tmp_path / "ann.json").write_bytes(b"\xef\xbb\xbf" + json.dumps(FULL).encode())
    assert load_layout(tmp_path / "ann.json") == parse_layout(FULL)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=4),
    max_leaves=8,
)
KEYS = [*FULL["tiles"][0], "new"]


@settings(max_examples=200, deadline=None)
@given(st.sampled_from(KEYS), json_values)
def test_any_value_in_any_field_gives_a_layout_or_one_sentence(key: str, value: object) -> None:
    data = layout_data(FULL["tiles"][0] | {key: value})
    layout, sentence = None, ""
    try:
        layout = parse_layout(data)
    except LayoutError as error:
        sentence = str(error)
    if layout is None:
        assert sentence.startswith("tiles[0]")
    else:
        assert parse_layout(layout.to_dict()) == layout


def test_real_layouts_are_read(shared: Path) -> None:
    for path in sorted((shared / "photos").glob("*.json")):
        layout = load_layout(path)
        assert parse_layout(layout.to_dict()) == layout
