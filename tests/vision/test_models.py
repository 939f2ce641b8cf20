"""The shipped models are those that the checksums and the model card speak of."""

from __future__ import annotations

import hashlib
from importlib.resources import files

SUMS = [line.split() for line in (files("models") / "SHA256SUMS").read_text(encoding="utf-8").splitlines()]


def test_every_model_has_its_checksum():
    names = {entry.name for entry in files("models").iterdir() if entry.name.endswith((".onnx", ".json"))}
    assert {name for _, name in SUMS} == names
    for digest, name in SUMS:
        assert hashlib.sha256((files("models") / name).read_bytes()).hexdigest() == digest, name


def test_the_models_are_small_enough_to_ship():
    assert sum(len((files("models") / name).read_bytes()) for _, name in SUMS) < 15_000_000
