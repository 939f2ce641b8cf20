"""The page without a browser: what is handed in, seated, asked and kept."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

import pytest
import streamlit as st
from fake_reader import FakeReader, sample_layout
from streamlit.testing.v1 import AppTest

import webapp.reading
from webapp.keep import layout_json
from webapp.session import shared_store

PAGE = str(Path(__file__).parents[2] / "webapp" / "app.py")
SAMPLE = "01-from-above.jpg"


@pytest.fixture
def reader(monkeypatch: pytest.MonkeyPatch) -> FakeReader:
    """A fresh server with the fake reader."""
    st.cache_resource.clear()
    reader = FakeReader()
    monkeypatch.setattr(webapp.reading, "read_photo", reader)
    monkeypatch.setenv("CASCADIA_LOG", "off")
    return reader


def open_page(**query: str) -> AppTest:
    page = AppTest.from_file(PAGE, default_timeout=120)
    for key, value in query.items():
        page.query_params[key] = value
    page.run()
    assert not page.exception
    return page


def key_of(page: AppTest) -> str:
    value = page.query_params["game"]
    return value[0] if isinstance(value, list) else value


def game_of(page: AppTest):
    return shared_store().get(key_of(page)).history.game


def sample(name: str = SAMPLE) -> bytes:
    return (files("sample_images") / name).read_bytes()


def hand_in(page: AppTest, *uploads: tuple[str, bytes, str]) -> AppTest:
    page.file_uploader[0].set_value(list(uploads)).run()
    assert not page.exception
    return page


def test_a_sample_goes_straight_to_the_score_and_is_read_once(reader):
    page = open_page()
    page.button(key=f"take {SAMPLE}").click().run()
    assert not page.exception
    assert page.session_state["step"] == "score"
    assert len(game_of(page).players[0].layout.tiles) == len(sample_layout(SAMPLE).tiles)
    page.run()
    assert reader.reads == [SAMPLE]


def test_a_reloaded_page_goes_on_where_the_game_is(reader):
    page = open_page()
    page.button(key=f"take {SAMPLE}").click().run()
    again = open_page(game=key_of(page))
    assert again.session_state["step"] == "score"
    stranger = open_page()
    assert stranger.session_state["step"] == "photos"
    assert reader.reads == [SAMPLE]


def test_names_players_and_cards(reader):
    page = open_page()
    page.segmented_control(key="players 1").set_value(3).run()
    page.text_input(key="name 1 ").set_value("<b>Ben</b>").run()
    page.segmented_control(key="rules all_a").set_value("letters").run()
    page.pills(key="card fox A").set_value("C").run()
    assert not page.exception
    game = game_of(page)
    assert len(game.players) == 3
    assert game.players[1].name == "<b>Ben</b>"
    assert game.cards == "AAAAC"
    page.segmented_control(key="rules letters").set_value("family").run()
    assert game_of(page).variant == "family"


def test_several_photos_at_once_are_seated_in_order(reader):
    page = open_page()
    second = "02-at-an-angle.jpg"
    hand_in(page, (SAMPLE, sample(), "image/jpeg"), (second, sample(second), "image/jpeg"))
    assert [player.layout.photo.file for player in game_of(page).players] == [SAMPLE, second]
    assert page.session_state["step"] == "score"


def test_a_photo_with_two_environments_asks_whose_is_whose(reader):
    page = open_page()
    page.button(key="take 06-two-players.jpg").click().run()
    assert not page.exception
    page.button(key="whose done").click().run()
    assert not page.exception
    assert all(player.layout for player in game_of(page).players)
    assert len(game_of(page).players) == 2
    assert page.session_state["step"] == "score"


@pytest.mark.parametrize(
    ("name", "data", "words"),
    [
        ("empty.jpg", b"", "empty"),
        ("letter.jpg", b"Dear Ann, this is not a photo", "not a picture"),
        ("table.png", None, "no environment"),
        ("broken.json", b"{", "no JSON"),
        (
            "lake.json",
            b'{"version": 1, "tiles": [{"q": 0, "r": 0, "terrain": "lake", "token": null}]}',
            "terrain",
        ),
        ("other.json", b'{"version": 9, "tiles": []}', "version"),
    ],
)
def test_what_cannot_be_used_gets_one_sentence(reader, name, data, words):
    page = open_page()
    hand_in(page, (name, sample() if data is None else data, "image/jpeg"))
    assert len(page.error) == 1
    assert words in page.error[0].value
    assert page.session_state["step"] == "photos"


BARE_TABLE = ("table.png", sample("02-at-an-angle.jpg"), "image/png")
"""To the fake reader, which knows the samples by name, a photo without an environment."""


def test_a_photo_without_an_environment_can_be_built_over_by_hand(reader):
    page = open_page()
    hand_in(page, BARE_TABLE)
    page.button(key="by hand").click().run()
    assert not page.exception
    assert page.session_state["step"] == "score"
    player = game_of(page).players[0]
    assert player.layout.tiles == ()
    assert player.layout.photo.file == "table.png"
    assert player.photo in shared_store().get(key_of(page)).photos
    assert not page.error


def test_a_photo_without_an_environment_can_be_followed_by_another(reader):
    page = open_page()
    hand_in(page, BARE_TABLE)
    page.button(key="try again").click().run()
    assert not page.error
    page.button(key=f"take {SAMPLE}").click().run()
    assert page.session_state["step"] == "score"
    assert [len(player.layout.tiles) for player in game_of(page).players] == [
        len(sample_layout(SAMPLE).tiles)
    ]


def test_of_two_photos_the_good_one_is_kept_and_the_other_asked_about(reader):
    page = open_page()
    hand_in(page, (SAMPLE, sample(), "image/jpeg"), BARE_TABLE)
    assert len(page.error) == 1
    assert game_of(page).players[0].layout.photo.file == SAMPLE
    page.button(key="by hand").click().run()
    assert len(game_of(page).players) == 2
    assert page.session_state["step"] == "score"


def test_a_removed_environment_can_be_brought_back(reader):
    page = open_page()
    page.button(key=f"take {SAMPLE}").click().run()
    before = game_of(page)
    page.session_state["step"] = "photos"
    page.run()
    page.button(key="remove 0").click().run()
    assert game_of(page).players[0].layout is None
    page.button(key="undo").click().run()
    assert not page.exception
    assert game_of(page) == before


def test_a_layout_file_is_taken_up_again(reader):
    page = open_page()
    data = layout_json(sample_layout(SAMPLE)).encode()
    hand_in(page, ("ann.json", data, "application/json"))
    assert game_of(page).players[0].layout == sample_layout(SAMPLE)
    assert reader.reads == []


def test_an_environment_can_be_built_by_hand(reader):
    page = open_page()
    page.button(key="by hand").click().run()
    assert not page.exception
    assert page.session_state["step"] == "score"
    assert game_of(page).players[0].layout.tiles == ()


def test_the_picture_and_the_files_are_offered(reader):
    page = open_page()
    page.button(key=f"take {SAMPLE}").click().run()
    page.button(key="to keep").click().run()
    page.button(key="make picture").click().run()
    assert not page.exception
    assert page.session_state["step"] == "keep"


def test_the_log_takes_a_game_where_it_is_on(reader, monkeypatch, tmp_path):
    monkeypatch.setenv("CASCADIA_LOG", str(tmp_path / "games.sqlite"))
    page = open_page()
    page.button(key=f"take {SAMPLE}").click().run()
    page.button(key="to keep").click().run()
    page.button(key="log add").click().run()
    assert not page.exception
    assert page.success
    assert page.table


def test_the_page_speaks_korean_when_asked(reader):
    page = open_page(language="ko")
    assert any("사진" in each.value for each in page.subheader)


def test_the_key_of_a_game_is_in_no_page_before_its_first_change(reader):
    assert "game" not in open_page().query_params
