"""Fuzzing for a bounded time, the same inputs each time; `benchmarks.fuzz` by hand goes on for longer."""

from __future__ import annotations

import random
from itertools import count, islice

import pytest

from benchmarks.fuzz import TARGETS, fuzz, main

INPUTS = {"loader": 200, "layout": 200, "engine": 12, "reader": 2}


@pytest.mark.parametrize("name", TARGETS)
def test_nonsense_gives_a_result_or_the_promised_error(name: str) -> None:
    tried = fuzz(TARGETS[name], 600, islice(count(), INPUTS[name]))
    assert tried.inputs == INPUTS[name]
    assert [reason for _, reason in tried.crashes if not reason.startswith("took ")] == []


def test_what_breaks_is_told_with_its_seed(monkeypatch: pytest.MonkeyPatch, capsys) -> None:
    def fragile(chance: random.Random) -> None:
        if chance.random() > 0.5:
            raise ZeroDivisionError("division by zero")

    monkeypatch.setitem(TARGETS, "engine", fragile)
    assert main(["--target", "engine", "--count", "20"]) == 1
    output, errors = capsys.readouterr()
    assert "20 inputs" in output
    seed = int(errors.split("seed ")[1].split(":")[0])
    assert random.Random(seed).random() > 0.5
    assert "ZeroDivisionError: division by zero" in errors
