"""`cascadia app`: the server's command line; the page itself is tested in tests/webapp."""

from __future__ import annotations

import importlib.util
import socket
from pathlib import Path

import pytest

from cascadia import app as app_module
from cascadia.__main__ import main


def options(command: list[str]) -> dict[str, str]:
    """The options behind `streamlit run PAGE`."""
    return dict(zip(command[5::2], command[6::2], strict=True))


def test_nothing_is_reported_and_no_address_asked_for() -> None:
    given = options(app_module.command(Path("app.py"), None, headless=True))
    assert given["--browser.gatherUsageStats"] == "false"
    assert given["--server.showEmailPrompt"] == "false"
    assert given["--server.headless"] == "true"
    assert "--server.port" not in given


def test_streamlit_knows_every_option() -> None:
    from streamlit import config

    for name in options(app_module.command(Path("app.py"), 8600, headless=False)):
        config.get_option(name.removeprefix("--"))


def test_starts_the_page_on_the_port(monkeypatch: pytest.MonkeyPatch) -> None:
    started = []

    class Done:
        returncode = 0

    def run(command: list[str], env: dict[str, str], check: bool) -> Done:
        started.append((command, env))
        return Done()

    monkeypatch.setattr("subprocess.run", run)
    monkeypatch.setattr(app_module, "_page", lambda: Path("/somewhere/webapp/app.py"))
    with socket.socket() as free:
        free.bind(("", 0))
        port = free.getsockname()[1]
    assert main(["app", "--port", str(port)]) == 0
    ((command, environment),) = started
    assert command[1:5] == ["-m", "streamlit", "run", "/somewhere/webapp/app.py"]
    assert options(command)["--server.port"] == str(port)
    assert environment["PYTHONPATH"].startswith("/somewhere")


def test_port_in_use_gives_one_sentence(monkeypatch: pytest.MonkeyPatch, capsys) -> None:
    monkeypatch.setattr(app_module, "_page", lambda: Path("app.py"))
    with socket.socket() as taken:
        taken.bind(("", 0))
        taken.listen()
        port = taken.getsockname()[1]
        assert main(["app", "--port", str(port)]) == 2
    errors = capsys.readouterr().err
    assert errors == f"cascadia: port {port} is in use by another program: choose another with --port\n"


def test_installation_without_the_page_gives_one_sentence(monkeypatch: pytest.MonkeyPatch, capsys) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    assert main(["app"]) == 2
    assert "not part of this installation" in capsys.readouterr().err
