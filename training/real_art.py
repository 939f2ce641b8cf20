"""Photographs of real pieces as a kit: cut-out tiles and sharp prints from the folder of shared material.

The pictures belong to others: they are read at training time and never written anywhere.
Same interface and conventions as `training.art.ArtKit`.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from training.art import (
    DISC_RADIUS,
    HEX_RADIUS,
    SPRITE_SIZE,
    TEXTURE_SIZE,
    TOKEN_SIZE,
    ArtKit,
    centered,
    disc_alpha,
    fit_face,
    hexagon_alpha,
    lay_over,
    turn_and_place,
)
from training.noise import recolor, smoothstep, to_bytes, value_noise

CUTOUT_SIZE = 200
# The rim of a cut-out shows the cut edge and its shadow: the hexagon is taken this much smaller.
_INSET = 0.975
# Paints of real tokens in RGB. Any mixture of a row is a paint of that species: bears never turn green.
_TOKEN_PAINTS = {
    "bear": ((36, 31, 33), (62, 44, 36), (58, 30, 24), (92, 52, 40)),
    "elk": ((202, 190, 128), (172, 150, 84), (156, 130, 52), (160, 120, 66)),
    "salmon": ((236, 76, 104), (220, 34, 112), (206, 16, 48), (204, 22, 108)),
    "hawk": ((56, 152, 226), (44, 172, 232), (96, 160, 222), (128, 188, 236)),
    "fox": ((240, 134, 44), (222, 134, 30), (242, 92, 28), (238, 112, 52)),
}
# Of a token's diameter, how much the longer side of its animal takes.
_ANIMAL_SHARE = 0.5, 0.8
# The sharp prints were photographed darker than tiles are: how much brighter they get.
_PRINT_GAIN = {
    "forest": (1.1, 2.0),
    "mountain": (0.95, 1.1),
    "prairie": (1.0, 1.15),
    "wetland": (1.0, 1.35),
    "river": (1.0, 1.4),
}


@dataclass(frozen=True, eq=False)
class Cutout:
    """A real tile, upright as labelled: `picture` is RGB with the hexagon as in `training.art`."""

    terrain: tuple[str, ...]
    wildlife: tuple[str, ...]
    keystone: bool
    picture: np.ndarray


def _read(path: Path) -> np.ndarray:
    picture = cv2.imread(str(path), cv2.IMREAD_UNCHANGED)
    if picture is None:
        raise FileNotFoundError(f"{path} is missing or no picture: name the folder of training material")
    code = cv2.COLOR_BGRA2RGBA if picture.shape[2] == 4 else cv2.COLOR_BGR2RGB
    return cv2.cvtColor(picture, code)


def _resample_hexagon(
    picture: np.ndarray, x: float, y: float, radius: tuple[float, float], size: int
) -> np.ndarray:
    """RGB square (size, size, 3) whose hexagon shows the one at (x, y) with `radius` along x and y."""
    scale = np.array(radius) / (HEX_RADIUS * size)
    matrix = np.array(
        [[scale[0], 0, x - scale[0] * (size - 1) / 2], [0, scale[1], y - scale[1] * (size - 1) / 2]]
    )
    return cv2.warpAffine(
        picture[..., :3],
        matrix,
        (size, size),
        flags=cv2.INTER_AREA | cv2.WARP_INVERSE_MAP,
        borderMode=cv2.BORDER_REPLICATE,
    )


def _filled(picture: np.ndarray) -> np.ndarray:
    """RGB of an RGBA picture whose clear ground takes the colour of what lies beside it."""
    share = (picture[..., 3:] == 255).astype(np.float32)
    near = cv2.GaussianBlur(share, (0, 0), 3)[..., None] + 1e-3
    spread = cv2.GaussianBlur(picture[..., :3] * share, (0, 0), 3) / near
    return to_bytes(picture[..., :3] * share + spread * (1 - share))


def _bounds(mask: np.ndarray) -> tuple[int, int, int, int]:
    """Left, top, right, bottom (exclusive) of the largest blob of a mask."""
    _, _, stats, _ = cv2.connectedComponentsWithStats(mask.astype(np.uint8))
    left, top, width, height, _ = stats[1 + np.argmax(stats[1:, cv2.CC_STAT_AREA])]
    return int(left), int(top), int(left + width), int(top + height)


def _turned(picture: np.ndarray, turns: int) -> np.ndarray:
    """Picture turned clockwise by 60 degrees `turns` times about its centre."""
    if turns % 6 == 0:
        return picture
    size = picture.shape[0]
    matrix = turn_and_place(size, size, 60.0 * turns, (size - 1) / 2, (size - 1) / 2)
    return cv2.warpAffine(
        picture, matrix, (size, size), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )


def load_cutouts(folder: Path) -> tuple[Cutout, ...]:
    """All 85 habitat tiles and the nine hexes of the starters, from `folder`/tiles.

    Raises FileNotFoundError where the folder or one of its pictures is missing.
    """
    listed = json.loads((folder / "tiles" / "tiles.json").read_text())
    cutouts = []
    for entry in listed["tiles"]:
        picture = _read(folder / "tiles" / entry["file"])
        left, top, right, bottom = _bounds(picture[..., 3] > 128)
        radius = (right - left) / np.sqrt(3) * _INSET, (bottom - top) / 2 * _INSET
        square = _resample_hexagon(
            _filled(picture), (left + right - 1) / 2, (top + bottom - 1) / 2, radius, CUTOUT_SIZE
        )
        cutouts.append(Cutout(tuple(entry["terrain"]), tuple(entry["wildlife"]), entry["keystone"], square))
    for entry in listed["starters"]:
        picture = _read(folder / "tiles" / entry["file"])
        left, top, right, bottom = _bounds(picture[..., 3] > 128)
        # Three touching hexes: two flat widths across, three and a half circumradii high.
        across, down = (right - left) / (2 * np.sqrt(3)), (bottom - top) / 3.5
        for cell in entry["cells"]:
            x = (left + right - 1) / 2 + np.sqrt(3) * across * (cell["q"] + cell["r"] / 2)
            y = top + down + 1.5 * down * cell["r"]
            square = _resample_hexagon(_filled(picture), x, y, (across * 0.96, down * 0.96), CUTOUT_SIZE)
            cutouts.append(Cutout(tuple(cell["terrain"]), tuple(cell["wildlife"]), cell["keystone"], square))
    return tuple(cutouts)


def _animal(disc: np.ndarray) -> np.ndarray:
    """The animal with its white outline cut from a square picture of its disc, as an RGBA sprite."""
    size = disc.shape[0]
    axis = (np.arange(size) - (size - 1) / 2) / size
    x, y = np.meshgrid(axis, axis)
    away = np.hypot(x, y)
    lab = cv2.cvtColor(cv2.GaussianBlur(disc, (0, 0), size / 160), cv2.COLOR_RGB2LAB).astype(np.float32)
    # Paint under uneven light: a plane through the ring around the animal, then through all that fits it.
    plane = np.stack([np.ones_like(x), x, y], axis=-1)
    known = (away > 0.38) & (away < 0.45)
    for _ in range(3):
        fit, *_ = np.linalg.lstsq(plane[known], lab[known], rcond=None)
        strange = np.linalg.norm((lab - plane @ fit) * (0.6, 1, 1), axis=-1)
        known = (strange < 14) & (away < 0.45)
    mask = ((strange > 24) & (away < 0.46)).astype(np.uint8)
    mask = cv2.morphologyEx(mask, cv2.MORPH_CLOSE, cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (5, 5)))
    # The white outline is closed: what it surrounds is the animal.
    outlines, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    filled = np.zeros((size, size), np.uint8)
    large = [outline for outline in outlines if cv2.contourArea(outline) > 0.0025 * size * size]
    cv2.drawContours(filled, large, -1, 255, -1)
    return centered(np.dstack([disc, cv2.GaussianBlur(filled, (0, 0), size / 250)]), SPRITE_SIZE)


class RealKit(ArtKit):
    """One print run made of photographed pieces; what was not photographed is drawn as by `ArtKit`.

    Args:
        folder: the folder of shared training material, with `tiles` and `prints`.
        rng: fixes the run of paints and inks.
        composed: share of tile faces that are put together from the sharp prints instead of one cut-out.

    Raises FileNotFoundError where a picture is missing.
    """

    def __init__(self, folder: Path, rng: np.random.Generator, composed: float = 0.35) -> None:
        super().__init__(rng, textures=3, sprites=3)
        folder = Path(folder)
        self._composed = composed
        self._cutouts = load_cutouts(folder)
        self._run = rng.normal(0, 3), rng.uniform(0.85, 1.2), rng.uniform(0.9, 1.1)
        self._prints = {terrain: self._read_print(folder, terrain) for terrain in self._ground}
        self._prints = {t: recolor(p, *self._run) for t, p in self._prints.items()}
        prints = {species: self._read_disc(folder, species) for species in self._animals}
        wooden = self._read_wooden(folder)
        self._animals = {species: [_animal(disc)] for species, disc in prints.items()}
        self._icons = {species: [self._icon(species, rng) for _ in range(3)] for species in prints}
        for species, disc in wooden.items():
            self._animals[species].append(_animal(disc))
        # One kit stands for every print run here: each token gets paint of its own.
        self._tokens = {species: [self._token(species, rng) for _ in range(16)] for species in prints}
        for species, tokens in self._tokens.items():
            for _ in range(4):
                tokens.append(self._repainted(species, prints[species], rng.uniform(1.0, 1.05), rng))
                tokens.append(self._repainted(species, wooden[species], rng.uniform(1.06, 1.2), rng))
        self._nature.extend([self._read_nature(folder, rng)] * 3)

    @staticmethod
    def _mixed_paint(species: str, rng: np.random.Generator) -> np.ndarray:
        """A paint between the real ones, RGB float64 (3,)."""
        paints = np.array(_TOKEN_PAINTS[species], float)
        return rng.dirichlet(np.full(len(paints), 0.7)) @ paints * rng.uniform(0.92, 1.06)

    def _token(self, species: str, rng: np.random.Generator) -> np.ndarray:
        """A token in a paint of its own, with a photographed animal in its pale outline, RGBA."""
        size = TOKEN_SIZE
        grain = value_noise(rng, size, size, 60, 2, stretch=rng.uniform(2, 12))
        shade = 1 + rng.uniform(0.01, 0.05) * grain + 0.03 * value_noise(rng, size, size, 90)
        axis = (np.arange(size) - (size - 1) / 2) / size
        rim = smoothstep(np.hypot(*np.meshgrid(axis, axis)), 0.44, 0.49)
        shade = shade * (1 - rim * rng.uniform(0.0, 0.25))
        face = to_bytes(self._mixed_paint(species, rng) * shade[..., None])
        face = np.dstack([face, to_bytes(disc_alpha(size) * 255)])

        pool = self._animals[species]
        animal = pool[int(rng.integers(len(pool)))]
        width = size * 2 * DISC_RADIUS * rng.uniform(*_ANIMAL_SHARE)
        place = turn_and_place(animal.shape[0], width, 0, *(size / 2 + rng.normal(0, 0.015, 2) * size))
        coat = animal[..., :3].astype(np.float32)
        level = float(coat[animal[..., 3] > 128].mean())
        coat = (coat - level) * rng.uniform(0.85, 1.3) + level * rng.uniform(0.75, 1.1)
        # Foxes and bears have nearly the colour of their paint: what sets them off is the outline.
        opaque = rng.uniform(0.75, 1.0) if species in ("fox", "bear") else rng.uniform(0.4, 1.0)
        wide = rng.uniform(0.005, 0.015) * size * animal.shape[0] / width
        margin = int(np.ceil(wide)) + 2
        ring = np.pad(animal[..., 3], margin)
        away = cv2.distanceTransform((ring < 128).astype(np.uint8), cv2.DIST_L2, 5)
        outline = (1 - smoothstep(away, wide - 1, wide + 1)) * 255 * opaque
        pale = np.full((*ring.shape, 3), rng.uniform(205, 245), np.float32)
        shift = np.array([[1, 0, -margin], [0, 1, -margin], [0, 0, 1]])
        lay_over(face, to_bytes(np.dstack([pale, outline])), place @ shift)
        lay_over(face, np.dstack([to_bytes(coat), animal[..., 3]]), place)
        return face

    def _repainted(self, species: str, disc: np.ndarray, zoom: float, rng: np.random.Generator) -> np.ndarray:
        """A photographed token, RGBA, its middle magnified, all of it tinted a little towards another paint.

        Nothing is cut out, so the animal always stays as clear as it is in the photograph.
        """
        size = disc.shape[0]
        matrix = turn_and_place(size, size * zoom, 0, size / 2, size / 2)
        disc = cv2.warpAffine(
            disc, matrix, (size, size), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
        )
        axis = (np.arange(size) - (size - 1) / 2) / size
        away = np.hypot(*np.meshgrid(axis, axis))
        paint = np.median(disc[(away > 0.4) & (away < 0.45)], axis=0)
        tint = self._mixed_paint(species, rng) / np.maximum(paint, 8)
        # Hue by less than brightness: the white outline takes the tint too.
        bright = float(np.median(tint))
        tint = np.clip(bright, 0.8, 1.25) * np.clip(tint / bright, 0.92, 1.08)
        face = np.dstack([to_bytes(disc * tint), to_bytes(disc_alpha(size) * 255)])
        return fit_face(face, TOKEN_SIZE)

    @staticmethod
    def _read_print(folder: Path, terrain: str) -> np.ndarray:
        picture = _read(folder / "prints" / f"tile_{terrain}.jpg")
        hsv = cv2.cvtColor(picture, cv2.COLOR_RGB2HSV)
        mask = ((hsv[..., 1] > 90) | (hsv[..., 2] < 125)).astype(np.uint8)
        left, top, right, bottom = _bounds(cv2.morphologyEx(mask, cv2.MORPH_OPEN, np.ones((9, 9), np.uint8)))
        radius = (right - left) / np.sqrt(3) * 0.94, (bottom - top) / 2 * 0.94
        return _resample_hexagon(picture, (left + right) / 2, (top + bottom) / 2, radius, TEXTURE_SIZE)

    @staticmethod
    def _read_disc(folder: Path, species: str) -> np.ndarray:
        picture = _read(folder / "prints" / f"token_{species}.jpg")
        side = min(picture.shape[:2])
        margin = round(side * 0.025)
        return cv2.resize(
            picture[margin : side - margin, margin : side - margin],
            (SPRITE_SIZE * 2,) * 2,
            interpolation=cv2.INTER_AREA,
        )

    @staticmethod
    def _read_wooden(folder: Path) -> dict[str, np.ndarray]:
        picture = _read(folder / "prints" / "wooden-tokens.png")
        _, _, stats, _ = cv2.connectedComponentsWithStats((picture[..., 3] > 128).astype(np.uint8))
        blobs = sorted(stats[1:][stats[1:, cv2.CC_STAT_AREA] > 2000], key=lambda blob: blob[0])
        discs = {}
        for species, blob in zip(("salmon", "elk", "hawk", "bear", "fox"), blobs, strict=True):
            # Light from the upper left: the blob's lower right rim is the token's side.
            x, y = blob[0] + 42, blob[1] + 42
            discs[species] = cv2.resize(
                picture[y - 40 : y + 41, x - 40 : x + 41, :3],
                (SPRITE_SIZE,) * 2,
                interpolation=cv2.INTER_CUBIC,
            )
        return discs

    @staticmethod
    def _read_nature(folder: Path, rng: np.random.Generator) -> np.ndarray:
        picture = _read(folder / "prints" / "nature_token.jpg")
        dark = (cv2.cvtColor(picture, cv2.COLOR_RGB2HSV)[..., 2] < 140).astype(np.uint8)
        outlines, _ = cv2.findContours(
            cv2.morphologyEx(dark, cv2.MORPH_OPEN, np.ones((5, 5), np.uint8)),
            cv2.RETR_EXTERNAL,
            cv2.CHAIN_APPROX_NONE,
        )
        alpha = np.zeros(dark.shape, np.uint8)
        cv2.drawContours(alpha, [max(outlines, key=cv2.contourArea)], -1, 255, -1)
        left, top, right, bottom = _bounds(alpha > 0)
        side = (bottom - top) / (2 * DISC_RADIUS)
        matrix = turn_and_place(side, TOKEN_SIZE, 0, TOKEN_SIZE / 2, TOKEN_SIZE / 2)
        matrix[:, 2] -= matrix[:, :2] @ ((left + right) / 2 - side / 2, (top + bottom) / 2 - side / 2)
        face = np.dstack([picture, cv2.GaussianBlur(alpha, (0, 0), 1)])
        return cv2.warpAffine(face, matrix, (TOKEN_SIZE, TOKEN_SIZE), flags=cv2.INTER_AREA)

    def _terrain(self, terrain: str, inside: np.ndarray, size: int, rng: np.random.Generator) -> np.ndarray:
        if rng.random() < 0.2:
            return super()._terrain(terrain, inside, size, rng)
        picture = _turned(self._prints[terrain], int(rng.integers(6)))
        if rng.random() < 0.5:
            picture = np.ascontiguousarray(picture[:, ::-1])
        picture = cv2.resize(picture, (size, size), interpolation=cv2.INTER_AREA).astype(np.float32)
        picture *= rng.uniform(*_PRINT_GAIN[terrain])
        return self._edged(picture, inside, size, rng) if terrain == "mountain" else picture

    def tile_face(
        self,
        terrain: Sequence[str],
        wildlife: Sequence[str],
        keystone: bool,
        size: int,
        rng: np.random.Generator,
    ) -> np.ndarray:
        """A habitat tile, RGBA (size, size, 4): a real cut-out of this tile, or one composed from prints.

        A tile that is not in the box is always composed.
        """
        matches = self._matches(terrain, wildlife, keystone)
        if not matches or rng.random() < self._composed:
            return super().tile_face(terrain, wildlife, keystone, size, rng)
        cutout, turns = matches[int(rng.integers(len(matches)))]
        return self._face(cutout, turns, size, rng)

    def random_tile(
        self, size: int, rng: np.random.Generator
    ) -> tuple[tuple[str, ...], tuple[str, ...], bool, np.ndarray]:
        """Any real cut-out in any turn: terrain of its six edges, wildlife, keystone, RGBA face."""
        cutout = self._cutouts[int(rng.integers(len(self._cutouts)))]
        turns = int(rng.integers(6))
        terrain = tuple(cutout.terrain[(edge - turns) % 6] for edge in range(6))
        return terrain, cutout.wildlife, cutout.keystone, self._face(cutout, turns, size, rng)

    def _matches(
        self, terrain: Sequence[str], wildlife: Sequence[str], keystone: bool
    ) -> list[tuple[Cutout, int]]:
        """Cut-outs with this wildlife and the turns that bring their edges onto `terrain`."""
        wanted, animals = tuple(map(str, terrain)), set(map(str, wildlife))
        return [
            (cutout, turns)
            for cutout in self._cutouts
            if cutout.keystone == keystone and set(cutout.wildlife) == animals
            for turns in range(6)
            if all(cutout.terrain[(edge - turns) % 6] == wanted[edge] for edge in range(6))
        ]

    def _face(self, cutout: Cutout, turns: int, size: int, rng: np.random.Generator) -> np.ndarray:
        picture = cutout.picture.astype(np.float32)
        # Uneven light is in the cut-outs already; stretching their contrast undoes the haze of some of them.
        low, high = np.percentile(picture[30:-30:4, 30:-30:4], (1.5, 98.5))
        stretch = rng.uniform(0, 1)
        floor = low * stretch * 0.8
        picture = (picture - floor) * (1 + stretch * (245 / max(high - floor, 60) - 1))
        hue, saturation, value = self._run
        picture = recolor(
            to_bytes(picture),
            hue + rng.normal(0, 1.5),
            saturation * rng.uniform(0.9, 1.15),
            value * rng.uniform(0.92, 1.06),
        )
        picture = cv2.resize(_turned(picture, turns), (size, size), interpolation=cv2.INTER_AREA)
        return np.dstack([picture, hexagon_alpha(size)])
