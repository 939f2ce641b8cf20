"""`cascadia read`: layout files and pictures, written whole, never over an input."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from PIL import Image

from cascadia.__main__ import main
from scoring.layout import load_layout


def test_one_photo_to_a_file(photo_file, row, reader, tmp_path: Path, capsys) -> None:
    reader["a.png"] = (row("bear", None, "fox", doubtful=0),)
    out = tmp_path / "out.json"
    assert main(["read", str(photo_file("a.png")), "--out", str(out)]) == 0
    assert load_layout(out) == reader["a.png"][0]
    assert capsys.readouterr().out == f"a.png: 3 tiles, 2 tokens, 1 to check -> {out}\n"
    assert sorted(p.name for p in tmp_path.iterdir()) == ["a.png", "out.json"]


def test_one_photo_to_an_existing_folder(photo_file, row, reader, tmp_path: Path) -> None:
    reader["a.png"] = (row("bear"),)
    (tmp_path / "layouts").mkdir()
    assert main(["read", str(photo_file("a.png")), "--out", str(tmp_path / "layouts")]) == 0
    assert (tmp_path / "layouts" / "a.json").is_file()


def test_several_photos_to_a_new_folder_with_overlays(photo_file, row, reader, tmp_path: Path) -> None:
    reader["a.png"], reader["b.png"], reader["b.jpg"] = (row("bear"),), (row("elk"),), (row("fox", "fox"),)
    photos = [str(photo_file(name)) for name in reader]
    status = main(["read", *photos, "--out", str(tmp_path / "out"), "--overlay", str(tmp_path / "drawn")])
    assert status == 0
    assert sorted(p.name for p in (tmp_path / "out").iterdir()) == ["a.json", "b.jpg.json", "b.png.json"]
    assert len(load_layout(tmp_path / "out" / "b.jpg.json").tiles) == 2
    pictures = sorted((tmp_path / "drawn").iterdir())
    assert [p.name for p in pictures] == ["a.overlay.png", "b.jpg.overlay.png", "b.png.overlay.png"]
    assert Image.open(pictures[1]).size == (800, 300)


@pytest.mark.parametrize("name", ["out.json", "out.PNG"])
def test_several_photos_to_the_name_of_one_file(
    photo_file, reader, name: str, tmp_path: Path, capsys
) -> None:
    photos = [str(photo_file("a.png")), str(photo_file("b.png"))]
    assert main(["read", *photos, "--out", str(tmp_path / name)]) == 2
    assert "there are 2 inputs: name a folder" in capsys.readouterr().err
    assert not (tmp_path / name).exists()
    (tmp_path / name).mkdir()  # an odd name, but a folder all the same
    assert main(["read", *photos, "--out", str(tmp_path / name)]) == 2
    assert "name a folder" not in capsys.readouterr().err


def test_each_environment_gets_a_file(photo_file, row, reader, tmp_path: Path) -> None:
    reader["a.png"] = (row("bear", "bear"), row("elk"))
    assert main(["read", str(photo_file("a.png")), "--out", str(tmp_path / "out.json")]) == 0
    assert len(load_layout(tmp_path / "out.json").tiles) == 2
    assert len(load_layout(tmp_path / "out-environment-2.json").tiles) == 1


def test_photo_without_environment(photo_file, reader, tmp_path: Path, capsys) -> None:
    assert main(["read", str(photo_file("a.png")), "--out", str(tmp_path / "out.json")]) == 2
    assert capsys.readouterr().err.count("\n") == 1
    assert not (tmp_path / "out.json").exists()


WRONG = {
    "no folder": ("gone/out.json", "create it first"),
    "a file as folder": ("a.png/out.json", "not a folder"),
    "the photo itself": ("a.png", "would overwrite an input"),
    "a link to the photo": ("link.json", "would overwrite an input"),
    "null": ("out\0.json", r"out\x00."),
    "endless": ("x" * 400 + ".json", "name too long"),
}


@pytest.mark.parametrize("option", ["--out", "--overlay"])
@pytest.mark.parametrize("case", WRONG)
def test_wrong_places(case: str, option: str, photo_file, row, reader, tmp_path: Path, capsys) -> None:
    place, words = WRONG[case]
    photo = photo_file("a.png")
    before = photo.read_bytes()
    reader["a.png"] = (row("bear"),)
    (tmp_path / "link.json").symlink_to(photo)
    (tmp_path / "fine").mkdir()
    other = {"--out": "--overlay", "--overlay": "--out"}[option]
    target = str(tmp_path / place)
    if option == "--overlay":
        target = target.replace(".json", ".png")
        (tmp_path / "link.png").symlink_to(photo)
    assert main(["read", str(photo), option, target, other, str(tmp_path / "fine")]) == 2
    errors = capsys.readouterr().err
    assert errors.startswith("cascadia: ")
    assert errors.count("\n") == 1
    assert words.lower() in errors.lower()
    assert photo.read_bytes() == before
    assert not list(tmp_path.glob("**/*.part"))


def test_out_and_overlay_in_one_place(photo_file, row, reader, tmp_path: Path, capsys) -> None:
    reader["a.png"] = (row("bear"),)
    target = str(tmp_path / "both.png")
    assert main(["read", str(photo_file("a.png")), "--out", target, "--overlay", target]) == 2
    assert "--out and --overlay both name" in capsys.readouterr().err
    assert not Path(target).exists()


@pytest.mark.parametrize("place", ["fifo", "link to the device", "link to nothing", "link to a file"])
def test_no_device_or_link_is_replaced(place: str, photo_file, row, reader, tmp_path: Path, capsys) -> None:
    reader["a.png"] = (row("bear"),)
    target = tmp_path / "target"
    (tmp_path / "file").write_text("kept")
    names = {"link to the device": "/dev/null", "link to nothing": "gone", "link to a file": "file"}
    if place in names:
        target.symlink_to(names[place])
    else:
        os.mkfifo(target)
    assert main(["read", str(photo_file("a.png")), "--out", str(target)]) == 2
    assert "is a link or a device: name an ordinary file" in capsys.readouterr().err
    assert not target.is_file() or target.is_symlink()
    assert (tmp_path / "file").read_text() == "kept"


def test_second_environment_does_not_replace_an_input(
    photo_file, row, reader, tmp_path: Path, capsys
) -> None:
    photo = photo_file("a-environment-2.png")
    reader["a-environment-2.png"] = (row("bear", "bear"), row("elk"))
    before = photo.read_bytes()
    assert main(["read", str(photo), "--out", str(tmp_path / "a.png")]) == 2
    assert "would overwrite an input" in capsys.readouterr().err
    assert photo.read_bytes() == before


def test_two_inputs_of_one_name(photo_file, reader, tmp_path: Path, capsys) -> None:
    photos = [str(photo_file("x/a.png")), str(photo_file("y/a.png"))]
    assert main(["read", *photos, "--out", str(tmp_path / "out")]) == 2
    assert "two inputs are called 'a.png'" in capsys.readouterr().err


def test_a_file_where_the_folder_should_be(photo_file, reader, tmp_path: Path, capsys) -> None:
    photos = [str(photo_file("a.png")), str(photo_file("b.png"))]
    assert main(["read", *photos, "--out", photos[0]]) == 2
    assert "is a file: name a folder" in capsys.readouterr().err


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may write everywhere")
def test_folder_without_permission(photo_file, reader, tmp_path: Path, capsys) -> None:
    (tmp_path / "locked").mkdir(mode=0o500)
    assert main(["read", str(photo_file("a.png")), "--out", str(tmp_path / "locked")]) == 2
    assert "you may not write" in capsys.readouterr().err


def test_full_disk_leaves_the_old_file(photo_file, row, reader, tmp_path: Path, monkeypatch, capsys) -> None:
    def fail(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    reader["a.png"] = (row("bear"),)
    out = tmp_path / "out.json"
    out.write_text("old")
    monkeypatch.setattr(Path, "write_text", fail)
    assert main(["read", str(photo_file("a.png")), "--out", str(out)]) == 2
    assert "cannot be written: No space left on device" in capsys.readouterr().err
    assert out.read_text() == "old"
