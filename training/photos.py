"""Random rendered photos: a scene, a camera, a table and a light put together.

`held_back` photos use tables and lights that training never sees.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from training.camera import Camera, project
from training.clutter import clutter_item
from training.light import photograph, shine
from training.material import Kit, Material
from training.render import Clutter, Shadows, View, render
from training.scene import Scene, random_scene
from training.surfaces import HELD_BACK_SURFACES, TRAIN_SURFACES, surface


@dataclass(frozen=True)
class Stock:
    """What photos are made of: print runs, the kits that drew them, bare tables and pieces of clutter."""

    materials: tuple[Material, ...]
    tables: tuple[NDArray[np.uint8], ...]
    clutter: tuple[tuple[NDArray[np.uint8], float], ...]


@dataclass(frozen=True)
class Look:
    """How a photo is to be taken; None leaves it to chance.

    pitch: px of one tile at the middle. tilt: radians. strength: 0 (even light, clean) to 1 (hard).
    """

    width: int
    height: int
    pitch: float
    tilt: float | None = None
    strength: float = 1.0
    held_back: bool = False


def make_stock(
    materials: Sequence[Material],
    kit: Kit,
    rng: np.random.Generator,
    *,
    tables: int,
    clutter: int,
    held_back: bool,
) -> Stock:
    """Draw `tables` bare tables of 640 x 640 px and `clutter` things beside them."""
    kinds = HELD_BACK_SURFACES if held_back else TRAIN_SURFACES
    things = []
    for _ in range(clutter):
        picture, width = clutter_item(rng, kit)
        alpha = picture[..., 3:].astype(np.float32) / 255
        flat = np.concatenate([picture[..., :3] * alpha, picture[..., 3:]], axis=2).astype(np.uint8)
        things.append((flat, width))
    return Stock(
        tuple(materials),
        tuple(surface(kinds[i % len(kinds)], 640, 640, rng) for i in range(tables)),
        tuple(things),
    )


def _table(stock: Stock, look: Look, rng: np.random.Generator) -> NDArray[np.uint8]:
    """A piece of a bare table, turned and scaled at random, (H, W, 3)."""
    source = stock.tables[rng.integers(len(stock.tables))]
    side = source.shape[0]
    cover = max(look.width, look.height) / side
    zoom = cover * rng.uniform(1.45, 2.6)
    turn = cv2.getRotationMatrix2D((side / 2, side / 2), rng.uniform(0, 360), zoom)
    turn[:, 2] += np.array([look.width, look.height]) / 2 - side / 2
    table = cv2.warpAffine(source, turn, (look.width, look.height), borderMode=cv2.BORDER_REFLECT)
    gain = np.exp(rng.normal(0, 0.25) + rng.normal(0, 0.06, 3))
    return np.clip(table * gain, 0, 255).astype(np.uint8)


def _clutter(stock: Stock, scene: Scene, amount: float, rng: np.random.Generator) -> list[Clutter]:
    """Flat things that do not lie under the tiles."""
    places = np.array([(t.x, t.y) for t in scene.tiles])
    things = []
    # Without an environment nothing tells how large things are: the hexagons on a score card must not pass
    # for tiles seen from afar.
    zoom = 1.0 if scene.environments else rng.uniform(1, 6)
    for _ in range(int(rng.poisson(amount if scene.environments else amount + 2))):
        picture, width = stock.clutter[rng.integers(len(stock.clutter))]
        width = width * zoom
        tall = width * picture.shape[0] / picture.shape[1]
        around = places[rng.integers(len(places))] if len(places) else np.zeros(2)
        x, y = around + rng.uniform(-5, 5, 2)
        keep_off = np.hypot(width, tall) / 2 * rng.uniform(0.6, 1.0) + 0.6
        if len(places) and np.hypot(*(places - (x, y)).T).min() < keep_off:
            continue
        things.append(Clutter(picture, x, y, width, rng.uniform(0, 2 * np.pi)))
    return things


def random_camera(look: Look, target: tuple[float, float], board: float, rng: np.random.Generator) -> Camera:
    """A phone that looks at the plane point `target` and means to show a `board` so wide, pitches."""
    tilt = look.tilt
    if tilt is None:
        tilt = np.radians(abs(rng.normal(0, 14)) if rng.random() < 0.5 else rng.uniform(0, 52))
    whole = board * look.pitch * rng.uniform(1.1, 2.0)
    roll = rng.normal(0, 0.08) if rng.random() < 0.7 else rng.uniform(-np.pi, np.pi)
    return Camera(
        target,
        look.pitch,
        float(tilt),
        rng.uniform(0, 2 * np.pi),
        float(roll),
        whole * rng.uniform(0.75, 1.5),
        (look.width / 2, look.height / 2),
    )


def framed(
    camera: Camera, points: NDArray[np.float64], look: Look, margin: float, rng: np.random.Generator
) -> Camera:
    """The camera moved and zoomed so that tiles at plane `points` (N, 2) fill the photo but for `margin`."""
    seen = project(camera.plane_to_photo(), points)
    low, high = seen.min(0) - camera.pitch * 0.7, seen.max(0) + camera.pitch * 0.7
    room = np.array([look.width, look.height]) * (1 - 2 * margin)
    zoom = float((room / (high - low)).min())
    slack = (np.array([look.width, look.height]) - (high - low) * zoom) / 2
    shift = rng.uniform(-0.8, 0.8, 2) * np.clip(slack - 2, 0, None)
    principal = np.array(camera.principal)
    moved = np.array([look.width, look.height]) / 2 + shift - zoom * ((low + high) / 2 - principal)
    return replace(
        camera, pitch=camera.pitch * zoom, focal=camera.focal * zoom, principal=tuple(moved.tolist())
    )


def take(
    stock: Stock, scene: Scene, material: Material, camera: Camera, look: Look, rng: np.random.Generator
) -> View:
    """Photograph a scene: draw it over a table with clutter, then light, lens, sensor and file."""
    turn = rng.uniform(0, 2 * np.pi)
    slant = rng.uniform(0.1, 1.2)
    shadows = Shadows(
        slant * np.cos(turn), slant * np.sin(turn), rng.uniform(0, 0.75), rng.uniform(0.01, 0.09)
    )
    amount = rng.choice([0.0, 1.5, 5.0], p=[0.4, 0.35, 0.25])
    things = _clutter(stock, scene, amount, rng)
    view = render(scene, material, camera, _table(stock, look, rng), things, shadows, rng)
    lit = shine(view.pixels, rng, strength=look.strength, held_back=look.held_back)
    shot = photograph(lit, rng, strength=look.strength, pitch=camera.pitch)
    return replace(view, pixels=shot)


def random_photo(
    stock: Stock,
    look: Look,
    rng: np.random.Generator,
    *,
    whole: bool,
    count: int | None = None,
    messy: float = 1.0,
    neighbour: float = 0.12,
    empty: float = 0.0,
    boards: int = 1,
) -> View:
    """One photo. `whole` frames the first `boards` environments (`look.pitch` is where zooming starts from);
    otherwise it is a window of a larger photo, near some tile of it. With the chance `empty` no
    environment is there at all, only clutter and loose pieces."""
    material = stock.materials[rng.integers(len(stock.materials))]
    scene = random_scene(material, rng, count=count, messy=messy, neighbour=neighbour)
    points = np.array([(t.x, t.y) for t in scene.environments[0]])
    board = float(np.ptp(points, axis=0).max()) + 1.5
    middle = points.mean(0)
    camera = random_camera(look, (float(middle[0]), float(middle[1])), board, rng)
    if whole:
        inside = np.array([(t.x, t.y) for board in scene.environments[:boards] for t in board])
        camera = framed(camera, inside, look, rng.uniform(0.03, 0.15), rng)
    else:  # a window cut out of a larger photo: only the principal point moves
        spot = project(
            camera.plane_to_photo(), points[rng.integers(len(points))] + rng.normal(0, 0.8, (1, 2))
        )[0]
        shift = np.array([look.width, look.height]) / 2 - spot
        camera = replace(camera, principal=tuple((np.array(camera.principal) + shift).tolist()))
    if rng.random() < empty:
        loose = scene.loose_tiles if rng.random() < 0.5 else ()
        tokens = scene.loose_tokens if rng.random() < 0.5 else ()
        scene = Scene((), loose, tokens)
    return take(stock, scene, material, camera, look, rng)
