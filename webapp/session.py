"""What one open page knows: its game, its words, and the desk and store that all pages share."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, replace

import streamlit as st

from webapp.game import Game, parse_game
from webapp.reading import ReadingDesk
from webapp.store import GameStore, SavedGame
from webapp.words import Words, language_for


@st.cache_resource
def shared_store() -> GameStore:
    return GameStore()


@st.cache_resource
def shared_desk() -> ReadingDesk:
    return ReadingDesk()


@dataclass(frozen=True)
class Session:
    """The page's way to its game. Every read and every change goes to the store, which other pages share."""

    key: str
    words: Words
    store: GameStore
    desk: ReadingDesk

    @property
    def saved(self) -> SavedGame:
        return self.store.get(self.key) or SavedGame()

    @property
    def game(self) -> Game:
        return self.saved.history.game

    def change(self, change: Callable[[SavedGame], SavedGame]) -> SavedGame:
        st.query_params["game"] = self.key
        return self.store.update(self.key, change)

    def step(self, change: Callable[[Game], Game]) -> SavedGame:
        """Change the game in a way that can be taken back."""
        return self.change(
            lambda saved: replace(saved, history=saved.history.step(change(saved.history.game)))
        )

    def add_photo(self, name: str, jpeg: bytes, change: Callable[[Game], Game]) -> SavedGame:
        """Change the game to one that shows the photo `name`, and keep its picture with it."""

        def with_photo(saved: SavedGame) -> SavedGame:
            history = saved.history.step(change(saved.history.game))
            return replace(saved, history=history, photos={**saved.photos, name: jpeg})

        return self.change(with_photo)


def open_session() -> Session:
    """The session of this page: the game its address names, or a new one."""
    store = shared_store()
    key = st.query_params.get("game")
    if not key:
        key = st.session_state.setdefault("new_game_key", store.new_key())
    language = language_for(st.context.locale, st.query_params.get("language"))
    return Session(key, Words(language), store, shared_desk())


def restore(session: Session, saved: str) -> bool:
    """Take up the browser's own copy of a game that the server has forgotten; False if it is none."""
    try:
        game = parse_game(json.loads(saved))
    except (ValueError, TypeError, RecursionError):
        return False
    if session.store.get(session.key) is not None:
        return False
    session.step(lambda _: game)
    return True


def forget(session: Session) -> None:
    """Begin a new game under a new address."""
    st.session_state["new_game_key"] = session.store.new_key()
    st.query_params.pop("game", None)
