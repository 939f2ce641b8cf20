"""A picture of a wrongly read tile: the photo, what was read and what is true, side by side, and why."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from benchmarks.comparing import Comparison, Match, tile_width
from scoring.layout import Layout, LayoutTile
from vision.overlay import draw_overlay
from vision.photo import load_photo

REACH = 1.3
"""How much of the photo is shown round the tile to each side, tile widths."""
SIDE = 380
"""Side of each of the three panels, px."""
TEXT_HEIGHT = 118


def fault_pictures(
    photo: Path, truth: Layout, comparison: Comparison | None, read: Layout | None
) -> Iterator[tuple[str, Image.Image]]:
    """A picture and a file name for every fault of a photo. Nothing for a photo in which nothing was read
    (the fault is in all of it), one picture of the whole for an invented environment."""
    if read is None:
        return
    pixels = load_photo(photo).pixels
    if comparison is None:
        invented = draw_overlay(pixels, read)
        yield "invented", Image.fromarray(invented).reduce(max(1, max(invented.shape[:2]) // 1200))
        return
    width = tile_width(truth)
    for number, match in enumerate(comparison.matches):
        if not match.right:
            name = f"{number:02d}-{'-'.join(match.faults).replace(' ', '-')}"
            yield name, fault_picture(pixels, truth, read, match, width)


def fault_picture(
    pixels: NDArray[np.uint8], truth: Layout, read: Layout, match: Match, width: float
) -> Image.Image:
    """Three panels of the photo (H, W, 3) round the tile of a match: bare, read, true; probabilities below.

    width: of a tile, photo px.
    """
    placed = match.true or match.read
    assert placed is not None
    assert placed.center is not None  # else `compare` had refused it
    full = read.photo.width if read.photo is not None else pixels.shape[1]
    to_kept = pixels.shape[1] / full  # the photo may be kept reduced
    reach = REACH * width
    left, top = placed.center[0] - reach, placed.center[1] - reach
    zoom = SIDE / (2 * reach)
    view = np.array([[zoom / to_kept, 0, -left * zoom], [0, zoom / to_kept, -top * zoom]])
    way = cv2.INTER_AREA if zoom < to_kept else cv2.INTER_CUBIC
    crop = np.asarray(cv2.warpAffine(pixels, view, (SIDE, SIDE), flags=way), dtype=np.uint8)
    panels = [crop, *(draw_overlay(crop, _seen_through(one, left, top, zoom)) for one in (read, truth))]
    picture = Image.new("RGB", (3 * SIDE, SIDE + TEXT_HEIGHT), "white")
    for column, panel in enumerate(panels):
        picture.paste(Image.fromarray(panel), (column * SIDE, 0))
    draw = ImageDraw.Draw(picture)
    font = ImageFont.load_default(14)
    for row, line in enumerate(fault_text(match)):
        draw.text((6, SIDE + 5 + 21 * row), line, "black", font)
    return picture


def fault_text(match: Match) -> list[str]:
    """What was read with which probability, its alternatives, and what is true, in lines."""
    flag = "flagged" if match.flagged else "NOT flagged"
    lines = [f"{' and '.join(match.faults)}; {flag}  (photo | read | true)"]
    if match.read is None:
        lines.append("read: nothing here")
    else:
        read = match.read
        edges = match.in_true_directions(read.tile.terrain)
        lines.append(
            f"read: {_edges(edges)} ({_share(read.confidence_terrain)}), "
            f"{read.tile.token or 'no token'} ({_share(read.confidence_token)})"
        )
        others = [
            f"{_edges(match.in_true_directions(one.value))} {_share(one.probability)}"
            for one in read.terrain_alternatives[:2]
        ]
        others += [
            f"{one.value or 'no token'} {_share(one.probability)}" for one in read.token_alternatives[:3]
        ]
        lines.append("or: " + ("; ".join(others) or "nothing else"))
    if match.true is None:
        lines.append("true: no tile of this environment")
    else:
        accepted = " or ".join(_edges(edges) for edges in match.accepted)
        lines.append(f"true: {accepted}, {match.true.tile.token or 'no token'}")
    return lines


def _edges(edges: Sequence[str]) -> str:
    """Six edges in words, each terrain with its edges: for example "forest 501 river 234"."""
    if len(set(edges)) == 1:
        return f"all {edges[0]}"
    starts = [edge for edge in range(6) if edges[edge] != edges[edge - 1]]
    runs = []
    for start, end in zip(starts, [*starts[1:], starts[0] + 6], strict=True):
        runs.append(f"{edges[start]} {''.join(str(edge % 6) for edge in range(start, end))}")
    return " ".join(sorted(runs))


def _share(probability: float | None) -> str:
    return "?" if probability is None else f"{probability:.1%}"


def _seen_through(layout: Layout, left: float, top: float, zoom: float) -> Layout:
    """The layout in the pixels of a window of the photo whose corner is (left, top), enlarged by `zoom`."""

    def moved(placed: LayoutTile) -> LayoutTile:
        def at(point: tuple[float, float]) -> tuple[float, float]:
            return ((point[0] - left) * zoom, (point[1] - top) * zoom)

        return replace(
            placed,
            center=None if placed.center is None else at(placed.center),
            corners=None if placed.corners is None else tuple(map(at, placed.corners)),
        )

    return replace(layout, photo=None, tiles=tuple(map(moved, layout.tiles)))
