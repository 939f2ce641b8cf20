"""Every board of ../shared/scoring, and the two commands that measure the engine."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks import cases, speed


def test_every_scored_board_agrees(shared: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cases.main([str(shared / "scoring")]) == 0
    assert "337 boards" in capsys.readouterr().out


def test_a_difference_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "cases.jsonl").write_text("")
    (tmp_path / "majority.jsonl").write_text('{"sizes": [3, 2], "bonus": [1, 1]}\n')
    assert cases.main([str(tmp_path)]) == 1
    assert capsys.readouterr().out.splitlines() == [
        "majority of [3, 2] is [1, 1], given [2, 0]",
        "0 boards, 0 scores, 1 majorities: 1 mismatches",
    ]


def test_a_missing_file_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cases.main([str(tmp_path)]) == 2
    assert speed.main(["--cases", str(tmp_path / "none.jsonl")]) == 2
    assert capsys.readouterr().err.count("there is no such file") == 2
