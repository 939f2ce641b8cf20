"""What light, lens and phone do to a picture: shade, glare, colour cast, blur, noise, JPEG."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]
Pixels = NDArray[np.uint8]

MOST_BURNT_OUT = 0.05
"""Share of a photo that is white without any print at most."""
LEAST_DETAIL = 35.0
"""Pixels to a tile pitch that a photo of low resolution keeps, where it had them."""


def _ramp(height: int, width: int, rng: np.random.Generator) -> Floats:
    """A smooth slope over the picture, -1 to 1, in a random direction."""
    turn = rng.uniform(0, 2 * np.pi)
    x = np.linspace(-1, 1, width, dtype=np.float32)[None] * np.float32(np.cos(turn))
    y = np.linspace(-1, 1, height, dtype=np.float32)[:, None] * np.float32(np.sin(turn))
    return (x + y) / np.float32(1.4)


def _blob(height: int, width: int, rng: np.random.Generator, low: float, high: float) -> Floats:
    """A soft elliptical spot, 0 to 1; radii between `low` and `high` of the longer side."""
    side = max(height, width)
    cx, cy = rng.uniform(0, width), rng.uniform(0, height)
    a, b = rng.uniform(low, high, 2) * side
    turn = rng.uniform(0, np.pi)
    x = np.arange(width, dtype=np.float32)[None] - np.float32(cx)
    y = np.arange(height, dtype=np.float32)[:, None] - np.float32(cy)
    u = (x * np.float32(np.cos(turn)) + y * np.float32(np.sin(turn))) / np.float32(a)
    v = (y * np.float32(np.cos(turn)) - x * np.float32(np.sin(turn))) / np.float32(b)
    return np.exp(-(u * u + v * v))


def _cast_shadow(height: int, width: int, rng: np.random.Generator) -> Floats:
    """Shadow of a hand, a phone or a window bar: a factor per pixel, 1 where lit."""
    mask = np.zeros((height, width), np.uint8)
    middle = rng.uniform(0, 1, 2) * (width, height)
    spread = rng.uniform(0.1, 0.5) * max(height, width)
    points = middle + rng.normal(0, spread, (int(rng.integers(3, 7)), 2))
    cv2.fillConvexPoly(mask, cv2.convexHull(points.astype(np.int32)), 255)
    blur = max(height, width) * rng.uniform(0.004, 0.06)
    soft = cv2.GaussianBlur(mask, (0, 0), blur).astype(np.float32) / 255
    return 1 - soft * np.float32(rng.uniform(0.2, 0.65))


def _stripes(height: int, width: int, rng: np.random.Generator) -> Floats:
    """Light through a window blind: soft parallel bars (kept for scenes held back from training)."""
    ramp = _ramp(height, width, rng)
    return 1 - np.float32(rng.uniform(0.1, 0.4)) * (
        0.5 + 0.5 * np.tanh(4 * np.sin(ramp * rng.uniform(6, 20)))
    )


def shine(
    pixels: Pixels, rng: np.random.Generator, *, strength: float = 1.0, held_back: bool = False
) -> Pixels:
    """Put a picture (H, W, 3) under a random light; `strength` scales how hard it is, 0 to about 1.

    `held_back` draws lights of a kind that training never sees (window blinds, two-coloured light).
    """
    height, width = pixels.shape[:2]
    image = pixels.astype(np.float32) / 255
    image = image ** np.float32(1.9)
    shade = np.ones((height, width), np.float32)
    shade *= 1 + _ramp(height, width, rng) * np.float32(rng.uniform(0, 0.45) * strength)
    if rng.random() < 0.3 * strength:
        shade *= _cast_shadow(height, width, rng)
    if rng.random() < 0.3 * strength:
        shade *= np.float32(rng.uniform(0.3, 0.8)) + _blob(height, width, rng, 0.3, 0.9)
    if held_back and rng.random() < 0.3:
        shade *= _stripes(height, width, rng)
    image *= shade[..., None]
    warm = rng.normal(0.05, 0.22) if rng.random() < 0.75 else rng.uniform(0.2, 0.65)
    tint = rng.normal(0, 0.05)
    gains = np.exp(np.array([warm * 0.6, tint, -warm]) * strength).astype(np.float32)
    image *= gains / gains.mean()
    if held_back and rng.random() < 0.3:
        other = np.exp(rng.normal(0, 0.3, 3)).astype(np.float32)
        share = (0.5 + 0.5 * _ramp(height, width, rng))[..., None]
        image *= 1 - share + share * other
    for _ in range(int(rng.poisson(0.7 * strength))):
        spot = _blob(height, width, rng, 0.03, 0.3)[..., None]
        image += spot * np.float32(rng.uniform(0.05, 0.45))
    if rng.random() < 0.3 * strength:
        image += np.float32(rng.uniform(0, 0.08))
    image *= np.float32(np.exp(rng.normal(0, 0.3) * strength) * 0.45 / max(0.12, float(image.mean()) + 0.15))
    np.clip(image, 0, None, out=image)
    # A phone exposes so that no more than a small part of the photo is burnt out.
    brightest = float(np.quantile(image[::4, ::4].min(axis=2), 1 - MOST_BURNT_OUT))
    image *= np.float32(1 / max(1.0, brightest))
    if rng.random() < 0.6:  # a film-like shoulder, as phones apply
        image = image * (1 + image * 0.2) / (1 + image) * np.float32(1.45)
    image = np.clip(image, 0, 1) ** np.float32(1 / rng.uniform(1.6, 2.4))
    grey = image.mean(axis=2, keepdims=True)
    image = grey + (image - grey) * np.float32(np.exp(rng.normal(0, 0.28) * strength))
    middle = np.float32(0.5)
    image = (image - middle) * np.float32(np.exp(rng.normal(0.05, 0.15) * strength)) + middle
    return (np.clip(image, 0, 1) * 255).astype(np.uint8)


def photograph(
    pixels: Pixels, rng: np.random.Generator, *, strength: float = 1.0, pitch: float = 60.0
) -> Pixels:
    """Lens, sensor and file: blur (up to a few hundredths of `pitch`, px), low resolution, noise, JPEG."""
    image = pixels
    height, width = image.shape[:2]
    kind = rng.random()
    if kind < 0.35:
        image = cv2.GaussianBlur(image, (0, 0), rng.uniform(0.3, 0.3 + 0.02 * pitch * strength))
    elif kind < 0.45:
        length = max(2, int(pitch * rng.uniform(0.02, 0.08) * strength))
        kernel = np.zeros((length, length), np.float32)
        kernel[length // 2] = 1 / length
        turn = cv2.getRotationMatrix2D(((length - 1) / 2, (length - 1) / 2), rng.uniform(0, 180), 1)
        kernel = cv2.warpAffine(kernel, turn, (length, length))
        image = cv2.filter2D(image, -1, kernel / max(kernel.sum(), 1e-6))
    elif kind < 0.7 and pitch > LEAST_DETAIL:
        factor = rng.uniform(max(0.3, LEAST_DETAIL / pitch), 1.0)
        small = cv2.resize(image, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA)
        image = cv2.resize(small, (width, height), interpolation=cv2.INTER_LINEAR)
    if rng.random() < 0.3:
        soft = cv2.GaussianBlur(image, (0, 0), rng.uniform(0.8, 2.0))
        image = cv2.addWeighted(image, 1.6, soft, -0.6, 0)
    if rng.random() < 0.7:
        sigma = rng.gamma(1.5, 3.0 * strength)
        noise = np.empty(image.shape, np.int16)
        cv2.setRNGSeed(int(rng.integers(1 << 30)))
        cv2.randn(noise, 0, sigma)
        if rng.random() < 0.5:
            noise = cv2.GaussianBlur(noise, (0, 0), 0.7)
        image = np.clip(image + noise, 0, 255).astype(np.uint8)
    if rng.random() < 0.8:
        quality = int(rng.uniform(25, 95))
        _, data = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, quality])
        image = cv2.imdecode(data, cv2.IMREAD_COLOR)
    return image
