"""Step one: who plays, with which cards, and a photo of every environment."""

from __future__ import annotations

import json
import logging
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from importlib.resources import files

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from scoring.game import CARD_LETTERS
from scoring.layout import MAX_FILE_BYTES, Layout, LayoutError, parse_layout
from vision import PhotoError
from vision.share import board_picture
from webapp.game import MAX_PLAYERS, Game, History, clean_name
from webapp.reading import Job, ReadPhoto
from webapp.reasons import refusal_in, stage_in
from webapp.session import Session
from webapp.text import plain
from webapp.view import player_name

PICTURES = ["jpg", "jpeg", "png", "webp", "heic", "heif", "avif"]
POLL_SECONDS = 0.1


@dataclass(frozen=True)
class Incoming:
    """A file that was handed in. `name` is shown, `key` tells it from others handed in on this page."""

    key: str
    name: str
    data: bytes


@dataclass(frozen=True)
class Refused:
    """Something handed in that gave no environment: the sentence why, and the photo if it is one."""

    sentence: str
    photo: ReadPhoto | None = None


def photos_page(session: Session) -> None:
    words = session.words
    if st.session_state.get("offers"):
        _ask_whose(session)
        return
    if st.session_state.get("refused"):
        _ask_how_to_go_on(session)
        return
    _players(session)
    _cards(session)
    st.subheader(words("photos"))
    _seats(session)
    _way_back(session)
    if session.game.free_seat() is not None or len(session.game.players) < MAX_PLAYERS:
        incoming = _handed_in(session)
        if incoming:
            _take_in(session, incoming)
    if any(player.layout for player in session.game.players):
        st.button(
            words("to_score"),
            type="primary",
            width="stretch",
            key="to score",
            on_click=lambda: st.session_state.update(step="score"),
        )


# --- who and which cards ---


def _players(session: Session) -> None:
    game, words = session.game, session.words
    count = len(game.players)
    key = f"players {count}"

    def set_count() -> None:
        wanted = st.session_state[key]
        if wanted:
            session.step(lambda game: game.with_seats(wanted))

    st.segmented_control(
        words("who"), range(1, MAX_PLAYERS + 1), default=count, key=key, on_change=set_count, width="stretch"
    )
    with st.container(horizontal=True, gap="small"):
        for seat, player in enumerate(game.players):
            _name_field(session, seat, player.name)


def _name_field(session: Session, seat: int, name: str) -> None:
    key = f"name {seat} {name}"

    def set_name() -> None:
        session.step(lambda game: game.with_player(seat, name=clean_name(st.session_state[key])))

    label = session.words("name", number=seat + 1)
    placeholder = session.words("player", number=seat + 1)
    st.text_input(
        label,
        name,
        key=key,
        on_change=set_name,
        placeholder=placeholder,
        label_visibility="collapsed",
        width=170,
        autocomplete="off",
    )


def _cards(session: Session) -> None:
    game, words = session.game, session.words
    choosing = bool(st.session_state.get("choosing letters"))
    present = game.variant or ("letters" if choosing or game.cards != "AAAAA" else "all_a")
    key = f"rules {present}"

    def set_rules() -> None:
        wanted = st.session_state[key] or present
        st.session_state["choosing letters"] = wanted == "letters"
        if wanted == "all_a":
            session.step(lambda game: replace(game, cards="AAAAA", variant=None))
        elif wanted == "letters":
            session.step(lambda game: replace(game, variant=None))
        else:
            session.step(lambda game: replace(game, variant=wanted))

    st.segmented_control(
        words("cards"),
        ["all_a", "letters", "family", "intermediate"],
        default=present,
        format_func=lambda choice: words(f"cards.{choice}"),
        key=key,
        on_change=set_rules,
        width="stretch",
    )
    if present == "letters":
        for species, letter in game.cards_by_species().items():
            _card_letters(session, str(species), letter)


def _card_letters(session: Session, species: str, letter: str) -> None:
    key = f"card {species} {letter}"

    def set_card() -> None:
        wanted = st.session_state[key]
        if wanted:
            session.step(lambda game: game.with_card(species, wanted))

    words = session.words
    st.pills(
        words("card.of", species=words(species)),
        list(CARD_LETTERS),
        default=letter,
        format_func=lambda each: f"**{each}** {words(f'{species}.{each}')}",
        key=key,
        on_change=set_card,
    )


# --- photos in ---


def _seats(session: Session) -> None:
    """One line a player: what is there and what is missing."""
    words = session.words
    for seat, player in enumerate(session.game.players):
        if player.layout is None:
            continue
        with st.container(
            border=True,
            horizontal=True,
            vertical_alignment="center",
            horizontal_alignment="distribute",
            key=f"seat-{seat}",
        ):
            ready = words("seat.ready", tiles=words.count("tile", len(player.layout.tiles)))
            st.markdown(f"**{plain(player_name(player, seat, words))}** ✓ {ready}", width="content")
            st.button(
                words("seat.remove"),
                key=f"remove {seat}",
                on_click=_empty_seat,
                args=(session, seat),
            )


def _empty_seat(session: Session, seat: int) -> None:
    session.step(lambda game: game.with_player(seat, layout=None, photo=None))


def _way_back(session: Session) -> None:
    """Undo and redo where they bring an environment back: without one there is no score view to do it in."""
    history, words = session.saved.history, session.words
    ways = (("undo", history.past[-1:], History.undo), ("redo", history.future[:1], History.redo))
    with st.container(horizontal=True, gap="small"):
        for name, steps, change in ways:
            if any(_seated_count(game) > _seated_count(history.game) for game in steps):
                st.button(
                    words("bring_back"),
                    icon=f":material/{name}:",
                    key=name,
                    on_click=_change_history,
                    args=(session, change),
                )


def _seated_count(game: Game) -> int:
    return sum(player.layout is not None for player in game.players)


def _change_history(session: Session, change: Callable[[History], History]) -> None:
    session.change(lambda saved: replace(saved, history=change(saved.history)))


def _handed_in(session: Session) -> list[Incoming]:
    """Files chosen, taken or tapped that have not been taken in yet."""
    game, words = session.game, session.words
    seat = game.free_seat()
    if len(game.players) > 1 and seat is not None:
        name = plain(player_name(game.players[seat], seat, words))
        st.markdown(f"**{words('photos.next', name=name)}**")
    turn = st.session_state.setdefault("upload turn", 0)
    uploads = st.file_uploader(
        words("upload"),
        type=[*PICTURES, "json"],
        accept_multiple_files=True,
        key=f"upload {turn}",
        label_visibility="collapsed",
    )
    st.caption(f"{words('photos.one_each')} {words('upload.help', megabytes=_megabytes())}")
    incoming = [Incoming(upload.file_id, upload.name, upload.getvalue()) for upload in uploads or []]
    with st.expander(words("camera"), icon=":material/photo_camera:"):
        shot = st.camera_input(words("camera.label"), key=f"camera {turn}", label_visibility="collapsed")
        if shot is not None:
            incoming.append(Incoming(shot.file_id, words("camera.label"), shot.getvalue()))
    incoming += _samples(session)
    st.button(
        words("by_hand"),
        help=words("by_hand.help"),
        key="by hand",
        icon=":material/hexagon:",
        on_click=_begin_by_hand,
        args=(session,),
    )
    taken = st.session_state.setdefault("taken", set())
    return [each for each in incoming if each.key not in taken]


def _megabytes() -> int:
    return int(st.get_option("server.maxUploadSize"))


def _begin_by_hand(session: Session) -> None:
    before = session.game
    session.step(lambda game: game.seated(Layout(()), None))
    _show_newcomer(before, session.game)
    st.session_state.step = "score"


def _show_newcomer(before: Game, after: Game) -> None:
    """Let the score view open with the first environment that was not there before."""
    for seat, player in enumerate(after.players):
        if player.layout is not None and (seat >= len(before.players) or before.players[seat] != player):
            st.session_state["show seat"] = seat
            return


@st.cache_data
def _sample_thumbnails() -> list[tuple[str, bytes]]:
    """Name and small picture of every sample photo, in easy to hard order."""
    from vision import load_photo
    from vision.share import screen_jpeg

    return [
        (path.name, screen_jpeg(load_photo(path.read_bytes()).pixels, 360))
        for path in sorted(files("sample_images").iterdir(), key=lambda path: path.name)
        if path.name.endswith(".jpg")
    ]


def _samples(session: Session) -> list[Incoming]:
    words = session.words
    st.markdown(f"**{words('samples')}**")
    with st.container(horizontal=True, gap="small", key="samples"):
        for number, (name, thumbnail) in enumerate(_sample_thumbnails(), start=1):
            with st.container(width=108, gap=None, key=f"sample-{number}"):
                st.image(thumbnail, width=108)
                st.button(
                    words("sample", number=number),
                    key=f"take {name}",
                    width="stretch",
                    on_click=_tap_sample,
                    args=(name,),
                )
    return list(st.session_state.get("tapped", []))


def _tap_sample(name: str) -> None:
    """Keep the tap until the sample is taken in: whatever else is tapped meanwhile begins a new run."""
    data = (files("sample_images") / name).read_bytes()
    tapped = Incoming(f"sample {name} {time.monotonic()}", name, data)
    st.session_state["tapped"] = [*st.session_state.get("tapped", []), tapped]


def _take_in(session: Session, incoming: Iterable[Incoming]) -> None:
    """Read what was handed in, seat it, and go on to the score when everybody has an environment."""
    refused: list[Refused] = st.session_state.setdefault("refused", [])
    before = session.game
    # Fixed to the bottom of the window (page.css), so that it is seen wherever the page was scrolled to.
    bar = st.container(key="progress").empty()
    for each in incoming:
        refusal = _take_in_one(session, each, bar)
        # Noted at once: if a tap stops this run, the next one goes on with the file after it.
        st.session_state["taken"].add(each.key)
        if refusal:
            refused.append(refusal)
    st.session_state["upload turn"] += 1
    st.session_state["tapped"] = []
    game = session.game
    _show_newcomer(before, game)
    if not refused and not st.session_state.get("offers") and game.free_seat() is None and game != before:
        st.session_state.step = "score"
    st.rerun()


def _take_in_one(session: Session, incoming: Incoming, bar: DeltaGenerator) -> Refused | None:
    """Take in one file; what to say and offer if that failed."""
    words, name = session.words, plain(incoming.name)
    if len(incoming.data) > _megabytes() * 1_000_000:
        return Refused(words("upload.too_large", name=name, megabytes=_megabytes()))
    try:
        if incoming.name.lower().endswith(".json"):
            layout = _parsed_layout(incoming)
            session.step(lambda game: game.seated(layout, None))
            return None
        read = _wait_for(session, session.desk.hand_in(incoming.data, incoming.name), name, bar)
        if not read.layouts:
            return Refused(plain(refusal_in(words.language, read.refusal)), read)
        if len(read.layouts) == 1:
            session.add_photo(read.key, read.jpeg, lambda game: game.seated(read.layouts[0], read.key))
        else:
            st.session_state.setdefault("offers", []).append(read)
    except (PhotoError, LayoutError) as error:
        return Refused(plain(refusal_in(words.language, str(error))))
    except ValueError:  # four players have an environment already
        return Refused(words("upload.too_many", name=name))
    except Exception:
        logging.getLogger(__name__).exception("reading %s failed", incoming.name)
        return Refused(words("reading.failed", name=name))
    return None


def _parsed_layout(incoming: Incoming) -> Layout:
    if len(incoming.data) > MAX_FILE_BYTES:
        raise LayoutError(f"{incoming.name}: larger than any layout file is")
    try:
        data = json.loads(incoming.data)
    except (ValueError, RecursionError):
        raise LayoutError(f"{incoming.name}: no layout file, it holds no JSON") from None
    try:
        return parse_layout(data)
    except LayoutError as error:
        raise LayoutError(f"{incoming.name}: {error}") from None


def _wait_for(session: Session, job: Job, name: str, bar: DeltaGenerator) -> ReadPhoto:
    """Show in `bar` how far a photo is until it is read. Raises what its reading raised."""
    words = session.words
    while not job.result.done():
        progress = session.desk.progress(job)
        if progress.ahead:
            text = words.count("reading.waiting", progress.ahead)
        else:
            stage = stage_in(words.language, progress.stage)
            text = f"{words('reading', name=name)}: {stage}" if stage else words("reading", name=name)
        bar.progress(progress.fraction, text)
        time.sleep(POLL_SECONDS)
    return job.result.result()


# --- a photo without an environment ---


def _ask_how_to_go_on(session: Session) -> None:
    """What was handed in gave no environment: why, and the two ways on."""
    words = session.words
    refused: Refused = st.session_state["refused"][0]
    st.error(refused.sentence, icon=":material/image_not_supported:")
    if refused.photo is not None:
        st.image(refused.photo.jpeg, width=420)
        st.caption(words("photos.better"))
    st.button(
        words("refused.again"),
        type="primary",
        key="try again",
        width="stretch",
        icon=":material/photo_camera:",
        on_click=_next_refused,
    )
    if session.game.free_seat() is not None or len(session.game.players) < MAX_PLAYERS:
        st.button(
            words("by_hand" if refused.photo is None else "refused.by_hand"),
            key="by hand",
            width="stretch",
            icon=":material/hexagon:",
            on_click=_build_over,
            args=(session, refused.photo),
        )


def _next_refused() -> None:
    st.session_state["refused"] = st.session_state["refused"][1:]


def _build_over(session: Session, photo: ReadPhoto | None) -> None:
    """Seat an environment without tiles, over the photo if there is one."""
    _next_refused()
    if photo is None:
        _begin_by_hand(session)
        return
    before = session.game
    empty = Layout((), photo=photo.info)
    session.add_photo(photo.key, photo.jpeg, lambda game: game.seated(empty, photo.key))
    _show_newcomer(before, session.game)
    if not st.session_state["refused"]:
        st.session_state.step = "score"


# --- one photo, several environments ---


def _ask_whose(session: Session) -> None:
    words = session.words
    offer: ReadPhoto = st.session_state["offers"][0]
    st.subheader(words("whose", count=len(offer.layouts)))
    game = session.game
    free = [seat for seat in range(MAX_PLAYERS) if _is_free(game, seat)]
    choices: list[int | None] = [*free, None]
    chosen: list[int | None] = []
    for number, layout in enumerate(offer.layouts):
        tiles = words.count("tile", len(layout.tiles))
        st.image(board_picture(layout, offer.jpeg), width=420)
        chosen.append(
            st.segmented_control(
                words("whose.one", number=number + 1, tiles=tiles),
                choices,
                default=free[number] if number < len(free) else None,
                format_func=lambda seat: _seat_name(session, seat),
                key=f"whose {offer.key} {number}",
            )
        )
    st.button(
        words("whose.done"),
        type="primary",
        key="whose done",
        width="stretch",
        disabled=len({seat for seat in chosen if seat is not None})
        < sum(seat is not None for seat in chosen),
        on_click=_seat_offer,
        args=(session, offer, chosen),
    )


def _is_free(game: Game, seat: int) -> bool:
    return seat >= len(game.players) or game.players[seat].layout is None


def _seat_name(session: Session, seat: int | None) -> str:
    if seat is None:
        return session.words("whose.nobody")
    players = session.game.players
    if seat < len(players):
        return plain(player_name(players[seat], seat, session.words))
    return session.words("player", number=seat + 1)


def _seat_offer(session: Session, offer: ReadPhoto, chosen: list[int | None]) -> None:
    def seated(game: Game) -> Game:
        for seat, layout in zip(chosen, offer.layouts, strict=True):
            if seat is not None:
                game = game.with_seats(max(seat + 1, len(game.players)))
                game = game.with_player(seat, layout=layout, photo=offer.key)
        return game

    before = session.game
    session.add_photo(offer.key, offer.jpeg, seated)
    _show_newcomer(before, session.game)
    st.session_state["offers"] = st.session_state["offers"][1:]
    waiting = st.session_state["offers"] or st.session_state.get("refused")
    if not waiting and session.game.free_seat() is None:
        st.session_state.step = "score"
