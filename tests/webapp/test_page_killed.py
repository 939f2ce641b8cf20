"""The server is killed in the middle of a game: what was saved is still there."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from importlib.resources import files
from pathlib import Path

from benchmarks.visitor import PageServer, Visitor
from webapp.gamelog import GameLog

LAYOUT = files("sample_images") / "01-from-above.json"


def play(visitor: Visitor) -> None:
    """Ann hands in a layout file, takes five nature tokens and puts the game in the log."""
    visitor.type("name 0 ", "Ann")
    visitor.upload("upload 0", ("ann.json", LAYOUT.read_bytes()))
    visitor.act({"number": 1, "type": "nature", "seat": 0, "count": 5})


def test_a_killed_server_loses_no_game_and_no_log(tmp_path: Path) -> None:
    log = tmp_path / "games.sqlite"
    settings = {"CASCADIA_LOG": str(log)}
    with PageServer(tmp_path, settings) as server, Visitor(server.port) as ann:
        play(ann)
        before = ann.view()
        ann.tap("to keep")
        ann.tap("log add")
        copy, address, port = ann.component("backup"), ann.query, server.port
        assert ann.errors == []
        server.kill()
    assert [game.totals for game in GameLog(log).games()] == [
        (("Ann", before["sheet"]["players"][0]["total"]),)
    ]
    assert copy is not None
    with PageServer(tmp_path, settings, port) as server, Visitor(server.port, address) as again:
        asked = again.component("backup")
        assert asked is not None
        assert asked["wanted"], "a server that does not know the game asks the browser for its copy"
        again.give_back(asked["game"], copy["saved"])
        after = again.view()
        assert again.errors == []
    assert after["players"][0]["name"] == "Ann"
    assert after["sheet"] == before["sheet"]
    assert [tile["cell"] for tile in after["players"][0]["tiles"]] == [
        tile["cell"] for tile in before["players"][0]["tiles"]
    ]


WRITER = """
import sys
from itertools import count
from pathlib import Path
from scoring import Environment, Species, Terrain, Tile, edges, score_game
from webapp.gamelog import GameLog
sheet = score_game([Environment.of([Tile((0, 0), edges(Terrain.FOREST), Species.BEAR)])], names=["Ann"])
log = GameLog(Path(sys.argv[1]))
for number in count():
    log.add(f"game {number}", "AAAAA", sheet)
    print(number, flush=True)
"""


def test_a_log_whose_writer_is_killed_can_be_read_and_written(tmp_path: Path, repository: Path) -> None:
    log = GameLog(tmp_path / "games.sqlite")
    command = [sys.executable, "-c", WRITER, str(log.path)]
    with subprocess.Popen(command, cwd=repository, stdout=subprocess.PIPE, text=True) as writer:
        assert writer.stdout is not None
        for _ in range(20):
            writer.stdout.readline()
        time.sleep(0.013)  # so that it is in the middle of something
        writer.kill()
        told = 20 + len(writer.stdout.read().splitlines())
    with closing(sqlite3.connect(log.path)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    games = log.games(most=1_000_000)
    assert told <= len(games) <= told + 1, "every game that was told to be saved is there, and none in halves"
    assert all(game.totals for game in games)
