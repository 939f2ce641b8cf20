"""Pools of ready pictures (tile faces, token faces, nature tokens) that a scene is put together from.

A `Material` is one print run of the game: the same pictures at several sizes, so that drawing a scene is
only choosing, turning and warping.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

import cv2
import numpy as np
from numpy.typing import NDArray

from scoring.pieces import SPECIES, Species, Terrain, box

Picture = NDArray[np.uint8]

FACE_SIZES = (160, 80, 40, 20)
FACE_RADIUS = 0.97 / 2
"""Circumradius of the hexagon on a tile face, as a share of the picture's side."""
TOKEN_SIZES = (112, 56, 28, 14)
TOKEN_RADIUS = 0.49
"""Radius of the disc on a token face, as a share of the picture's side."""


class Kit(Protocol):
    """Draws single pieces; `training.art.ArtKit` and `training.real_art.RealKit` are kits."""

    def tile_face(
        self,
        terrain: Sequence[str],
        wildlife: Sequence[str],
        keystone: bool,
        size: int,
        rng: np.random.Generator,
    ) -> Picture: ...

    def ground(self, terrain: tuple[str, ...], size: int, rng: np.random.Generator) -> Picture: ...

    def token_face(self, species: str, size: int, rng: np.random.Generator) -> Picture: ...

    def token_side_color(self, species: str, rng: np.random.Generator) -> Sequence[float]: ...

    def nature_token(self, size: int, rng: np.random.Generator) -> Picture: ...


@dataclass(frozen=True)
class Face:
    """The print of a tile; `pictures` are RGBA with premultiplied alpha, largest first."""

    terrain: tuple[Terrain, ...]
    wildlife: tuple[Species, ...]
    keystone: bool
    pictures: tuple[Picture, ...]


@dataclass(frozen=True)
class Material:
    """One print run: tile faces, token faces and side colours per species, nature tokens."""

    faces: tuple[Face, ...]
    tokens: Mapping[Species, tuple[tuple[Picture, ...], ...]]
    sides: Mapping[Species, tuple[NDArray[np.float64], ...]]
    nature_tokens: tuple[tuple[Picture, ...], ...]


def pyramid(picture: Picture, sizes: Sequence[int]) -> tuple[Picture, ...]:
    """Premultiply an RGBA picture (S, S, 4) and shrink it to each of `sizes`, in px."""
    alpha = picture[..., 3:].astype(np.float32) / 255
    flat = np.concatenate([picture[..., :3] * alpha, picture[..., 3:]], axis=2).round().astype(np.uint8)
    return tuple(cv2.resize(flat, (size, size), interpolation=cv2.INTER_AREA) for size in sizes)


def level_for(pictures: Sequence[Picture], size: float) -> Picture:
    """The smallest picture that is not smaller than `size` px, so that a warp does not alias."""
    fitting = [p for p in pictures if p.shape[0] >= size]
    return fitting[-1] if fitting else pictures[0]


def make_material(kit: Kit, rng: np.random.Generator, copies: int = 1, token_faces: int = 12) -> Material:
    """Draw the whole box `copies` times over with one kit (85 tiles and 15 starter hexes a copy)."""
    contents = box()
    prints = [
        (tile.terrain, tile.wildlife, tile.keystone)
        for tile in (*contents.tiles, *(tile for starter in contents.starters for tile in starter))
    ]
    faces = tuple(
        Face(
            tuple(Terrain(t) for t in terrain),
            tuple(Species(s) for s in wildlife),
            keystone,
            pyramid(kit.tile_face(terrain, wildlife, keystone, FACE_SIZES[0], rng), FACE_SIZES),
        )
        for _ in range(copies)
        for terrain, wildlife, keystone in prints
    )
    tokens = {
        s: tuple(pyramid(kit.token_face(s, TOKEN_SIZES[0], rng), TOKEN_SIZES) for _ in range(token_faces))
        for s in SPECIES
    }
    sides = {
        s: tuple(np.asarray(kit.token_side_color(s, rng), float) for _ in range(token_faces)) for s in SPECIES
    }
    pinecones = tuple(pyramid(kit.nature_token(TOKEN_SIZES[0], rng), TOKEN_SIZES) for _ in range(6))
    return Material(faces, tokens, sides, pinecones)
