"""Training samples: windows of rendered photos with dense labels, and the tile patches cut from them.

`python -m training.data --out runs/data` renders without end (or for `--minutes`), in shards, and goes on
where it stopped: shard k depends only on the seed and k.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from scoring.hexgrid import neighbors
from scoring.pieces import SPECIES, terrain_states
from training.material import make_material
from training.photos import Look, Stock, make_stock, random_photo
from training.render import View
from training.scene import PlacedTile, cell_center
from vision.evidence import STRIDE
from vision.patches import PhotoPyramid

WINDOW = 320
"""Side of a dense sample, px."""
SHARD = 48
"""Dense samples in one shard."""
LEAST_PITCH = 30.0
"""Tiles smaller than this (px) give no patch: nobody can read them."""

# Columns of a patch's labels: terrain state (-1 unknown), token (0 none, 1.. species, -1 unknown),
# five printed species, keystone mark, tile present.
LABELS = 9


@dataclass(frozen=True)
class DenseLabels:
    """Targets at a quarter of the window's resolution: classes, centre heat 0..255, pitch in px (0: none)."""

    classes: NDArray[np.uint8]
    heat: NDArray[np.uint8]
    pitch: NDArray[np.float16]


def local_pitches(view: View) -> NDArray[np.float64]:
    """Pitch (N,) of each tile, photo px: side of the square as large as its image of a unit square."""
    return np.sqrt(np.abs(np.linalg.det(view.frames))) if len(view.frames) else np.zeros(0)


def dense_labels(view: View) -> DenseLabels:
    """What the dense network should say of a view."""
    classes = view.classes[STRIDE // 2 :: STRIDE, STRIDE // 2 :: STRIDE]
    h, w = classes.shape
    heat, pitch = np.zeros((h, w), np.float32), np.zeros((h, w), np.float32)
    x, y = np.arange(w, dtype=np.float32)[None], np.arange(h, dtype=np.float32)[:, None]
    for center, corners, size in zip(view.centers, view.corners, local_pitches(view), strict=True):
        cx, cy = (center - (STRIDE - 1) / 2) / STRIDE
        cv2.fillConvexPoly(
            pitch, ((corners - 1.5) / STRIDE).clip(-999, 999).round().astype(np.int32), float(size)
        )
        sigma = max(0.9, 0.11 * size / STRIDE)
        reach = int(3 * sigma) + 2
        x0, y0 = max(0, int(cx) - reach), max(0, int(cy) - reach)
        x1, y1 = min(w, int(cx) + reach), min(h, int(cy) + reach)
        if x1 > x0 and y1 > y0:
            away = (x[:, x0:x1] - cx) ** 2 + (y[y0:y1] - cy) ** 2
            spot = np.exp(-away / np.float32(2 * sigma * sigma))
            heat[y0:y1, x0:x1] = np.maximum(heat[y0:y1, x0:x1], spot)
    return DenseLabels(classes, (heat * 255).round().astype(np.uint8), pitch.astype(np.float16))


def _perturbed(frame: NDArray[np.float64], angle: float, rng: np.random.Generator) -> NDArray[np.float64]:
    """A frame as the lattice would give it: turned, stretched and sheared a little."""
    turn = angle + rng.normal(0, np.radians(2.5))
    c, s = np.cos(turn), np.sin(turn)
    stretch = np.eye(2) * np.exp(rng.normal(0, 0.035)) + rng.normal(0, 0.02, (2, 2))
    return frame @ np.array([[c, -s], [s, c]]) @ stretch


def tile_labels(tile: PlacedTile) -> NDArray[np.int8]:
    """Labels (LABELS,) of a tile's patch."""
    token = 0 if tile.token is None or tile.token.species is None else 1 + SPECIES.index(tile.token.species)
    printed = [int(s in tile.face.wildlife) for s in SPECIES]
    return np.array(
        [terrain_states().index(tile.terrain), token, *printed, int(tile.face.keystone), 1], np.int8
    )


def _empty_places(
    view: View, pitches: NDArray[np.float64], count: int, rng: np.random.Generator
) -> list[tuple[NDArray[np.float64], NDArray[np.float64]]]:
    """Places (2,) and frames (2, 2) where no tile may be seen: loose tokens on the bare table, which must
    not pass for a tile, and `count` free cells and places at random. Some may touch a tile after all."""
    height, width = view.pixels.shape[:2]

    def any_frame() -> NDArray[np.float64]:
        if len(pitches) and rng.random() < 0.8:
            return view.frames[rng.integers(len(pitches))]
        size, turn = rng.uniform(LEAST_PITCH, 90), rng.uniform(0, np.pi / 3)
        return size * np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])

    places = []
    for spot in view.loose:
        frame = any_frame()
        places.append((spot + frame @ rng.normal(0, 0.08, 2), frame))
    for _ in range(count):
        if len(pitches) and rng.random() < 0.75:
            i = rng.integers(len(pitches))
            step = np.array(cell_center(neighbors((0, 0))[rng.integers(6)]))
            far = 1.0 if view.tiles[i].cell is not None else rng.uniform(0.7, 1.5)
            places.append((view.centers[i] + view.frames[i] @ step * far, view.frames[i]))
        else:
            places.append((rng.uniform(0, 1, 2) * (width, height), any_frame()))
    return places


def patch_samples(view: View, rng: np.random.Generator) -> list[tuple[NDArray[np.uint8], NDArray[np.int8]]]:
    """Patches of the tiles in a view, and some of places without a tile, each with its labels."""
    pyramid = PhotoPyramid(view.pixels)
    height, width = view.pixels.shape[:2]
    pitches = local_pitches(view)
    samples = []
    for i, tile in enumerate(view.tiles):
        margin = 0.62 * pitches[i]
        inside = (view.centers[i] > margin).all() and (
            view.centers[i] < (width - margin, height - margin)
        ).all()
        if pitches[i] < LEAST_PITCH or not inside:
            continue
        frame = _perturbed(view.frames[i], tile.board, rng)
        center = view.centers[i] + view.frames[i] @ rng.normal(0, 0.03, 2)
        samples.append((pyramid.cut(center, frame), tile_labels(tile)))
    nothing = np.array([-1, -1] + [0] * (LABELS - 2), np.int8)
    for place, frame in _empty_places(view, pitches, max(4 if not samples else 1, len(samples) // 4), rng):
        near = (np.linalg.norm(view.centers - place, axis=1) / pitches).min() if len(pitches) else np.inf
        if near > 0.62 and (place > 0).all() and (place < (width, height)).all():
            samples.append((pyramid.cut(place, _perturbed(frame, 0.0, rng)), nothing))
    return samples


def load_stocks(
    seed: int, shared: Path | None, *, held_back: bool, runs: int = 3
) -> tuple[Stock, Stock | None]:
    """Stock of our own art and, where a folder with photographs of real pieces is named, of those."""
    from training.art import ArtKit

    rng = np.random.default_rng(seed)
    own_kits = [ArtKit(rng) for _ in range(runs)]
    own = make_stock(
        [make_material(kit, rng) for kit in own_kits],
        own_kits[0],
        rng,
        tables=40,
        clutter=50,
        held_back=held_back,
    )
    if shared is None:
        return own, None
    from training.real_art import RealKit

    real_kit = RealKit(shared, rng)
    real = make_stock(
        [make_material(real_kit, rng, copies=3, token_faces=40)],
        real_kit,
        rng,
        tables=40,
        clutter=30,
        held_back=held_back,
    )
    return own, real


def random_look(rng: np.random.Generator, side: int, held_back: bool) -> Look:
    """A window of `side` px at a random scale, from easy to hard light.

    Steep views and hard light come oftener than on tables: that is where there is most to learn.
    """
    pitch = float(np.exp(rng.uniform(np.log(24), np.log(115))))
    tilt = float(np.radians(rng.uniform(25, 55))) if rng.random() < 0.4 else None
    strength = float(rng.choice([0.3, 0.7, 1.0], p=[0.15, 0.3, 0.55]))
    return Look(side, side, pitch, tilt, strength, held_back)


def make_shard(
    stocks: Sequence[Stock], weights: Sequence[float], seed: Sequence[int], count: int, held_back: bool
) -> dict[str, NDArray]:
    """Render `count` windows; arrays pixels, classes, heat, pitch (dense) and patches, labels."""
    rng = np.random.default_rng(seed)
    columns: dict[str, list] = {k: [] for k in ("pixels", "classes", "heat", "pitch", "patches", "labels")}
    while len(columns["pixels"]) < count:
        stock = stocks[rng.choice(len(stocks), p=np.asarray(weights) / np.sum(weights))]
        view = random_photo(stock, random_look(rng, WINDOW, held_back), rng, whole=False, empty=0.15)
        dense = dense_labels(view)
        columns["pixels"].append(view.pixels)
        columns["classes"].append(dense.classes)
        columns["heat"].append(dense.heat)
        columns["pitch"].append(dense.pitch)
        for patch, labels in patch_samples(view, rng):
            columns["patches"].append(patch)
            columns["labels"].append(labels)
    return {name: np.stack(values) for name, values in columns.items()}


def main(argv: Sequence[str] | None = None) -> int:
    """Render shards into a folder."""
    parser = argparse.ArgumentParser(prog="training.data", description=__doc__)
    parser.add_argument("--out", type=Path, required=True, help="folder of shards")
    parser.add_argument("--shared", type=Path, help="folder with photographs of real tiles and tokens")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--minutes", type=float, default=1e9)
    parser.add_argument("--held-back", action="store_true", help="tables and lights kept from training")
    args = parser.parse_args(argv)
    cv2.setNumThreads(1)
    args.out.mkdir(parents=True, exist_ok=True)
    end = time.monotonic() + 60 * args.minutes
    # The print runs are drawn anew every so often, so that no network learns one run by heart.
    refresh, number, stocks = 60, 0, None
    while time.monotonic() < end:
        path = args.out / f"{number:05d}.npz"
        if not path.exists():
            if stocks is None or number % refresh == 0:
                stocks = load_stocks(args.seed + number // refresh, args.shared, held_back=args.held_back)
            kept = [s for s in stocks if s is not None]
            shard = make_shard(kept, [0.4, 0.6][: len(kept)], [args.seed, number], SHARD, args.held_back)
            part = path.with_suffix(".part.npz")
            np.savez(part, **shard)
            part.rename(path)
        number += 1
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
