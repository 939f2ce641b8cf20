"""`cascadia app`: the server's command line; the page itself is tested in tests/webapp."""

from __future__ import annotations

import contextlib
import importlib.util
import os
import signal
import socket
import subprocess
import sys
import time
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

    class Server(contextlib.nullcontext):
        def __init__(self, command: list[str], env: dict[str, str]) -> None:
            super().__init__(self)
            started.append((command, env))

        def wait(self) -> int:
            return 0

    monkeypatch.setattr("subprocess.Popen", Server)
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


@pytest.mark.skipif(os.name != "posix", reason="Windows ends processes differently")
def test_ending_the_command_ends_the_server(tmp_path: Path) -> None:
    page = tmp_path / "webapp" / "app.py"
    page.parent.mkdir()
    page.write_text("")
    pid = tmp_path / "pid"
    server = f"import os, time; open({str(pid)!r}, 'w').write(str(os.getpid())); time.sleep(60)"
    code = (
        "import sys, pathlib, cascadia.app as app\n"
        f"app._page = lambda: pathlib.Path({str(page)!r})\n"
        f"app.command = lambda *_, **__: [sys.executable, '-c', {server!r}]\n"
        "sys.exit(app.app(None))"
    )
    with subprocess.Popen([sys.executable, "-c", code]) as command:
        for _ in range(600):
            if pid.exists() and pid.read_text():
                break
            time.sleep(0.1)
        command.send_signal(signal.SIGTERM)
        assert command.wait(timeout=60) != 0
    with pytest.raises(ProcessLookupError):
        os.kill(int(pid.read_text()), 0)
