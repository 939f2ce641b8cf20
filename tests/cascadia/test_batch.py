"""`cascadia batch`: all photos of a folder, past the bad ones, and on from where it was stopped."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from cascadia.__main__ import main
from scoring.layout import load_layout


@pytest.fixture
def folder(photo_file, row, reader, tmp_path: Path) -> Path:
    """Two photos with environments, one without, one damaged, and a file that is no photo."""
    reader["a.png"] = (row("bear", "elk", None, doubtful=1),)
    reader["c.jpg"] = (row("fox", "fox"), row("elk"))
    for name in ("a.png", "c.jpg", "table.PNG"):
        photo_file(f"photos/{name}")
    (tmp_path / "photos" / "b.jpeg").write_bytes(b"no picture")
    (tmp_path / "photos" / "notes.txt").write_text("hello")
    (tmp_path / "photos" / "._a.png").write_bytes(b"left by macOS")
    return tmp_path / "photos"


def run(folder: Path, *options: str) -> int:
    """The batch in this process: workers of other processes would not see the stand-in for the reader."""
    return main(
        ["batch", str(folder), "--out", str(folder.parent / "out"), "--backend", "threading", *options]
    )


def written(folder: Path) -> list[str]:
    return sorted(path.name for path in (folder.parent / "out").iterdir())


def test_reads_all_and_lists_the_failures(folder: Path, capsys) -> None:
    assert run(folder) == 0
    assert written(folder) == ["a.json", "c-environment-2.json", "c.json"]
    output, errors = capsys.readouterr()
    table = [line.split() for line in output.splitlines()]
    assert table[0] == ["photo", "tiles", "tokens", "to", "check", "environments", "seconds"]
    assert table[1][:5] == ["a.png", "3", "2", "1", "1"]
    assert table[2][:5] == ["c.jpg", "2", "2", "0", "2"]
    assert output.splitlines()[-1] == "4 photos: 2 read, 0 read earlier, 2 failed"
    assert "cascadia: 'b.jpeg' is not a picture" in errors
    assert "cascadia: 'table.PNG' shows no Cascadia environment" in errors


def test_goes_on_where_it_was(folder: Path, row, reader, capsys) -> None:
    assert run(folder) == 0
    reader["a.png"] = reader["c.jpg"] = (row("bear"),)
    reader["table.PNG"] = (row("hawk"),)
    assert run(folder) == 0
    assert len(load_layout(folder.parent / "out" / "a.json").tiles) == 3, "was not read again"
    assert "4 photos: 1 read, 2 read earlier, 1 failed" in capsys.readouterr().out


def test_reads_again_what_changed_or_broke(folder: Path, row, reader, capsys) -> None:
    assert run(folder) == 0
    layout = folder.parent / "out" / "c.json"
    layout.write_text(layout.read_text()[:50])
    later = (folder.parent / "out" / "a.json").stat().st_mtime + 10
    os.utime(folder / "a.png", (later, later))
    reader["a.png"] = reader["c.jpg"] = (row("bear"),)
    assert run(folder) == 0
    for name in ("a.json", "c.json"):
        assert len(load_layout(folder.parent / "out" / name).tiles) == 1
    assert "2 read, 0 read earlier" in capsys.readouterr().out.splitlines()[-1]


def test_status_says_whether_anything_was_read(folder: Path, reader, capsys) -> None:
    reader.clear()
    assert run(folder) == 2
    assert "4 photos: 0 read, 0 read earlier, 4 failed" in capsys.readouterr().out
    assert written(folder) == []


def test_a_fault_of_ours_costs_one_photo(folder: Path, monkeypatch: pytest.MonkeyPatch, capsys) -> None:
    import vision.reader

    good = vision.reader.read_photo

    def faulty(source, **options):
        if source.name == "a.png":
            raise ZeroDivisionError("division by zero")
        return good(source, **options)

    monkeypatch.setattr("vision.reader.read_photo", faulty)
    assert run(folder) == 0
    assert written(folder) == ["c-environment-2.json", "c.json"]
    assert "'a.png' failed unexpectedly (ZeroDivisionError: division by zero)" in capsys.readouterr().err


def test_processes_read_photos_too(tmp_path: Path, capsys) -> None:
    (tmp_path / "photos").mkdir()
    for name in ("a.jpg", "b.jpg"):
        (tmp_path / "photos" / name).write_bytes(b"no picture")
    status = main(["batch", str(tmp_path / "photos"), "--out", str(tmp_path / "out"), "--jobs", "2"])
    assert status == 2
    assert capsys.readouterr().err.count("is not a picture") == 2


def test_stopped_from_the_keyboard(folder: Path, monkeypatch: pytest.MonkeyPatch, capsys) -> None:
    def stop(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("cascadia.batch.read_one", stop)
    assert run(folder, "--jobs", "1") == 130
    assert "give the same command to go on" in capsys.readouterr().err


WRONG = {
    "missing folder": (["gone"], "there is no folder"),
    "a photo": (["photos/a.png"], "use 'cascadia read'"),
    "folder without photos": (["empty"], "there is no photo in"),
    "no jobs": (["photos", "--jobs", "0"], "'0' is not a number from 1 to 1024"),
    "jobs in words": (["photos", "--jobs", "two"], "'two' is not a number"),
    "unknown backend": (["photos", "--backend", "abacus"], "--backend abacus"),
    "ray not installed": (["photos", "--backend", "ray"], "--backend ray"),
    "output below a missing folder": (["photos", "--out", "gone/out"], "create it first"),
    "output is a file": (["photos", "--out", "photos/a.png"], "is a file"),
}


@pytest.mark.parametrize("case", WRONG)
def test_wrong_options_give_one_sentence(
    case: str, folder: Path, monkeypatch: pytest.MonkeyPatch, capsys
) -> None:
    options, words = WRONG[case]
    monkeypatch.chdir(folder.parent)
    monkeypatch.setitem(__import__("sys").modules, "ray", None)
    (folder.parent / "empty").mkdir()
    assert main(["batch", "--out", "out", *options]) == 2
    errors = capsys.readouterr().err
    assert errors.startswith("cascadia: ")
    assert errors.count("\n") == 1
    assert words in errors
