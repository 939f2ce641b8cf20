"""The house stands: imports go down its floors only, and nothing heavy comes in where it does not belong."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent

#: Modules of `scoring` on floor 1; the rest of `scoring` is floor 2.
FLOOR_1 = frozenset({"scoring.hexgrid", "scoring.pieces", "scoring.environment", "scoring.layout"})
#: Folders by floor; a module may import its own room and rooms of lower floors.
FLOORS = {"vision": 3, "training": 4, "benchmarks": 4, "cascadia": 5, "webapp": 5}
#: On floor 4 the two rooms may use each other: calibration fits on what the accuracy bench compares.
SAME_FLOOR = frozenset({("training", "benchmarks"), ("benchmarks", "training")})
#: What users install. scikit-learn, PyTorch and ONNX are for floor 4.
LIBRARIES = {
    "scoring": frozenset({"numpy", "scipy"}),
    "vision": frozenset({"numpy", "scipy", "cv2", "PIL", "pillow_heif"}),
    "cascadia": frozenset({"joblib", "tqdm", "cv2", "PIL"}),
    "webapp": frozenset({"streamlit", "numpy", "cv2", "PIL"}),
}
ROOMS = ("scoring", *FLOORS)


def module_name(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def modules(*rooms: str) -> dict[str, Path]:
    return {module_name(path): path for room in rooms for path in sorted((ROOT / room).rglob("*.py"))}


OURS = modules(*ROOMS)


def imports(path: Path) -> Iterator[str]:
    """Full names of what a module imports, wherever in it; `from a import b` is a.b if that is a module."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: imports are absolute"
            assert node.module is not None
            for alias in node.names:
                name = f"{node.module}.{alias.name}"
                yield name if name in OURS else node.module


def floor(module: str) -> int:
    room = module.split(".")[0]
    if room == "scoring":
        return 1 if module in FLOOR_1 else 2
    return FLOORS[room]


def may_import(importer: str, imported: str) -> bool:
    """Whether the house allows it.

    >>> may_import("vision.reader", "scoring.layout"), may_import("vision.reader", "scoring.game")
    (True, False)
    """
    one, other = importer.split(".")[0], imported.split(".")[0]
    if one == "vision" and other == "scoring":
        return floor(imported) == 1
    if one == other:
        return floor(imported) <= floor(importer)
    return floor(imported) < floor(importer) or (one, other) in SAME_FLOOR


@pytest.mark.parametrize(
    ("importer", "imported", "allowed"),
    [
        ("scoring.layout", "scoring.game", False),
        ("scoring.game", "scoring.layout", True),
        ("scoring.game", "vision.reader", False),
        ("vision.reader", "scoring.layout", True),
        ("vision.reader", "scoring.game", False),
        ("vision.reader", "training.data", False),
        ("training.calibrate", "benchmarks.accuracy", True),
        ("cascadia.app", "webapp.app", False),
        ("webapp.app", "cascadia.cli", False),
        ("webapp.app", "vision", True),
    ],
)
def test_the_rule_itself(importer: str, imported: str, allowed: bool) -> None:
    assert may_import(importer, imported) is allowed


def test_every_room_is_looked_at() -> None:
    assert {name.split(".")[0] for name in OURS} == set(ROOMS)
    assert set(OURS) >= FLOOR_1


@pytest.mark.parametrize("module", OURS)
def test_imports_go_down_only(module: str) -> None:
    ours = {name for name in imports(OURS[module]) if name.split(".")[0] in ROOMS}
    assert {name for name in ours if not may_import(module, name)} == set()


@pytest.mark.parametrize("module", modules(*LIBRARIES))
def test_only_named_libraries_are_used(module: str) -> None:
    room = module.split(".")[0]
    roots = {name.split(".")[0] for name in imports(OURS[module])}
    foreign = roots - set(ROOMS) - {"models", "sample_images"} - set(sys.stdlib_module_names)
    assert foreign <= LIBRARIES[room]


def test_modules_do_not_import_each_other_in_a_circle() -> None:
    # `scoring/__init__.py` re-exports the room; its own modules name each other directly.
    edges = {name: {other for other in imports(path) if other in OURS} for name, path in OURS.items()}
    left = dict(edges)
    while free := [name for name, others in left.items() if not others & left.keys()]:
        for name in free:
            del left[name]
    assert left == {}
