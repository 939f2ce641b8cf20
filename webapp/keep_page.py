"""Step three: files and a picture to take away, and the log of past games."""

from __future__ import annotations

import os

import streamlit as st

from scoring.game import ScoreSheet
from webapp.gamelog import GameLog, LogError, is_same_machine, log_path
from webapp.keep import file_name, layout_json, share_picture, sheet_csv, sheet_json
from webapp.session import Session
from webapp.text import plain
from webapp.view import player_name, seated_players, sheet_of


def keep_page(session: Session) -> None:
    words = session.words
    sheet = sheet_of(session.game, words)
    if sheet is None:
        st.info(words("keep.nothing"))
    else:
        _picture(session, sheet)
        _files(session, sheet)
        st.caption(words("address"))
    _log(session, sheet)


def _picture(session: Session, sheet: ScoreSheet) -> None:
    words = session.words
    st.subheader(words("keep.picture"))
    if not st.session_state.get("picture wanted"):
        st.button(
            words("keep.picture.make"),
            help=words("keep.picture.help"),
            type="primary",
            key="make picture",
            width="stretch",
            icon=":material/image:",
            on_click=lambda: st.session_state.update({"picture wanted": True}),
        )
        return
    picture = share_picture(session.saved, sheet, words)
    st.image(picture, width=480)
    st.download_button(
        words("keep.picture"),
        picture,
        file_name(*(player.name for player in sheet.players), suffix=".jpg"),
        "image/jpeg",
        key="picture",
        type="primary",
        width="stretch",
        icon=":material/download:",
        on_click="ignore",
    )


def _files(session: Session, sheet: ScoreSheet) -> None:
    words, game = session.words, session.game
    st.subheader(words("keep"))
    with st.container(horizontal=True, gap="small"):
        _download(words("keep.csv"), sheet_csv(sheet, words), "score-sheet.csv", "text/csv")
        _download(words("keep.json"), sheet_json(game, sheet), "score-sheet.json", "application/json")
    st.caption(words("keep.layouts"))
    with st.container(horizontal=True, gap="small"):
        for seat, player, layout in seated_players(game):
            name = player_name(player, seat, words)
            label = words("keep.layout", name=plain(name))
            _download(label, layout_json(layout), file_name(name, suffix=".json"), "application/json")


def _download(label: str, data: str | bytes, name: str, mime: str) -> None:
    st.download_button(
        label, data, name, mime, key=f"download {name}", icon=":material/download:", on_click="ignore"
    )


def _log(session: Session, sheet: ScoreSheet | None) -> None:
    words = session.words
    st.subheader(words("log"))
    path = log_path(os.environ, is_same_machine(st.context.ip_address, st.context.headers))
    if path is None:
        st.caption(words("log.off"))
        return
    log = GameLog(path)
    st.caption(plain(words("log.where", path=str(path))))
    try:
        if sheet is not None:
            _add_to_log(session, log, sheet)
        _past_games(session, log)
    except LogError as error:
        st.error(plain(words("log.broken", reason=str(error))))


def _add_to_log(session: Session, log: GameLog, sheet: ScoreSheet) -> None:
    words = session.words
    if log.holds(session.key, sheet):
        st.success(words("log.added"), icon=":material/check:")
        return
    if st.button(words("log.add"), key="log add", width="stretch", icon=":material/playlist_add:"):
        log.add(session.key, sheet.variant or session.game.cards, sheet)
        st.rerun()


def _past_games(session: Session, log: GameLog) -> None:
    words = session.words
    games = log.games()
    if not games:
        st.caption(words("log.empty"))
        return
    st.table(
        [
            {
                words("log.date"): game.played_at.astimezone().strftime("%Y-%m-%d"),
                words("log.cards"): words(f"cards.{game.cards}") if game.cards.islower() else game.cards,
                words("log.result"): ", ".join(f"{plain(name)} {total}" for name, total in game.totals),
            }
            for game in games
        ]
    )
    st.table(
        [
            {
                words("log.name"): plain(each.name),
                words("log.games"): str(each.games),
                words("log.wins"): str(each.wins),
                words("log.best"): str(each.best),
                words("log.average"): f"{each.average:.1f}",
            }
            for each in log.figures()
        ]
    )
    with st.popover(words("log.clear"), icon=":material/delete:"):
        st.write(words("log.clear.sure"))
        if st.button(words("log.clear.yes"), key="log clear"):
            log.clear()
            st.rerun()
