"""Step two: the photo with the reading over it beside the score pad, both live."""

from __future__ import annotations

import streamlit as st

from webapp.actions import apply_outbox
from webapp.copy_page import keep_copy
from webapp.game import MAX_PLAYERS
from webapp.session import Session
from webapp.view import data_url, photo_keeper, score_view, view_data


def score_page(session: Session) -> None:
    for name, jpeg in session.saved.photos.items():
        photo_keeper(key=f"photo {name}", data={"name": name, "url": data_url(jpeg)}, height=1)
    _live(session, st.session_state.pop("show seat", None))
    with st.container(horizontal=True, gap="small"):
        if len(session.game.players) < MAX_PLAYERS or session.game.free_seat() is not None:
            st.button(
                session.words("add_player"),
                icon=":material/person_add:",
                key="add player",
                on_click=_add_player,
                args=(session,),
            )
        st.button(
            session.words("keep"),
            icon=":material/download:",
            key="to keep",
            on_click=lambda: st.session_state.update(step="keep"),
        )


@st.fragment
def _live(session: Session, show: int | None) -> None:
    """The part that runs again with every action; the photos outside it are not sent again.

    `show` is the seat to open with, if not the one that was open last.
    """
    keep_copy(session)
    score_view(
        key="score view",
        data=view_data(session.key, session.saved, session.words, show),
        on_outbox_change=lambda: _do(session),
    )


def _do(session: Session) -> None:
    outbox = st.session_state["score view"]["outbox"]
    session.change(lambda saved: apply_outbox(saved, outbox))


def _add_player(session: Session) -> None:
    if session.game.free_seat() is None:
        session.step(lambda game: game.with_seats(len(game.players) + 1))
    st.session_state.step = "photos"
