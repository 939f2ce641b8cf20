"""The browser's own copy of the game, for the case that the server forgets it."""

from __future__ import annotations

import json

import streamlit as st

from webapp.session import Session, restore
from webapp.view import backup_keeper


def keep_copy(session: Session) -> None:
    """Keep a copy of the game in the browser; ask for it back if the server does not know the game."""
    saved = session.store.get(session.key)

    def take_back() -> None:
        answer = st.session_state["backup"].get("restored") or {}
        if answer.get("game") == session.key and restore(session, str(answer.get("saved"))):
            st.session_state.step = "score"

    backup_keeper(
        key="backup",
        data={
            "game": session.key,
            "saved": None if saved is None else json.dumps(saved.history.game.to_dict()),
            "wanted": saved is None and "game" in st.query_params,
        },
        on_restored_change=take_back,
        height=1,
    )
