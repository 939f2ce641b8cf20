"""`cascadia app`: start the web page."""

from __future__ import annotations

import importlib.util
import os
import signal
import socket
import subprocess
import sys
from pathlib import Path

from cascadia.errors import UserError

UPLOAD_MEGABYTES = 60


def app(port: int | None) -> int:
    """Run Streamlit with the page until it is stopped; returns its exit status."""
    page = _page()
    if port is not None:
        _check_free(port)
    environment = dict(os.environ)
    # Streamlit puts the page's own folder on the path, the page imports from the folder above.
    paths = [str(page.parent.parent), environment.get("PYTHONPATH", "")]
    environment["PYTHONPATH"] = os.pathsep.join(path for path in paths if path)
    with subprocess.Popen(command(page, port, headless=_is_headless()), env=environment) as server:
        # Whoever ends this process (systemd, Docker, kill) means the server; Ctrl-C reaches it by itself.
        earlier = signal.signal(signal.SIGTERM, lambda *_: server.terminate())
        try:
            return server.wait()
        finally:
            signal.signal(signal.SIGTERM, earlier)


def command(page: Path, port: int | None, *, headless: bool) -> list[str]:
    """The command line that serves `page`: nothing is reported to anybody, no e-mail address is asked for."""
    return [
        *(sys.executable, "-m", "streamlit", "run", str(page)),
        *("--server.headless", str(headless).lower()),
        *("--server.showEmailPrompt", "false"),
        *("--browser.gatherUsageStats", "false"),
        *("--server.maxUploadSize", str(UPLOAD_MEGABYTES)),
        *(() if port is None else ("--server.port", str(port))),
    ]


def _page() -> Path:
    spec = importlib.util.find_spec(
        "webapp"
    )  # found, not imported: the command knows the page by its path only
    for folder in (spec.submodule_search_locations or []) if spec else []:
        page = Path(folder) / "app.py"
        if page.is_file():
            return page
    raise UserError("the web page is not part of this installation: install cascadia-photo-scorer again")


def _is_headless() -> bool:
    """Whether there is no desktop on which a browser could be opened."""
    if sys.platform in ("win32", "darwin"):
        return False
    return not (os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def _check_free(port: int) -> None:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("", port))
        except PermissionError:
            raise UserError(
                f"port {port} may not be used without special rights: use one above 1023"
            ) from None
        except OSError:
            raise UserError(f"port {port} is in use by another program: choose another with --port") from None
