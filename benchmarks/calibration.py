"""How far the reader's probabilities can be believed, and what its flags catch.

    python -m benchmarks.scenes --out runs/reliability --count 200 --seed 8
    python -m benchmarks.calibration runs/reliability

The photos must be others than those that `training.calibrate` fitted on. Prints, for terrain, token and the
whole tile, how often readings of each probability are right and the expected calibration error; then the
flags; draws `benchmarks/reliability.svg`.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from benchmarks.accuracy import measured, photos_in
from benchmarks.chart import line_chart
from benchmarks.comparing import Match
from scoring.layout import LayoutError
from vision.photo import PhotoError
from vision.reader import load_models, read_photo, shipped_models

Floats = NDArray[np.float64]

EDGES = (0.0, 0.5, 0.8, 0.9, 0.95, 0.98, 0.99, 0.995, 0.998, 1.0)
"""Limits of the groups of probabilities; narrow where nearly all readings are."""


@dataclass(frozen=True)
class Group:
    """Readings of about the same probability: how many, their mean probability, the share that is right."""

    count: int
    claimed: float
    right: float


@dataclass(frozen=True)
class Rated:
    """Read tiles (N,): the probabilities claimed for terrain and token, whether each is right, flags."""

    terrain: Floats
    token: Floats
    terrain_right: NDArray[np.bool_]
    token_right: NDArray[np.bool_]
    flagged: NDArray[np.bool_]


def rated(matches: Iterable[Match]) -> Rated:
    """The read tiles among matches. An invented or misplaced tile is wrong in all respects."""
    rows = [
        (
            match.read.confidence_terrain,
            match.read.confidence_token,
            match.terrain_right,
            match.token_right,
            match.flagged,
        )
        for match in matches
        if match.read is not None
    ]
    table = np.array(rows, float).reshape(-1, 5)
    return Rated(table[:, 0], table[:, 1], *(table[:, i].astype(bool) for i in (2, 3, 4)))


def reliability(probability: Floats, right: NDArray[np.bool_], edges: Sequence[float] = EDGES) -> list[Group]:
    """Groups of readings by claimed probability (N,); empty ones are left out."""
    which = np.clip(np.searchsorted(edges, probability, side="right") - 1, 0, len(edges) - 2)
    chosen = [which == group for group in range(len(edges) - 1)]
    return [
        Group(int(here.sum()), float(probability[here].mean()), float(right[here].mean()))
        for here in chosen
        if here.any()
    ]


def calibration_error(groups: Sequence[Group]) -> float:
    """Expected calibration error: mean difference of claimed and right, weighted by the readings.

    Naeini, Cooper and Hauskrecht, "Obtaining well calibrated probabilities using Bayesian binning", 2015,
    here with groups of fixed limits.
    """
    many = sum(group.count for group in groups)
    return sum(group.count * abs(group.claimed - group.right) for group in groups) / many if many else 0.0


def reliability_text(name: str, groups: Sequence[Group]) -> str:
    """Table of the groups and the error."""
    lines = [f"{name}: expected calibration error {calibration_error(groups):.4f}"]
    lines.append(f"  {'claimed':>9}{'right':>9}{'readings':>10}")
    lines += [f"  {g.claimed:>9.4f}{g.right:>9.4f}{g.count:>10}" for g in groups]
    return "\n".join(lines)


def flags_text(tiles: Rated, missing: int, true_tiles: int) -> str:
    """What the flags catch, in words."""
    wrong = ~(tiles.terrain_right & tiles.token_right)
    silent = int((wrong & ~tiles.flagged).sum()) + missing
    return (
        f"{len(wrong)} tiles read, {wrong.sum()} wrong; "
        f"{tiles.flagged.sum()} flagged, {(tiles.flagged & ~wrong).sum()} of them right; "
        f"wrong and not flagged {(wrong & ~tiles.flagged).sum()}, missing {missing}: "
        f"{silent} silent faults, {1000 * silent / max(true_tiles, 1):.2f} in 1000 tiles"
    )


def main(argv: Sequence[str] | None = None) -> int:
    """Command line."""
    parser = argparse.ArgumentParser(prog="benchmarks.calibration", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("folders", nargs="+", type=Path, metavar="FOLDER", help="photos with layout files")
    parser.add_argument("--models", type=Path, help="folder of other networks than the shipped ones")
    parser.add_argument("--chart", type=Path, default=Path(__file__).parent / "reliability.svg")
    args = parser.parse_args(argv)
    matches: list[Match] = []
    try:
        models = shipped_models() if args.models is None else load_models(args.models)
        for folder in args.folders:
            for photo, truth in photos_in(folder):
                row = measured(photo, truth, lambda path: read_photo(path, models=models))
                if row.comparison is not None:
                    matches += row.comparison.matches
    except (FileNotFoundError, LayoutError, PhotoError) as error:
        print(error, file=sys.stderr)
        return 2
    tiles = rated(matches)
    curves = {
        "terrain": reliability(tiles.terrain, tiles.terrain_right),
        "token": reliability(tiles.token, tiles.token_right),
        "tile": reliability(tiles.terrain * tiles.token, tiles.terrain_right & tiles.token_right),
    }
    for name, groups in curves.items():
        print(reliability_text(name, groups))
    missing = sum(match.read is None for match in matches)
    print(flags_text(tiles, missing, sum(match.true is not None for match in matches)))
    ticks = (0.0, 0.2, 0.4, 0.6, 0.8, 1.0)
    lines = {name: [(g.claimed, g.right) for g in groups] for name, groups in curves.items()}
    chart = line_chart(
        "How far probabilities can be believed", "probability claimed", "share that is right",
        {**lines, "ideal": [(0.0, 0.0), (1.0, 1.0)]}, y_range=(0.0, 1.0), y_ticks=ticks, x_ticks=ticks,
    )  # fmt: skip
    args.chart.write_text(chart, encoding="utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
