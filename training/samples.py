"""Draw the photos of `sample_images/`: our own art on our own tables, easy to hard, with their layouts.

`python -m training.samples sample_images`; the same seeds draw the same pictures.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from PIL import Image

from scoring.environment import check
from scoring.layout import Layout, save_layout
from training.data import load_stocks
from training.photos import Look, random_photo
from training.truth import true_layout, whole_environment_visible


@dataclass(frozen=True)
class Sample:
    """One sample photo: its name, tilt of the camera in degrees, hardness of the light (0 to 1), mess (share
    of the usual loose pieces), tiles of the first environment, how many environments are in the photo, and
    how many wildlife tokens each has at least."""

    name: str
    seed: int
    tilt: float
    strength: float
    messy: float
    count: int = 23
    boards: int = 1
    tokens: int = 0


SAMPLES = (
    Sample("01-from-above", 711, 4, 0.15, 0.0, tokens=16),
    Sample("02-at-an-angle", 3512, 28, 0.25, 0.4),
    Sample("03-evening-lamp", 3513, 18, 0.45, 0.8),
    Sample("04-steep-and-crowded", 1514, 42, 0.45, 2.0),
    Sample("05-unfinished", 3515, 22, 0.35, 1.0, count=14),
    Sample("06-two-players", 622, 24, 0.3, 0.0, boards=2),
)


def draw(sample: Sample, folder: Path) -> None:
    """Write NAME.jpg and NAME.json (and NAME-environment-2.json for a second environment).

    Draws anew until the environments are in the photo to the last corner and could come from one game: no
    more tokens than turns, each on a tile that shows it.
    """
    for attempt in range(400):
        seed = sample.seed * 100 + attempt
        rng = np.random.default_rng(seed)
        stock, _ = load_stocks(seed, None, held_back=False, runs=1)
        look = Look(1600, 1200, 120, tilt=float(np.radians(sample.tilt)), strength=sample.strength)
        view = random_photo(
            stock,
            look,
            rng,
            whole=True,
            count=sample.count,
            messy=sample.messy,
            neighbour=float(sample.boards - 1),
            boards=sample.boards,
        )
        file = f"{sample.name}.jpg"
        layouts = [true_layout(view, file, number) for number in range(sample.boards)]
        if whole_environment_visible(view, sample.boards) and all(
            _possible(layout, sample.tokens) for layout in layouts
        ):
            break
    else:
        raise RuntimeError(
            f"{sample.name}: none of 400 photos showed a possible environment: try another seed"
        )
    Image.fromarray(view.pixels).save(folder / file, quality=88, optimize=True)
    for number, layout in enumerate(layouts, 1):
        stem = sample.name if number == 1 else f"{sample.name}-environment-{number}"
        save_layout(layout, folder / f"{stem}.json")


def _possible(layout: Layout, tokens: int) -> bool:
    """Whether a game could end like this, or stand like this on the way, with so many tokens at least."""
    if sum(placed.tile.token is not None for placed in layout.tiles) < tokens:
        return False
    problems = check(placed.tile for placed in layout.tiles)
    return all("a full environment has 23" in problem.message for problem in problems)


def main(argv: Sequence[str] | None = None) -> int:
    """Command line."""
    parser = argparse.ArgumentParser(prog="training.samples", description=__doc__)
    parser.add_argument("folder", type=Path)
    args = parser.parse_args(argv)
    args.folder.mkdir(parents=True, exist_ok=True)
    for sample in SAMPLES:
        draw(sample, args.folder)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
