"""How many tiles of a folder of photos are read right, and at which stage the others went wrong.

    python -m benchmarks.accuracy FOLDER... [--models DIR] [--faults DIR] [--negatives FOLDER]

Each photo has a layout file of the same stem beside it with the truth. A row per photo: the words of
`benchmarks.comparing`, its faults by stage, the seconds of each stage and in all. A photo whose layout has no
tiles, and every photo of a `--negatives` folder, shows no environment; what is read there is invented.
`--faults` writes a picture of every faulty tile: the photo, what was read, what is true.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from pathlib import Path

from benchmarks.comparing import FAULTS, Comparison, Counts, compare, most_like
from benchmarks.faults import fault_pictures
from scoring.layout import Layout, LayoutError, load_layout
from vision.photo import NoEnvironmentError, PhotoError
from vision.reader import STAGES, Models, Reading, load_models, read_photo, shipped_models

SUFFIXES = (".jpg", ".jpeg", ".png", ".webp", ".heic")
COUNT_COLUMNS = tuple(column.name for column in fields(Counts) if column.name != "pinecones")
STAGE_COLUMNS = ("open", "look", "grid", "read", "weigh")
"""Short for `STAGES`."""

Read = Callable[[Path], Reading]


@dataclass(frozen=True)
class Row:
    """What became of one photo. comparison: None where no environment is there. environments: how many were
    read; more than one where a neighbour's was in the photo, too. layout: the one that was judged."""

    photo: Path
    comparison: Comparison | None
    environments: int
    timings: Mapping[str, float]
    seconds: float
    layout: Layout | None = None


@dataclass(frozen=True)
class Total:
    """Sums over rows. invented: photos without an environment in which one was read."""

    photos: int = 0
    counts: Counts = field(default_factory=Counts)
    faults: Counter[str] = field(default_factory=Counter)
    negatives: int = 0
    invented: int = 0
    seconds: tuple[float, ...] = ()


def photos_in(folder: Path, *, negatives: bool = False) -> Iterator[tuple[Path, Layout]]:
    """Photos of a folder with their truth, by name. FileNotFoundError where it has none."""
    if not folder.is_dir():
        raise FileNotFoundError(f"{folder}: there is no such folder of photos")
    any_there = False
    for photo in sorted(folder.iterdir()):
        truth = photo.with_suffix(".json")
        if photo.suffix.lower() not in SUFFIXES or not (negatives or truth.exists()):
            continue
        any_there = True
        yield photo, load_layout(truth) if truth.exists() else Layout(())
    if not any_there:
        raise FileNotFoundError(f"{folder}: holds no photo with a layout file of the same name beside it")


def measured(photo: Path, truth: Layout, read: Read) -> Row:
    """Read one photo and compare. Where no environment is found every tile counts as missing."""
    began = time.perf_counter()
    try:
        reading = read(photo)
    except NoEnvironmentError:
        seconds = time.perf_counter() - began
        comparison = compare(truth, Layout(())) if truth.tiles else None
        return Row(photo, comparison, 0, {}, seconds)
    seconds = time.perf_counter() - began
    if not truth.tiles:
        return Row(photo, None, len(reading.layouts), reading.timings, seconds, reading.layout)
    layout = most_like(truth, reading.layouts)
    assert layout is not None
    return Row(photo, compare(truth, layout), len(reading.layouts), reading.timings, seconds, layout)


def totalled(rows: Sequence[Row]) -> Total:
    """Sums over rows."""
    compared = [row.comparison for row in rows if row.comparison is not None]
    empty = [row for row in rows if row.comparison is None]
    return Total(
        len(compared),
        sum((one.counts for one in compared), Counts()),
        sum((one.faults() for one in compared), Counter()),
        len(empty),
        sum(row.environments > 0 for row in empty),
        tuple(row.seconds for row in rows),
    )


def header() -> str:
    """Heads of the columns of `row_text`."""
    heads = [f"{name:>7}" for name in COUNT_COLUMNS] + [f"{'cones':>5}"]
    heads += [f"{name:>12}" for name in FAULTS] + [f"{name:>5}" for name in (*STAGE_COLUMNS, "all")]
    return f"{'photo':24}" + " ".join(heads)


def row_text(row: Row) -> str:
    """A row of the table: counts, faults by stage, seconds by stage and in all."""
    times = [row.timings.get(stage) for stage in STAGES]
    ends = [f"{'-' if t is None else f'{t:.2f}':>5}" for t in (*times, row.seconds)]
    if row.comparison is None:
        what = "nothing invented" if row.environments == 0 else f"{row.environments} environments invented"
        return f"{row.photo.stem:24.24}{what}  {' '.join(ends)}"
    counts, faults = row.comparison.counts, row.comparison.faults()
    cells = [f"{getattr(counts, name):>7}" for name in COUNT_COLUMNS]
    cells.append(f"{'-' if counts.pinecones is None else counts.pinecones:>5}")
    cells += [f"{faults[name]:>12}" for name in FAULTS]
    return f"{row.photo.stem:24.24}" + " ".join(cells + ends)


def total_text(name: str, total: Total) -> str:
    """The figures of a folder in words."""
    lines = []
    counts, tiles = total.counts, max(total.counts.tiles, 1)
    if total.photos:
        shares = ", ".join(
            f"{word} {getattr(counts, word) / tiles:.2%}" for word in ("found", "terrain", "token", "right")
        )
        lines.append(
            f"{name}: {total.photos} photos, {counts.tiles} tiles: {shares}; "
            f"perfect photos {counts.perfect} ({counts.perfect / total.photos:.1%}); extra {counts.extra}; "
            f"flagged {counts.flagged}; "
            f"silent faults {counts.silent} ({1000 * counts.silent / tiles:.2f} in 1000)"
        )
        lines.append("  faults: " + ", ".join(f"{fault} {total.faults[fault]}" for fault in FAULTS))
    if total.negatives:
        lines.append(f"{name}: {total.negatives} photos without an environment, invented in {total.invented}")
    ordered = sorted(total.seconds)
    if ordered:
        lines.append(f"  seconds a photo: median {ordered[len(ordered) // 2]:.2f}, worst {ordered[-1]:.2f}")
    return "\n".join(lines)


def main(argv: Sequence[str] | None = None) -> int:
    """Command line."""
    parser = argparse.ArgumentParser(prog="benchmarks.accuracy", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("folders", nargs="*", type=Path, metavar="FOLDER", help="photos with layout files")
    parser.add_argument("--negatives", action="append", default=[], type=Path, metavar="FOLDER",
                        help="photos without an environment")  # fmt: skip
    parser.add_argument("--models", type=Path, help="folder of other networks than the shipped ones")
    parser.add_argument("--faults", type=Path, metavar="DIR", help="folder for a picture of every fault")
    args = parser.parse_args(argv)
    if not args.folders and not args.negatives:
        parser.error("name at least one folder of photos")
    try:
        models: Models = shipped_models() if args.models is None else load_models(args.models)
        return run(args.folders, args.negatives, lambda path: read_photo(path, models=models), args.faults)
    except (LayoutError, FileNotFoundError, PhotoError) as error:
        print(error, file=sys.stderr)
        return 2


def run(folders: Sequence[Path], negatives: Sequence[Path], read: Read, faults: Path | None) -> int:
    """Read all photos and print the table; returns the exit status."""
    print(header())
    everything: list[Row] = []
    for folder in (*folders, *negatives):
        rows = []
        for photo, truth in photos_in(folder, negatives=folder in negatives):
            row = measured(photo, truth, read)
            print(row_text(row), flush=True)
            rows.append(row)
            if faults is not None:
                for name, picture in fault_pictures(photo, truth, row.comparison, row.layout):
                    faults.mkdir(parents=True, exist_ok=True)
                    picture.save(faults / f"{folder.name}-{photo.stem}-{name}.png")
        print(total_text(str(folder), totalled(rows)), flush=True)
        everything += rows
    if len(folders) + len(negatives) > 1:
        print(total_text("all", totalled(everything)))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
