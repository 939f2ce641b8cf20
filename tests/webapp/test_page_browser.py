"""The whole way through the page in a real browser: snap, check, score, keep, reload."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest
from fake_reader import telling_card

sync_api = pytest.importorskip("playwright.sync_api")

CHROMIUM = next(
    (path for path in ("/usr/bin/chromium", "/usr/bin/chromium-browser") if Path(path).exists()), None
)
pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="needs Debian's chromium (apt install chromium)")

ARGUMENTS = [
    *("--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
]
PATIENCE = 120_000  # ms; a busy machine is slow, and no test here is about speed
SIZES = {"phone": (390, 844), "laptop": (1366, 768)}


@dataclass(frozen=True)
class Server:
    url: str
    reads: Path

    def times_read(self) -> int:
        return len(self.reads.read_text().splitlines()) if self.reads.exists() else 0


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with served(tmp_path_factory.mktemp("page"), free_port()) as server:
        yield server


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextmanager
def served(folder: Path, port: int) -> Iterator[Server]:
    """The page with the fake reader on `port`; ended like a machine that loses its power."""
    reads = folder / "reads.txt"
    environment = {
        **os.environ,
        "CASCADIA_TEST_READS": str(reads),
        "CASCADIA_LOG": str(folder / "games.sqlite"),
    }
    command = [
        *(sys.executable, "-m", "streamlit", "run", str(Path(__file__).with_name("served_page.py"))),
        *("--server.port", str(port), "--server.address", "127.0.0.1", "--server.headless", "true"),
        *("--browser.gatherUsageStats", "false", "--client.toolbarMode", "minimal"),
    ]
    with (folder / "server.log").open("wb") as log:
        process = subprocess.Popen(command, env=environment, stdout=log, stderr=log, cwd=folder)
        try:
            url = f"http://127.0.0.1:{port}"
            _wait_until_healthy(url, process)
            yield Server(url, reads)
        finally:
            process.kill()
            process.wait(30)


def _wait_until_healthy(url: str, process: subprocess.Popen[bytes]) -> None:
    deadline = time.monotonic() + 120
    while time.monotonic() < deadline and process.poll() is None:
        try:
            urllib.request.urlopen(f"{url}/_stcore/health", timeout=2)
            return
        except OSError:
            time.sleep(0.3)
    raise RuntimeError("the page's server did not start")


@pytest.fixture(scope="module")
def browser() -> Iterator[object]:
    with sync_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        yield browser
        browser.close()


class Visitor:
    """Someone at the page. Every tap is counted."""

    def __init__(self, browser, server: Server, size: str, locale: str = "en-US", scheme: str = "light"):
        width, height = SIZES[size]
        self.context = browser.new_context(
            viewport={"width": width, "height": height}, locale=locale, color_scheme=scheme
        )
        self.page = self.context.new_page()
        self.page.set_default_timeout(PATIENCE)
        self.page.goto(server.url)
        self.taps = 0

    def tap(self, selector: str, number: int = 0) -> None:
        # A person taps what stands still; a page that is still being laid out may slide from under a click.
        self.page.locator("[data-test-script-state='notRunning']").first.wait_for()
        self.page.locator(selector).nth(number).click()
        self.taps += 1

    def seen(self, selector: str) -> str:
        self.page.locator(selector).first.wait_for()
        return self.page.locator(selector).first.inner_text()

    def until(self, selector: str, before: str) -> str:
        """Wait until the text of `selector` is another than `before`; that text."""
        start = time.monotonic()
        while (now := self.seen(selector)) == before:
            assert time.monotonic() - start < PATIENCE / 1000, f"{selector} stayed {before!r}"
            self.page.wait_for_timeout(20)
        print(f"\n{selector}: {before} -> {now} after {1000 * (time.monotonic() - start):.0f} ms")
        return now


SAMPLE = "[class*='st-key-sample-'] .stButton button"
TOTAL = "[data-sum='total 0']"


@pytest.mark.parametrize("size", list(SIZES))
def test_the_whole_way(browser, server: Server, size: str, tmp_path: Path):
    visitor = Visitor(browser, server, size)
    page = visitor.page
    read_before = server.times_read()

    visitor.tap(SAMPLE)
    first_total = visitor.seen(TOTAL)
    assert int(first_total) > 0
    assert visitor.taps <= 2, "from the sample photo to its score"

    # One wrong tile: the first one asked about, given its likeliest other token.
    taps = visitor.taps
    visitor.tap("[data-focus='review']")
    assert "not certain" in visitor.seen(".panel h2")
    visitor.tap(".choice.likely")
    corrected = visitor.until(TOTAL, first_total)
    assert visitor.taps - taps <= 3, "to correct one tile"
    visitor.tap("[data-focus='tool undo']")
    assert visitor.until(TOTAL, corrected) == first_total
    visitor.tap("[data-focus='tool redo']")
    assert visitor.until(TOTAL, first_total) == corrected
    page.keyboard.press("Escape")
    page.locator(".panel").wait_for(state="detached")

    # A number shows where it comes from, in words and on the board.
    visitor.tap("[data-number^='habitat forest']")
    assert "corridor" in visitor.seen(".why")
    assert page.locator(".hex.lit").count() > 0

    # Another card scores at once, without reading again.
    before = visitor.seen(TOTAL)
    visitor.tap("[data-number^='habitat forest']")  # again: puts it out
    species, letter = telling_card("01-from-above.jpg")
    page.locator(f"[data-focus='card {species}']").select_option(letter)
    after_card = visitor.until(TOTAL, before)
    visitor.tap("[data-focus='nature + 0']")
    assert int(visitor.until(TOTAL, after_card)) == int(after_card) + 1
    assert server.times_read() <= read_before + 1

    visitor.tap(".st-key-add-player button")
    visitor.tap(SAMPLE, 1)
    visitor.seen("[data-sum='total 1']")
    assert "wins" in visitor.seen(".headline")
    totals = [visitor.seen(f"[data-sum='total {seat}']") for seat in (0, 1)]
    assert totals[0].isdigit()

    visitor.tap(".st-key-to-keep button")
    with page.expect_download() as download:
        visitor.tap("[class*='st-key-download-score-sheet-json'] button")
    download.value.save_as(tmp_path / "sheet.json")
    sheet = json.loads((tmp_path / "sheet.json").read_text())
    assert [str(player["total"]) for player in sheet["players"]] == totals
    assert sheet["cards"][species] == letter

    reads = server.times_read()
    page.reload()
    assert [visitor.seen(f"[data-sum='total {seat}']") for seat in (0, 1)] == totals
    page.locator(".board image[href^='data:image/jpeg']").wait_for(state="attached")
    assert server.times_read() == reads
    visitor.context.close()


def test_every_target_is_large_enough_and_nothing_is_cut_off(browser, server: Server):
    visitor = Visitor(browser, server, "phone")
    page = visitor.page
    page.set_viewport_size({"width": 360, "height": 740})
    visitor.tap(SAMPLE)
    visitor.seen(TOTAL)
    visitor.tap("[data-focus='review']")
    visitor.seen(".panel h2")
    small = page.locator("#score-view button, #score-view select").evaluate_all(
        """(targets) => targets
            .map((e) => [`${e.className} ${e.textContent}`, e.getBoundingClientRect()])
            .filter(([, box]) => box.width && (box.width < 43.5 || box.height < 43.5))
            .map(([name, box]) => `${name} ${box.width} x ${box.height}`)"""
    )
    assert small == []
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    hexes = page.locator(".hex.tile .touch").evaluate_all(
        "(tiles) => tiles.map((tile) => tile.getBoundingClientRect().width)"
    )
    assert min(hexes) >= 40  # a hexagon turned on its point is narrower than its tile
    visitor.context.close()


def test_a_missed_tile_is_added_by_keyboard_in_korean(browser, server: Server):
    visitor = Visitor(browser, server, "laptop", locale="ko-KR", scheme="dark")
    page = visitor.page
    visitor.tap(SAMPLE)
    before = visitor.seen(TOTAL)
    tiles = page.locator(".hex.tile").count()
    place = page.locator(".hex.place").first
    assert place.get_attribute("aria-label") == "빈자리: 타일 추가"
    added = place.get_attribute("data-cell")
    place.focus()
    page.keyboard.press("Enter")
    visitor.seen(".panel h2")
    page.locator("[data-focus='terrain every 0']").focus()
    page.keyboard.press("Enter")
    page.locator(".hex.tile").nth(tiles).wait_for()
    assert page.locator(".hex.tile").count() == tiles + 1
    visitor.tap("[data-focus='token hawk']")
    visitor.until(TOTAL, before)
    page.keyboard.press("Escape")  # draws the board as it is now, not as it was before the tile
    page.locator(".panel").wait_for(state="detached")
    assert page.locator(".hex.tile").count() == tiles + 1
    visitor.tap(f".hex[data-cell='{added}']")
    visitor.seen(".panel h2")
    visitor.tap("[data-focus='remove']")
    sync_api.expect(page.locator(".hex.tile")).to_have_count(tiles, timeout=PATIENCE)
    visitor.context.close()


KEPT_IN_BROWSER = """(count) => Object.keys(localStorage)
    .filter((key) => key.startsWith("cascadia game "))
    .some((key) => JSON.parse(localStorage[key]).players[0].layout.nature_tokens === count)"""


def test_a_restarted_server_gets_the_game_back_from_the_browser(browser, tmp_path: Path):
    port = free_port()
    with served(tmp_path, port) as server:
        visitor = Visitor(browser, server, "phone")
        page = visitor.page
        visitor.tap(SAMPLE)
        read = visitor.seen(TOTAL)
        visitor.tap("[data-focus='nature + 0']")
        corrected = visitor.until(TOTAL, read)
        tiles = page.locator(".hex.tile").count()
        page.wait_for_function(KEPT_IN_BROWSER, arg=int(visitor.seen("[data-nature='0']")))
        address = page.url
    with served(tmp_path, port) as server:
        page.goto(address)
        assert visitor.seen(TOTAL) == corrected
        assert page.locator(".hex.tile").count() == tiles
        assert "photo is no longer here" in visitor.seen(".notes")
        assert server.times_read() == 1
        visitor.tap("[data-focus='nature + 0']")
        assert int(visitor.until(TOTAL, corrected)) == int(corrected) + 1
        visitor.context.close()


def test_two_sessions_keep_their_own_games(browser, server: Server):
    ann, ben = Visitor(browser, server, "phone"), Visitor(browser, server, "phone")
    ann.tap(SAMPLE)
    ann.seen(TOTAL)
    assert ben.page.locator(".board").count() == 0
    assert "game=" in ann.page.url
    assert "game=" not in ben.page.url
    ann.context.close()
    ben.context.close()
