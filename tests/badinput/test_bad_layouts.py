"""Every layout file that breaks the format gives one clear sentence; what is only odd is scored."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from benchmarks.bad_inputs import LAYOUTS, ODD_LAYOUTS, as_json, layout
from cascadia.__main__ import main


@pytest.mark.parametrize("case", LAYOUTS)
def test_bad_layout_gives_one_sentence(case: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    make, words = LAYOUTS[case]
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


@pytest.mark.parametrize("case", ODD_LAYOUTS)
def test_odd_layout_is_scored(case: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "a.json"
    path.write_bytes(ODD_LAYOUTS[case]())
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


HOSTILE_NAMES = {
    "markup": "<script>alert(1)</script>",
    "steers the terminal": "\x1b[2J\x07",
    "several lines": "Ann\r\nWins",
    "right to left": "\u202enoitcejni",
    "null": "A\x00B",
    "formula": "=cmd|'/c calc'!A1",
    "no letter": "\u200b",
    "marks without end": "A" + "\u0301" * 5000,
    "half a letter": "\udcff",
}


@pytest.mark.parametrize("case", HOSTILE_NAMES)
def test_names_are_text_in_the_pad_and_in_json(
    case: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    name = HOSTILE_NAMES[case]
    path = tmp_path / "a.json"
    path.write_bytes(as_json(layout()))
    assert main(["score", str(path), "--names", name, "--explain"]) == 0
    output, errors = capsys.readouterr()
    assert all(line.isprintable() for line in (output + errors).splitlines())
    assert main(["score", str(path), "--names", name, "--json"]) == 0
    output = capsys.readouterr().out
    assert output.rstrip("\n").isprintable()
    assert json.loads(output)["players"][0]["name"] == name.strip().replace("\udcff", "?")
