"""`cascadia score`: who plays, what is printed, what is drawn."""

from __future__ import annotations

import json
import re
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from cascadia.__main__ import main
from cascadia.pad import doubt
from scoring.review import Review

TWO_BEARS = ("bear", "bear", None)


def test_pad_of_two_players(layout_file, row, capsys) -> None:
    ann = layout_file("ann.json", row(*TWO_BEARS, "fox", nature_tokens=2))
    ben = layout_file("ben.json", row("elk", None))
    assert main(["score", str(ann), str(ben)]) == 0
    lines = capsys.readouterr().out.splitlines()
    rows = {line[:15].strip(): line[15:].split() for line in lines if line[:1].isalpha()}
    assert lines[0].split() == ["ann", "ben"]
    assert rows["Bear   A"] == ["4", "0"]
    assert rows["Elk    A"] == ["0", "2"]
    assert rows["Fox    A"] == ["0", "0"]
    assert rows["Wildlife"] == ["4", "2"]
    assert rows["Forest"] == ["1", "+1", "1", "+1"]
    assert rows["Mountain"] == ["0", "0"]
    assert rows["Nature tokens"] == ["2", "0"]
    assert rows["Total"] == ["10", "6"]
    assert rows["Rank"] == ["1", "2"]
    assert list(rows)[:11] == [
        *("Bear   A", "Elk    A", "Salmon A", "Hawk   A", "Fox    A", "Wildlife"),
        *("Mountain", "Forest", "Prairie", "Wetland", "River"),
    ]
    assert re.search(r"^ann wins with \d+ points\.$", "\n".join(lines), re.MULTILINE)


def test_numbers_stand_in_columns_under_wide_names(layout_file, row, capsys) -> None:
    path = layout_file("a.json", row(*TWO_BEARS))
    assert main(["score", str(path), "--names", "김민수"]) == 0
    header, *rest = capsys.readouterr().out.splitlines()
    total = next(line for line in rest if line.startswith("Total"))
    assert header.endswith("김민수")
    assert len(total) == len(header) + 3, "each of the three letters is two columns wide"


def test_tie_is_broken_by_nature_tokens_and_said_so(layout_file, row, capsys) -> None:
    few = layout_file("few.json", row("elk", None, "elk", nature_tokens=0))
    many = layout_file("many.json", row("elk", None, None, nature_tokens=2))
    assert main(["score", str(few), str(many)]) == 0
    assert "many wins the tie at 8 points by nature tokens: 2 against 0 of few." in capsys.readouterr().out


def test_shared_win(layout_file, row, capsys) -> None:
    paths = [layout_file(f"{name}.json", row("elk")) for name in ("ann", "ben")]
    assert main(["score", *map(str, paths)]) == 0
    assert "ann and ben share the win" in capsys.readouterr().out


def test_json(layout_file, row, capsys) -> None:
    ann = layout_file("ann.json", row(*TWO_BEARS, doubtful=1))
    assert main(["score", str(ann), "--json", "--names", "Ann", "--nature", "3"]) == 0
    sheet = json.loads(capsys.readouterr().out)
    assert sheet["version"] == 1
    assert sheet["cards"] == dict.fromkeys(("bear", "elk", "salmon", "hawk", "fox"), "A")
    assert sheet["variant"] is None
    assert sheet["winners"] == ["Ann"]
    (player,) = sheet["players"]
    assert player["name"] == "Ann"
    assert player["source"] == "ann.json"
    assert player["wildlife"]["bear"]["points"] == 4
    assert player["wildlife"]["bear"]["groups"][0]["cells"] == [[0, 0], [1, 0]]
    assert player["nature_tokens"] == 3
    assert player["review"]["tiles"] == [[1, 0]]
    assert player["review"]["low"] == player["total"] - 4
    assert player["review"]["high"] == player["total"]


def test_doubt_is_told_in_a_sentence(layout_file, row, capsys) -> None:
    path = layout_file("ann.json", row(*TWO_BEARS, doubtful=1))
    assert main(["score", str(path)]) == 0
    sentence = r"^ann: 1 tile to check, \(1,0\): the total lies between (\d+) and (\d+)\.$"
    low, high = map(int, re.search(sentence, capsys.readouterr().out, re.MULTILINE).groups())
    assert high - low == 4


def test_layout_without_confidences_has_no_review(tmp_path: Path, capsys) -> None:
    path = tmp_path / "a.json"
    path.write_text(
        '{"version": 1, "tiles": [{"q": 0, "r": 0, "terrain": ["river", "river", "river", '
        '"forest", "forest", "forest"], "token": null}]}'
    )
    assert main(["score", str(path), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["players"][0]["review"] is None


def test_explain_names_groups_and_corridors(layout_file, row, capsys) -> None:
    path = layout_file("ann.json", row(*TWO_BEARS))
    assert main(["score", str(path), "--explain"]) == 0
    output = capsys.readouterr().out
    assert re.search(r"Bear   A: 4 points\n +4  .*: \(0,0\) \(1,0\)", output)
    assert re.search(r"Forest: 1 point\n +1  corridor of 1 tile: ", output)


def test_cards_variants_and_house_rules(layout_file, row, capsys) -> None:
    path = str(layout_file("a.json", row("bear", "bear", "bear")))

    def bears(*options: str) -> int:
        assert main(["score", path, "--json", *options]) == 0
        return json.loads(capsys.readouterr().out)["players"][0]["wildlife"]["bear"]["points"]

    assert bears() == 0
    assert bears("--cards", "BAAAA") == 10
    assert bears("--cards", "bear=C") == 8
    assert bears("--variant", "family") == 9
    assert bears("--variant", "intermediate") == 8
    assert bears("--house-rule", "elk_c_cap", "--house-rule", "salmon_lenient") == 0


def test_no_majority(layout_file, row, capsys) -> None:
    path = str(layout_file("a.json", row("bear")))
    assert main(["score", path, path, "--no-majority", "--json"]) == 0
    assert [p["bonus_total"] for p in json.loads(capsys.readouterr().out)["players"]] == [0, 0]


def test_same_file_twice_gives_two_names(layout_file, row, capsys) -> None:
    path = str(layout_file("a.json", row("bear")))
    assert main(["score", path, path]) == 0
    assert capsys.readouterr().out.splitlines()[0].split() == ["a", "1", "a", "2"]


def test_names_are_shown_as_text(layout_file, row, capsys) -> None:
    path = str(layout_file("a.json", row("bear", doubtful=0)))
    assert main(["score", path, path, "--names", "\x1b[31mAnn,<b>Ben</b>", "--explain"]) == 0
    output = capsys.readouterr().out
    assert r"\x1b[31mAnn" in output
    assert "<b>Ben</b>" in output
    assert all(line.isprintable() for line in output.splitlines())


WRONG = {
    "cards": (["--cards", "ABC"], "--cards"),
    "card letter": (["--cards", "ABCDE"], "--cards"),
    "cards and variant": (["--cards", "AAAAA", "--variant", "family"], "exclude each other"),
    "variant": (["--variant", "expert"], "expert"),
    "house rule": (["--house-rule", "bears_fly"], "no house rule 'bears_fly'"),
    "more names": (["--names", "Ann,Ben"], "2 names for 1 environment"),
    "empty name": (["--names", "Ann,"], "empty"),
    "no name": (["--names", ""], "empty"),
    "same names": (["--names", "Ann,Ann"], "two players are called 'Ann'"),
    "nature word": (["--nature", "two"], "'two' is not a number"),
    "nature below none": (["--nature=-1"], "'-1' is not a number"),
    "nature without end": (["--nature", "9" * 5000], "'999999999999999999..' is not a number"),
    "empty overlay": (["--overlay", ""], "is empty"),
    "nature for two": (["--nature", "1,2"], "2 numbers for 1 player"),
    "unknown option": (["--foxes"], "--foxes"),
    "overlay nowhere": (["--overlay", "no/such/folder/a.png"], "create it first"),
    "overlay as text": (["--overlay", "a.txt"], "must end in .png or .jpg"),
}


@pytest.mark.parametrize("case", WRONG)
def test_wrong_options_give_one_sentence(case: str, layout_file, row, capsys) -> None:
    options, words = WRONG[case]
    path = layout_file("a.json", row("bear"))
    assert main(["score", str(path), *options]) == 2
    output, errors = capsys.readouterr()
    assert output == ""
    assert errors.startswith("cascadia: ")
    assert errors.count("\n") == 1
    assert words in errors


def test_five_players_are_too_many(layout_file, row, capsys) -> None:
    path = str(layout_file("a.json", row("bear")))
    assert main(["score", *[path] * 5]) == 2
    assert capsys.readouterr().err == (
        "cascadia: 5 inputs: the game is for 1 to 4 players, give one for each\n"
    )


def test_endless_name_is_cut_in_the_pad_and_whole_in_json(layout_file, row, capsys) -> None:
    path = str(layout_file("a.json", row("bear")))
    name = "x" * 300_000
    assert main(["score", path, "--names", name]) == 0
    assert "xx.." in capsys.readouterr().out.splitlines()[0]
    assert main(["score", path, "--names", name, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["players"][0]["name"] == name


def test_names_that_are_no_unicode_stay_readable_json(layout_file, row, capsys) -> None:
    path = layout_file("b\udcffd.json", row("bear"))
    assert main(["score", str(path), "--json"]) == 0
    player = json.loads(capsys.readouterr().out)["players"][0]
    assert (player["name"], player["source"]) == ("b?d", "b?d.json")


def test_photo_and_layout_mixed(photo_file, layout_file, row, reader, capsys) -> None:
    reader["ann.png"] = (row(*TWO_BEARS),)
    ben = layout_file("ben.json", row("elk"))
    assert main(["score", str(photo_file("ann.png")), str(ben), "--json"]) == 0
    players = json.loads(capsys.readouterr().out)["players"]
    assert [(p["name"], p["source"]) for p in players] == [("ann", "ann.png"), ("ben", "ben.json")]
    assert players[0]["wildlife"]["bear"]["points"] == 4


def test_photo_without_environment(photo_file, reader, capsys) -> None:
    assert main(["score", str(photo_file("table.png"))]) == 2
    output, errors = capsys.readouterr()
    assert (output, errors.count("\n")) == ("", 1)
    assert "'table.png' shows no Cascadia environment" in errors


def test_largest_of_two_environments_counts_and_the_other_is_named(photo_file, row, reader, capsys) -> None:
    reader["both.png"] = (row("bear", "bear", "bear", "bear", x=500), row("elk", "elk", "elk"))
    assert main(["score", str(photo_file("both.png")), "--json"]) == 0
    output, errors = capsys.readouterr()
    assert len(json.loads(output)["players"]) == 1
    assert "both.png shows 2 environments, the largest is scored" in errors


def test_two_names_score_both_environments_from_left_to_right(photo_file, row, reader, capsys) -> None:
    reader["both.png"] = (row("bear", "bear", None, x=500), row("elk", x=50))
    assert main(["score", str(photo_file("both.png")), "--names", "Ann,Ben", "--json"]) == 0
    output, errors = capsys.readouterr()
    ann, ben = json.loads(output)["players"]
    assert (ann["name"], ann["wildlife"]["elk"]["points"]) == ("Ann", 2)
    assert (ben["name"], ben["wildlife"]["bear"]["points"]) == ("Ben", 4)
    assert "both.png shows the environments of Ann, Ben from left to right" in errors


def test_oddities_are_told_once(layout_file, row, capsys) -> None:
    path = layout_file("a.json", row("bear"))
    assert main(["score", str(path)]) == 0
    errors = capsys.readouterr().err.splitlines()
    assert "cascadia: a.json: 1 tile: a full environment has 23" in errors
    assert len(errors) == len(set(errors))


def test_overlay_over_a_photo(photo_file, row, reader, tmp_path: Path, capsys) -> None:
    photo = photo_file("ann.png")
    reader["ann.png"] = (row(*TWO_BEARS),)
    for name in ("drawn.png", "drawn.jpg"):
        assert main(["score", str(photo), "--overlay", str(tmp_path / name)]) == 0
        drawn = np.asarray(Image.open(tmp_path / name).convert("RGB")).astype(int)
        assert drawn.shape == (300, 800, 3)
        assert np.abs(drawn - (120, 90, 60)).max(axis=2)[40:160, 50:350].mean() > 20
        assert np.abs(drawn - (120, 90, 60)).max() > 100
        assert np.abs(drawn[:, 600:] - (120, 90, 60)).max() < 10
    assert not list(tmp_path.glob("*.part"))


def test_overlay_of_a_layout_is_a_plan_or_its_photo(photo_file, layout_file, row, tmp_path: Path) -> None:
    path = layout_file("a.json", row(*TWO_BEARS))
    picture = tmp_path / "drawn.png"
    assert main(["score", str(path), "--overlay", str(picture)]) == 0
    assert Image.open(picture).size == (1200, 900)
    photo_file("kitchen.jpg")
    assert main(["score", str(path), "--overlay", str(picture)]) == 0
    assert Image.open(picture).size == (800, 300)


def test_overlays_of_several_go_into_a_folder(layout_file, row, tmp_path: Path) -> None:
    paths = [layout_file(f"{name}.json", row("elk")) for name in ("ann", "ben")]
    assert main(["score", *map(str, paths), "--overlay", str(tmp_path / "drawn")]) == 0
    assert sorted(p.name for p in (tmp_path / "drawn").iterdir()) == ["ann.overlay.png", "ben.overlay.png"]


def test_overlay_never_replaces_the_photo(photo_file, row, reader, capsys) -> None:
    photo = photo_file("ann.png")
    before = photo.read_bytes()
    reader["ann.png"] = (row("bear"),)
    assert main(["score", str(photo), "--overlay", str(photo)]) == 2
    assert "would overwrite an input" in capsys.readouterr().err
    assert photo.read_bytes() == before


@pytest.mark.parametrize(("deciding", "words"), [(1, "the first decides"), (2, "the first 2 decide")])
def test_how_many_of_the_doubtful_tiles_decide(deciding: int, words: str) -> None:
    review = Review(((0, 0), (1, 0), (0, 1)), 26, 29, deciding)
    assert doubt("Ann", review) == (
        f"Ann: 3 tiles to check, (0,0) (1,0) (0,1) ({words}): the total lies between 26 and 29."
    )
