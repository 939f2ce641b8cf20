"""Every photo file that a person can hand in gives a result or one clear sentence, in bounded memory.

The files of `benchmarks.bad_inputs` are handed to the command as a user would. Those of `BOMBS` get a process
of their own whose address space is limited: what unpacks to gigabytes fails the test, not the machine.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from benchmarks.bad_inputs import BOMBS, FOREIGN, ODD_PHOTOS, PHOTOS, WITHOUT_ENVIRONMENT
from cascadia.__main__ import main
from scoring.layout import Layout, load_layout

LIMIT = 1_500_000_000
"""Bytes of address space for a whole process; libraries alone take about a third of it."""


def run_limited(*arguments: str) -> subprocess.CompletedProcess[str]:
    """The command in a process with `LIMIT` bytes of address space and a minute of time."""
    environment = {**os.environ, "OPENBLAS_NUM_THREADS": "1", "PYTHONIOENCODING": "utf-8"}
    return subprocess.run(
        [sys.executable, "-m", "cascadia", *arguments],
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=60,
        env=environment,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (LIMIT, LIMIT)),
        check=False,
    )


def assert_one_sentence(status: int, output: str, errors: str, words: str) -> None:
    assert status == 2, errors
    assert output == ""
    assert errors.startswith("cascadia: ")
    assert errors.count("\n") == 1
    assert words in errors
    assert errors.rstrip("\n").isprintable()


@pytest.mark.parametrize("case", PHOTOS)
def test_bad_photo_gives_one_sentence(case: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    name, make, words = PHOTOS[case]
    path = tmp_path / name
    path.write_bytes(make())
    status = main(["read", str(path), "--out", str(tmp_path / "out.json")])
    assert_one_sentence(status, *capsys.readouterr(), words)
    assert not (tmp_path / "out.json").exists()


@pytest.mark.parametrize("case", BOMBS)
def test_bomb_gives_one_sentence_in_little_memory(case: str, tmp_path: Path) -> None:
    name, make, words = BOMBS[case]
    path = tmp_path / name
    path.write_bytes(make())
    result = run_limited("read", str(path), "--out", str(tmp_path / "out.json"))
    assert_one_sentence(result.returncode, result.stdout, result.stderr, words)
    assert not (tmp_path / "out.json").exists()


def pieces(layout: Layout) -> Counter[object]:
    """What is on the layout's tiles, wherever they are: a turned photo may begin its cells elsewhere."""
    return Counter((frozenset(placed.tile.terrain), placed.tile.token) for placed in layout.tiles)


@pytest.mark.parametrize("case", ODD_PHOTOS)
def test_odd_photo_gives_a_result_or_one_sentence(
    case: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path, out = tmp_path / "a.jpg", tmp_path / "a.json"
    path.write_bytes(ODD_PHOTOS[case]())
    status = main(["read", str(path), "--out", str(out)])
    output, errors = capsys.readouterr()
    if status == 0:
        assert load_layout(out).tiles
        assert case not in WITHOUT_ENVIRONMENT
    else:
        assert_one_sentence(status, output, errors, "shows no environment")
        assert not out.exists()


def test_no_other_hex_game_is_taken_without_a_word(tmp_path: Path) -> None:
    """Hexagons with other pictures may be read as tiles, but then most are doubtful or a warning is told."""
    for number, case in enumerate(FOREIGN):
        path, out = tmp_path / f"{number}.jpg", tmp_path / f"{number}.json"
        path.write_bytes(ODD_PHOTOS[case]())
        if main(["read", str(path), "--out", str(out)]) == 0:
            layout = load_layout(out)
            doubtful = sum(placed.needs_review for placed in layout.tiles)
            assert layout.warnings or doubtful >= 0.8 * len(layout.tiles), f"{case}: {doubtful} to check"


def test_however_the_camera_was_held_the_environment_is_the_same(tmp_path: Path) -> None:
    found = []
    for tag in (1, 3, 6, 8):
        path, out = tmp_path / f"{tag}.jpg", tmp_path / f"{tag}.json"
        path.write_bytes(ODD_PHOTOS[f"EXIF orientation {tag}"]())
        assert main(["read", str(path), "--out", str(out)]) == 0
        found.append(pieces(load_layout(out)))
    assert found[1:] == found[:1] * 3


PLACES: dict[str, tuple[Callable[[Path], str], str]] = {
    "missing": (lambda folder: str(folder / "gone.jpg"), "there is no file"),
    "folder": (str, "is a folder"),
    "device": (lambda folder: "/dev/zero", "not an ordinary file"),
    "below a file": (lambda folder: str(folder / "file" / "a.jpg"), "there is no file"),
    "address": (lambda folder: "https://example.org/a.jpg", "there is no file"),
    "null in the name": (lambda folder: "a\0.jpg", "a\\x00.jpg"),
    "endless name": (lambda folder: "a" * 5000 + ".jpg", "File name too long"),
    "nothing": (lambda folder: "", "the name of a file or folder is empty"),
}


@pytest.mark.parametrize("case", PLACES)
@pytest.mark.parametrize("command", ["read", "score"])
def test_bad_place_gives_one_sentence(
    case: str, command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").write_bytes(b"x")
    place, words = PLACES[case]
    out = ["--out", str(tmp_path / "out.json")] if command == "read" else []
    status = main([command, place(tmp_path), *out])
    assert_one_sentence(status, *capsys.readouterr(), words)


def test_pipe_does_not_hang(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    os.mkfifo(tmp_path / "pipe.jpg")
    status = main(["score", str(tmp_path / "pipe.jpg")])
    assert_one_sentence(status, *capsys.readouterr(), "not an ordinary file")
