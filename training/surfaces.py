"""Table tops to lay an environment on: one cheap generator a kind.

`TRAIN_SURFACES` are seen in training; `HELD_BACK_SURFACES` are other kinds, drawn by other generators, kept
for measuring.
"""

from collections.abc import Callable

import cv2
import numpy as np

from training.noise import blend, smoothstep, to_bytes, value_noise

Painter = Callable[[int, int, np.random.Generator], np.ndarray]


def _color(rng: np.random.Generator, *choices: tuple[int, int, int], spread: float = 10.0) -> np.ndarray:
    picked = np.array(choices[int(rng.integers(len(choices)))], np.float32)
    return np.clip(picked * rng.uniform(0.85, 1.15) + rng.normal(0, spread, 3), 3, 252).astype(np.float32)


def _hue(rng: np.random.Generator, saturation: tuple[float, float], value: tuple[float, float]) -> np.ndarray:
    hsv = np.array(
        [[[rng.uniform(0, 180), 255 * rng.uniform(*saturation), 255 * rng.uniform(*value)]]], np.uint8
    )
    return cv2.cvtColor(hsv, cv2.COLOR_HSV2RGB)[0, 0].astype(np.float32)


def _speckle(rng: np.random.Generator, height: int, width: int) -> np.ndarray:
    """Fine pixel noise, made once small and tiled."""
    tile = rng.standard_normal((96, 96), dtype=np.float32)
    return np.tile(tile, (height // 96 + 1, width // 96 + 1))[:height, :width]


def _wood(rng: np.random.Generator, height: int, width: int, base: np.ndarray, contrast: float) -> np.ndarray:
    grain = value_noise(rng, height, width, rng.uniform(40, 90), 2, stretch=rng.uniform(12, 40))
    bands = value_noise(rng, height, width, rng.uniform(4, 12), 1, stretch=rng.uniform(5, 12))
    rings = np.sin(bands * rng.uniform(2, 9))
    shade = 1 + contrast * (0.35 * grain + 0.35 * rings + 0.4 * bands)
    return base * shade[..., None]


def _planks(rng: np.random.Generator, picture: np.ndarray) -> np.ndarray:
    height, width = picture.shape[:2]
    y = int(rng.integers(0, 60))
    while y < height:
        step = int(rng.integers(height // 9 + 4, height // 2 + 9))
        picture[y : y + step] *= rng.uniform(0.86, 1.12)
        picture[y : y + int(rng.integers(1, 4))] *= rng.uniform(0.3, 0.8)
        if rng.random() < 0.6:
            x = int(rng.integers(0, width))
            picture[y : y + step, x : x + 2] *= rng.uniform(0.4, 0.8)
        y += step
    return picture


def _wood_of(*choices: tuple[int, int, int], contrast: float) -> Painter:
    def paint(height: int, width: int, rng: np.random.Generator) -> np.ndarray:
        picture = _wood(rng, height, width, _color(rng, *choices, spread=6), contrast * rng.uniform(0.3, 1.4))
        return _planks(rng, picture) if rng.random() < 0.6 else picture

    return paint


def _plain(height: int, width: int, rng: np.random.Generator) -> np.ndarray:
    gray = np.full(
        3, rng.choice([rng.uniform(4, 40), rng.uniform(70, 190), rng.uniform(200, 252)]), np.float32
    )
    base = np.clip(gray + rng.normal(0, 5, 3), 0, 255)
    shade = 1 + rng.uniform(0, 0.04) * value_noise(rng, height, width, 4, 2)
    return base * shade[..., None] + rng.uniform(0, 4) * _speckle(rng, height, width)[..., None]


def _black(height: int, width: int, rng: np.random.Generator) -> np.ndarray:
    base = np.clip(rng.uniform(0, 22) + rng.normal(0, 2, 3), 0, 40)
    return base + rng.uniform(0, 3) * value_noise(rng, height, width, 6, 2)[..., None]


def _cloth(height: int, width: int, rng: np.random.Generator) -> np.ndarray:
    base = _hue(rng, (0.0, 0.75), (0.12, 0.95))
    pitch = rng.uniform(2.2, 7.0)
    y, x = np.arange(height, dtype=np.float32)[:, None], np.arange(width, dtype=np.float32)[None]
    weave = np.sin(x * 2 * np.pi / pitch) * np.sin(y * 2 * np.pi / pitch)
    shade = 1 + rng.uniform(0.02, 0.13) * weave + 0.04 * _speckle(rng, height, width)
    shade = shade * (
        1 + rng.uniform(0, 0.12) * value_noise(rng, height, width, rng.uniform(2, 5), 1, stretch=2)
    )
    return base * shade[..., None]


def _tablecloth(height: int, width: int, rng: np.random.Generator) -> np.ndarray:
    ground, mark, third = (_hue(rng, (0.05, 0.8), (0.25, 1.0)) for _ in range(3))
    pitch = rng.uniform(26, 130)
    angle = rng.uniform(0, np.pi)
    y, x = np.arange(height, dtype=np.float32)[:, None], np.arange(width, dtype=np.float32)[None]
    u = (x * np.cos(angle) + y * np.sin(angle)) / pitch
    v = (y * np.cos(angle) - x * np.sin(angle)) / pitch
    style = int(rng.integers(4))
    if style == 0:  # gingham
        share = 0.5 * (np.sin(2 * np.pi * u) > 0) + 0.5 * (np.sin(2 * np.pi * v) > 0)
        picture = blend(ground, mark, share.astype(np.float32))
    elif style == 1:  # stripes
        picture = blend(ground, mark, smoothstep(np.sin(2 * np.pi * u), -0.1, 0.1))
        picture = blend(picture, third, smoothstep(np.sin(2 * np.pi * (u + 0.3) / 2), 0.85, 0.95))
    elif style == 2:  # dots
        away = np.hypot(u - np.round(u), v - np.round(v))
        picture = blend(ground, mark, smoothstep(-away, -rng.uniform(0.15, 0.35), -0.12))
    else:  # round flowers and leaves
        cell = 6
        motif = value_noise(rng, int(pitch) + 8, int(pitch) + 8, cell, 2)
        motif = np.tile(motif, (height // motif.shape[0] + 1, width // motif.shape[1] + 1))[:height, :width]
        picture = blend(ground, mark, smoothstep(motif, 0.2, 0.5))
        picture = blend(picture, third, smoothstep(-motif, 0.8, 1.0))
    fold = 1 + 0.05 * value_noise(rng, height, width, 3) + 0.03 * _speckle(rng, height, width)
    return picture * fold[..., None]


def _grass(height: int, width: int, rng: np.random.Generator) -> np.ndarray:
    green = _color(rng, (84, 118, 44), (66, 106, 40), (110, 132, 58), (70, 112, 60))
    side = 256
    patch = np.zeros((side, side), np.float32)
    patch += rng.normal(0, 0.15, (side, side)).astype(np.float32)
    blades = 1500
    lengths, width_px = rng.uniform(8, 26, blades) * rng.uniform(0.7, 1.3), int(rng.integers(1, 3))
    angles = rng.uniform(0, 2 * np.pi, blades)
    starts = rng.uniform(-8, side + 8, (blades, 2))
    ends = starts + np.stack([np.cos(angles), np.sin(angles)], 1) * lengths[:, None]
    tones = rng.normal(0, 0.42, blades) - 0.1
    for k in range(blades):
        start, end = np.round(starts[k] * 16).astype(int), np.round(ends[k] * 16).astype(int)
        cv2.line(patch, start.tolist(), end.tolist(), float(tones[k]), width_px, cv2.LINE_AA, 4)
    rows, columns = -(-height // side), -(-width // side)
    patches = [[np.rot90(patch, int(rng.integers(4))) for _ in range(columns)] for _ in range(rows)]
    shade = np.block(patches)[:height, :width]
    dry = smoothstep(value_noise(rng, height, width, 7, 3) + shade, 0.3, 2.2)
    picture = (
        green * np.clip(1 + 0.8 * shade + 0.1 * value_noise(rng, height, width, 4), 0.15, 2.2)[..., None]
    )
    return blend(picture, (150, 142, 92), dry * rng.uniform(0.1, 0.6))


def _carpet(height: int, width: int, rng: np.random.Generator) -> np.ndarray:
    base = _hue(rng, (0.0, 0.5), (0.2, 0.85))
    tufts = value_noise(rng, height, width, rng.uniform(60, 140), 2)
    shade = 1 + rng.uniform(0.06, 0.2) * tufts + 0.06 * value_noise(rng, height, width, 5, 2)
    picture = base * shade[..., None]
    if rng.random() < 0.4:
        other = _hue(rng, (0.1, 0.7), (0.2, 0.9))
        ornament = np.sin(value_noise(rng, height, width, 5) * rng.uniform(3, 8))
        picture = blend(picture, other, smoothstep(ornament, 0.5, 0.7) * 0.8)
    return picture


def _stone(height: int, width: int, rng: np.random.Generator) -> np.ndarray:
    base = _color(rng, (140, 138, 134), (92, 92, 96), (178, 168, 150), (60, 62, 66))
    rough = value_noise(rng, height, width, 40, 3)
    picture = (
        base * (1 + rng.uniform(0.03, 0.14) * rough + 0.06 * value_noise(rng, height, width, 5, 2))[..., None]
    )
    grain = smoothstep(value_noise(rng, height, width, 90), 1.4, 1.9)
    picture = blend(picture, _color(rng, (230, 226, 220), (30, 30, 32)), grain * rng.uniform(0, 0.8))
    if rng.random() < 0.35:  # tiles with joints
        pitch, x0, y0 = int(rng.integers(120, 360)), int(rng.integers(100)), int(rng.integers(100))
        for k in range(0, max(height, width), pitch):
            picture[y0 + k : y0 + k + 4] *= 0.7
            picture[:, x0 + k : x0 + k + 4] *= 0.7
    return picture


def _leather(height: int, width: int, rng: np.random.Generator) -> np.ndarray:
    base = _color(rng, (92, 56, 36), (40, 36, 36), (130, 84, 52), (56, 66, 74), (100, 30, 30))
    bumps = value_noise(rng, height, width, rng.uniform(70, 120), 1)
    light = cv2.Sobel(bumps, cv2.CV_32F, 1, 0, ksize=3)
    shade = 1 + rng.uniform(0.05, 0.12) * light / max(float(light.std()), 1e-6)
    return base * (shade * (1 + 0.08 * value_noise(rng, height, width, 4, 2)))[..., None]


def _playmat(height: int, width: int, rng: np.random.Generator) -> np.ndarray:
    """Neoprene mat with a blurred landscape: the game's own hues without its shapes."""
    tones = [_hue(rng, (0.2, 0.9), (0.2, 0.95)) for _ in range(4)]
    picture = np.broadcast_to(tones[0], (height, width, 3))
    for tone in tones[1:]:
        field = value_noise(rng, height, width, rng.uniform(2, 8), 3)
        picture = blend(picture, tone, smoothstep(field, 0.1, 0.1 + rng.uniform(0.1, 1.2)))
    return picture * (1 + 0.03 * _speckle(rng, height, width))[..., None]


def _clutter_print(height: int, width: int, rng: np.random.Generator) -> np.ndarray:
    """Blobs, lines and blocks of any colour: a table that looks like nothing in particular."""
    small = np.empty((80, 80, 3), np.uint8)
    small[:] = _hue(rng, (0.0, 0.9), (0.1, 1.0)).astype(np.uint8)
    for _ in range(int(rng.integers(10, 60))):
        color = _hue(rng, (0.0, 1.0), (0.05, 1.0)).tolist()
        a, b = rng.integers(0, 80, 2).tolist(), rng.integers(0, 80, 2).tolist()
        kind = int(rng.integers(4))
        if kind == 0:
            cv2.circle(small, a, int(rng.integers(2, 16)), color, -1, cv2.LINE_AA)
        elif kind == 1:
            cv2.line(small, a, b, color, int(rng.integers(1, 5)), cv2.LINE_AA)
        elif kind == 2:
            cv2.rectangle(small, a, b, color, -1)
        else:
            angles = np.radians(60 * np.arange(6) + rng.uniform(0, 60))
            points = np.array(a) + rng.uniform(3, 14) * np.stack([np.cos(angles), np.sin(angles)], 1)
            cv2.fillPoly(small, [points.astype(np.int32)], color, cv2.LINE_AA)
    picture = cv2.resize(small, (width, height), interpolation=cv2.INTER_CUBIC).astype(np.float32)
    return picture * (1 + 0.06 * value_noise(rng, height, width, 60, 2))[..., None]


# ---- held back --------------------------------------------------------------------------------------------


def _marble(height: int, width: int, rng: np.random.Generator) -> np.ndarray:
    base = _color(rng, (232, 230, 226), (40, 42, 46), (188, 176, 160), (86, 112, 100))
    vein = np.abs(value_noise(rng, height, width, rng.uniform(2, 5), 4))
    color = 255 - base if rng.random() < 0.5 else base * 0.6
    picture = base * (1 + 0.03 * value_noise(rng, height, width, 6, 3))[..., None]
    return blend(picture, color, smoothstep(-vein, -0.12, 0.02) * rng.uniform(0.3, 0.9))


def _newspaper(height: int, width: int, rng: np.random.Generator) -> np.ndarray:
    paper = _color(rng, (226, 222, 210), (214, 206, 188), spread=4)
    page = np.zeros((height, width), np.float32)
    pitch = int(rng.integers(7, 14))
    column = int(rng.integers(110, 230))
    for x in range(int(rng.integers(-60, 10)), width, column):
        y = int(rng.integers(-40, 10))
        while y < height:
            if rng.random() < 0.03:
                tall = int(rng.integers(50, 130))
                page[max(y, 0) : y + tall, max(x + 6, 0) : x + column - 8] = rng.uniform(0.2, 0.7)
                y += tall + 8
                continue
            big = pitch * (3 if rng.random() < 0.06 else 1)
            edges = np.sort(rng.integers(0, column - 14, 14))
            for start, stop in zip(edges[::2], edges[1::2], strict=True):
                page[max(y, 0) : max(y + big // 2, 0), max(x + 6 + start, 0) : max(x + 6 + stop, 0)] = 0.85
            y += big
    page *= 0.75 + 0.25 * _speckle(rng, height, width).clip(-1, 1)
    return blend(paper, (46, 46, 50), np.clip(page, 0, 1) * 0.85)


def _herringbone(height: int, width: int, rng: np.random.Generator) -> np.ndarray:
    base = _color(rng, (196, 152, 100), (120, 82, 54), (170, 120, 80), spread=6)
    long, short = int(rng.integers(100, 190)), int(rng.integers(24, 44))
    y, x = np.mgrid[:height, :width]
    angle = np.pi / 4
    u, v = (x * np.cos(angle) + y * np.sin(angle)), (y * np.cos(angle) - x * np.sin(angle))
    band = np.floor(u / long).astype(int)
    flip = band % 2 == 0
    across = np.where(flip, v, v + u % long)
    row = np.floor(across / short).astype(int)
    tone = rng.normal(0, 0.11, 997).astype(np.float32)[(row * 31 + band * 57) % 997]
    joint = (across % short < 1.5) | (u % long < 1.5)
    shade = 1 + tone + 0.05 * value_noise(rng, height, width, 80, 2) - 0.35 * joint
    return base * shade[..., None]


def _glossy(height: int, width: int, rng: np.random.Generator) -> np.ndarray:
    base = np.clip(rng.uniform(10, 46) + rng.normal(0, 5, 3), 2, 70)
    glow = smoothstep(value_noise(rng, height, width, rng.uniform(1, 2.5)), 0.2, 2.4)
    lamp = smoothstep(value_noise(rng, height, width, 3), 1.7, 2.3)
    picture = blend(base, (150, 150, 156), glow * rng.uniform(0.2, 0.7))
    return blend(picture, (236, 234, 226), lamp * rng.uniform(0, 0.8))


def _gravel(height: int, width: int, rng: np.random.Generator) -> np.ndarray:
    base = _color(rng, (158, 150, 138), (128, 124, 120), (176, 152, 120))
    field = value_noise(rng, height, width, rng.uniform(26, 50))
    tone = value_noise(rng, height, width, rng.uniform(20, 40))
    edge = np.abs(field) < 0.25
    shade = np.clip(1 + 0.22 * np.round(tone * 2) / 2 + 0.1 * field - 0.4 * edge, 0.2, 1.8)
    return base * shade[..., None]


def _denim(height: int, width: int, rng: np.random.Generator) -> np.ndarray:
    base = _color(rng, (62, 84, 122), (40, 54, 84), (112, 136, 168), (176, 146, 104), (92, 98, 72))
    y, x = np.arange(height, dtype=np.float32)[:, None], np.arange(width, dtype=np.float32)[None]
    twill = np.sin((x + y) * 2 * np.pi / rng.uniform(3.5, 9))
    threads = value_noise(rng, height, width, 100, 1, stretch=8)
    crease = value_noise(rng, height, width, 2.5, 3)
    return base * (1 + 0.1 * twill + 0.08 * threads + 0.09 * crease)[..., None]


_TRAIN: dict[str, Painter] = {
    "light wood": _wood_of((206, 172, 128), (190, 150, 104), (222, 196, 158), contrast=0.12),
    "brown wood": _wood_of((146, 98, 62), (120, 80, 54), (164, 116, 70), contrast=0.2),
    "dark wood": _wood_of((72, 46, 34), (58, 44, 38), (90, 54, 38), contrast=0.28),
    "red wood": _wood_of((140, 66, 42), (118, 48, 36), (168, 84, 54), contrast=0.2),
    "gray wood": _wood_of((150, 146, 138), (110, 106, 102), (196, 192, 186), contrast=0.16),
    "plain": _plain,
    "black": _black,
    "cloth": _cloth,
    "tablecloth": _tablecloth,
    "grass": _grass,
    "carpet": _carpet,
    "stone": _stone,
    "leather": _leather,
    "playmat": _playmat,
    "patchwork": _clutter_print,
}
_HELD_BACK: dict[str, Painter] = {
    "marble": _marble,
    "newspaper": _newspaper,
    "herringbone": _herringbone,
    "glossy": _glossy,
    "gravel": _gravel,
    "denim": _denim,
}
TRAIN_SURFACES: tuple[str, ...] = tuple(_TRAIN)
HELD_BACK_SURFACES: tuple[str, ...] = tuple(_HELD_BACK)


def surface(kind: str, height: int, width: int, rng: np.random.Generator) -> np.ndarray:
    """A table top of one kind, uint8 RGB (height, width, 3).

    Raises ValueError for a kind in neither `TRAIN_SURFACES` nor `HELD_BACK_SURFACES`.
    """
    painter = _TRAIN.get(kind) or _HELD_BACK.get(kind)
    if painter is None:
        known = ", ".join(TRAIN_SURFACES + HELD_BACK_SURFACES)
        raise ValueError(f"no surface '{kind}': it is one of {known}")
    return to_bytes(np.broadcast_to(painter(height, width, rng), (height, width, 3)))
