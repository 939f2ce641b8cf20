"""The wheel: what runs needs is in it, nothing else is, and its metadata agrees with what was tested."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.version import Version

ROOMS = ("cascadia", "models", "sample_images", "scoring", "vision", "webapp")
NO_DATA = frozenset({"__pycache__", ".pyc", ".part"})


@pytest.fixture(scope="module")
def wheel(repository: Path, tmp_path_factory: pytest.TempPathFactory) -> zipfile.ZipFile:
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "-w", str(folder), str(repository)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode and re.search(
        r"Could not find a version|No matching distribution|Connection", done.stderr
    ):
        pytest.skip("pip cannot fetch the build backend: no package index")
    assert done.returncode == 0, done.stderr
    (built,) = folder.glob("*.whl")
    return zipfile.ZipFile(built)


def files_of(repository: Path) -> set[str]:
    return {
        path.relative_to(repository).as_posix()
        for room in ROOMS
        for path in (repository / room).rglob("*")
        if path.is_file() and not any(part in NO_DATA for part in (*path.parts, path.suffix))
    }


def test_every_file_of_the_rooms_is_in_it(wheel: zipfile.ZipFile, repository: Path) -> None:
    assert files_of(repository) <= set(wheel.namelist())


def test_what_runs_needs_is_in_it(wheel: zipfile.ZipFile) -> None:
    names = set(wheel.namelist())
    assert names >= {
        "models/calibration.json",
        "models/dense.onnx",
        "models/patch.onnx",
        "sample_images/01-from-above.jpg",
        "sample_images/01-from-above.json",
        "scoring/box.json",
        "webapp/.streamlit/config.toml",
        "webapp/static/view.js",
    }


def test_nothing_else_is_in_it(wheel: zipfile.ZipFile) -> None:
    rooms = {name.split("/")[0] for name in wheel.namelist()}
    assert {room for room in rooms if not room.endswith(".dist-info")} == set(ROOMS)


def test_it_installs_the_command(wheel: zipfile.ZipFile) -> None:
    (entry,) = (name for name in wheel.namelist() if name.endswith("entry_points.txt"))
    assert "cascadia = cascadia.__main__:main" in wheel.read(entry).decode()


def test_bounds_are_those_that_were_tested(repository: Path) -> None:
    project = tomllib.loads((repository / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    lines = (repository / "constraints" / "lowest.txt").read_text(encoding="utf-8").splitlines()
    pins = dict(line.split("==") for line in lines if line and not line.startswith("#"))
    for text in project["dependencies"]:
        requirement = Requirement(text)
        (bound,) = requirement.specifier
        tested = Version(pins[requirement.name.lower()])
        assert bound.operator == ">="
        assert tested in requirement.specifier
        assert tested.release[:2] == (*Version(bound.version).release, 0)[:2], f"{text}: {tested} was tested"
