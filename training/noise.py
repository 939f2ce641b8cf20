"""Cheap random textures: smooth noise built at low resolution and scaled up.

Everything is drawn from a passed generator, so that a seed fixes a texture.
"""

import cv2
import numpy as np


def value_noise(
    rng: np.random.Generator, height: int, width: int, cells: float, octaves: int = 1, stretch: float = 1.0
) -> np.ndarray:
    """Smooth random field, float32 of shape (height, width), mean about 0, standard deviation 1.

    Args:
        cells: how many grains of the coarsest octave fit along the longer side.
        octaves: each further octave has grains half as large at half the strength.
        stretch: grains are this many times longer along x than along y.
    """
    longer = max(height, width)
    field = np.zeros((height, width), np.float32)
    for octave in range(octaves):
        grains = cells * 2**octave
        rows = int(np.clip(np.ceil(grains * height / longer * np.sqrt(stretch)), 1, height)) + 3
        columns = int(np.clip(np.ceil(grains * width / longer / np.sqrt(stretch)), 1, width)) + 3
        coarse = rng.standard_normal((rows, columns), dtype=np.float32)
        # The margin of cells is cut off: a scaled picture is flat along its rim.
        big = cv2.resize(
            coarse,
            (round(width * columns / (columns - 2)) + 1, round(height * rows / (rows - 2)) + 1),
            interpolation=cv2.INTER_CUBIC,
        )
        y, x = (big.shape[0] - height) // 2, (big.shape[1] - width) // 2
        field += big[y : y + height, x : x + width] * 0.5**octave
    field -= field.mean()
    return field / max(float(field.std()), 1e-6)


def blend(below: np.ndarray, above: np.ndarray, share: np.ndarray) -> np.ndarray:
    """`above` laid over `below` with `share` 0..1 of shape (H, W), float32 (H, W, 3).

    Either may be one colour.
    """
    below = np.asarray(below, np.float32)
    return below + (np.asarray(above, np.float32) - below) * share[..., None]


def smoothstep(values: np.ndarray, low: float, high: float) -> np.ndarray:
    """0 below `low`, 1 above `high`, a soft step between."""
    share = np.clip((values - low) / (high - low), 0.0, 1.0)
    return share * share * (3.0 - 2.0 * share)


def to_bytes(picture: np.ndarray) -> np.ndarray:
    """Float picture with values 0..255 as uint8, clipped."""
    return np.clip(picture, 0, 255).astype(np.uint8)


def recolor(picture: np.ndarray, hue: float = 0.0, saturation: float = 1.0, value: float = 1.0) -> np.ndarray:
    """RGB uint8 picture with its hue turned by `hue` degrees and saturation and value scaled."""
    hsv = cv2.cvtColor(picture, cv2.COLOR_RGB2HSV).astype(np.float32)
    hsv[..., 0] = (hsv[..., 0] + hue / 2) % 180
    hsv[..., 1] *= saturation
    hsv[..., 2] *= value
    return cv2.cvtColor(to_bytes(hsv), cv2.COLOR_HSV2RGB)
