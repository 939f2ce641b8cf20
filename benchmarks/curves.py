"""Tiles read right against the camera's tilt and against the size of the tiles, on held-back scenes.

    python -m benchmarks.curves --out runs/curves --count 20

draws the same scenes at each tilt (at a pitch of 90 px) and at each pitch (at a tilt of 20 degrees), reads
them, prints a table and draws `benchmarks/tilt.svg` and `benchmarks/pitch.svg`.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from benchmarks.accuracy import Read, measured, photos_in, totalled
from benchmarks.chart import line_chart
from benchmarks.comparing import Counts
from benchmarks.scenes import Wanted, written
from vision.reader import Reading, load_models, read_photo, shipped_models

TILTS = (0.0, 15.0, 30.0, 45.0)
"""Degrees from straight above."""
PITCHES = (200.0, 120.0, 80.0, 50.0, 35.0)
"""Median tile pitch, px."""
PITCH_OF_TILTS = 90.0
TILT_OF_PITCHES = 20.0
WORDS = ("found", "terrain", "token", "right")


def measured_set(folder: Path, wanted: Wanted, count: int, read: Read) -> Counts:
    """Counts over `count` scenes, drawn into `folder` where they are not there yet."""
    drawn = set(written(folder, count, wanted))
    rows = [
        measured(photo, truth, read)
        for photo, truth in photos_in(folder)
        if photo.with_suffix(".json") in drawn
    ]
    return totalled(rows).counts


def curve_text(name: str, counts: Mapping[float, Counts]) -> str:
    """The table of one curve."""
    lines = [f"{name:16}{'tiles':>7}" + "".join(f"{word:>9}" for word in WORDS) + f"{'silent':>8}"]
    for value, one in counts.items():
        shares = "".join(f"{getattr(one, word) / max(one.tiles, 1):>9.2%}" for word in WORDS)
        lines.append(f"{value:<16g}{one.tiles:>7}{shares}{one.silent:>8}")
    return "\n".join(lines)


def curve_chart(title: str, name: str, counts: Mapping[float, Counts]) -> str:
    """The chart of one curve, from 80 to 100 %."""
    lines = {
        word: [(value, getattr(one, word) / max(one.tiles, 1)) for value, one in sorted(counts.items())]
        for word in ("right", "terrain", "token")
    }
    return line_chart(
        title, name, "share of all tiles", lines, y_range=(0.8, 1.0), y_ticks=(0.8, 0.85, 0.9, 0.95, 1.0)
    )


def main(argv: Sequence[str] | None = None) -> int:
    """Command line."""
    parser = argparse.ArgumentParser(prog="benchmarks.curves", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("--out", type=Path, required=True, help="folder for the scenes")
    parser.add_argument("--charts", type=Path, default=Path(__file__).parent, help="folder for the charts")
    parser.add_argument("--count", type=int, default=20, help="scenes for each point of a curve")
    parser.add_argument("--seed", type=int, default=3)
    parser.add_argument("--models", type=Path, help="folder of other networks than the shipped ones")
    args = parser.parse_args(argv)
    try:
        models = shipped_models() if args.models is None else load_models(args.models)
    except FileNotFoundError as error:
        print(error, file=sys.stderr)
        return 2

    def read(path: Path) -> Reading:
        return read_photo(path, models=models)

    sets = (
        ("tilt", "tilt, degrees", {t: Wanted(args.seed, t, PITCH_OF_TILTS) for t in TILTS}),
        ("pitch", "tile pitch, px", {p: Wanted(args.seed, TILT_OF_PITCHES, p) for p in PITCHES}),
    )
    args.charts.mkdir(parents=True, exist_ok=True)
    for short, name, wanted in sets:
        counts = {
            value: measured_set(args.out / f"{short}-{value:g}", one, args.count, read)
            for value, one in wanted.items()
        }
        print(curve_text(name, counts), flush=True)
        (args.charts / f"{short}.svg").write_text(curve_chart(f"Tiles right by {short}", name, counts))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
