"""What the documents say is true: examples run, commands parse, links lead somewhere."""

from __future__ import annotations

import doctest
import importlib
import json
import pkgutil
import re
import shlex
import subprocess
from pathlib import Path

import pytest

from cascadia import cli
from scoring import parse_layout

ROOT = Path(__file__).resolve().parent.parent.parent
DOCUMENTS = sorted(
    [ROOT / "README.md", ROOT / "CHANGELOG.md", *ROOT.glob("*/README.md"), *(ROOT / "docs").glob("*.md")]
)
FENCE = re.compile(r"^ *```(\w+)\n(.*?)^ *```$", re.MULTILINE | re.DOTALL)
ROOMS = ("scoring", "vision", "cascadia", "webapp")


def name_of(path: Path) -> str:
    return str(path.relative_to(ROOT))


def blocks(document: Path, language: str) -> list[tuple[int, str]]:
    """Fenced blocks of one language, each with the number of the line before it."""
    text = document.read_text(encoding="utf-8")
    return [
        (text.count("\n", 0, match.start()) + 1, match[2])
        for match in FENCE.finditer(text)
        if match[1] == language
    ]


@pytest.mark.parametrize("document", DOCUMENTS, ids=name_of)
def test_python_examples_run(document: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    names: dict[str, object] = {}
    for line, block in blocks(document, "python"):
        parsed = doctest.DocTestParser().get_doctest(block, names, name_of(document), str(document), line)
        assert parsed.examples, f"{document.name}:{line}: an example without >>>"
        runner = doctest.DocTestRunner()
        runner.run(parsed, clear_globs=False)
        assert runner.summarize(verbose=False).failed == 0
        names = parsed.globs


def modules() -> list[str]:
    """Every module that users install, but for the page's script, which runs when it is imported."""
    found = [
        info.name
        for room in ROOMS
        for info in pkgutil.walk_packages([str(ROOT / room)], f"{room}.")
        if info.name not in ("webapp.app", "cascadia.__main__")
    ]
    return [*ROOMS, *found]


@pytest.mark.parametrize("module", modules())
def test_examples_in_the_code_run(module: str) -> None:
    assert doctest.testmod(importlib.import_module(module)).failed == 0


@pytest.mark.parametrize("document", DOCUMENTS, ids=name_of)
def test_commands_are_understood(document: Path) -> None:
    for _, block in blocks(document, "sh"):
        for line in block.splitlines():
            for part in line.split("&&"):
                words = shlex.split(part)
                if words and words[0].split("/")[-1] == "cascadia":
                    cli.parse(words[1:])  # raises where it cannot be understood


@pytest.mark.parametrize("document", DOCUMENTS, ids=name_of)
def test_json_examples_are_layouts(document: Path) -> None:
    for _, block in blocks(document, "json"):
        layout = parse_layout(json.loads(block))
        assert parse_layout(layout.to_dict()) == layout


@pytest.mark.parametrize("document", DOCUMENTS, ids=name_of)
def test_links_lead_somewhere(document: Path) -> None:
    targets = re.findall(r"\]\(([^)#\s]+)", document.read_text(encoding="utf-8"))
    local = [target for target in targets if "://" not in target]
    assert [target for target in local if not (document.parent / target).exists()] == []


def test_the_readme_has_one_test_command_that_the_gate_can_run() -> None:
    # `.ci/run` takes the first line with this word and evaluates it.
    lines = [
        line for line in (ROOT / "README.md").read_text(encoding="utf-8").splitlines() if "pytest" in line
    ]
    assert len(lines) == 1
    assert lines[0].startswith("python3 -m venv .venv && ")
    assert subprocess.run(["bash", "-n", "-c", lines[0]], check=False).returncode == 0
