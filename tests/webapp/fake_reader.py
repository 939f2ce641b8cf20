"""A reader for tests of the page: it knows the sample photos by name, and counts its calls.

The truth of a sample comes out with two tiles in doubt, so that there is something to check.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from importlib.resources import as_file, files
from pathlib import Path

from scoring import Environment, score_environment, score_game
from scoring.layout import Alternative, Layout, LayoutTile, load_layout
from scoring.pieces import SPECIES, Species
from vision import NoEnvironmentError, Photo

DOUBTFUL = 2


@dataclass(frozen=True)
class FakeReading:
    layouts: tuple[Layout, ...]


def sample_layout(name: str) -> Layout:
    """What is on the sample photo `name` (01-from-above.jpg)."""
    with as_file(files("sample_images") / f"{Path(name).stem}.json") as path:
        return load_layout(path)


def in_doubt(layout: Layout) -> Layout:
    """The layout with the first two tiles in doubt whose other token gives another total.

    Which tiles those are hangs on the sample; a correction that changes no total could not be watched.
    """
    with_token = [tile.tile.cell for tile in layout.tiles if _decides(layout, tile)][:DOUBTFUL]
    return replace(
        layout,
        tiles=tuple(
            _doubtful(tile)
            if tile.tile.cell in with_token
            else replace(tile, confidence_terrain=0.99, confidence_token=0.99)
            for tile in layout.tiles
        ),
    )


def _other(tile: LayoutTile) -> Species:
    return SPECIES[0] if tile.tile.token != SPECIES[0] else SPECIES[1]


def _decides(layout: Layout, tile: LayoutTile) -> bool:
    if tile.tile.token is None:
        return False
    environment = layout.environment()
    changed = replace(tile.tile, token=_other(tile))
    others = [each for each in environment.tiles.values() if each.cell != changed.cell]
    both = (environment, Environment.of([*others, changed], environment.nature_tokens))
    read, otherwise = (score_game([each]).players[0].total for each in both)
    return read != otherwise


def _doubtful(tile: LayoutTile) -> LayoutTile:
    other = _other(tile)
    return replace(
        tile,
        needs_review=True,
        confidence_terrain=0.98,
        confidence_token=0.6,
        token_alternatives=(Alternative(other, 0.3), Alternative(None, 0.1)),
    )


def telling_card(name: str) -> tuple[Species, str]:
    """A species and letter that score a sample photo otherwise than card A, its first doubt corrected."""
    layout = in_doubt(sample_layout(name))
    doubtful = next(tile for tile in layout.tiles if tile.needs_review)
    corrected = replace(doubtful.tile, token=_other(doubtful))
    environment = Environment.of(
        corrected if tile.tile.cell == corrected.cell else tile.tile for tile in layout.tiles
    )
    return next(
        (species, letter)
        for species in SPECIES
        for letter in "BCD"
        if score_environment(environment, species, letter).points
        != score_environment(environment, species, "A").points
    )


class FakeReader:
    """Stands for `vision.read_photo`. `reads` holds the name of every photo read."""

    def __init__(self, note: Callable[[str], None] | None = None) -> None:
        self.reads: list[str] = []
        self._note = note

    def __call__(self, photo: Photo, *, progress: Callable[[str, float], None]) -> FakeReading:
        self.reads.append(photo.name)
        if self._note:
            self._note(photo.name)
        for number, stage in enumerate(("Looking for tiles", "Laying the grid", "Reading the tiles")):
            progress(stage, number / 3)
            time.sleep(0.05)
        try:
            layout = in_doubt(sample_layout(photo.name))
        except (FileNotFoundError, ValueError):
            raise NoEnvironmentError(f"{photo.name!r} shows no environment: take another photo") from None
        if "two-players" in photo.name:
            return FakeReading((layout, layout))
        return FakeReading((layout,))
