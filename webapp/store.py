"""Games under way, kept in the server's memory so that a reload or a lost connection loses nothing.

A game is reached by its key alone, which stands in the page's address and cannot be guessed. Nothing is
written to disk. The store is bounded: games that nobody has touched for a day go, and the oldest go when the
photos need too much room.
"""

from __future__ import annotations

import secrets
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

from webapp.game import Game, History

MAX_BYTES = 400_000_000
MAX_GAMES = 2_000
IDLE_SECONDS = 24 * 3600.0


@dataclass(frozen=True)
class SavedGame:
    """A game, its photos (JPEG bytes by name), and per open page the number of its last action done."""

    history: History = field(default_factory=History)
    photos: Mapping[str, bytes] = field(default_factory=dict)
    applied: Mapping[str, int] = field(default_factory=dict)

    @property
    def size(self) -> int:
        return sum(len(photo) for photo in self.photos.values())


class GameStore:
    """Thread-safe; `clock` gives seconds and is replaced in tests."""

    def __init__(
        self,
        max_bytes: int = MAX_BYTES,
        max_games: int = MAX_GAMES,
        idle_seconds: float = IDLE_SECONDS,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._max_bytes = max_bytes
        self._max_games = max_games
        self._idle_seconds = idle_seconds
        self._clock = clock
        self._lock = threading.Lock()
        self._games: OrderedDict[str, tuple[float, SavedGame]] = OrderedDict()  # least lately used first

    def new_key(self) -> str:
        """An address that cannot be guessed (128 bits); the game is stored with its first change."""
        return secrets.token_urlsafe(16)

    def get(self, key: str) -> SavedGame | None:
        with self._lock:
            return self._touched(key)

    def update(self, key: str, change: Callable[[SavedGame], SavedGame]) -> SavedGame:
        """Replace the game (a new one if there is none) by `change` of it, as one step for all sessions."""
        with self._lock:
            saved = change(self._touched(key) or SavedGame())
            in_use = {player.photo for game in _games_of(saved.history) for player in game.players}
            photos = {name: photo for name, photo in saved.photos.items() if name in in_use}
            saved = replace(saved, photos=photos)
            self._games[key] = (self._clock(), saved)
            self._games.move_to_end(key)
            self._drop_old()
            return saved

    def _touched(self, key: str) -> SavedGame | None:
        entry = self._games.get(key)
        if entry is None or self._clock() - entry[0] > self._idle_seconds:
            self._games.pop(key, None)
            return None
        self._games[key] = (self._clock(), entry[1])
        self._games.move_to_end(key)
        return entry[1]

    def _drop_old(self) -> None:
        oldest_allowed = self._clock() - self._idle_seconds
        total = sum(saved.size for _, saved in self._games.values())
        while len(self._games) > 1:
            key, (touched, saved) = next(iter(self._games.items()))
            if touched >= oldest_allowed and total <= self._max_bytes and len(self._games) <= self._max_games:
                return
            total -= saved.size
            del self._games[key]


def _games_of(history: History) -> list[Game]:
    return [history.game, *history.past, *history.future]
