"""What all open pages share: the store of games and the reading desk; and the log on the user's machine."""

from __future__ import annotations

import threading
import time
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from scoring import Environment, Species, Terrain, Tile, edges, score_game
from vision import PhotoError
from webapp.game import Game, History, Player
from webapp.gamelog import GameLog, LogError, is_same_machine, log_path
from webapp.reading import ReadingDesk, ReadPhoto, photo_key, read_one
from webapp.store import GameStore, SavedGame


def with_photo(name: str, size: int) -> SavedGame:
    return SavedGame(History(Game((Player(photo=name),))), {name: b"x" * size})


class Clock:
    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def test_a_large_photo_without_an_environment_keeps_its_full_size_for_one_built_by_hand():
    _, data = cv2.imencode(".png", np.full((3600, 4800, 3), 90, np.uint8))
    read = read_one(data.tobytes(), "bare.png", lambda stage, share: None)
    assert "shows no environment" in read.refusal
    assert (read.info.width, read.info.height) == (4800, 3600)


def test_a_game_is_found_by_its_key_alone():
    store = GameStore()
    ann, ben = store.new_key(), store.new_key()
    assert ann != ben
    assert len(ann) >= 20
    store.update(ann, lambda _: with_photo("a", 10))
    assert store.get(ann).photos == {"a": b"x" * 10}
    assert store.get(ben) is None


def test_the_store_forgets_the_oldest_when_full_and_the_idle_after_a_day():
    clock = Clock()
    store = GameStore(max_bytes=100, idle_seconds=10, clock=clock)
    store.update("a", lambda _: with_photo("a", 60))
    store.update("b", lambda _: with_photo("b", 60))
    assert store.get("a") is None
    assert store.get("b") is not None
    clock.now = 11
    assert store.get("b") is None


def test_a_photo_that_no_step_shows_is_dropped():
    store = GameStore()
    store.update("a", lambda _: with_photo("old", 10))
    store.update("a", lambda saved: replace(saved, history=History(Game())))
    assert store.get("a").photos == {}


def test_no_change_is_lost_between_threads():
    store = GameStore()

    def add_one(saved: SavedGame) -> SavedGame:
        count = saved.applied.get("page", 0)
        time.sleep(0.001)
        return replace(saved, applied={"page": count + 1})

    threads = [threading.Thread(target=store.update, args=("a", add_one)) for _ in range(20)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert store.get("a").applied == {"page": 20}


def test_the_same_photo_is_read_once_and_different_ones_keep_apart():
    reads: list[bytes] = []

    def read(data: bytes, name: str, report) -> ReadPhoto:
        reads.append(data)
        report("Looking for tiles", 0.5)
        return ReadPhoto(photo_key(data), name, (), data)

    desk = ReadingDesk(read, workers=2)
    jobs = [desk.hand_in(data, "p.jpg") for data in (b"a", b"b", b"a", b"b", b"a")]
    assert [job.result.result(10).jpeg for job in jobs] == [b"a", b"b", b"a", b"b", b"a"]
    assert sorted(reads) == [b"a", b"b"]
    assert desk.progress(jobs[0]).stage == "Looking for tiles"


def test_who_waits_sees_how_many_are_before():
    gate = threading.Event()

    def read(data: bytes, name: str, report) -> ReadPhoto:
        gate.wait(10)
        return ReadPhoto(photo_key(data), name, (), data)

    desk = ReadingDesk(read, workers=1)
    jobs = [desk.hand_in(bytes([number]), "p.jpg") for number in range(3)]
    deadline = time.monotonic() + 10
    while not jobs[0].started and time.monotonic() < deadline:
        time.sleep(0.01)
    assert [desk.progress(job).ahead for job in jobs] == [0, 1, 2]
    gate.set()
    assert jobs[2].result.result(10).jpeg == b"\x02"
    assert desk.progress(jobs[2]).ahead == 0


def test_a_refused_photo_says_why_and_may_be_tried_again():
    def read(data: bytes, name: str, report) -> ReadPhoto:
        raise PhotoError("it is empty: copy it again")

    desk = ReadingDesk(read)
    for _ in range(2):
        with pytest.raises(PhotoError, match="it is empty"):
            desk.hand_in(b"x", "p.jpg").result.result(10)


def test_results_are_bounded():
    reads: list[bytes] = []

    def read(data: bytes, name: str, report) -> ReadPhoto:
        reads.append(data)
        return ReadPhoto(photo_key(data), name, (), data)

    desk = ReadingDesk(read, workers=1, results_kept=3)
    for number in [*range(10), 9, 0]:
        desk.hand_in(bytes([number]), "p.jpg").result.result(10)
    assert reads == [bytes([number]) for number in [*range(10), 0]], "the last is kept, the first forgotten"


# --- the log ---

LOCAL = {"Origin": "http://localhost:8501"}


def a_sheet(*names: str):
    environments = [
        Environment.of([Tile((0, 0), edges(Terrain.FOREST), Species.BEAR)], nature_tokens=number)
        for number in range(len(names))
    ]
    return score_game(environments, names=names)


def test_the_log_is_on_only_for_a_browser_on_the_same_machine():
    assert is_same_machine(None, LOCAL)
    assert is_same_machine("127.0.0.1", LOCAL)
    assert is_same_machine("::ffff:127.0.0.1", LOCAL)
    assert not is_same_machine("::ffff:192.168.0.7", LOCAL)
    assert not is_same_machine("no address", LOCAL)
    assert not is_same_machine("192.168.0.7", LOCAL)
    assert not is_same_machine(None, {"Origin": "https://cafe.example"})
    assert not is_same_machine(None, {**LOCAL, "X-Forwarded-For": "203.0.113.9"})
    assert not is_same_machine(None, {})


@pytest.mark.parametrize(
    ("setting", "same_machine", "on"),
    [
        ("", True, True),
        ("", False, False),
        ("on", False, True),
        ("off", True, False),
        ("x/y.sqlite", False, True),
    ],
)
def test_the_log_can_be_switched(setting, same_machine, on, tmp_path):
    path = log_path({"CASCADIA_LOG": setting, "XDG_DATA_HOME": str(tmp_path)}, same_machine)
    assert (path is not None) == on


def test_the_log_keeps_games_and_figures_and_can_be_emptied(tmp_path):
    log = GameLog(tmp_path / "deep" / "games.sqlite")
    assert log.games() == []
    log.add("one", "AAAAA", a_sheet("Ann", "Ben"))
    log.add("two", "family", a_sheet("Ben", "Ann"))
    log.add("two", "family", a_sheet("Ben", "Ann"))
    assert [game.cards for game in log.games()] == ["family", "AAAAA"]
    ann = next(each for each in log.figures() if each.name == "Ann")
    assert (ann.games, ann.wins) == (2, 1)
    assert log.holds("one", a_sheet("Ann", "Ben"))
    assert not log.holds("one", a_sheet("Ann", "Bob"))
    log.clear()
    assert log.games() == []
    assert not log.path.exists()


def test_a_file_that_is_no_log_gives_one_sentence(tmp_path: Path):
    path = tmp_path / "games.sqlite"
    path.write_text("this is a letter, and a long enough one to be taken for a page of a database")
    with pytest.raises(LogError, match="no log of games"):
        GameLog(path).games()
