"""Hand in nonsense until something breaks: `python -m benchmarks.fuzz --seconds 120 [--target loader]`.

Targets: `loader` (mutated picture files), `layout` (mutated layout files), `engine` (random boards under
every card, turned ones, too), `reader` (photos torn, noisy, stretched; slow). Each input must give a result
or the error that its module promises, within `SLOWEST` seconds of CPU. What breaks that is printed with the
seed of the input, which `--first SEED --count 1` repeats, and makes the exit status 1.
"""

from __future__ import annotations

import argparse
import io
import json
import random
import sys
import time
import traceback
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from itertools import count, islice

import cv2
import numpy as np
from PIL import Image

from scoring import CARD_LETTERS, SPECIES, Environment, Tile, score_environment, score_game, terrain_states
from scoring.hexgrid import Cell, neighbors
from scoring.layout import LayoutError, parse_layout
from vision.photo import PhotoError, load_photo
from vision.reader import read_photo

SLOWEST = 20.0
"""CPU seconds after which an answer counts as a hang; sixteen boards on one contact sheet take 16."""

Target = Callable[[random.Random], None]


# --- loader ---


@cache
def picture_files() -> tuple[bytes, ...]:
    """Small files of every format that the loader takes, with what may stand in them."""
    image = Image.radial_gradient("L").resize((96, 80)).convert("RGB")
    exif = Image.Exif()
    exif[0x0112] = 6
    kinds: list[tuple[str, str, dict[str, object]]] = [
        ("RGB", "JPEG", {"exif": exif}),
        ("RGB", "JPEG", {"progressive": True}),
        ("CMYK", "JPEG", {}),
        ("RGBA", "PNG", {}),
        ("P", "PNG", {}),
        ("RGB", "GIF", {"save_all": True, "append_images": [image]}),
        ("RGB", "WEBP", {"exif": exif}),
        ("RGB", "WEBP", {"lossless": True}),
        ("RGB", "BMP", {}),
        ("RGB", "AVIF", {}),
    ]
    found = []
    for mode, format, options in kinds:
        buffer = io.BytesIO()
        image.convert(mode).save(buffer, format, **options)
        found.append(buffer.getvalue())
    return tuple(found)


INTERESTING = (b"\0\0\0\0", b"\xff\xff\xff\xff", b"\x7f\xff\xff\xff", b"\x80\0\0\0", b"\0\1", b"\xff\xda")


def mutated(data: bytes, chance: random.Random) -> bytes:
    """`data` with some bytes changed, cut out, repeated, moved or replaced by numbers at their limits."""
    content = bytearray(data)
    for _ in range(chance.choice((1, 1, 2, 4, 8, 30))):
        at = chance.randrange(len(content) + 1)
        length = chance.choice((1, 2, 4, 16, 100))
        match chance.randrange(6):
            case 0:
                content[at : at + length] = chance.randbytes(length)
            case 1:
                del content[at : at + length]
            case 2:
                content[at:at] = content[at : at + length] * chance.choice((1, 2, 50))
            case 3:
                number = chance.choice(INTERESTING)
                content[at : at + len(number)] = number
            case 4 if content:
                content[at % len(content)] ^= 1 << chance.randrange(8)
            case _:
                other = chance.randrange(len(content) + 1)
                content[at:at] = content[other : other + length]
    return bytes(content[: chance.randrange(len(content) + 1)] if chance.random() < 0.1 else content)


def fuzz_loader(chance: random.Random) -> None:
    try:
        photo = load_photo(mutated(chance.choice(picture_files()), chance))
    except PhotoError as error:
        _check_sentence(str(error))
        return
    if photo.pixels.dtype != np.uint8 or photo.pixels.ndim != 3 or photo.pixels.shape[2] != 3:
        raise AssertionError(f"pixels are {photo.pixels.dtype} of shape {photo.pixels.shape}")


# --- layout files ---

ODD_VALUES: tuple[object, ...] = (
    *(None, True, False, 0, -1, 0.5, 1e308, float("nan"), float("inf"), 10**400, 2**63),
    *("", "bear", "forest", "\ud800", "\x1b[2J", "<b>", "x" * 1000),
    *([], [None], [[]], [0] * 6, ["river"] * 6, {}, {"terrain": 1}, {"": None}),
)


@cache
def layout_text() -> str:
    return (files("sample_images") / "01-from-above.json").read_text(encoding="utf-8")


def fuzz_layout(chance: random.Random) -> None:
    if chance.random() < 0.5:
        text = mutated(layout_text().encode(), chance).decode("utf-8", "replace")
        try:
            data = json.loads(text)
        except (ValueError, RecursionError):
            return  # the file's reader says so; what it says is tested with the command
    else:
        data = json.loads(layout_text())
        for _ in range(chance.choice((1, 1, 2, 5))):
            _spoil(data, chance)
    try:
        layout = parse_layout(data)
    except LayoutError as error:
        _check_sentence(str(error))
        return
    if parse_layout(json.loads(json.dumps(layout.to_dict()))) != layout:
        raise AssertionError("the layout written is not the layout read")
    score_game([layout.environment()])


def _spoil(data: object, chance: random.Random) -> None:
    """Put something odd at a random place of JSON data."""
    while True:
        keys: list[object] = []
        if isinstance(data, dict):
            keys = list(data)
        elif isinstance(data, list):
            keys = list(range(len(data)))
        if not keys:
            return
        key = chance.choice(keys)
        inner = data[key]  # type: ignore[index]
        if isinstance(inner, dict | list) and inner and chance.random() < 0.8:
            data = inner
            continue
        if isinstance(data, dict) and chance.random() < 0.3:
            del data[key]
        else:
            data[key] = chance.choice(ODD_VALUES)  # type: ignore[index]
        return


# --- engine ---


def fuzz_engine(chance: random.Random) -> None:
    environment = random_environment(chance)
    turns = chance.randrange(6)
    other = environment.turned(turns)
    if chance.random() < 0.5:
        other = other.mirrored()
    for species in SPECIES:
        for letter in CARD_LETTERS:
            score = score_environment(environment, species, letter)
            if score.points != sum(group.points for group in score.groups):
                raise AssertionError(f"{species} {letter}: the groups do not add up to {score.points}")
            again = score_environment(other, species, letter)
            if again.points != score.points:
                raise AssertionError(f"{species} {letter}: {score.points}, turned {again.points}")


def random_environment(chance: random.Random) -> Environment:
    """Up to 60 tiles, compact or in strings, of all species or mostly one, perhaps in several parts."""
    cells: set[Cell] = {(0, 0)}
    most, compact = chance.choice((1, 5, 23, 40, 60)), chance.random()
    while len(cells) < most:
        start = (chance.randint(-20, 20), chance.randint(-20, 20)) if chance.random() < 0.02 else None
        beside = chance.choice(neighbors(chance.choice(sorted(cells))))
        if start is not None or chance.random() > compact or sum(n in cells for n in neighbors(beside)) > 1:
            cells.add(start or beside)
    favourite, share = chance.choice(SPECIES), chance.random()
    tokens = [None, *SPECIES]
    return Environment.of(
        Tile(
            cell,
            chance.choice(terrain_states()),
            favourite if chance.random() < share else chance.choice(tokens),
        )
        for cell in sorted(cells)
    )


# --- reader ---


@cache
def sample_pixels() -> tuple[np.ndarray, ...]:
    names = ("01-from-above", "03-evening-lamp", "06-two-players")
    return tuple(load_photo((files("sample_images") / f"{name}.jpg").read_bytes()).pixels for name in names)


def fuzz_reader(chance: random.Random) -> None:
    rng = np.random.default_rng(chance.randrange(2**32))
    pixels = chance.choice(sample_pixels()).copy()
    height, width = pixels.shape[:2]
    for _ in range(chance.randrange(4)):
        match chance.randrange(6):
            case 0:  # torn: a part stands elsewhere
                pixels = np.roll(pixels, (chance.randrange(height), chance.randrange(width)), (0, 1))
            case 1:  # noise
                pixels = np.clip(pixels + rng.normal(0, chance.choice((20, 80, 300)), pixels.shape), 0, 255)
            case 2:  # stretched
                size = chance.choice(((64, 900), (1600, 64), (300, 300), (2500, 400)))
                pixels = cv2.resize(pixels.astype(np.uint8), size)
            case 3:  # many small ones
                small = cv2.resize(pixels.astype(np.uint8), None, fx=0.25, fy=0.25)
                pixels = np.tile(small, (4, 4, 1))
            case 4:  # another palette
                pixels = rng.permuted(pixels, axis=2) if chance.random() < 0.5 else 255 - pixels
            case _:  # bars over it
                pixels[:: chance.choice((2, 7, 50))] = rng.integers(0, 256, 3)
        pixels = np.ascontiguousarray(pixels.astype(np.uint8))
    buffer = io.BytesIO()
    Image.fromarray(pixels).save(buffer, "JPEG", quality=chance.choice((5, 50, 92)))
    try:
        reading = read_photo(buffer.getvalue())
    except PhotoError as error:
        _check_sentence(str(error))
        return
    for layout in reading.layouts:
        if parse_layout(json.loads(json.dumps(layout.to_dict()))).tiles != layout.tiles:
            raise AssertionError("the layout read is not the layout written")


def _check_sentence(sentence: str) -> None:
    if not sentence or not sentence.isprintable() or len(sentence) > 400:
        raise AssertionError(f"no sentence: {sentence[:500]!r}")


# --- the run ---

TARGETS: dict[str, Target] = {
    "loader": fuzz_loader,
    "layout": fuzz_layout,
    "engine": fuzz_engine,
    "reader": fuzz_reader,
}


@dataclass(frozen=True)
class Tried:
    """How many inputs a target took, the seeds at which it broke with the reason, the slowest (CPU s)."""

    inputs: int
    crashes: tuple[tuple[int, str], ...]
    slowest: float
    slowest_seed: int


def fuzz(target: Target, seconds: float, seeds: Iterator[int]) -> Tried:
    """Try inputs until the time (of the wall clock) or the seeds are over."""
    inputs, crashes, slowest, slowest_seed = 0, [], 0.0, 0
    end = time.monotonic() + seconds
    for seed in seeds:
        began = time.process_time()
        try:
            target(random.Random(seed))
        except Exception as error:  # anything that was not promised is what we look for
            place = traceback.extract_tb(error.__traceback__)[-1]
            where = f"{place.filename}:{place.lineno}"
            crashes.append((seed, f"{type(error).__name__}: {str(error)[:200]} at {where}"))
        took = time.process_time() - began
        inputs += 1
        if took > slowest:
            slowest, slowest_seed = took, seed
        if took > SLOWEST:
            crashes.append((seed, f"took {took:.1f} s"))
        if time.monotonic() > end:
            break
    return Tried(inputs, tuple(crashes), slowest, slowest_seed)


def main(argv: Sequence[str] | None = None) -> int:
    """Command line."""
    parser = argparse.ArgumentParser(prog="benchmarks.fuzz", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("--seconds", type=float, default=120.0, help="for all targets together")
    parser.add_argument("--target", choices=list(TARGETS), action="append", help="default: all")
    parser.add_argument("--first", type=int, default=0, metavar="SEED", help="seed of the first input")
    parser.add_argument("--count", type=int, help="at most so many inputs of each target")
    args = parser.parse_args(argv)
    cv2.setNumThreads(1)
    names = args.target or list(TARGETS)
    failed = False
    for name in names:
        tried = fuzz(TARGETS[name], args.seconds / len(names), islice(count(args.first), args.count))
        failed |= bool(tried.crashes)
        print(
            f"{name:7} {tried.inputs:>8} inputs, {len(tried.crashes)} crashes, "
            f"slowest {tried.slowest:.2f} s (seed {tried.slowest_seed})",
            flush=True,
        )
        for seed, reason in tried.crashes[:10]:
            print(f"  seed {seed}: {reason}", file=sys.stderr)
    return 1 if failed else 0


if __name__ == "__main__":
    raise SystemExit(main())
