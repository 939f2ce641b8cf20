"""Time and memory that a user pays: `python -m benchmarks.resources [--photo FILE]`.

A 12-megapixel JPEG (by default a rendered scene, enlarged) is read several times in a process of its own.
The peak memory of that process, the size of `models/` and the time that the whole commands `cascadia read`
and `cascadia --help` take, Python's start included, are printed, too.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

import cv2
import numpy as np
from PIL import Image

from benchmarks.scenes import Wanted, scene
from vision.reader import load_models, read_photo

WIDTH, HEIGHT = 4000, 3000
"""Size of the photo, px."""


@dataclass(frozen=True)
class Reads:
    """Seconds of reading one photo again and again, from the file to the reading, and the process's memory.

    seconds: of each read but the first. peak_bytes: most memory that was resident at one time. tiles: read
    in the largest environment.
    """

    seconds: tuple[float, ...]
    peak_bytes: int
    tiles: int


def large_photo(target: Path, seed: int) -> None:
    """Write a rendered held-back scene, enlarged to 12 megapixels with fresh noise, as JPEG."""
    number = 0
    while (view := scene(Wanted(seed), number)).pixels.shape[1] * HEIGHT != view.pixels.shape[0] * WIDTH:
        number += 1
    large = cv2.resize(view.pixels, (WIDTH, HEIGHT), interpolation=cv2.INTER_CUBIC)
    # Without noise of its own an enlarged photo would be easier to unpack than a real one.
    noise = np.random.default_rng(seed).normal(0, 3, (HEIGHT, WIDTH, 1)).astype(np.float32)
    Image.fromarray(np.clip(large + noise, 0, 255).astype(np.uint8)).save(target, quality=90)


def peak_memory() -> int:
    """Most memory, bytes, that this process has had resident.

    On Linux from /proc: what `getrusage` says there includes the process that started this one.
    """
    status = Path("/proc/self/status")
    if status.exists():
        for line in status.read_text(encoding="ascii", errors="replace").splitlines():
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) * 1024
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak * 1024


def timed_reads(photo: str, models: str | None, times: int) -> Reads:
    """Read a photo `times` times after a first one; meant for a fresh process."""
    networks = None if models is None else load_models(Path(models))
    reading = read_photo(photo, models=networks)
    seconds = []
    for _ in range(times):
        began = time.perf_counter()
        read_photo(photo, models=networks)
        seconds.append(time.perf_counter() - began)
    return Reads(tuple(seconds), peak_memory(), len(reading.layout.tiles))


def in_fresh_process(photo: Path, models: Path | None, times: int) -> Reads:
    """`timed_reads` in a new interpreter, so that nothing of this one counts."""
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        return pool.apply(timed_reads, (str(photo), None if models is None else str(models), times))


def command_seconds(arguments: Sequence[str], times: int) -> list[float]:
    """Seconds of `python -m cascadia` with these arguments, each in a new interpreter."""
    command = [sys.executable, "-m", "cascadia", *arguments]
    seconds = []
    for _ in range(times):
        began = time.perf_counter()
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        seconds.append(time.perf_counter() - began)
    return seconds


def seconds_text(name: str, seconds: Sequence[float]) -> str:
    """Median and range."""
    median = statistics.median(seconds)
    return f"{name}: median {median:.2f} s of {len(seconds)} ({min(seconds):.2f} to {max(seconds):.2f})"


def models_bytes(folder: Path | None) -> int:
    """Size of all files of `models/`, or of another folder."""
    root = files("models") if folder is None else folder
    return sum(len(entry.read_bytes()) for entry in root.iterdir() if entry.is_file())


def main(argv: Sequence[str] | None = None) -> int:
    """Command line."""
    parser = argparse.ArgumentParser(prog="benchmarks.resources", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("--photo", type=Path, help="another photo than a rendered one")
    parser.add_argument("--models", type=Path, help="folder of other networks than the shipped ones")
    parser.add_argument("--times", type=int, default=7)
    parser.add_argument("--seed", type=int, default=5)
    args = parser.parse_args(argv)
    load = os.getloadavg()[0]
    with tempfile.TemporaryDirectory() as folder:
        photo = args.photo
        if photo is None:
            photo = Path(folder) / "large.jpg"
            large_photo(photo, args.seed)
        try:
            reads = in_fresh_process(photo, args.models, args.times)
        except (FileNotFoundError, ValueError) as error:
            print(error, file=sys.stderr)
            return 2
        with Image.open(photo) as picture:
            width, height = picture.size
        print(f"cores {os.cpu_count()}, load before {load:.1f}")
        print(f"photo {width} x {height} px, {photo.stat().st_size / 1e6:.1f} MB, {reads.tiles} tiles read")
        print(seconds_text("read_photo", reads.seconds))
        print(f"peak memory: {reads.peak_bytes / 1e6:.0f} MB")
        print(f"models: {models_bytes(args.models) / 1e6:.2f} MB")
        if args.models is None:  # the command has no option for other networks
            command = ["read", str(photo), "--out", str(Path(folder) / "read.json")]
            print(seconds_text("cascadia read", command_seconds(command, args.times)))
        print(seconds_text("cascadia --help", command_seconds(["--help"], args.times)))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
