"""Every word in every language, and the engine's sentences in Korean."""

from __future__ import annotations

import random
import re
import string

import pytest

from scoring import SPECIES, Environment, Tile, score_environment, score_game, terrain_states
from scoring.environment import check
from scoring.game import CARD_LETTERS
from scoring.hexgrid import neighbors
from scoring.layout import Layout
from vision import PHOTO_WARNINGS, STAGES
from webapp.reasons import reason_in, refusal_in, stage_in, warning_in
from webapp.text import plain
from webapp.view import unusual_things
from webapp.words import LANGUAGES, TABLES, Words, language_for


def placeholders(text: str) -> set[str]:
    return {field for _, field, _, _ in string.Formatter().parse(text) if field}


@pytest.mark.parametrize("language", list(LANGUAGES))
def test_every_language_has_every_word_with_its_placeholders(language):
    assert set(TABLES[language]) == set(TABLES["en"])
    for key, text in TABLES[language].items():
        assert text.strip(), key
        assert placeholders(text) == placeholders(TABLES["en"][key]), key


def test_the_language_is_asked_for_or_the_browsers():
    assert language_for("ko-KR") == "ko"
    assert language_for("de-DE") == "en"
    assert language_for(None) == "en"
    assert language_for("ko-KR", "en") == "en"
    assert language_for("en", "xx") == "en"
    assert Words("xx").language == "en"


def test_numbers_take_the_plural():
    words = Words("en")
    assert words.count("tile", 1) == "1 tile"
    assert words.count("review", 2, low=85, high=88) == "2 tiles to check: they decide between 85 and 88"


def random_environment(seed: int) -> Environment:
    rng = random.Random(seed)
    cells = [(0, 0)]
    while len(cells) < 30:
        cell = rng.choice(neighbors(rng.choice(cells)))
        if cell not in cells:
            cells.append(cell)
    animals = [*SPECIES, None] if seed % 2 else [rng.choice(SPECIES), rng.choice(SPECIES), None]
    return Environment.of(Tile(cell, rng.choice(terrain_states()), rng.choice(animals)) for cell in cells)


def test_every_reason_and_warning_of_the_engine_is_korean_on_the_korean_page():
    english = re.compile(r"[a-z]{2,}")
    for seed in range(60):
        env = random_environment(seed)
        reasons = [
            group.reason
            for species in SPECIES
            for letter in CARD_LETTERS
            for group in score_environment(env, species, letter).groups
        ]
        for variant in ("family", "intermediate"):
            for score in score_game([env], variant=variant).players[0].wildlife.values():
                reasons += [group.reason for group in score.groups]
        for reason in reasons:
            assert not english.search(reason_in("ko", reason)), reason
        for problem in check(env.tiles.values(), 30):
            assert not english.search(warning_in("ko", problem.message)), problem.message
    assert all(not english.search(stage_in("ko", stage)) for stage in STAGES)


def test_every_card_is_described_in_words_of_its_own():
    for table in TABLES.values():
        for species in SPECIES:
            assert len({table[f"{species}.{letter}"] for letter in CARD_LETTERS}) == len(CARD_LETTERS)


def test_every_refusal_of_a_photo_is_korean_on_the_korean_page():
    refusals = [
        "'a.jpg' shows no environment (at least 5 tiles that touch): take the photo from above",
        "'a.jpg' needs more memory than there is: save it smaller and try again",
        "'a.jpg' is an unusual JPEG that takes too long to open: save it again as JPEG",
        "'a.jpg' is cut off before its end: copy or send it once more",
        "'a.jpg' has only 8 x 8 pixels: the tiles cannot be told apart, use a larger photo",
    ]
    for refusal in refusals:
        assert re.match(r"a\.jpg: .*[가-힣]", refusal_in("ko", refusal)), refusal


def test_a_sentence_without_a_translation_stays():
    assert reason_in("ko", "won at dice") == "won at dice"
    assert reason_in("en", "2 pairs") == "2 pairs"
    assert reason_in("en", "(0, 1) sees (3, -1)") == "line of sight"
    assert refusal_in("ko", "'a.jpg' is empty: copy the photo again").startswith("a.jpg: 빈 파일")


def test_names_are_shown_as_they_are():
    assert plain("<b>*Ann*</b> :smile: [x](y)") == (r"\<b\>\*Ann\*\</b\> \:smile\: \[x\]\(y\)")


def test_what_the_reader_says_of_a_photo_is_shown_and_korean():
    said = (
        "the tiles are only 31 pixels wide: go closer if tiles are misread",
        "the environment reaches the edge of the photo: tiles beyond it are missing",
        "the photo is black and white: terrains are told by colour, take it in colour",
    )
    for sentence in said:
        assert sentence.startswith(PHOTO_WARNINGS)
        assert warning_in("en", sentence) == sentence
        assert not re.search(r"[a-z]{3}", warning_in("ko", sentence)), sentence
    corrected = Layout((), 0, None, ("31 tiles: a full environment has 23", *said))
    shown = unusual_things(corrected)
    assert shown[-3:] == list(said)
    assert "31 tiles: a full environment has 23" not in shown
