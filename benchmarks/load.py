"""Many people at the page at once: `python -m benchmarks.load [--sessions 20] [--cores 2]`.

All visitors come at the same moment. Every second one hands in a photo of their own (the sample photos at
different sizes and turned, so that no two are alike) and must get what `read_photo` reads in just that photo;
the others hand in a layout file. Then everyone gives a name and corrects again and again; each answer must
show their own name, tiles and numbers. Prints errors, mixed-up answers, who was told to wait, times and the
server's memory; exit status 1 if anything went wrong. Speaks to this machine only.
"""

from __future__ import annotations

import argparse
import io
import json
import os
import statistics
import tempfile
import threading
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from importlib.resources import files
from pathlib import Path

from PIL import Image

from benchmarks.visitor import PageServer, Visitor
from scoring.game import CARD_LETTERS
from scoring.layout import Layout, parse_layout
from vision.photo import NoEnvironmentError
from vision.reader import read_photo

SAMPLES = ("01-from-above", "02-at-an-angle", "03-evening-lamp", "04-steep-and-crowded", "05-unfinished")
MAX_NATURE_TOKENS = 25
TURNS = (None, Image.Transpose.ROTATE_90, Image.Transpose.ROTATE_180, Image.Transpose.ROTATE_270)

Shown = dict[str, tuple[tuple[str, ...], str | None]]
"""Tiles by cell ("q,r"): six terrains and the token."""


@dataclass(frozen=True)
class Guest:
    """Someone who will come: what they hand in, and the tiles that they must be shown for it."""

    name: str
    file: str
    data: bytes
    expected: Shown
    reads: bool


@dataclass
class Stay:
    """What happened to a guest. Seconds: from handing in to the score, and of each later answer."""

    first: float = 0.0
    answers: list[float] = field(default_factory=list)
    waited: bool = False
    """Whether the page told that others are before."""
    faults: list[str] = field(default_factory=list)
    mixed_up: list[str] = field(default_factory=list)


def guests(count: int) -> list[Guest]:
    """Every second one with a photo; no two alike."""
    found = []
    for number in range(count):
        name = f"Guest {number}"
        sample = SAMPLES[number // 2 % len(SAMPLES)]
        if number % 2 == 0:
            data, expected = _own_photo(sample, number // 2)
            found.append(Guest(name, f"{name}.jpg", data, expected, True))
        else:
            layout = _own_layout(sample, number)
            text = json.dumps(layout.to_dict()).encode()
            found.append(Guest(name, f"{name}.json", text, tiles_of(layout), False))
    return found


def tiles_of(layout: Layout) -> Shown:
    return {
        f"{tile.cell[0]},{tile.cell[1]}": (
            tuple(str(terrain) for terrain in tile.terrain),
            None if tile.token is None else str(tile.token),
        )
        for tile in (placed.tile for placed in layout.tiles)
    }


def tiles_in(view: dict[str, object], seat: int = 0) -> Shown:
    """The tiles that a score view shows."""
    players = view["players"]
    assert isinstance(players, list)
    tiles = players[seat]["tiles"] or []
    return {tile["cell"]: (tuple(tile["terrain"]), tile["token"]) for tile in tiles}


def _own_photo(sample: str, number: int) -> tuple[bytes, Shown]:
    """The sample at a size and turn of its own, and what the reader sees in it when nothing else goes on."""
    with Image.open(io.BytesIO((files("sample_images") / f"{sample}.jpg").read_bytes())) as stored:
        turn = TURNS[number % len(TURNS)]
        image = stored.transpose(turn) if turn is not None else stored.copy()
        for attempt in range(5):
            scale = 1 - 0.02 * number - 0.01 * attempt
            own = image.resize((round(image.width * scale), round(image.height * scale)))
            buffer = io.BytesIO()
            own.save(buffer, "JPEG", quality=92)
            try:
                reading = read_photo(buffer.getvalue())
            except NoEnvironmentError:
                continue
            if len(reading.layouts) == 1:  # with two the page would ask whose is whose
                return buffer.getvalue(), tiles_of(reading.layout)
    raise RuntimeError(f"{sample} is not read as one environment at any size")


def _own_layout(sample: str, number: int) -> Layout:
    """The sample's layout, moved to cells of its own."""
    layout = parse_layout(json.loads((files("sample_images") / f"{sample}.json").read_bytes()))
    tiles = tuple(
        replace(placed, tile=replace(placed.tile, cell=(placed.tile.cell[0] + number, placed.tile.cell[1])))
        for placed in layout.tiles
    )
    return replace(layout, tiles=tiles, nature_tokens=0)


def stay(guest: Guest, port: int, rounds: int, start: threading.Barrier) -> Stay:
    """One guest from opening the page to the last correction."""
    seen = Stay()
    visitor = None
    try:
        visitor = Visitor(port)
        start.wait()
        _play(guest, visitor, rounds, seen)
    except Exception as error:  # whatever it is, it is what a guest would have met
        start.abort()
        seen.faults.append(f"{guest.name}: {type(error).__name__}: {error}")
    if visitor is not None:
        visitor.__exit__(None, None, None)
        seen.faults += [f"{guest.name}: {sentence}" for sentence in visitor.errors]
        seen.waited = any("before" in text for text in visitor.progress)
    return seen


def _play(guest: Guest, visitor: Visitor, rounds: int, seen: Stay) -> None:
    visitor.type("name 0 ", guest.name)
    began = time.perf_counter()
    uploader = next(key for key in visitor.widgets() if key.startswith("upload "))
    visitor.upload(uploader, (guest.file, guest.data))
    seen.first = time.perf_counter() - began
    _compare(guest, visitor, 0, seen)
    for number in range(1, rounds + 1):
        nature = (number + len(guest.name) * 3) % MAX_NATURE_TOKENS
        card = CARD_LETTERS[number % len(CARD_LETTERS)]
        began = time.perf_counter()
        visitor.act(
            {"number": 2 * number - 1, "type": "nature", "seat": 0, "count": nature},
            {"number": 2 * number, "type": "card", "species": "fox", "letter": card},
        )
        seen.answers.append(time.perf_counter() - began)
        _compare(guest, visitor, nature, seen, card)


def _compare(guest: Guest, visitor: Visitor, nature: int, seen: Stay, card: str = "A") -> None:
    view = visitor.view()
    player = view["sheet"]["players"][0]
    shown = (len(view["players"]), view["players"][0]["name"], view["cards"]["fox"], tiles_in(view))
    if shown != (1, guest.name, card, guest.expected):
        seen.mixed_up.append(f"{guest.name} is shown {shown[:3]} and {len(shown[3])} tiles")
    if seen.answers and player["nature_tokens"] != nature:
        seen.mixed_up.append(f"{guest.name} has {nature} nature tokens, is shown {player['nature_tokens']}")


@dataclass(frozen=True)
class Outcome:
    """All stays, and the server's memory in bytes at rest and at its peak, its complaints in the log."""

    stays: tuple[Stay, ...]
    readers: int
    memory_at_rest: int
    peak_memory: int
    complaints: tuple[str, ...]

    @property
    def errors(self) -> list[str]:
        return [fault for each in self.stays for fault in each.faults] + list(self.complaints)

    @property
    def mixed_up(self) -> list[str]:
        return [fault for each in self.stays for fault in each.mixed_up]

    @property
    def waited(self) -> int:
        return sum(each.waited for each in self.stays)


def measure(sessions: int, rounds: int, cores: int | None = 2) -> Outcome:
    """Have `sessions` guests at the page at once, the server on at most `cores` cores."""
    who = guests(sessions)
    with tempfile.TemporaryDirectory() as folder:
        before = os.sched_getaffinity(0)
        if cores is not None:
            os.sched_setaffinity(0, sorted(before)[:cores])  # what is started now keeps to them
        try:
            server = PageServer(Path(folder), {"CASCADIA_LOG": "off"})
        finally:
            os.sched_setaffinity(0, before)
        with server:
            with Visitor(server.port):
                pass
            at_rest = server.peak_memory()
            start = threading.Barrier(sessions)
            with ThreadPoolExecutor(sessions) as pool:
                stays = list(pool.map(lambda guest: stay(guest, server.port, rounds, start), who))
            return Outcome(
                tuple(stays),
                sum(guest.reads for guest in who),
                at_rest,
                server.peak_memory(),
                tuple(server.complaints()),
            )


def main(argv: Sequence[str] | None = None) -> int:
    """Command line."""
    parser = argparse.ArgumentParser(prog="benchmarks.load", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("--sessions", type=int, default=20)
    parser.add_argument("--rounds", type=int, default=5, help="corrections of every guest")
    parser.add_argument("--cores", type=int, default=2, help="cores that the server may use")
    args = parser.parse_args(argv)
    print(f"cores {min(args.cores, os.cpu_count() or 1)}, load before {os.getloadavg()[0]:.1f}", flush=True)
    outcome = measure(args.sessions, args.rounds, args.cores)
    photos = [each.first for each in outcome.stays[::2]]
    layouts = [each.first for each in outcome.stays[1::2]]
    answers = [seconds for each in outcome.stays for seconds in each.answers]
    print(f"sessions at once: {args.sessions}, {outcome.readers} of them with a photo")
    print(f"errors: {len(outcome.errors)}, mixed-up answers: {len(outcome.mixed_up)}")
    print(f"told that others are before: {outcome.waited} of {outcome.readers} with a photo")
    for name, times in (("photo to score", photos), ("layout to score", layouts), ("correction", answers)):
        if times:
            print(
                f"{name}: median {statistics.median(times):.1f} s, worst {max(times):.1f} s of {len(times)}"
            )
    print(f"server's memory: {outcome.memory_at_rest / 1e6:.0f} MB, peak {outcome.peak_memory / 1e6:.0f} MB")
    for sentence in [*outcome.errors, *outcome.mixed_up][:20]:
        print(f"  {sentence}")
    return 1 if outcome.errors or outcome.mixed_up else 0


if __name__ == "__main__":
    raise SystemExit(main())
