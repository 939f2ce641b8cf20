"""The page. Run with `cascadia app` or `streamlit run webapp/app.py`."""

from __future__ import annotations

import streamlit as st

from webapp.copy_page import keep_copy
from webapp.keep_page import keep_page
from webapp.photos_page import photos_page
from webapp.score_page import score_page
from webapp.session import Session, forget, open_session
from webapp.view import page_style
from webapp.words import LANGUAGES

# A forest tile, sent with the page: Streamlit fetches its own icons from another server.
ICON = (
    "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 24 24'>"
    "<path fill='#25614a' d='M12 1 22 6.5v11L12 23 2 17.5v-11Z'/>"
    "<path fill='#fff' d='M12 4l5 7h-2l3.500 5H13v3h-2v-3H5.500L9 11H7Z'/></svg>"
)

PAGES = {"photos": photos_page, "score": score_page, "keep": keep_page}


def main() -> None:
    st.set_page_config(page_title="Cascadia", page_icon=ICON, layout="wide")
    session = open_session()
    st.html(f"<style>{page_style(session.words)}</style>")
    scored = any(player.layout for player in session.game.players)
    # A page that is opened on a game under way, or reloaded, goes on where the game is.
    step = st.session_state.setdefault("step", "score" if scored else "photos")
    if step == "score" and not scored:
        step = st.session_state.step = "photos"
    if step != "score":  # the score view keeps the copy with every correction, which reruns only itself
        keep_copy(session)
    _head(session, step, scored)
    with st.container(key=f"page-{step}"):
        PAGES[step](session)
    _foot(session)


def _head(session: Session, step: str, scored: bool) -> None:
    words = session.words
    with st.container(key="head", horizontal=True, vertical_alignment="center", gap="small"):
        st.markdown(f"#### {words('title')}", width="content")
        key = f"step {step}"

        def go() -> None:
            st.session_state.step = st.session_state[key] or step

        st.segmented_control(
            words("step"),
            [name for name in PAGES if scored or name != "score"],
            default=step,
            format_func=lambda name: words(f"step.{name}"),
            key=key,
            on_change=go,
            label_visibility="collapsed",
        )
    if step == "photos" and not scored:
        st.markdown(words("subtitle"))


def _foot(session: Session) -> None:
    words = session.words
    with st.container(key="foot", horizontal=True, vertical_alignment="center", gap="small"):
        language = words.language

        def set_language() -> None:
            st.query_params["language"] = st.session_state[f"language {language}"] or language

        st.segmented_control(
            words("language"),
            list(LANGUAGES),
            default=language,
            format_func=LANGUAGES.__getitem__,
            key=f"language {language}",
            on_change=set_language,
            label_visibility="collapsed",
        )
        if any(player.layout for player in session.game.players):
            with st.popover(words("new_game")):
                st.write(words("new_game.sure"))
                st.button(words("new_game.yes"), key="new game", on_click=_new_game, args=(session,))


def _new_game(session: Session) -> None:
    forget(session)
    st.session_state.step = "photos"


main()
