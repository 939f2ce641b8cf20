"""Past games on the user's own machine: one SQLite file.

The log is for whoever runs the page. It is on for a browser on the same machine as the server and off for all
others, so a shared server shows nobody's games to strangers. The environment variable CASCADIA_LOG overrides
that for everybody: `on`, `off`, or the path of the file (which means on).
"""

from __future__ import annotations

import sqlite3
import sys
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from ipaddress import ip_address as ip_address_of
from pathlib import Path
from urllib.parse import urlsplit

from scoring.game import ScoreSheet

LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})
_FORWARDED = ("X-Forwarded-For", "X-Forwarded-Host", "X-Real-Ip", "Forwarded", "Via")

_SCHEMA = """
CREATE TABLE IF NOT EXISTS games (
    id INTEGER PRIMARY KEY,
    game TEXT NOT NULL UNIQUE,      -- the page's name of the game: put in again, it replaces the old entry
    played_at TEXT NOT NULL,        -- ISO 8601, UTC
    cards TEXT NOT NULL             -- five letters in the pad's order, or the variant's name
);
CREATE TABLE IF NOT EXISTS results (
    game_id INTEGER NOT NULL REFERENCES games(id) ON DELETE CASCADE,
    seat INTEGER NOT NULL,
    name TEXT NOT NULL,
    total INTEGER NOT NULL,
    won INTEGER NOT NULL,
    PRIMARY KEY (game_id, seat)
);
"""


class LogError(Exception):
    """The log cannot be opened or written; the message says why in one sentence."""


@dataclass(frozen=True)
class LoggedGame:
    """A past game: when, with which cards, and everyone's total, best first."""

    played_at: datetime
    cards: str
    totals: tuple[tuple[str, int], ...]


@dataclass(frozen=True)
class PlayerFigures:
    """What the log knows about one name."""

    name: str
    games: int
    wins: int
    best: int
    average: float


def is_same_machine(ip_address: str | None, headers: Mapping[str, str]) -> bool:
    """Whether the browser runs where the server does.

    `ip_address` is `st.context.ip_address`: None for most connections from this machine, but a server that
    listens on IPv6 sees 127.0.0.1 as ::ffff:127.0.0.1. A reverse proxy on this machine connects from here
    too, but for a page of another origin, or with forwarding headers.
    """
    if not _is_loopback(ip_address) or any(headers.get(name) for name in _FORWARDED):
        return False
    return urlsplit(headers.get("Origin") or "").hostname in LOOPBACK


def _is_loopback(ip_address: str | None) -> bool:
    if ip_address is None:
        return True
    try:
        address = ip_address_of(ip_address)
    except ValueError:
        return False
    mapped = getattr(address, "ipv4_mapped", None)
    return (mapped or address).is_loopback


def log_path(environment: Mapping[str, str], same_machine: bool) -> Path | None:
    """Where the log is kept; None if it is off (see the module's words)."""
    setting = environment.get("CASCADIA_LOG", "").strip()
    if setting.lower() == "off" or (not setting and not same_machine):
        return None
    if setting.lower() in ("", "on"):
        return _data_folder(environment) / "cascadia" / "games.sqlite"
    return Path(setting).expanduser()


def _data_folder(environment: Mapping[str, str]) -> Path:
    """The folder where this system keeps a user's data."""
    if sys.platform == "win32":
        return Path(environment.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support"
    return Path(environment.get("XDG_DATA_HOME") or Path.home() / ".local" / "share")


class GameLog:
    """The log in the file `path`, which is made with its first game. All methods raise LogError."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def add(self, game: str, cards: str, sheet: ScoreSheet, played_at: datetime | None = None) -> None:
        """Put a game in. `game` names it: put in once more after a correction, it is replaced."""
        moment = (played_at or datetime.now(UTC)).astimezone(UTC).isoformat(timespec="seconds")
        with self._connection() as connection, connection:
            connection.execute("DELETE FROM games WHERE game = ?", (game,))
            inserted = connection.execute(
                "INSERT INTO games (game, played_at, cards) VALUES (?, ?, ?)", (game, moment, cards)
            )
            connection.executemany(
                "INSERT INTO results VALUES (?, ?, ?, ?, ?)",
                [
                    (inserted.lastrowid, seat, player.name, player.total, player.name in sheet.winners)
                    for seat, player in enumerate(sheet.players)
                ],
            )

    def holds(self, game: str, sheet: ScoreSheet) -> bool:
        """Whether the game is in the log with just these results."""
        if not self.path.exists():
            return False
        with self._connection() as connection:
            kept = connection.execute(
                "SELECT name, total FROM results JOIN games ON id = game_id WHERE game = ? ORDER BY seat",
                (game,),
            ).fetchall()
        return kept == [(player.name, player.total) for player in sheet.players]

    def games(self, most: int = 50) -> list[LoggedGame]:
        """Past games, newest first."""
        if not self.path.exists():
            return []
        with self._connection() as connection:
            rows = connection.execute(
                "SELECT id, played_at, cards FROM games ORDER BY played_at DESC, id DESC LIMIT ?", (most,)
            ).fetchall()
            return [
                LoggedGame(
                    datetime.fromisoformat(played_at),
                    cards,
                    tuple(
                        connection.execute(
                            "SELECT name, total FROM results WHERE game_id = ? ORDER BY total DESC, seat",
                            (key,),
                        ).fetchall()
                    ),
                )
                for key, played_at, cards in rows
            ]

    def figures(self) -> list[PlayerFigures]:
        """Games, wins, best and average of every name, the most frequent first."""
        if not self.path.exists():
            return []
        with self._connection() as connection:
            rows = connection.execute(
                "SELECT name, COUNT(*), SUM(won), MAX(total), AVG(total) FROM results "
                "GROUP BY name ORDER BY COUNT(*) DESC, name"
            ).fetchall()
        return [PlayerFigures(*row) for row in rows]

    def clear(self) -> None:
        """Forget every game; the file is removed."""
        try:
            self.path.unlink(missing_ok=True)
        except OSError as error:
            raise LogError(f"{self.path} cannot be removed ({error.strerror})") from error

    @contextmanager
    def _connection(self) -> Iterator[sqlite3.Connection]:
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with closing(sqlite3.connect(self.path, timeout=10)) as connection:
                connection.execute("PRAGMA foreign_keys = ON")
                connection.executescript(_SCHEMA)
                yield connection
        except OSError as error:
            raise LogError(f"{self.path} cannot be used ({error.strerror})") from error
        except sqlite3.Error as error:
            raise LogError(f"{self.path} is no log of games, or is damaged ({error})") from error
