"""The entry point: quick, quiet, and never a traceback."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from cascadia import cli
from cascadia.__main__ import main
from scoring.game import HOUSE_RULES


def python(*arguments: str, **options: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *arguments], capture_output=True, text=True, timeout=60, check=False, **options
    )


@pytest.mark.parametrize("command", [[], ["read"], ["score"], ["batch"], ["app"]])
def test_help(command: list[str], capsys) -> None:
    assert main([*command, "--help"]) == 0
    output, errors = capsys.readouterr()
    assert output.startswith("usage: cascadia")
    assert errors == ""


def test_help_names_every_house_rule(capsys) -> None:
    main(["score", "--help"])
    output = " ".join(capsys.readouterr().out.split())
    assert all(rule in output for rule in HOUSE_RULES)


def test_batch_help_tells_its_exit_status(capsys) -> None:
    main(["batch", "--help"])
    assert cli.BATCH_STATUS in " ".join(capsys.readouterr().out.split())


def test_version(capsys) -> None:
    assert main(["--version"]) == 0
    assert capsys.readouterr().out.startswith("cascadia ")


def test_help_imports_nothing_slow() -> None:
    slow = ("numpy", "cv2", "scipy", "sklearn", "streamlit", "PIL", "joblib")
    check = f"print([name for name in {slow} if name in sys.modules])"
    code = f"import sys; from cascadia.__main__ import main; main(['--help']); {check}"
    assert python("-c", code).stdout.splitlines()[-1] == "[]"


WRONG = {
    "nothing": ([], "COMMAND"),
    "unknown command": (["bake"], "'bake'"),
    "read without photo": (["read", "--out", "a.json"], "PHOTO"),
    "read without out": (["read", "a.jpg"], "--out"),
    "steering letters": (["\x1b[31m"], r"\x1b[31m"),
    "port in words": (["app", "--port", "high"], "'high' is not a port"),
    "port too high": (["app", "--port", "70000"], "'70000' is not a port"),
}


@pytest.mark.parametrize("case", WRONG)
def test_wrong_command_lines_give_one_sentence(case: str, capsys) -> None:
    arguments, words = WRONG[case]
    assert main(arguments) == 2
    output, errors = capsys.readouterr()
    assert output == ""
    assert errors.startswith("cascadia: ")
    assert errors.count("\n") == 1
    assert words in errors


def test_python_m(layout_file, row) -> None:
    path = layout_file("a.json", row("bear", "bear"))
    result = python("-m", "cascadia", "score", str(path))
    assert result.returncode == 0
    assert "Total" in result.stdout


def test_letters_that_the_terminal_lacks(layout_file, row) -> None:
    path = layout_file("a.json", row("bear"))
    environment = {**os.environ, "PYTHONIOENCODING": "ascii"}
    result = python("-m", "cascadia", "score", str(path), "--names", "김", "--explain", env=environment)
    assert result.returncode == 0, result.stderr
    assert r"\uae40" in result.stdout
    assert "-----" in result.stdout


def test_reader_of_the_output_goes_away(layout_file, row) -> None:
    path = layout_file("a.json", row(*["bear"] * 110))
    command = [sys.executable, "-m", "cascadia", "score", str(path), "--explain"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        process.stdout.close()
        errors = process.stderr.read().decode()
        status = process.wait(timeout=60)
    assert status == 141
    assert all(line.startswith("cascadia: a.json: ") for line in errors.splitlines())


@pytest.mark.parametrize(
    ("ending", "status"),
    [(">&-", 0), ("2>&-", 0), (">&- 2>&-", 0), ("<&-", 0), ("2>/dev/full", 0), (">/dev/full", 2)],
)
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs Linux's /dev/full")
def test_streams_that_are_closed_or_full(ending: str, status: int, layout_file, row) -> None:
    path = layout_file("a.json", row(*["bear"] * 24))
    command = f'"{sys.executable}" -m cascadia score "{path}" {ending}'
    result = subprocess.run(["sh", "-c", command], capture_output=True, text=True, check=False)
    assert result.returncode == status
    assert "Traceback" not in result.stderr


def test_stopped_from_the_keyboard(tmp_path: Path) -> None:
    code = (
        "import sys, time, cascadia.cli, cascadia.__main__ as m\n"
        "def wait(argv):\n    print('ready', flush=True)\n    time.sleep(60)\n"
        "cascadia.cli.parse = wait\nsys.exit(m.main([]))"
    )
    with subprocess.Popen(
        [sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdout.readline() == b"ready\n"
        time.sleep(0.1)
        process.send_signal(signal.SIGINT)
        assert process.wait(timeout=60) == 130
        assert process.stderr.read() == b"cascadia: stopped\n"


words = st.text(st.characters(codec="utf-8"), max_size=6) | st.sampled_from(
    [
        *("read", "score", "batch", "{file}", "{folder}", "--out", "--overlay", "--cards", "ABCDA", "--json"),
        *(
            "--variant",
            "family",
            "--names",
            "Ann,Ben",
            "--nature",
            "2",
            "--house-rule",
            "elk_c_cap",
            "--explain",
        ),
        *("--no-majority", "--jobs", "1", "--help", "--", "-", "@x"),
    ]
)


@settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(command=st.sampled_from(["score", "read", "batch"]), rest=st.lists(words, max_size=7))
def test_any_command_line_ends_in_order(
    command: str, rest: list[str], layout_file, row, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys
) -> None:
    monkeypatch.chdir(tmp_path)
    file = layout_file("a.json", row("bear", "bear"))
    arguments = [word.replace("{file}", str(file)).replace("{folder}", str(tmp_path)) for word in rest]
    status = main([command, *arguments])
    errors = capsys.readouterr().err
    assert status in (0, 2)
    assert all(line.startswith("cascadia: ") for line in errors.splitlines())
    assert status == 0 or errors
