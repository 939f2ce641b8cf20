"""A visitor of the page without a browser: Streamlit's own messages over a WebSocket.

Twenty browsers would keep two cores busy all by themselves; twenty of these cost next to nothing, so that
what is measured is the server. A visitor does what the page's script in a browser does: it keeps the elements
of the last run, sends its widgets back, uploads files, and repeats its address.
"""

from __future__ import annotations

import http.client
import importlib.util
import json
import os
import signal
import socket
import subprocess
import sys
import time
import uuid
from collections.abc import Mapping
from contextlib import ExitStack
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.Element_pb2 import Element
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.WidgetStates_pb2 import WidgetState
from websockets.sync.client import connect
from websockets.typing import Origin, Subprotocol

HOST = "127.0.0.1"
PATIENCE = 300.0
"""Seconds to wait for an answer: a busy machine is slow, and a server that never answers is told apart."""
_ERROR = 1  # Alert.Format.ERROR
_RERUN = 2  # ForwardMsg.ScriptFinishedStatus.FINISHED_EARLY_FOR_RERUN


class PageServer:
    """The page, served on this machine only. Ended with the context; `kill` ends it as a power cut does."""

    def __init__(self, folder: Path, environment: Mapping[str, str] | None = None, port: int | None = None):
        self.port = port or free_port()
        self.log = folder / "server.log"
        spec = importlib.util.find_spec("webapp")  # found, not imported: benchmarks lie below the page
        assert spec is not None
        assert spec.submodule_search_locations is not None
        page = Path(next(iter(spec.submodule_search_locations))) / "app.py"
        paths = [str(page.parent.parent), os.environ.get("PYTHONPATH", "")]
        command = [
            *(sys.executable, "-m", "streamlit", "run", str(page), "--server.port", str(self.port)),
            *("--server.address", HOST, "--server.headless", "true", "--browser.gatherUsageStats", "false"),
        ]
        self._log = self.log.open("ab")
        self.process = subprocess.Popen(
            command,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, paths)), **(environment or {})},
            stdout=self._log,
            stderr=self._log,
            cwd=folder,
        )
        try:
            self._wait_until_healthy()
        except BaseException:
            self.kill()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.kill()

    def kill(self) -> None:
        """End it at once, without a chance to tidy up."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGKILL)
        self.process.wait(30)
        self._log.close()

    def peak_memory(self) -> int:
        """Most memory, bytes, that the server has had resident (Linux)."""
        status = Path(f"/proc/{self.process.pid}/status").read_text(encoding="ascii", errors="replace")
        return next(int(line.split()[1]) * 1024 for line in status.splitlines() if line.startswith("VmHWM:"))

    def complaints(self) -> list[str]:
        """Lines of the server's log that tell of an exception."""
        lines = self.log.read_text(encoding="utf-8", errors="replace").splitlines()
        return [line for line in lines if "Traceback" in line or "Error" in line]

    def _wait_until_healthy(self) -> None:
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline and self.process.poll() is None:
            try:
                fetch(self.port, "GET", "/_stcore/health")
                return
            except OSError:
                time.sleep(0.2)
        raise RuntimeError(f"the page's server did not start, see {self.log}")


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind((HOST, 0))
        return int(probe.getsockname()[1])


def fetch(
    port: int, method: str, path: str, body: bytes = b"", headers: Mapping[str, str] | None = None
) -> http.client.HTTPMessage:
    """One request; its answer's headers. Raises OSError where it is refused."""
    connection = http.client.HTTPConnection(HOST, port, timeout=PATIENCE)
    try:
        connection.request(method, path, body, dict(headers or {}))
        answer = connection.getresponse()
        answer.read()
        if answer.status >= 400:
            raise OSError(f"{method} {path}: {answer.status} {answer.reason}")
        return answer.headers
    except http.client.HTTPException as error:
        raise OSError(str(error)) from error
    finally:
        connection.close()


class Visitor:
    """One open page, and what it shows. Not for several threads at once."""

    def __init__(self, port: int, query: str = "", locale: str = "en-US") -> None:
        self.port = port
        self.query = query
        self.elements: dict[tuple[int, ...], Element] = {}
        self.progress: list[str] = []
        """Texts of the progress bar, in the order they came, each once in a row."""
        self.errors: list[str] = []
        """Sentences shown in red and exceptions, over all runs."""
        self._locale = locale
        self._session = ""
        self._states: dict[str, WidgetState] = {}
        self._cached: dict[str, Element] = {}
        cookie = fetch(port, "GET", "/_stcore/health").get("Set-Cookie") or ""
        name, _, value = cookie.split(";")[0].partition("=")
        self._token = value
        self._cookie = f"{name}={value}" if value else ""
        self._open = ExitStack()
        self._socket = self._open.enter_context(
            connect(
                f"ws://{HOST}:{port}/_stcore/stream",
                origin=Origin(f"http://{HOST}:{port}"),
                subprotocols=[Subprotocol("streamlit"), Subprotocol(self._token or "none")],
                additional_headers={"Cookie": self._cookie} if self._cookie else {},
                max_size=None,
                open_timeout=PATIENCE,
                ping_interval=None,
                proxy=None,
            )
        )
        self.run()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._open.close()

    # --- what a person does ---

    def tap(self, key: str) -> None:
        """Tap the button with the page's `key`."""
        self.run(WidgetState(id=self._id_of(key), trigger_value=True))

    def type(self, key: str, text: str) -> None:
        """Fill in the text field with the page's `key`."""
        self.run(WidgetState(id=self._id_of(key), string_value=text), kept=True)

    def choose(self, key: str, option: str) -> None:
        """Choose in the segmented control with the page's `key`."""
        group = next(each.button_group for each in self.elements.values() if _key(each) == key)
        state = WidgetState(id=group.id)
        state.string_array_value.data.append(option)
        self.run(state, kept=True)

    def upload(self, key: str, *uploads: tuple[str, bytes]) -> None:
        """Hand in files (name, bytes) through the uploader with the page's `key`; waits until all is done."""
        request = BackMsg()
        request.file_urls_request.request_id = uuid.uuid4().hex
        request.file_urls_request.file_names.extend(name for name, _ in uploads)
        request.file_urls_request.session_id = self._session
        self._socket.send(request.SerializeToString())
        while (message := self._receive()).WhichOneof("type") != "file_urls_response":
            self._take(message)
        state = WidgetState(id=self._id_of(key))
        for urls, (name, data) in zip(message.file_urls_response.file_urls, uploads, strict=True):
            self._put(urls.upload_url, name, data)
            info = state.file_uploader_state_value.uploaded_file_info.add()
            info.name, info.size, info.file_id = name, len(data), urls.file_id
            info.file_urls.CopyFrom(urls)
        self.run(state, kept=True)

    def act(self, *actions: Mapping[str, Any]) -> None:
        """Do something in the score view, as its script sends it."""
        self._set_component("score view", {"outbox": {"page": self._session, "actions": list(actions)}})

    def give_back(self, game: str, saved: str) -> None:
        """Hand the browser's own copy of a game to a server that asks for it."""
        self._set_component("backup", {"restored": {"game": game, "saved": saved}})

    # --- what a person sees ---

    def component(self, key: str) -> dict[str, Any] | None:
        """What the page gives the component with its `key`; None where it is not shown."""
        for element in self.elements.values():
            if element.WhichOneof("type") == "bidi_component" and _key(element) == key:
                data = element.bidi_component
                return dict(json.loads(data.json or data.mixed.json))
        return None

    def view(self) -> dict[str, Any]:
        """What the score view is given to draw. Raises LookupError where the page does not show it."""
        data = self.component("score view")
        if data is None:
            raise LookupError(f"no score view; errors: {self.errors}, shown: {self.widgets()}")
        return data

    def widgets(self) -> list[str]:
        """Keys of the widgets shown."""
        return [key for element in self.elements.values() if (key := _key(element))]

    # --- messages ---

    def run(self, change: WidgetState | None = None, *, kept: bool = False) -> None:
        """Have the page run with one widget changed, and wait until it has."""
        message = BackMsg()
        client = message.rerun_script
        client.query_string = self.query
        client.context_info.locale = self._locale
        client.context_info.url = f"http://{HOST}:{self.port}/"
        if change is not None and kept:
            self._states[change.id] = change
        client.widget_states.widgets.extend(self._states.values())
        if change is not None and not kept:
            client.widget_states.widgets.append(change)
        client.cached_message_hashes.extend(self._cached)
        self._socket.send(message.SerializeToString())
        while True:
            answer = self._receive()
            self._take(answer)
            if answer.WhichOneof("type") == "script_finished" and answer.script_finished != _RERUN:
                return

    def _set_component(self, key: str, state: Mapping[str, Any]) -> None:
        self.run(WidgetState(id=self._id_of(key), json_value=json.dumps(state)), kept=True)

    def _receive(self) -> ForwardMsg:
        data = self._socket.recv(PATIENCE)
        message = ForwardMsg()
        message.ParseFromString(data if isinstance(data, bytes) else data.encode())
        return message

    def _take(self, message: ForwardMsg) -> None:
        match message.WhichOneof("type"):
            case "new_session":
                self._session = message.new_session.initialize.session_id or self._session
                if not message.metadata.run.fragment_ids:
                    self.elements.clear()
            case "page_info_changed":
                self.query = message.page_info_changed.query_string
            case "delta":
                if message.delta.WhichOneof("type") == "new_element":
                    if message.metadata.cacheable:
                        self._cached[message.hash] = message.delta.new_element
                    self._show(tuple(message.metadata.delta_path), message.delta.new_element)
            case "ref_hash":
                self._show(tuple(message.metadata.delta_path), self._cached[message.ref_hash])

    def _show(self, place: tuple[int, ...], element: Element) -> None:
        self.elements[place] = element
        match element.WhichOneof("type"):
            case "progress" if [element.progress.text] != self.progress[-1:]:
                self.progress.append(element.progress.text)
            case "alert" if element.alert.format == _ERROR:
                self.errors.append(element.alert.body)
            case "exception":
                self.errors.append(f"{element.exception.type}: {element.exception.message}")

    def _id_of(self, key: str) -> str:
        for element in self.elements.values():
            if _key(element) == key:
                return _identity(element)
        raise LookupError(f"the page shows no {key!r}, but {self.widgets()}; errors: {self.errors}")

    def _put(self, path: str, name: str, data: bytes) -> None:
        boundary = uuid.uuid4().hex
        head = (
            f'--{boundary}\r\nContent-Disposition: form-data; name="file"; filename="{name}"\r\n'
            "Content-Type: application/octet-stream\r\n\r\n"
        )
        body = head.encode() + data + f"\r\n--{boundary}--\r\n".encode()
        headers = {
            "Content-Type": f"multipart/form-data; boundary={boundary}",
            "Cookie": self._cookie,
            "X-Xsrftoken": self._token,
        }
        fetch(self.port, "PUT", path, body, headers)


def _identity(element: Element) -> str:
    """The widget's identity that Streamlit gave it: "$$ID-<hash>-<key>"; "" for what is no widget."""
    kind = element.WhichOneof("type")
    return str(getattr(getattr(element, kind), "id", "")) if kind else ""


def _key(element: Element) -> str:
    return _identity(element).partition("-")[2].partition("-")[2]
