"""Our own drawn art of the game's pieces: habitat tiles, wildlife tokens, nature tokens.

Conventions of every kit (`ArtKit` here, `RealKit` in `training.real_art`):

- A tile face is a square RGBA picture, straight alpha, with a pointy-top hexagon in its middle whose
  circumradius is `HEX_RADIUS` of the side; alpha is 0 outside.
- Edge `i` of a tile lies at the angle of 60 * i degrees clockwise from east, as in the layout file.
- A token face is a square RGBA picture with a disc of radius `DISC_RADIUS` of the side, its print upright;
  whoever lays it on a tile turns it.
"""

from collections.abc import Callable, Sequence
from functools import lru_cache

import cv2
import numpy as np

from training.noise import blend, recolor, smoothstep, to_bytes, value_noise

Painter = Callable[[np.random.Generator, int], np.ndarray]

HEX_RADIUS = 0.97 / 2
DISC_RADIUS = 0.49
FLAT_WIDTH = np.sqrt(3) * HEX_RADIUS
ICON_DIAMETER = 0.33
TEXTURE_SIZE = 224
SPRITE_SIZE = 128
TOKEN_SIZE = 192

# Icon centres in flat-to-flat widths from the tile's centre, as printed; the last one lies on top.
_ICON_PLACES = {
    1: ((0.0, 0.0),),
    2: ((-0.115, -0.085), (0.11, 0.06)),
    3: ((-0.11, -0.088), (0.115, -0.1), (0.0, 0.12)),
}

# fmt: off
# The animals, facing right, x right, y down, in discs' radii. Own drawings; the corners get rounded off.
_OUTLINES: dict[str, tuple[tuple[tuple[float, float], ...], ...]] = {
    "bear": (
        (
            (-0.72, -0.02), (-0.68, -0.30), (-0.52, -0.48), (-0.25, -0.50), (0.02, -0.53), (0.22, -0.50),
            (0.36, -0.56), (0.40, -0.70), (0.50, -0.70), (0.55, -0.60), (0.66, -0.60), (0.73, -0.70),
            (0.82, -0.64), (0.79, -0.48), (0.84, -0.34), (0.90, -0.22), (0.84, -0.12), (0.70, -0.12),
            (0.58, 0.00), (0.44, 0.16), (0.36, 0.30), (0.38, 0.46), (0.52, 0.56), (0.50, 0.66),
            (0.24, 0.66), (0.14, 0.46), (0.06, 0.26), (-0.12, 0.22), (-0.22, 0.28), (-0.20, 0.48),
            (-0.06, 0.58), (-0.08, 0.68), (-0.40, 0.68), (-0.54, 0.52), (-0.60, 0.26), (-0.70, 0.14),
        ),
        (
            (-0.55, 0.62), (-0.66, 0.40), (-0.62, 0.10), (-0.48, -0.15), (-0.32, -0.38), (-0.12, -0.52),
            (-0.02, -0.62), (-0.04, -0.76), (0.08, -0.80), (0.14, -0.70), (0.26, -0.70), (0.34, -0.80),
            (0.42, -0.72), (0.38, -0.58), (0.48, -0.44), (0.56, -0.36), (0.50, -0.26), (0.34, -0.24),
            (0.28, -0.06), (0.36, 0.10), (0.50, 0.22), (0.46, 0.34), (0.28, 0.30), (0.20, 0.40),
            (0.44, 0.50), (0.58, 0.56), (0.54, 0.68), (0.10, 0.70), (-0.30, 0.70),
        ),
    ),
    "elk": (
        (
            (-0.66, -0.10), (-0.60, -0.24), (-0.40, -0.31), (-0.12, -0.33), (0.08, -0.38), (0.22, -0.46),
            (0.31, -0.60), (0.22, -0.68), (0.34, -0.72), (0.46, -0.70), (0.60, -0.58), (0.70, -0.50),
            (0.64, -0.42), (0.50, -0.42), (0.44, -0.28), (0.40, -0.08), (0.31, 0.08), (0.25, 0.26),
            (0.25, 0.44), (0.30, 0.70), (0.14, 0.70), (0.12, 0.42), (0.07, 0.18), (-0.14, 0.18),
            (-0.34, 0.14), (-0.42, 0.30), (-0.40, 0.48), (-0.38, 0.70), (-0.55, 0.70), (-0.54, 0.44),
            (-0.60, 0.22), (-0.66, 0.06),
        ),
        (
            (-0.68, 0.00), (-0.60, -0.18), (-0.36, -0.26), (-0.08, -0.26), (0.10, -0.34), (0.20, -0.48),
            (0.24, -0.60), (0.16, -0.68), (0.30, -0.71), (0.42, -0.68), (0.58, -0.60), (0.64, -0.50),
            (0.54, -0.44), (0.44, -0.40), (0.40, -0.22), (0.38, -0.02), (0.34, 0.12), (0.44, 0.32),
            (0.38, 0.50), (0.46, 0.68), (0.30, 0.68), (0.26, 0.46), (0.12, 0.22), (-0.10, 0.22),
            (-0.30, 0.19), (-0.40, 0.34), (-0.54, 0.50), (-0.50, 0.70), (-0.66, 0.70), (-0.66, 0.44),
            (-0.58, 0.26), (-0.64, 0.16),
        ),
    ),
    "salmon": (
        (
            (-0.66, 0.06), (-0.84, -0.08), (-0.80, -0.20), (-0.64, -0.08), (-0.50, -0.04), (-0.26, -0.12),
            (-0.10, -0.26), (0.02, -0.20), (0.16, -0.22), (0.42, -0.28), (0.64, -0.32), (0.82, -0.26),
            (0.84, -0.18), (0.72, -0.08), (0.52, 0.06), (0.36, 0.14), (0.22, 0.14), (0.08, 0.20),
            (-0.04, 0.30), (-0.10, 0.18), (-0.28, 0.20), (-0.36, 0.28), (-0.42, 0.16), (-0.56, 0.14),
            (-0.70, 0.28), (-0.84, 0.32), (-0.78, 0.18),
        ),
        (
            (-0.70, 0.16), (-0.82, 0.02), (-0.78, -0.06), (-0.62, 0.08), (-0.44, 0.02), (-0.24, -0.14),
            (-0.10, -0.30), (0.00, -0.24), (0.20, -0.26), (0.46, -0.22), (0.68, -0.10), (0.82, 0.02),
            (0.80, 0.10), (0.64, 0.12), (0.44, 0.14), (0.28, 0.22), (0.18, 0.34), (0.08, 0.22),
            (-0.14, 0.18), (-0.22, 0.30), (-0.32, 0.20), (-0.48, 0.22), (-0.58, 0.36), (-0.72, 0.44),
        ),
    ),
    "hawk": (
        (
            (-0.78, 0.50), (-0.86, 0.42), (-0.72, 0.37), (-0.80, 0.30), (-0.60, 0.27), (-0.42, 0.18),
            (-0.26, 0.10), (-0.14, 0.06), (-0.20, -0.02), (-0.16, -0.08), (-0.06, -0.08), (0.02, 0.00),
            (0.07, -0.04), (0.10, -0.20), (0.18, -0.42), (0.30, -0.60), (0.40, -0.76), (0.45, -0.70),
            (0.53, -0.84), (0.56, -0.72), (0.66, -0.76), (0.62, -0.58), (0.56, -0.40), (0.46, -0.20),
            (0.34, -0.02), (0.27, 0.12), (0.42, 0.13), (0.58, 0.19), (0.62, 0.28), (0.54, 0.36),
            (0.34, 0.38), (0.20, 0.32), (0.10, 0.26), (-0.04, 0.30), (-0.24, 0.36), (-0.44, 0.42),
            (-0.62, 0.52), (-0.66, 0.45),
        ),
        (
            (-0.84, -0.10), (-0.78, -0.16), (-0.86, -0.22), (-0.72, -0.24), (-0.66, -0.30), (-0.48, -0.24),
            (-0.28, -0.12), (-0.12, -0.06), (-0.06, -0.16), (0.02, -0.22), (0.10, -0.16), (0.16, -0.06),
            (0.36, -0.16), (0.54, -0.30), (0.70, -0.36), (0.76, -0.28), (0.90, -0.28), (0.80, -0.18),
            (0.86, -0.10), (0.66, 0.00), (0.42, 0.10), (0.22, 0.14), (0.14, 0.22), (0.24, 0.40),
            (0.12, 0.46), (-0.06, 0.46), (-0.12, 0.38), (-0.04, 0.22), (-0.14, 0.12), (-0.36, 0.10),
            (-0.58, 0.06), (-0.74, 0.00), (-0.70, -0.08),
        ),
    ),
    "fox": (
        (
            (-0.90, 0.42), (-0.84, 0.22), (-0.66, 0.06), (-0.48, -0.04), (-0.36, -0.18), (-0.16, -0.22),
            (0.06, -0.22), (0.26, -0.26), (0.38, -0.36), (0.42, -0.56), (0.50, -0.46), (0.58, -0.44),
            (0.64, -0.56), (0.68, -0.40), (0.74, -0.26), (0.84, -0.16), (0.76, -0.10), (0.62, -0.10),
            (0.54, 0.04), (0.44, 0.14), (0.40, 0.28), (0.50, 0.44), (0.52, 0.54), (0.38, 0.52),
            (0.26, 0.26), (0.06, 0.12), (-0.12, 0.12), (-0.24, 0.22), (-0.28, 0.36), (-0.18, 0.50),
            (-0.20, 0.56), (-0.36, 0.54), (-0.42, 0.36), (-0.42, 0.18), (-0.52, 0.32), (-0.66, 0.46),
            (-0.82, 0.52),
        ),
        (
            (-0.92, 0.08), (-0.82, -0.12), (-0.62, -0.14), (-0.46, -0.06), (-0.34, -0.12), (-0.10, -0.14),
            (0.14, -0.16), (0.30, -0.24), (0.38, -0.40), (0.42, -0.58), (0.50, -0.48), (0.60, -0.46),
            (0.68, -0.56), (0.70, -0.40), (0.80, -0.22), (0.74, -0.14), (0.60, -0.14), (0.50, 0.00),
            (0.40, 0.10), (0.36, 0.30), (0.30, 0.56), (0.18, 0.56), (0.20, 0.32), (0.14, 0.16),
            (-0.10, 0.14), (-0.26, 0.16), (-0.30, 0.34), (-0.26, 0.56), (-0.40, 0.56), (-0.44, 0.30),
            (-0.46, 0.12), (-0.62, 0.20), (-0.80, 0.22),
        ),
    ),
}
# Antler beams and tines as open lines, in the same frame, one tuple a pose.
_ANTLERS = (
    (
        ((0.34, -0.68), (0.20, -0.80), (0.02, -0.98)), ((0.20, -0.80), (0.20, -1.04)),
        ((0.11, -0.88), (-0.08, -0.88)), ((0.27, -0.74), (0.08, -0.74)),
        ((0.40, -0.70), (0.52, -0.88), (0.50, -1.08)),
        ((0.52, -0.88), (0.68, -1.02)), ((0.47, -0.80), (0.36, -0.98)), ((0.50, -0.84), (0.66, -0.84)),
    ),
    (
        ((0.26, -0.68), (0.10, -0.78), (-0.08, -0.98)), ((0.10, -0.78), (0.12, -1.02)),
        ((0.01, -0.88), (-0.18, -0.88)), ((0.34, -0.70), (0.46, -0.86), (0.40, -1.06)),
        ((0.45, -0.86), (0.62, -1.00)), ((0.40, -0.78), (0.58, -0.80)),
    ),
)
# fmt: on
# Animal colours: back, belly, feet.
_COATS = {
    "bear": ((74, 56, 44), (38, 30, 28), (20, 17, 18)),
    "elk": ((128, 92, 62), (94, 64, 44), (36, 26, 24)),
    "salmon": ((66, 82, 80), (196, 196, 188), (150, 160, 156)),
    "hawk": ((96, 78, 66), (66, 52, 46), (48, 38, 36)),
    "fox": ((196, 106, 42), (168, 84, 36), (52, 36, 32)),
}
# Paints of the wooden tokens: the range between print runs.
_PAINTS = {
    "bear": ((36, 31, 33), (92, 52, 40)),
    "elk": ((198, 186, 122), (160, 116, 60)),
    "salmon": ((238, 74, 100), (200, 24, 110)),
    "hawk": ((66, 172, 230), (96, 160, 222)),
    "fox": ((240, 132, 40), (242, 92, 28)),
}
# Inks of the printed icons.
_INKS = {
    "bear": ((58, 36, 28), (78, 52, 38)),
    "elk": ((190, 152, 62), (206, 178, 92)),
    "salmon": ((226, 50, 84), (222, 78, 92)),
    "hawk": ((98, 172, 232), (128, 188, 232)),
    "fox": ((240, 118, 34), (228, 138, 46)),
}


def hexagon_corners(size: int, radius: float = HEX_RADIUS) -> np.ndarray:
    """The six corners in pixels, shape (6, 2); corner i lies between edges i-1 and i."""
    angles = np.radians(60.0 * np.arange(6) - 30.0)
    return size / 2 - 0.5 + radius * size * np.stack([np.cos(angles), np.sin(angles)], axis=1)


@lru_cache(maxsize=64)
def hexagon_alpha(size: int) -> np.ndarray:
    """Alpha of a tile face, uint8 (size, size), with soft edges and slightly rounded corners; read-only."""
    alpha = smoothstep(_rim_distance(size) * size, -0.5, 0.5)
    alpha *= smoothstep(0.985 * HEX_RADIUS * size - np.hypot(*_grid(size)) * size, -0.5, 0.5)
    alpha = to_bytes(alpha * 255 + 0.5)
    alpha.setflags(write=False)
    return alpha


@lru_cache(maxsize=64)
def _grid(size: int) -> tuple[np.ndarray, np.ndarray]:
    """x and y of every pixel from the centre in sides of the picture."""
    axis = (np.arange(size, dtype=np.float32) - (size - 1) / 2) / size
    x, y = np.meshgrid(axis, axis)
    return x, y


@lru_cache(maxsize=64)
def _rim_distance(size: int) -> np.ndarray:
    """Distance of every pixel to the nearest edge of the hexagon, in sides, positive inside."""
    x, y = _grid(size)
    angles = np.radians([0.0, 60.0, 120.0])
    return FLAT_WIDTH / 2 - np.max([np.abs(x * np.cos(a) + y * np.sin(a)) for a in angles], axis=0)


def split_of(terrain: Sequence[str]) -> int | None:
    """First edge of the run of three that carries the tile's first half, None for a one-terrain tile.

    Raises ValueError where the six edges are no legal tile.
    """
    for first in range(6):
        half = {terrain[(first + k) % 6] for k in range(3)}
        rest = {terrain[(first + k) % 6] for k in range(3, 6)}
        if len(half) == len(rest) == 1 and half != rest:
            return first
    if len(set(terrain)) != 1:
        raise ValueError(f"{tuple(terrain)} is no tile: a second terrain lies on three contiguous edges")
    return None


def border_distance(split: int, size: int, rng: np.random.Generator, wave: float) -> np.ndarray:
    """Signed distance in sides to a wavy border from corner `split` to the opposite one.

    Positive on the side of edges split..split+2. The border strays up to about `wave` flat-to-flat widths.
    """
    x, y = _grid(size)
    angle = np.radians(60.0 * (split + 1))
    across = x * np.cos(angle) + y * np.sin(angle)
    along = y * np.cos(angle) - x * np.sin(angle)
    knots = rng.uniform(-1, 1, int(rng.integers(5, 9))) * rng.uniform(0.3, 1.0)
    knots[[0, -1]] *= 0.35
    curve = cv2.resize(knots[None].astype(np.float32), (64, 1), interpolation=cv2.INTER_CUBIC)[0]
    places = np.linspace(-HEX_RADIUS, HEX_RADIUS, 64)
    offset = np.interp(along.ravel(), places, curve).reshape(along.shape)
    rough = value_noise(rng, size, size, 26, 2)
    return (across + wave * FLAT_WIDTH * offset + 0.006 * rough).astype(np.float32)


def _rounded(points: np.ndarray, rounds: int = 2) -> np.ndarray:
    """Closed polygon with its corners cut (Chaikin's rule), each round smoother."""
    for _ in range(rounds):
        following = np.roll(points, -1, axis=0)
        cuts = [0.75 * points + 0.25 * following, 0.25 * points + 0.75 * following]
        points = np.stack(cuts, 1).reshape(-1, 2)
    return points


def _fill(mask: np.ndarray, points: np.ndarray, value: int = 255) -> None:
    cv2.fillPoly(mask, [np.round(points * 16).astype(np.int32)], value, cv2.LINE_AA, 4)


def animal_sprite(species: str, pose: int, size: int, rng: np.random.Generator) -> np.ndarray:
    """An animal with a thin white outline on clear ground as an RGBA sprite (size, size, 4)."""
    outline = np.array(_OUTLINES[species][pose])
    shear = rng.normal(0, 0.04, (2, 2)) + np.eye(2) * rng.uniform(0.96, 1.04, 2)
    middle, scale = size / 2 - 0.5, 0.5 * size

    def place(points: np.ndarray) -> np.ndarray:
        return middle + (np.asarray(points) @ shear.T) * scale

    body = np.zeros((size, size), np.uint8)
    _fill(body, place(_rounded(outline, 1 if species == "hawk" else 2)))
    if species == "elk":
        for line in _ANTLERS[pose]:
            points = np.round(place(np.array(line)) * 16).astype(np.int32)
            cv2.polylines(body, [points], False, 255, max(1, round(size * 0.022)), cv2.LINE_AA, 4)
    x, y = _grid(size)
    low, high = outline[:, 1].min() / 2, outline[:, 1].max() / 2
    depth = (y - low) / (high - low) + 0.04 * value_noise(rng, size, size, 9, 2)
    back, belly, feet = (np.array(color) * rng.uniform(0.85, 1.15) for color in _COATS[species])
    if species == "salmon":
        slope = y + 0.16 * x if pose == 0 else y + 0.12 * np.abs(x)
        depth = 0.5 + (slope - slope[body > 128].mean()) * 4.5
        color = blend(
            blend(back * 0.8, back * 1.25, smoothstep(depth, 0.0, 0.35)), belly, smoothstep(depth, 0.4, 0.6)
        )
        color = blend(color, feet, smoothstep(depth, 0.8, 1.1))
        speckle = smoothstep(value_noise(rng, size, size, 40), 1.3, 1.9) * (depth < 0.5) * 0.6
        color = blend(color, back * 0.5, speckle)
    else:
        color = blend(blend(back, belly, smoothstep(depth, 0.1, 0.6)), feet, smoothstep(depth, 0.62, 0.82))
    if species == "fox":
        color = blend(
            color, (226, 208, 186), smoothstep(-np.hypot(x - 0.26, (y + 0.0) * 0.8), -0.1, -0.05) * 0.8
        )
        color = blend(color, (40, 30, 28), smoothstep(-x, 0.38, 0.44) * 0.7)
    if species == "elk":
        color = blend(color, (52, 36, 30), smoothstep(x - y * 0.5, 0.14, 0.24) * (y < 0.05) * 0.85)
        color = blend(
            color, (172, 138, 100), smoothstep(-np.hypot(x + 0.08, (y + 0.06) * 1.6), -0.2, -0.02) * 0.5
        )
    if species == "hawk":
        stripes = np.sin((x * 0.8 - y * 0.6) * 130 + 2 * value_noise(rng, size, size, 6))
        color = blend(color, (160, 140, 122), smoothstep(stripes, 0.2, 0.9) * 0.25)
    fur = 1 + 0.07 * value_noise(rng, size, size, 36, 2)
    light = 1.0 + 0.3 * smoothstep(-(y - x * 0.4), -0.1, 0.35)
    color = color * (fur * light)[..., None]
    pen = max(3, round(size * 0.035) | 1)
    rim = cv2.dilate(body, cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (pen, pen)))
    rim = cv2.GaussianBlur(rim, (0, 0), size * 0.006)
    color = blend(np.full(3, rng.uniform(225, 250), np.float32), color, body / np.float32(255))
    return centered(np.dstack([to_bytes(color), rim]), size)


def centered(sprite: np.ndarray, size: int) -> np.ndarray:
    """An RGBA sprite cropped to what is seen of it and scaled to fill a square of `size`."""
    left, top, width, height = cv2.boundingRect((sprite[..., 3] > 40).astype(np.uint8))
    side = max(width, height) + 2
    matrix = turn_and_place(side, size, 0, (size - 1) / 2, (size - 1) / 2)
    matrix[:, 2] -= matrix[:, :2] @ (left + width / 2 - side / 2, top + height / 2 - side / 2)
    # Colours run out beyond the outline, so that a clear pixel never lends black to its neighbours.
    rgb = cv2.warpAffine(
        sprite[..., :3], matrix, (size, size), flags=cv2.INTER_AREA, borderMode=cv2.BORDER_REPLICATE
    )
    alpha = cv2.warpAffine(sprite[..., 3], matrix, (size, size), flags=cv2.INTER_AREA)
    return np.dstack([rgb, alpha])


def lay_over(ground: np.ndarray, sprite: np.ndarray, matrix: np.ndarray) -> None:
    """Draw an RGBA sprite onto an RGB or RGBA ground in place.

    `matrix`, 2x3, maps pixels of the sprite to pixels of the ground. What shrinks much is shrunk by
    area first, against jagged lines. Alpha of the ground is kept.
    """
    height, width = sprite.shape[:2]
    scale = float(np.sqrt(abs(np.linalg.det(matrix[:, :2]))))
    if scale < 0.6:
        small = max(2, round(width * scale)), max(2, round(height * scale))
        sprite = cv2.resize(sprite, small, interpolation=cv2.INTER_AREA)
        back = np.array(
            [
                [width / small[0], 0, (width / small[0] - 1) / 2],
                [0, height / small[1], (height / small[1] - 1) / 2],
                [0, 0, 1],
            ]
        )
        matrix = matrix @ back
        height, width = sprite.shape[:2]
    box = matrix @ np.array([[0, width, width, 0], [0, 0, height, height], [1, 1, 1, 1]], float)
    left, top = np.maximum(np.floor(box.min(axis=1)).astype(int) - 1, 0)
    right, bottom = np.minimum(np.ceil(box.max(axis=1)).astype(int) + 2, ground.shape[1::-1])
    if right <= left or bottom <= top:
        return
    shifted = matrix - np.array([[0, 0, left], [0, 0, top]])
    moved = cv2.warpAffine(
        sprite,
        shifted,
        (int(right - left), int(bottom - top)),
        flags=cv2.INTER_LINEAR,
        borderMode=cv2.BORDER_CONSTANT,
        borderValue=(0, 0, 0, 0),
    )
    part = ground[top:bottom, left:right, :3]
    alpha = moved[..., 3:].astype(np.float32) / 255
    # Clear pixels of a sprite carry the colour of its neighbours, so straight alpha may be interpolated.
    part[:] = (part + (moved[..., :3] - part.astype(np.float32)) * alpha + 0.5).astype(np.uint8)


def turn_and_place(size: float, target: float, angle: float, x: float, y: float) -> np.ndarray:
    """2x3 matrix that scales a square sprite of side `size` to `target` and lays its centre on (x, y).

    `angle` turns it clockwise, in degrees.
    """
    scale = target / size
    cos, sin = np.cos(np.radians(angle)) * scale, np.sin(np.radians(angle)) * scale
    turn = np.array([[cos, -sin], [sin, cos]])
    middle = (size - 1) / 2
    return np.column_stack([turn, np.array([x, y]) - turn @ (middle, middle)])


def disc_alpha(size: int, radius: float = DISC_RADIUS) -> np.ndarray:
    """Soft-edged disc, float32 (size, size), radius as a share of the side."""
    return smoothstep(radius * size - np.hypot(*_grid(size)) * size, -0.6, 0.6).astype(np.float32)


def _pick(pair: tuple[Sequence[float], Sequence[float]], share: float) -> np.ndarray:
    return np.array(pair[0], np.float32) * (1 - share) + np.array(pair[1], np.float32) * share


def _vary(color: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """The same colour of another batch."""
    return np.clip(color * (rng.uniform(0.92, 1.08) + rng.normal(0, 0.025, 3)), 6, 250).astype(np.float32)


def _colors_of_run(
    ranges: dict[str, tuple[Sequence[float], Sequence[float]]], rng: np.random.Generator
) -> dict[str, np.ndarray]:
    """One colour a species, from anywhere in its range and a little beyond."""
    return {species: _vary(_pick(pair, rng.uniform(-0.1, 1.1)), rng) for species, pair in ranges.items()}


def paints_of_run(rng: np.random.Generator) -> dict[str, np.ndarray]:
    """The token paints of one print run, RGB float32 a species."""
    return _colors_of_run(_PAINTS, rng)


def pine_cone(size: int, rng: np.random.Generator, color: Sequence[float], relief: float) -> np.ndarray:
    """Upright pine cone as an RGBA sprite as high as its square; `relief`: how dark the gaps are."""
    mask = np.zeros((size, size), np.uint8)
    angles = np.linspace(0, 2 * np.pi, 48, endpoint=False)
    ragged = 1 + 0.2 * np.abs(np.sin(angles * 7.5)) ** 3 * rng.uniform(0.5, 1.3, 48)
    across, down = np.sin(angles), -np.cos(angles)
    pinch = 1 - 0.35 * np.clip(-down, 0, 1) ** 2
    points = np.stack([across * 0.27 * ragged * pinch, down * 0.46 * (1 + 0.04 * (ragged - 1))], 1)
    _fill(mask, size / 2 - 0.5 + points * size)
    x, y = _grid(size)
    scales = np.sin(y * 62 + np.abs(x) * 18 + 1.2 * value_noise(rng, size, size, 6))
    shade = (
        1 + relief * (smoothstep(scales, -0.9, 0.3) - 0.8) + 0.12 * relief * value_noise(rng, size, size, 30)
    )
    return np.dstack([to_bytes(np.array(color, np.float32) * shade[..., None]), mask])


# ---- terrains ---------------------------------------------------------------------------------------------


def _forest(rng: np.random.Generator, size: int) -> np.ndarray:
    """Round tree crowns seen from above, lighter in the middle."""
    dark = np.array((16, 46, 28)) * rng.uniform(0.7, 1.7)
    mid = np.array((46, 118, 58)) * rng.uniform(0.85, 1.25) + rng.normal(0, 5, 3)
    light = np.array((112, 172, 88)) + rng.normal(0, 10, 3)
    picture = np.full((size, size, 3), dark, np.uint8)
    step = size * rng.uniform(0.05, 0.07)
    centers = [
        (column * step + (row % 2) * step / 2, row * step * 0.87)
        for row in range(-1, int(size / step / 0.87) + 2)
        for column in range(-1, int(size / step) + 2)
    ]
    centers = np.array(centers) + rng.normal(0, step * 0.16, (len(centers), 2))
    rng.shuffle(centers)
    for center in centers:
        radius = step * rng.uniform(0.42, 0.6)
        tint = rng.uniform(0.72, 1.2)
        crown = mid + (light - mid) * rng.uniform(0, 0.45)
        for ring, share in enumerate((0.0, 0.35, 0.7, 1.0)):
            color = (dark * 1.5 * (1 - share) + crown * share) * tint
            at = center + np.array([-0.12, -0.16]) * radius * ring * 0.5
            cv2.circle(
                picture,
                tuple(int(v * 16) for v in at),
                int(radius * (1 - 0.25 * ring) * 16),
                color.tolist(),
                -1,
                cv2.LINE_AA,
                4,
            )
        if rng.random() < 0.6:
            at = center + rng.normal(0, 0.18, 2) * radius
            tip = (light + np.array((50, 45, 10)) * rng.uniform(0, 1)) * tint
            cv2.circle(
                picture,
                tuple(int(v * 16) for v in at),
                int(radius * 0.17 * 16),
                tip.tolist(),
                -1,
                cv2.LINE_AA,
                4,
            )
    grain = 1 + 0.12 * value_noise(rng, size, size, 70, 2) + 0.07 * value_noise(rng, size, size, 4)
    return to_bytes(picture * grain[..., None])


def _prairie(rng: np.random.Generator, size: int) -> np.ndarray:
    """Strong yellow with faint orange scratches."""
    yellow = np.array((236, 196, 30)) + rng.normal(0, 6, 3)
    shade = 1 + 0.035 * value_noise(rng, size, size, 5, 3) + 0.03 * value_noise(rng, size, size, 60, 2)
    picture = yellow.astype(np.float32) * shade[..., None]
    angle = rng.uniform(-50, 50)
    scratches = value_noise(rng, size * 3 // 2, size * 3 // 2, 26, 2, stretch=rng.uniform(2.5, 6))
    turn = cv2.getRotationMatrix2D((size * 0.75, size * 0.75), angle, 1.0)
    scratches = cv2.warpAffine(scratches, turn, (size * 3 // 2,) * 2)[
        size // 4 : size // 4 + size, size // 4 : size // 4 + size
    ]
    patches = smoothstep(value_noise(rng, size, size, 5), -0.3, 1.2)
    marks = smoothstep(scratches, 0.5, 1.8) * patches
    picture = blend(picture, (222, 140, 22), marks * rng.uniform(0.35, 0.8))
    return to_bytes(blend(picture, (255, 226, 90), smoothstep(-scratches, 0.8, 2.2) * 0.3))


def _water(rng: np.random.Generator, size: int) -> np.ndarray:
    """Saturated blue with light and dark streaks."""
    deep = np.array((20, 92, 170)) + rng.normal(0, 10, 3)
    light = np.array((58, 158, 220)) + rng.normal(0, 10, 3)
    bend = value_noise(rng, size, size, 3)
    flow = value_noise(rng, size, size, 10, 3, stretch=rng.uniform(3, 8))
    rows = np.clip(np.arange(size)[:, None] + bend * size * 0.04, 0, size - 1).astype(np.float32)
    columns = np.broadcast_to(np.arange(size, dtype=np.float32)[None], (size, size))
    flow = cv2.remap(flow, np.ascontiguousarray(columns), rows, cv2.INTER_LINEAR)
    share = smoothstep(0.55 * flow + 0.6 * value_noise(rng, size, size, 2.5), -1.6, 1.8)
    picture = blend(deep, light, share)
    picture = blend(picture, (120, 200, 236), smoothstep(flow, 1.0, 2.6) * 0.5)
    return to_bytes(picture * (1 + 0.03 * value_noise(rng, size, size, 70))[..., None])


def _snow(rng: np.random.Generator, size: int) -> np.ndarray:
    """White slopes with blue shadow sides: the shading of a ridged height field."""
    height = np.zeros((size, size), np.float32)
    for octave, cells in enumerate((2.2, 4.5, 9.0)):
        height += (1 - np.abs(value_noise(rng, size, size, cells))) * 0.55**octave
    rise_x, rise_y = (
        cv2.Sobel(height, cv2.CV_32F, 1, 0, ksize=3),
        cv2.Sobel(height, cv2.CV_32F, 0, 1, ksize=3),
    )
    sun = rng.uniform(0, 2 * np.pi)
    slope = (rise_x * np.cos(sun) + rise_y * np.sin(sun)) * size / 60
    slope = slope / max(float(slope.std()), 1e-6)
    shadow = smoothstep(slope + 0.25 * value_noise(rng, size, size, 40, 2), -0.35, 0.35)
    blue = np.array((112, 156, 214)) + rng.normal(0, 9, 3)
    deep = np.array((62, 112, 184)) + rng.normal(0, 9, 3)
    picture = blend((240, 245, 250), blue, shadow * rng.uniform(0.65, 0.95))
    picture = blend(picture, deep, smoothstep(slope, 0.8, 2.2) * 0.7)
    picture = blend(picture, (84, 88, 100), smoothstep(value_noise(rng, size, size, 22, 2), 1.6, 2.2) * 0.6)
    return to_bytes(picture)


def _rock(rng: np.random.Generator, size: int) -> np.ndarray:
    """Grey speckled rock."""
    gray = np.array((98, 98, 102)) * rng.uniform(0.75, 1.15) + rng.normal(0, 4, 3)
    shade = 1 + 0.2 * value_noise(rng, size, size, 34, 3) + 0.08 * value_noise(rng, size, size, 6)
    return to_bytes(gray * shade[..., None])


def _marsh(rng: np.random.Generator, size: int) -> np.ndarray:
    """Lime green meadow with yellow flecks."""
    lime = np.array((160, 198, 42)) + rng.normal(0, 9, 3)
    picture = blend(lime, (212, 220, 48), smoothstep(value_noise(rng, size, size, 9, 3), -0.4, 1.8) * 0.7)
    picture = blend(picture, (84, 156, 62), smoothstep(value_noise(rng, size, size, 12, 3), 0.5, 2.0) * 0.6)
    return to_bytes(picture * (1 + 0.06 * value_noise(rng, size, size, 60, 2))[..., None])


def _pools(rng: np.random.Generator, size: int) -> np.ndarray:
    """Blue-teal standing water."""
    teal = np.array((72, 156, 172)) + rng.normal(0, 9, 3)
    shade = 1 + 0.09 * value_noise(rng, size, size, 20, 2)
    return to_bytes(teal * shade[..., None])


class _Islets:
    """River islets near the rim: rock with a pale shoal, drawn once for a whole tile."""

    def __init__(self, rng: np.random.Generator, size: int, rock: np.ndarray) -> None:
        field = np.full((size, size), -10.0, np.float32)
        x, y = _grid(size)
        for _ in range(int(rng.integers(5, 10))):
            angle = np.radians(rng.uniform(0, 360))
            reach = rng.uniform(0.36, 0.5)
            width, length = rng.uniform(0.03, 0.065), rng.uniform(0.04, 0.11)
            lean = angle + rng.normal(0, 0.8)
            dx, dy = x - reach * np.cos(angle), y - reach * np.sin(angle)
            u, v = dx * np.cos(lean) + dy * np.sin(lean), dy * np.cos(lean) - dx * np.sin(lean)
            field = np.maximum(field, 1 - np.hypot(u / length, v / width))
        field += 0.22 * value_noise(rng, size, size, 16, 2)
        shoal = smoothstep(field, -0.42, -0.15) * 0.85
        land = smoothstep(field, 0.0, 0.15)
        color = blend(
            np.array((206, 212, 172)) + rng.normal(0, 8, 3), rock * np.array((0.95, 1.06, 0.94)), land
        )
        self.picture = np.dstack([to_bytes(color), to_bytes(np.maximum(shoal, land) * 255)])


class ArtKit:
    """One print run of drawn pieces: terrain textures, inks and paints chosen once, used for many pieces.

    Args:
        rng: fixes the print run.
        textures: how many pictures of each terrain are kept.
        sprites: how many drawings of each animal are kept.
    """

    def __init__(self, rng: np.random.Generator, textures: int = 4, sprites: int = 4) -> None:
        size = TEXTURE_SIZE

        def pool(draw: Painter, hue: float) -> list[np.ndarray]:
            tint = rng.normal(0, hue), rng.uniform(0.82, 1.08), rng.uniform(0.88, 1.12)
            return [recolor(draw(rng, size), *tint) for _ in range(textures)]

        self._ground = {
            "forest": pool(_forest, 5),
            "prairie": pool(_prairie, 2),
            "river": pool(_water, 4),
            "mountain": pool(_snow, 4),
            "wetland": pool(_marsh, 4),
        }
        self._rock, self._pool_water = pool(_rock, 6), pool(_pools, 5)
        self._islets = [_Islets(rng, size, self._rock[k].astype(np.float32)).picture for k in range(textures)]
        self._rough = [value_noise(rng, size, size, 18, 3) for _ in range(2 * textures)]
        self._blotch = [value_noise(rng, size, size, rng.uniform(5, 8), 3) for _ in range(textures)]
        self._paint, self._ink = paints_of_run(rng), _colors_of_run(_INKS, rng)
        self._animals = {
            species: [
                animal_sprite(species, int(rng.random() < 0.3), SPRITE_SIZE, rng) for _ in range(sprites)
            ]
            for species in _OUTLINES
        }
        self._icons = {species: [self._icon(species, rng) for _ in range(2)] for species in _OUTLINES}
        self._tokens = {species: [self._token(species, rng) for _ in range(sprites)] for species in _OUTLINES}
        self._cones = [pine_cone(96, rng, (240, 240, 234), relief=0.12) for _ in range(2)]
        self._nature = [self._nature_token(rng) for _ in range(3)]

    def _icon(self, species: str, rng: np.random.Generator) -> np.ndarray:
        size = SPRITE_SIZE
        shade = 1 + 0.03 * value_noise(rng, size, size, 8, 3)
        picture = self._ink[species] * shade[..., None]
        ring = np.clip(self._ink[species] * 0.5 + 125, 0, 255)
        picture = blend(ring, picture, disc_alpha(size, 0.455))
        face = np.dstack([to_bytes(picture), to_bytes(disc_alpha(size) * 255)])
        animal = self._animals[species][int(rng.integers(len(self._animals[species])))]
        width = size * rng.uniform(0.7, 0.84)
        lay_over(face, animal, turn_and_place(animal.shape[0], width, 0, size / 2, size / 2))
        return face

    def _token(self, species: str, rng: np.random.Generator) -> np.ndarray:
        size = TOKEN_SIZE
        paint = _vary(self._paint[species], rng)
        grain = value_noise(rng, size, size, 60, 2, stretch=rng.uniform(2, 12))
        fine = value_noise(rng, size, size, 90)
        strength = rng.uniform(0.01, 0.05)
        picture = (
            paint * (1 + strength * grain + 0.03 * fine + 0.03 * value_noise(rng, size, size, 3))[..., None]
        )
        x, y = _grid(size)
        edge = smoothstep(np.hypot(x, y), 0.44, 0.49)
        picture = picture * (1 - edge * rng.uniform(0.0, 0.25))[..., None]
        face = np.dstack([to_bytes(picture), to_bytes(disc_alpha(size) * 255)])
        animal = self._animals[species][int(rng.integers(len(self._animals[species])))]
        place = size / 2 + rng.normal(0, 0.015, 2) * size
        width = size * rng.uniform(0.54, 0.7) * (1.08 if species == "salmon" else 1.0)
        lay_over(face, animal, turn_and_place(animal.shape[0], width, 0, *place))
        return face

    def _nature_token(self, rng: np.random.Generator) -> np.ndarray:
        size = TOKEN_SIZE
        angles = np.linspace(0, 2 * np.pi, 60, endpoint=False)
        if rng.random() < 0.5:
            bumps = 1 + 0.035 * np.sin(angles * 9 + rng.uniform(0, 6)) + 0.02 * np.sin(angles * 4)
            points = np.stack([np.sin(angles) * 0.36 * bumps, -np.cos(angles) * 0.46 * bumps], 1)
        else:
            points = np.stack([np.sin(angles), -np.cos(angles)], 1) * DISC_RADIUS
        alpha = np.zeros((size, size), np.uint8)
        _fill(alpha, size / 2 - 0.5 + points * size)
        green = _vary(np.array((22, 74, 46), np.float32), rng)
        picture = green * (1 + 0.06 * value_noise(rng, size, size, 40, 2, stretch=4))[..., None]
        face = np.dstack([to_bytes(picture), alpha])
        cone = pine_cone(SPRITE_SIZE, rng, (148, 104, 78), relief=0.5)
        rim = cv2.dilate(cone[..., 3], np.ones((7, 7), np.uint8))
        white = np.dstack([np.full((SPRITE_SIZE, SPRITE_SIZE, 3), 242, np.uint8), rim])
        place = turn_and_place(SPRITE_SIZE, size * 0.74, rng.normal(0, 6), size / 2, size / 2)
        lay_over(face, white, place)
        lay_over(face, cone, place)
        return face

    def _terrain(self, terrain: str, inside: np.ndarray, size: int, rng: np.random.Generator) -> np.ndarray:
        """Picture of one terrain, float32 (size, size, 3); `inside`: distance to its area's rim in sides."""
        picture = _take(self._ground[terrain], size, rng).astype(np.float32)
        if terrain == "mountain":
            picture = self._edged(picture, inside, size, rng)
        elif terrain == "wetland":
            wet = (
                0.75 * _take(self._blotch, size, rng)
                + 5.0 * np.minimum(inside, 0.2)
                - rng.uniform(0.55, 0.95)
            )
            picture = blend(picture, _take(self._pool_water, size, rng), smoothstep(wet, -0.2, 0.35) * 0.9)
        elif terrain == "river":
            islets = _take(self._islets, size, rng)
            picture = blend(picture, islets[..., :3], islets[..., 3] / np.float32(255))
        return picture

    def _edged(self, snow: np.ndarray, inside: np.ndarray, size: int, rng: np.random.Generator) -> np.ndarray:
        """Snow with a serrated edge of rock along the rim of its area."""
        teeth = inside + 0.022 * _take(self._rough, size, rng) - rng.uniform(0.035, 0.075)
        return blend(_take(self._rock, size, rng), snow, smoothstep(teeth, -0.008, 0.012))

    def ground(self, terrain: Sequence[str], size: int, rng: np.random.Generator) -> np.ndarray:
        """The bare print of a tile without icons, uint8 RGB (size, size, 3)."""
        rim = _rim_distance(size)
        split = split_of(terrain)
        if split is None:
            return to_bytes(self._terrain(str(terrain[0]), rim, size, rng))
        first, second = str(terrain[split]), str(terrain[(split + 3) % 6])
        across = border_distance(split, size, rng, rng.uniform(0.05, 0.15))
        one = self._terrain(first, np.minimum(rim, across), size, rng)
        other = self._terrain(second, np.minimum(rim, -across), size, rng)
        soft = rng.uniform(0.004, 0.012)
        if "wetland" in (first, second) and not {"mountain", "river"} & {first, second}:
            soft = rng.uniform(0.01, 0.035)
        picture = blend(other, one, smoothstep(across, -soft, soft))
        if "river" in (first, second):
            beach = across if first == "river" else -across
            line = np.exp(-(((beach - 0.004) / 0.011) ** 2))
            picture = blend(picture, (206, 212, 168), line * rng.uniform(0.5, 0.9))
            picture = blend(
                picture, (92, 98, 92), np.exp(-(((beach + 0.016) / 0.012) ** 2)) * rng.uniform(0.2, 0.7)
            )
        return to_bytes(picture)

    def add_icons(
        self,
        face: np.ndarray,
        wildlife: Sequence[str],
        keystone: bool,
        angle: float,
        rng: np.random.Generator,
    ) -> None:
        """Print icons and a keystone's marks onto a tile face in place, turned by `angle` degrees."""
        size = face.shape[0]
        flat = FLAT_WIDTH * size
        turn = np.array(
            [
                [np.cos(np.radians(angle)), -np.sin(np.radians(angle))],
                [np.sin(np.radians(angle)), np.cos(np.radians(angle))],
            ]
        )
        middle = size / 2 - 0.5
        places = _ICON_PLACES[min(len(wildlife), 3)] if wildlife else ()
        order = list(range(len(places)))
        if rng.random() < 0.5:
            order.reverse()
        diameter = ICON_DIAMETER * rng.uniform(0.94, 1.04)
        for k in order:
            x, y = middle + turn @ places[k] * flat
            pool = self._icons[str(wildlife[k])]
            lay_over(
                face,
                pool[int(rng.integers(len(pool)))],
                turn_and_place(SPRITE_SIZE, diameter * flat / (2 * DISC_RADIUS), angle, x, y),
            )
        if keystone:
            x, y = middle + turn @ (0.105, 0.125) * flat
            cone = self._cones[int(rng.integers(len(self._cones)))]
            lay_over(face, cone, turn_and_place(96, 0.17 * flat, angle + rng.normal(10, 6), x, y))
            tall, half = rng.uniform(0.12, 0.16), rng.uniform(0.11, 0.14) * np.sqrt(3)
            points = HEX_RADIUS * size * np.array([[0, -0.96], [half, -0.96 + tall], [-half, -0.96 + tall]])
            print_rgb = np.ascontiguousarray(face[..., :3])
            cv2.fillPoly(
                print_rgb,
                [np.round((middle + points @ turn.T) * 16).astype(np.int32)],
                (244, 244, 240),
                cv2.LINE_AA,
                4,
            )
            face[..., :3] = print_rgb

    def print_angle(self, terrain: Sequence[str], rng: np.random.Generator) -> float:
        """Turn of a tile's print in degrees clockwise: the border of a print mostly stands upright."""
        split = split_of(terrain)
        if split is None or rng.random() < 0.12:
            return 60.0 * int(rng.integers(6))
        return 60.0 * ((split + 1 + 3 * int(rng.integers(2))) % 6)

    def tile_face(
        self,
        terrain: Sequence[str],
        wildlife: Sequence[str],
        keystone: bool,
        size: int,
        rng: np.random.Generator,
    ) -> np.ndarray:
        """A habitat tile, RGBA (size, size, 4): the six edges of `terrain` stand in directions 0..5."""
        face = np.dstack([self.ground(terrain, size, rng), hexagon_alpha(size)])
        self.add_icons(face, wildlife, keystone, self.print_angle(terrain, rng), rng)
        return face

    def token_face(self, species: str, size: int, rng: np.random.Generator) -> np.ndarray:
        """A wildlife token from above, RGBA (size, size, 4), print upright."""
        pool = self._tokens[str(species)]
        face = pool[int(rng.integers(len(pool)))]
        if rng.random() < 0.25:
            face = np.ascontiguousarray(face[:, ::-1])
        return fit_face(face, size)

    def token_side_color(self, species: str, rng: np.random.Generator) -> np.ndarray:
        """RGB colour, float64 (3,), 0..255, of a token's side: darker paint, or thin paint on bare wood."""
        color = self._paint[str(species)] * rng.uniform(0.6, 0.95)
        if rng.random() < 0.25:
            color = _pick((color, (196, 164, 124)), rng.uniform(0.4, 0.9))
        return np.clip(color, 0, 255).astype(np.float64)

    def nature_token(self, size: int, rng: np.random.Generator) -> np.ndarray:
        """A nature token, RGBA (size, size, 4)."""
        return fit_face(self._nature[int(rng.integers(len(self._nature)))], size)


def _take(pool: list[np.ndarray], size: int, rng: np.random.Generator) -> np.ndarray:
    """A random picture of a pool, randomly mirrored and turned, scaled to `size`."""
    picture = pool[int(rng.integers(len(pool)))]
    if rng.random() < 0.5:
        picture = picture[:, ::-1]
    if rng.random() < 0.5:
        picture = picture[::-1]
    if rng.random() < 0.5:
        picture = picture.swapaxes(0, 1)
    return cv2.resize(np.ascontiguousarray(picture), (size, size), interpolation=cv2.INTER_AREA)


def fit_face(face: np.ndarray, size: int) -> np.ndarray:
    """A square picture scaled to `size` pixels a side."""
    shrink = size < face.shape[0]
    return cv2.resize(face, (size, size), interpolation=cv2.INTER_AREA if shrink else cv2.INTER_LINEAR)
