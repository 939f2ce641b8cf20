"""Whole photos for measuring, with their layouts: tables, lights and print runs that training never sees.

    python -m benchmarks.scenes --out runs/scenes --count 200 --seed 1
    python -m benchmarks.scenes --out runs/empty --count 50 --seed 1 --empty

writes NAME.jpg and NAME.json. Scene k depends only on the options and k, so an interrupted run goes on where
it stopped. With `--empty` no photo shows an environment: a bare table, a market with a starter tile, cards,
the box lid, clutter.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path

import numpy as np
from PIL import Image
from tqdm import tqdm

from scoring.layout import save_layout
from scoring.pieces import SPECIES
from training.camera import Camera
from training.data import load_stocks, local_pitches
from training.material import Material
from training.photos import Look, Stock, random_camera, random_photo, take
from training.render import View
from training.scene import PlacedTile, Scene, cell_center, moved, random_environment, random_token
from training.truth import true_layout, whole_environment_visible

SIZES = ((1600, 1200), (1200, 1600), (2000, 1500), (1024, 768), (1280, 720))
"""Width and height, px, of phone photos as they are passed on."""
SEEDS_OF_TRAINING = 1_000_000
"""Print runs are drawn from seeds beyond this, those of training from seeds below."""
SCENES_OF_A_STOCK = 40
"""After so many scenes new print runs, tables and clutter are drawn."""
MOST_TRIES = 60
"""So often a scene is taken again until all of its environment is in the photo."""
PROOF_SIDE = 200
"""Longer side, px, of the small photo from which the size for a wanted pitch is computed."""
LARGEST_SIDE = 6000
EMPTY_KINDS = ("table", "market", "cards and lid", "clutter")
"""What photos without an environment show."""
NOTHING = (np.zeros((2, 2, 4), np.uint8), 0.1)
"""An invisible piece of clutter."""


@dataclass(frozen=True)
class Wanted:
    """Options of a set of scenes; None leaves it to chance.

    tilt: of the camera, degrees. pitch: median tile pitch, px; then the size of the photo follows from it.
    shared: folder with photographs of real pieces, from which half of the scenes are put together.
    strength: how hard the light, lens and file are, 0 to 1; 0.3 is a lit room, 1 the hardest there is.
    """

    seed: int
    tilt: float | None = None
    pitch: float | None = None
    shared: Path | None = None
    strength: float | None = None


@lru_cache(maxsize=1)
def held_back_stock(seed: int, group: int, shared: Path | None) -> tuple[Stock, Stock | None]:
    """Stock of our own art, and of photographed pieces where `shared` is named, for one group of scenes."""
    return load_stocks(SEEDS_OF_TRAINING + 1000 * seed + group, shared, held_back=True, runs=2)


def scene(wanted: Wanted, number: int) -> View:
    """Photo `number` of a set. Raises RuntimeError where its environment would not fit into the photo."""
    own, real = held_back_stock(wanted.seed, number // SCENES_OF_A_STOCK, wanted.shared)
    stock = real if real is not None and number % 2 else own
    for attempt in range(MOST_TRIES):
        key = (wanted.seed, number, attempt)
        size = SIZES[np.random.default_rng(key).integers(len(SIZES))]
        if wanted.pitch is not None:
            size = _size_for_pitch(stock, wanted, key, size)
        if max(size) > LARGEST_SIDE:
            continue
        view = _photo(stock, wanted, key, size)
        if whole_environment_visible(view):
            return view
    raise RuntimeError(f"scene {number}: none of {MOST_TRIES} photos showed the whole environment")


def _photo(stock: Stock, wanted: Wanted, key: tuple[int, ...], size: tuple[int, int]) -> View:
    """The photo of a key; another size shows the same scene from the same place."""
    rng = np.random.default_rng([*key, 1])
    count = 23 if rng.random() < 0.7 else int(rng.integers(8, 38))
    tilt = None if wanted.tilt is None else float(np.radians(wanted.tilt))
    drawn = float(rng.choice([0.3, 0.7, 1.0], p=[0.25, 0.35, 0.4]))
    strength = drawn if wanted.strength is None else wanted.strength
    # The pitch counts only through its ratio to the size: the camera zooms until the environment fits.
    look = Look(*size, pitch=max(size) / 13, tilt=tilt, strength=strength, held_back=True)
    return random_photo(stock, look, rng, whole=True, count=count)


def _size_for_pitch(
    stock: Stock, wanted: Wanted, key: tuple[int, ...], size: tuple[int, int]
) -> tuple[int, int]:
    """The size, of the proportions of `size`, at which the tiles of a key's photo have the wanted pitch."""
    assert wanted.pitch is not None
    shrink = PROOF_SIDE / max(size)
    small = round(size[0] * shrink), round(size[1] * shrink)
    proof = _photo(stock, wanted, key, small)
    first = [i for i, tile in enumerate(proof.tiles) if tile.cell is not None and tile.board == 0.0]
    grow = wanted.pitch / float(np.median(local_pitches(proof)[first]))
    return round(small[0] * grow), round(small[1] * grow)


def empty_photo(wanted: Wanted, number: int) -> View:
    """Photo `number` without an environment, of `EMPTY_KINDS` in turn."""
    own, real = held_back_stock(wanted.seed, number // SCENES_OF_A_STOCK, wanted.shared)
    stock = real if real is not None and number // len(EMPTY_KINDS) % 2 else own
    rng = np.random.default_rng([wanted.seed, number, 2])
    material = stock.materials[rng.integers(len(stock.materials))]
    kind = EMPTY_KINDS[number % len(EMPTY_KINDS)]
    size = SIZES[rng.integers(len(SIZES))]
    tilt = None if wanted.tilt is None else float(np.radians(wanted.tilt))
    # Cards, lids and the like are several tiles wide and are photographed from farther away.
    across = rng.uniform(6, 14) if kind in ("table", "market") else rng.uniform(12, 26)
    pitch = wanted.pitch or float(max(size) / across)
    look = Look(*size, pitch=pitch, tilt=tilt, strength=0.7, held_back=True)
    camera = random_camera(look, (0.0, 0.0), 7.0, rng)
    if kind == "table":
        bare = replace(stock, clutter=(NOTHING,))
        return take(bare, Scene((), (), ()), material, camera, look, rng)
    if kind == "market":
        return take(stock, market(material, rng), material, camera, look, rng)
    if kind == "cards and lid":
        return _crowded(_only_cards_and_lids(stock), material, camera, look, rng)
    return _crowded(stock, material, camera, look, rng)


def market(material: Material, rng: np.random.Generator) -> Scene:
    """Four loose tiles in a row, four tokens beside them, nature tokens, and a starter tile alone."""
    tiles: list[PlacedTile] = []
    tokens = []
    apart = rng.uniform(1.3, 1.8)
    for column in range(4):
        x = (column - 1.5) * apart
        one = random_environment(material, 1, rng, token_share=0.0)
        tiles += moved(one, x, float(rng.normal(0, 0.05)), float(rng.uniform(0, 2 * np.pi)))
        tokens.append(random_token(SPECIES[rng.integers(5)], x, 1.2, 0.0, 0.03, rng))
    tokens += [random_token(None, float(rng.uniform(-3, 3)), 2.2, 0.0, 0.0, rng) for _ in range(3)]
    starter = random_environment(material, 3, rng, token_share=0.0)
    middle = np.mean([cell_center(tile.cell) for tile in starter if tile.cell is not None], axis=0)
    starter = moved(moved(starter, -middle[0], -middle[1], 0.0), 0.0, -2.4, float(rng.uniform(0, 2 * np.pi)))
    tiles += starter
    return Scene((), tuple(replace(tile, cell=None) for tile in tiles), tuple(tokens))


def _only_cards_and_lids(stock: Stock) -> Stock:
    """The stock with none but its large pieces of clutter: cards, pads, rule pages, box lids."""
    large = tuple(thing for thing in stock.clutter if thing[1] > 1.5)
    return replace(stock, clutter=large or stock.clutter)


def _crowded(stock: Stock, material: Material, camera: Camera, look: Look, rng: np.random.Generator) -> View:
    """A photo full of clutter: the one of several that shows most."""
    views = [take(stock, Scene((), (), ()), material, camera, look, rng) for _ in range(3)]
    return max(views, key=lambda view: float(view.pixels.std()))


def written(folder: Path, count: int, wanted: Wanted, *, empty: bool = False) -> Iterator[Path]:
    """Draw what is not yet in the folder of photos 0 to `count` - 1; yields each layout file."""
    folder.mkdir(parents=True, exist_ok=True)
    for number in range(count):
        layout_file = folder / f"{number:04d}.json"
        if not layout_file.exists():
            view = empty_photo(wanted, number) if empty else scene(wanted, number)
            photo = layout_file.with_suffix(".jpg")
            Image.fromarray(view.pixels).save(photo, quality=92)
            layout = true_layout(view, photo.name)
            # Last, so that a photo with a layout file is always complete.
            save_layout(layout, layout_file)
        yield layout_file


def main(argv: Sequence[str] | None = None) -> int:
    """Command line."""
    parser = argparse.ArgumentParser(prog="benchmarks.scenes", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("--out", type=Path, required=True, help="folder for the photos and layouts")
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--shared", type=Path, help="folder with photographs of real tiles and tokens")
    parser.add_argument("--tilt", type=float, help="of the camera from straight above, degrees")
    parser.add_argument("--pitch", type=float, help="median tile pitch, px")
    parser.add_argument(
        "--strength", type=float, help="hardness of the light, 0 to 1 (by chance 0.3, 0.7, 1)"
    )
    parser.add_argument("--empty", action="store_true", help="photos without an environment")
    args = parser.parse_args(argv)
    if args.shared is not None and not args.shared.is_dir():
        print(f"{args.shared}: no such folder; name the one with tiles/ and prints/", file=sys.stderr)
        return 2
    wanted = Wanted(args.seed, args.tilt, args.pitch, args.shared, args.strength)
    for _ in tqdm(written(args.out, args.count, wanted, empty=args.empty), total=args.count, unit="photo"):
        pass
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
