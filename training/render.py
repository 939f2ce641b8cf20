"""Draw a scene as the camera sees it, before any light: tiles with thickness, tokens with sides, shadows.

Returns the picture together with everything that is known about it: a class for each pixel, and for each
tile its centre, corners and local frame in photo pixels.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from training.camera import Camera, jacobian, project
from training.material import FACE_RADIUS, TOKEN_RADIUS, Material, Picture, level_for
from training.scene import PlacedTile, Scene, Token
from vision.evidence import NATURE_TOKEN_CLASS, TERRAIN_CLASS, TOKEN_CLASS

Floats = NDArray[np.float64]

# Corner i lies between edges i - 1 and i; edge 0 faces +x and edges turn clockwise (y down).
CORNER_DIRECTIONS = np.array([(np.cos(a), np.sin(a)) for a in np.radians(60 * np.arange(6) - 30)])
_CIRCLE = np.array([(np.cos(a), np.sin(a)) for a in np.linspace(0, 2 * np.pi, 28, endpoint=False)])
MOST_GLOSS, MEAN_GLOSS = 0.85, 0.45
"""Share of white reflection at its strongest spot, and at most on the mean over a piece's picture: a lamp in
matt varnish hides a part of a piece, not all of its print at once."""
_SHIFT = 4
_ONE = 1 << _SHIFT


@dataclass(frozen=True)
class Clutter:
    """A flat thing beside the environment: RGBA with premultiplied alpha, plane centre, width, turn."""

    picture: Picture
    x: float
    y: float
    width: float
    angle: float


@dataclass(frozen=True)
class Shadows:
    """Direction of the light in plane units per unit of height, how dark (0 to 1) and soft (pitches)."""

    dx: float
    dy: float
    strength: float
    softness: float


@dataclass(frozen=True)
class View:
    """A drawn scene. pixels (H, W, 3) RGB; classes (H, W) of `vision.evidence.CLASSES`.

    For the N tiles of `tiles`: centers (N, 2) and corners (N, 6, 2) of the top faces in photo pixels,
    frames (N, 2, 2): photo pixels per plane unit at the centre, visible (N,): centre inside the photo.
    loose (K, 2): photo pixels of the loose tokens' feet. nature_tokens: how many of them are nature tokens
    inside the photo.
    """

    pixels: NDArray[np.uint8]
    classes: NDArray[np.uint8]
    tiles: tuple[PlacedTile, ...]
    centers: Floats
    corners: Floats
    frames: Floats
    visible: NDArray[np.bool_]
    loose: Floats
    nature_tokens: int


def tile_corners(tile: PlacedTile) -> Floats:
    """Corners (6, 2) of a tile in the plane, pitches, corner i between edges i - 1 and i of the board."""
    turn = tile.board + tile.angle
    c, s = np.cos(turn), np.sin(turn)
    return CORNER_DIRECTIONS @ np.array([[c, s], [-s, c]]) * tile.radius + (tile.x, tile.y)


def _fixed(points: Floats) -> NDArray[np.int32]:
    return (np.clip(points, -4000, 8000) * _ONE).round().astype(np.int32)


def _fill(canvas: NDArray, points: Floats, value: object) -> None:
    smooth = cv2.LINE_AA if canvas.ndim == 3 else cv2.LINE_8
    cv2.fillConvexPoly(canvas, _fixed(points), value, smooth, _SHIFT)


def _hull(points: Floats) -> Floats:
    return cv2.convexHull(points.astype(np.float32))[:, 0].astype(float)


def _paste(
    canvas: Picture, picture: Picture, to_photo: Floats, outline: Floats, gloss: Floats | None
) -> None:
    """Warp a premultiplied RGBA picture by `to_photo` and lay it on the canvas inside `outline`'s box."""
    height, width = canvas.shape[:2]
    x0, y0 = np.maximum(np.floor(outline.min(0)).astype(int) - 1, 0)
    x1, y1 = np.minimum(np.ceil(outline.max(0)).astype(int) + 2, (width, height))
    if x1 <= x0 or y1 <= y0:
        return
    shift = np.array([[1.0, 0.0, -x0], [0.0, 1.0, -y0], [0.0, 0.0, 1.0]])
    patch = cv2.warpPerspective(
        picture, shift @ to_photo, (int(x1 - x0), int(y1 - y0)), flags=cv2.INTER_LINEAR
    )
    alpha = patch[..., 3:].astype(np.float32) / 255
    top = patch[..., :3].astype(np.float32)
    if gloss is not None:
        h, w = patch.shape[:2]
        ramp = (gloss[1] * np.arange(w)[None] / w + gloss[2] * np.arange(h)[:, None] / h + gloss[3])[
            ..., None
        ]
        share = np.clip(gloss[0] * ramp, 0, MOST_GLOSS).astype(np.float32)
        share *= np.float32(min(1.0, MEAN_GLOSS / max(float(share.mean()), 1e-6)))
        top = top * (1 - share) + alpha * (share * gloss[4])
    under = canvas[y0:y1, x0:x1]
    canvas[y0:y1, x0:x1] = np.clip(under * (1 - alpha) + top, 0, 255).astype(np.uint8)


def _face_to_plane(size: int, radius_share: float, radius: float, turn: float, x: float, y: float) -> Floats:
    """Similarity (3, 3) from face pixels to the plane."""
    scale = radius / (radius_share * size)
    c, s, middle = np.cos(turn) * scale, np.sin(turn) * scale, (size - 1) / 2
    return np.array(
        [[c, -s, x - c * middle + s * middle], [s, c, y - s * middle - c * middle], [0.0, 0.0, 1.0]]
    )


def _gloss(amount: float, rng: np.random.Generator) -> Floats | None:
    if amount < 0.02:
        return None
    slope = rng.uniform(-1, 1, 2)
    return np.array([amount, slope[0], slope[1], rng.uniform(0.3, 0.9), rng.uniform(170, 255)])


def _draw_tile(
    view: Picture,
    classes: NDArray[np.uint8],
    tile: PlacedTile,
    camera: Camera,
    side: Floats,
    rng: np.random.Generator,
) -> tuple[Floats, Floats]:
    corners = tile_corners(tile)
    bottom = project(camera.plane_to_photo(), corners)
    to_top = camera.plane_to_photo(tile.thickness)
    top = project(to_top, corners)
    _fill(view, _hull(np.r_[bottom, top]), tuple(float(v) for v in side))
    width = float(np.linalg.norm(top[0] - top[3]))
    picture = level_for(tile.face.pictures, width / (2 * FACE_RADIUS))
    if abs(tile.shade - 1) > 0.01:
        picture = cv2.multiply(picture, (tile.shade, tile.shade, tile.shade, 1.0))
    place = _face_to_plane(
        len(picture),
        FACE_RADIUS,
        tile.radius,
        tile.turns * np.pi / 3 + tile.board + tile.angle,
        tile.x,
        tile.y,
    )
    _paste(view, picture, to_top @ place, top, _gloss(tile.gloss, rng))
    for terrain in set(tile.terrain):
        edges = [e for e in range(6) if tile.terrain[e] == terrain]
        if len(edges) == 6:
            _fill(classes, top, TERRAIN_CLASS[terrain])
            continue
        first = next(e for e in edges if tile.terrain[e - 1] != terrain)
        half = top[[(first + k) % 6 for k in range(4)]]
        _fill(classes, half, TERRAIN_CLASS[terrain])
    return np.array(project(to_top, np.array([[tile.x, tile.y]]))[0]), top


def _draw_token(
    view: Picture,
    classes: NDArray[np.uint8],
    token: Token,
    material: Material,
    camera: Camera,
    rng: np.random.Generator,
) -> None:
    ring = _CIRCLE * token.radius + (token.x, token.y)
    foot = project(camera.plane_to_photo(token.base), ring)
    to_top = camera.plane_to_photo(token.base + token.height)
    top = project(to_top, ring)
    if top.max() < 0 or (top.min(0) > np.array(view.shape[1::-1])).any():
        return
    if token.species is None:
        choices = material.nature_tokens
        side, label = np.array([60.0, 55, 40]), NATURE_TOKEN_CLASS
    else:
        choices = material.tokens[token.species]
        sides = material.sides[token.species]
        side, label = sides[token.variant % len(sides)], TOKEN_CLASS[token.species]
    hull = _hull(np.r_[foot, top])
    _fill(view, hull, tuple(float(v) for v in np.clip(side * rng.uniform(0.55, 1.0), 0, 255)))
    pictures = choices[token.variant % len(choices)]
    picture = level_for(pictures, float(np.linalg.norm(top[0] - top[14])) / (2 * TOKEN_RADIUS))
    place = _face_to_plane(len(picture), TOKEN_RADIUS, token.radius, token.angle, token.x, token.y)
    _paste(view, picture, to_top @ place, top, _gloss(token.gloss, rng))
    _fill(classes, hull, label)


def _darken(view: Picture, masks: Sequence[Floats], shadows: Shadows, pitch: float) -> None:
    if not masks or shadows.strength < 0.02:
        return
    mask = np.zeros(view.shape[:2], np.uint8)
    for hull in masks:
        _fill(mask, hull, 255)
    soft = cv2.GaussianBlur(mask, (0, 0), max(0.5, shadows.softness * pitch))
    keep = 255 - (soft * shadows.strength).astype(np.uint8)
    cv2.multiply(view, cv2.merge([keep] * 3), view, 1 / 255)


def _shadow(camera: Camera, ring: Floats, base: float, height: float, shadows: Shadows) -> Floats:
    ground = camera.plane_to_photo(base)
    away = ring + np.array([shadows.dx, shadows.dy]) * height
    return _hull(np.r_[project(ground, ring), project(ground, away)])


def render(
    scene: Scene,
    material: Material,
    camera: Camera,
    table: Picture,
    clutter: Sequence[Clutter],
    shadows: Shadows,
    rng: np.random.Generator,
) -> View:
    """Draw a scene over a picture (H, W, 3) of the bare table, which is not changed."""
    view = table.copy()
    classes = np.zeros(view.shape[:2], np.uint8)
    ground = camera.plane_to_photo()
    for thing in clutter:
        h, w = thing.picture.shape[:2]
        scale = thing.width / w
        c, s = np.cos(thing.angle) * scale, np.sin(thing.angle) * scale
        place = np.array(
            [
                [c, -s, thing.x - c * w / 2 + s * h / 2],
                [s, c, thing.y - s * w / 2 - c * h / 2],
                [0.0, 0.0, 1.0],
            ]
        )
        corners = np.array([[0.0, 0.0], [w, 0.0], [w, h], [0.0, h]])
        if (ground @ place @ np.c_[corners, np.ones(4)].T)[2].min() <= 0.1:
            continue
        _paste(view, thing.picture, ground @ place, project(ground @ place, corners), None)
    tiles = scene.tiles
    places = np.array([(t.x, t.y) for t in tiles]).reshape(-1, 2)
    far_first = np.argsort(-camera.depth(places)) if len(tiles) else []
    _darken(
        view,
        [_shadow(camera, tile_corners(t), 0, t.thickness, shadows) for t in tiles],
        shadows,
        camera.pitch,
    )
    side = np.clip(rng.choice([60.0, 110.0, 170.0]) + rng.normal(0, 12, 3), 0, 255)
    centers, corners = np.zeros((len(tiles), 2)), np.zeros((len(tiles), 6, 2))
    for i in far_first:
        centers[i], corners[i] = _draw_tile(view, classes, tiles[i], camera, side, rng)
    tokens = [t.token for t in tiles if t.token is not None] + list(scene.loose_tokens)
    rings = [_CIRCLE * t.radius * 1.04 + (t.x, t.y) for t in tokens]
    _darken(
        view,
        [_shadow(camera, ring, t.base, t.height, shadows) for ring, t in zip(rings, tokens, strict=True)],
        shadows,
        camera.pitch,
    )
    if tokens:
        for i in np.argsort(-camera.depth(np.array([(t.x, t.y) for t in tokens]))):
            _draw_token(view, classes, tokens[i], material, camera, rng)
    frames = np.array(
        [jacobian(camera.plane_to_photo(t.thickness), np.array([t.x, t.y])) for t in tiles]
    ).reshape(-1, 2, 2)
    inside = ((centers >= 0) & (centers < view.shape[1::-1])).all(1)
    loose = project(ground, np.array([(t.x, t.y) for t in scene.loose_tokens]).reshape(-1, 2))
    seen = ((loose > 0) & (loose < view.shape[1::-1])).all(1)
    natural = sum(bool(s) for s, t in zip(seen, scene.loose_tokens, strict=True) if t.species is None)
    return View(view, classes, tiles, centers, corners, frames, inside, loose, natural)
